//! Saved games: what is kept of each unfinished one, checked when it is read; where it lies is
//! somebody else's business.

use std::collections::BTreeMap;
use std::sync::Arc;

use anyhow::{Context, Result, anyhow, ensure};
use serde::{Deserialize, Serialize};

use super::message::{Chair, SeatKind, Throws, check_chairs, check_rules};
use super::outgoing::SavedEntry;
use super::{import, message};
use crate::protocol::MAX_SEATS;
use crate::reading::{self, Most};
use crate::runner::tournament::record::{self, Record};

/// The largest text of a game in bytes.
pub(super) const MAX_TEXT: u64 = 2 << 20;

/// What the line of a game may hold.
const MOST: Most = Most { bytes: MAX_TEXT, values: 100_000, objects: 20_000, members: 100_000 };

/// The most saved games that are listed.
pub(super) const MAX_LISTED: usize = 1_000;

/// The longest title in bytes.
const MAX_TITLE: usize = 200;

/// Who is told how it went.
pub(super) type Told = Box<dyn FnOnce(Result<(), String>) + Send>;

/// A place of an open game among the saved ones; nobody else has it as long as it lives.
pub(super) trait Place: Send + Sync {
    /// Keeps the text of a game, or removes that of one that needs none, before long.
    fn save(&self, text: Option<String>, told: Told);
}

/// Where unfinished games are kept.
pub(super) trait SavedGames: Send + Sync {
    /// The saved games that are open nowhere, without damaged ones.
    fn closed(&self) -> Vec<(String, Record, SavedGame)>;

    /// Takes a saved game.
    ///
    /// # Errors
    /// When there is none, when it is open already, when it is damaged.
    fn take(&self, name: &str) -> Result<(Arc<dyn Place>, Record, SavedGame)>;

    /// Forgets a saved game.
    ///
    /// # Errors
    /// When it is open.
    fn discard(&self, name: &str) -> Result<()>;

    /// A place for a game that was not saved before; `None` where nothing is saved.
    fn place(&self, name: &str) -> Option<Arc<dyn Place>>;

    /// Waits until everything is done that was asked for.
    fn wait(&self) {}

    /// The saved games that are open nowhere, the newest first.
    fn list(&self) -> Vec<SavedEntry> {
        let entry = |(name, record, saved): (String, Record, SavedGame)| SavedEntry {
            saved: name,
            menu: saved.menu,
            title: saved.title,
            plies: record.moves.len(),
            when: saved.when,
            seats: record.seating,
        };
        let mut list: Vec<SavedEntry> = self.closed().into_iter().map(entry).collect();
        list.sort_by_key(|game| std::cmp::Reverse(game.when));
        list
    }

    /// The tokens of links to the saved games that are open nowhere, each with its game's name.
    fn links(&self) -> BTreeMap<String, String> {
        let links = self.closed().into_iter().flat_map(|(name, _, saved)| {
            let links = saved.chairs.into_iter().filter(|chair| chair.kind == SeatKind::Link);
            let tokens = links.map(|chair| chair.token).chain([saved.watch]);
            let tokens = tokens.filter(|token| super::is_token(token));
            tokens.map(move |token| (token, name.clone())).collect::<Vec<_>>()
        });
        links.collect()
    }
}

/// Whether a saved game may have such a name.
pub(super) fn is_name(name: &str) -> bool {
    let fit = |c: char| c.is_ascii_alphanumeric() || c == '-';
    !name.is_empty() && name.len() <= 100 && name.chars().all(fit)
}

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
    /// When it had its last move, in milliseconds since 1970.
    pub(super) when: u64,
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
    let record: Record = reading::json(line.as_bytes(), &MOST)?;
    let Beside { board } = reading::json(line.as_bytes(), &MOST)?;
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
