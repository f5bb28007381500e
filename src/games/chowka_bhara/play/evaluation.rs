//! The evaluation: every seat's probability to be first.
//!
//! On the 5 x 5 board it comes from the learned networks, on larger boards from the hand-written
//! heuristic: progress, exposure, the gate.

use super::heuristic::{log_odds, worth};
use super::network::{MORE, TWO};
use crate::game::{Game, Outcome, Seat};
use crate::games::chowka_bhara::rules::{Position, SIDES};
use crate::search::dice::centipawns;
use crate::search::value::{MAX_EVALUATION, Value, softmax};
use crate::search::{Evaluate, Score};

/// The evaluation of Chowka bhara. Values are probabilities of first place, scaled to
/// `MAX_EVALUATION` for a won game.
#[derive(Clone, Copy, Default, Debug)]
pub struct Evaluation(());

impl Evaluation {
    /// The evaluation.
    #[must_use]
    pub fn new() -> Self {
        Evaluation(())
    }
}

/// Every seat's probability to be first, in the order of the seats, for a position at the start of
/// a turn; values already thrown are ignored.
#[must_use]
pub fn win_probabilities(position: &Position) -> [f32; 4] {
    let mut probabilities = match (position.options().board, position.seats()) {
        (5, 2) => TWO.win_probabilities(position),
        (5, _) => MORE.win_probabilities(position),
        _ => {
            let mut strengths = [f32::NEG_INFINITY; 4];
            for (strength, side) in strengths.iter_mut().zip(position.sides()) {
                *strength = log_odds(position, *side) as f32;
            }
            softmax(strengths)
        }
    };
    if let Some(first) = position.finishers().first() {
        // The first place is taken; small values below 0 keep the order of the others.
        for (seat, probability) in probabilities.iter_mut().enumerate().take(position.seats()) {
            *probability = if position.sides()[seat] == *first as usize {
                1.0
            } else {
                (*probability - 1.0) / 64.0
            };
        }
    }
    probabilities
}

impl Evaluate<Position> for Evaluation {
    type Acc = [f32; 4];

    fn fresh(&self, position: &Position) -> [f32; 4] {
        win_probabilities(position)
    }

    fn score(&self, probabilities: &[f32; 4], _: &Position, seat: Seat) -> Value {
        let probability = probabilities.get(seat.index()).copied().unwrap_or(0.0);
        ((2.0 * probability - 1.0) * MAX_EVALUATION as f32).round() as Value
    }

    fn outcome_score(&self, outcome: &Outcome, seat: Seat) -> f64 {
        f64::from(MAX_EVALUATION) * (2.0 * outcome.share(seat) - 1.0)
    }
}

/// The evaluation explained in lines for people; the last is `score cp N` for the seat to move.
pub(crate) fn explain(position: &Position) -> String {
    let probabilities = win_probabilities(position);
    let mut lines = Vec::new();
    for (side, probability) in position.sides().iter().zip(probabilities) {
        let gate = if position.gate_open(*side) { "open" } else { "closed" };
        let progress: u32 = position.pawns(*side).iter().map(|index| u32::from(*index)).sum();
        lines.push(format!(
            "{} first {:5.1} %  gate {gate}  progress {progress}  careful {:.1}",
            SIDES[*side],
            100.0 * probability,
            worth(position, *side)
        ));
    }
    let mover = position.seat_of(position.side());
    let probability = match position.outcome() {
        Some(outcome) => outcome.share(mover),
        None => f64::from(probabilities[mover.index()]),
    };
    if let Score::Cp(score) = centipawns(probability) {
        lines.push(format!("score cp {score}"));
    }
    lines.join("\n")
}
