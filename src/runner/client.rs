//! The protocol as a client speaks it to one engine process, and what it calls a fault.

use std::sync::Arc;
use std::time::{Duration, Instant};

use super::fault::{Fault, FaultKind};
use super::log::Log;
use super::process::{Departure, Failure, Launch, Process};
use super::specification::Dialect;
use crate::protocol::engine_output::{self, Info, Line, OptionDeclaration};

/// How long a handshake may take.
const HANDSHAKE: Duration = Duration::from_secs(10);

/// Output beyond which an engine that never came to its point counts as endless, not silent.
const FLOOD: usize = 1 << 20;

/// Error codes that mean: the engine does not see the position that it was sent.
const POSITION_ERRORS: [&str; 8] = [
    "bad-position",
    "bad-move",
    "illegal-move",
    "game-over",
    "too-long",
    "not-ascii",
    "stale",
    "not-to-act",
];

/// An answer to a query: the text, or the error with its code.
pub type Answer = Result<String, String>;

/// What a search brought.
#[derive(Clone, PartialEq, Debug)]
pub struct Thought {
    /// The move.
    pub token: String,
    /// The reply it would like to think about.
    pub ponder: Option<String>,
    /// The last report of the main line before the move.
    pub info: Option<Info>,
    /// The time from `go` to `bestmove`.
    pub elapsed: Duration,
}

/// What all clients of a match share.
#[derive(Clone, Debug)]
pub struct Manner {
    /// How long `isready`, `stop` and queries may take.
    pub patience: Duration,
    /// Where everything said is written down.
    pub log: Option<Arc<Log>>,
}

/// One engine process that has shaken hands.
#[derive(Debug)]
pub struct Client {
    process: Process,
    label: String,
    dialect: Dialect,
    manner: Manner,
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
    pub fn start(
        launch: &Launch,
        dialect: Dialect,
        label: String,
        manner: &Manner,
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
            manner: manner.clone(),
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
        let word = self.dialect.word();
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
        let word = self.dialect.word();
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
    pub fn fault(&self, kind: FaultKind, detail: impl Into<String>, command: &str) -> Fault {
        let (detail, command) = (detail.into(), command.trim_end().to_owned());
        Fault { kind, detail, position: self.position.clone(), command }
    }

    fn failure(&mut self, failure: Failure, command: &str) -> Fault {
        let patience = self.manner.patience;
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
        if let Some(log) = &self.manner.log {
            log.sent(&self.label, text);
        }
        self.process.send(text, deadline)
    }

    fn read_by(&mut self, deadline: Instant) -> Result<(), Failure> {
        self.process.read_line(&mut self.line, deadline)?;
        if let Some(log) = &self.manner.log {
            log.received(&self.label, &self.line);
        }
        Ok(())
    }

    fn send(&mut self, text: &str) -> Result<(), Fault> {
        let deadline = Instant::now() + self.manner.patience;
        self.send_by(text, deadline).map_err(|failure| self.failure(failure, text))
    }

    fn read(&mut self, deadline: Instant, command: &str) -> Result<(), Fault> {
        self.read_by(deadline).map_err(|failure| self.failure(failure, command))?;
        if Instant::now() > deadline + self.manner.patience {
            // Lines keep coming, but never the right one.
            return Err(self.failure(Failure::Endless, command));
        }
        Ok(())
    }

    /// The one-word name the engine gave itself.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The author the engine named.
    pub fn author(&self) -> &str {
        &self.author
    }

    /// How the engine was greeted.
    pub fn dialect(&self) -> Dialect {
        self.dialect
    }

    /// The options the engine declared.
    pub fn options(&self) -> &[OptionDeclaration] {
        &self.options
    }

    /// Whether the engine declared an option of this name; case does not count.
    pub fn has_option(&self, name: &str) -> bool {
        self.options.iter().any(|option| option.name.eq_ignore_ascii_case(name))
    }

    /// Sends lines that have no answer of their own, then waits for `readyok`; the error lines that
    /// came instead of silence.
    ///
    /// # Errors
    /// The engine's fault.
    pub fn tell(&mut self, lines: &str) -> Result<Vec<String>, Fault> {
        self.send(&format!("{lines}isready\n"))?;
        let deadline = Instant::now() + self.manner.patience;
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
    pub fn new_game(&mut self, seed: Option<u64>) -> Result<(), Fault> {
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
    pub fn position(&mut self, line: &str) -> Result<(), Fault> {
        line.clone_into(&mut self.position);
        self.send(&format!("{line}\n"))
    }

    /// Sends several queries at once, each after lines of its own that have no answer, and reads
    /// as many answers. The last error line among them is given back too.
    ///
    /// # Errors
    /// The engine's fault.
    pub fn ask<const N: usize>(
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
        let deadline = Instant::now() + self.manner.patience;
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
    pub fn query(&mut self, query: &str) -> Result<Answer, Fault> {
        let ([answer], _) = self.ask([("", query)])?;
        Ok(answer)
    }

    /// A query to an engine that may not know queries at all: `None` if it says nothing.
    ///
    /// # Errors
    /// The engine's fault.
    pub fn probe(&mut self, query: &str) -> Result<Option<Answer>, Fault> {
        self.send(&format!("query {query}\nisready\n"))?;
        let deadline = Instant::now() + self.manner.patience;
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
    pub fn lines(&mut self, command: &str) -> Result<Vec<String>, Fault> {
        self.send(&format!("{command}\nisready\n"))?;
        let deadline = Instant::now() + self.manner.patience;
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
    pub fn perft(&mut self, depth: u32) -> Result<Option<u64>, Fault> {
        let command = format!("perft {depth}");
        self.send(&format!("{command}\nquery gameover\n"))?;
        let deadline = Instant::now() + self.manner.patience;
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

    /// Sends a position and `go`, and reads to `bestmove`.
    ///
    /// # Errors
    /// The engine's fault; [`FaultKind::Overtime`] if the move came after `allowance`.
    pub fn think(
        &mut self,
        position: &str,
        go: &str,
        allowance: Duration,
    ) -> Result<Thought, Fault> {
        position.clone_into(&mut self.position);
        let started = Instant::now();
        self.send(&format!("{position}\n{go}\n"))?;
        self.await_move(go, started, allowance)
    }

    /// Sends a position and `go ponder ...`.
    ///
    /// # Errors
    /// The engine's fault.
    pub fn ponder(&mut self, position: &str, go: &str) -> Result<(), Fault> {
        position.clone_into(&mut self.position);
        self.send(&format!("{position}\n{go}\n"))
    }

    /// The expected reply was played: the search goes on with the clock running.
    ///
    /// # Errors
    /// As [`Client::think`].
    pub fn ponder_hit(&mut self, allowance: Duration) -> Result<Thought, Fault> {
        let started = Instant::now();
        self.send("ponderhit\n")?;
        self.await_move("ponderhit", started, allowance)
    }

    /// Another reply was played: the search is stopped and its move thrown away.
    ///
    /// # Errors
    /// The engine's fault.
    pub fn ponder_miss(&mut self) -> Result<(), Fault> {
        self.send("stop\n")?;
        let started = Instant::now();
        self.await_move("stop", started, self.manner.patience).map(drop)
    }

    fn await_move(
        &mut self,
        go: &str,
        started: Instant,
        allowance: Duration,
    ) -> Result<Thought, Fault> {
        let mut search = Search { started, info: None, error: None };
        let deadline = started + allowance;
        match self.follow(&mut search, deadline) {
            Ok(thought) => return self.judged(thought, search.error, allowance, go),
            Err(Failure::Timeout) => {}
            Err(failure) => return Err(self.failure(failure, go)),
        }
        let received = self.process.received();
        if let Err(failure) = self.send_by("stop\n", Instant::now() + self.manner.patience) {
            return Err(self.failure(self.flooded(failure, received), go));
        }
        match self.follow(&mut search, Instant::now() + self.manner.patience) {
            Ok(thought) => return self.judged(thought, search.error, allowance, go),
            Err(Failure::Timeout) => {}
            Err(failure) => return Err(self.failure(failure, go)),
        }
        if self.process.received() > FLOOD {
            return Err(self.failure(Failure::Endless, go));
        }
        match self.tell("") {
            Ok(_) => {
                let detail = format!(
                    "no bestmove {} ms after stop, though isready is answered",
                    self.manner.patience.as_millis()
                );
                Err(self.fault(FaultKind::SilenceAfterStop, detail, go))
            }
            Err(fault) => Err(Fault { command: go.to_owned(), ..fault }),
        }
    }

    fn flooded(&self, failure: Failure, received: usize) -> Failure {
        if failure == Failure::Timeout && received > FLOOD { Failure::Endless } else { failure }
    }

    fn follow(&mut self, search: &mut Search, deadline: Instant) -> Result<Thought, Failure> {
        loop {
            self.read_by(deadline)?;
            match engine_output::read(&self.line) {
                Line::BestMove { token, ponder } => {
                    return Ok(Thought {
                        token: token.to_owned(),
                        ponder: ponder.map(str::to_owned),
                        info: search.info.take(),
                        elapsed: search.started.elapsed(),
                    });
                }
                Line::Info(info) => search.note(info),
                Line::Error { code, text } if POSITION_ERRORS.contains(&code) => {
                    search.error.get_or_insert_with(|| format!("{code} {text}"));
                }
                _ => {}
            }
            // Output that never ends would keep the deadline from being looked at.
            if Instant::now() >= deadline {
                return Err(Failure::Timeout);
            }
        }
    }

    fn judged(
        &self,
        thought: Thought,
        error: Option<String>,
        allowance: Duration,
        go: &str,
    ) -> Result<Thought, Fault> {
        if let Some(error) = error {
            return Err(self.fault(FaultKind::Disagreement, format!("refuses: {error}"), go));
        }
        if thought.elapsed > allowance {
            let detail = format!(
                "{} after {} ms, {} ms allowed",
                printable(&thought.token, 40),
                thought.elapsed.as_millis(),
                allowance.as_millis()
            );
            return Err(self.fault(FaultKind::Overtime, detail, go));
        }
        if matches!(thought.token.as_str(), "0000" | "(none)") {
            let detail = "sees no move where the referee sees one";
            return Err(self.fault(FaultKind::Disagreement, detail, go));
        }
        Ok(thought)
    }

    /// Asks the engine to leave and sees to it that it does.
    pub fn quit(self) {
        if let Some(log) = &self.manner.log {
            log.sent(&self.label, "quit");
        }
        self.process.quit(Duration::from_secs(1));
    }
}

fn answer_of(response: &str) -> Answer {
    match response.strip_prefix("error ") {
        Some(error) => Err(error.to_owned()),
        None => Ok(response.to_owned()),
    }
}

/// A search in progress, as its reports tell it.
struct Search {
    started: Instant,
    info: Option<Info>,
    error: Option<String>,
}

impl Search {
    /// Keeps the last report of the main line; a bound keeps the score before it.
    fn note(&mut self, info: Info) {
        if info.multipv.is_some_and(|number| number != 1) {
            return;
        }
        let Some(last) = &mut self.info else {
            self.info = Some(info);
            return;
        };
        if info.score.is_some() && !info.bound {
            *last = info;
        } else {
            last.nodes = info.nodes.or(last.nodes);
            last.depth = info.depth.or(last.depth);
        }
    }
}

/// Text from an engine as it may stand in a message: one line, ASCII, no longer than `limit`.
pub fn printable(text: &str, limit: usize) -> String {
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
