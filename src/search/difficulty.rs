//! How difficult a move is, judged by how the iterations of its search went. On a clock, a difficult
//! move takes more time and an easy one less.

use super::value::Value;

/// What the iterations so far say.
#[derive(Default)]
pub(super) struct Difficulty {
    /// The best move of the last iteration, as a number.
    last: Option<u64>,
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
    /// Takes note of an iteration: any number that stands for its best move, the value, and the share
    /// of the work that went into that move, if it is known. Returns the factor by which the planned
    /// time is to be multiplied.
    pub(super) fn after(&mut self, best: u64, value: Value, share: Option<f64>) -> f64 {
        let value_now = f64::from(value);
        if let Some(before) = self.last {
            self.changes = self.changes / 2.0 + f64::from(u8::from(before != best));
        } else {
            self.mean = value_now;
        }
        let fall = ((self.mean - value_now) / FALL).clamp(-0.15, 1.0);
        self.mean += (value_now - self.mean) / 3.0;
        self.last = Some(best);
        let changing = 0.8 + 0.6 * self.changes;
        // Where nearly all work went into the best move, no other move came close to it.
        let contested = share.map_or(1.0, |share| 1.45 - 0.65 * share.clamp(0.0, 1.0));
        (changing * contested * (1.0 + fall)).clamp(RANGE.0, RANGE.1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The factor after ten iterations with the same best move, value and share.
    fn settled() -> (Difficulty, f64) {
        let mut difficulty = Difficulty::default();
        let factor = (0..10).map(|_| difficulty.after(7, 30, Some(0.9))).last();
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
        let changed = difficulty.after(8, 30, Some(0.9));
        assert!(changed > 1.5 * before, "{changed} {before}");
        let later: Vec<f64> = (0..6).map(|_| difficulty.after(8, 30, Some(0.9))).collect();
        assert!(later.is_sorted_by(|a, b| a > b) && later[5] < 1.05 * before, "{later:?}");
    }

    #[test]
    fn a_falling_value_takes_more_and_a_rising_one_hardly_less() {
        let fallen = settled().0.after(7, -50, Some(0.9));
        let risen = settled().0.after(7, 500, Some(0.9));
        let (_, before) = settled();
        assert!(fallen > 1.8 * before && risen > 0.8 * before, "{fallen} {before} {risen}");
        // The value stands where it fell to: it is still new for some iterations.
        let (mut difficulty, _) = settled();
        let later: Vec<f64> = (0..12).map(|_| difficulty.after(7, -50, Some(0.9))).collect();
        assert!(later.is_sorted_by(|a, b| a > b), "{later:?}");
        assert!(later[1] > 1.3 * before && later[11] < 1.05 * before, "{later:?}");
        let lost = settled().0.after(9, -20_000, Some(0.0));
        assert!(lost <= RANGE.1);
    }

    #[test]
    fn a_share_that_is_not_known_counts_as_an_ordinary_one() {
        let without = settled().0.after(7, 30, None);
        let (lone, contested) = (settled().1, settled().0.after(7, 30, Some(0.3)));
        assert!(lone < without && without < contested, "{lone} {without} {contested}");
    }

    #[test]
    fn contested_moves_take_more() {
        assert!(settled().0.after(7, 30, Some(0.3)) > 1.3 * settled().1);
    }
}
