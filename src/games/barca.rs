//! Barca, the animals' game of four watering holes.
//!
//! Each side has two mice, two lions and two elephants that move like rooks, bishops and queens.
//! Nothing is captured. An animal is afraid next to the enemies it fears and must escape if it can;
//! three own animals on watering holes win.
//!
//! ```
//! use parlor::game::{Game, Notation, perft};
//! use parlor::games::barca::Position;
//!
//! let mut position = Position::default();
//! assert_eq!(perft(&position, 3, true), Ok(66_286));
//! let m = position.parse_move("e2e7")?;
//! assert!(position.is_legal(&m));
//! position.play(&m);
//! assert_eq!(position.to_string(), "4ee4/3lmml3/10/4M5/10/10/10/10/3L1ML3/4EE4 b");
//!
//! let blocked = position.parse_move("e9e6")?;
//! let reason = position.check(&blocked).unwrap_err();
//! assert_eq!(reason.to_string(), "the mouse on e9 cannot jump over White's mouse on e7");
//! # Ok::<(), parlor::game::NotationError>(())
//! ```

mod notation;
#[cfg(feature = "search")]
pub mod play;
mod rules;

pub use notation::START;
#[cfg(feature = "search")]
pub use play::Network;
pub use rules::{
    ANIMALS, Animal, HOLES, IllegalMove, Kind, Move, NO_SQUARE, Position, SIZE, SQUARES, SquareSet,
    file_of, rank_of, square, square_name,
};
