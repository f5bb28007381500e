//! Pacru: the networks, the weights, the speed of the rules.

mod playouts;
mod record;
mod train;
mod tune;

use clap::Subcommand;

/// What can be made or measured.
#[derive(Subcommand, Debug)]
pub enum Command {
    Playouts(playouts::Playouts),
    Record(record::Record),
    Train(train::Train),
    Tune(tune::Tune),
}

impl Command {
    /// Does the work.
    pub fn run(self) -> anyhow::Result<()> {
        match self {
            Command::Playouts(playouts) => playouts.run(),
            Command::Record(record) => record.run(),
            Command::Train(train) => train.run(),
            Command::Tune(tune) => tune.run(),
        }
    }
}
