//! The rules: `board` has the paths, `position` the state, `moves` the move types, `turn_state` one
//! turn in progress, `remaining` the values left to play, `generate` the legal plays, `legality`
//! why a move is illegal, `turn` makes plays, `validate` says which positions are possible,
//! `options` has the rule options, `keys` the hash keys, `game` the traits.

mod board;
mod game;
mod generate;
mod keys;
mod legality;
mod moves;
mod options;
mod position;
mod remaining;
mod turn;
mod turn_state;
mod validate;

pub use moves::{MAX_THROWS, Move, Play, Step};
#[cfg(feature = "engine")]
pub(crate) use options::PAWNS;
pub use options::{DoubleBlock, DoubleMove, Gate, RuleOptions};
pub use position::Position;

#[cfg(feature = "search")]
pub(super) use board::MAX_CELLS;
pub(super) use board::{Geometry, MAX_PAWNS, SIDES};
pub(super) use legality::{IllegalMove, IllegalPlay};
pub(super) use turn_state::StepError;
#[cfg(feature = "picture")]
pub(super) use turn_state::TurnState;
pub(super) use validate::{Impossible, Setup, ThrowError};
