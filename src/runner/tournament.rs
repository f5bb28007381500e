//! Matches, their records, and what is computed from records.
//!
//! A match goes one way: [`options::MatchOptions`] (command line and config file), then
//! [`plan::MatchPlan`] (validated), then [`setup::Setup`] (after a trial of every engine), then
//! games in [`slot::GameSlot`]s, then [`record::Record`]s and [`standings::Standings`].

#[cfg(feature = "runner")]
mod adjudication;
#[cfg(feature = "runner")]
pub(in crate::runner) mod balance;
#[cfg(feature = "runner")]
mod balance_chart;
#[cfg(feature = "runner")]
mod chart;
#[cfg(feature = "runner")]
mod copies;
#[cfg(feature = "runner")]
mod doubles;
#[cfg(feature = "runner")]
pub(in crate::runner) mod draw;
#[cfg(feature = "runner")]
mod game_text;
#[cfg(feature = "runner")]
pub(in crate::runner) mod luck;
#[cfg(feature = "runner")]
pub(in crate::runner) mod match_loop;
#[cfg(feature = "runner")]
pub(in crate::runner) mod merge;
#[cfg(feature = "runner")]
mod officials;
#[cfg(feature = "runner")]
mod open_files;
#[cfg(feature = "runner")]
pub(in crate::runner) mod openings;
#[cfg(feature = "runner")]
pub(in crate::runner) mod options;
#[cfg(feature = "runner")]
mod pairwise;
#[cfg(feature = "runner")]
pub(in crate::runner) mod pgn;
#[cfg(feature = "runner")]
mod plan;
#[cfg(feature = "runner")]
pub(in crate::runner) mod plot;
#[cfg(feature = "runner")]
mod progress;
#[cfg(feature = "runner")]
pub(in crate::runner) mod rate;
#[cfg(feature = "runner")]
mod rating_chart;
pub mod record;
#[cfg(feature = "runner")]
pub(in crate::runner) mod recorded_referee;
#[cfg(feature = "runner")]
mod referee_loop;
#[cfg(feature = "runner")]
pub(in crate::runner) mod replay;
#[cfg(feature = "runner")]
mod results;
#[cfg(feature = "runner")]
pub(in crate::runner) mod schedule;
#[cfg(feature = "runner")]
mod sequential;
#[cfg(feature = "runner")]
mod setup;
#[cfg(feature = "runner")]
mod slot;
#[cfg(feature = "runner")]
mod standings;
pub(in crate::runner) mod values;

/// A fault of this program, not of its input: a text is read, written, and read again as another.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub struct RoundTripError(String);

#[cfg(feature = "runner")]
pub(in crate::runner) use openings::check as check_openings;
#[cfg(feature = "runner")]
pub(in crate::runner) use options::check_config;
#[cfg(feature = "runner")]
pub(in crate::runner) use pgn::check as check_pgn;
