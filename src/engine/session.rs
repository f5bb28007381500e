//! A session: lines in, lines out, one search at a time.
//!
//! It begins in the UGI dialect; the command `xboard` hands it over to XBoard's front end.

use std::io::{self, Read, Write};

use crossbeam_channel::Receiver;

use super::host::{self, End};
use super::interface::Engine;
use super::ugi::Ugi;
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
#[expect(clippy::disallowed_methods, reason = "the protocol is read by a program")]
pub(super) fn run_on_standard_streams(engine: Box<dyn Engine>) -> std::io::Result<Ending> {
    let (sender, closed) = crossbeam_channel::bounded(1);
    output_guard::watch(move || {
        // A session that has ended needs no message.
        let _ = sender.send(());
    })?;
    serve(engine, io::stdin(), io::stdout(), closed, End::OfProcess)
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
