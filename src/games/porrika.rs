//! Por'rika: two eggs to be brought home past four birds of prey.
//!
//! - [`board`]: the triangles, by formula: across, reach, goals, starts.
//! - `position`: a position, the rules in force, and how it stands.
//! - `moves`: moves, their generator, legality.
//! - `rules`: the traits of a game.
//! - `notation` and `diagram`: text.

pub mod board;
mod diagram;
mod distance;
mod egg_run;
pub mod ending;
mod evaluation;
mod explain;
mod hints;
mod moves;
mod notation;
mod players;
mod position;
mod rules;
mod shelf;
mod solve;
mod tune;
mod weights;

pub use evaluation::{Distance, Evaluation, Weights};
pub use moves::Move;
pub use players::Engine;
pub use position::{Ending, Entry, Kind, Phase, Position, RuleSet, Side, Stuck};
