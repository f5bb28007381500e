//! Values inside a search: one integer, for the seat to move.
//!
//! Evaluations lie within [`MAX_EVALUATION`]. Beyond it, a value counts the plies from the root to a
//! forced end, so that a quicker win has the greater value.

use super::player::Score;
use crate::game::{Outcome, Seat};

/// A value of a position; greater is better for the seat it belongs to.
pub type Value = i32;

/// A game won at the root. A win `n` plies away is `WIN - n`.
pub const WIN: Value = 32_000;

/// Values beyond this, either way, are forced ends with their distance.
pub const MATE_BOUND: Value = 30_000;

/// The greatest evaluation.
pub const MAX_EVALUATION: Value = MATE_BOUND - 1;

/// Hundredths in one natural logarithmic unit of odds, 400 / ln 10: 400 hundredths are odds of 10 to 1.
pub const SCALE: f64 = 173.717_792_761_248_5;

/// The greatest ply that a search reaches.
pub(crate) const MAX_PLY: usize = 240;

/// The value of a finished game for `seat`, `ply` plies from the root: win, draw or loss. With
/// more seats, a shared first place is a draw.
#[must_use]
pub fn outcome_value(outcome: &Outcome, seat: Seat, ply: usize) -> Value {
    match (outcome.place(seat), outcome.winners()) {
        (1, 1) => WIN - ply as Value,
        (1, _) => 0,
        _ => ply as Value - WIN,
    }
}

/// An evaluation clipped to [`MAX_EVALUATION`].
#[must_use]
pub fn clip(evaluation: Value) -> Value {
    evaluation.clamp(-MAX_EVALUATION, MAX_EVALUATION)
}

/// Whether a value is a forced end, won or lost.
#[must_use]
pub fn is_proven(value: Value) -> bool {
    value.abs() > MAX_EVALUATION
}

/// A value as a score, counted from the root.
#[must_use]
pub fn score(value: Value) -> Score {
    if value > MAX_EVALUATION {
        Score::Mate(WIN - value)
    } else if value < -MAX_EVALUATION {
        Score::Mate(-(WIN + value))
    } else {
        Score::Cp(value)
    }
}

/// A score at `ply` plies from the root as a value.
#[must_use]
pub fn value(score: Score, ply: usize) -> Value {
    let ply = ply as Value;
    match score {
        Score::Cp(cp) => clip(cp),
        Score::Mate(plies) if plies > 0 => (WIN - plies - ply).max(MATE_BOUND),
        Score::Mate(plies) => (-WIN - plies + ply).min(-MATE_BOUND),
    }
}

impl Score {
    /// Whether a line with this score is better than one with the other.
    #[must_use]
    pub fn is_better_than(self, other: Score) -> bool {
        value(self, 0) > value(other, 0)
    }
}

/// Probabilities in proportion to the exponentials; 0 for minus infinity.
#[must_use]
pub fn softmax<const N: usize>(strengths: [f32; N]) -> [f32; N] {
    let most = strengths.iter().fold(f32::NEG_INFINITY, |a, b| a.max(*b));
    let powers = strengths.map(|strength| {
        if strength == f32::NEG_INFINITY { 0.0 } else { libm::expf(strength - most) }
    });
    let total: f32 = powers.iter().sum();
    powers.map(|power| power / total)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quicker_wins_and_later_losses_are_better() {
        let won = Outcome::win(2, Seat::new(1));
        assert!(outcome_value(&won, Seat::new(1), 3) > outcome_value(&won, Seat::new(1), 5));
        assert!(outcome_value(&won, Seat::new(0), 3) < outcome_value(&won, Seat::new(0), 5));
        assert_eq!(outcome_value(&Outcome::draw(2), Seat::new(0), 9), 0);
    }

    #[test]
    fn scores_and_values_are_each_others_inverse() {
        for score_given in [Score::Mate(3), Score::Mate(-4), Score::Mate(0), Score::Cp(-17)] {
            assert_eq!(score(value(score_given, 0)), score_given);
        }
        assert_eq!(score(value(Score::Mate(3), 2)), Score::Mate(5));
        assert_eq!(score(value(Score::Mate(-3), 2)), Score::Mate(-5));
        assert_eq!(score(value(Score::Cp(1_000_000), 0)), Score::Cp(MAX_EVALUATION));
    }
}
