//! Games in which every turn is played greedily by an evaluation.

use std::ops::ControlFlow;

use parlor::game::{Game, Outcome, Random, Seat, Turn};
use parlor::games::chowka_bhara::{Move, Position};

/// A game that has not ended by then is given up.
const MOST_MOVES: usize = 4000;

/// Plays a game by `evaluate`, which gives every seat's probability to be first. `visit` sees every
/// position at the start of a turn. The outcome; `None` if the game was given up.
pub fn play_game(
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
            Turn::Seat(seat) => position = best_play(&position, seat, &evaluate).1,
        }
    }
    position.outcome()
}

/// The play that leaves a seat the highest probability to be first: all probabilities after it, and
/// the position.
pub fn best_play(
    position: &Position,
    seat: Seat,
    evaluate: &impl Fn(&Position) -> [f32; 4],
) -> ([f32; 4], Position) {
    let mut best: Option<([f32; 4], Position)> = None;
    let _ = position.for_each_move::<()>(|m| {
        let mut next = position.clone();
        next.play(&m);
        let shares = shares_of(&next, evaluate);
        let better = |known: &[f32; 4]| shares[seat.index()] > known[seat.index()];
        if best.as_ref().is_none_or(|(known, _)| better(known)) {
            best = Some((shares, next));
        }
        ControlFlow::Continue(())
    });
    best.unwrap_or_else(|| (shares_of(position, evaluate), position.clone()))
}

/// Every seat's share of the first place, by the rules or else by `evaluate`.
pub fn shares_of(position: &Position, evaluate: &impl Fn(&Position) -> [f32; 4]) -> [f32; 4] {
    let Some(outcome) = position.outcome() else { return evaluate(position) };
    let mut shares = [0.0; 4];
    for (seat, share) in shares.iter_mut().enumerate().take(position.seats()) {
        *share = outcome.share(Seat::new(seat)) as f32;
    }
    shares
}
