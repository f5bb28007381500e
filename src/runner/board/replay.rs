//! The records of `--replay`: a list of games, each opened on a board to analyse on.

use std::collections::BTreeMap;
#[cfg(feature = "board")]
use std::path::Path;
use std::sync::Arc;

use anyhow::{Context, Result};

use super::catalogue::Entry;
use super::outgoing::{Beginning, FirstMove, RecordEntry, RecordFile, Records};
use crate::runner::tournament::record::Record;
#[cfg(feature = "board")]
use crate::runner::tournament::{record, recorded_referee};

/// The most games that are sent in one list.
const MAX_LIST: usize = 200;

/// The most moves of a beginning.
const MAX_MOVES: usize = 40;

/// A record file.
pub(super) struct Replay {
    name: String,
    /// The engine that shows the games.
    entry: Arc<Entry>,
    /// The rules of the match.
    rules: BTreeMap<String, String>,
    /// What the list says of each game.
    games: Vec<RecordEntry>,
    /// Finds a game by its number.
    find: Box<dyn Fn(u64) -> Result<Record> + Send + Sync>,
}

impl Replay {
    /// Reads the list of games; the engine is that of the command line, or the match's referee.
    ///
    /// # Errors
    /// When the file cannot be read, or the referee is not there.
    #[cfg(feature = "board")]
    pub(super) fn open(path: &Path, named: Option<&Entry>, built_in: &[&str]) -> Result<Self> {
        let mut games = Vec::new();
        let header = record::read(path, |record| {
            games.push(RecordEntry {
                record: games.len(),
                game: record.game,
                seats: record.seating,
                result: record.result,
                reason: record.reason,
                plies: record.moves.len(),
                beginning: (record.start == "startpos").then(|| Beginning {
                    places: record.places,
                    moves: record.moves.into_iter().take(MAX_MOVES).map(first_move).collect(),
                }),
            });
            Ok(())
        })?;
        let (entry, rules) = match named {
            Some(entry) => (entry.clone(), BTreeMap::new()),
            None => {
                let (engine, rules) = recorded_referee::find(&header, None, built_in).context(
                    "name the engine that shows these games: parlor board ENGINE --replay FILE",
                )?;
                // Under the name of the menu a game can be played on, and be found again.
                let menu = match built_in.contains(&header.variant.as_str()) {
                    true => header.variant.clone(),
                    false => engine.name.clone(),
                };
                let rules = rules.iter().filter_map(|rule| rule.split_once('='));
                let rules = rules.map(|(name, value)| (name.to_owned(), value.to_owned()));
                (Entry { menu, engines: vec![engine], rules: Vec::new() }, rules.collect())
            }
        };
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let path = path.to_owned();
        let find = Box::new(move |game| Ok(record::find(&path, game)?.1));
        Ok(Replay { name, entry: Arc::new(entry), rules, games, find })
    }

    /// As it stands in the greeting.
    pub(super) fn file(&self) -> RecordFile {
        let (name, menu) = (self.name.clone(), self.entry.menu.clone());
        RecordFile { name, menu, count: self.games.len() }
    }

    /// A part of the list, with beginnings or without.
    pub(super) fn list(&self, from: usize, count: usize, moves: bool) -> Records {
        let list = self
            .games
            .iter()
            .skip(from)
            .take(count.min(MAX_LIST))
            .cloned()
            .map(|entry| RecordEntry { beginning: entry.beginning.filter(|_| moves), ..entry });
        Records { from, count: self.games.len(), list: list.collect() }
    }

    /// The rules of all games.
    pub(super) fn rules(&self) -> BTreeMap<String, String> {
        self.rules.clone()
    }

    /// A game, and the engine that shows it.
    ///
    /// # Errors
    /// When there is no such game, or the file has changed.
    pub(super) fn game(&self, index: usize) -> Result<(Arc<Entry>, Record)> {
        let listed = self.games.get(index).context("there is no such game in the records")?;
        Ok((Arc::clone(&self.entry), (self.find)(listed.game)?))
    }
}

#[cfg(feature = "board")]
fn first_move(m: record::Move) -> FirstMove {
    FirstMove { token: m.token, seat: m.seat }
}
