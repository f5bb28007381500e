//! What a client has of an engine: lines to it and lines from it, every wait with a deadline.

use std::fmt::Debug;
use std::time::Duration;

use crate::platform::Instant;

/// The most bytes that wait to be read, and of an answer of several lines that is kept whole.
pub(super) const KEPT: usize = 8 << 20;

/// What a line takes beside its text.
const LINE_COST: usize = 64;

/// Why a line could not be sent or read.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Failure {
    /// The deadline passed.
    Timeout,
    /// The other end is closed.
    Closed,
    /// A line or an answer above the size limit.
    Endless,
}

/// The lines of one answer.
#[derive(Default)]
pub(crate) struct AnswerLines {
    lines: Vec<String>,
    size: usize,
}

impl AnswerLines {
    /// Keeps a line.
    ///
    /// # Errors
    /// [`Failure::Endless`] if the answer becomes too large to be kept.
    pub(crate) fn push(&mut self, line: &str) -> Result<(), Failure> {
        self.size += LINE_COST + line.len();
        if self.size > KEPT {
            return Err(Failure::Endless);
        }
        self.lines.push(line.to_owned());
        Ok(())
    }

    /// All of them.
    pub(crate) fn into_lines(self) -> Vec<String> {
        self.lines
    }
}

/// How an engine ended, if it has.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum ExitState {
    /// It exited with a code.
    Exited(i32),
    /// A signal of this name ended it.
    Signalled(&'static str),
    /// It still runs, its output closed.
    StillRunning,
}

/// An engine that runs: a process, or a session in this program.
pub(crate) trait Connection: Debug + Send {
    /// Sends text, which ends in a line end, and starts the count of a new answer.
    ///
    /// # Errors
    /// [`Failure::Closed`] if the engine no longer reads, [`Failure::Timeout`] if it takes nothing.
    fn send(&mut self, text: &str, deadline: Instant) -> Result<(), Failure>;

    /// Reads one line into `line`, without its line end.
    ///
    /// # Errors
    /// See [`Failure`].
    fn read_line(&mut self, line: &mut String, deadline: Instant) -> Result<(), Failure>;

    /// A line that is there already; `false` if there is none.
    fn line_at_hand(&mut self, line: &mut String) -> bool;

    /// Bytes received since the last request was sent.
    fn received(&self) -> usize;

    /// How the engine ended; waits a moment for an exit in progress.
    fn wait_for_exit(&mut self, patience: Duration) -> ExitState;

    /// Sends `quit`, waits a moment, then ends the engine. Nothing can be sent or read after that.
    fn quit(&mut self, patience: Duration);

    /// What came after the last line end.
    fn unfinished_line(&self) -> &[u8] {
        &[]
    }

    /// Whether the system has suspended the engine, where it tells.
    fn is_suspended(&self) -> bool {
        false
    }

    /// Whether the engine has ended while a process that it started holds its output.
    fn output_is_held(&self) -> bool {
        false
    }
}
