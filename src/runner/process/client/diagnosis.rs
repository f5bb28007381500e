//! What a silent or dead engine has done: the faults behind failures at its pipes.

use std::time::Duration;

use super::search::FLOOD;
use super::{Client, handshake, printable};
use crate::protocol::Dialect;
use crate::runner::process::connection::{ExitState, Failure};
use crate::runner::process::fault::{Fault, FaultKind};

impl Client {
    /// What may be wrong with an engine that is silent at its start.
    fn dialect_hint(&self, other: bool) -> &'static str {
        match (self.dialect, other) {
            (Dialect::Ugi, true) => ", but uciok: say proto=uci",
            (Dialect::Ugi, false) => "; an engine that speaks UCI needs proto=uci",
            (Dialect::Uci, true) => ", but ugiok: leave proto=uci out",
            (Dialect::Uci, false) => "",
        }
    }

    /// The fault of an engine that did not answer the handshake; `other`: not in its dialect.
    pub(super) fn no_handshake(&mut self, failure: Failure, other: bool) -> Fault {
        let greeting = handshake(self.dialect);
        let seen = match failure {
            Failure::Timeout => {
                let limit = self.settings.handshake.as_secs_f64();
                format!("no {greeting}ok within {limit} s{}", self.dialect_hint(other))
            }
            Failure::Endless => format!("endless output and no {greeting}ok"),
            Failure::Closed => match self.engine.wait_for_exit(Duration::from_secs(1)) {
                ExitState::Exited(code) => format!("exited with code {code} before {greeting}ok"),
                ExitState::Signalled(signal) => format!("ended by {signal} before {greeting}ok"),
                ExitState::StillRunning => format!("closed its output before {greeting}ok"),
            },
        };
        self.fault(FaultKind::NoHandshake, seen, greeting)
    }

    /// The fault behind a failure to read.
    pub(super) fn failure(&mut self, failure: Failure, command: &str) -> Fault {
        self.diagnose(failure, "output", &format!("at '{}'", last_line(command)), command)
    }

    /// The fault behind a failure to read `readyok`, after lines that need no answer.
    pub(super) fn failure_to_sync(&mut self, failure: Failure, lines: &str) -> Fault {
        let moment = match last_line(lines).as_str() {
            "" => "at 'isready'".to_owned(),
            line => format!("at 'isready' after '{line}'"),
        };
        let command = if lines.is_empty() { "isready" } else { lines };
        self.diagnose(failure, "output", &moment, command)
    }

    /// The fault behind a failure to send: whatever it was happened before.
    pub(super) fn failure_to_send(&mut self, failure: Failure, command: &str) -> Fault {
        self.diagnose(failure, "input", &format!("before '{}'", last_line(command)), command)
    }

    /// The fault behind a failure at one of the two pipes.
    pub(super) fn diagnose(
        &mut self,
        failure: Failure,
        pipe: &str,
        moment: &str,
        command: &str,
    ) -> Fault {
        let patience = self.settings.patience;
        let wait = match failure {
            Failure::Closed => patience.min(Duration::from_secs(2)),
            Failure::Timeout | Failure::Endless => Duration::ZERO,
        };
        let ended = self.engine.wait_for_exit(wait);
        let (kind, mut detail) = match (ended, failure) {
            (ExitState::Exited(0), Failure::Closed | Failure::Timeout) => {
                (FaultKind::ClosedPipe, format!("exited with code 0 {moment}"))
            }
            (ExitState::Exited(code), Failure::Closed | Failure::Timeout) => {
                (FaultKind::Crash, format!("exited with code {code} {moment}"))
            }
            (ExitState::Signalled(signal), Failure::Closed | Failure::Timeout) => {
                (FaultKind::Crash, format!("ended by {signal} {moment}"))
            }
            (_, Failure::Timeout) => {
                let limit = patience.as_millis();
                let nothing = if pipe == "input" { "it does not read" } else { "no answer" };
                (FaultKind::Hang, format!("{nothing} within {limit} ms {moment}"))
            }
            (_, Failure::Endless) => (
                FaultKind::EndlessOutput,
                format!("{} bytes, still no answer {moment}", self.engine.received()),
            ),
            (ExitState::StillRunning, Failure::Closed) => {
                (FaultKind::ClosedPipe, format!("closed its {pipe} and still runs {moment}"))
            }
        };
        detail.push_str(&self.circumstances(kind));
        self.fault(kind, detail, command)
    }

    /// What else is known of a process at fault.
    fn circumstances(&self, kind: FaultKind) -> String {
        let mut text = String::new();
        if self.engine.output_is_held() {
            text.push_str("; a process that it started holds its output");
        }
        if kind == FaultKind::Hang && self.engine.is_suspended() {
            text.push_str("; it is suspended");
        }
        let unfinished = self.engine.unfinished_line();
        if kind == FaultKind::EndlessOutput && unfinished.len() > FLOOD {
            text.push_str("; one line of it is above 1 MiB");
        } else if kind != FaultKind::EndlessOutput && !unfinished.is_empty() {
            let begin = String::from_utf8_lossy(unfinished.get(..80).unwrap_or(unfinished));
            text.push_str(&format!("; no line end after '{}'", printable(&begin, 40)));
        }
        text
    }
}

/// The last line of what was sent, short enough for a message.
fn last_line(command: &str) -> String {
    printable(command.trim_end().lines().next_back().unwrap_or(""), 60)
}
