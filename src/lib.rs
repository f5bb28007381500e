//! Parlor: engines for five board games that speak one line protocol.
//!
//! The map, arrows pointing one way:
//!
//! - [`game`]: what a game is. Knows no protocol and no search.
//! - [`search`]: drivers, generic over the traits of `game`.
//! - [`games`]: the one list of games; a folder each with rules, notation, evaluation, players.
//! - [`learning`]: recorded games, training, networks and their files. Knows no game.
//! - [`machine`]: which instructions the processor has; knows nothing else.
//! - [`protocol`]: text to values and back. No I/O, no games.
//! - [`engine`]: one running engine, a session over any reader and writer; one-shot words.
//! - [`statistics`]: scores, intervals, sequential tests; for runner and self-play.
//! - [`manual`]: completions and man pages, for every program.
//! - [`runner`]: `parlor match` and its kin. Talks protocol to processes; imports no game, no search.

#[cfg(feature = "engine")]
pub mod engine;
pub mod game;
pub mod games;
#[cfg(feature = "search")]
pub mod learning;
pub mod machine;
#[cfg(feature = "engine")]
pub mod manual;
#[cfg(feature = "engine")]
pub mod protocol;
#[cfg(feature = "runner")]
pub mod runner;
#[cfg(feature = "search")]
pub mod search;
#[cfg(feature = "search")]
pub mod statistics;
