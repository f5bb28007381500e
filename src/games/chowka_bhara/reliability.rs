//! Whether chances are what they say: predicted against found, by tenths.

use std::ops::ControlFlow;

use super::evaluate::shares;
use super::moves::Move;
use super::position::Position;
use crate::game::{Game, Random, Seat, Turn};

/// The positions whose predicted chance falls into one tenth.
#[derive(Clone, Copy, Default, Debug)]
pub(super) struct Tenth {
    /// How many, every seat of a position counted.
    pub count: u64,
    /// The sum of the chances predicted.
    pub predicted: f64,
    /// The sum of the shares of first place found.
    pub found: f64,
}

/// Plays games from a start, every turn by the evaluation alone; the tenths by predicted chance of
/// every position about to be thrown on.
pub(super) fn reliability(start: &Position, games: u64, seed: u64) -> [Tenth; 10] {
    let mut tenths = [Tenth::default(); 10];
    let mut random = Random::new(seed);
    for _ in 0..games {
        let mut position = start.clone();
        let mut met = Vec::new();
        for _ in 0..4000 {
            match position.turn() {
                Turn::Over => break,
                Turn::Chance { .. } => {
                    if position.throws().is_empty() {
                        met.push(shares(&position));
                    }
                    let value = position.random_throw(random.next());
                    position.play(&Move::Throw(value));
                }
                Turn::Seat(seat) => position = best(&position, seat),
            }
        }
        let Some(outcome) = position.outcome() else { continue };
        for shares in met {
            for seat in Seat::all(position.seats()) {
                let predicted = f64::from(shares[seat.index()]);
                let tenth = &mut tenths[((predicted * 10.0) as usize).min(9)];
                tenth.count += 1;
                tenth.predicted += predicted;
                tenth.found += outcome.share(seat);
            }
        }
    }
    tenths
}

fn best(position: &Position, seat: Seat) -> Position {
    let mut best: Option<(f32, Position)> = None;
    let _ = position.for_each_move::<()>(|m| {
        let mut next = position.clone();
        next.play(&m);
        let share = match next.outcome() {
            Some(outcome) => outcome.share(seat) as f32,
            None => shares(&next)[seat.index()],
        };
        if best.as_ref().is_none_or(|(known, _)| share > *known) {
            best = Some((share, next));
        }
        ControlFlow::Continue(())
    });
    best.map_or_else(|| position.clone(), |(_, next)| next)
}
