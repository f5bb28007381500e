//! How the engine plays: evaluation, hints to the search, players.
//!
//! - `distance`: moves between spaces on an empty board.
//! - `features`: what the evaluation counts. `weights`: what each count is worth.
//! - `network`: what the network sees, and the accumulators of its views.
//! - `evaluation`: the weighted sum, the network, and their explanation.
//! - `hints`: move ordering, forced replies, exact values for the search.
//! - `players`: the values of option `Player`.

pub mod distance;
mod evaluation;
pub mod features;
mod hints;
pub mod network;
mod players;
mod weights;

pub use evaluation::Evaluation;
pub use network::Network;
pub use players::EnginePlayer;
