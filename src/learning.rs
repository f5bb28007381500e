//! What every trained evaluation shares: files of weights, a network with sparse inputs, recorded
//! games, samples, the optimizer.
//!
//! With feature `search`:
//!
//! - [`weight_file`]: the container of every file of trained weights.
//! - [`network`]: inference of a small network with sparse inputs, in integers.
//! - [`seat_network`]: the same with one value for every seat.
//!
//! With feature `learning` also:
//!
//! - [`recorded_games`]: games as text, one a line, with what the search said of each move.
//! - `scored_games`: the results and scores in such games of two seats.
//! - `recording`: many games as numbered files, shared among machines and resumed.
//! - [`samples`]: samples for training and for validation.
//! - [`adam`]: the step of the optimizer Adam.
//! - [`descent`]: minibatch gradient descent.
//! - [`trainer`]: trains the network of [`network`]; `seat_trainer` that of [`seat_network`].
//! - `course`: the course of a training, as its user sees it.
//! - [`arguments`]: command-line arguments that the subcommands of training share.
//!
//! Losses, features and schedules belong to the games. The module knows no game.

// Each game uses some of this.
#![cfg_attr(not(feature = "all-games"), allow(dead_code))]

#[cfg(feature = "learning")]
pub mod adam;
#[cfg(feature = "learning")]
pub mod arguments;
#[cfg(feature = "learning")]
pub(crate) mod course;
#[cfg(feature = "learning")]
pub mod descent;
pub mod network;
#[cfg(feature = "learning")]
mod parameters;
#[cfg(feature = "learning")]
pub mod recorded_games;
#[cfg(feature = "learning")]
pub(crate) mod recording;
#[cfg(feature = "learning")]
pub mod samples;
#[cfg(feature = "learning")]
pub(crate) mod scored_games;
pub mod seat_network;
#[cfg(feature = "learning")]
pub(crate) mod seat_trainer;
#[cfg(feature = "learning")]
pub mod trainer;
pub mod weight_file;
