//! Saved games: a file for each unfinished one, who may write it, and what it may hold.
//!
//! A file is replaced as a whole and cannot carry a lock. `NAME.lock` beside it does, as long as the
//! game is open: so neither a second page nor a second board goes on with it or removes it.

use std::collections::{BTreeMap, VecDeque};
use std::fs::File;
use std::os::unix::fs::{DirBuilderExt, MetadataExt, OpenOptionsExt};
use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex, PoisonError};

use anyhow::{Context, Result, anyhow, ensure};
use nix::fcntl::OFlag;
use serde::{Deserialize, Serialize};

use super::message::{Chair, SeatKind, Throws, check_chairs, check_rules};
use super::outgoing::SavedEntry;
use super::{import, message};
use crate::files;
use crate::printing::note_line;
use crate::protocol::MAX_SEATS;
use crate::reading;
use crate::runner::lock::{LockError, lock};
use crate::runner::tournament::record::{self, Record};

/// The largest file of a game in bytes.
const MAX_FILE: u64 = 2 << 20;

/// The most commas in it: a token has up to four. A value takes many times the bytes of its text.
const MAX_COMMAS: usize = 100_000;

/// The most saved games that are listed.
const MAX_LISTED: usize = 1_000;

/// The longest title in bytes.
const MAX_TITLE: usize = 200;

/// The folder of saved games, and the thread that writes there: a slow disk delays nobody.
pub(super) struct SavedGames {
    folder: Option<PathBuf>,
    jobs: Sender<Job>,
}

/// What the thread does, in order.
enum Job {
    /// Writes the text of a game, or removes the file of one that needs none.
    Save { file: Arc<GameFile>, text: Option<String>, told: Told },
    /// Tells whoever waits.
    Pass(Sender<()>),
}

/// Who is told how it went.
pub(super) type Told = Box<dyn FnOnce(Result<(), String>) + Send>;

/// What a file of an unfinished game holds beside its record.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct SavedGame {
    /// The menu's entry.
    pub(super) menu: String,
    pub(super) title: String,
    /// Rule options that the page chose.
    #[serde(default)]
    pub(super) rules: BTreeMap<String, String>,
    pub(super) throws: Throws,
    #[serde(default)]
    pub(super) tc: Option<String>,
    /// Milliseconds left.
    #[serde(default)]
    pub(super) clocks: Vec<u64>,
    pub(super) chairs: Vec<Chair>,
    pub(super) seating: Vec<usize>,
    /// The match key: only the owner may read the file. A game without one goes on with a new key.
    #[serde(default)]
    pub(super) key: String,
    /// What the link of spectators ends in.
    #[serde(default)]
    pub(super) watch: String,
    /// When it was written, in milliseconds since 1970.
    pub(super) when: u64,
}

impl SavedGames {
    /// Games in the user's folder for data. Where there is none, nothing is saved.
    pub(super) fn open() -> Result<Self> {
        Self::in_folder(data_folder())
    }

    /// Games in this folder, which is made if it is not there.
    pub(super) fn in_folder(folder: Option<PathBuf>) -> Result<Self> {
        let folder = folder.filter(|folder| {
            let made = std::fs::DirBuilder::new().recursive(true).mode(0o700).create(folder);
            if let Err(error) = &made {
                note_line!("parlor: games are not saved: {}: {error}", folder.display());
            }
            made.is_ok()
        });
        let (jobs, queue) = channel();
        std::thread::Builder::new().name("saving".into()).spawn(move || work(&queue))?;
        Ok(SavedGames { folder, jobs })
    }

    /// The folder, for a name that a saved game may have.
    fn folder(&self, name: &str) -> Result<&Path> {
        let fit = |c: char| c.is_ascii_alphanumeric() || c == '-';
        let plain = !name.is_empty() && name.len() <= 100 && name.chars().all(fit);
        self.folder.as_deref().filter(|_| plain).context("there is no such saved game")
    }

    /// The saved games that are open nowhere, the newest first.
    pub(super) fn list(&self) -> Vec<SavedEntry> {
        let entry = |(name, record, saved): (String, Record, SavedGame)| SavedEntry {
            saved: name,
            menu: saved.menu,
            title: saved.title,
            plies: record.moves.len(),
            when: saved.when,
            seats: record.seating,
        };
        let mut list: Vec<SavedEntry> = self.closed().map(entry).collect();
        list.sort_by_key(|game| std::cmp::Reverse(game.when));
        list
    }

    /// The saved games that are open nowhere, without damaged files.
    fn closed(&self) -> impl Iterator<Item = (String, Record, SavedGame)> {
        let entries = self.folder.as_ref().and_then(|folder| folder.read_dir().ok());
        let paths = entries.into_iter().flatten().flatten().map(|entry| entry.path());
        let games = paths.filter(|path| path.extension().is_some_and(|end| end == "jsonl"));
        games.take(MAX_LISTED).filter_map(|path| {
            let name = path.file_stem()?.to_str()?.to_owned();
            if is_open(self.folder(&name).ok()?, &name) {
                return None;
            }
            let (record, saved) = read_saved(&read_file(&path).ok()?).ok()?;
            Some((name, record, saved))
        })
    }

    /// The tokens of links to the saved games that are open nowhere, each with its game's name.
    pub(super) fn links(&self) -> BTreeMap<String, String> {
        let links = self.closed().flat_map(|(name, _, saved)| {
            let links = saved.chairs.into_iter().filter(|chair| chair.kind == SeatKind::Link);
            let tokens = links.map(|chair| chair.token).chain([saved.watch]);
            let tokens = tokens.filter(|token| super::is_token(token));
            tokens.map(move |token| (token, name.clone())).collect::<Vec<_>>()
        });
        links.collect()
    }

    /// Takes a saved game: nobody else has it as long as the claim lives.
    ///
    /// # Errors
    /// When there is none, when it is open already, when the file is damaged.
    pub(super) fn take(&self, name: &str) -> Result<(Claim, Record, SavedGame)> {
        let folder = self.folder(name)?;
        let path = game_path(folder, name);
        ensure!(path.exists(), "there is no such saved game");
        let claim = Claim::take(folder, name)?;
        let (record, saved) = read_saved(&read_file(&path)?)?;
        Ok((claim, record, saved))
    }

    /// Forgets a saved game.
    ///
    /// # Errors
    /// When it is open.
    pub(super) fn discard(&self, name: &str) -> Result<()> {
        let folder = self.folder(name)?;
        let _claim = Claim::take(folder, name)?;
        files::remove(&game_path(folder, name)).context("it cannot be removed")
    }

    /// The file of a game that is open; a game that was not saved before comes without a claim.
    pub(super) fn file(&self, name: &str, claim: Option<Claim>) -> Option<Arc<GameFile>> {
        let folder = self.folder(name).ok()?.to_owned();
        Some(Arc::new(GameFile { folder, name: name.to_owned(), claim: Mutex::new(claim) }))
    }

    /// Writes the text of a game, or removes its file, before long.
    pub(super) fn save(&self, file: Arc<GameFile>, text: Option<String>, told: Told) {
        // The thread lives as long as the server.
        let _ = self.jobs.send(Job::Save { file, text, told });
    }

    /// Waits until everything is done that was asked for.
    pub(super) fn wait(&self) {
        let (pass, passed) = channel();
        if self.jobs.send(Job::Pass(pass)).is_ok() {
            let _ = passed.recv();
        }
    }
}

/// Writes and removes files until nobody can ask for it any more.
fn work(queue: &Receiver<Job>) {
    while let Ok(job) = queue.recv() {
        let mut jobs: VecDeque<Job> = std::iter::once(job).chain(queue.try_iter()).collect();
        while let Some(job) = jobs.pop_front() {
            match job {
                // Only the newest text of a file is worth writing.
                Job::Save { file, .. } if jobs.iter().any(|later| later.is_for(&file)) => {}
                Job::Save { file, text, told } => {
                    let result = file.keep(text);
                    drop(file);
                    told(result.map_err(|error| format!("the game is not saved: {error:#}")));
                }
                // Whoever waits may be gone.
                Job::Pass(pass) => drop(pass.send(())),
            }
        }
    }
}

impl Job {
    fn is_for(&self, file: &Arc<GameFile>) -> bool {
        matches!(self, Job::Save { file: own, .. } if Arc::ptr_eq(own, file))
    }
}

/// The file of an open game.
pub(super) struct GameFile {
    folder: PathBuf,
    name: String,
    /// From the first text on.
    claim: Mutex<Option<Claim>>,
}

impl GameFile {
    fn keep(&self, text: Option<String>) -> Result<()> {
        let mut claim = self.claim.lock().unwrap_or_else(PoisonError::into_inner);
        let path = game_path(&self.folder, &self.name);
        match text {
            Some(text) => {
                ensure!(text.len() as u64 <= MAX_FILE, "it takes more than {} MiB", MAX_FILE >> 20);
                if claim.is_none() {
                    *claim = Some(Claim::take(&self.folder, &self.name)?);
                }
                Ok(files::write_private(&path, text)?)
            }
            None if claim.is_some() => Ok(files::remove(&path)?),
            None => Ok(()),
        }
    }
}

/// The right to write or remove the file of a game. Nobody else has it, in any process.
#[derive(Debug)]
pub(super) struct Claim {
    path: PathBuf,
    _held: File,
}

impl Claim {
    fn take(folder: &Path, name: &str) -> Result<Self> {
        let path = lock_path(folder, name);
        let context = || path.display().to_string();
        loop {
            let mut options = File::options();
            options.create(true).append(true).mode(0o600).custom_flags(OFlag::O_NONBLOCK.bits());
            let file = options.open(&path).with_context(context)?;
            let own = file.metadata()?;
            ensure!(own.is_file(), "{} is no file", context());
            lock(&file).map_err(|error| match error {
                LockError::Held(_) => anyhow!(error).context("this game is open already"),
                LockError::NoLocks(_) => {
                    // Nobody has it: a file that says nothing would only stay.
                    let _ = std::fs::remove_file(&path);
                    anyhow!(error).context(context())
                }
            })?;
            // Whoever had it may have removed it before this lock: then others lock a new file.
            let same =
                |other: std::fs::Metadata| (other.dev(), other.ino()) == (own.dev(), own.ino());
            if path.metadata().is_ok_and(same) {
                return Ok(Claim { path, _held: file });
            }
        }
    }
}

impl Drop for Claim {
    fn drop(&mut self) {
        // While it is still locked. One that stays is taken by the next who wants the game.
        let _ = std::fs::remove_file(&self.path);
    }
}

/// Whether somebody has the game; the lock that a killed board has left goes.
fn is_open(folder: &Path, name: &str) -> bool {
    let held = |error: anyhow::Error| {
        matches!(error.downcast_ref::<LockError>(), Some(LockError::Held(_)))
    };
    lock_path(folder, name).exists() && Claim::take(folder, name).is_err_and(held)
}

fn game_path(folder: &Path, name: &str) -> PathBuf {
    folder.join(format!("{name}.jsonl"))
}

fn lock_path(folder: &Path, name: &str) -> PathBuf {
    folder.join(format!("{name}.lock"))
}

/// The text of a regular file; nothing else is waited for.
fn read_file(path: &Path) -> Result<String> {
    Ok(String::from_utf8(reading::bytes(reading::regular(path)?, MAX_FILE)?)?)
}

/// Reads the file of an unfinished game.
///
/// # Errors
/// A file that is not whole, that was changed, or that holds what no game has.
pub(super) fn read_saved(text: &str) -> Result<(Record, SavedGame)> {
    #[derive(Deserialize)]
    struct Beside {
        board: SavedGame,
    }
    let line = text.lines().nth(1).context("the file is not whole")?;
    record::verify_line(line)?;
    let commas = line.bytes().filter(|&byte| byte == b',').count();
    ensure!(commas <= MAX_COMMAS, "it has more than {MAX_COMMAS} values");
    let record: Record = serde_json::from_str(line)?;
    let Beside { board } = serde_json::from_str(line)?;
    check(&record, &board)?;
    Ok((record, board))
}

/// Checks what becomes lines to engines, and what pages show.
fn check(record: &Record, saved: &SavedGame) -> Result<()> {
    record::check_texts(record)?;
    let (_, more) = import::start_of(&record.start)?;
    ensure!(more.is_empty(), "moves in the start");
    let is_token = |token: &str| message::is_word(token) && token.len() <= message::MAX_TOKEN;
    ensure!(record.moves.iter().all(|m| is_token(&m.token)), "a token of more than one word");
    let lists = [
        record.seating.len(),
        record.places.len(),
        record.shares.len(),
        record.strays.len(),
        record.faults.len(),
        saved.seating.len(),
        saved.clocks.len(),
    ];
    ensure!(lists.iter().all(|&count| count <= MAX_SEATS), "more than {MAX_SEATS} seats");
    let plain = saved.title.len() <= MAX_TITLE && !saved.title.contains(char::is_control);
    ensure!(plain, "a title of other characters than text has");
    check_rules(&saved.rules)
        .and_then(|()| check_chairs(&saved.chairs))
        .map_err(|error| anyhow!(error))
}

/// `parlor/games` in the folder for data of the user.
fn data_folder() -> Option<PathBuf> {
    let data = files::base_folder("XDG_DATA_HOME", ".local/share")?;
    Some(data.join("parlor/games"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_written_and_removed_and_a_failure_is_told() {
        let folder = tempfile::tempdir().unwrap();
        let games = SavedGames::in_folder(Some(folder.path().join("games"))).unwrap();
        let kept = games.file("g1", None).unwrap();
        let path = folder.path().join("games/g1.jsonl");
        let save = |text: Option<&str>| {
            let (tell, told) = channel();
            let told_so = Box::new(move |result| tell.send(result).unwrap());
            games.save(Arc::clone(&kept), text.map(str::to_owned), told_so);
            told.recv().unwrap()
        };
        assert_eq!(save(Some("as it is")), Ok(()));
        assert_eq!(std::fs::read_to_string(&path).unwrap(), "as it is");
        assert!(games.discard("g1").unwrap_err().to_string().contains("open"));
        assert_eq!(save(None), Ok(()));
        assert!(!path.exists());
        std::fs::create_dir(&path).unwrap();
        assert!(save(Some("again")).unwrap_err().starts_with("the game is not saved: "));
        assert!(save(Some(&"x".repeat(MAX_FILE as usize + 1))).unwrap_err().contains("2 MiB"));
        drop(kept);
        games.wait();
        assert!(!lock_path(&folder.path().join("games"), "g1").exists());
    }

    /// Of two who want a game at the same time one has it, also while a third gives it back.
    #[test]
    fn two_never_have_one_game() {
        let folder = tempfile::tempdir().unwrap();
        let (owners, had) = (Mutex::new(0), Mutex::new(0));
        std::thread::scope(|scope| {
            for _ in 0..3 {
                scope.spawn(|| {
                    for _ in 0..200 {
                        let Ok(claim) = Claim::take(folder.path(), "g1") else { continue };
                        *had.lock().unwrap() += 1;
                        let mut count = owners.lock().unwrap();
                        *count += 1;
                        assert_eq!(*count, 1);
                        drop(count);
                        std::thread::yield_now();
                        *owners.lock().unwrap() -= 1;
                        drop(claim);
                    }
                });
            }
        });
        assert!(*had.lock().unwrap() > 0);
        assert!(Claim::take(folder.path(), "g1").is_ok());
    }
}
