//! One connection: hello, then messages both ways, within limits of size and rate.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use axum::extract::ws::{CloseFrame, Message as Frame, WebSocket};
use tokio::sync::mpsc::{Receiver, channel, error::TrySendError};

use super::caller::{Caller, Counted, MAX_MESSAGE, Received};
use super::links::Guest;
use super::listener::Visitor;
use super::message::{self, Request, ServerRequest};
use super::outbox::Outbox;
use super::outgoing::Problem;
use super::server::{Role, Server, Start};

/// The greatest size of an `import`.
pub(super) const MAX_IMPORT: usize = 4 << 20;

/// The most messages that wait for a page; one that reads more slowly is disconnected.
const CAPACITY: usize = 512;

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

static NEXT: AtomicU64 = AtomicU64::new(1);

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
    let (out, waiting) = queue();
    let id = NEXT.fetch_add(1, Ordering::SeqCst);
    let mut caller = Caller::new(id, server, out);
    caller.welcome(role);
    let reason = serve(&mut socket, &mut caller, waiting).await;
    caller.detach();
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

/// What waits to be sent.
struct Waiting {
    queue: Receiver<String>,
    /// Something could not be sent: the page does not read, and misses something.
    overflowed: Arc<AtomicBool>,
}

/// What sends to a page, and what waits for it.
fn queue() -> (Outbox, Waiting) {
    let (sender, queue) = channel(CAPACITY);
    let overflowed = Arc::new(AtomicBool::new(false));
    let flag = Arc::clone(&overflowed);
    let out = Outbox::new(move |text| {
        if let Err(TrySendError::Full(_)) = sender.try_send(text) {
            flag.store(true, Ordering::SeqCst);
        }
    });
    (out, Waiting { queue, overflowed })
}

async fn serve(socket: &mut WebSocket, caller: &mut Caller, mut waiting: Waiting) -> Option<Close> {
    let mut budget = Budget::new();
    let mut ping = tokio::time::interval(PING);
    let mut heard = Instant::now();
    loop {
        tokio::select! {
            text = waiting.queue.recv() => {
                if let Err(reason) = send(socket, Frame::Text(text?.into())).await {
                    return reason;
                }
                if waiting.overflowed.load(Ordering::SeqCst) {
                    return Some(Close::TooSlow);
                }
            }
            frame = socket.recv() => {
                heard = Instant::now();
                match frame?.ok()? {
                    Frame::Text(text) => match receive(caller, &text, &mut budget) {
                        Ok(Received::Done) => {}
                        Ok(Received::Start(id, game)) => start(caller, id, game).await,
                        Ok(Received::TooLarge) => return Some(Close::TooLarge),
                        Err(reason) => return Some(reason),
                    },
                    Frame::Binary(_) => {
                        caller.tell(None, Problem::new("bad-message", "text is expected"));
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

/// Acts on one message, if it is within the limit.
fn receive(caller: &mut Caller, text: &str, budget: &mut Budget) -> Result<Received, Close> {
    if budget.take() {
        return Ok(caller.receive(text));
    }
    if budget.refused > PATIENCE {
        return Err(Close::TooMany);
    }
    caller.tell(message::id_of(text), Problem::new("too-many", "too many messages"));
    Ok(Received::Done)
}

/// Starts a game on a thread of its own, and attaches the page to it.
async fn start(caller: &mut Caller, id: Option<u64>, start: Start) {
    let Some(counted) = Counted::new() else {
        return caller.tell(id, Problem::new("busy", "too much is being started"));
    };
    caller.detach();
    let server = Arc::clone(caller.server());
    let (sender, started) = tokio::sync::oneshot::channel();
    let begun = caller.beside(id, move || {
        let _counted = counted;
        // A connection that has closed meanwhile waits for nothing.
        let _ = sender.send(server.start(start));
    });
    if !begun {
        return;
    }
    match started.await {
        Ok(result) => caller.started(id, result),
        Err(_) => caller.tell(id, Problem::new("engine", "the game could not be started")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::runner::board::outgoing::Outgoing;

    #[test]
    fn a_page_that_reads_nothing_overflows_and_one_that_is_gone_does_not() {
        let message = Outgoing::Pong;
        let (slow, waiting) = queue();
        for _ in 0..CAPACITY {
            slow.send(&message);
        }
        assert!(!waiting.overflowed.load(Ordering::SeqCst));
        slow.clone().send(&message);
        assert!(waiting.overflowed.load(Ordering::SeqCst));
        let (gone, Waiting { queue, overflowed }) = super::queue();
        drop(queue);
        for _ in 0..2 * CAPACITY {
            gone.send(&message);
        }
        assert!(!overflowed.load(Ordering::SeqCst));
    }
}
