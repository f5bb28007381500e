//! Self-play games of the engine, with the score of every move.

use std::path::Path;

use anyhow::Context;
use clap::{Args, value_parser};
use parlor::game::{Game as _, Random, Seat};
use parlor::games::barca::play::{Network, searching};
use parlor::games::barca::{Move, Position};
use parlor::search::{Info, Limits, Settings};

use crate::recording::chunks::{Recording, RecordingArguments};
use crate::recording::games::{RecordedGame, Recorder};
use crate::recording::scored::{GREATEST, Scored, hundredths};
use crate::recording::self_play::{Begun, SelfPlay};

/// Random plies at the start of a game.
const OPENING: usize = 6;

/// The lines of the games: the result, then the moves with their score in hundredths for the side
/// that moves.
pub type Format = Scored<Position>;

/// A recorded game.
pub type Game = RecordedGame<Format>;

/// Play games of the engine against itself and record them for training
///
/// Plays games of the engine against itself from random openings and prints one per line: the result,
/// then every move, searched moves with their score for the side that moves. Equal arguments give
/// equal games.
#[derive(Args, Debug)]
#[command(after_help = "Examples:
  parlor-lab barca record --games 2000 --nodes 1000 > games.txt
  parlor-lab barca record --games 90000 --nodes 1000 --out games --shard 2/8")]
pub struct Record {
    #[command(flatten)]
    recording: RecordingArguments,
    /// Nodes per move
    #[arg(long, value_name = "N", default_value = "2000")]
    nodes: u64,
    /// Percentage of random moves
    #[arg(long, value_name = "N", default_value = "0", value_parser = value_parser!(u64).range(0..=100))]
    random: u64,
    /// Evaluation to play with: network, or a file written by `train`
    #[arg(long, value_name = "WHICH", default_value = "network")]
    evaluation: String,
}

impl Record {
    /// Plays the games and writes them.
    pub fn run(self) -> anyhow::Result<()> {
        let Record { recording, nodes, random, evaluation } = self;
        let network = match evaluation.as_str() {
            "network" => Network::default(),
            path => Network::read(Path::new(path)).with_context(|| path.to_owned())?,
        };
        let nodes = nodes.max(1);
        let settings = format!("--evaluation {evaluation} --nodes {nodes} --random {random}");
        let games = Games { network, percent: random };
        games.record(&Recording::new(recording, &settings), &Limits::nodes(nodes))
    }
}

/// Games in which `percent` of the moves are random.
struct Games {
    network: Network,
    percent: u64,
}

impl SelfPlay for Games {
    type Format = Format;

    const LONGEST: usize = 200;

    fn begin(&self, random: &mut Random) -> anyhow::Result<Begun<Format>> {
        let settings = Settings { hash: 4, threads: 0, ..Settings::default() };
        let player = searching(self.network.clone(), &settings);
        Ok(Begun { game: random_opening(random), player, to_the_end: true, weaker: None })
    }

    fn random_move(&self, position: &Position, random: &mut Random) -> Option<Move> {
        if random.below(100) < self.percent { position.random_move(random) } else { None }
    }

    fn value(&self, info: Option<&Info<Move>>, _: Seat) -> anyhow::Result<i32> {
        Ok(hundredths(info, GREATEST))
    }
}

/// Random moves from the start that do not end the game.
fn random_opening(random: &mut Random) -> Recorder<Format> {
    loop {
        let mut game = Recorder::<Format>::new(Position::default());
        while game.plies() < OPENING
            && let Some(m) = game.situation().position().random_move(random)
        {
            game.play(m, None);
        }
        if !game.situation().turn().is_over() {
            return game;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_game_reads_back_as_its_line_with_its_scores() {
        let games = Games { network: Network::default(), percent: 20 };
        let game = games.play(&Limits::nodes(50), &mut Random::new(3));
        let line = game.expect("a game").to_string();
        let game = Game::parse(&line).expect(&line);
        assert_eq!(game.to_string(), line);
        let mut searched = 0;
        game.for_each_searched(|_| searched += 1);
        assert_eq!(searched, line.matches(':').count());
        assert!(searched > 0 && searched + OPENING < game.moves.len(), "{line}");
    }
}
