//! Por'rika: the network, the weights, endings, proofs, values of set-ups.

mod endings;
mod prove;
mod record;
mod setups;
mod train;
mod tune;

use clap::Subcommand;

/// What can be made.
#[derive(Subcommand, Debug)]
pub enum Command {
    Record(record::Record),
    Train(train::Train),
    Tune(tune::Tune),
    Setups(setups::Setups),
    /// Solve an ending, and check and write its table
    Endings(endings::Endings),
    Prove(prove::Prove),
}

impl Command {
    /// Does the work.
    pub fn run(self) -> anyhow::Result<()> {
        match self {
            Command::Record(record) => record.run(),
            Command::Train(train) => train.run(),
            Command::Tune(tune) => tune.run(),
            Command::Setups(setups) => setups.run(),
            Command::Endings(endings) => endings.run(),
            Command::Prove(prove) => prove.run(),
        }
    }
}
