//! One running engine: a session over any reader and writer, and one-shot words for the shell.
//!
//! [`session::run`] speaks to an object-safe [`Engine`], of which [`GameEngine`] is the one
//! implementation, generic over the game. [`run`] is the whole program of a game.

mod cli;
mod clock;
mod help;
mod input;
mod instance;
mod interface;
mod loaded;
mod logging;
mod options;
mod output;
mod query;
mod selfplay;
pub mod session;
mod wording;
mod words;

use std::ffi::OsString;
use std::process::ExitCode;

pub use instance::GameEngine;
pub use interface::{Answer, Benched, Engine, Said, SetError};

use crate::games::{GameVisitor, Playable, with_game};

/// Runs the program of one game: its command line, then its session.
pub fn run<G: Playable>() -> ExitCode {
    cli::main::<G>()
}

/// The same with given arguments, the program's name first.
pub fn run_with<G: Playable>(arguments: Vec<OsString>) -> ExitCode {
    cli::main_with::<G>(arguments)
}

/// Runs the program of the game of that name, as `parlor engine NAME` does; `None` if there is no
/// such game.
pub fn run_named(name: &str, arguments: Vec<OsString>) -> Option<ExitCode> {
    struct Run(Vec<OsString>);
    impl GameVisitor for Run {
        type Output = ExitCode;
        fn visit<G: Playable>(self) -> ExitCode {
            run_with::<G>(self.0)
        }
    }
    with_game(name, Run(arguments))
}
