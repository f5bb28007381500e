//! One running engine: a session over any reader and writer, and subcommands for the shell.
//!
//! [`session::run`] speaks to an object-safe [`Engine`], of which [`GameEngine`] is the one
//! implementation, generic over the game. [`run`] is the whole program of a game.
//!
//! A session is a `host` (lines in, lines out, one job at a time) and a front end for the dialect
//! that the client speaks: `ugi` or `xboard`. [`session::Stepped`] is one without threads.
//!
//! ```
//! # #[cfg(feature = "barca")] {
//! use std::io::Cursor;
//! use std::sync::{Arc, Mutex};
//!
//! use parlor::engine::{GameEngine, session};
//! use parlor::games::barca::Position;
//!
//! /// Keeps what the session writes.
//! #[derive(Clone, Default)]
//! struct Kept(Arc<Mutex<Vec<u8>>>);
//!
//! impl std::io::Write for Kept {
//!     fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
//!         self.0.lock().unwrap().write(bytes)
//!     }
//!     fn flush(&mut self) -> std::io::Result<()> {
//!         Ok(())
//!     }
//! }
//!
//! let input = Cursor::new("position startpos moves e2e4\nquery turn\nquit\n");
//! let output = Kept::default();
//! let ending = session::run(Box::new(GameEngine::<Position>::new()), input, output.clone())?;
//! assert_eq!(ending, session::Ending::Quiet);
//! assert_eq!(*output.0.lock().unwrap(), b"response p2\n");
//! # }
//! # Ok::<(), std::io::Error>(())
//! ```

#[cfg(feature = "engine")]
mod cli;
mod clock;
mod current_position;
#[cfg(feature = "engine")]
mod demo;
#[cfg(feature = "engine")]
mod exit;
#[cfg(feature = "engine")]
mod explore;
mod formatting;
mod game_engine;
mod help;
mod host;
pub mod in_progress;
mod input;
mod interface;
mod loaded;
#[cfg(feature = "engine")]
mod logging;
mod measurements;
#[cfg(feature = "engine")]
mod one_shot;
mod options;
mod output;
mod picture;
mod query;
mod referee;
#[cfg(feature = "engine")]
mod selfplay;
pub mod session;
mod teaching;
mod ugi;
#[cfg(feature = "engine")]
mod xboard;

#[cfg(feature = "engine")]
use std::ffi::OsString;
#[cfg(feature = "engine")]
use std::process::ExitCode;

pub use game_engine::GameEngine;
pub use interface::{Answer, BenchResult, Engine, Message, MoveCounts, SetError};
pub use options::all as declared_options;

use crate::games::{GameVisitor, Playable, with_game};
#[cfg(feature = "engine")]
use crate::games::{Subcommand, for_each_game};

/// The engine of the game of that name; `None` if there is no such game.
#[must_use]
pub fn named(name: &str) -> Option<Box<dyn Engine>> {
    struct Made;
    impl GameVisitor for Made {
        type Output = Box<dyn Engine>;
        fn visit<G: Playable>(self) -> Box<dyn Engine> {
            Box::new(GameEngine::<G>::new())
        }
    }
    with_game(name, Made)
}

/// A referee of the game of that name: an engine that plays no moves, and has no network.
#[must_use]
pub fn referee_named(name: &str) -> Option<Box<dyn Engine>> {
    struct Made;
    impl GameVisitor for Made {
        type Output = Box<dyn Engine>;
        fn visit<G: Playable>(self) -> Box<dyn Engine> {
            Box::new(referee::Referee::<G>::new())
        }
    }
    with_game(name, Made)
}

/// Runs the program of one game, with subcommands that only this game has: its command line, then
/// its session.
#[cfg(feature = "engine")]
#[must_use]
pub fn run<G: Playable>(subcommands: &[Subcommand]) -> ExitCode {
    cli::main::<G>(subcommands, std::env::args_os().collect())
}

#[cfg(feature = "engine")]
macro_rules! programs {
    ($($feature:literal $module:ident [$($subcommand:path),*],)*) => {
        /// The programs of the games. They are no generic functions, so that they are compiled once,
        /// here, and not in every program that calls them.
        pub mod programs {
            use std::ffi::OsString;
            use std::process::ExitCode;

            $(
                #[cfg(feature = $feature)]
                #[doc = concat!("Runs the program `", $feature, "`; its name is the first argument.")]
                #[must_use]
                #[inline(never)]
                pub fn $module(arguments: Vec<OsString>) -> ExitCode {
                    let own = [$($subcommand()),*];
                    super::cli::main::<crate::games::$module::Position>(&own, arguments)
                }
            )*
        }

        /// Runs the program of the game of that name, as `parlor engine NAME` does; `None` if there
        /// is no such game.
        #[must_use]
        pub fn run_named(name: &str, arguments: Vec<OsString>) -> Option<ExitCode> {
            $(
                #[cfg(feature = $feature)]
                if name == <crate::games::$module::Position as Playable>::NAME {
                    return Some(programs::$module(arguments));
                }
            )*
            let _ = (name, arguments);
            None
        }
    };
}

#[cfg(feature = "engine")]
for_each_game!(programs);
