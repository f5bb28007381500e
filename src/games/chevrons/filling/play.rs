//! How Shacru and Azacru are played: evaluation, hints to the search, players.

mod bounds;
mod evaluation;
mod hints;
mod players;
mod race;

pub use evaluation::{Evaluation, Markers};
pub use players::EnginePlayer;
