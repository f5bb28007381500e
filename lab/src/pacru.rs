//! Pacru: the networks, the weights.

mod tune;

use clap::Subcommand;
use parlor::games::pacru::Position;

use crate::seats::record::Record;
use crate::seats::train::Train;

/// What can be made.
#[derive(Subcommand, Debug)]
pub enum Command {
    /// Play games of the engine against itself and print them for training
    ///
    /// Plays games of the engine against itself and prints one game a line: the number of players, then
    /// every move. Every searched move is followed by the permille of the first place that the search
    /// expected for each seat but the last. Equal arguments give equal games.
    #[command(after_help = "Examples:
  parlor-lab pacru record --players 2 --games 2000 --nodes 600 > games.txt
  parlor-lab pacru record --players 4 --games 15000 --nodes 1500 --out games-4 --shard 1/8")]
    Record(Record),
    /// Fit a network to self-play games
    ///
    /// Fits the network of two players, or that of three and four, to games recorded by `record` and
    /// writes a weight file. Equal games give equal weights, whatever the number of threads.
    #[command(after_help = "Examples:
  parlor-lab pacru record --players 2 --games 15000 --nodes 600 --out games-2
  parlor-lab pacru train games-2 --out data/pacru-2.network
  parlor-lab pacru train games-3 games-4 --seats 34 --out data/pacru-34.network")]
    Train(Train),
    Tune(tune::Tune),
}

impl Command {
    /// Does the work.
    pub fn run(self) -> anyhow::Result<()> {
        match self {
            Command::Record(record) => record.run::<Position>(),
            Command::Train(train) => train.run::<Position>(),
            Command::Tune(tune) => tune.run(),
        }
    }
}
