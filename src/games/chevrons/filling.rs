//! What Shacru and Azacru share beyond the board: every move fills the field where it ends, and the
//! most markers win. A [`Kind`] says which of the two it is.

mod notation;
#[cfg(feature = "picture")]
mod picture;
#[cfg(feature = "search")]
pub mod play;
mod reach;
mod rules;

pub use rules::{IllegalMove, Move, Position, Twist};

use std::fmt::Debug;
use std::hash::Hash;

#[cfg(feature = "search")]
use super::network::Judgement;
#[cfg(feature = "search")]
use crate::search::Ladder;

/// Which game is played.
pub trait Kind: Copy + Eq + Hash + Debug + Default + Send + Sync + 'static {
    /// The name of the program.
    const NAME: &'static str;
    /// The title of the game.
    const TITLE: &'static str;
    /// The short rules.
    const SHORT_RULES: &'static str;
    /// The course for newcomers.
    #[cfg(feature = "search")]
    const LESSONS: &'static str;
    /// The puzzles, a line each.
    #[cfg(feature = "search")]
    const PUZZLES: &'static str;
    /// Whether chevrons have power: they go as many fields as their player has markers in the
    /// borderland, jump and connect, and the first player who cannot move starts the last round. Else
    /// they go one field, and the game ends when nobody can gain any more.
    const POWER: bool;
    /// The networks that the engine plays with.
    #[cfg(feature = "search")]
    fn judgement() -> Judgement<Position<Self>>;
    /// The levels of the engine.
    #[cfg(feature = "search")]
    const LADDER: Ladder;
    /// The positions and depths of `bench`.
    #[cfg(feature = "search")]
    const BENCH: &'static [(&'static str, &'static str, u32)];
}
