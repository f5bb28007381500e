//! Perfect play wherever a table knows the position.

use std::ops::ControlFlow;
use std::sync::Arc;

use super::ranking::Ranking;
use super::table::SolvedTable;
use crate::game::{Game, Situation};
use crate::games::chowka_bhara::rules::{Move, Position};
use crate::search::dice::centipawns;
use crate::search::{Choice, Info, Player, Report, Request};

/// The value of a play for its mover by the table; `None` if the table does not know the result.
pub(super) fn play_value(table: &SolvedTable, position: &Position, m: &Move) -> Option<f32> {
    let seat = position.turn().seat()?;
    let mut next = position.clone();
    next.play(m);
    match next.outcome() {
        Some(outcome) => Some(outcome.share(seat) as f32),
        None => Some(1.0 - table.value_of(&next)?),
    }
}

/// Every play of a position with its value, the best first and equals in listed order; `None` if
/// the table does not know one of them.
#[must_use]
pub fn plays(table: &SolvedTable, position: &Position) -> Option<Vec<(Move, f32)>> {
    let mut list = Vec::new();
    let unknown = position.for_each_move(|m| match play_value(table, position, &m) {
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

/// Plays by a table where it knows every play of the position, otherwise leaves the choice to
/// another player. In a game of rules that the table does not know it reports that, once a game.
pub struct TablePlayer {
    table: Arc<SolvedTable>,
    other: Box<dyn Player<Position>>,
    warned: bool,
}

impl TablePlayer {
    /// With a table, and the player where it does not know the position.
    #[must_use]
    pub fn new(table: Arc<SolvedTable>, other: Box<dyn Player<Position>>) -> Self {
        TablePlayer { table, other, warned: false }
    }
}

impl Player<Position> for TablePlayer {
    fn choose(
        &mut self,
        situation: &Situation<Position>,
        request: &Request<Move>,
        report: &mut dyn FnMut(Report<Move>),
    ) -> Option<Choice<Move>> {
        let position = situation.position();
        if !Ranking::is_of_these_rules(position) && !std::mem::replace(&mut self.warned, true) {
            let text = "TableFile: tables are of the default rules, two players on the 5 x 5 board, \
                        with 1 to 4 pawns; playing without it";
            report(Report::BadOption(text.into()));
        }
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
        self.warned = false;
        self.other.new_game();
    }
}
