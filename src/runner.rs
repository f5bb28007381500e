//! `parlor`: matches between engine processes, and what belongs to them.
//!
//! Nothing here knows a game: the runner talks the protocol to engine processes, and one more
//! process, the referee, says what the rules are.
//!
//! - `process`: one engine process, the client that talks to it, limits, faults, Ctrl-C;
//! - `tournament`: matches, their records, and what is computed from records;
//! - `check`: whether an engine keeps the protocol;
//! - `suite`: positions with known answers;
//! - `human`: a game at the terminal;
//! - `board`: games in a browser;
//! - `inputs`: what is read from files, for the fuzz targets;
//! - `key`: the key of a match and the seeds that follow from it;
//! - `command`: the command line; `output`: printing, shared by all.

#[cfg(feature = "board")]
pub mod board;
mod build_report;
mod check;
mod command;
mod human;
#[doc(hidden)]
pub mod inputs;
mod key;
mod lock;
mod output;
mod process;
mod referee;
mod suite;
mod tournament;

pub use command::{RunEngine, main};
pub use process::{Fault, FaultKind, set_own_program};
pub use tournament::record;
