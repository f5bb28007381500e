//! Matches between processes.
//!
//! `parlor match` knows no game: it talks the protocol to engine processes, and one more process,
//! the referee, says what the rules are.

pub mod adjudication;
pub mod check;
pub mod client;
mod command;
pub mod conduct;
pub mod display;
pub mod fault;
pub mod interrupt;
pub mod limits;
pub mod log;
pub mod luck;
pub mod meetings;
pub mod merge;
pub mod openings;
pub mod options;
pub mod person;
pub mod play;
pub mod process;
pub mod rate;
pub mod record;
pub mod replay;
pub mod schedule;
pub mod setup;
pub mod show;
pub mod specification;
pub mod standings;
pub mod suite;
pub mod suite_file;
pub mod table;

pub use command::{RunEngine, main};
