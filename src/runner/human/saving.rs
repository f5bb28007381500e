//! Games as records of a match of one game: `parlor replay`, `svg` and `export` read them too.

use std::path::Path;

use anyhow::{Context, Result};
use serde_json::{Value, json};

use super::game::HumanGame;
use crate::runner::tournament::record::{
    self, Ending, FORMAT, Header, Move, Record, WholeFile, shares,
};

/// The name of people in records.
const PERSON: &str = "person";
/// Why a game has no result yet.
const UNFINISHED: &str = "unfinished";

/// Where a game begins.
pub(super) struct Loaded {
    /// `startpos` or `fen ...`.
    pub(super) start: String,
    pub(super) moves: Vec<Move>,
    /// The engine and the rule options, where a file tells them.
    pub(super) engine: Option<String>,
    pub(super) rules: Vec<String>,
}

impl Loaded {
    /// From a position line.
    pub(super) fn position(text: &str) -> Self {
        let text = text.strip_prefix("position ").unwrap_or(text);
        let (start, tokens) = text.split_once(" moves ").unwrap_or((text, ""));
        let played = |token: &str| Move { token: token.to_owned(), ..Move::default() };
        Loaded {
            start: start.to_owned(),
            moves: tokens.split_whitespace().map(played).collect(),
            engine: None,
            rules: Vec::new(),
        }
    }

    /// From a file of records.
    ///
    /// # Errors
    /// When there is no such game in the file.
    pub(super) fn read(path: &Path, game: u64) -> Result<Self> {
        let (header, record) = record::find(path, game).context("--load")?;
        let texts = |name: &str| -> Vec<String> {
            let list = header.config.get(name).and_then(Value::as_array);
            let texts = list.into_iter().flatten().filter_map(Value::as_str);
            texts.map(str::to_owned).collect()
        };
        Ok(Loaded {
            start: record.start,
            moves: record.moves,
            engine: texts("engines").into_iter().next(),
            rules: texts("rules"),
        })
    }
}

impl HumanGame {
    /// Writes the game into a new file, or over an old one; returns what to say.
    ///
    /// # Errors
    /// When it cannot be written.
    pub(super) fn save(&mut self, path: &Path) -> Result<String> {
        let engine = &self.engine_text;
        let header = Header {
            parlor: FORMAT,
            game: 0,
            seats: self.display.names.len(),
            engines: vec![engine.clone(), PERSON.to_owned()],
            identities: vec![
                format!("{} by {}", self.referee.name(), self.referee.author()),
                PERSON.to_owned(),
            ],
            rules: self.referee.query("rules")?.unwrap_or_default(),
            variant: self.referee.name().to_owned(),
            key: None,
            seed: None,
            openings: None,
            bundles: vec![1],
            config: json!({ "engines": [engine, engine], "rules": self.rules }),
            run: json!({ "games": 1 }),
        };
        let record = self.record()?;
        let mut file = WholeFile::create(path, &header)?;
        file.game(&record)?;
        file.commit()?;
        let path = path.display();
        let secrets = if self.secrets { " It holds the secrets of all seats." } else { "" };
        Ok(format!("Saved; parlor play --load {path} goes on with it.{secrets}"))
    }

    fn record(&mut self) -> Result<Record> {
        let seats = self.display.names.len();
        let (places, reason, ending) = match self.ended.clone() {
            Some(ended) => (ended.places, ended.reason, ended.ending),
            None => (vec![1; seats], UNFINISHED.to_owned(), Ending::Adjudication),
        };
        let result = match places.as_slice() {
            [1, 2] => "p1win",
            [2, 1] => "p2win",
            _ => "draw",
        };
        let result = match ending {
            Ending::Rules => self.query("result")?,
            _ => result.to_owned(),
        };
        let player = |seat| match self.people.contains(&seat) {
            true => PERSON.to_owned(),
            false => self.engine_text.clone(),
        };
        Ok(Record {
            game: 1,
            round: 1,
            pairing: 1,
            seating: (0..seats).map(player).collect(),
            seed: None,
            start: self.start.clone(),
            moves: self.moves.clone(),
            result,
            shares: shares(&places),
            places,
            points: None,
            reason,
            ending,
            luck: None,
            faults: Vec::new(),
            strays: Vec::new(),
            ms: None,
        })
    }
}
