//! One running engine: a session over any reader and writer, and one-shot words for the shell.

use std::process::ExitCode;

use crate::games::Playable;

/// Runs the program of one game: its command line, then its session.
pub fn run<G: Playable>() -> ExitCode {
    ExitCode::SUCCESS
}
