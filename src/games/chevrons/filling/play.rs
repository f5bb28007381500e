//! How Shacru and Azacru are played: evaluation, hints to the search, players.

mod bounds;
mod endings;
mod evaluation;
mod hints;
mod network;
mod players;
mod race;
mod walk;

pub use bounds::final_lead;
pub use endings::ending_result;
pub use evaluation::{Evaluation, Markers};
pub use players::EnginePlayer;
