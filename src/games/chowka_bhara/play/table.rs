//! Option `TableFile`: the engine with a solved table.

use std::path::Path;
use std::sync::Arc;

use crate::game::Situation;
use crate::games::chowka_bhara::rules::{Move, Position};
use crate::games::chowka_bhara::solve::{SolvedTable, TablePlayer};
use crate::search::{Choice, Player, Report, Request};

/// The engine, playing by a solved table where the table knows the position. If the file cannot be
/// used, the player reports that at the first move of every game and plays without it.
pub(super) fn with_table(
    engine: Box<dyn Player<Position>>,
    path: &str,
) -> Box<dyn Player<Position>> {
    if path.is_empty() {
        return engine;
    }
    match SolvedTable::read(Path::new(path)) {
        Ok(table) => Box::new(TablePlayer { table: Arc::new(table), other: engine }),
        Err(error) => {
            let text = format!("TableFile: {error:#}; playing without it");
            Box::new(WarningPlayer { text, warned: false, player: engine })
        }
    }
}

/// A player that reports a bad option at the first move of every game.
struct WarningPlayer {
    text: String,
    warned: bool,
    player: Box<dyn Player<Position>>,
}

impl Player<Position> for WarningPlayer {
    fn choose(
        &mut self,
        situation: &Situation<Position>,
        request: &Request<Move>,
        report: &mut dyn FnMut(Report<Move>),
    ) -> Option<Choice<Move>> {
        if !std::mem::replace(&mut self.warned, true) {
            report(Report::BadOption(self.text.clone()));
        }
        self.player.choose(situation, request, report)
    }

    fn new_game(&mut self) {
        self.warned = false;
        self.player.new_game();
    }
}
