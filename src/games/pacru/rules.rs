//! The rules and nothing else: no text, no search.
//!
//! [`position`] holds a position and its primitive changes, [`turn`] who moves next; [`generate`]
//! lists landings, [`gains`] the moves of a landing, [`rotations`] the rotations; [`legality`]
//! decides on one move and [`game`] implements the traits of [`crate::game`].

mod gains;
mod game;
mod generate;
mod legality;
mod moves;
mod options;
mod position;
mod rotations;
mod turn;
mod validate;

pub use legality::{ClaimError, IllegalMove, MeetingFieldError, NoMeeting};
#[cfg(any(feature = "picture", feature = "search"))]
pub(super) use moves::Landing;
pub use moves::{Gain, Move, Payment, Rotation};
pub use options::RuleOptions;
pub use position::{Position, winning_markers};
pub(super) use rotations::choices;
