//! A session: lines in, lines out, one search at a time.
//!
//! It begins in the UGI dialect; the command `xboard` hands it over to XBoard's front end.

#[cfg(feature = "engine")]
use std::io;
use std::io::{Read, Write};

use crossbeam_channel::Receiver;

use super::host::{self, End};
use super::input;
use super::interface::Engine;
use super::ugi::Ugi;
#[cfg(feature = "engine")]
use crate::output_guard;

/// How a session ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[must_use]
pub enum Ending {
    /// By `quit`, the end of the input, or a closed output.
    Quiet,
    /// The same, but a line was refused on the way.
    Refusals,
}

/// Runs a session to its end.
///
/// # Errors
/// When the system starts no thread, or the output fails, as on a full disk.
pub fn run(
    engine: Box<dyn Engine>,
    input: impl Read + Send + 'static,
    output: impl Write + Send + 'static,
) -> std::io::Result<Ending> {
    serve(engine, input, output, crossbeam_channel::never(), End::OfSession)
}

/// Runs a session on standard input and output. It ends when nobody reads the output any more, even
/// while it has nothing to write.
///
/// # Errors
/// When the system starts no thread, or the output fails, as on a full disk.
#[cfg(feature = "engine")]
#[expect(clippy::disallowed_methods, reason = "the protocol is read by a program")]
pub(super) fn run_on_standard_streams(engine: Box<dyn Engine>) -> std::io::Result<Ending> {
    let (sender, closed) = crossbeam_channel::bounded(1);
    output_guard::watch(move || {
        // A session that has ended needs no message.
        let _ = sender.send(());
    })?;
    serve(engine, io::stdin(), io::stdout(), closed, End::OfProcess)
}

/// A session without threads: a line is answered before the next is taken, and searches run in the
/// caller's. Whoever cannot call meanwhile is asked through [`platform`](crate::platform).
///
/// ```
/// # #[cfg(feature = "barca")] {
/// use parlor::engine::{named, session::{State, Stepped}};
///
/// let barca = named("barca").expect("a game of that name");
/// let mut session = Stepped::new(barca, Vec::new());
/// assert_eq!(session.line(b"go infinite depth 1"), State::Held);
/// assert_eq!(session.line(b"stop"), State::Ready);
/// assert_eq!(session.line(b"quit"), State::Over);
/// # }
/// ```
pub struct Stepped(host::Stepped);

/// What a session waits for after a line.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum State {
    /// Any line.
    Ready,
    /// The line that lets it give the answer of a search: `stop` or `ponderhit`. Any other ends the
    /// search too.
    Held,
    /// Nothing: it has ended.
    Over,
}

impl Stepped {
    /// A session that begins in the UGI dialect.
    #[must_use]
    pub fn new(engine: Box<dyn Engine>, output: impl Write + Send + 'static) -> Self {
        Stepped(host::Stepped::new(engine, Box::new(Ugi::default()), output))
    }

    /// Acts on a line, which has no line end; the answers are written when this returns.
    pub fn line(&mut self, line: &[u8]) -> State {
        self.0.line(input::whole_line(line))
    }
}

fn serve(
    engine: Box<dyn Engine>,
    input: impl Read + Send + 'static,
    output: impl Write + Send + 'static,
    closed: Receiver<()>,
    end: End,
) -> std::io::Result<Ending> {
    let refused = host::serve(engine, Box::new(Ugi::default()), input, output, closed, end)?;
    Ok(if refused { Ending::Refusals } else { Ending::Quiet })
}
