//! Chowka bhara, the race game of cowrie shells: two to four seats, boards of 5 x 5 to 11 x 11.
//!
//! A turn is one or more throws (chance moves) and then one play: all values of the turn, moved by
//! one or several pawns. [`Position`] holds the rules, [`Move`] is a throw or a play.
//!
//! ```
//! use parlor::game::{Game, Notation};
//! use parlor::games::chowka_bhara::Position;
//!
//! // South has thrown 4 and 1, and has a pawn on e1; North has one on e2.
//! let mut position: Position = "2.0.0.0/-/11.0.0.0/- S - - 4+1".parse()?;
//! assert_eq!(position.count_moves(), 6);
//! // The 1 hits on e2 and opens South's gate; the same pawn continues with the 4.
//! let m = position.parse_move("e1e2,e2d5")?;
//! assert!(position.is_legal(&m));
//! position.play(&m);
//! assert_eq!(position.to_string(), "0.0.0.7/-/0.0.0.0/- N S - -");
//! assert!(position.turn().is_chance());
//! # Ok::<(), parlor::game::NotationError>(())
//! ```

mod notation;
#[cfg(feature = "search")]
pub mod play;
mod rules;
#[cfg(feature = "engine")]
pub mod solved;

#[cfg(feature = "search")]
pub use play::Evaluation;
pub use rules::{
    DoubleBlock, DoubleMove, Gate, MAX_THROWS, Move, Play, Position, RuleOptions, Step,
};
