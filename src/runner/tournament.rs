//! Matches, their records, and what is computed from records.
//!
//! A match goes one way: [`options::MatchOptions`] (command line and config file), then
//! [`plan::MatchPlan`] (validated), then [`setup::Setup`] (after a trial of every engine), then
//! games in [`slot::GameSlot`]s, then [`record::Record`]s and [`standings::Standings`].

mod adjudication;
pub(in crate::runner) mod balance;
mod balance_chart;
mod chart;
mod copies;
mod doubles;
pub(in crate::runner) mod draw;
mod game_text;
pub(in crate::runner) mod luck;
pub(in crate::runner) mod match_loop;
pub(in crate::runner) mod merge;
mod officials;
mod open_files;
pub(in crate::runner) mod openings;
pub(in crate::runner) mod options;
mod pairwise;
pub(in crate::runner) mod pgn;
mod plan;
pub(in crate::runner) mod plot;
mod progress;
pub(in crate::runner) mod rate;
mod rating_chart;
pub mod record;
pub(in crate::runner) mod recorded_referee;
mod referee_loop;
pub(in crate::runner) mod replay;
mod results;
pub(in crate::runner) mod schedule;
mod sequential;
mod setup;
mod slot;
mod standings;

/// A fault of this program, not of its input: a text is read, written, and read again as another.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub struct RoundTripError(String);

pub(in crate::runner) use openings::check as check_openings;
pub(in crate::runner) use options::check_config;
pub(in crate::runner) use pgn::check as check_pgn;
