//! Engines that are no processes: sessions in the program that asks, which whoever made the program
//! starts. So a web page has the referees of its games.

use std::collections::VecDeque;
use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use super::connection::{Connection, ExitState, Failure};
use crate::platform::Instant;

/// A session: takes a line, gives what it answers, each line with its end; `None` once it has failed.
pub type Session = Box<dyn FnMut(&str) -> Option<String> + Send>;

/// How a session is started; it gives `None` where the engine is not there.
type Start = dyn Fn() -> Option<Session> + Send + Sync;

/// An engine inside this program.
#[derive(Clone)]
pub(crate) struct Inside(Arc<Start>);

impl fmt::Debug for Inside {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Inside(..)")
    }
}

impl Inside {
    pub(crate) fn new(start: Arc<Start>) -> Self {
        Inside(start)
    }

    /// Starts a session.
    pub(crate) fn connect(&self) -> Option<Box<dyn Connection>> {
        let session = (self.0)()?;
        Some(Box::new(Local { session: Some(session), lines: VecDeque::new(), received: 0 }))
    }
}

/// A session that runs when it is sent something; so no answer is ever waited for.
struct Local {
    /// `None` once it has ended or failed.
    session: Option<Session>,
    lines: VecDeque<String>,
    received: usize,
}

impl fmt::Debug for Local {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Local({})", self.session.is_some())
    }
}

impl Connection for Local {
    fn send(&mut self, text: &str, _: Instant) -> Result<(), Failure> {
        self.received = 0;
        for line in text.lines() {
            let Some(session) = &mut self.session else { return Err(Failure::Closed) };
            match session(line) {
                Some(answer) => {
                    self.received += answer.len();
                    self.lines.extend(answer.lines().map(str::to_owned));
                }
                // What it had to say before it failed is still read.
                None => {
                    self.session = None;
                    return Ok(());
                }
            }
        }
        Ok(())
    }

    fn read_line(&mut self, line: &mut String, _: Instant) -> Result<(), Failure> {
        match (self.lines.pop_front(), &self.session) {
            (Some(next), _) => {
                *line = next;
                Ok(())
            }
            (None, Some(_)) => Err(Failure::Timeout),
            (None, None) => Err(Failure::Closed),
        }
    }

    fn line_at_hand(&mut self, line: &mut String) -> bool {
        self.read_line(line, Instant::now()).is_ok()
    }

    fn received(&self) -> usize {
        self.received
    }

    fn wait_for_exit(&mut self, _: Duration) -> ExitState {
        if self.session.is_some() { ExitState::StillRunning } else { ExitState::Exited(1) }
    }

    fn quit(&mut self, _: Duration) {
        self.session = None;
    }
}
