//! Self-play games of the engine, with the score of every move.

use std::path::Path;

use anyhow::Context;
use clap::{Args, value_parser};
use parlor::game::{Game as _, OptionValues, Outcome, Random, Seat};
use parlor::games::Playable;
use parlor::games::porrika::{EnginePlayer, Evaluation, Move, Network, Position};
use parlor::search::{Info, Limits, Settings};

use crate::recording::chunks::{Recording, RecordingArguments};
use crate::recording::games::{RecordedGame, Recorder};
use crate::recording::scored::{GREATEST, Scored, hundredths};
use crate::recording::self_play::{Begun, SelfPlay};

/// The greatest number of random moves after the set-up.
const OPENING: u64 = 8;

/// The lines of the games: the result, then the moves with their score in hundredths for the side
/// that moves.
pub type Format = Scored<Position>;

/// A recorded game.
pub type Game = RecordedGame<Format>;

/// Play games of the engine against itself and record them for training
///
/// Plays games of the engine against itself from random set-ups and openings and prints one per line:
/// the result, then every move, searched moves with their score for the side that moves. A game ends
/// as soon as the search has found a forced win. Equal arguments give equal games.
#[derive(Args, Debug)]
#[command(after_help = "Examples:
  parlor-lab porrika record --games 10 > games.txt
  parlor-lab porrika record --games 20000 --nodes 1000 --out games --shard 2/8")]
pub struct Record {
    #[command(flatten)]
    recording: RecordingArguments,
    /// Nodes per move
    #[arg(long, value_name = "N", default_value = "1000")]
    nodes: u64,
    /// Percentage of random moves
    #[arg(long, value_name = "N", default_value = "1", value_parser = value_parser!(u64).range(0..=100))]
    random: u64,
    /// Use ending tables in one of N games and play these to the end; 0 for none
    #[arg(long, value_name = "N", default_value = "0")]
    tables: u64,
    /// Evaluation to play with: network, terms, or a file written by `train`
    #[arg(long, value_name = "WHICH", default_value = "network")]
    evaluation: String,
}

impl Record {
    /// Plays the games and writes them.
    pub fn run(self) -> anyhow::Result<()> {
        let Record { recording, nodes, random, tables, evaluation } = self;
        let judgement = match evaluation.as_str() {
            "network" => Judgement::Network(Box::default()),
            "terms" => Judgement::Terms,
            path => {
                let network = Network::read(Path::new(path)).with_context(|| path.to_owned())?;
                Judgement::Network(Box::new(network))
            }
        };
        let nodes = nodes.max(1);
        let settings = format!(
            "--evaluation {evaluation} --nodes {nodes} --random {random} --tables {tables}"
        );
        let games = Games { judgement, percent: random, tables };
        games.record(&Recording::new(recording, &settings), &Limits::nodes(nodes))
    }
}

/// What positions are judged by.
enum Judgement {
    /// The weighted sum alone.
    Terms,
    /// The weighted sum and a network.
    Network(Box<Network>),
}

/// Games in which `percent` of the moves are random. In one of `tables` games the engine knows the
/// endings; such a game is played to its end.
struct Games {
    judgement: Judgement,
    percent: u64,
    tables: u64,
}

impl Games {
    /// A new engine. Ending tables are those of its evaluation.
    fn player(&self, with_tables: bool) -> anyhow::Result<EnginePlayer> {
        let mut options = OptionValues::new(Position::engine_options());
        options.set("EndgameTables", if with_tables { "true" } else { "false" })?;
        let settings = Settings { hash: 2, threads: 0, options, ..Settings::default() };
        let evaluation = match &self.judgement {
            Judgement::Terms => Evaluation::terms(),
            Judgement::Network(network) => Evaluation::with_network((**network).clone()),
        };
        Ok(EnginePlayer::with(evaluation, &settings))
    }
}

impl SelfPlay for Games {
    type Format = Format;

    const LONGEST: usize = 200;

    fn begin(&self, random: &mut Random) -> anyhow::Result<Begun<Format>> {
        let with_tables = self.tables > 0 && random.below(self.tables) == 0;
        let game = random_opening(random);
        let player = Box::new(self.player(with_tables)?);
        Ok(Begun { game, player, to_the_end: with_tables, weaker: None })
    }

    fn random_move(&self, position: &Position, random: &mut Random) -> Option<Move> {
        if random.below(100) < self.percent { position.random_move(random) } else { None }
    }

    fn value(&self, info: Option<&Info<Move>>, _: Seat) -> anyhow::Result<i32> {
        Ok(hundredths(info, GREATEST - 1))
    }

    fn result(&self, score: &i32, mover: Seat) -> Option<Outcome> {
        let other = Seat::new(1 - mover.index());
        let winner = if *score > 0 { mover } else { other };
        (score.abs() == GREATEST).then(|| Outcome::win(2, winner))
    }
}

/// A random set-up and random moves that do not end the game.
fn random_opening(random: &mut Random) -> Recorder<Format> {
    loop {
        let mut game = Recorder::<Format>::new(Position::default());
        for _ in 0..=random.below(OPENING + 1) {
            if let Some(m) = game.situation().position().random_move(random) {
                game.play(m, None);
            }
        }
        if !game.situation().turn().is_over() {
            return game;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn games(tables: u64) -> Games {
        Games { judgement: Judgement::Terms, percent: 10, tables }
    }

    fn played(seed: u64) -> Game {
        games(0).play(&Limits::nodes(50), &mut Random::new(seed)).expect("a game")
    }

    /// The result is that of the rules, or of the last score where it is proven.
    #[test]
    fn results_are_those_of_the_rules_or_of_a_proof() {
        let (mut ended, mut proven) = (0, 0);
        for seed in 1..20 {
            let game = played(seed);
            let mut last = game.start;
            let mut mover = last.side();
            for (m, _) in &game.moves {
                mover = last.side();
                last.play(m);
            }
            match (last.outcome(), game.moves.last()) {
                (Some(outcome), _) => {
                    assert_eq!(outcome, game.outcome);
                    ended += 1;
                }
                (None, Some((_, Some(score)))) if score.abs() == GREATEST => {
                    let place = if *score > 0 { 1 } else { 2 };
                    assert_eq!(game.outcome.place(mover.seat()), place);
                    proven += 1;
                }
                _ => assert_eq!(game.outcome, Outcome::draw(2)),
            }
        }
        assert!(ended + proven > 10 && proven > 0, "{ended} {proven}");
    }
}
