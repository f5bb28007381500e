//! What an engine can do wrong.

use std::fmt;

use serde::{Deserialize, Serialize};

/// The kinds of fault.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum FaultKind {
    /// The program could not be started, or did not answer the handshake.
    NoHandshake,
    /// The process ended by a signal or with a code other than 0.
    Crash,
    /// The process closed its output or exited with code 0 in the middle of a game.
    ClosedPipe,
    /// No answer to anything.
    Hang,
    /// `isready` was answered, but `stop` brought no `bestmove`.
    SilenceAfterStop,
    /// Endless output.
    EndlessOutput,
    /// The move came too late.
    Overtime,
    /// The move is not legal here.
    IllegalMove,
    /// The answer is not a move.
    MalformedMove,
    /// The engine sees another position or result than the referee.
    Disagreement,
}

impl FaultKind {
    /// The name of the kind in records and messages.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            FaultKind::NoHandshake => "no-handshake",
            FaultKind::Crash => "crash",
            FaultKind::ClosedPipe => "closed-pipe",
            FaultKind::Hang => "hang",
            FaultKind::SilenceAfterStop => "silence-after-stop",
            FaultKind::EndlessOutput => "endless-output",
            FaultKind::Overtime => "overtime",
            FaultKind::IllegalMove => "illegal-move",
            FaultKind::MalformedMove => "malformed-move",
            FaultKind::Disagreement => "disagreement",
        }
    }

    /// Whether the process can still be used after such a fault.
    pub(crate) fn leaves_process_usable(self) -> bool {
        matches!(
            self,
            FaultKind::Overtime
                | FaultKind::IllegalMove
                | FaultKind::MalformedMove
                | FaultKind::Disagreement
        )
    }
}

impl fmt::Display for FaultKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// One fault of one engine, with the lines that reproduce it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Fault {
    /// What kind it is.
    pub kind: FaultKind,
    /// What was seen.
    pub detail: String,
    /// The `position` line last sent; empty before the first.
    pub position: String,
    /// The command that was not answered correctly.
    pub command: String,
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.kind, self.detail)
    }
}

impl std::error::Error for Fault {}
