//! Play: `evaluation` gives probabilities of first place, by the `network` and its `features` or by
//! the hand-written `heuristic`; `players` lists the players, `rule_player` are those without
//! search,
//! `table` is the engine with a solved table.

mod evaluation;
mod features;
mod heuristic;
mod network;
mod players;
mod rule_player;
mod search_player;
#[cfg(feature = "engine")]
mod table;

pub use evaluation::{Evaluation, win_probabilities};
pub use features::{AllFeatures, Features, Seating, all_features, features};
pub use network::{NARROW, Network, WIDE, strength_of, sums_of};
