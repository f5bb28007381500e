//! Games in which every turn is played greedily by an evaluation.

use std::ops::ControlFlow;

use crate::game::{Game, Outcome, Random, Seat, Turn};
use crate::games::chowka_bhara::rules::{Move, Position};

/// A game that has not ended by then is given up.
const MOST_MOVES: usize = 4000;

/// Plays a game by `evaluate`, which gives every seat's probability to be first. `visit` sees every
/// position at the start of a turn. The outcome; `None` if the game was given up.
pub(super) fn play_game(
    mut position: Position,
    random: &mut Random,
    evaluate: impl Fn(&Position) -> [f32; 4],
    mut visit: impl FnMut(&Position),
) -> Option<Outcome> {
    for _ in 0..MOST_MOVES {
        match position.turn() {
            Turn::Over => break,
            Turn::Chance { .. } => {
                if position.throws().is_empty() {
                    visit(&position);
                }
                let value = position.random_throw(random.next());
                position.play(&Move::Throw(value));
            }
            Turn::Seat(seat) => position = best_result(&position, seat, &evaluate),
        }
    }
    position.outcome()
}

/// The position after the play that leaves a seat the highest probability.
fn best_result(
    position: &Position,
    seat: Seat,
    evaluate: &impl Fn(&Position) -> [f32; 4],
) -> Position {
    let mut best: Option<(f32, Position)> = None;
    let _ = position.for_each_move::<()>(|m| {
        let mut next = position.clone();
        next.play(&m);
        let probability = match next.outcome() {
            Some(outcome) => outcome.share(seat) as f32,
            None => evaluate(&next)[seat.index()],
        };
        if best.as_ref().is_none_or(|(known, _)| probability > *known) {
            best = Some((probability, next));
        }
        ControlFlow::Continue(())
    });
    best.map_or_else(|| position.clone(), |(_, next)| next)
}
