//! The records of `--replay`: a list of games, each opened on a board to analyse on.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::{Context, Result};
use serde_json::{Value, json};

use super::catalogue::Entry;
use crate::runner::tournament::record::Record;
use crate::runner::tournament::{draw, record};

/// The most games that are sent in one list.
const MAX_LIST: usize = 200;

/// A record file.
pub(super) struct Replay {
    path: PathBuf,
    /// The engine that shows the games.
    entry: Arc<Entry>,
    /// What the list says of each game.
    games: Vec<Listed>,
}

struct Listed {
    game: u64,
    seating: Vec<String>,
    result: String,
    reason: String,
    plies: usize,
}

impl Replay {
    /// Reads the list of games; the engine is that of the command line, or the match's referee.
    ///
    /// # Errors
    /// When the file cannot be read, or the referee is not there.
    pub(super) fn open(path: &Path, named: Option<&Entry>, built_in: &[&str]) -> Result<Self> {
        let mut games = Vec::new();
        let header = record::read(path, |record| {
            games.push(Listed {
                game: record.game,
                seating: record.seating,
                result: record.result,
                reason: record.reason,
                plies: record.moves.len(),
            });
            Ok(())
        })?;
        let entry = match named {
            Some(entry) => entry.clone(),
            None => {
                let (engine, rules) = draw::referee(&header, built_in).context(
                    "name the engine that shows these games: parlor board ENGINE --replay FILE",
                )?;
                Entry { menu: engine.name.clone(), engines: vec![engine], rules }
            }
        };
        Ok(Replay { path: path.to_owned(), entry: Arc::new(entry), games })
    }

    /// As it stands in the greeting.
    pub(super) fn json(&self) -> Value {
        let name = self.path.file_name().unwrap_or_default().to_string_lossy();
        json!({"name": name, "count": self.games.len()})
    }

    /// A part of the list.
    pub(super) fn list(&self, from: usize, count: usize) -> Value {
        let game = |(index, game): (usize, &Listed)| {
            json!({
                "record": index, "game": game.game, "seats": game.seating, "result": game.result,
                "reason": game.reason, "plies": game.plies,
            })
        };
        let list = self.games.iter().enumerate().skip(from).take(count.min(MAX_LIST));
        let list: Vec<Value> = list.map(game).collect();
        json!({"type": "records", "from": from, "count": self.games.len(), "list": list})
    }

    /// A game, and the engine that shows it.
    ///
    /// # Errors
    /// When there is no such game, or the file has changed.
    pub(super) fn game(&self, index: usize) -> Result<(Arc<Entry>, Record)> {
        let listed = self.games.get(index).context("there is no such game in the records")?;
        let (_, record) = record::find(&self.path, listed.game)?;
        Ok((Arc::clone(&self.entry), record))
    }
}
