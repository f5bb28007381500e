//! Recording games of the engine against itself, training the network, fitting the weighted terms.

mod record;
mod train;
mod tune;

pub(super) use record::{Record, positions_of_the_winner, subcommand as record};
pub(super) use train::subcommand as train;
pub(super) use tune::subcommand as tune;
