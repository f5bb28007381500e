//! The rules: positions, moves, whose turn it is, and the end.

mod game;
mod legality;
mod moves;
mod position;
mod validate;

pub use legality::IllegalMove;
pub use moves::{Move, Twist};
pub use position::Position;
pub(super) use position::longest_idle;
