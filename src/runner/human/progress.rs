//! What a person has learned: one small file for all games.

use std::collections::BTreeMap;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::{files, reading};

/// The largest file that is read, in bytes.
const MOST: u64 = 1 << 20;

/// How many steps of each lesson were done, by game and lesson.
type Done = BTreeMap<String, BTreeMap<String, usize>>;

/// The file.
#[derive(Default, Serialize, Deserialize)]
struct Kept {
    #[serde(default)]
    lessons: Done,
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
        Ok(serde_json::from_slice(&reading::bytes(file, MOST)?)?)
    }
}

/// What was learned of one game.
pub(super) struct Progress {
    /// Where it is kept; `None` if nowhere.
    path: Option<PathBuf>,
    game: String,
    done: BTreeMap<String, usize>,
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
        Ok(Progress { path, game: game.to_owned(), done })
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
        let Some(path) = &self.path else { return Ok(()) };
        // Another process may have learned something else meanwhile.
        let mut kept = Kept::read(path)?;
        kept.lessons.insert(self.game.clone(), self.done.clone());
        if let Some(folder) = path.parent() {
            std::fs::create_dir_all(folder)?;
        }
        files::write_private(path, serde_json::to_string(&kept)? + "\n")?;
        Ok(())
    }
}
