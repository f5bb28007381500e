//! Chowka bhara: the networks.
//!
//! - `train` learns by temporal differences; `lessons` are positions out of solved tables, `returns`
//!   those of games less luck, `teach` learns either.
//! - `self_play`: games by an evaluation alone. `reliability`: what probabilities come true.
//! - `command`: the commands.

mod command;
mod lessons;
mod reliability;
mod returns;
mod self_play;
mod teach;
mod train;

use clap::Subcommand;

/// What can be made or measured.
#[derive(Subcommand, Debug)]
pub enum Command {
    Train(command::Train),
    Reliability(command::Reliability),
}

impl Command {
    /// Does the work.
    pub fn run(self) -> anyhow::Result<()> {
        match self {
            Command::Train(train) => train.run(),
            Command::Reliability(reliability) => reliability.run(),
        }
    }
}
