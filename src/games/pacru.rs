//! Pacru: chevrons that claim a board of nine borderlands, for two, three or four players.
//!
//! ```
//! use parlor::game::{Game, Notation, Seat};
//! use parlor::games::pacru::{Direction, Field, Position};
//!
//! // The start for two players. A crossing into another borderland claims a field there.
//! let mut position = Position::default();
//! let crossing = position.parse_move("a3-b4(b4)").unwrap();
//! assert!(position.is_legal(&crossing));
//! position.play(&crossing);
//! assert_eq!(position.turn().to_string(), "p2");
//!
//! // The chevron now stands on its own marker, facing north-east.
//! let (p1, b4) = (Seat::new(0), Field::parse("b4").unwrap());
//! assert_eq!(position.marker(b4), Some(p1));
//! assert_eq!(position.chevron(b4), Some((p1, Direction::parse("NE").unwrap())));
//! assert!(position.chevrons(p1).contains(&b4));
//! assert_eq!((position.markers(p1), position.power(p1, b4)), (1, 1));
//!
//! // The claim is compulsory, and an illegal move names the rule it breaks.
//! let start = Position::default();
//! let silent = start.parse_move("a3-b4").unwrap();
//! assert!(start.check(&silent).unwrap_err().to_string().starts_with("a gain is compulsory"));
//! ```

mod notation;
#[cfg(feature = "search")]
pub mod play;
mod rules;

#[cfg(feature = "search")]
pub use play::{Evaluation, SelectivePosition, SimpleEvaluation};
pub use rules::{
    ClaimError, Gain, IllegalMove, MeetingFieldError, Move, NoMeeting, Payment, Position, Rotation,
    RuleOptions, winning_markers,
};

pub use super::chevrons::{Direction, Field, SEATS};
