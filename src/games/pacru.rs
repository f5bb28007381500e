//! Pacru: chevrons that claim a board of nine borderlands, for two, three or four players.
//!
//! ```
//! use parlor::game::{Game, Notation, Rules};
//! use parlor::games::pacru::Position;
//!
//! let mut position = Position::start(&Position::default_rules(), None).unwrap();
//! let crossing = position.parse_move("a3-b4(b4)").unwrap();
//! assert!(position.is_legal(&crossing));
//! position.play(&crossing);
//! assert_eq!(position.turn().to_string(), "p2");
//! ```

mod board;
mod diagram;
mod evaluate;
mod features;
mod focus;
mod hints;
mod legality;
mod list;
mod moves;
mod notation;
mod players;
mod playouts;
mod position;
mod record;
mod rules;
mod survey;
mod tokens;
mod tune;
mod weights;
mod worth;

pub use board::{BORDERLANDS, Direction, FIELDS, Field};
pub use evaluate::{Evaluation, Simple};
pub use focus::Focus;
pub use legality::Fault;
pub use moves::{Gain, Move, Payment, Rotation};
pub use position::{CHEVRONS, Position, SEATS, Variant, chevrons_each, winning_markers};
