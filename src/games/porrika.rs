//! Por'rika: two eggs must pass four birds of prey to reach the sacred waters.
//!
//! Copper has two Egg-Carriers and four Guardians, silver four Ser'ra. The board is made of
//! triangles. Pieces that face each other across a square are locked for the rest of the game.
//!
//! ```
//! use parlor::game::{Game, Notation, perft};
//! use parlor::games::porrika::{EndReason, Phase, Position};
//!
//! let mut position = Position::default();
//! assert_eq!(perft(&position, 3, true), Ok(367_920));
//! for token in ["EGGEG.G.", "a1na2e", "b6wb5e", "a2ea3n", "b5eb4s", "a3nb3w", "b4sb3e"] {
//!     let m = position.parse_move(token)?;
//!     assert!(position.is_legal(&m));
//!     position.play(&m);
//! }
//! assert_eq!(position.phase(), Phase::Over(EndReason::EggCaptured));
//! assert_eq!(position.to_string().parse(), Ok(position));
//!
//! let unplayable = Position::default().parse_move("pass")?;
//! let why = Position::default().explain_illegal(&unplayable);
//! assert!(why.starts_with("copper sets up first"));
//! # Ok::<(), parlor::game::NotationError>(())
//! ```

mod notation;
#[cfg(feature = "search")]
pub mod play;
mod rules;
#[cfg(feature = "search")]
pub mod solved;

#[cfg(feature = "search")]
pub use play::{EnginePlayer, Evaluation, Network};
pub use rules::{
    EndReason, Entry, Illegal, Kind, Move, Phase, Position, PositionError, RuleOptions, Side,
    Stuck, board,
};
