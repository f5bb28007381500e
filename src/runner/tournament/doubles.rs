//! Games that are in more than one of the files that are rated together.
//!
//! A match that is played again with the same key has games of the same numbers. They count if they are
//! other games, as with limits of time. A copied line is a double, and so is a match that was only
//! repeated: one in which every game that both files hold was played alike.

use std::path::{Path, PathBuf};

use anyhow::{Result, bail};

use super::copies::play;
use super::record::{Header, Record};

/// The files read so far; the last one is being read.
#[derive(Default)]
pub(super) struct SeenGames {
    files: Vec<SeenFile>,
    /// What the file that is being read shares with others of its match.
    shared: Vec<Shared>,
}

struct SeenFile {
    header: Header,
    path: PathBuf,
    /// Sorted, once the file is read.
    games: Vec<SeenGame>,
}

/// A game by its number, with checksums of its line and of how it was played.
#[derive(Clone, Copy)]
struct SeenGame {
    number: u64,
    line: u32,
    play: u64,
}

/// What two files of one match have in common.
struct Shared {
    file: usize,
    /// The first game that was played alike in both.
    same: Option<u64>,
    /// Whether a game of one number was played differently.
    different: bool,
}

impl SeenGames {
    /// Begins with a file.
    pub(super) fn begin(&mut self, header: &Header, path: &Path) {
        let others = self.files.iter().enumerate();
        let others = others.filter(|(_, other)| other.header.is_same_match(header));
        let shared = |(file, _)| Shared { file, same: None, different: false };
        self.shared = others.map(shared).collect();
        let (header, path) = (header.clone(), path.to_owned());
        self.files.push(SeenFile { header, path, games: Vec::new() });
    }

    /// Adds a game of the file, with its line.
    ///
    /// # Errors
    /// When another file holds the same line.
    pub(super) fn add(&mut self, record: &Record, line: &[u8]) -> Result<()> {
        let number = record.game;
        let game =
            SeenGame { number, line: crc32fast::hash(line.trim_ascii_end()), play: play(record) };
        let mut copied = None;
        for shared in &mut self.shared {
            let games = self.files.get(shared.file).map_or(&[][..], |file| &file.games);
            let place = games.binary_search_by_key(&number, |other| other.number);
            let Some(other) = place.ok().and_then(|place| games.get(place)) else { continue };
            if other.line == game.line {
                copied = Some(shared.file);
            } else if other.play == game.play {
                shared.same.get_or_insert(number);
            } else {
                shared.different = true;
            }
        }
        if let Some(file) = copied {
            return self.refuse(number, file);
        }
        if let Some(file) = self.files.last_mut() {
            file.games.push(game);
        }
        Ok(())
    }

    /// Ends with a file.
    ///
    /// # Errors
    /// When its games only repeat those of another file.
    pub(super) fn finish(&mut self) -> Result<()> {
        for shared in &self.shared {
            if let (Some(number), false) = (shared.same, shared.different) {
                return self.refuse(number, shared.file);
            }
        }
        if let Some(file) = self.files.last_mut() {
            file.games.sort_unstable_by_key(|game| game.number);
        }
        Ok(())
    }

    fn refuse(&self, number: u64, file: usize) -> Result<()> {
        let name = |file: Option<&SeenFile>| {
            file.map(|file| file.path.display().to_string()).unwrap_or_default()
        };
        let (one, other) = (name(self.files.get(file)), name(self.files.last()));
        bail!(
            "game {number} of one match is in {one} and in {other}; a match that is played and rated \
             twice needs another key: leave --seed out"
        )
    }
}
