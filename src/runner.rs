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

#![cfg_attr(
    not(feature = "runner"),
    allow(
        dead_code,
        unused_imports,
        unreachable_pub,
        reason = "a household needs a part of what a match does"
    )
)]

#[cfg(feature = "household")]
pub mod board;
#[cfg(feature = "runner")]
mod build_report;
#[cfg(feature = "runner")]
mod check;
#[cfg(feature = "runner")]
mod command;
#[cfg(feature = "runner")]
mod human;
#[cfg(feature = "runner")]
#[doc(hidden)]
pub mod inputs;
mod key;
#[cfg(feature = "runner")]
mod lock;
#[cfg(feature = "runner")]
mod output;
mod process;
mod referee;
#[cfg(feature = "runner")]
mod suite;
mod tournament;

#[cfg(feature = "runner")]
pub use command::{RunEngine, main};
pub use process::{Fault, FaultKind, set_own_program};
pub use tournament::record;
