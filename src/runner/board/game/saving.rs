//! What is kept of a game: its file while it is being played, its record when it has ended.

use std::sync::Arc;
use std::sync::mpsc::Sender;

use anyhow::Result;
use serde_json::json;

use super::connections::Connection;
use super::{Chair, Ended, Event, Game, Origin, Place, Problem, SavedGames, View};
use crate::protocol::{Outcome, seat_name};
use crate::runner::board::saved_games::SavedGame;
use crate::runner::tournament::record::{
    Ending, FORMAT, Header, Move, Origin as RecordOrigin, Record, line_of,
};

/// Where the game lies that is played.
pub(super) struct Persistence {
    saved_games: Arc<dyn SavedGames>,
    /// Its name there.
    name: String,
    /// `None` where nothing is saved.
    place: Option<Arc<dyn Place>>,
    /// Where it is told how it went.
    events: Sender<Event>,
    error: Option<String>,
}

impl Persistence {
    /// `place`: that of a game that was saved before.
    pub(super) fn new(
        saved_games: Arc<dyn SavedGames>,
        name: String,
        place: Option<Arc<dyn Place>>,
        events: Sender<Event>,
    ) -> Self {
        let place = place.or_else(|| saved_games.place(&name));
        Persistence { saved_games, name, place, events, error: None }
    }

    /// Writes the text of the game to its file, or removes the file of a game that needs none.
    fn save(&mut self, text: Option<String>) {
        let Some(place) = &self.place else { return };
        let events = self.events.clone();
        // The game may be gone.
        let told = Box::new(move |result| drop(events.send(Event::Saved(result))));
        place.save(text, told);
    }

    /// Waits until everything is written; then others may have the game.
    pub(super) fn finish(self) {
        drop(self.place);
        self.saved_games.wait();
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
        self.place = self.saved_games.place(&self.name);
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
            watch: self.setup.watch.clone(),
            chairs: self.seating.chairs().iter().map(Chair::with_link_alone).collect(),
            seating: self.seating.order().to_vec(),
            when: self.when,
        };
        let mut value = serde_json::to_value(self.record_value())?;
        if let Some(members) = value.as_object_mut() {
            members.insert("unfinished".into(), json!(true));
            members.insert("board".into(), serde_json::to_value(saved)?);
        }
        Ok(line_of(&self.header())? + &line_of(&value)?)
    }

    fn header(&self) -> Header {
        let engines = self.seat_labels();
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

    /// Who plays, by seat: `p1` and the like for people without a name.
    pub(super) fn seat_labels(&self) -> Vec<String> {
        let label = |seat| match self.player_name(seat) {
            name if name.is_empty() => seat_name(seat),
            name => name,
        };
        (0..self.seats()).map(label).collect()
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
            seating: self.seat_labels(),
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
        let Some(recording) = &self.outside.recording else { return };
        if let Err(error) = recording(&self.header(), self.record_value()) {
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
    use crate::runner::tournament::record::Record;

    /// Keeps nothing.
    struct Nowhere;

    impl SavedGames for Nowhere {
        fn closed(&self) -> Vec<(String, Record, SavedGame)> {
            Vec::new()
        }
        fn take(&self, _: &str) -> Result<(Arc<dyn Place>, Record, SavedGame)> {
            anyhow::bail!("nothing is kept")
        }
        fn discard(&self, _: &str) -> Result<()> {
            anyhow::bail!("nothing is kept")
        }
        fn place(&self, _: &str) -> Option<Arc<dyn Place>> {
            None
        }
    }

    #[test]
    fn a_failure_is_news_once() {
        let (events, _told) = std::sync::mpsc::channel();
        let mut kept = Persistence::new(Arc::new(Nowhere), "g1".into(), None, events);
        let fail = || Err("full".to_owned());
        assert!(!kept.note(Ok(())) && kept.note(fail()) && !kept.note(fail()));
        assert_eq!(kept.error(), Some("full"));
        kept.next_round(2);
        assert_eq!(kept.name, "g1-2");
    }
}
