//! What a player loses against perfect play.

use serde::Serialize;

use super::player::{play_value, plays};
use super::table::SolvedTable;
use crate::game::{Game, Notation, Random, Seat, Situation, Turn};
use crate::games::chowka_bhara::rules::{Move, Position};
use crate::search::{Limits, Player, Request};

/// How many mistakes are kept.
pub(super) const MOST_MISTAKES: usize = 100;

/// A play that was not the best.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Mistake {
    /// Who made it.
    pub player: String,
    /// The position, the roll included.
    pub position: String,
    /// What was played.
    pub played: String,
    /// A best play.
    pub best: String,
    /// What it lost, in wins.
    pub lost: f64,
}

impl Mistake {
    pub(super) fn new(player: &str, position: &Position, m: &Move, best: &Move, lost: f64) -> Self {
        Mistake {
            player: player.into(),
            position: position.to_string(),
            played: position.token(m),
            best: position.token(best),
            lost,
        }
    }
}

/// Keeps the greatest losses, the greatest first, of equals the first, no position twice.
pub(super) fn keep_worst(worst: &mut Vec<Mistake>, new: impl FnOnce() -> Mistake, lost: f64) {
    let least = worst.last().map_or(0.0, |mistake| mistake.lost);
    if lost <= 0.0 || worst.len() == MOST_MISTAKES && lost <= least {
        return;
    }
    let new = new();
    let same = |known: &Mistake| known.position == new.position && known.played == new.played;
    if !worst.iter().any(same) {
        worst.insert(worst.partition_point(|mistake| mistake.lost >= lost), new);
        worst.truncate(MOST_MISTAKES);
    }
}

/// What two players lost against perfect play.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Loss {
    /// Games played.
    pub games: u64,
    /// Turns with a choice, by player.
    pub turns: [u64; 2],
    /// The sum of their losses in those turns, in wins.
    pub lost: [f64; 2],
    /// The sum of the squares of the losses.
    pub squares: [f64; 2],
    /// Points of the first player.
    pub points: f64,
    /// Turns of all games.
    pub length: u64,
    /// The greatest losses, the greatest first.
    pub worst: Vec<Mistake>,
}

impl Loss {
    /// Mean loss per turn with a choice, in wins.
    #[must_use]
    pub fn mean(&self, player: usize) -> f64 {
        self.lost[player] / self.turns[player].max(1) as f64
    }

    /// Half the width of the 95 % interval of [`Loss::mean`].
    #[must_use]
    pub fn margin(&self, player: usize) -> f64 {
        let turns = self.turns[player].max(1) as f64;
        let variance = self.squares[player] / turns - self.mean(player).powi(2);
        1.96 * (variance.max(0.0) / turns).sqrt()
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
                    loss.add(table, position, player, &choice.best);
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

impl Loss {
    /// Counts a turn.
    fn add(&mut self, table: &SolvedTable, position: &Position, player: usize, m: &Move) {
        self.length += 1;
        let Some(list) = plays(table, position).filter(|list| list.len() > 1) else { return };
        let Some((best, value)) = list.first() else { return };
        let chosen = play_value(table, position, m).unwrap_or(*value);
        let lost = f64::from(value - chosen).max(0.0);
        self.turns[player] += 1;
        self.lost[player] += lost;
        self.squares[player] += lost * lost;
        let name = ["first", "second"][player];
        keep_worst(&mut self.worst, || Mistake::new(name, position, m, best, lost), lost);
    }
}
