//! Fits the policy network to self-play games of the engine with three and four players.
//!
//! Every searched position is a sample; the move played is to be the likeliest. The rules have no
//! preferred direction, so each position is turned and mirrored at random.

use anyhow::ensure;
use clap::{Args, value_parser};
use parlor::game::Game as _;
use parlor::games::chevrons::inputs::{Facts, STRIDE, symmetries};
use parlor::games::chevrons::network::Judged;
use parlor::games::pacru::play::policy::{HIDDEN, MOVES, POSITION, Seen, move_symmetries};
use parlor::games::pacru::{Move, Position, SelectivePosition};
use parlor::progress;

use crate::arguments::{GamesFiles, OutFile};
use crate::chevrons::record::{Format, Game};
use crate::printing::note_line;
use crate::training::adam::AdamSettings;
use crate::training::descent::{Descent, Schedule, cosine_decay};
use crate::training::policy::{Choice, PolicyParameters};
use crate::training::samples::Samples;

/// Every 25th game is held out for validation.
const HOLD_OUT: usize = 25;

/// The length of the first steps.
const RATE: f32 = 0.002;

/// Fit the policy network to self-play games and write a weight file
///
/// Fits the policy network, which says how likely each move is to be the best, to games with three and
/// four players recorded by `chevrons record`. Equal games give equal weights, whatever the number of
/// threads.
#[derive(Args, Debug)]
#[command(after_help = "Examples:
  parlor-lab chevrons record --game pacru --players 4 --games 9000 --nodes 600 --out games-4
  parlor-lab pacru policy games-3 games-4 --out data/pacru-policy.network")]
pub struct Policy {
    #[command(flatten)]
    games: GamesFiles,
    /// Passes over all positions
    #[arg(long, value_name = "N", default_value = "4", value_parser = value_parser!(u64).range(1..))]
    epochs: u64,
    /// Positions per step of Adam
    #[arg(long, value_name = "N", default_value = "1024")]
    batch: usize,
    /// Seed of the initial weights and of the order
    #[arg(long, value_name = "N", default_value = "1")]
    seed: u64,
    #[command(flatten)]
    out: OutFile,
}

/// A position with its moves, as inputs that are not turned yet. Those of all moves are one list.
struct Sample {
    inputs: Box<[u16]>,
    moves: Box<[u16]>,
    /// Where the inputs of each move end.
    ends: Box<[u16]>,
    played: u16,
}

impl Policy {
    /// Fits the network and writes it.
    pub fn run(self) -> anyhow::Result<()> {
        let games = self.games.read::<Format<Position>>()?;
        let two = games.iter().filter(|game| game.start.seats() == 2).count();
        ensure!(two == 0, "{two} games have two players: the policy is for three and four");
        let Samples { training, validation } = samples_of(&games);
        ensure!(!training.is_empty(), "no position for training: more games are needed");
        note_line!(
            "{} positions for training, {} for validation",
            training.len(),
            validation.len()
        );
        self.out.write(|| Ok(self.train(&training, &validation).network().to_bytes("pacru")))
    }

    fn train(&self, training: &[Sample], validation: &[Sample]) -> PolicyParameters<HIDDEN> {
        let images = Images::new();
        let weights = PolicyParameters::random([POSITION, MOVES], self.seed);
        let mut descent = Descent::new(weights, AdamSettings::default(), !self.seed, self.batch);
        let bar = progress::bar(self.epochs, "epochs");
        for epoch in 0..self.epochs {
            let rate = |progress| cosine_decay(RATE, progress);
            let schedule = Schedule { epoch, epochs: self.epochs, rate };
            let loss = descent.epoch(training, &schedule, |weights, sample, random, gradient| {
                weights.learn(&images.of(sample, random), Some(gradient)).0
            });
            let (mut validated, mut first) = (0.0, 0);
            for sample in validation {
                let (loss, is_first) = descent.weights.learn(&images.of(sample, 0), None);
                validated += f64::from(loss);
                first += usize::from(is_first);
            }
            let all = validation.len().max(1) as f64;
            let (number, share) = (epoch + 1, 100.0 * first as f64 / all);
            bar.suspend(|| {
                note_line!(
                    "epoch {number:>3} loss {loss:.4} validation {:.4}, first {share:.1} %",
                    validated / all
                );
            });
            bar.inc(1);
        }
        bar.finish_and_clear();
        descent.weights
    }
}

/// The searched positions of games.
fn samples_of(games: &[Game<Position>]) -> Samples<Sample> {
    Samples::of_games(games, HOLD_OUT, |game, list| {
        game.for_each_position(|position, index, expected| {
            if expected.is_some() {
                let position = SelectivePosition::new(position.clone());
                list.extend(sample(&position, &game.moves[index].0));
            }
        });
    })
}

/// A position in which a move was played; `None` where the search considers no other, or not this one.
fn sample(position: &SelectivePosition, played: &Move) -> Option<Sample> {
    let moves = position.moves();
    let played = moves.iter().position(|m| m == played).filter(|_| moves.len() > 1)?;
    let mut facts = Facts::new();
    let seen = Seen::new(position, &mut facts);
    let (mut inputs, mut ends) = (Vec::new(), Vec::new());
    for m in &moves {
        inputs.extend(seen.move_inputs(m));
        ends.push(inputs.len() as u16);
    }
    Some(Sample {
        inputs: seen.position_inputs(&facts).as_slice().into(),
        moves: inputs.into(),
        ends: ends.into(),
        played: played as u16,
    })
}

/// The images of inputs under the symmetries of the board.
struct Images {
    position: [[u16; STRIDE]; 8],
    moves: [[u16; MOVES]; 8],
}

impl Images {
    fn new() -> Self {
        Images { position: symmetries(SelectivePosition::BY_FIELD), moves: move_symmetries() }
    }

    /// A sample turned and mirrored as `random` says.
    fn of(&self, sample: &Sample, random: u64) -> Choice {
        let way = (random >> 61) as usize;
        let (position, moves) = (&self.position[way], &self.moves[way]);
        let input = |input: &u16| {
            let number = usize::from(*input);
            (number / STRIDE * STRIDE) as u16 + position[number % STRIDE]
        };
        let mut begin = 0;
        let of_moves = sample.ends.iter().map(|end| {
            let inputs = &sample.moves[begin..usize::from(*end)];
            begin = usize::from(*end);
            inputs.iter().map(|input| moves[usize::from(*input)]).collect()
        });
        Choice {
            moves: of_moves.collect(),
            inputs: sample.inputs.iter().map(input).collect(),
            played: usize::from(sample.played),
        }
    }
}
