//! Option `TableFile`: the engine with a solved table.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::SystemTime;

use super::evaluation::Evaluation;
use super::players::SearchPlayer;
use crate::game::{Outcome, Seat, Situation};
use crate::games::chowka_bhara::rules::{Move, Position};
use crate::games::chowka_bhara::solve::{SolvedTable, TablePlayer};
use crate::search::value::Value;
use crate::search::{Choice, Evaluate, Player, Report, Request};

/// The engine, playing by a solved table where the table knows all plays of a position, and
/// searching with the table's values where it knows some of what may follow. If the file cannot be
/// used, the player reports that at the first move of every game and plays without it.
pub(super) fn with_table(path: &str, hash: usize) -> Box<dyn Player<Position>> {
    match read(Path::new(path)) {
        Ok(table) => {
            let evaluation = TableEvaluation { table: table.clone(), other: Evaluation::new() };
            let search = Box::new(SearchPlayer::new(evaluation, hash));
            Box::new(TablePlayer::new(table, search))
        }
        Err(error) => {
            let text = format!("TableFile: {error:#}; playing without it");
            let player = Box::new(SearchPlayer::new(Evaluation::new(), hash));
            Box::new(WarningPlayer { text, warned: false, player })
        }
    }
}

/// The table that was read last, and what the file was then.
static LAST: Mutex<Option<(FileState, Arc<SolvedTable>)>> = Mutex::new(None);

/// A file, its length and when it was changed.
type FileState = (PathBuf, u64, SystemTime);

/// Reads a table; if it is the one that was read last, as it was then, that is used again. It stays
/// in memory until another is read: players are made anew for every game, and a table of four pawns
/// has a gigabyte.
fn read(path: &Path) -> anyhow::Result<Arc<SolvedTable>> {
    let state = fs::metadata(path)
        .and_then(|data| Ok((path.to_owned(), data.len(), data.modified()?)))
        .ok();
    let mut last = LAST.lock().unwrap_or_else(PoisonError::into_inner);
    if let (Some((known, table)), Some(state)) = (&*last, &state)
        && known == state
    {
        return Ok(table.clone());
    }
    // The one before goes first: there may not be memory for two.
    *last = None;
    let table = Arc::new(SolvedTable::read(path)?);
    *last = state.map(|state| (state, table.clone()));
    Ok(table)
}

/// The evaluation, with the values of a solved table where it knows a position.
#[derive(Clone, Debug)]
struct TableEvaluation {
    table: Arc<SolvedTable>,
    other: Evaluation,
}

impl Evaluate<Position> for TableEvaluation {
    type Acc = [f32; 4];

    fn fresh(&self, position: &Position) -> [f32; 4] {
        match self.table.value_of(position) {
            Some(value) => {
                let mut probabilities = [1.0 - value, 1.0 - value, 0.0, 0.0];
                probabilities[position.seat_of(position.side()).index()] = value;
                probabilities
            }
            None => self.other.fresh(position),
        }
    }

    fn score(&self, probabilities: &[f32; 4], position: &Position, seat: Seat) -> Value {
        self.other.score(probabilities, position, seat)
    }

    fn outcome_score(&self, outcome: &Outcome, seat: Seat) -> f64 {
        Evaluate::<Position>::outcome_score(&self.other, outcome, seat)
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
