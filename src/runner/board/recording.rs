//! The files of `--record`: finished games, as `parlor match` writes them.
//!
//! A record file has one header: seats, game, rules. Games of another kind than the first go to a
//! file of their own, `games-2.jsonl` beside `games.jsonl` and so on.

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use anyhow::{Context, Result};

use super::game::Recorder;
use crate::runner::tournament::record::{Header, Record, Writer};

/// The files, all of this process alone.
pub(super) struct Recording {
    path: PathBuf,
    /// In the order of their names.
    kinds: Mutex<Vec<Kind>>,
}

/// The file of one kind of game.
struct Kind {
    writer: Writer,
    /// `None` while there is no game in it.
    header: Option<Header>,
    /// The greatest number of a game.
    last: u64,
}

impl Recording {
    /// Opens the file, or makes it.
    ///
    /// # Errors
    /// When another process writes it, or it is no record file.
    pub(super) fn open(path: PathBuf) -> Result<Self> {
        let first = Kind::open(&path)?;
        Ok(Recording { path, kinds: Mutex::new(vec![first]) })
    }

    /// What appends games to the files.
    pub(super) fn recorder(self) -> Arc<Recorder> {
        Arc::new(move |header, record| self.add(header, record))
    }

    /// Appends a game; its numbers follow from the file.
    ///
    /// # Errors
    /// When it cannot be written.
    fn add(&self, header: &Header, record: Record) -> Result<()> {
        let mut kinds = self.kinds.lock().unwrap_or_else(PoisonError::into_inner);
        loop {
            if let Some(place) = kinds.iter().position(|kind| kind.is_of(header)) {
                let added = kinds.get_mut(place).map_or(Ok(()), |kind| kind.add(header, record));
                if added.is_err() {
                    // The next game opens the file anew: this one may have been removed.
                    kinds.truncate(place);
                }
                return added.context("--record");
            }
            let next = Kind::open(&self.file(kinds.len() + 1))?;
            kinds.push(next);
        }
    }

    /// The name of a file, from 1.
    fn file(&self, number: usize) -> PathBuf {
        if number == 1 {
            return self.path.clone();
        }
        let mut name = self.path.file_stem().unwrap_or_default().to_os_string();
        name.push(format!("-{number}"));
        if let Some(ending) = self.path.extension() {
            name.push(".");
            name.push(ending);
        }
        self.path.with_file_name(name)
    }
}

impl Kind {
    fn open(path: &Path) -> Result<Self> {
        let mut last = 0;
        let opened = Writer::open(path, |record| {
            last = last.max(record.game);
            Ok(())
        });
        let (writer, old) = opened.context("--record")?;
        Ok(Kind { writer, header: old.map(|old| old.header().clone()), last })
    }

    /// Whether a game with this header belongs here. Who played is said by every game.
    fn is_of(&self, header: &Header) -> bool {
        let kind =
            |of: &Header| (of.seats, of.variant.clone(), of.rules.clone(), of.config.clone());
        self.header.as_ref().is_none_or(|own| kind(own) == kind(header))
    }

    fn add(&mut self, header: &Header, mut record: Record) -> Result<()> {
        if self.header.is_none() {
            self.writer.header(header)?;
            self.header = Some(header.clone());
        }
        record.game = self.last + 1;
        record.round = record.game;
        self.writer.game(&record)?;
        self.last = record.game;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_kind_of_game_has_a_file() {
        let recording = |path: &str| Recording { path: path.into(), kinds: Mutex::default() };
        assert_eq!(recording("/a/games.jsonl").file(2), Path::new("/a/games-2.jsonl"));
        assert_eq!(recording("games").file(10), Path::new("games-10"));
        assert_eq!(recording("games.jsonl").file(1), Path::new("games.jsonl"));
    }
}
