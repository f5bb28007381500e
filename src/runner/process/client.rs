//! The client's side of the protocol with one engine process, and its view of faults.

mod diagnosis;
mod search;

use std::sync::Arc;
use std::time::Duration;

#[cfg(feature = "runner")]
use super::child::{Launch, Process};
use super::connection::{AnswerLines, Connection, Failure};
use super::fault::{Fault, FaultKind};
#[cfg(feature = "runner")]
use super::log::Log;
use super::warnings::Warnings;
use crate::platform::Instant;
use crate::printing::printable;
use crate::protocol::Dialect;
use crate::protocol::engine_output::{self, Line, OptionDeclaration};

#[cfg(feature = "household")]
pub(crate) use search::{Heard, Search, judged};
pub(crate) use search::{NO_MOVE, SearchResult};

/// The usual time limit of a handshake.
pub(in crate::runner) const HANDSHAKE: Duration = Duration::from_secs(10);

/// The most options of an engine, and error lines that are kept of one answer.
const MOST_OPTIONS: usize = 1000;
const MOST_ERRORS: usize = 100;

/// The longest error that is kept, in characters.
const LONGEST_ERROR: usize = 2000;

/// An answer to a query: the text, or the error with its code.
pub(crate) type Answer = Result<String, String>;

/// What all clients of a match share.
#[derive(Clone, Debug)]
pub(crate) struct ClientSettings {
    /// How long the handshake may take.
    pub(crate) handshake: Duration,
    /// How long `isready`, `stop` and queries may take.
    pub(crate) patience: Duration,
    /// How long an engine may prepare for a new game.
    pub(crate) new_game: Duration,
    /// The log of everything sent and received.
    #[cfg(feature = "runner")]
    pub(crate) log: Option<Arc<Log>>,
    /// What the engines complain of.
    pub(crate) warnings: Arc<Warnings>,
}

/// One engine after its handshake.
#[derive(Debug)]
pub(crate) struct Client {
    engine: Box<dyn Connection>,
    label: String,
    dialect: Dialect,
    settings: ClientSettings,
    options: Vec<OptionDeclaration>,
    name: String,
    author: String,
    position: String,
    line: String,
    new_games: u64,
    /// Moves and search reports that came outside of a search.
    strays: u64,
    /// Whether the engine has answered the `isready` before the last `go`.
    in_step: bool,
}

impl Client {
    /// Starts a process and does the handshake; `label` names it in the log.
    ///
    /// # Errors
    /// [`FaultKind::NoHandshake`], with what happened instead.
    #[cfg(feature = "runner")]
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
        Self::greet(Box::new(process), dialect, label, settings)
    }

    /// Does the handshake with an engine that runs.
    ///
    /// # Errors
    /// [`FaultKind::NoHandshake`], with what happened instead.
    pub(crate) fn greet(
        engine: Box<dyn Connection>,
        dialect: Dialect,
        label: String,
        settings: &ClientSettings,
    ) -> Result<Self, Fault> {
        let mut client = Client {
            engine,
            label,
            dialect,
            settings: settings.clone(),
            options: Vec::new(),
            name: String::new(),
            author: String::new(),
            position: String::new(),
            line: String::new(),
            new_games: 0,
            strays: 0,
            in_step: true,
        };
        client.shake_hands()?;
        Ok(client)
    }

    fn shake_hands(&mut self) -> Result<(), Fault> {
        let greeting = handshake(self.dialect);
        let deadline = Instant::now() + self.settings.handshake;
        let result = self.send_by(&format!("{greeting}\n"), deadline);
        if let Err(failure) = result {
            return Err(self.no_handshake(failure, false));
        }
        // It answers, but as an engine of the other dialect does.
        let mut other = false;
        loop {
            if let Err(failure) = self.read_by(deadline) {
                return Err(self.no_handshake(failure, other));
            }
            match engine_output::read(&self.line) {
                Line::HandshakeOk(ok) if ok.starts_with(greeting) => return Ok(()),
                Line::HandshakeOk(_) => other = true,
                Line::Option(_) if self.options.len() == MOST_OPTIONS => {
                    return Err(self.no_handshake(Failure::Endless, other));
                }
                Line::Option(option) => self.options.push(option),
                Line::Name(name) => self.name = name.to_owned(),
                Line::Author(author) => self.author = author.to_owned(),
                _ => {}
            }
        }
    }

    /// A fault of this engine, with the position last sent.
    pub(crate) fn fault(&self, kind: FaultKind, detail: impl Into<String>, command: &str) -> Fault {
        let (detail, command) = (detail.into(), command.trim_end().to_owned());
        Fault { kind, detail, position: self.position.clone(), command }
    }

    fn send_by(&mut self, text: &str, deadline: Instant) -> Result<(), Failure> {
        self.log_sent(text);
        self.engine.send(text, deadline)
    }

    fn log_sent(&self, _text: &str) {
        #[cfg(feature = "runner")]
        if let Some(log) = &self.settings.log {
            log.sent(&self.label, _text);
        }
    }

    fn log_received(&self) {
        #[cfg(feature = "runner")]
        if let Some(log) = &self.settings.log {
            log.received(&self.label, &self.line);
        }
    }

    fn read_by(&mut self, deadline: Instant) -> Result<(), Failure> {
        self.engine.read_line(&mut self.line, deadline)?;
        self.log_received();
        Ok(())
    }

    fn send(&mut self, text: &str) -> Result<(), Fault> {
        let deadline = Instant::now() + self.settings.patience;
        self.send_by(text, deadline).map_err(|failure| self.failure_to_send(failure, text))
    }

    fn read(&mut self, deadline: Instant, command: &str) -> Result<(), Fault> {
        let read = self.read_until_endless(deadline);
        read.map_err(|failure| self.failure(failure, command))
    }

    fn read_until_endless(&mut self, deadline: Instant) -> Result<(), Failure> {
        self.read_by(deadline)?;
        // Lines keep coming, but never the answer.
        let endless = Instant::now() > deadline + self.settings.patience;
        if endless { Err(Failure::Endless) } else { Ok(()) }
    }

    /// Counts the stray lines at hand, while no search is running.
    pub(super) fn count_strays(&mut self) {
        while self.engine.line_at_hand(&mut self.line) {
            self.log_received();
            self.strays += u64::from(engine_output::read(&self.line).is_of_search());
        }
    }

    /// The number of stray lines since it was last asked for.
    pub(crate) fn take_strays(&mut self) -> u64 {
        self.count_strays();
        std::mem::take(&mut self.strays)
    }

    /// The name of `id name`.
    pub(crate) fn name(&self) -> &str {
        &self.name
    }

    /// The name of `id author`.
    pub(crate) fn author(&self) -> &str {
        &self.author
    }

    /// The options the engine declared.
    pub(crate) fn options(&self) -> &[OptionDeclaration] {
        &self.options
    }

    /// Whether the engine declared an option of this name; letter case is ignored.
    pub(crate) fn has_option(&self, name: &str) -> bool {
        self.options.iter().any(|option| option.name.eq_ignore_ascii_case(name))
    }

    /// The largest value of the option `Seed`, if the engine declared one.
    pub(crate) fn largest_seed(&self) -> Option<u64> {
        let seed = self.options.iter().find(|option| option.name.eq_ignore_ascii_case("Seed"))?;
        // Larger values are not asked of an engine that states no limit.
        Some(seed.max.and_then(|max| u64::try_from(max).ok()).unwrap_or(i64::MAX as u64))
    }

    /// Sends lines that need no answer, then waits for `readyok`; returns the error lines that came
    /// before it.
    ///
    /// # Errors
    /// The engine's fault.
    pub(crate) fn send_synced(&mut self, lines: &str) -> Result<Vec<String>, Fault> {
        self.sync(lines, self.settings.patience)
    }

    fn sync(&mut self, lines: &str, limit: Duration) -> Result<Vec<String>, Fault> {
        self.send(&format!("{lines}isready\n"))?;
        let deadline = Instant::now() + limit;
        let mut errors = Vec::new();
        loop {
            let read = self.read_until_endless(deadline);
            read.map_err(|failure| self.failure_to_sync(failure, lines))?;
            match engine_output::read(&self.line) {
                Line::ReadyOk => return Ok(errors),
                // Of a flood of errors the first ones say enough.
                Line::Error { .. } if errors.len() == MOST_ERRORS => {}
                Line::Error { code, text } => {
                    errors.push(printable(&format!("{code} {text}"), LONGEST_ERROR));
                }
                line => self.strays += u64::from(line.is_of_search()),
            }
        }
    }

    /// Starts a new game. An engine draws its random numbers from `Seed` plus the number of games
    /// that its process has had before: that number is subtracted here, so that a game does not
    /// depend on them.
    ///
    /// # Errors
    /// The engine's fault.
    pub(crate) fn new_game(&mut self, seed: Option<u64>) -> Result<(), Fault> {
        let mut lines = String::new();
        if let Some(seed) = seed {
            // Not 0, which would ask for entropy.
            let seed = seed.saturating_sub(self.new_games).max(1);
            lines = format!("setoption name Seed value {seed}\n");
        }
        self.new_games += 1;
        self.position.clear();
        lines += match self.dialect {
            Dialect::Ugi => "uginewgame\n",
            Dialect::Uci => "ucinewgame\n",
        };
        let errors = self.sync(&lines, self.settings.new_game)?;
        self.warn(&errors);
        Ok(())
    }

    /// Passes on what the engine complains of.
    pub(super) fn warn(&self, errors: &[String]) {
        for error in errors {
            self.settings.warnings.note(&self.label, error);
        }
    }

    /// Sends a position; errors show in the answers to the next commands.
    ///
    /// # Errors
    /// The engine's fault.
    pub(crate) fn position(&mut self, line: &str) -> Result<(), Fault> {
        line.clone_into(&mut self.position);
        self.send(&format!("{line}\n"))
    }

    /// Sends several queries at once, each after lines that need no answer, and reads as many
    /// answers; also returns the last error line among them.
    ///
    /// # Errors
    /// The engine's fault.
    pub(crate) fn ask<const N: usize>(
        &mut self,
        queries: [(&str, &str); N],
    ) -> Result<([Answer; N], Option<String>), Fault> {
        let mut text = String::new();
        for (before, query) in queries {
            for text_part in [before, "query ", query, "\n"] {
                text.push_str(text_part);
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
                    line => self.strays += u64::from(line.is_of_search()),
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

    /// A query to an engine that may not know queries at all: `None` if it does not answer.
    ///
    /// # Errors
    /// The engine's fault.
    pub(crate) fn probe(&mut self, query: &str) -> Result<Option<Answer>, Fault> {
        let [answer] = self.probe_all([query])?;
        Ok(answer)
    }

    fn read_probe(&mut self, query: &str) -> Result<Option<Answer>, Fault> {
        let deadline = Instant::now() + self.settings.patience;
        let mut found = None;
        loop {
            self.read(deadline, &format!("query {query}"))?;
            match engine_output::read(&self.line) {
                Line::ReadyOk => return Ok(found),
                Line::Response(text) => found = Some(answer_of(text)),
                _ => {}
            }
        }
    }

    /// Several queries that the engine may leave unanswered.
    ///
    /// # Errors
    /// The engine's fault.
    pub(crate) fn probe_all<const N: usize>(
        &mut self,
        queries: [&str; N],
    ) -> Result<[Option<Answer>; N], Fault> {
        let mut text = String::new();
        for query in queries {
            text.push_str(&format!("query {query}\nisready\n"));
        }
        self.send(&text)?;
        let mut answers = [const { None }; N];
        for (answer, query) in answers.iter_mut().zip(queries) {
            *answer = self.read_probe(query)?;
        }
        Ok(answers)
    }

    /// The lines that a command such as `d` prints.
    ///
    /// # Errors
    /// The engine's fault.
    pub(crate) fn lines(&mut self, command: &str) -> Result<Vec<String>, Fault> {
        self.send(&format!("{command}\nisready\n"))?;
        let deadline = Instant::now() + self.settings.patience;
        let mut lines = AnswerLines::default();
        loop {
            self.read(deadline, command)?;
            if engine_output::read(&self.line) == Line::ReadyOk {
                return Ok(lines.into_lines());
            }
            lines.push(&self.line).map_err(|failure| self.failure(failure, command))?;
        }
    }

    /// The node count of `perft`; `None` if the engine does not count. The query after it is
    /// answered only when the count is finished; `isready` would be answered at once.
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

    /// Sends `quit` and ends the process.
    pub(crate) fn quit(mut self) {
        self.end();
    }

    /// The same; only its name can be asked for after that.
    pub(crate) fn end(&mut self) {
        self.log_sent("quit");
        self.engine.quit(Duration::from_secs(1));
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::runner::process::child::ErrorOutput;

    /// What comes of a handshake with a shell script.
    fn start(script: &str) -> Result<Client, Fault> {
        let launch = Launch {
            program: "sh".into(),
            arguments: vec!["-c".to_owned(), script.to_owned()],
            directory: None,
            error_output: ErrorOutput::Discard,
            cores: Vec::new(),
        };
        let second = Duration::from_secs(1);
        // Long enough for a shell to start on a busy machine, unless nothing is to be waited for.
        let handshake = if script.contains("sleep") { second / 4 } else { 60 * second };
        let patience = 60 * second;
        let settings = ClientSettings {
            handshake,
            patience,
            new_game: patience,
            log: None,
            warnings: Arc::default(),
        };
        Client::start(&launch, Dialect::Ugi, "test".to_owned(), &settings)
    }

    #[test]
    fn a_process_that_does_not_answer_the_handshake_is_a_fault() {
        for (script, detail) in [
            ("sleep 100", "no ugiok within 0.25 s; an engine that speaks UCI needs proto=uci"),
            ("exit 7", "exited with code 7 before ugiok"),
            ("kill -9 $$", "ended by SIGKILL before ugiok"),
        ] {
            let Err(fault) = start(script) else { panic!("{script} shakes hands") };
            assert_eq!((fault.kind, fault.detail.as_str()), (FaultKind::NoHandshake, detail));
        }
    }

    #[test]
    fn the_handshake_collects_names_and_options() {
        let script = "read line; echo id name shell; echo id author tests; \
                      echo option name Move Time type spin default 5; echo ugiok; read line";
        let client = start(script).unwrap();
        assert_eq!((client.name(), client.author()), ("shell", "tests"));
        assert!(client.has_option("move time") && !client.has_option("Hash"));
    }

    /// An engine may print without end: what is kept of it has one.
    #[test]
    fn floods_are_refused_or_cut() {
        let options = "read line; i=0; while [ $i -lt 1500 ]; do i=$((i+1)); \
                       echo option name o$i type button; done; echo ugiok; read line";
        let Err(fault) = start(options) else { panic!("1500 options are accepted") };
        assert_eq!(fault.kind, FaultKind::NoHandshake);
        assert!(fault.detail.contains("output"), "{}", fault.detail);
        let errors = "read line; echo ugiok; read line; i=0; while [ $i -lt 500 ]; do i=$((i+1)); \
                      echo info string error illegal-move $i; done; echo readyok; read line";
        let found = start(errors).unwrap().send_synced("").unwrap();
        assert_eq!((found.len(), found[99].as_str()), (MOST_ERRORS, "illegal-move 100"));
        let lines =
            "read line; echo ugiok; read line; yes 'a line of some length that is said often'";
        let fault = start(lines).unwrap().lines("d").unwrap_err();
        assert_eq!(fault.kind, FaultKind::EndlessOutput, "{}", fault.detail);
    }

    #[test]
    fn text_in_messages_is_short_and_ascii() {
        assert_eq!(printable("a\tb\u{e4}", 10), "a\\tb\\u{e4}");
        assert_eq!(printable("abcdef", 3), "abc...");
    }
}
