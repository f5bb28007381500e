//! A session with the engine under check: lines are sent and read as they are.

use std::time::{Duration, Instant};

use crate::printing::printable;
use crate::protocol::{MAX_SEATS, Turn};
use crate::runner::process::{AnswerLines, Connection, ExitState, Failure, Launch, Process};

/// A process and how long to wait for it.
pub(super) struct CheckSession {
    process: Process,
    patience: Duration,
}

impl CheckSession {
    /// Starts the process.
    pub(super) fn start(launch: &Launch, patience: Duration) -> Result<Self, String> {
        let process = Process::start(launch).map_err(|error| format!("does not start: {error}"))?;
        Ok(CheckSession { process, patience })
    }

    fn deadline(&self) -> Instant {
        Instant::now() + self.patience
    }

    /// Sends lines.
    pub(super) fn send(&mut self, lines: &str) -> Result<(), String> {
        let deadline = self.deadline();
        self.process.send(lines, deadline).map_err(|failure| {
            let first = lines.lines().next().unwrap_or("");
            format!("'{}' could not be sent: {}", printable(first, 40), self.why(failure))
        })
    }

    fn why(&mut self, failure: Failure) -> String {
        match failure {
            Failure::Timeout => format!("no line for {} ms", self.patience.as_millis()),
            Failure::Endless => "endless output".to_owned(),
            Failure::Closed => match self.process.wait_for_exit(Duration::from_secs(1)) {
                ExitState::Exited(code) => format!("the engine exited with code {code}"),
                ExitState::Signalled(signal) => format!("the engine ended by {signal}"),
                ExitState::StillRunning => "the engine closed its output".to_owned(),
            },
        }
    }

    /// Reads up to and including the first accepted line; `what` names it in errors.
    pub(super) fn until(
        &mut self,
        what: &str,
        accepted: impl Fn(&str) -> bool,
    ) -> Result<Vec<String>, String> {
        let deadline = self.deadline();
        let mut lines = AnswerLines::default();
        let mut line = String::new();
        loop {
            let read = self.process.read_line(&mut line, deadline);
            if let Err(failure) = read.and_then(|()| lines.push(&line)) {
                return Err(format!("no {what}: {}", self.why(failure)));
            }
            if accepted(&line) {
                return Ok(lines.into_lines());
            }
            if Instant::now() > deadline {
                return Err(format!("no {what} within {} ms", self.patience.as_millis()));
            }
        }
    }

    /// Sends lines and `isready`; returns what came before `readyok`.
    pub(super) fn exchange(&mut self, lines: &str) -> Result<Vec<String>, String> {
        self.send(&format!("{lines}isready\n"))?;
        let mut lines = self.until("readyok", |line| line == "readyok")?;
        lines.pop();
        Ok(lines)
    }

    /// The one answer to a query, without `response`.
    pub(super) fn query(&mut self, query: &str) -> Result<String, String> {
        let lines = self.exchange(&format!("query {query}\n"))?;
        let name = format!("query {}", printable(query, 60));
        match lines.as_slice() {
            [line] => match line.strip_prefix("response ") {
                Some(answer) if !answer.trim().is_empty() => Ok(answer.to_owned()),
                _ => Err(format!("'{name}' is answered by '{}'", printable(line, 60))),
            },
            _ => Err(format!("'{name}' is answered by {} lines, not one", lines.len())),
        }
    }

    /// A query whose answer must not be an error.
    pub(super) fn answer(&mut self, query: &str) -> Result<String, String> {
        let answer = self.query(query)?;
        if answer.starts_with("error ") {
            return Err(format!(
                "'query {}' is answered by '{}'",
                printable(query, 60),
                printable(&answer, 80)
            ));
        }
        Ok(answer)
    }

    /// Whose turn it is.
    pub(super) fn turn(&mut self) -> Result<Turn, String> {
        let answer = self.answer("turn")?;
        let turn = Turn::read(&answer, MAX_SEATS);
        turn.ok_or_else(|| format!("'query turn' is answered by '{}'", printable(&answer, 60)))
    }

    /// The count of `perft 1`; the query after it is answered only when the count is finished.
    pub(super) fn count(&mut self) -> Result<Option<u64>, String> {
        self.send("perft 1\nquery gameover\n")?;
        let lines = self.until("answer after perft", |line| line.starts_with("response "))?;
        let count = lines.iter().find_map(|line| line.strip_prefix("Nodes searched:"));
        Ok(count.and_then(|text| text.trim().parse().ok()))
    }

    /// Sends lines that end in a `go`; returns all lines up to `bestmove`.
    pub(super) fn search(&mut self, lines: &str) -> Result<Vec<String>, String> {
        self.send(lines)?;
        let last = lines.lines().last().unwrap_or("").to_owned();
        self.until(&format!("bestmove after '{last}'"), is_best_move)
    }

    /// All lines printed within a time.
    pub(super) fn listen(&mut self, time: Duration) -> Vec<String> {
        self.lines_by(Instant::now() + time)
    }

    fn lines_by(&mut self, deadline: Instant) -> Vec<String> {
        let mut lines = AnswerLines::default();
        let mut line = String::new();
        while Instant::now() < deadline
            && self.process.read_line(&mut line, deadline).is_ok()
            && lines.push(&line).is_ok()
        {}
        lines.into_lines()
    }

    /// Closes the input and reads the rest; returns the lines and how the process ended.
    pub(super) fn finish(&mut self) -> (Vec<String>, ExitState) {
        self.process.close_input();
        let lines = self.lines_by(self.deadline());
        (lines, self.process.wait_for_exit(self.patience))
    }
}

/// Whether a line is the end of a search.
pub(super) fn is_best_move(line: &str) -> bool {
    line == "bestmove" || line.starts_with("bestmove ")
}

/// The token of a `bestmove` line; empty if there is none.
pub(super) fn best_token(lines: &[String]) -> String {
    let line = lines.iter().rev().find(|line| is_best_move(line));
    line.and_then(|line| line.split_whitespace().nth(1)).unwrap_or("").to_owned()
}
