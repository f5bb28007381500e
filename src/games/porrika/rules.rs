//! The rules of Por'rika and nothing else: no text, no evaluation.
//!
//! - [`board`]: the triangles and what follows from their geometry.
//! - `position`: pieces, side to move, phase, key; making changes.
//! - `options`: the rule options. `validate`: which positions are possible.
//! - `moves`: what a move is. `generate`: listing, counting, choosing at random, playing.
//! - `legality`: whether a move is legal, and which rule it breaks.
//! - `game`: the traits of [`crate::game`].

pub mod board;
mod game;
mod generate;
mod legality;
mod moves;
mod options;
mod position;
mod validate;

pub use legality::Illegal;
pub use moves::Move;
pub use options::{Entry, RuleOptions, Stuck};
pub use position::{EndReason, Kind, Phase, Position, Side};
pub use validate::PositionError;
