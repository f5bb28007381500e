//! A board under test and a page without a screen.

#[expect(dead_code, reason = "what was never sent is told by the unit test of the messages")]
#[path = "../../board/types.rs"]
mod types;

use std::io::{BufRead, BufReader};
use std::net::TcpStream;
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use tungstenite::client::IntoClientRequest;
use tungstenite::http::HeaderValue;
use tungstenite::{Message, WebSocket};

use crate::support::PARLOR;
use types::Checker;

/// How long a test waits for a message that must come.
const PATIENCE: Duration = Duration::from_secs(60);

/// A running server; it ends with the value.
pub struct Board {
    child: Child,
    pub port: u16,
    pub token: String,
    /// The folder of the user's data; several servers may share it.
    pub data: Arc<tempfile::TempDir>,
}

impl Board {
    /// Starts `parlor board` with these arguments, on a free port of the loopback.
    pub fn start(arguments: &[&str]) -> Self {
        Self::start_in(Arc::new(tempfile::tempdir().unwrap()), arguments)
    }

    /// The same with a folder that keeps what another one saved.
    pub fn start_in(data: Arc<tempfile::TempDir>, arguments: &[&str]) -> Self {
        Self::start_by(Command::new(PARLOR), data, arguments)
    }

    /// The same by a command that ends in `parlor`, or runs what follows as its arguments.
    pub fn start_by(
        mut command: Command,
        data: Arc<tempfile::TempDir>,
        arguments: &[&str],
    ) -> Self {
        command.args(["board", "--no-open", "--port", "0"]).args(arguments);
        command.env("XDG_DATA_HOME", data.path()).stdin(Stdio::null());
        let mut child = command.stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap();
        let mut line = String::new();
        BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
        let url = line.split_whitespace().find(|word| word.starts_with("http")).unwrap();
        let (address, token) = url.split_once("/#").unwrap();
        let port = address.rsplit(':').next().unwrap().parse().unwrap();
        Board { child, port, token: token.to_owned(), data }
    }

    /// The id of the process.
    pub fn id(&self) -> u32 {
        self.child.id()
    }

    /// Waits for the server to end by itself; its exit code.
    pub fn wait(&mut self) -> Option<i32> {
        self.child.wait().unwrap().code()
    }

    /// Ends the server as a crash would; what it saved stays.
    pub fn kill(self) -> Arc<tempfile::TempDir> {
        Arc::clone(&self.data)
    }

    /// The folder of the saved games.
    pub fn games(&self) -> PathBuf {
        self.data.path().join("parlor/games")
    }

    /// A page that has said hello as the host.
    pub fn host(&self) -> Page {
        self.page(&self.token)
    }

    /// A page that has said hello with a token.
    pub fn page(&self, token: &str) -> Page {
        let mut page = self.connect();
        page.send(&json!({"do": "hello", "v": 1, "token": token}));
        page
    }

    /// Connects by the link of a seat, as the state that a host gets tells it.
    pub fn by_link(&self, seat: &Value) -> Page {
        self.page(seat["link"].as_str().unwrap().split_once('#').unwrap().1)
    }

    /// Connects to every seat of a state, each by its link.
    pub fn links(&self, state: &Value) -> Vec<Page> {
        state["seats"].as_array().unwrap().iter().map(|seat| self.by_link(seat)).collect()
    }

    /// Connects as somebody who looks on.
    pub fn spectator(&self, state: &Value) -> Page {
        self.page(state["watch"].as_str().unwrap().split_once('#').unwrap().1)
    }

    /// A socket that has said nothing yet.
    pub fn connect(&self) -> Page {
        let origin = format!("http://127.0.0.1:{}", self.port);
        self.connect_as(&format!("127.0.0.1:{}", self.port), Some(&origin)).unwrap()
    }

    /// A socket with other headers; the status if it is refused.
    pub fn connect_as(&self, host: &str, origin: Option<&str>) -> Result<Page, u16> {
        let url = format!("ws://127.0.0.1:{}/socket", self.port);
        let mut request = url.into_client_request().unwrap();
        request.headers_mut().insert("Host", HeaderValue::from_str(host).unwrap());
        if let Some(origin) = origin {
            request.headers_mut().insert("Origin", HeaderValue::from_str(origin).unwrap());
        }
        let stream = TcpStream::connect(("127.0.0.1", self.port)).unwrap();
        stream.set_read_timeout(Some(Duration::from_millis(100))).unwrap();
        stream.set_nodelay(true).unwrap();
        match tungstenite::client(request, stream) {
            Ok((socket, _)) => Ok(Page::new(socket)),
            Err(tungstenite::HandshakeError::Failure(tungstenite::Error::Http(response))) => {
                Err(response.status().as_u16())
            }
            Err(tungstenite::HandshakeError::Interrupted(half)) => {
                let mut half = half;
                loop {
                    match half.handshake() {
                        Ok((socket, _)) => return Ok(Page::new(socket)),
                        Err(tungstenite::HandshakeError::Interrupted(again)) => half = again,
                        Err(tungstenite::HandshakeError::Failure(tungstenite::Error::Http(
                            response,
                        ))) => return Err(response.status().as_u16()),
                        Err(other) => panic!("{other}"),
                    }
                }
            }
            Err(other) => panic!("{other}"),
        }
    }
}

impl Drop for Board {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// A page: what it was sent last of each kind, and all of it as text.
pub struct Page {
    socket: WebSocket<TcpStream>,
    /// Every message must be as the page's types say.
    types: Checker,
    /// Every message, as it came.
    pub log: Vec<String>,
    /// Messages that were read but not waited for.
    pub state: Value,
    pub position: Value,
    next: u64,
    /// The code with which the server has closed the connection.
    pub closed: Option<u16>,
}

impl Page {
    fn new(socket: WebSocket<TcpStream>) -> Self {
        let (state, position) = (Value::Null, Value::Null);
        let types = Checker::new();
        Page { socket, types, log: Vec::new(), state, position, next: 1, closed: None }
    }

    pub fn send(&mut self, message: &Value) {
        self.send_text(&message.to_string());
    }

    /// Sends text as it is; a connection that was closed is no error here.
    pub fn send_text(&mut self, text: &str) {
        let _ = self.socket.send(Message::text(text));
    }

    /// The next message; `None` when the connection has ended or nothing came in time.
    pub fn read(&mut self, deadline: Instant) -> Option<Value> {
        loop {
            match self.socket.read() {
                Ok(Message::Text(text)) => {
                    self.log.push(text.to_string());
                    let value: Value = serde_json::from_str(&text).unwrap();
                    let mut message = value.clone();
                    // The number of the request that is answered.
                    message.as_object_mut().unwrap().remove("id");
                    self.types.check(&message);
                    match value["type"].as_str() {
                        Some("state") => self.state = value.clone(),
                        Some("position") => self.position = value.clone(),
                        _ => {}
                    }
                    return Some(value);
                }
                Ok(Message::Close(frame)) => {
                    self.closed = Some(frame.map_or(1005, |frame| frame.code.into()));
                }
                Ok(_) => {}
                Err(tungstenite::Error::Io(error))
                    if matches!(
                        error.kind(),
                        std::io::ErrorKind::WouldBlock
                            | std::io::ErrorKind::TimedOut
                            | std::io::ErrorKind::Interrupted
                    ) =>
                {
                    if Instant::now() >= deadline {
                        return None;
                    }
                }
                Err(error) => {
                    eprintln!("the connection has ended: {error:?}");
                    self.closed.get_or_insert(1006);
                    return None;
                }
            }
        }
    }

    /// Reads until a message fits.
    pub fn until(&mut self, fits: impl Fn(&Value) -> bool) -> Value {
        let deadline = Instant::now() + PATIENCE;
        loop {
            match self.read(deadline) {
                Some(value) if fits(&value) => return value,
                Some(_) => {}
                None => panic!(
                    "closed: {:?}; the last messages: {:#?}",
                    self.closed,
                    self.log.iter().rev().take(5).collect::<Vec<_>>()
                ),
            }
        }
    }

    /// Reads until a message of that type.
    pub fn get(&mut self, kind: &str) -> Value {
        self.until(|value| value["type"] == kind)
    }

    /// Sends a message and reads its answer, or the error.
    pub fn ask(&mut self, mut message: Value) -> Value {
        let id = self.next;
        self.next += 1;
        message["id"] = json!(id);
        self.send(&message);
        self.until(|value| value["id"] == id)
    }

    /// The code of the error that answers a message.
    pub fn refusal(&mut self, message: Value) -> String {
        let answer = self.ask(message);
        assert_eq!(answer["type"], "error", "{answer}");
        answer["code"].as_str().unwrap().to_owned()
    }

    /// Reads until a position at the live node that belongs to the newest state.
    pub fn settled(&mut self) {
        let deadline = Instant::now() + PATIENCE;
        loop {
            let live = &self.state["live"];
            let thinks = self.state["seats"]
                .as_array()
                .is_some_and(|seats| seats.iter().any(|seat| seat["thinking"] == true));
            if !live.is_null() && self.position["node"] == *live && !thinks {
                let over = self.state["phase"] != "play";
                if over || !self.position["act"].is_null() || !self.state["fault"].is_null() {
                    return;
                }
            }
            assert!(self.read(deadline).is_some(), "{:?}\n{}", self.closed, self.state);
        }
    }

    /// Reads until the position at this live node has come.
    pub fn until_live(&mut self, live: &Value) {
        let deadline = Instant::now() + PATIENCE;
        while self.state["live"] != *live || self.position["node"] != *live {
            assert!(self.read(deadline).is_some(), "{:?}\n{}", self.closed, self.state);
        }
    }

    /// Waits until the server closes the connection; its code.
    pub fn wait_for_close(&mut self) -> u16 {
        let deadline = Instant::now() + PATIENCE;
        while self.closed.is_none() {
            if self.read(deadline).is_none() {
                break;
            }
        }
        self.closed.expect("the connection stays open")
    }

    /// Follows the first or a later choice of each step to a token; the token.
    pub fn choose(&mut self, random: &mut u64) -> String {
        let node = self.position["node"].clone();
        let mut step = self.position["step"].clone();
        let mut path: Vec<Value> = Vec::new();
        loop {
            let next = step["next"].as_array().unwrap().clone();
            if let Some(token) = step["token"].as_str()
                && (next.is_empty() || path.len() > 5)
            {
                return token.to_owned();
            }
            if next.is_empty() {
                let answer = self.ask(json!({"do": "moves", "node": node, "prefix": ""}));
                let tokens = answer["tokens"].as_array().unwrap();
                assert!(!tokens.is_empty(), "{step}");
                return tokens[pick(random, tokens.len())].as_str().unwrap().to_owned();
            }
            path.push(next[pick(random, next.len())]["choice"].clone());
            let answer = self.ask(json!({"do": "step", "node": node, "path": path}));
            assert_eq!(answer["type"], "step", "{path:?}: {answer}");
            step = answer["step"].clone();
        }
    }

    /// Plays a token at the live node.
    pub fn play(&mut self, token: &str) {
        let node = self.state["live"].clone();
        self.send(&json!({"do": "play", "node": node, "token": token}));
        let live = self.state["live"].clone();
        self.until(|value| {
            assert!(value["type"] != "error", "{token}: {value}");
            value["type"] == "state" && value["live"] != live
        });
    }
}

/// The next of a row of numbers that only looks random, below a limit.
pub fn pick(random: &mut u64, limit: usize) -> usize {
    *random =
        random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
    (*random >> 33) as usize % limit
}
