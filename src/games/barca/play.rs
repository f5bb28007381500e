//! How the engine plays: evaluation, hints to the search, players.
//!
//! - `network`: the evaluation, and its explanation.
//! - `hints`: move ordering, forced positions, wins in one move.
//! - `upcoming_repetition`: which move leads back to an earlier position.
//! - `players`: the values of option `Player`. `book`: the opening book.

mod book;
mod hints;
mod network;
mod players;
mod upcoming_repetition;

pub use book::{BookMove, line as book_line, mirrored};
pub use network::{HIDDEN, Network, SHAPE, bucket_of, input_of};
pub use players::searching;
