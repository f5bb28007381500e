//! The protocol as a client speaks it to one engine process, and what it calls a fault.

mod search;

use std::sync::Arc;
use std::time::{Duration, Instant};

use super::child::{Departure, Failure, Launch, Process};
use super::fault::{Fault, FaultKind};
use super::log::Log;
use crate::protocol::Dialect;
use crate::protocol::engine_output::{self, Line, OptionDeclaration};

pub(crate) use search::Thought;

/// How long a handshake may take.
const HANDSHAKE: Duration = Duration::from_secs(10);

/// An answer to a query: the text, or the error with its code.
pub(crate) type Answer = Result<String, String>;

/// What all clients of a match share.
#[derive(Clone, Debug)]
pub(crate) struct ClientSettings {
    /// How long `isready`, `stop` and queries may take.
    pub(crate) patience: Duration,
    /// Where everything said is written down.
    pub(crate) log: Option<Arc<Log>>,
}

/// One engine process that has shaken hands.
#[derive(Debug)]
pub(crate) struct Client {
    process: Process,
    label: String,
    dialect: Dialect,
    settings: ClientSettings,
    options: Vec<OptionDeclaration>,
    name: String,
    author: String,
    position: String,
    line: String,
    new_games: u64,
}

impl Client {
    /// Starts a process and shakes hands; `label` names it in the log.
    ///
    /// # Errors
    /// [`FaultKind::NoHandshake`], with what happened instead.
    pub(crate) fn start(
        launch: &Launch,
        dialect: Dialect,
        label: String,
        settings: &ClientSettings,
    ) -> Result<Self, Fault> {
        let program = launch.program.to_string_lossy();
        let process = Process::start(launch).map_err(|error| Fault {
            kind: FaultKind::NoHandshake,
            detail: format!("{program} cannot be started: {error}"),
            position: String::new(),
            command: String::new(),
        })?;
        let mut client = Client {
            process,
            label,
            dialect,
            settings: settings.clone(),
            options: Vec::new(),
            name: String::new(),
            author: String::new(),
            position: String::new(),
            line: String::new(),
            new_games: 0,
        };
        client.shake_hands()?;
        Ok(client)
    }

    fn shake_hands(&mut self) -> Result<(), Fault> {
        let word = handshake(self.dialect);
        let deadline = Instant::now() + HANDSHAKE;
        let result = self.send_by(&format!("{word}\n"), deadline);
        if let Err(failure) = result {
            return Err(self.no_handshake(failure));
        }
        loop {
            if let Err(failure) = self.read_by(deadline) {
                return Err(self.no_handshake(failure));
            }
            match engine_output::read(&self.line) {
                Line::HandshakeOk(ok) if ok.starts_with(word) => return Ok(()),
                Line::Option(option) => self.options.push(option),
                Line::Name(name) => self.name = name.to_owned(),
                Line::Author(author) => self.author = author.to_owned(),
                _ => {}
            }
        }
    }

    fn no_handshake(&mut self, failure: Failure) -> Fault {
        let word = handshake(self.dialect);
        let seen = match failure {
            Failure::Timeout => format!("no {word}ok within {} s", HANDSHAKE.as_secs()),
            Failure::Endless => format!("output without an end and no {word}ok"),
            Failure::Closed => match self.process.departure(Duration::from_secs(1)) {
                Departure::Exited(code) => format!("exited with code {code} before {word}ok"),
                Departure::Signalled(signal) => format!("ended by {signal} before {word}ok"),
                Departure::StillRunning => format!("closed its output before {word}ok"),
            },
        };
        self.fault(FaultKind::NoHandshake, seen, word)
    }

    /// A fault of this engine, with the position last sent.
    pub(crate) fn fault(&self, kind: FaultKind, detail: impl Into<String>, command: &str) -> Fault {
        let (detail, command) = (detail.into(), command.trim_end().to_owned());
        Fault { kind, detail, position: self.position.clone(), command }
    }

    fn failure(&mut self, failure: Failure, command: &str) -> Fault {
        let patience = self.settings.patience;
        let (kind, detail) = match failure {
            Failure::Timeout => {
                (FaultKind::Hang, format!("no answer within {} ms", patience.as_millis()))
            }
            Failure::Endless => {
                (FaultKind::EndlessOutput, format!("{} bytes and no end", self.process.received()))
            }
            Failure::Closed => match self.process.departure(patience.min(Duration::from_secs(2))) {
                Departure::Exited(0) => {
                    (FaultKind::ClosedPipe, "left with code 0 in the middle of a game".to_owned())
                }
                Departure::Exited(code) => (FaultKind::Crash, format!("exited with code {code}")),
                Departure::Signalled(signal) => (FaultKind::Crash, format!("ended by {signal}")),
                Departure::StillRunning => {
                    (FaultKind::ClosedPipe, "closed its output and runs on".to_owned())
                }
            },
        };
        self.fault(kind, detail, command)
    }

    fn send_by(&mut self, text: &str, deadline: Instant) -> Result<(), Failure> {
        if let Some(log) = &self.settings.log {
            log.sent(&self.label, text);
        }
        self.process.send(text, deadline)
    }

    fn read_by(&mut self, deadline: Instant) -> Result<(), Failure> {
        self.process.read_line(&mut self.line, deadline)?;
        if let Some(log) = &self.settings.log {
            log.received(&self.label, &self.line);
        }
        Ok(())
    }

    fn send(&mut self, text: &str) -> Result<(), Fault> {
        let deadline = Instant::now() + self.settings.patience;
        self.send_by(text, deadline).map_err(|failure| self.failure(failure, text))
    }

    fn read(&mut self, deadline: Instant, command: &str) -> Result<(), Fault> {
        self.read_by(deadline).map_err(|failure| self.failure(failure, command))?;
        if Instant::now() > deadline + self.settings.patience {
            // Lines keep coming, but never the right one.
            return Err(self.failure(Failure::Endless, command));
        }
        Ok(())
    }

    /// The one-word name the engine gave itself.
    pub(crate) fn name(&self) -> &str {
        &self.name
    }

    /// The author the engine named.
    pub(crate) fn author(&self) -> &str {
        &self.author
    }

    /// The options the engine declared.
    pub(crate) fn options(&self) -> &[OptionDeclaration] {
        &self.options
    }

    /// Whether the engine declared an option of this name; case does not count.
    pub(crate) fn has_option(&self, name: &str) -> bool {
        self.options.iter().any(|option| option.name.eq_ignore_ascii_case(name))
    }

    /// Sends lines that have no answer of their own, then waits for `readyok`; the error lines that
    /// came instead of silence.
    ///
    /// # Errors
    /// The engine's fault.
    pub(crate) fn tell(&mut self, lines: &str) -> Result<Vec<String>, Fault> {
        self.send(&format!("{lines}isready\n"))?;
        let deadline = Instant::now() + self.settings.patience;
        let mut errors = Vec::new();
        loop {
            self.read(deadline, "isready")?;
            match engine_output::read(&self.line) {
                Line::ReadyOk => return Ok(errors),
                Line::Error { code, text } => errors.push(format!("{code} {text}")),
                _ => {}
            }
        }
    }

    /// Begins a new game. The throws of an engine that plays alone depend on `Seed` plus the number
    /// of games it was told of: what earlier games added is taken off again, so that a game does
    /// not depend on what its process played before.
    ///
    /// # Errors
    /// The engine's fault.
    pub(crate) fn new_game(&mut self, seed: Option<u64>) -> Result<(), Fault> {
        let mut lines = String::new();
        if let Some(seed) = seed {
            let seed = seed.saturating_sub(self.new_games);
            lines = format!("setoption name Seed value {seed}\n");
        }
        self.new_games += 1;
        self.position.clear();
        lines += match self.dialect {
            Dialect::Ugi => "uginewgame\n",
            Dialect::Uci => "ucinewgame\n",
        };
        self.tell(&lines).map(drop)
    }

    /// Sends a position; whether it was taken shows in what follows.
    ///
    /// # Errors
    /// The engine's fault.
    pub(crate) fn position(&mut self, line: &str) -> Result<(), Fault> {
        line.clone_into(&mut self.position);
        self.send(&format!("{line}\n"))
    }

    /// Sends several queries at once, each after lines of its own that have no answer, and reads
    /// as many answers. The last error line among them is given back too.
    ///
    /// # Errors
    /// The engine's fault.
    pub(crate) fn ask<const N: usize>(
        &mut self,
        queries: [(&str, &str); N],
    ) -> Result<([Answer; N], Option<String>), Fault> {
        let mut text = String::new();
        for (before, query) in queries {
            for part in [before, "query ", query, "\n"] {
                text.push_str(part);
            }
        }
        self.send(&text)?;
        let deadline = Instant::now() + self.settings.patience;
        let mut answers = [const { Err(String::new()) }; N];
        let mut refusal = None;
        for (answer, (_, query)) in answers.iter_mut().zip(queries) {
            *answer = loop {
                self.read(deadline, &format!("query {query}"))?;
                match engine_output::read(&self.line) {
                    Line::Response(text) => break answer_of(text),
                    Line::Error { code, text } => refusal = Some(format!("{code} {text}")),
                    _ => {}
                }
            };
        }
        Ok((answers, refusal))
    }

    /// One query.
    ///
    /// # Errors
    /// The engine's fault.
    pub(crate) fn query(&mut self, query: &str) -> Result<Answer, Fault> {
        let ([answer], _) = self.ask([("", query)])?;
        Ok(answer)
    }

    /// A query to an engine that may not know queries at all: `None` if it says nothing.
    ///
    /// # Errors
    /// The engine's fault.
    pub(crate) fn probe(&mut self, query: &str) -> Result<Option<Answer>, Fault> {
        self.send(&format!("query {query}\nisready\n"))?;
        let deadline = Instant::now() + self.settings.patience;
        let mut found = None;
        loop {
            self.read(deadline, "isready")?;
            match engine_output::read(&self.line) {
                Line::ReadyOk => return Ok(found),
                Line::Response(text) => found = Some(answer_of(text)),
                _ => {}
            }
        }
    }

    /// The lines that a command such as `d` prints.
    ///
    /// # Errors
    /// The engine's fault.
    pub(crate) fn lines(&mut self, command: &str) -> Result<Vec<String>, Fault> {
        self.send(&format!("{command}\nisready\n"))?;
        let deadline = Instant::now() + self.settings.patience;
        let mut lines = Vec::new();
        loop {
            self.read(deadline, command)?;
            if engine_output::read(&self.line) == Line::ReadyOk {
                return Ok(lines);
            }
            lines.push(self.line.clone());
        }
    }

    /// Counts move sequences; the text after `Nodes searched:`, `None` from an engine that does not
    /// count. The query behind it waits for the count, where `isready` would not.
    ///
    /// # Errors
    /// The engine's fault.
    pub(crate) fn perft(&mut self, depth: u32) -> Result<Option<u64>, Fault> {
        let command = format!("perft {depth}");
        self.send(&format!("{command}\nquery gameover\n"))?;
        let deadline = Instant::now() + self.settings.patience;
        let mut count = None;
        loop {
            self.read(deadline, &command)?;
            if let Some(number) = self.line.strip_prefix("Nodes searched:") {
                count = number.trim().parse().ok();
            }
            if matches!(engine_output::read(&self.line), Line::Response(_)) {
                return Ok(count);
            }
        }
    }

    /// Asks the engine to leave and sees to it that it does.
    pub(crate) fn quit(self) {
        if let Some(log) = &self.settings.log {
            log.sent(&self.label, "quit");
        }
        self.process.quit(Duration::from_secs(1));
    }
}

/// The command that greets an engine.
fn handshake(dialect: Dialect) -> &'static str {
    match dialect {
        Dialect::Ugi => "ugi",
        Dialect::Uci => "uci",
    }
}

fn answer_of(response: &str) -> Answer {
    match response.strip_prefix("error ") {
        Some(error) => Err(error.to_owned()),
        None => Ok(response.to_owned()),
    }
}

/// Text from an engine as it may stand in a message: one line, ASCII, no longer than `limit`.
pub(crate) fn printable(text: &str, limit: usize) -> String {
    let escaped = |c: char| match c {
        ' '..='~' => c.to_string(),
        _ => c.escape_default().to_string(),
    };
    let mut shown: String = text.chars().take(limit).map(escaped).collect();
    if text.chars().count() > limit {
        shown.push_str("...");
    }
    shown
}
