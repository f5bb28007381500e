//! Parlor: engines for seven board games that speak one line protocol.
//!
//! The rooms of the library; `docs/architecture.md` has the arrows between them:
//!
//! - [`game`]: what a game is. Knows no protocol and no search.
//! - [`search`]: drivers, generic over the traits of `game`; networks and their files.
//! - [`games`]: the list of games; a folder for each with rules, notation, play, solvers.
//! - [`machine`]: which instructions the processor has; knows nothing else.
//! - [`picture`]: a position as a picture, a move as steps; JSON and SVG.
//! - [`platform`]: what the system gives, and in a web page who loads the module.
//! - [`random`]: the one source of random numbers that play and protocol may depend on.
//! - [`reading`]: files that others wrote, read within bounds.
//! - [`protocol`]: text to values and back. No I/O, no games.
//! - [`engine`]: one running engine: sessions over any reader and writer, subcommands.
//! - [`statistics`]: scores, intervals, sequential tests; for runner and self-play.
//! - [`runner`]: `parlor match` and the other subcommands of `parlor`. Talks the protocol to
//!   processes; imports no game, no search.
//!
//! A game alone: its rules and its notation.
//!
//! ```
//! # #[cfg(feature = "barca")] {
//! use parlor::game::{Game, Notation};
//! use parlor::games::barca::Position;
//!
//! let mut position = Position::default();
//! assert_eq!(position.count_moves(), 38);
//! let m = position.parse_move("e2e4")?;
//! assert!(position.is_legal(&m));
//! position.play(&m);
//! assert_eq!(position.to_string(), "4ee4/3lmml3/10/10/10/10/4M5/10/3L1ML3/4EE4 b");
//! # }
//! # Ok::<(), parlor::game::NotationError>(())
//! ```
//!
//! # Features
//!
//! | feature | what it adds |
//! |---|---|
//! | `barca` `pacru` `shacru` `azacru` `barbarossa` `chowka-bhara` `porrika` | a game: its rules and its notation |
//! | `all-games` | all of them |
//! | `search` | the search drivers; of each chosen game its evaluation and its players |
//! | `picture` | positions as pictures, moves as steps, SVG |
//! | `session` | `search`, `picture`, the protocol, sessions: what an engine in a web page needs |
//! | `engine` | `session`, subcommands, solvers: what a game's program needs |
//! | `runner` | `engine`, the program `parlor`: matches, ratings, conformance, suites, play at the terminal |
//! | `household` | `session`, the board of a household without sockets, threads and processes: what a board in a web page needs |
//! | `board` | `runner`, `household`, the subcommand `parlor board`: the games in a browser |
//!
//! The default is all of them. For the rules of one game:
//! `parlor = { version = "0.2", default-features = false, features = ["barca"] }`.

#![warn(unreachable_pub, clippy::must_use_candidate)]
// They panic on a full disk: `printing` does not.
#![cfg_attr(not(test), warn(clippy::print_stdout, clippy::print_stderr))]

/// The examples of the README are tested with those of the library.
#[cfg(all(doctest, feature = "barca"))]
#[doc = include_str!("../README.md")]
struct Readme;

#[cfg(feature = "session")]
pub mod engine;
#[cfg(feature = "engine")]
pub mod files;
#[cfg(feature = "session")]
pub mod free_memory;
pub mod game;
pub mod games;
pub mod machine;
#[cfg(feature = "engine")]
mod manual;
#[cfg(feature = "engine")]
pub mod markdown;
#[cfg(feature = "engine")]
pub mod output_guard;
#[cfg(feature = "picture")]
pub mod picture;
#[cfg(feature = "search")]
pub mod platform;
pub mod printing;
#[cfg(feature = "engine")]
pub mod progress;
#[cfg(feature = "session")]
pub mod protocol;
pub mod random;
#[cfg(feature = "search")]
pub mod reading;
#[cfg(any(feature = "runner", feature = "household"))]
pub mod runner;
#[cfg(feature = "search")]
pub mod search;
#[cfg(feature = "search")]
pub mod statistics;
