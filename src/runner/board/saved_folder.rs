//! The folder of saved games: a file for each unfinished one, and who may write it.
//!
//! A file is replaced as a whole and cannot carry a lock. `NAME.lock` beside it does, as long as the
//! game is open: so neither a second page nor a second board goes on with it or removes it.

use std::collections::VecDeque;
use std::fs::File;
use std::os::unix::fs::{DirBuilderExt, MetadataExt, OpenOptionsExt};
use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex, Once, PoisonError};

use anyhow::{Context, Result, anyhow, ensure};
use nix::fcntl::OFlag;

use super::saved_games::{
    MAX_LISTED, MAX_TEXT, Place, SavedGame, SavedGames, Told, is_name, read_saved,
};
use crate::files;
use crate::printing::note_line;
use crate::reading;
use crate::runner::lock::{LockError, lock};
use crate::runner::tournament::record::Record;

/// The folder of saved games, and the thread that writes there: a slow disk delays nobody.
pub(super) struct Folder {
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

/// The file of the host's token, beside the folder.
const HOST: &str = "host-key";

impl Folder {
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
        Ok(Folder { folder, jobs })
    }

    /// The token of the host: the one that was kept, so that pages and bookmarks of the run before
    /// hold, or a new one, which is kept from now on.
    pub(super) fn host_token(&self, anew: bool) -> Result<String> {
        let path = self.folder.as_deref().and_then(Path::parent).map(|data| data.join(HOST));
        if let Some(path) = path.as_ref().filter(|_| !anew)
            && let Ok(bytes) = reading::regular(path).and_then(|file| reading::bytes(file, 100))
            && let Ok(token) = String::from_utf8(bytes)
            && super::is_token(&token)
        {
            return Ok(token);
        }
        let token = super::token()?;
        if let Some(path) = path
            && let Err(error) = files::write_private(&path, &token)
        {
            note_line!("parlor: the address holds for this run alone: {}: {error}", path.display());
        }
        Ok(token)
    }

    /// The folder, for a name that a saved game may have.
    fn folder(&self, name: &str) -> Result<&Path> {
        let folder = self.folder.as_deref().filter(|_| is_name(name));
        folder.context("there is no such saved game")
    }

    /// The place of a game; one that was not saved before comes without a claim.
    fn file(&self, folder: &Path, name: &str, claim: Option<Claim>) -> Arc<dyn Place> {
        let (folder, name) = (folder.to_owned(), name.to_owned());
        let file = GameFile { folder, name, claim: Mutex::new(claim) };
        Arc::new(Writing { file: Arc::new(file), jobs: self.jobs.clone() })
    }
}

impl SavedGames for Folder {
    fn closed(&self) -> Vec<(String, Record, SavedGame)> {
        let entries = self.folder.as_ref().and_then(|folder| folder.read_dir().ok());
        let paths = entries.into_iter().flatten().flatten().map(|entry| entry.path());
        let games = paths.filter(|path| path.extension().is_some_and(|end| end == "jsonl"));
        let read = games.take(MAX_LISTED).filter_map(|path| {
            let name = path.file_stem()?.to_str()?.to_owned();
            if is_open(self.folder(&name).ok()?, &name) {
                return None;
            }
            let (record, saved) = read_saved(&read_file(&path).ok()?).ok()?;
            Some((name, record, saved))
        });
        read.collect()
    }

    fn take(&self, name: &str) -> Result<(Arc<dyn Place>, Record, SavedGame)> {
        let folder = self.folder(name)?;
        let path = game_path(folder, name);
        ensure!(path.exists(), "there is no such saved game");
        let claim = Claim::take(folder, name)?;
        let (record, saved) = read_saved(&read_file(&path)?)?;
        Ok((self.file(folder, name, Some(claim)), record, saved))
    }

    fn discard(&self, name: &str) -> Result<()> {
        let folder = self.folder(name)?;
        let _claim = Claim::take(folder, name)?;
        files::remove(&game_path(folder, name)).context("it cannot be removed")
    }

    fn place(&self, name: &str) -> Option<Arc<dyn Place>> {
        Some(self.file(self.folder(name).ok()?, name, None))
    }

    fn wait(&self) {
        let (pass, passed) = channel();
        if self.jobs.send(Job::Pass(pass)).is_ok() {
            let _ = passed.recv();
        }
    }
}

/// The file of an open game, and the thread that writes it.
struct Writing {
    file: Arc<GameFile>,
    jobs: Sender<Job>,
}

impl Place for Writing {
    fn save(&self, text: Option<String>, told: Told) {
        // The thread lives as long as somebody can send.
        let _ = self.jobs.send(Job::Save { file: Arc::clone(&self.file), text, told });
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
struct GameFile {
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
                ensure!(text.len() as u64 <= MAX_TEXT, "it takes more than {} MiB", MAX_TEXT >> 20);
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
struct Claim {
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
            match lock(&file) {
                Ok(()) => {}
                Err(error @ LockError::Held(_)) => {
                    return Err(anyhow!(error).context("this game is open already"));
                }
                // To keep a game that a second board may replace is better than not to keep it.
                Err(error @ LockError::NoLocks(_)) => warn_once(&error),
            }
            // Whoever had it may have removed it before this lock: then others lock a new file.
            let same =
                |other: std::fs::Metadata| (other.dev(), other.ino()) == (own.dev(), own.ino());
            if path.metadata().is_ok_and(same) {
                return Ok(Claim { path, _held: file });
            }
        }
    }
}

/// Says that a game is not kept from other boards.
fn warn_once(error: &LockError) {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        note_line!("warning: {error}, or see to it that one board at a time has a game");
    });
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
    Ok(String::from_utf8(reading::bytes(reading::regular(path)?, MAX_TEXT)?)?)
}

/// `parlor/games` in the folder for data of the user.
fn data_folder() -> Option<PathBuf> {
    let data = files::base_folder("XDG_DATA_HOME", ".local/share")?;
    Some(data.join("parlor/games"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::runner::lock::testing::without_locks;

    #[test]
    fn a_file_is_written_and_removed_and_a_failure_is_told() {
        let folder = tempfile::tempdir().unwrap();
        let games = Folder::in_folder(Some(folder.path().join("games"))).unwrap();
        let kept = games.place("g1").unwrap();
        let path = folder.path().join("games/g1.jsonl");
        let save = |text: Option<&str>| {
            let (tell, told) = channel();
            let told_so = Box::new(move |result| tell.send(result).unwrap());
            kept.save(text.map(str::to_owned), told_so);
            told.recv().unwrap()
        };
        assert_eq!(save(Some("as it is")), Ok(()));
        assert_eq!(std::fs::read_to_string(&path).unwrap(), "as it is");
        assert!(games.discard("g1").unwrap_err().to_string().contains("open"));
        assert_eq!(save(None), Ok(()));
        assert!(!path.exists());
        std::fs::create_dir(&path).unwrap();
        assert!(save(Some("again")).unwrap_err().starts_with("the game is not saved: "));
        assert!(save(Some(&"x".repeat(MAX_TEXT as usize + 1))).unwrap_err().contains("2 MiB"));
        drop(kept);
        games.wait();
        assert!(!lock_path(&folder.path().join("games"), "g1").exists());
    }

    #[test]
    fn a_game_is_kept_where_no_file_can_be_locked() {
        let folder = tempfile::tempdir().unwrap();
        let text = without_locks(|| {
            let file = GameFile {
                folder: folder.path().to_owned(),
                name: "g1".to_owned(),
                claim: Mutex::new(None),
            };
            file.keep(Some("as it is".to_owned())).unwrap();
            std::fs::read_to_string(game_path(folder.path(), "g1")).unwrap()
        });
        assert_eq!(text, "as it is");
        assert!(!is_open(folder.path(), "g1"));
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

    #[test]
    fn the_host_keeps_its_token_until_another_is_asked_for() {
        use std::os::unix::fs::PermissionsExt;
        let data = tempfile::tempdir().unwrap();
        let games = Folder::in_folder(Some(data.path().join("games"))).unwrap();
        let token = |anew| games.host_token(anew).unwrap();
        let first = token(false);
        assert!(super::super::is_token(&first));
        assert_eq!(token(false), first);
        let second = token(true);
        assert_ne!(second, first);
        assert_eq!(token(false), second);
        let path = data.path().join(HOST);
        assert_eq!(path.metadata().unwrap().permissions().mode() & 0o777, 0o600);
        // What is no token is replaced; without a folder every run has its own.
        std::fs::write(&path, "short").unwrap();
        assert!(super::super::is_token(&token(false)));
        let nowhere = Folder::in_folder(None).unwrap();
        assert_ne!(nowhere.host_token(false).unwrap(), nowhere.host_token(false).unwrap());
    }
}
