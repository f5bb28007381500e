//! How good a position is: every seat's chance to be first.
//!
//! The 5 x 5 board is judged by the learned networks, the others by what a careful player looks at:
//! progress, exposure, the gate.

use super::careful::{standing, worth};
use super::geometry::SIDES;
use super::network::{MORE, TWO, softmax};
use super::position::Position;
use crate::game::{Game, Outcome, Seat};
use crate::search::dice::centipawns;
use crate::search::value::{MAX_EVALUATION, Value};
use crate::search::{Evaluate, Score};

/// The evaluation of Chowka bhara. Values are chances of first place: `MAX_EVALUATION` is a won game.
#[derive(Clone, Copy, Default, Debug)]
pub struct Evaluation(());

impl Evaluation {
    /// The evaluation.
    pub fn new() -> Self {
        Evaluation(())
    }
}

/// Every seat's chance to be first, in the order of the seats, for a position about to be thrown
/// on; values already thrown are not looked at.
pub fn shares(position: &Position) -> [f32; 4] {
    let mut shares = match (position.variant().board, position.seats()) {
        (5, 2) => TWO.shares(position),
        (5, _) => MORE.shares(position),
        _ => {
            let mut strengths = [f32::NEG_INFINITY; 4];
            for (strength, side) in strengths.iter_mut().zip(position.sides()) {
                *strength = standing(position, *side) as f32;
            }
            softmax(strengths)
        }
    };
    if let Some(first) = position.finishers().first() {
        // The first place is taken; the others are told apart by a little, below nothing.
        for (seat, share) in shares.iter_mut().enumerate().take(position.seats()) {
            *share =
                if position.sides()[seat] == *first as usize { 1.0 } else { (*share - 1.0) / 64.0 };
        }
    }
    shares
}

impl Evaluate<Position> for Evaluation {
    type Acc = [f32; 4];

    fn fresh(&self, position: &Position) -> [f32; 4] {
        shares(position)
    }

    fn score(&self, shares: &[f32; 4], _: &Position, seat: Seat) -> Value {
        let share = shares.get(seat.index()).copied().unwrap_or(0.0);
        ((2.0 * share - 1.0) * MAX_EVALUATION as f32).round() as Value
    }

    fn outcome_score(&self, outcome: &Outcome, seat: Seat) -> f64 {
        f64::from(MAX_EVALUATION) * (2.0 * outcome.share(seat) - 1.0)
    }
}

/// The evaluation in lines for people; the last is `score cp N` for the seat to move.
pub(super) fn explain(position: &Position) -> String {
    let shares = shares(position);
    let mut lines = Vec::new();
    for (side, share) in position.sides().iter().zip(shares) {
        let gate = if position.gate_open(*side) { "open" } else { "closed" };
        let progress: u32 = position.pawns(*side).iter().map(|index| u32::from(*index)).sum();
        lines.push(format!(
            "{} first {:5.1} %  gate {gate}  progress {progress}  careful {:.1}",
            SIDES[*side],
            100.0 * share,
            worth(position, *side)
        ));
    }
    let mover = position.seat_of(position.side());
    let share = match position.outcome() {
        Some(outcome) => outcome.share(mover),
        None => f64::from(shares[mover.index()]),
    };
    if let Score::Cp(score) = centipawns(share) {
        lines.push(format!("score cp {score}"));
    }
    lines.join("\n")
}
