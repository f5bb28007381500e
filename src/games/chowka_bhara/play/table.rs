//! Option `TableFile`: the engine with a solved table.

use std::panic::catch_unwind;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::thread::Builder;
use std::time::{Duration, SystemTime};

use super::evaluation::Evaluation;
use super::search_player::SearchPlayer;
use crate::game::{Outcome, Seat, Situation};
use crate::games::chowka_bhara::rules::{Move, Position};
use crate::games::chowka_bhara::solved::{SolvedTable, TablePlayer};
use crate::search::value::Value;
use crate::search::{Choice, Evaluate, Player, Report, Request};

/// The engine, playing by a solved table where the table knows all plays of a position, and
/// searching with the table's values where it knows some of what may follow. If the file cannot be
/// used, the player reports that at the first move of every game and plays without it.
pub(super) fn with_table(path: &str, hash: usize) -> Box<dyn Player<Position>> {
    let file = TableFile::begin(Path::new(path));
    Box::new(FilePlayer { file, hash, with_table: None, without: None, warned: false })
}

/// Gives the memory of the table back that was read last, once nobody plays by it.
pub(super) fn forget() {
    *LAST.lock().unwrap_or_else(PoisonError::into_inner) = None;
}

/// The table that was read last. It stays in memory until another is read, or none is wanted: players
/// are made anew for every game, and a table of four pawns has a gigabyte.
static LAST: Mutex<Option<Arc<TableFile>>> = Mutex::new(None);

/// Held while a table is read: one at a time takes memory.
static READING: Mutex<()> = Mutex::new(());

/// How often a player that waits for a table checks whether it must answer.
const POLL_INTERVAL: Duration = Duration::from_millis(1);

/// A table that is being read in the background, or why there is none.
struct TableFile {
    path: PathBuf,
    /// Length and time of the last change.
    stamp: Option<(u64, SystemTime)>,
    table: OnceLock<Result<Arc<SolvedTable>, String>>,
}

impl TableFile {
    /// Begins to read a file, unless it is the one that was read last.
    fn begin(path: &Path) -> Arc<TableFile> {
        let stamp =
            std::fs::metadata(path).and_then(|data| Ok((data.len(), data.modified()?))).ok();
        let mut last = LAST.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(last) = &*last
            && (last.path.as_path(), last.stamp) == (path, stamp)
            && stamp.is_some()
        {
            return last.clone();
        }
        let file = Arc::new(TableFile { path: path.into(), stamp, table: OnceLock::new() });
        *last = Some(file.clone());
        let reader = file.clone();
        let spawned = Builder::new().name("table".into()).spawn(move || reader.read());
        if let Err(error) = spawned {
            let _ = file.table.set(Err(format!("no thread to read it: {error}")));
        }
        file
    }

    fn read(self: Arc<Self>) {
        let _only = READING.lock().unwrap_or_else(PoisonError::into_inner);
        if Arc::strong_count(&self) == 1 {
            // Nobody wants it any more.
            return;
        }
        let read = catch_unwind(|| SolvedTable::read(&self.path));
        let _ = self.table.set(match read {
            Ok(Ok(table)) => Ok(Arc::new(table)),
            Ok(Err(error)) => Err(format!("{error:#}")),
            Err(_) => Err(format!("{} cannot be read", self.path.display())),
        });
    }

    /// The table, once it is read; `None` if the player must answer before.
    fn wait(&self, must_answer: impl Fn() -> bool) -> Option<&Result<Arc<SolvedTable>, String>> {
        while self.table.get().is_none() && !must_answer() {
            std::thread::sleep(POLL_INTERVAL);
        }
        self.table.get()
    }
}

/// Plays by the table of a file once it is read, and without it until then or where it cannot be
/// used.
struct FilePlayer {
    file: Arc<TableFile>,
    hash: usize,
    with_table: Option<TablePlayer>,
    without: Option<SearchPlayer<Evaluation>>,
    warned: bool,
}

impl FilePlayer {
    /// The player without a table; it is made when it is needed.
    fn without(&mut self) -> &mut SearchPlayer<Evaluation> {
        self.without.get_or_insert_with(|| SearchPlayer::new(Evaluation::new(), self.hash))
    }
}

impl Player<Position> for FilePlayer {
    fn choose(
        &mut self,
        situation: &Situation<Position>,
        request: &Request<Move>,
        report: &mut dyn FnMut(Report<Move>),
    ) -> Option<Choice<Move>> {
        if let Some(player) = &mut self.with_table {
            return player.choose(situation, request, report);
        }
        let table = self.file.wait(|| request.control.must_stop(&request.limits, 0)).cloned();
        match table {
            Some(Ok(table)) => {
                self.without = None;
                let evaluation = TableEvaluation { table: table.clone(), other: Evaluation::new() };
                let search = Box::new(SearchPlayer::new(evaluation, self.hash));
                let player = self.with_table.insert(TablePlayer::new(table, search));
                return player.choose(situation, request, report);
            }
            Some(Err(error)) if !std::mem::replace(&mut self.warned, true) => {
                report(Report::BadOption(format!("TableFile: {error}; playing without it")));
            }
            Some(Err(_)) | None => {}
        }
        self.without().choose(situation, request, report)
    }

    fn new_game(&mut self) {
        self.warned = false;
        if let Some(player) = &mut self.with_table {
            player.new_game();
        }
        if let Some(player) = &mut self.without {
            player.new_game();
        }
    }
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::{Game, Random, Turn};

    /// Seats are counted without gaps, sides are the four of the board: two players are the sides 0
    /// and 2, and the seats 0 and 1.
    #[test]
    fn the_value_of_a_table_is_the_share_of_the_seat_to_move() {
        let path = Path::new("tests/data/chowka-bhara/two.table");
        let table = Arc::new(SolvedTable::read(path).unwrap());
        let evaluation = TableEvaluation { table: table.clone(), other: Evaluation::new() };
        let mut random = Random::new(60);
        let mut position = table.header().start();
        let mut compared = [0; 2];
        while let Some(next) = position.random_move(&mut random) {
            if let Turn::Chance { thrower: Some(seat) } = position.turn()
                && position.throws().is_empty()
            {
                let value = table.value_of(&position).unwrap();
                let mut shares = [0.0; 4];
                shares[seat.index()] = value;
                shares[1 - seat.index()] = 1.0 - value;
                assert_eq!(evaluation.fresh(&position), shares, "{position}");
                compared[seat.index()] += 1;
            }
            position.play(&next);
        }
        assert!(compared.iter().all(|count| *count > 10), "{compared:?}");
    }
}
