//! Whether predicted probabilities agree with results, by tenths.

use super::self_play::play_game;
use parlor::game::{Game, Random, Seat};
use parlor::games::chowka_bhara::Position;
use parlor::games::chowka_bhara::play::win_probabilities;

/// The predictions that fall into one tenth.
#[derive(Clone, Copy, Default, Debug)]
pub struct Tenth {
    /// How many, every seat of a position counted.
    pub count: u64,
    /// The sum of the predicted probabilities.
    pub predicted: f64,
    /// The sum of the shares of first place.
    pub found: f64,
}

/// Plays games by the evaluation alone, and counts the predictions for every position at the start
/// of a turn.
pub fn reliability(start: &Position, games: u64, seed: u64) -> [Tenth; 10] {
    let mut tenths = [Tenth::default(); 10];
    let mut random = Random::new(seed);
    for _ in 0..games {
        let mut predictions = Vec::new();
        let visit = |position: &Position| predictions.push(win_probabilities(position));
        let outcome = play_game(start.clone(), &mut random, win_probabilities, visit);
        let Some(outcome) = outcome else { continue };
        for probabilities in predictions {
            for seat in Seat::all(start.seats()) {
                let predicted = f64::from(probabilities[seat.index()]);
                let tenth = &mut tenths[((predicted * 10.0) as usize).min(9)];
                tenth.count += 1;
                tenth.predicted += predicted;
                tenth.found += outcome.share(seat);
            }
        }
    }
    tenths
}
