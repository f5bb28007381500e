//! Recording games of the engine against itself, and fitting its evaluation to them.

mod record;
mod train;
mod tune;

pub(super) use record::subcommand as record;
pub(super) use train::subcommand as train;
pub(super) use tune::subcommand as tune;
