//! Pacru: the networks, the weights.

mod record;
mod train;
mod tune;

use clap::Subcommand;

/// What can be made.
#[derive(Subcommand, Debug)]
pub enum Command {
    Record(record::Record),
    Train(train::Train),
    Tune(tune::Tune),
}

impl Command {
    /// Does the work.
    pub fn run(self) -> anyhow::Result<()> {
        match self {
            Command::Record(record) => record.run(),
            Command::Train(train) => train.run(),
            Command::Tune(tune) => tune.run(),
        }
    }
}
