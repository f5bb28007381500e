//! The rules and nothing else: no text, no search.
//!
//! - `board`: squares, kinds of animals, sets of squares. `tables`: lines, neighbours, keys.
//! - `position`: who stands where, and what a move changes.
//! - `moves`: what a move is. `generate`: which moves are legal.
//! - `legality`: whether one move is legal, and which rule it breaks.
//! - `game`: the traits of [`crate::game`].

mod board;
mod game;
mod generate;
mod legality;
mod moves;
mod position;
mod tables;

#[cfg(feature = "search")]
pub(super) use board::HOLE_SET;
pub use board::{
    HOLES, Kind, NO_SQUARE, SIZE, SQUARES, SquareSet, file_of, rank_of, square, square_name,
};
#[cfg(feature = "search")]
pub(super) use generate::Targets;
pub use legality::{Animal, IllegalMove};
pub use moves::Move;
pub use position::{ANIMALS, Position};
#[cfg(feature = "search")]
pub(super) use tables::{ANIMAL_KEYS, BLACK_KEY, at};
