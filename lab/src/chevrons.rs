//! The networks of Pacru, Shacru and Azacru, which share a board: games to learn from, training.

pub mod record;
pub mod train;

use clap::{Args, Subcommand, ValueEnum};
use parlor::game::{Game as _, multiply_shift};
use parlor::games::chevrons::filling::{self, Kind};
use parlor::games::chevrons::network::{Judged, Judgement};
use parlor::games::pacru::SelectivePosition;
use parlor::games::{Playable, azacru, pacru, shacru};
use parlor::search::{Player, Settings};

/// What can be made.
#[derive(Subcommand, Debug)]
pub enum Command {
    /// Play games of the engine against itself and print them for training
    ///
    /// Plays games of the engine against itself and prints one game a line: the number of players, then
    /// every move. Every searched move is followed by the permille of the first place that the search
    /// expected for each seat but the last. Equal arguments give equal games.
    #[command(after_help = "Examples:
  parlor-lab chevrons record --game pacru --players 2 --games 2000 --nodes 600 > games.txt
  parlor-lab chevrons record --game azacru --players 4 --games 15000 --nodes 300 --out games-4 --shard 1/8")]
    Record(Of<record::Record>),
    /// Fit a network to self-play games
    ///
    /// Fits the network of two players, or that of three and four, to games recorded by `record` and
    /// writes a weight file. Equal games give equal weights, whatever the number of threads.
    #[command(after_help = "Examples:
  parlor-lab chevrons record --game pacru --players 2 --games 15000 --nodes 600 --out games-2
  parlor-lab chevrons train --game pacru games-2 --out data/pacru-2.network
  parlor-lab chevrons train --game pacru games-3 games-4 --seats 34 --out data/pacru-34.network")]
    Train(Of<train::Train>),
}

/// Which of the three games.
#[derive(Clone, Copy, Debug, ValueEnum)]
enum Which {
    Pacru,
    Shacru,
    Azacru,
}

/// Work on one of the three games.
#[derive(Args, Debug)]
pub struct Of<W: Args> {
    /// The game
    #[arg(long)]
    game: Which,
    #[command(flatten)]
    work: W,
}

/// Work that can be done on each game.
pub trait Work: Args {
    /// Does it.
    fn run<P: Trained>(self) -> anyhow::Result<()>;
}

impl<W: Work> Of<W> {
    fn run(self) -> anyhow::Result<()> {
        match self.game {
            Which::Pacru => self.work.run::<pacru::Position>(),
            Which::Shacru => self.work.run::<shacru::Position>(),
            Which::Azacru => self.work.run::<azacru::Position>(),
        }
    }
}

impl Command {
    /// Does the work.
    pub fn run(self) -> anyhow::Result<()> {
        match self {
            Command::Record(record) => record.run(),
            Command::Train(train) => train.run(),
        }
    }
}

/// A game whose networks are made here.
pub trait Trained: Playable {
    /// The game as the networks see it.
    type Seen: Judged<Move = Self::Move>;

    /// The position as the networks see it.
    fn seen(&self) -> Self::Seen;

    /// The engine with other networks.
    fn engine(settings: &Settings, judgement: Judgement<Self::Seen>) -> Box<dyn Player<Self>>;

    /// One of the moves that the engine considers: in Pacru most others are rotations with odd payments.
    fn considered_move(&self, drawn: u64) -> Self::Move {
        let mut moves = self.seen().moves();
        moves.swap_remove(multiply_shift(drawn, moves.len() as u64) as usize)
    }
}

impl Trained for pacru::Position {
    type Seen = SelectivePosition;

    fn seen(&self) -> SelectivePosition {
        SelectivePosition::new(self.clone())
    }

    fn engine(settings: &Settings, judgement: Judgement<Self::Seen>) -> Box<dyn Player<Self>> {
        Box::new(pacru::play::EnginePlayer::new(settings, judgement))
    }
}

impl<K: Kind> Trained for filling::Position<K> {
    type Seen = Self;

    fn seen(&self) -> Self {
        self.clone()
    }

    fn engine(settings: &Settings, judgement: Judgement<Self>) -> Box<dyn Player<Self>> {
        Box::new(filling::play::EnginePlayer::new(settings, judgement))
    }
}
