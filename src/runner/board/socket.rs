//! One connection: hello, then messages both ways, within limits of size and rate.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use axum::extract::ws::{CloseFrame, Message as Frame, WebSocket};
use tokio::sync::mpsc::Receiver;

use super::game::{ConnectionId, Event};
use super::links::Guest;
use super::listener::Visitor;
use super::message::{self, GameRequest, Request, ServerRequest};
use super::outbox::Outbox;
use super::outgoing::{Outgoing, Problem, RoleName, Welcome};
use super::server::{Handle, Role, Server, Start};

/// The greatest size of an `import`.
pub(super) const MAX_IMPORT: usize = 4 << 20;

/// The greatest size of any other message.
const MAX_MESSAGE: usize = 64 << 10;

/// How long a connection may take to say hello.
const HELLO: Duration = Duration::from_secs(10);

/// How often a sign of life is asked for, and after how much silence a connection is given up.
const PING: Duration = Duration::from_secs(20);
const SILENCE: Duration = Duration::from_secs(60);

/// How long a page may leave a message unread once the buffers on the way to it are full.
const SEND: Duration = Duration::from_secs(20);

/// How long a closed connection may take to answer.
const FAREWELL: Duration = Duration::from_secs(5);

/// Messages at once, and a second after that.
const BURST: f64 = 200.0;
const RATE: f64 = 100.0;

/// Messages over the limit after which the connection is closed.
const PATIENCE: u32 = 100;

/// The most connections at once of the host, of one link, of all links.
const MAX_OF_HOST: usize = 40;
const MAX_OF_LINK: usize = 10;
const MAX_OF_LINKS: usize = 200;

/// The most work for hosts at once.
const MAX_WORK: usize = 8;

static WORK: AtomicUsize = AtomicUsize::new(0);
static NEXT: AtomicU64 = AtomicU64::new(1);

/// Counts work while it lives; `None` above the limit.
struct Counted;

impl Counted {
    fn new() -> Option<Self> {
        let counted = Counted;
        (WORK.fetch_add(1, Ordering::SeqCst) < MAX_WORK).then_some(counted)
    }
}

impl Drop for Counted {
    fn drop(&mut self) {
        WORK.fetch_sub(1, Ordering::SeqCst);
    }
}

/// Whose connection it is: the host's, or that of a game's guest.
type Owner = Option<(String, Guest)>;

/// The connections that have said hello.
static PRESENT: Mutex<BTreeMap<Owner, usize>> = Mutex::new(BTreeMap::new());

/// Counts a connection while it lives; `None` where its owner has too many.
struct Present(Owner);

impl Present {
    fn new(role: &Role) -> Option<Self> {
        let owner = match role {
            Role::Host => None,
            Role::Guest(game, guest) => Some((game.id.clone(), *guest)),
        };
        let mut all = PRESENT.lock().unwrap_or_else(PoisonError::into_inner);
        let of_links: usize =
            all.iter().filter(|(owner, _)| owner.is_some()).map(|(_, count)| count).sum();
        let (limit, full) = match owner {
            None => (MAX_OF_HOST, false),
            Some(_) => (MAX_OF_LINK, of_links >= MAX_OF_LINKS),
        };
        let count = all.entry(owner.clone()).or_default();
        if full || *count >= limit {
            return None;
        }
        *count += 1;
        Some(Present(owner))
    }
}

impl Drop for Present {
    fn drop(&mut self) {
        let mut all = PRESENT.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(count) = all.get_mut(&self.0) {
            *count -= 1;
        }
        all.retain(|_, count| *count > 0);
    }
}

/// Why the server closes a connection.
#[derive(Clone, Copy, Debug)]
enum Close {
    WrongToken,
    NoHello,
    TooMany,
    TooSlow,
    TooLarge,
    Busy,
}

impl Close {
    fn frame(self) -> CloseFrame {
        let (code, reason) = match self {
            Close::WrongToken => (4001, "wrong token"),
            Close::NoHello => (4002, "no hello"),
            Close::TooMany => (4003, "too many messages"),
            Close::TooSlow => (4004, "too slow"),
            Close::TooLarge => (1009, "message too large"),
            Close::Busy => (1013, "too many connections"),
        };
        CloseFrame { code, reason: reason.into() }
    }
}

/// Serves a connection until it ends.
pub(super) async fn run(mut socket: WebSocket, server: Arc<Server>, visitor: Visitor) {
    let role = match tokio::time::timeout(HELLO, hello(&mut socket, &server)).await {
        Ok(Some(role)) => role,
        Ok(None) => return close(socket, Close::WrongToken).await,
        Err(_) => return close(socket, Close::NoHello).await,
    };
    let Some(_present) = Present::new(&role) else {
        return close(socket, Close::Busy).await;
    };
    visitor.is_known();
    let (out, waiting) = Outbox::new();
    let id = NEXT.fetch_add(1, Ordering::SeqCst);
    let mut connection = Connection { id, server, out, game: None, host: false };
    connection.welcome(role);
    let reason = serve(&mut socket, &mut connection, waiting).await;
    connection.detach();
    if let Some(reason) = reason {
        close(socket, reason).await;
    }
}

/// Reads the first message: the token.
async fn hello(socket: &mut WebSocket, server: &Arc<Server>) -> Option<Role> {
    loop {
        match socket.recv().await?.ok()? {
            Frame::Text(text) if text.len() <= MAX_MESSAGE => {
                let Request::Server(ServerRequest::Hello { v: 1, token }) =
                    message::read(&text).ok()?.request
                else {
                    return None;
                };
                return match server.role(&token) {
                    None => woken(server, token).await,
                    known => known,
                };
            }
            Frame::Ping(_) | Frame::Pong(_) => {}
            _ => return None,
        }
    }
}

/// What a token allows that leads to a saved game. Opening it starts engines: that takes a thread.
async fn woken(server: &Arc<Server>, token: String) -> Option<Role> {
    let name = server.sleeping(&token)?;
    let (sender, role) = tokio::sync::oneshot::channel();
    let server = Arc::clone(server);
    let work = move || {
        server.wake(&name);
        // The connection may be gone.
        let _ = sender.send(server.role(&token));
    };
    std::thread::Builder::new().name("request".into()).spawn(work).ok()?;
    role.await.ok().flatten()
}

/// Sends a close frame and waits until the other side has answered it. What still comes is read
/// and dropped: a socket that is closed with unread bytes resets the connection, and the reason
/// is lost on the way.
async fn close(mut socket: WebSocket, reason: Close) {
    let farewell = async {
        if socket.send(Frame::Close(Some(reason.frame()))).await.is_ok() {
            while let Some(Ok(_)) = socket.recv().await {}
        }
    };
    // The other side may never read, or never stop writing.
    let _ = tokio::time::timeout(FAREWELL, farewell).await;
}

async fn serve(
    socket: &mut WebSocket,
    connection: &mut Connection,
    mut waiting: Receiver<String>,
) -> Option<Close> {
    let mut budget = Budget::new();
    let mut ping = tokio::time::interval(PING);
    let mut heard = Instant::now();
    loop {
        tokio::select! {
            text = waiting.recv() => {
                if let Err(reason) = send(socket, Frame::Text(text?.into())).await {
                    return reason;
                }
                if connection.out.has_overflowed() {
                    return Some(Close::TooSlow);
                }
            }
            frame = socket.recv() => {
                heard = Instant::now();
                match frame?.ok()? {
                    Frame::Text(text) => match connection.receive(&text, &mut budget) {
                        Received::Done => {}
                        Received::Close(reason) => return Some(reason),
                        Received::Start(id, start) => connection.start(id, start).await,
                    },
                    Frame::Binary(_) => {
                        connection.tell(None, Problem::new("bad-message", "text is expected"));
                        budget.refused += 1;
                    }
                    Frame::Ping(_) | Frame::Pong(_) => {}
                    Frame::Close(_) => return None,
                }
            }
            _ = ping.tick() => {
                if heard.elapsed() > SILENCE {
                    return None;
                }
                if let Err(reason) = send(socket, Frame::Ping(Vec::new().into())).await {
                    return reason;
                }
            }
        }
    }
}

/// Sends one frame; otherwise why the connection is to be closed, `None` if it is lost.
async fn send(socket: &mut WebSocket, frame: Frame) -> Result<(), Option<Close>> {
    match tokio::time::timeout(SEND, socket.send(frame)).await {
        Ok(Ok(())) => Ok(()),
        Ok(Err(_)) => Err(None),
        Err(_) => Err(Some(Close::TooSlow)),
    }
}

/// How many messages a connection may still send.
struct Budget {
    left: f64,
    since: Instant,
    refused: u32,
}

impl Budget {
    fn new() -> Self {
        Budget { left: BURST, since: Instant::now(), refused: 0 }
    }

    /// Whether one more message is within the limit.
    fn take(&mut self) -> bool {
        let elapsed = self.since.elapsed().as_secs_f64();
        self.since = Instant::now();
        self.left = (self.left + elapsed * RATE).min(BURST);
        if self.left < 1.0 {
            self.refused += 1;
            return false;
        }
        self.left -= 1.0;
        true
    }
}

/// What the connection does next.
enum Received {
    /// It waits for the next message.
    Done,
    /// A game is to be started.
    Start(Option<u64>, Start),
    /// The connection is to be closed.
    Close(Close),
}

/// A connection after its hello.
struct Connection {
    id: ConnectionId,
    server: Arc<Server>,
    out: Outbox,
    game: Option<Handle>,
    host: bool,
}

impl Connection {
    fn welcome(&mut self, role: Role) {
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

    fn detach(&mut self) {
        if let Some(game) = self.game.take() {
            // The game may have ended.
            let _ = game.events.send(Event::Leave(self.id));
        }
    }

    fn tell(&self, id: Option<u64>, problem: Problem) {
        self.out.answer(id, &Outgoing::Error(problem));
    }

    /// Acts on one message.
    fn receive(&mut self, text: &str, budget: &mut Budget) -> Received {
        if !budget.take() {
            if budget.refused > PATIENCE {
                return Received::Close(Close::TooMany);
            }
            self.tell(message::id_of(text), Problem::new("too-many", "too many messages"));
            return Received::Done;
        }
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
            return Received::Close(Close::TooLarge);
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
                server.saved_games.discard(&saved)?;
                Ok(server.games())
            }),
            ServerRequest::End { game } => self.work(id, move |server| {
                server.end(&game)?;
                Ok(server.games())
            }),
            ServerRequest::Records { from, count } => match &self.server.replay {
                Some(replay) => self.out.answer(id, &Outgoing::Records(replay.list(from, count))),
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

    /// Starts a game and attaches the connection to it.
    async fn start(&mut self, id: Option<u64>, start: Start) {
        let Some(counted) = Counted::new() else {
            return self.tell(id, Problem::new("busy", "too much is being started"));
        };
        self.detach();
        let server = Arc::clone(&self.server);
        let (sender, started) = tokio::sync::oneshot::channel();
        let begun = self.beside(id, move || {
            let _counted = counted;
            // A connection that has closed meanwhile waits for nothing.
            let _ = sender.send(server.start(start));
        });
        if !begun {
            return;
        }
        match started.await {
            Ok(Ok(handle)) => self.attach(handle, None, id),
            Ok(Err(error)) => self.tell(id, Problem::new("bad-value", format!("{error:#}"))),
            Err(_) => self.tell(id, Problem::new("engine", "the game could not be started")),
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

    /// Does what waits for a disk or an engine on a thread of its own; the connection is told where
    /// the system gives none. Whether there is one.
    fn beside(&self, id: Option<u64>, work: impl FnOnce() + Send + 'static) -> bool {
        let spawned = std::thread::Builder::new().name("request".into()).spawn(work);
        if let Err(error) = &spawned {
            self.tell(id, Problem::new("busy", format!("the system gives no thread: {error}")));
        }
        spawned.is_ok()
    }
}
