//! Pacru: the weights.

mod tune;

use clap::Subcommand;

/// What can be made.
#[derive(Subcommand, Debug)]
pub enum Command {
    Tune(tune::Tune),
}

impl Command {
    /// Does the work.
    pub fn run(self) -> anyhow::Result<()> {
        match self {
            Command::Tune(tune) => tune.run(),
        }
    }
}
