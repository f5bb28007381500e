//! The language of the programs: text to values and back. No I/O, no games.
//!
//! What a game in progress looks like from outside are [`Turn`], [`Outcome`] and [`PositionLine`].
//! [`parse_line`] reads one line of input with a nom grammar; [`InfoLine`] is written by an engine;
//! [`engine_output`] reads what an engine prints; [`Code`] lists the kinds of refusal.
//! `protocol-spec.md` is the authority for both directions.
//!
//! ```
//! use parlor::protocol::{Command, parse_line};
//!
//! let line = parse_line("position startpos moves e2e4 e9e6");
//! let Some(Ok(Command::Position(position))) = line.command else { panic!() };
//! assert_eq!(position.moves, ["e2e4", "e9e6"]);
//! ```

mod command;
mod comment;
pub mod engine_output;
mod error;
mod grammar;
mod info;
mod outcome;
mod position_line;
mod reason;
pub(crate) mod reply;
mod turn;
#[cfg(feature = "engine")]
pub(crate) mod xboard;

pub use command::{Command, Dialect, GoArguments, ParsedLine, PositionArgument, Root};
pub use comment::without_comment;
pub use error::{Code, ProtocolError};
pub use grammar::{command_word, parse_line};
pub use info::{Bound, Info, InfoLine, Score};
pub use outcome::{GameResult, Outcome, places};
pub use position_line::PositionLine;
pub use reason::reason_text;
pub use turn::{MAX_SEATS, Turn, seat_index, seat_name};
