//! Learning: `train` learns the networks from self-play, `teach` that of two seats from the
//! `lessons` of solved tables, `reliability` compares their probabilities with the results of
//! games; `train` and `reliability` play by `self_play`. `command` has the subcommands.

mod command;
mod lessons;
mod reliability;
mod returns;
mod self_play;
mod teach;
mod train;

pub(super) use command::subcommands;
