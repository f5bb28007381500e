//! What a person has learned, solved and won: one small file for all games.

use std::collections::{BTreeMap, BTreeSet};
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::files;
use crate::reading::{self, Most};

/// What a file holds at most: all puzzles and lessons of all games are some hundred.
const MOST: Most = Most { bytes: 1 << 20, values: 1 << 15, objects: 1 << 9, members: 1 << 12 };

/// How many steps of each lesson were done, by game and lesson.
type Done = BTreeMap<String, BTreeMap<String, usize>>;

/// How a person does with the puzzles of a game.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct PuzzleProgress {
    /// As an Elo rating.
    pub(super) rating: u32,
    /// The puzzles that moved it.
    pub(super) played: u32,
    /// The names of those that were solved.
    pub(super) solved: BTreeSet<String>,
}

impl Default for PuzzleProgress {
    /// Of somebody who knows the rules.
    fn default() -> Self {
        PuzzleProgress { rating: 800, played: 0, solved: BTreeSet::new() }
    }
}

/// Games in a row after which another level is offered.
const ROW: i8 = 3;

/// The last games of a person against a level of the engine.
#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize)]
pub(super) struct Row {
    level: u8,
    /// Wins in a row, or losses as a negative number.
    row: i8,
}

impl Row {
    /// Counts a game; returns the level that suits better, if one does. A draw ends every row.
    fn add(&mut self, level: u8, won: Option<bool>) -> Option<u8> {
        let before = if level == self.level { self.row } else { 0 };
        let row = match won {
            Some(true) => before.max(0).saturating_add(1),
            Some(false) => before.min(0).saturating_sub(1),
            None => 0,
        };
        *self = Row { level, row };
        if row >= ROW && level < 10 {
            Some(level + 1)
        } else if row <= -ROW && level > 1 {
            Some(level - 1)
        } else {
            None
        }
    }
}

/// The file.
#[derive(Default, Serialize, Deserialize)]
struct Kept {
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    lessons: Done,
    /// By game.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    puzzles: BTreeMap<String, PuzzleProgress>,
    /// By game.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    rows: BTreeMap<String, Row>,
    /// What other commands keep here.
    #[serde(flatten)]
    others: Map<String, Value>,
}

impl Kept {
    fn read(path: &Path) -> Result<Self> {
        let file = match reading::regular(path) {
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(Kept::default()),
            file => file?,
        };
        Ok(reading::json(&reading::bytes(file, MOST.bytes)?, &MOST)?)
    }
}

/// What was learned of one game.
pub(super) struct Progress {
    /// Where it is kept; `None` if nowhere.
    path: Option<PathBuf>,
    game: String,
    done: BTreeMap<String, usize>,
    puzzles: PuzzleProgress,
    row: Row,
}

impl Progress {
    /// Of a game, from `parlor/progress.json` in the folder for the state of the user.
    ///
    /// # Errors
    /// When there is a file that cannot be read: it is not to be written over.
    pub(super) fn read(game: &str) -> Result<Self> {
        let folder = files::base_folder("XDG_STATE_HOME", ".local/state");
        let path = folder.map(|folder| folder.join("parlor/progress.json"));
        let kept = match &path {
            Some(path) => Kept::read(path).with_context(|| path.display().to_string())?,
            None => Kept::default(),
        };
        let done = kept.lessons.get(game).cloned().unwrap_or_default();
        let puzzles = kept.puzzles.get(game).cloned().unwrap_or_default();
        let row = kept.rows.get(game).copied().unwrap_or_default();
        Ok(Progress { path, game: game.to_owned(), done, puzzles, row })
    }

    /// How many steps of a lesson were done.
    pub(super) fn of(&self, lesson: &str) -> usize {
        self.done.get(lesson).copied().unwrap_or(0)
    }

    /// So many steps of a lesson are done now.
    ///
    /// # Errors
    /// When that cannot be written.
    pub(super) fn reach(&mut self, lesson: &str, steps: usize) -> Result<()> {
        let done = self.done.entry(lesson.to_owned()).or_default();
        if *done >= steps {
            return Ok(());
        }
        *done = steps;
        let done = self.done.clone();
        self.keep(|kept, game| _ = kept.lessons.insert(game, done))
    }

    /// How the person does with the puzzles.
    pub(super) fn puzzles(&self) -> &PuzzleProgress {
        &self.puzzles
    }

    /// A puzzle of a rating was solved (1), not (0) or with help.
    ///
    /// # Errors
    /// When that cannot be written.
    pub(super) fn rate(&mut self, rating: u32, score: f64) -> Result<()> {
        self.puzzles.rate(rating, score);
        self.keep_puzzles()
    }

    /// A puzzle was solved in the end.
    ///
    /// # Errors
    /// When that cannot be written.
    pub(super) fn solve(&mut self, id: &str) -> Result<()> {
        self.puzzles.solved.insert(id.to_owned());
        self.keep_puzzles()
    }

    /// A game against a level was won, lost or drawn (`None`). Returns the level to be offered, if
    /// another one is.
    ///
    /// # Errors
    /// When that cannot be written.
    pub(super) fn played(&mut self, level: u8, won: Option<bool>) -> Result<Option<u8>> {
        let offered = self.row.add(level, won);
        let row = self.row;
        self.keep(|kept, game| _ = kept.rows.insert(game, row))?;
        Ok(offered)
    }

    fn keep_puzzles(&self) -> Result<()> {
        let puzzles = self.puzzles.clone();
        self.keep(|kept, game| _ = kept.puzzles.insert(game, puzzles))
    }

    /// Changes the file. Another process may have learned something else meanwhile.
    fn keep(&self, change: impl FnOnce(&mut Kept, String)) -> Result<()> {
        let Some(path) = &self.path else { return Ok(()) };
        let mut kept = Kept::read(path)?;
        change(&mut kept, self.game.clone());
        if let Some(folder) = path.parent() {
            std::fs::create_dir_all(folder)?;
        }
        files::write_private(path, serde_json::to_string(&kept)? + "\n")?;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn three_games_in_a_row_at_one_level_offer_another() {
        let mut row = Row::default();
        let mut offers = |level, games: &[Option<bool>]| -> Vec<Option<u8>> {
            games.iter().map(|won| row.add(level, *won)).collect()
        };
        let (won, lost) = (Some(true), Some(false));
        assert_eq!(offers(3, &[won, won, won, won]), [None, None, Some(4), Some(4)]);
        // Another level begins a new row, and so does another result.
        assert_eq!(offers(4, &[won, lost, lost, lost]), [None, None, None, Some(3)]);
        assert_eq!(offers(4, &[None, lost, lost]), [None; 3]);
        assert_eq!(offers(4, &[won, won, won]), [None, None, Some(5)]);
        assert_eq!(offers(4, &[lost, lost, lost]), [None, None, Some(3)]);
        // There is no level beyond the last ones.
        assert_eq!(offers(10, &[won, won, won]), [None; 3]);
        assert_eq!(offers(1, &[lost, lost, lost]), [None; 3]);
    }
}
