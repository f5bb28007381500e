//! Pacru: chevrons that claim a board of nine borderlands, for two, three or four players.
//!
//! ```
//! use parlor::game::{Game, Notation};
//! use parlor::games::pacru::{Field, Position};
//!
//! // The start for two players. A crossing into another borderland claims a field there.
//! let mut position = Position::default();
//! let crossing = position.parse_move("a3-b4(b4)").unwrap();
//! assert!(position.is_legal(&crossing));
//! position.play(&crossing);
//! assert_eq!(position.turn().to_string(), "p2");
//! assert_eq!(position.marker(Field::parse("b4").unwrap()).unwrap().to_string(), "p1");
//!
//! // The claim is compulsory, and an illegal move names the rule it breaks.
//! let start = Position::default();
//! let silent = start.parse_move("a3-b4").unwrap();
//! assert!(start.check(&silent).unwrap_err().to_string().starts_with("a gain is compulsory"));
//! ```

#[cfg(feature = "learning")]
mod learn;
mod notation;
#[cfg(feature = "search")]
mod play;
mod rules;
#[cfg(feature = "engine")]
mod subcommands;

#[cfg(feature = "search")]
pub use play::{Evaluation, SelectivePosition, SimpleEvaluation};
pub use rules::{
    BORDERLANDS, CHEVRONS, ClaimError, Direction, FIELDS, Field, Gain, IllegalMove,
    MeetingFieldError, Move, NoMeeting, Payment, Position, Rotation, RuleOptions, SEATS,
    chevrons_each, winning_markers,
};
