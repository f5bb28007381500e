//! What a player loses against perfect play.

use super::table_file::SolvedTable;
use super::table_player::{play_value, plays};
use crate::game::{Game, Random, Seat, Situation, Turn};
use crate::games::chowka_bhara::rules::{Move, Position};
use crate::search::{Limits, Player, Request};

/// What two players lost against perfect play.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Loss {
    /// Games played.
    pub games: u64,
    /// Turns with a choice, by player.
    pub turns: [u64; 2],
    /// The sum of their losses in those turns, in wins.
    pub lost: [f64; 2],
    /// Points of the first player.
    pub points: f64,
}

impl Loss {
    /// Mean loss per turn with a choice, in wins.
    #[must_use]
    pub fn mean(&self, player: usize) -> f64 {
        self.lost[player] / self.turns[player].max(1) as f64
    }

    /// The first player's score adjusted for luck: one half, which perfect play by both would score
    /// with seats exchanged, less the first player's losses and plus the second player's.
    #[must_use]
    pub fn adjusted(&self) -> f64 {
        0.5 - (self.lost[0] - self.lost[1]) / self.games.max(1) as f64
    }
}

/// Plays games of two players, seats exchanged after each, from a start that the table knows, and
/// adds up their losses.
#[must_use]
pub fn equity(
    table: &SolvedTable,
    start: &Position,
    players: &mut [Box<dyn Player<Position>>; 2],
    limits: &Limits,
    games: u64,
    seed: u64,
) -> Loss {
    let mut loss = Loss::default();
    for game in 0..games {
        // Two games with the same throws, seats exchanged.
        let mut random = Random::new(seed ^ (game / 2).wrapping_mul(0x9E37_79B9_7F4A_7C15));
        let mut situation = Situation::new(start.clone());
        let first = (game % 2) as usize;
        loss.games += 1;
        for _ in 0..4000 {
            let position = situation.position();
            let m = match position.turn() {
                Turn::Over => break,
                Turn::Chance { .. } => Move::Throw(position.random_throw(random.next())),
                Turn::Seat(seat) => {
                    let player = seat.index() ^ first;
                    let request = Request::new(limits.clone());
                    let choice = players[player].choose(&situation, &request, &mut |_| {});
                    let Some(choice) = choice else { break };
                    if let Some(list) = plays(table, position).filter(|list| list.len() > 1) {
                        let best = list.first().map_or(0.0, |(_, value)| *value);
                        let chosen = play_value(table, position, &choice.best).unwrap_or(best);
                        loss.turns[player] += 1;
                        loss.lost[player] += f64::from(best - chosen).max(0.0);
                    }
                    choice.best
                }
            };
            situation.play(&m);
        }
        let seat = Seat::new(first);
        loss.points += situation.outcome().map_or(0.5, |outcome| outcome.share(seat));
    }
    loss
}
