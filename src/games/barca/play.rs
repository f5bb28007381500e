//! How the engine plays: evaluations, hints to the search, players.
//!
//! - `network`: the evaluation of the engine. `terms`: the hand-written one, with its `weights`.
//! - `evaluation`: what both have in common, and their explanation.
//! - `hints`: move ordering, forced positions, wins in one move.
//! - `upcoming_repetition`: which move leads back to an earlier position.
//! - `players`: the values of option `Player`. `book`: the opening book.

mod book;
mod evaluation;
mod hints;
mod network;
mod players;
mod terms;
mod upcoming_repetition;
mod weights;

pub use evaluation::Evaluation;
pub use network::Network;
pub use terms::Terms;

#[cfg(feature = "learning")]
pub(super) use book::{BookMove, line as book_line, mirrored};
#[cfg(feature = "learning")]
pub(super) use network::{HIDDEN, SHAPE, bucket_of, input_of};
#[cfg(feature = "learning")]
pub(super) use players::searching;
#[cfg(feature = "learning")]
pub(super) use terms::{counts, term};
#[cfg(feature = "learning")]
pub(super) use weights::INITIAL;
#[cfg(all(test, feature = "learning"))]
pub(super) use weights::WEIGHTS;
