//! Games on the disk: the file of a game that is being played, and the records of finished ones.

use std::path::{Path, PathBuf};
use std::sync::mpsc::{Sender, channel};
use std::sync::{Arc, Mutex, PoisonError};

use anyhow::{Context, Result, bail};
use serde::{Deserialize, Serialize};
use serde_json::json;

use super::connections::Connection;
use super::{Chair, Ended, Event, Game, Origin, Problem, View};
use crate::files;
use crate::printing::note_line;
use crate::protocol::Outcome;
use crate::runner::board::message::Throws;
use crate::runner::board::outgoing::SavedEntry;
use crate::runner::tournament::record::{
    Ending, Header, Move, Origin as RecordOrigin, Record, line_of,
};

/// The version of the record format.
const FORMAT: u32 = 1;

/// The largest file of a game that is read.
const MAX_FILE: u64 = 16 << 20;

/// Where games lie.
pub(in crate::runner::board) struct SavedGames {
    folder: Option<PathBuf>,
    records: Option<Mutex<Records>>,
    /// Files to write, in order: so that a slow disk delays nobody.
    jobs: Sender<SaveJob>,
}

/// The file of `--record`.
struct Records {
    path: PathBuf,
    games: u64,
}

/// A file to write or to remove.
struct SaveJob {
    path: PathBuf,
    text: Option<String>,
    events: Sender<Event>,
}

/// What a file of an unfinished game holds beside its record.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(in crate::runner::board) struct SavedGame {
    /// The menu's entry.
    pub(in crate::runner::board) menu: String,
    pub(in crate::runner::board) title: String,
    /// Rule options that the page chose.
    #[serde(default)]
    pub(in crate::runner::board) rules: std::collections::BTreeMap<String, String>,
    pub(in crate::runner::board) throws: Throws,
    #[serde(default)]
    pub(in crate::runner::board) tc: Option<String>,
    /// Milliseconds left.
    #[serde(default)]
    pub(in crate::runner::board) clocks: Vec<u64>,
    pub(in crate::runner::board) chairs: Vec<Chair>,
    pub(in crate::runner::board) seating: Vec<usize>,
    /// The match key: only the owner may read the file. A game without one goes on with a new key.
    #[serde(default)]
    pub(in crate::runner::board) key: String,
    /// When it was written, in milliseconds since 1970.
    pub(in crate::runner::board) when: u64,
}

impl SavedGames {
    /// Finds the folder of saved games.
    pub(in crate::runner::board) fn open(record: Option<PathBuf>) -> Result<Self> {
        Self::in_folder(data_folder(), record)
    }

    /// Games in this folder, which is made if it is not there. Without a folder nothing is saved.
    fn in_folder(folder: Option<PathBuf>, record: Option<PathBuf>) -> Result<Self> {
        let folder = folder.and_then(|folder| {
            use std::os::unix::fs::DirBuilderExt;
            let mut builder = std::fs::DirBuilder::new();
            let made = builder.recursive(true).mode(0o700).create(&folder);
            if let Err(error) = &made {
                note_line!("parlor: games are not saved: {}: {error}", folder.display());
            }
            made.is_ok().then_some(folder)
        });
        let records = record.map(|path| -> Result<Mutex<Records>> {
            Ok(Mutex::new(Records { games: count_games(&path)?, path }))
        });
        let (jobs, queue) = channel::<SaveJob>();
        std::thread::Builder::new().name("saving".into()).spawn(move || {
            while let Ok(mut job) = queue.recv() {
                let mut others = Vec::new();
                // Only the newest text of a file is worth writing.
                while let Ok(next) = queue.try_recv() {
                    if next.path == job.path {
                        job = next;
                    } else {
                        others.push(next);
                    }
                }
                for job in std::iter::once(job).chain(others) {
                    carry_out(job);
                }
            }
        })?;
        Ok(SavedGames { folder, records: records.transpose()?, jobs })
    }

    /// The file of a saved game; `None` for a name that no saved game has.
    fn path(&self, name: &str) -> Option<PathBuf> {
        let fit = |c: char| c.is_ascii_alphanumeric() || c == '-';
        let plain = !name.is_empty() && name.len() <= 100 && name.chars().all(fit);
        self.folder.as_ref().filter(|_| plain).map(|folder| folder.join(format!("{name}.jsonl")))
    }

    /// The saved games, the newest first, but for those that are open.
    pub(in crate::runner::board) fn list(&self, open: &[String]) -> Vec<SavedEntry> {
        let Some(folder) = &self.folder else { return Vec::new() };
        let Ok(entries) = std::fs::read_dir(folder) else { return Vec::new() };
        let mut list = Vec::new();
        for entry in entries.flatten().take(1_000) {
            let path = entry.path();
            let Some(name) = path.file_stem().and_then(|name| name.to_str()) else { continue };
            if open.iter().any(|other| other == name) {
                continue;
            }
            // A damaged file is left alone.
            let Ok((record, saved)) = self.read(name) else { continue };
            list.push(SavedEntry {
                saved: name.to_owned(),
                menu: saved.menu,
                title: saved.title,
                plies: record.moves.len(),
                when: saved.when,
                seats: record.seating,
            });
        }
        list.sort_by_key(|game| std::cmp::Reverse(game.when));
        list
    }

    /// Reads a saved game.
    pub(in crate::runner::board) fn read(&self, name: &str) -> Result<(Record, SavedGame)> {
        let Some(path) = self.path(name) else { bail!("there is no such saved game") };
        let size = std::fs::metadata(&path).context("there is no such saved game")?.len();
        anyhow::ensure!(size <= MAX_FILE, "the file is too large");
        read_saved(&std::fs::read_to_string(&path)?)
    }

    /// Forgets a saved game.
    pub(in crate::runner::board) fn discard(&self, name: &str) -> Result<()> {
        let Some(path) = self.path(name) else { bail!("there is no such saved game") };
        files::remove(&path).context("it cannot be removed")
    }

    /// Appends a finished game to the file of `--record`.
    fn record(&self, header: &Header, mut record: Record) -> Result<()> {
        use std::io::Write;
        let Some(records) = &self.records else { return Ok(()) };
        let mut records = records.lock().unwrap_or_else(PoisonError::into_inner);
        let path = records.path.clone();
        let context = || format!("--record {}", path.display());
        let mut file =
            std::fs::File::options().create(true).append(true).open(&path).with_context(context)?;
        let mut text = String::new();
        if file.metadata().with_context(context)?.len() == 0 {
            text += &line_of(header)?;
        }
        records.games += 1;
        record.game = records.games;
        record.round = records.games;
        text += &line_of(&record)?;
        file.write_all(text.as_bytes()).with_context(context)
    }
}

/// Reads the file of an unfinished game.
///
/// # Errors
/// A file that is not whole or was changed.
pub(in crate::runner::board) fn read_saved(text: &str) -> Result<(Record, SavedGame)> {
    #[derive(Deserialize)]
    struct Beside {
        board: SavedGame,
    }
    let line = text.lines().nth(1).context("the file is not whole")?;
    crate::runner::tournament::record::verify_line(line)?;
    let record: Record = serde_json::from_str(line)?;
    let beside: Beside = serde_json::from_str(line)?;
    Ok((record, beside.board))
}

fn carry_out(job: SaveJob) {
    let result = match job.text {
        Some(text) => files::write_private(&job.path, text),
        None => files::remove(&job.path),
    };
    let result = result.map_err(|error| format!("the game is not saved: {error}"));
    // The game may be gone.
    let _ = job.events.send(Event::Saved(result));
}

/// The games in a record file.
fn count_games(path: &Path) -> Result<u64> {
    if !path.exists() {
        files::ensure_writable(path).with_context(|| format!("--record {}", path.display()))?;
        return Ok(0);
    }
    let mut last = 0;
    crate::runner::tournament::record::read(path, |record| {
        last = last.max(record.game);
        Ok(())
    })?;
    Ok(last)
}

/// `parlor/games` in the folder for data of the user.
fn data_folder() -> Option<PathBuf> {
    let absolute =
        |name: &str| std::env::var_os(name).map(PathBuf::from).filter(|path| path.is_absolute());
    let data = absolute("XDG_DATA_HOME")
        .or_else(|| absolute("HOME").map(|home| home.join(".local/share")))?;
    Some(data.join("parlor/games"))
}

/// Milliseconds since 1970.
pub(in crate::runner::board) fn now() -> u64 {
    let since = std::time::UNIX_EPOCH.elapsed().unwrap_or_default();
    u64::try_from(since.as_millis()).unwrap_or(u64::MAX)
}

/// Where one game is kept: its file while it is being played, the record when it has ended.
pub(super) struct Persistence {
    saved_games: Arc<SavedGames>,
    /// The name of its file.
    name: String,
    /// Where the saving thread tells how it went.
    events: Sender<Event>,
    error: Option<String>,
}

impl Persistence {
    pub(super) fn new(saved_games: Arc<SavedGames>, name: String, events: Sender<Event>) -> Self {
        Persistence { saved_games, name, events, error: None }
    }

    /// Writes the text of the game to its file, or removes the file of a game that needs none.
    fn save(&mut self, text: Option<String>) {
        let Some(path) = self.saved_games.path(&self.name) else { return };
        let job = SaveJob { path, text, events: self.events.clone() };
        // The saving thread lives as long as the server.
        let _ = self.saved_games.jobs.send(job);
    }

    /// What has become of the file; whether that is news.
    pub(super) fn note(&mut self, result: Result<(), String>) -> bool {
        let error = result.err();
        let news = error != self.error;
        self.error = error;
        news
    }

    /// Why the game is not saved.
    pub(super) fn error(&self) -> Option<&str> {
        self.error.as_deref()
    }

    /// The next round has a file of its own.
    pub(super) fn next_round(&mut self, round: u32) {
        self.name = format!("{}-{round}", self.name);
    }
}

impl Game {
    /// Writes the game to its file, as far as it has come; a finished one needs none.
    pub(super) fn save(&mut self) {
        let begun = self.tree.ply(self.tree.live()) > 0;
        if self.setup.analysis || self.ended.is_none() && !begun {
            return;
        }
        let text = self.ended.is_none().then(|| self.unfinished_text());
        match text.transpose() {
            Ok(text) => self.persistence.save(text),
            Err(error) => {
                self.persistence.note(Err(format!("{error:#}")));
            }
        }
    }

    fn unfinished_text(&self) -> Result<String> {
        let saved = SavedGame {
            menu: self.setup.entry.menu.clone(),
            title: self.title.clone(),
            rules: self.setup.rules.clone(),
            throws: self.setup.throws,
            tc: self.setup.tc.clone(),
            clocks: self.clocks.milliseconds(),
            key: self.setup.key.to_hex(),
            chairs: self.seating.chairs().to_vec(),
            seating: self.seating.order().to_vec(),
            when: now(),
        };
        let mut value = serde_json::to_value(self.record_value())?;
        if let Some(members) = value.as_object_mut() {
            members.insert("unfinished".into(), json!(true));
            members.insert("board".into(), serde_json::to_value(saved)?);
        }
        Ok(line_of(&self.header())? + &line_of(&value)?)
    }

    fn header(&self) -> Header {
        let engines: Vec<String> = (0..self.seats()).map(|seat| self.seat_label(seat)).collect();
        Header {
            parlor: FORMAT,
            seats: self.seats(),
            identities: engines.clone(),
            engines,
            variant: self.setup.entry.menu.clone(),
            rules: self.rules.clone(),
            config: json!({"engines": [self.setup.entry.menu], "rules": self.rule_list()}),
            ..Header::default()
        }
    }

    /// The rule options, as the command line of a match names them.
    fn rule_list(&self) -> Vec<String> {
        let chosen = self.setup.rules.iter().map(|(name, value)| format!("{name}={value}"));
        self.setup.entry.rules.iter().cloned().chain(chosen).collect()
    }

    fn seat_label(&self, seat: usize) -> String {
        match self.player_name(seat) {
            name if name.is_empty() => crate::protocol::seat_name(seat),
            name => name,
        }
    }

    fn record_value(&self) -> Record {
        let moves = self.tree.path(self.tree.live()).into_iter().filter_map(|number| {
            let node = self.tree.get(number)?;
            let from = match node.origin {
                _ if node.is_thrown() => Some(RecordOrigin::Chance),
                Origin::Opening => Some(RecordOrigin::Opening),
                _ => None,
            };
            Some(Move {
                token: node.token.clone(),
                seat: node.by.map_or(0, |seat| seat + 1),
                from,
                ms: node.ms.map(|ms| ms as f64),
                ..Move::default()
            })
        });
        let Ended { outcome, ending } = self.ended.clone().unwrap_or_else(|| {
            let (result, reason) = ("none".into(), "unfinished".into());
            let outcome = Outcome { result, places: Vec::new(), reason, points: None };
            Ended { outcome, ending: Ending::Rules }
        });
        Record {
            game: 1,
            round: 1,
            pairing: 1,
            seating: (0..self.seats()).map(|seat| self.seat_label(seat)).collect(),
            start: self.tree.start().to_owned(),
            moves: moves.collect(),
            ..Record::of(outcome, ending)
        }
    }

    /// Appends the finished game to the file of `--record`.
    pub(super) fn record(&mut self) {
        if self.setup.analysis {
            return;
        }
        if let Err(error) = self.persistence.saved_games.record(&self.header(), self.record_value())
        {
            self.tell_all(&Problem::new("engine", format!("{error:#}")));
        }
    }

    /// The game as a record file.
    pub(super) fn record_text(&self) -> Result<String, Problem> {
        Ok(line_of(&self.header())? + &line_of(&self.record_value())?)
    }

    /// Whether a connection may have the record: everything is in it.
    pub(super) fn may_have_record(&self, connection: &Connection) -> bool {
        let over = self.ended.is_some() && connection.is_host();
        over || self.seating.view_of(connection) == Some(View::All)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_written_and_removed_and_a_failure_is_told_once() {
        let folder = tempfile::tempdir().unwrap();
        let games = SavedGames::in_folder(Some(folder.path().join("games")), None).unwrap();
        let (events, told) = channel();
        let mut kept = Persistence::new(Arc::new(games), "g1".into(), events);
        let file = folder.path().join("games/g1.jsonl");
        let mut save = |text: Option<&str>| {
            kept.save(text.map(str::to_owned));
            let Event::Saved(result) = told.recv().unwrap() else { panic!() };
            kept.note(result)
        };
        assert!(!save(Some("as it is")));
        assert_eq!(std::fs::read_to_string(&file).unwrap(), "as it is");
        assert!(!save(None));
        assert!(!file.exists());
        std::fs::create_dir(&file).unwrap();
        assert!(save(Some("again")) && !save(Some("and again")));
        assert!(kept.error().unwrap().starts_with("the game is not saved: "));
        kept.next_round(2);
        assert_eq!(kept.name, "g1-2");
    }
}
