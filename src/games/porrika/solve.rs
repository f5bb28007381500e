//! Exact values: positions without a free Ser'ra, and endgame tablebases.
//!
//! - `egg_run`: no Ser'ra can move, so the value follows from shortest paths.
//! - [`tablebase`]: two eggs and a Guardian against one Ser'ra, by retrograde analysis.
//! - `cache`: the tablebase of a game in progress, generated in the background.
//! - `command`: the subcommand `solve`.

#[cfg(feature = "engine")]
mod cache;
#[cfg(feature = "engine")]
mod command;
mod egg_run;
#[cfg(feature = "engine")]
mod tablebase;

#[cfg(feature = "engine")]
pub(super) use cache::TablebaseCache;
#[cfg(feature = "engine")]
pub(super) use command::subcommand;
#[cfg(feature = "engine")]
pub use tablebase::{
    Census, Mismatch, NoTablebase, SolveError, Tablebase, TablebaseError, Verdict,
};
