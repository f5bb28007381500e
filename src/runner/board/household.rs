//! The board of one household, in a page: the same server and the same games, without sockets,
//! threads and processes. Whoever has the page says what it sends, what its engines say, and when
//! time has passed; nothing here ever waits.
//!
//! Referees are sessions in the same program; engines that search are workers, which are told lines
//! and say lines.

mod engines;
mod saved;

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use anyhow::Result;

use super::caller::{Caller, Received};
use super::catalogue::Entry;
use super::message::{self, Request, ServerRequest};
use super::outbox::Outbox;
use super::saved_games::SavedGames;
use super::server::{Role, Server, Settings};
pub use crate::runner::process::Session;
use crate::runner::process::{Inside, Specification};
use engines::Engines;
use saved::Saved;

/// Milliseconds a move of an engine, unless the page says otherwise.
const MOVE_TIME: u64 = 1000;

/// How long a household may be left alone.
const IDLE: Duration = Duration::from_secs(20);

/// What a household needs of whoever has the page.
pub trait Page: Send + Sync {
    /// Starts a session with the referee of a game, with the options `Player` and `Level` of its engine; it
    /// plays no moves. `None` if it is not there.
    fn session(&self, game: &str) -> Option<Session>;

    /// Tells it what to do, of whom, and a text:
    ///
    /// | what | of whom | text |
    /// |---|---|---|
    /// | `start` | a number for an engine | the game it plays |
    /// | `tell` | an engine | lines |
    /// | `end` | an engine | |
    /// | `send` | a page | a message |
    /// | `keep` | an unfinished game | its text, empty to forget it; `kept` says how it went |
    /// | `release` | a game that is open no more | |
    fn tell(&self, what: &str, whom: &str, text: &str);
}

/// The board of a household.
pub struct Household {
    server: Arc<Server>,
    engines: Arc<Engines>,
    saved: Arc<Saved>,
    page: Arc<dyn Page>,
    callers: BTreeMap<u64, Caller>,
}

impl Household {
    /// A household with these games.
    ///
    /// # Errors
    /// When there are no random numbers.
    pub fn new(games: &[&str], page: Arc<dyn Page>) -> Result<Self> {
        let engines = Arc::new(Engines::new(Arc::clone(&page)));
        let saved = Arc::new(Saved::new(Arc::clone(&page)));
        let settings = Settings {
            menu: games.iter().map(|game| Arc::new(entry(game, &page))).collect(),
            tc: None,
            movetime: MOVE_TIME,
            rules: Vec::new(),
            start: false,
            replay: None,
            address: None,
            saved_games: Arc::clone(&saved) as Arc<dyn SavedGames>,
            recording: None,
            workshop: Arc::new(Arc::clone(&engines)),
            threads: false,
        };
        let server = Arc::new(Server::new(settings, super::token()?));
        Ok(Household { server, engines, saved, page, callers: BTreeMap::new() })
    }

    /// Acts on what happens, to whom, with a text; how long it may be left alone now, when nothing
    /// happens. Other words than these say that time has passed.
    ///
    /// | what | to whom | text |
    /// |---|---|---|
    /// | `receive` | a page, by a number | its message; the first one is its hello |
    /// | `leave` | a page that is gone, or begins anew | |
    /// | `hear` | an engine | a line that it says |
    /// | `forget` | | what was said of games that are not open here |
    /// | `saved` `elsewhere` | an unfinished game, which others may have open | its text |
    /// | `kept` | a game whose text is kept now | why it is not, if it is not |
    pub fn act(&mut self, what: &str, whom: &str, text: &str) -> Duration {
        let page = || whom.parse().unwrap_or_default();
        match what {
            "receive" => self.receive(page(), text),
            "leave" => self.leave(page()),
            "hear" => self.engines.hear(whom, text),
            "forget" => self.saved.forget(),
            "saved" | "elsewhere" => self.saved.add(whom, text, what == "elsewhere"),
            "kept" => self.saved.kept(whom, text),
            _ => {}
        }
        let games = self.server.pump();
        let engines = self.engines.look_at_clock();
        games.into_iter().chain(engines).min().unwrap_or(IDLE).min(IDLE)
    }

    fn receive(&mut self, page: u64, text: &str) {
        match self.callers.get_mut(&page) {
            Some(caller) => match caller.receive(text) {
                Received::Done => {}
                Received::Start(id, start) => {
                    caller.detach();
                    caller.started(id, self.server.start(start));
                }
                Received::TooLarge => self.leave(page),
            },
            None => self.greet(page, text),
        }
    }

    fn greet(&mut self, page: u64, text: &str) {
        let hello = message::read(text).map(|message| message.request);
        let Ok(Request::Server(ServerRequest::Hello { v: 1, .. })) = hello else { return };
        let way = Arc::clone(&self.page);
        let out = Outbox::new(move |message| way.tell("send", &page.to_string(), &message));
        let mut caller = Caller::new(page, Arc::clone(&self.server), out);
        caller.welcome(Role::Host);
        self.callers.insert(page, caller);
    }

    fn leave(&mut self, page: u64) {
        if let Some(mut caller) = self.callers.remove(&page) {
            caller.detach();
        }
    }
}

fn entry(game: &str, page: &Arc<dyn Page>) -> Entry {
    let (page, of) = (Arc::clone(page), game.to_owned());
    let inside = Inside::new(Arc::new(move || page.session(&of)));
    let engines = vec![Specification::inside(game, inside)];
    Entry { menu: game.to_owned(), engines, rules: Vec::new() }
}
