//! Shacru and Azacru: endings by an exact reference, matches against rivals.

mod endings;
pub mod exact;
mod playouts;
mod rivals;

use clap::{Args, Subcommand, ValueEnum};
use parlor::games::azacru::Azacru;
use parlor::games::chevrons::filling::Kind;
use parlor::games::shacru::Shacru;

/// What can be made.
#[derive(Subcommand, Debug)]
pub enum Command {
    /// Print endings of engine games with their exact results
    ///
    /// Plays games of the engine of two players, takes the position some turns before the end of each, and
    /// prints it with its result for the player to move by an exact reference: won, drawn, lost, or ? where
    /// the reference would have to visit too many positions. More are solved by the engine's own proof-number
    /// search with --proofs; where both solve one and differ, the command fails.
    #[command(after_help = "Examples:
  parlor-lab filling endings --game shacru --games 1000 --turns 12 > endings.txt
  parlor-lab filling endings --game azacru --games 200 --most 300000 --proofs 20000000 > endings.txt")]
    Endings(Of<endings::Endings>),
    /// Compare the search with exact results
    ///
    /// Searches the positions that `endings` prints, and counts where the search says their result: a
    /// forced win or loss, or a score of 0 where the position is drawn.
    #[command(after_help = "Examples:
  parlor-lab filling compare --game shacru endings.txt --time 100")]
    Compare(Of<endings::Compare>),
    /// Play the engine against a rival
    ///
    /// Openings of four random moves, each played once in each seating; with more players the engine plays
    /// alone against copies of the rival. `playouts` is a tree search of two players with random playouts,
    /// at five times the time; all others are players of the game, and `alphabeta` looks two turns ahead.
    #[command(after_help = "Examples:
  parlor-lab filling rivals --game shacru --rival alphabeta --openings 100
  parlor-lab filling rivals --game azacru --rival greedy --players 4 --openings 100")]
    Rivals(Of<rivals::Rivals>),
}

/// Which of the two games.
#[derive(Clone, Copy, Debug, ValueEnum)]
enum Which {
    Shacru,
    Azacru,
}

/// Work on one of the two games.
#[derive(Args, Debug)]
pub struct Of<W: Args> {
    /// The game
    #[arg(long)]
    game: Which,
    #[command(flatten)]
    work: W,
}

/// Work that can be done on either game.
pub trait Work: Args {
    /// Does it.
    fn run<K: Kind>(&self) -> anyhow::Result<()>;
}

impl<W: Work> Of<W> {
    fn run(&self) -> anyhow::Result<()> {
        match self.game {
            Which::Shacru => self.work.run::<Shacru>(),
            Which::Azacru => self.work.run::<Azacru>(),
        }
    }
}

impl Command {
    /// Does the work.
    pub fn run(self) -> anyhow::Result<()> {
        match self {
            Command::Endings(endings) => endings.run(),
            Command::Compare(compare) => compare.run(),
            Command::Rivals(rivals) => rivals.run(),
        }
    }
}
