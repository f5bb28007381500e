//! Shacru and Azacru: the networks, endings by an exact reference, matches against rivals.

mod endings;
pub mod exact;
mod playouts;
mod rivals;

use clap::{Args, Subcommand};
use parlor::games::{azacru, shacru};

use crate::seats;
use endings::Which;

/// What can be made.
#[derive(Subcommand, Debug)]
pub enum Command {
    Endings(endings::Endings),
    Compare(endings::Compare),
    /// Play games of the engine against itself and print them for training
    ///
    /// Plays games of the engine against itself and prints one game a line: the number of players, then
    /// every move. Every searched move is followed by the permille of the first place that the search
    /// expected for each seat but the last. Equal arguments give equal games.
    #[command(after_help = "Examples:
  parlor-lab filling record --game azacru --players 4 --games 15000 --nodes 300 --out games-4")]
    Record(Of<seats::record::Record>),
    /// Fit a network to self-play games
    ///
    /// Fits the network of two players, or that of three and four, to games recorded by `record` and
    /// writes a weight file. Equal games give equal weights, whatever the number of threads.
    #[command(after_help = "Examples:
  parlor-lab filling train --game azacru games-3 games-4 --seats 34 --out data/azacru-34.network")]
    Train(Of<seats::train::Train>),
    Rivals(rivals::Rivals),
}

/// Arguments for one of the two games.
#[derive(Args, Debug)]
pub struct Of<A: Args> {
    #[command(flatten)]
    game: Which,
    #[command(flatten)]
    arguments: A,
}

impl Command {
    /// Does the work.
    pub fn run(self) -> anyhow::Result<()> {
        match self {
            Command::Endings(endings) => endings.run(),
            Command::Compare(compare) => compare.run(),
            Command::Record(Of { game, arguments }) if game.is_shacru() => {
                arguments.run::<shacru::Position>()
            }
            Command::Record(Of { arguments, .. }) => arguments.run::<azacru::Position>(),
            Command::Train(Of { game, arguments }) if game.is_shacru() => {
                arguments.run::<shacru::Position>()
            }
            Command::Train(Of { arguments, .. }) => arguments.run::<azacru::Position>(),
            Command::Rivals(rivals) => rivals.run(),
        }
    }
}
