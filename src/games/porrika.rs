//! Por'rika: two eggs to be brought home past four birds of prey.
//!
//! - [`board`]: the triangles, by formula: across, reach, goals, starts.
//! - [`position`]: a position, the rules in force, and how it stands.
//! - [`moves`]: moves, their generator, legality.
//! - [`rules`]: the traits of a game.
//! - [`notation`] and [`diagram`]: text.

pub mod board;
mod diagram;
mod explain;
mod moves;
mod notation;
mod position;
mod rules;

pub use moves::Move;
pub use position::{Ending, Entry, Kind, Phase, Position, RuleSet, Side, Stuck};
