//! How difficult a move is, judged by how the iterations of its search went. On a clock, a difficult
//! move takes more time and an easy one less.

use crate::search::value::Value;

/// What the iterations so far say.
#[derive(Default)]
pub(super) struct Difficulty {
    /// The tag and the value of the best move of the last iteration.
    last: Option<(u16, Value)>,
    /// How often the best move changed; every iteration halves the count.
    changes: f64,
    /// The mean value of the last iterations, later ones counting more.
    mean: f64,
}

/// The least and the greatest factor.
const RANGE: (f64, f64) = (0.45, 2.2);

/// A fall of the value by this many hundredths doubles the time.
const FALL: f64 = 80.0;

impl Difficulty {
    /// Takes note of an iteration: its best move, the value, and the share of the nodes that went
    /// into that move. Returns the factor by which the planned time is to be multiplied.
    pub(super) fn after(&mut self, tag: u16, value: Value, share: f64) -> f64 {
        let value_now = f64::from(value);
        if let Some((before, _)) = self.last {
            self.changes = self.changes / 2.0 + f64::from(u8::from(before != tag));
        } else {
            self.mean = value_now;
        }
        let fall = ((self.mean - value_now) / FALL).clamp(-0.15, 1.0);
        self.mean += (value_now - self.mean) / 3.0;
        self.last = Some((tag, value));
        let changing = 0.8 + 0.6 * self.changes;
        // Where nearly all nodes prove that the other moves are worse, no other move comes close.
        let contested = 1.45 - 0.65 * share.clamp(0.0, 1.0);
        (changing * contested * (1.0 + fall)).clamp(RANGE.0, RANGE.1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The factor after ten iterations with the same best move, value and share.
    fn settled() -> (Difficulty, f64) {
        let mut difficulty = Difficulty::default();
        let factor = (0..10).map(|_| difficulty.after(7, 30, 0.9)).last();
        (difficulty, factor.unwrap_or(0.0))
    }

    #[test]
    fn a_settled_move_takes_less_than_planned() {
        let (_, factor) = settled();
        assert!((RANGE.0..0.8).contains(&factor), "{factor}");
    }

    #[test]
    fn a_new_best_move_takes_more_until_it_stands() {
        let (mut difficulty, before) = settled();
        let changed = difficulty.after(8, 30, 0.9);
        assert!(changed > 1.5 * before, "{changed} {before}");
        let later: Vec<f64> = (0..6).map(|_| difficulty.after(8, 30, 0.9)).collect();
        assert!(later.is_sorted_by(|a, b| a > b) && later[5] < 1.05 * before, "{later:?}");
    }

    #[test]
    fn a_falling_value_takes_more_and_a_rising_one_hardly_less() {
        let fallen = settled().0.after(7, -50, 0.9);
        let risen = settled().0.after(7, 500, 0.9);
        let (_, before) = settled();
        assert!(fallen > 1.8 * before && risen > 0.8 * before, "{fallen} {before} {risen}");
        let lost = settled().0.after(9, -20_000, 0.0);
        assert!(lost <= RANGE.1);
    }

    #[test]
    fn contested_moves_take_more() {
        assert!(settled().0.after(7, 30, 0.3) > 1.3 * settled().1);
    }
}
