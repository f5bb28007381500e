//! Learning: `train` learns the networks from self-play, `reliability` compares their probabilities
//! with the results of games; both play by `self_play`. `command` has the subcommands.

mod command;
mod reliability;
mod self_play;
mod train;

pub(super) use command::subcommands;
