//! A session: lines in, lines out, one search at a time.
//!
//! It begins in the UGI dialect; the command `xboard` hands it over to XBoard's front end.

use std::io::{BufRead, Write};

use super::host;
use super::interface::Engine;
use super::ugi::Ugi;

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
/// When the system starts no thread.
pub fn run(
    engine: Box<dyn Engine>,
    input: impl BufRead + Send + 'static,
    output: impl Write + Send + 'static,
) -> std::io::Result<Ending> {
    let refused = host::serve(engine, Box::new(Ugi::default()), input, output)?;
    Ok(if refused { Ending::Refusals } else { Ending::Quiet })
}
