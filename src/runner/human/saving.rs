//! Games as records of a match of one game: `parlor replay`, `svg` and `export` read them too.

use std::path::Path;

use anyhow::Result;
use serde_json::json;

use super::game::HumanGame;
use crate::protocol::Outcome;
use crate::runner::tournament::record::{Ending, FORMAT, Header, Record, WholeFile};

/// The name of people in records.
const PERSON: &str = "person";
/// Why a game has no result yet.
const UNFINISHED: &str = "unfinished";

impl HumanGame {
    /// Writes the game into a new file, or over an old one; returns what to say.
    ///
    /// # Errors
    /// When it cannot be written.
    pub(super) fn save(&mut self, path: &Path) -> Result<String> {
        let engine = &self.program.text;
        let referee = &mut self.course.referee;
        let rules = referee.query("rules")?.unwrap_or_default();
        let header = Header {
            parlor: FORMAT,
            seats: self.display.names.len(),
            engines: vec![engine.clone(), PERSON.to_owned()],
            identities: vec![
                format!("{} by {}", referee.name(), referee.author()),
                PERSON.to_owned(),
            ],
            rules,
            variant: referee.name().to_owned(),
            bundles: vec![1],
            config: json!({ "engines": [engine, engine], "rules": self.program.rules }),
            run: json!({ "games": 1 }),
            ..Header::default()
        };
        let record = self.record();
        let mut file = WholeFile::create(path, &header)?;
        file.game(&record)?;
        file.commit()?;
        let path = path.display();
        let secrets = if self.secrets { " It holds the secrets of all seats." } else { "" };
        let program = &self.program;
        let named = match program.text == program.engine.name && program.has_rules_page {
            true => String::new(),
            // A file starts no program.
            false => format!("'{}' ", program.text),
        };
        Ok(format!("Saved; parlor play {named}--load {path} goes on with it.{secrets}"))
    }

    fn record(&self) -> Record {
        let seats = self.display.names.len();
        let (outcome, ending) = match self.ended.clone() {
            Some(ended) => (ended.outcome, ended.ending),
            None => (Outcome::of_places(vec![1; seats], UNFINISHED), Ending::Adjudication),
        };
        let player = |seat| match self.people.contains(&seat) {
            true => PERSON.to_owned(),
            false => self.program.text.clone(),
        };
        Record {
            game: 1,
            round: 1,
            pairing: 1,
            seating: (0..seats).map(player).collect(),
            start: self.course.start.clone(),
            moves: self.course.moves.clone(),
            points: None,
            ..Record::of(outcome, ending)
        }
    }
}
