//! Perfect play wherever a table knows the position, and what other play loses against it.

use std::ops::ControlFlow;
use std::sync::Arc;

use super::super::moves::Move;
use super::super::position::Position;
use super::file::Table;
use crate::game::{Game, Random, Situation, Turn};
use crate::search::dice::centipawns;
use crate::search::{Choice, Info, Limits, Player, Report, Request};

/// What a play is worth by the table, for its mover; `None` if the table does not know what follows.
pub fn worth(table: &Table, position: &Position, m: &Move) -> Option<f32> {
    let seat = position.turn().seat()?;
    let mut next = position.clone();
    next.play(m);
    match next.outcome() {
        Some(outcome) => Some(outcome.share(seat) as f32),
        None => Some(1.0 - table.value(table.ranking.index(&next)?)),
    }
}

/// Every play of a position with its worth, the best first (the first listed of equals); `None` if
/// one of them is unknown.
pub fn plays(table: &Table, position: &Position) -> Option<Vec<(Move, f32)>> {
    let mut list = Vec::new();
    let unknown = position.for_each_move(|m| match worth(table, position, &m) {
        Some(value) => {
            list.push((m, value));
            ControlFlow::Continue(())
        }
        None => ControlFlow::Break(()),
    });
    if unknown.is_break() {
        return None;
    }
    list.sort_by(|a, b| b.1.total_cmp(&a.1));
    Some(list)
}

/// Plays by a table where it can, else as another player does.
pub struct TablePlayer {
    /// The table.
    pub table: Arc<Table>,
    /// Who plays where the table knows nothing.
    pub other: Box<dyn Player<Position>>,
}

impl Player<Position> for TablePlayer {
    fn choose(
        &mut self,
        situation: &Situation<Position>,
        request: &Request<Move>,
        report: &mut dyn FnMut(Report<Move>),
    ) -> Option<Choice<Move>> {
        let position = situation.position();
        let known = situation.seat().and_then(|_| plays(&self.table, position));
        let Some(list) = known else {
            return self.other.choose(situation, request, report);
        };
        let allowed = list.iter().any(|(m, _)| request.allows(m));
        let list: Vec<_> =
            list.into_iter().filter(|(m, _)| !allowed || request.allows(m)).collect();
        for (at, (m, value)) in list.iter().take(request.multi_pv.max(1)).enumerate() {
            let mut info = Info::new(1, centipawns(f64::from(*value)), vec![*m]);
            let won = (value * 1000.0).round().clamp(0.0, 1000.0) as u16;
            info.wdl = Some([won, 0, 1000 - won]);
            info.multipv = at + 1;
            info.nodes = list.len() as u64;
            info.time = request.control.elapsed();
            report(Report::Info(info));
        }
        Some(Choice { best: list.first()?.0, ponder: None })
    }

    fn new_game(&mut self) {
        self.other.new_game();
    }
}

/// What players lost against perfect play.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Loss {
    /// Games played.
    pub games: u64,
    /// Turns with a choice, by player.
    pub turns: [u64; 2],
    /// The sum of what was lost in them, in wins.
    pub lost: [f64; 2],
    /// Points of the first player.
    pub points: f64,
}

impl Loss {
    /// Mean loss a turn with a choice, in wins.
    pub fn mean(&self, player: usize) -> f64 {
        self.lost[player] / self.turns[player].max(1) as f64
    }

    /// The first player's score without the luck of the throws: what perfect play by both would
    /// score, seats being shared, less what the first lost and more what the second did.
    pub fn adjusted(&self) -> f64 {
        0.5 - (self.lost[0] - self.lost[1]) / self.games.max(1) as f64
    }
}

/// Plays games of two players in turn about from a start that the table knows, and adds up what
/// each lost.
pub fn equity(
    table: &Table,
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
                        let chosen = worth(table, position, &choice.best).unwrap_or(best);
                        loss.turns[player] += 1;
                        loss.lost[player] += f64::from(best - chosen).max(0.0);
                    }
                    choice.best
                }
            };
            situation.play(&m);
        }
        let seat = crate::game::Seat::new(first);
        loss.points += situation.outcome().map_or(0.5, |outcome| outcome.share(seat));
    }
    loss
}
