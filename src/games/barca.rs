//! Barca, the animals' game of three watering holes.
//!
//! Each side has two mice, two lions and two elephants that move like rooks, bishops and queens.
//! Nothing is captured; an animal shuns the neighbourhood of the enemies it fears, and three own
//! animals on watering holes win.
//!
//! ```
//! use parlor::game::{Game, Notation, Rules, perft};
//! use parlor::games::barca::Position;
//!
//! let mut position = Position::start(&Position::default_rules(), None)?;
//! assert_eq!(perft(&position, 3, true), Ok(66_286));
//! let m = position.parse_move("e2e7")?;
//! assert!(position.is_legal(&m));
//! position.play(&m);
//! assert_eq!(position.to_string(), "4ee4/3lmml3/10/4M5/10/10/10/10/3L1ML3/4EE4 b");
//! # Ok::<(), parlor::game::NotationError>(())
//! ```

mod diagram;
mod evaluate;
mod hints;
mod illegal;
mod moves;
mod network;
mod notation;
mod players;
mod position;
mod prove;
mod record;
mod returns;
mod rules;
pub mod square;
mod tables;
mod train;
mod tune;
mod weights;

pub use evaluate::Terms;
pub use hints::Judge;
pub use moves::Move;
pub use network::Network;
pub use position::{ANIMALS, Position};
pub use prove::shortest_win;
pub use rules::START;
pub use square::{Kind, Set};
