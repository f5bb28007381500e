//! Recorded games: what trainings read.
//!
//! - [`games`]: games as text, one a line, with what the search said of each move.
//! - [`scored`]: such games of two seats, where the search says a score.
//! - [`chunks`]: many games as numbered files, shared among machines and resumed.
//! - [`self_play`]: games of an engine against itself.

pub mod chunks;
pub mod games;
pub mod scored;
pub mod self_play;
