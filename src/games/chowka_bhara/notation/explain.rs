//! Why a move is illegal, in one line that names the rule.

use super::position::write_values;
use super::tokens::{cell_name, write_step};
use crate::games::chowka_bhara::rules::{
    DoubleMove, IllegalMove, IllegalPlay, Move, Position, SIDES, Step, StepError,
};

/// Names the first rule that a move breaks.
pub(super) fn explain(position: &Position, m: &Move) -> String {
    let side = SIDES[position.side()];
    let bonus = position.options().bonus();
    match position.check_move(m) {
        Ok(()) => "the move is legal".into(),
        Err(IllegalMove::Over) => "the game is over".into(),
        Err(IllegalMove::NotAValue(value)) => {
            format!("{value} cannot be thrown: values are 1 to {bonus} and {}", 2 * bonus)
        }
        Err(IllegalMove::MustThrow) => {
            format!("{side} must throw first: a throw is t1 to t{bonus} or t{}", 2 * bonus)
        }
        Err(IllegalMove::MustPlay) => {
            format!("{side} has thrown {} and must play now", write_values(position.throws()))
        }
        Err(IllegalMove::Play(play)) => explain_play(position, &play),
    }
}

fn explain_play(position: &Position, play: &IllegalPlay) -> String {
    match play {
        IllegalPlay::Voided => "the third bonus throw voided the turn: only pass is legal".into(),
        IllegalPlay::NoPath(step) => {
            let text = write_step(position, *step);
            format!("{text} leads nowhere on {}'s path", SIDES[position.side()])
        }
        IllegalPlay::ValueMissing { step, value, left } => {
            let left = match left.as_slice() {
                [] => "no value is left".into(),
                left => format!("left to play is {}", write_values(left)),
            };
            format!("{} is a step of {value}, but {left}", write_step(position, *step))
        }
        IllegalPlay::Step { step, value, error } => {
            let text = write_step(position, *step);
            format!("{text}: {}", explain_step(position, *step, *value, *error))
        }
        IllegalPlay::Unfinished(value) => {
            format!(
                "the value {value} can still be played, so it must be: the order is free, but the \
                 turn ends only where no value that is left can be played"
            )
        }
    }
}

fn explain_step(position: &Position, step: Step, value: u8, error: StepError) -> String {
    let side = SIDES[position.side()];
    let name = |index| cell_name(position, index);
    let (from, to) = (name(step.from()), name(step.to()));
    match error {
        StepError::NoPawns if step.together() => format!("{side} has no two pawns on {from}"),
        StepError::NoPawns => format!("{side} has no pawn on {from} to move {value} to {to}"),
        StepError::NoDoubleOnSafe => {
            format!("{from} is a safe cell, and pawns on safe cells are no double")
        }
        StepError::DoubleMove if position.options().double_move == DoubleMove::Half => {
            format!("a double moves by half of an even value, {value} is odd")
        }
        StepError::DoubleMove => "doubles do not move together (option DoubleMove)".into(),
        StepError::BeyondCentre => {
            format!("{value} leads beyond the centre, which needs its exact value")
        }
        StepError::ClosedGate => {
            format!("the gate is closed: {side} has hit nobody and may not go in")
        }
        StepError::Blocked(index) => {
            format!("an enemy double on {} may not be passed now", name(index))
        }
        StepError::EnemyDouble if step.together() => {
            format!("an enemy double on {to} is not hit (option DoubleHitsDouble)")
        }
        StepError::EnemyDouble => {
            format!("a single pawn cannot land on the enemy double on {to}")
        }
        StepError::OuterDouble => format!("no double may be formed on {to} (option OuterDoubles)"),
    }
}
