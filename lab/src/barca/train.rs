//! Fits the network to self-play games of the engine.
//!
//! Every searched position without a win in one move is a sample. The target is a mean of the
//! result of the game and the score of the search, both as expected results; the loss is the
//! squared error. The rules have no preferred direction, so each position is turned and mirrored at
//! random. The learning rate falls from its first value to a hundredth of it.
//! [`crate::training::trainer`] does the rest: equal games give equal weights.

use clap::{Args, value_parser};
use parlor::games::barca::play::{HIDDEN, Network, SHAPE, bucket_of, input_of};
use parlor::games::barca::{ANIMALS, Position, SIZE, SQUARES, file_of, rank_of};
use parlor::search::network::SparseNetwork;
use parlor::search::value::SCALE;

use super::record::Game;
use crate::training::course::{Beginning, Course};
use crate::training::descent::expected;
use crate::training::parameters::Parameters;
use crate::training::samples::Samples;
use crate::training::trainer::{Loss, Scoring};

/// Every 50th game is held out for validation.
const HOLD_OUT: usize = 50;

/// Fit the network to self-play games
///
/// Fits the network of the evaluation to games recorded by `record` and writes a weight file. Equal
/// games give equal weights, whatever the number of threads.
#[derive(Args, Debug)]
#[command(after_help = "Examples:
  parlor-lab barca record --games 40000 --nodes 1000 > games.txt
  parlor-lab barca train games.txt --out data/barca.network")]
#[command(mut_arg("epochs", |arg| arg.default_value("30")))]
#[command(mut_arg("batch", |arg| arg.default_value("16384")))]
#[command(mut_arg("rate", |arg| arg.default_value("1000")))]
pub struct Train {
    #[command(flatten)]
    course: Course,
    #[command(flatten)]
    beginning: Beginning,
    /// Percentage of the result in the target; the rest is the score
    #[arg(long, value_name = "N", default_value = "30", value_parser = value_parser!(u64).range(0..=100))]
    result: u64,
}

impl Train {
    /// Trains the network and writes it.
    pub fn run(self) -> anyhow::Result<()> {
        let samples = samples_of(&self.course.games.read()?, self.result as f32 / 100.0);
        let task = ExpectedResult::default();
        let description = SparseNetwork::<HIDDEN, 2>::description("barca", SHAPE);
        let begun = self.beginning.begun(
            &description,
            |payload| Parameters::from_payload(payload, SHAPE),
            |seed| Parameters::random(SHAPE, seed, 0.2),
        )?;
        self.course.run(&task, &samples, begun, "error", |weights| {
            Network::from(weights.rounded().network()).to_bytes()
        })
    }
}

/// One position, and its target for the side to move, from 0 to 1.
struct Sample {
    animals: [[u8; ANIMALS]; 2],
    side: u8,
    bucket: u8,
    target: f32,
}

/// The positions of recorded games, with this share of the result in their targets.
fn samples_of(games: &[Game], result: f32) -> Samples<Sample> {
    Samples::of_games(games, HOLD_OUT, |game, list| {
        game.for_each_searched(|searched| {
            // The search never evaluates a position with a win in one move.
            if !searched.position.wins_at_once() {
                list.push(sample(searched.position, searched.score, searched.share, result));
            }
        });
    })
}

fn sample(position: &Position, score: f64, share: Option<f64>, result: f32) -> Sample {
    let foreseen = expected((score / SCALE) as f32);
    let share = share.map_or(foreseen, |share| share as f32);
    let white = result * share + (1.0 - result) * foreseen;
    let side = position.side();
    Sample {
        animals: [*position.animals(0), *position.animals(1)],
        side: side as u8,
        bucket: bucket_of(position) as u8,
        target: if side == 0 { white } else { 1.0 - white },
    }
}

/// The squared error of the expected result, from positions turned and mirrored at random.
struct ExpectedResult {
    symmetries: [[u8; 128]; 8],
}

impl Default for ExpectedResult {
    fn default() -> Self {
        ExpectedResult { symmetries: symmetries() }
    }
}

impl Scoring<2> for ExpectedResult {
    type Sample = Sample;
    type Inputs = [u16; 2 * ANIMALS];

    /// The inputs of each side, the side to move first.
    fn inputs(&self, sample: &Sample, random: u64) -> [Self::Inputs; 2] {
        let symmetry = &self.symmetries[(random >> 61) as usize];
        [sample.side, sample.side ^ 1].map(|viewer| {
            std::array::from_fn(|at| {
                let (side, slot) = (at / ANIMALS, at % ANIMALS);
                let square = symmetry[sample.animals[side][slot] as usize];
                input_of(viewer as usize, side, slot / 2, square) as u16
            })
        })
    }

    fn bucket(&self, sample: &Sample) -> usize {
        sample.bucket as usize
    }

    fn loss(&self, sample: &Sample, output: f32) -> Loss {
        let expected = expected(output);
        let miss = expected - sample.target;
        Loss { value: miss * miss, slope: 2.0 * miss * expected * (1.0 - expected) }
    }
}

/// The eight symmetries of the board: the image of each square.
fn symmetries() -> [[u8; 128]; 8] {
    let mut tables = [std::array::from_fn(|square| square as u8); 8];
    for (way, table) in tables.iter_mut().enumerate() {
        for square in 0..SQUARES {
            let (mut file, mut rank) = (file_of(square), rank_of(square));
            if way & 1 != 0 {
                file = SIZE - 1 - file;
            }
            if way & 2 != 0 {
                rank = SIZE - 1 - rank;
            }
            if way & 4 != 0 {
                (file, rank) = (rank, file);
            }
            table[square as usize] = rank * SIZE + file;
        }
    }
    tables
}

#[cfg(test)]
mod tests;
