//! Chowka bhara, the race game of cowrie shells: two to four seats, boards of 5 x 5 to 11 x 11.
//!
//! A turn is one or more throws (chance tokens) and then one play: all values of the turn, moved by
//! one or several pawns. [`Position`] holds the rules, [`Move`] is a throw or a play.

mod careful;
mod diagram;
mod evaluate;
mod field;
mod generate;
mod geometry;
mod moves;
mod network;
mod notation;
mod play;
mod players;
mod position;
mod reliability;
mod rule_options;
pub mod solver;
mod train;
mod validate;
mod words;

pub use evaluate::{Evaluation, shares};
pub use moves::{MAX_THROWS, Move, Play, Step};
pub use position::Position;
pub use rule_options::{DoubleBlock, DoubleMove, Gate, Variant};
