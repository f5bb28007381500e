//! The rules and nothing else: no text, no search.
//!
//! [`position`] holds a position and its primitive changes, [`turn`] who moves next; [`generate`]
//! lists landings, [`gains`] the moves of a landing, [`rotations`] the rotations; [`legality`]
//! decides on one move and [`game`] implements the traits of [`crate::game`].

mod board;
mod cell;
mod gains;
mod game;
mod generate;
mod keys;
mod legality;
mod moves;
mod options;
mod position;
mod rotations;
mod start;
mod turn;
mod validate;

#[cfg(any(feature = "search", feature = "picture"))]
pub(super) use board::BORDERLANDS;
pub use board::{Direction, Field, SEATS};
#[cfg(feature = "search")]
pub(super) use board::{count, fields_in};
#[cfg(feature = "search")]
pub(super) use cell::CHEVRONS;
pub(super) use cell::Cell;
pub use legality::{ClaimError, IllegalMove, MeetingFieldError, NoMeeting};
#[cfg(feature = "picture")]
pub(super) use moves::Landing;
pub use moves::{Gain, Move, Payment, Rotation};
pub use options::RuleOptions;
pub(super) use position::chevrons_each;
pub use position::{Position, winning_markers};
pub(super) use rotations::choices;
