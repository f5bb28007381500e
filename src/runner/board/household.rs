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
    /// Starts a session with the referee of a game, which has the option `Level` of its engine and
    /// plays no moves; `None` if it is not there.
    fn session(&self, game: &str) -> Option<Session>;

    /// Starts a worker for the engine of a game, which is told lines under a number and says lines.
    fn start(&self, engine: u64, game: &str);

    /// Tells an engine lines.
    fn tell(&self, engine: u64, lines: &str);

    /// Ends an engine.
    fn end(&self, engine: u64);

    /// Sends a message to a page.
    fn send(&self, page: u64, message: &str);

    /// Keeps the text of an unfinished game, or removes it; [`Household::kept`] says how it went.
    fn keep(&self, name: &str, text: Option<&str>);

    /// A game is not open any more: others may have it.
    fn release(&self, name: &str);
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

    /// Acts on a message of a page; the first one is its hello.
    pub fn receive(&mut self, page: u64, text: &str) {
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
        self.server.pump();
    }

    fn greet(&mut self, page: u64, text: &str) {
        let hello = message::read(text).map(|message| message.request);
        let Ok(Request::Server(ServerRequest::Hello { v: 1, .. })) = hello else { return };
        let way = Arc::clone(&self.page);
        let out = Outbox::new(move |message| way.send(page, &message));
        let mut caller = Caller::new(page, Arc::clone(&self.server), out);
        caller.welcome(Role::Host);
        self.callers.insert(page, caller);
    }

    /// A page is gone, or begins anew.
    pub fn leave(&mut self, page: u64) {
        if let Some(mut caller) = self.callers.remove(&page) {
            caller.detach();
        }
        self.server.pump();
    }

    /// An engine says a line.
    pub fn hear(&mut self, engine: u64, line: &str) {
        self.engines.hear(engine, line);
        self.server.pump();
    }

    /// Time has passed; how long it may be left alone now.
    pub fn tick(&mut self) -> Duration {
        let engines = self.engines.look_at_clock();
        let games = self.server.pump();
        games.into_iter().chain(engines).min().unwrap_or(IDLE).min(IDLE)
    }

    /// What lies there of unfinished games, and whether somebody else has each open; it replaces what
    /// was said before of all that are not open here.
    pub fn set_saved(&mut self, games: Vec<(String, String, bool)>) {
        self.saved.set(games);
    }

    /// What the short rules of a game are, in Markdown.
    pub fn set_rules(&mut self, game: &str, markdown: &str) {
        self.server.know_rules(game, markdown.to_owned());
    }

    /// Whether the text of a game could be kept; if not, why.
    pub fn kept(&mut self, name: &str, result: Result<(), String>) {
        self.saved.kept(name, result);
        self.server.pump();
    }
}

fn entry(game: &str, page: &Arc<dyn Page>) -> Entry {
    let (page, of) = (Arc::clone(page), game.to_owned());
    let inside = Inside::new(Arc::new(move || page.session(&of)));
    let engines = vec![Specification::inside(game, inside)];
    Entry { menu: game.to_owned(), engines, rules: Vec::new() }
}
