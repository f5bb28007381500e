//! The language of the programs: text to values and back. No I/O, no games.
//!
//! [`parse_line`] reads one line of input with a nom grammar; [`reply`] writes and reads the lines
//! an engine answers; [`error`] holds the codes of every refusal. `protocol-spec.md` is the
//! authority for both directions.
//!
//! ```
//! use parlor::protocol::{Command, parse_line};
//!
//! let line = parse_line("position startpos moves e2e4 e9e6");
//! let Some(Ok(Command::Position(position))) = line.command else { panic!() };
//! assert_eq!(position.moves, ["e2e4", "e9e6"]);
//! ```

pub mod command;
pub mod engine_output;
pub mod error;
mod grammar;
pub mod reply;
pub mod xboard;

pub use command::{Command, Dialect, GoArguments, ParsedLine, PositionArgument, Root, parse_line};
pub use error::{Code, ProtocolError};
pub use reply::{Bound, InfoLine, ScoreText};
