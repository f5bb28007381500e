//! What a page may ask for after its hello, and who answers: the server, or the game that it looks at.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use super::game::{ConnectionId, Event};
use super::links::Guest;
use super::message::{self, GameRequest, Request, ServerRequest};
use super::outbox::Outbox;
use super::outgoing::{Outgoing, Problem, RoleName, Welcome};
use super::server::{Handle, Role, Server, Start};

/// The greatest size of any message but an `import`.
pub(super) const MAX_MESSAGE: usize = 64 << 10;

/// The most work for hosts at once.
const MAX_WORK: usize = 8;

static WORK: AtomicUsize = AtomicUsize::new(0);

/// Counts work while it lives; `None` above the limit.
pub(super) struct Counted;

impl Counted {
    pub(super) fn new() -> Option<Self> {
        let counted = Counted;
        (WORK.fetch_add(1, Ordering::SeqCst) < MAX_WORK).then_some(counted)
    }
}

impl Drop for Counted {
    fn drop(&mut self) {
        WORK.fetch_sub(1, Ordering::SeqCst);
    }
}

/// What follows from a message.
pub(super) enum Received {
    /// The next message may come.
    Done,
    /// A game is to be started.
    Start(Option<u64>, Start),
    /// The message is larger than one may be.
    TooLarge,
}

/// A page after its hello.
pub(super) struct Caller {
    id: ConnectionId,
    server: Arc<Server>,
    out: Outbox,
    game: Option<Handle>,
    host: bool,
}

impl Caller {
    pub(super) fn new(id: ConnectionId, server: Arc<Server>, out: Outbox) -> Self {
        Caller { id, server, out, game: None, host: false }
    }

    pub(super) fn server(&self) -> &Arc<Server> {
        &self.server
    }

    /// Greets it.
    pub(super) fn welcome(&mut self, role: Role) {
        match role {
            Role::Host => {
                self.host = true;
                // The list of saved games is read from the disk.
                let (server, out) = (Arc::clone(&self.server), self.out.clone());
                self.beside(None, move || out.send(&Outgoing::Welcome(server.welcome())));
            }
            Role::Guest(handle, guest) => {
                let role = match guest {
                    Guest::Chair(_) => RoleName::Seat,
                    Guest::Spectator => RoleName::Spectator,
                };
                let welcome = Welcome::new(role, Some(handle.id.clone()));
                self.out.send(&Outgoing::Welcome(welcome));
                self.attach(handle, Some(guest), None);
            }
        }
    }

    fn attach(&mut self, handle: Handle, guest: Option<Guest>, id: Option<u64>) {
        self.detach();
        let join = Event::Join { connection: self.id, out: self.out.clone(), guest };
        if handle.events.send(join).is_ok() {
            self.game = Some(handle);
            if id.is_some() {
                self.out.answer(id, &Outgoing::Done);
            }
        } else {
            self.tell(id, Problem::new("unknown", "the game is closed"));
        }
    }

    /// It looks at no game any more.
    pub(super) fn detach(&mut self) {
        if let Some(game) = self.game.take() {
            // The game may have ended.
            let _ = game.events.send(Event::Leave(self.id));
        }
    }

    pub(super) fn tell(&self, id: Option<u64>, problem: Problem) {
        self.out.answer(id, &Outgoing::Error(problem));
    }

    /// Acts on one message.
    pub(super) fn receive(&mut self, text: &str) -> Received {
        let message = match message::read(text) {
            Ok(message) => message,
            Err(error) => {
                self.tell(message::id_of(text), Problem::new("bad-message", error));
                return Received::Done;
            }
        };
        if text.len() > MAX_MESSAGE
            && !matches!(message.request, Request::Server(ServerRequest::Import { .. }))
        {
            return Received::TooLarge;
        }
        match message.request {
            Request::Server(request) if request.is_for_hosts() && !self.host => {
                self.tell(message.id, Problem::new("not-allowed", "only the host may do that"));
                Received::Done
            }
            Request::Server(request) => self.act(message.id, request),
            Request::Game(request) => {
                self.pass_on(message.id, request);
                Received::Done
            }
        }
    }

    /// Hands a request to the game that the connection is attached to.
    fn pass_on(&mut self, id: Option<u64>, request: GameRequest) {
        let Some(game) = &self.game else {
            return self.tell(id, Problem::new("no-game", "open a game first"));
        };
        if game.events.send(Event::Ask(self.id, id, request)).is_err() {
            self.game = None;
            self.tell(id, Problem::new("no-game", "the game is closed"));
        }
    }

    fn act(&mut self, id: Option<u64>, request: ServerRequest) -> Received {
        match request {
            ServerRequest::Ping => self.out.answer(id, &Outgoing::Pong),
            ServerRequest::Hello { .. } => {
                self.tell(id, Problem::new("bad-message", "hello was said already"));
            }
            ServerRequest::Rules { menu } => self.work(id, move |server| server.rules_text(&menu)),
            ServerRequest::Lessons { menu } => self.work(id, move |server| server.lessons(&menu)),
            ServerRequest::Puzzles { menu, from, count } => {
                self.work(id, move |server| server.puzzles(&menu, from, count));
            }
            ServerRequest::About { menu, rules } => {
                self.work(id, move |server| server.about(&menu, &rules));
            }
            ServerRequest::Open { game } => match self.server.game(&game) {
                Ok(handle) => self.attach(handle, None, id),
                Err(problem) => self.tell(id, problem),
            },
            ServerRequest::Discard { saved } => self.work(id, move |server| {
                server.settings.saved_games.discard(&saved)?;
                Ok(server.games())
            }),
            ServerRequest::End { game } => self.work(id, move |server| {
                server.end(&game)?;
                Ok(server.games())
            }),
            ServerRequest::Records { from, count, moves } => match &self.server.settings.replay {
                Some(replay) => {
                    self.out.answer(id, &Outgoing::Records(replay.list(from, count, moves)));
                }
                None => self.tell(id, Problem::new("unknown", "there are no records")),
            },
            ServerRequest::New(new) => return Received::Start(id, Start::New(new)),
            ServerRequest::Continue { saved } => {
                return Received::Start(id, Start::Continue(saved));
            }
            ServerRequest::Load { record } => return Received::Start(id, Start::Load(record)),
            ServerRequest::Import { menu, text } => {
                return Received::Start(id, Start::Import { menu, text });
            }
        }
        Received::Done
    }

    /// Attaches it to a game that it has started.
    pub(super) fn started(&mut self, id: Option<u64>, result: anyhow::Result<Handle>) {
        match result {
            Ok(handle) => self.attach(handle, None, id),
            Err(error) => self.tell(id, Problem::new("bad-value", format!("{error:#}"))),
        }
    }

    /// Answers beside the connection, since an engine may have to be started.
    fn work(
        &self,
        id: Option<u64>,
        work: impl FnOnce(&Arc<Server>) -> anyhow::Result<Outgoing> + Send + 'static,
    ) {
        let Some(counted) = Counted::new() else {
            return self.tell(id, Problem::new("busy", "too much is asked at once"));
        };
        let (server, out) = (Arc::clone(&self.server), self.out.clone());
        self.beside(id, move || {
            let _counted = counted;
            let failed = |error| Outgoing::Error(Problem::new("engine", format!("{error:#}")));
            out.answer(id, &work(&server).unwrap_or_else(failed));
        });
    }

    /// Does what waits for a disk or an engine beside the page; it is told where the system gives no
    /// thread for it. Whether it is done.
    pub(super) fn beside(&self, id: Option<u64>, work: impl FnOnce() + Send + 'static) -> bool {
        let begun = self.server.beside(Box::new(work));
        if let Err(error) = &begun {
            self.tell(id, Problem::new("busy", format!("the system gives no thread: {error}")));
        }
        begun.is_ok()
    }
}
