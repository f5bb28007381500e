//! What all connections share: the menu, the open games, the tokens.

use std::collections::BTreeMap;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use anyhow::{Context, Result, bail, ensure};

use super::catalogue::Entry;
use super::game::{Event, Game, Outside, Recorder, Setup};
use super::import;
use super::links::{Guest, Link, Links, equal};
use super::message::{Chair, NewGame, SeatKind, Throws};
use super::outgoing::{
    Defaults, Games, HostWelcome, LessonsMessage, OpenGame, Outgoing, Phase, Problem,
    PuzzlesMessage, RoleName, Rules, Welcome,
};
use super::replay::Replay;
use super::saved_games::SavedGames;
use super::worker::Workshop;
use crate::platform;
use crate::runner::key::MatchKey;
use crate::runner::tournament::record::Move;

/// The most games that are open at once.
const MAX_GAMES: usize = 40;

/// How long the end of a game is waited for.
const ENDING: Duration = Duration::from_secs(5);

/// What a page starts.
pub(super) enum Start {
    /// A new game.
    New(Box<NewGame>),
    /// A saved game, by its name.
    Continue(String),
    /// A recorded game, by its place in the file.
    Load(usize),
    /// A game from text.
    Import { menu: String, text: String },
}

/// What a server is started with.
pub(super) struct Settings {
    pub(super) menu: Vec<Arc<Entry>>,
    /// The time control of the command line.
    pub(super) tc: Option<String>,
    /// Milliseconds a move of an engine.
    pub(super) movetime: u64,
    /// The rule options of the command line.
    pub(super) rules: Vec<String>,
    /// Whether the command line names the game.
    pub(super) start: bool,
    pub(super) replay: Option<Replay>,
    /// Before the token in an address; `None` where nobody can come by a link.
    pub(super) address: Option<String>,
    pub(super) saved_games: Arc<dyn SavedGames>,
    pub(super) recording: Option<Arc<Recorder>>,
    /// What starts engines.
    pub(super) workshop: Arc<dyn Workshop>,
    /// Whether games and what takes long have threads; else they run when [`Server::pump`] is called.
    pub(super) threads: bool,
}

/// What is the same for the whole run.
pub(super) struct Server {
    pub(super) settings: Settings,
    pub(super) host_token: String,
    links: Arc<Links>,
    /// The games without threads.
    running: Mutex<Vec<Running>>,
    /// The tokens of links to saved games that are not open, each with the name of its game; read
    /// when a token is unknown.
    sleeping: Mutex<Option<BTreeMap<String, String>>>,
    open: Mutex<Open>,
    /// A game was closed.
    closed: Condvar,
}

/// The games that there are now.
#[derive(Default)]
struct Open {
    games: BTreeMap<String, Handle>,
    next: u64,
    /// What was asked about games before: it costs a process.
    abouts: BTreeMap<String, Outgoing>,
}

impl Open {
    /// Ends the game that changed least lately among those that are over, else among those that
    /// are saved and can go on later.
    fn close_one(&mut self) -> Result<()> {
        let idle = self.games.values().filter(|handle| handle.summary().idle);
        let oldest = idle.min_by_key(|handle| {
            let game = handle.summary();
            (game.phase == Phase::Play, game.when)
        });
        let Some(oldest) = oldest.cloned() else {
            bail!("{MAX_GAMES} games are open, and all are played or looked at; close one first");
        };
        self.games.remove(&oldest.id);
        // It may have ended by itself.
        let _ = oldest.events.send(Event::Close);
        Ok(())
    }
}

/// A game without a thread.
struct Running {
    id: String,
    game: Game,
    events: Receiver<Event>,
}

/// A running game.
#[derive(Clone)]
pub(super) struct Handle {
    pub(super) id: String,
    pub(super) events: Sender<Event>,
    summary: Arc<Mutex<OpenGame>>,
}

impl Handle {
    fn summary(&self) -> OpenGame {
        self.summary.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}

/// What a token allows.
#[derive(Clone)]
pub(super) enum Role {
    /// Everything.
    Host,
    /// What a guest of one game may do.
    Guest(Handle, Guest),
}

impl Server {
    /// A server without games.
    pub(super) fn new(settings: Settings, host_token: String) -> Self {
        Server {
            settings,
            host_token,
            links: Arc::default(),
            running: Mutex::default(),
            sleeping: Mutex::default(),
            open: Mutex::default(),
            closed: Condvar::new(),
        }
    }

    /// Does something that may wait for a disk or an engine; beside the caller, where there are
    /// threads.
    ///
    /// # Errors
    /// When the system starts none.
    pub(super) fn beside(&self, work: Box<dyn FnOnce() + Send>) -> std::io::Result<()> {
        if self.settings.threads {
            std::thread::Builder::new().name("request".into()).spawn(work).map(drop)
        } else {
            work();
            Ok(())
        }
    }

    fn running(&self) -> MutexGuard<'_, Vec<Running>> {
        self.running.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Lets the games without threads do what they can; how long they may wait after that.
    pub(super) fn pump(&self) -> Option<Duration> {
        let over: Vec<Running> =
            self.running().extract_if(.., |one| !one.game.pump(&one.events)).collect();
        for Running { id, game, .. } in over {
            game.end();
            self.note_closed(&id);
        }
        self.running().iter().map(|running| running.game.time_to_event()).min()
    }

    fn open(&self) -> MutexGuard<'_, Open> {
        self.open.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The name of the saved game to which a link leads.
    pub(super) fn sleeping(&self, token: &str) -> Option<String> {
        let mut sleeping = self.sleeping.lock().unwrap_or_else(PoisonError::into_inner);
        let sleeping = sleeping.get_or_insert_with(|| self.settings.saved_games.links());
        sleeping.iter().find(|(known, _)| equal(token, known)).map(|(_, name)| name.clone())
    }

    /// Opens a saved game; another link may have done so meanwhile.
    pub(super) fn wake(self: &Arc<Self>, name: &str) {
        if let Err(error) = self.continue_game(name) {
            log::warn!("the game of a link is not opened: {error:#}");
        }
    }

    /// What a token allows.
    pub(super) fn role(&self, token: &str) -> Option<Role> {
        if equal(token, &self.host_token) {
            return Some(Role::Host);
        }
        let Link { game, guest } = self.links.find(token)?;
        Some(Role::Guest(self.open().games.get(&game)?.clone(), guest))
    }

    /// The greeting of a host.
    pub(super) fn welcome(&self) -> Welcome {
        let pairs = self.settings.rules.iter().filter_map(|rule| rule.split_once('='));
        let rules = pairs.map(|(name, value)| (name.to_owned(), value.to_owned())).collect();
        let host = HostWelcome {
            menu: self.settings.menu.iter().map(|entry| entry.shown()).collect(),
            open: self.list_open(),
            saved: self.settings.saved_games.list(),
            records: self.settings.replay.as_ref().map(Replay::file),
            defaults: Defaults {
                rules,
                tc: self.settings.tc.clone(),
                movetime: self.settings.movetime,
                start: self.settings.start,
            },
            links: self.settings.address.is_some(),
        };
        Welcome { host: Some(host), ..Welcome::new(RoleName::Host, None) }
    }

    /// The open games, the newest first.
    fn list_open(&self) -> Vec<OpenGame> {
        let mut list: Vec<OpenGame> = self.open().games.values().map(Handle::summary).collect();
        list.sort_by_key(|game| std::cmp::Reverse(game.when));
        list
    }

    /// The games that are open and that were saved.
    pub(super) fn games(&self) -> Outgoing {
        Outgoing::Games(Games { open: self.list_open(), saved: self.settings.saved_games.list() })
    }

    /// Ends an open game, and waits until its engines have ended.
    pub(super) fn end(&self, id: &str) -> Result<()> {
        let open = self.open();
        let game = open.games.get(id).context("no such game")?;
        // It may have ended by itself.
        let _ = game.events.send(Event::Close);
        if !self.settings.threads {
            drop(open);
            self.pump();
            return Ok(());
        }
        let there = |open: &mut Open| open.games.contains_key(id);
        drop(self.closed.wait_timeout_while(open, ENDING, there));
        Ok(())
    }

    /// An open game.
    pub(super) fn game(&self, id: &str) -> Result<Handle, Problem> {
        let unknown = || Problem::new("unknown", "no such game");
        self.open().games.get(id).cloned().ok_or_else(unknown)
    }

    /// An entry of the menu.
    pub(super) fn entry(&self, menu: &str) -> Result<Arc<Entry>> {
        let found = self.settings.menu.iter().find(|entry| entry.menu == menu).cloned();
        found.with_context(|| format!("no game '{}' in the menu", menu.escape_debug()))
    }

    /// What there is to know of a game before it is started.
    pub(super) fn about(&self, menu: &str, rules: &BTreeMap<String, String>) -> Result<Outgoing> {
        let key = format!("{menu} {rules:?}");
        if let Some(known) = self.open().abouts.get(&key) {
            return Ok(known.clone());
        }
        let about = Outgoing::About(Box::new(self.entry(menu)?.about(rules)?));
        let mut open = self.open();
        if open.abouts.len() > 100 {
            open.abouts.clear();
        }
        open.abouts.insert(key, about.clone());
        Ok(about)
    }

    /// Starts what a page asks for.
    pub(super) fn start(self: &Arc<Self>, start: Start) -> Result<Handle> {
        match start {
            Start::New(new) => self.new_game(&new),
            Start::Continue(saved) => self.continue_game(&saved),
            Start::Load(record) => self.load(record),
            Start::Import { menu, text } => self.import(&menu, &text),
        }
    }

    /// Starts a game as a page describes it.
    fn new_game(self: &Arc<Self>, new: &NewGame) -> Result<Handle> {
        let entry = self.entry(&new.menu)?;
        entry.check_rules(&new.rules)?;
        let tc = new.tc.clone().unwrap_or_else(|| self.settings.tc.clone());
        let tc = tc.filter(|tc| is_clock(tc));
        if let Some(tc) = &tc {
            crate::runner::process::Limits::default().set("tc", tc)?;
        }
        let start = new.start.as_deref().unwrap_or("startpos");
        let (start, moves) = match new.analysis {
            true => import::start_or_view_of(start)?,
            false => import::start_of(start)?,
        };
        let mut chairs = Vec::new();
        let linked = new.seats.iter().any(|chair| chair.kind == SeatKind::Link);
        ensure!(!linked || self.settings.address.is_some(), "nobody can come by a link here");
        for choice in &new.seats {
            chairs.push(Chair { token: super::token()?, ..choice.clone() });
        }
        if chairs.is_empty() {
            chairs.push(Chair::plain(SeatKind::Here, super::token()?));
        }
        let setup = self.setup(entry, new.rules.clone(), start, plain(moves))?;
        self.start_game(Setup { chairs, throws: new.throws, tc, analysis: new.analysis, ..setup })
    }

    /// A game with nothing decided but what it begins with.
    fn setup(
        &self,
        entry: Arc<Entry>,
        rules: BTreeMap<String, String>,
        start: String,
        moves: Vec<Move>,
    ) -> Result<Setup> {
        let number = {
            let mut open = self.open();
            if open.games.len() >= MAX_GAMES {
                open.close_one()?;
            }
            open.next += 1;
            open.next
        };
        let id = format!("g{number}");
        let (now, mark) = (platform::milliseconds_since_1970(), platform::random() >> 40);
        let saved = format!("{now}-{mark}-{id}");
        Ok(Setup {
            id,
            entry,
            rules,
            start,
            moves,
            chairs: Vec::new(),
            seating: Vec::new(),
            throws: Throws::Auto,
            tc: None,
            clocks: Vec::new(),
            analysis: false,
            names: Vec::new(),
            key: MatchKey::from_system()?,
            movetime: self.settings.movetime,
            saved,
            place: None,
            watch: super::token()?,
            when: now,
        })
    }

    /// Opens a recorded game.
    fn load(self: &Arc<Self>, record: usize) -> Result<Handle> {
        let replay = self.settings.replay.as_ref().context("there are no records")?;
        let (entry, game) = replay.game(record)?;
        let setup = self.setup(entry, replay.rules(), game.start, game.moves)?;
        self.start_game(Setup { analysis: true, names: game.seating, ..setup })
    }

    /// The short rules of a game.
    pub(super) fn rules_text(&self, menu: &str) -> Result<Outgoing> {
        let key = format!("rules {menu}");
        if let Some(known) = self.open().abouts.get(&key) {
            return Ok(known.clone());
        }
        let markdown = self.entry(menu)?.rules_text();
        let rules = Outgoing::Rules(Rules { menu: menu.to_owned(), markdown });
        self.open().abouts.insert(key, rules.clone());
        Ok(rules)
    }

    /// The lessons of a game.
    pub(super) fn lessons(&self, menu: &str) -> Result<Outgoing> {
        let lessons = self.entry(menu)?.lessons()?;
        Ok(Outgoing::Lessons(LessonsMessage { menu: menu.to_owned(), lessons }))
    }

    /// Some puzzles of a game.
    pub(super) fn puzzles(&self, menu: &str, from: usize, count: usize) -> Result<Outgoing> {
        let (puzzles, all) = self.entry(menu)?.puzzles(from, count.clamp(1, 100))?;
        let menu = menu.to_owned();
        Ok(Outgoing::Puzzles(PuzzlesMessage { menu, from, count: all, puzzles }))
    }

    /// Opens a game from text.
    fn import(self: &Arc<Self>, menu: &str, text: &str) -> Result<Handle> {
        let entry = self.entry(menu)?;
        let imported = import::read(text)?;
        entry.check_rules(&imported.rules)?;
        let moves = plain(imported.moves);
        let setup = self.setup(entry, imported.rules, imported.start, moves)?;
        self.start_game(Setup { analysis: true, names: imported.names, ..setup })
    }

    /// Goes on with a saved game.
    fn continue_game(self: &Arc<Self>, name: &str) -> Result<Handle> {
        let (place, record, saved) = self.settings.saved_games.take(name)?;
        let entry = self.entry(&saved.menu)?;
        entry.check_rules(&saved.rules)?;
        let mut chairs = saved.chairs;
        for chair in chairs.iter_mut().filter(|chair| !super::is_token(&chair.token)) {
            chair.token = super::token()?;
        }
        let setup = self.setup(entry, saved.rules, record.start, record.moves)?;
        self.start_game(Setup {
            chairs,
            seating: saved.seating,
            throws: saved.throws,
            tc: saved.tc,
            clocks: saved.clocks,
            key: MatchKey::from_hex(&saved.key).unwrap_or(setup.key),
            saved: name.to_owned(),
            place: Some(place),
            when: saved.when,
            watch: if super::is_token(&saved.watch) { saved.watch } else { setup.watch },
            ..setup
        })
    }

    /// Starts a game, with a thread of its own where there are threads; it has set itself up when
    /// this returns.
    fn start_game(self: &Arc<Self>, setup: Setup) -> Result<Handle> {
        let (events, queue) = channel();
        let summary = Arc::new(Mutex::new(OpenGame::default()));
        let handle =
            Handle { id: setup.id.clone(), events: events.clone(), summary: Arc::clone(&summary) };
        let outside = Outside {
            events,
            summary,
            saved_games: Arc::clone(&self.settings.saved_games),
            workshop: Arc::clone(&self.settings.workshop),
            recording: self.settings.recording.clone(),
            address: self.settings.address.clone(),
            links: Arc::clone(&self.links),
        };
        if !self.settings.threads {
            let mut game = Game::new(setup, outside)?;
            game.begin();
            self.note_open(handle.clone());
            self.running().push(Running { id: handle.id.clone(), game, events: queue });
            return Ok(handle);
        }
        let (ready, started) = channel();
        let server = Arc::clone(self);
        let own = handle.clone();
        std::thread::Builder::new().name("game".into()).spawn(move || {
            // The thread that starts a process must live as long as it.
            match Game::new(setup, outside) {
                Ok(game) => {
                    let id = own.id.clone();
                    server.note_open(own);
                    // Also after a panic.
                    let _closing = Closing { server: &server, id };
                    // Whoever started it may be gone.
                    let _ = ready.send(Ok(()));
                    game.run(&queue);
                }
                Err(error) => {
                    let _ = ready.send(Err(error));
                }
            }
        })?;
        started.recv().context("the game does not start")??;
        Ok(handle)
    }

    fn note_open(&self, handle: Handle) {
        self.open().games.insert(handle.id.clone(), handle);
    }

    fn note_closed(&self, id: &str) {
        self.links.remove_game(id);
        *self.sleeping.lock().unwrap_or_else(PoisonError::into_inner) = None;
        // Last: whoever waits for the end may come back by a link at once.
        self.open().games.remove(id);
        self.closed.notify_all();
    }

    /// Ends all games.
    pub(super) fn close_all(&self) {
        for handle in self.open().games.values() {
            // It may have ended by itself.
            let _ = handle.events.send(Event::Close);
        }
    }

    /// Whether games are open.
    pub(super) fn is_idle(&self) -> bool {
        self.open().games.is_empty()
    }
}

/// Takes a game off the list when its thread ends.
struct Closing<'a> {
    server: &'a Server,
    id: String,
}

impl Drop for Closing<'_> {
    fn drop(&mut self) {
        self.server.note_closed(&self.id);
    }
}

/// Tokens of which nothing else is known.
fn plain(tokens: Vec<String>) -> Vec<Move> {
    tokens.into_iter().map(|token| Move { token, ..Move::default() }).collect()
}

/// Whether a time control is one: `inf` means that there is no clock.
pub(super) fn is_clock(tc: &str) -> bool {
    !matches!(tc, "" | "inf" | "infinite")
}
