//! `barca train`: fits the network to games that the engine played against itself.
//!
//! Every position of the games that the evaluation may meet is a sample: what each side sees against
//! what became of it, part the result of the game, the rest the score that the search gave. Adam
//! follows the gradient of the squared error of the expected result, over batches in random order,
//! with a rate that sinks to nothing; the board is turned and mirrored at random each time, for the
//! rules know no direction. Sums are taken in a fixed order, whatever the number of threads, and no
//! library function differs between machines: equal games give equal weights.

use std::path::PathBuf;

use anyhow::Context;
use clap::{Arg, Command, value_parser};
use rayon::prelude::*;

use super::network::{
    BUCKETS, HIDDEN, Network, OUTPUT_LIMIT, OUTPUT_UNIT, ROWS, Row, SCALE, UNIT, bucket_of, row_of,
};
use super::position::{ANIMALS, Position};
use super::record::{Game, read};
use super::square::{SIZE, SQUARES, file_of, rank_of};
use crate::game::Random;
use crate::games::Word;
use crate::games::recorded::{file_of_games, number};

/// How much of the target is the result; the rest is the score of the search.
const RESULT_SHARE: f32 = 0.3;

/// Parts of a batch that are summed on their own.
const PARTS: usize = 8;

/// The first length of a step.
const RATE: f32 = 0.001;

/// Every so manyth game only checks the others.
const HELD_OUT: usize = 50;

/// The word `train`.
pub(super) fn word() -> Word {
    let command = Command::new("train")
        .about("Fit the network to self-play games")
        .long_about(
            "Fits the network of the evaluation to games recorded by `barca record` and writes it \
             as the program keeps it. Equal games give equal weights.\n\n    \
             barca record --games 40000 --nodes 1000 > games.txt\n    \
             barca train games.txt --out data/barca.network",
        )
        .arg(file_of_games("barca"))
        .arg(number("epochs", "30", "how often every position is looked at"))
        .arg(number("batch", "16384", "positions between two steps along the gradient"))
        .arg(number("seed", "1", "seed of the first weights and of the order"))
        .arg(
            Arg::new("out")
                .long("out")
                .value_name("FILE")
                .required(true)
                .value_parser(value_parser!(PathBuf))
                .help("where the network is written"),
        );
    Word { command, run }
}

fn run(matches: &clap::ArgMatches) -> anyhow::Result<()> {
    let number = |name: &str| matches.get_one::<u64>(name).copied().unwrap_or(1);
    let out = matches.get_one::<PathBuf>("out").context("--out is needed")?;
    let (held_out, samples) = samples_of(&read(matches)?);
    eprintln!("{} positions to learn from, {} to check", samples.len(), held_out.len());
    let epochs = number("epochs");
    let mut training = Training::new(number("seed"), number("batch").max(1) as usize);
    for epoch in 0..epochs {
        let learnt = training.epoch(&samples, epoch, epochs);
        let checked = training.weights.error(&held_out);
        eprintln!("epoch {:>3} error {learnt:.6} checked {checked:.6}", epoch + 1);
    }
    let bytes = training.weights.rounded().to_bytes();
    std::fs::write(out, bytes).with_context(|| format!("cannot write {}", out.display()))
}

/// One position, and what it was worth to the side to move, from 0 to 1.
struct Sample {
    animals: [[u8; ANIMALS]; 2],
    side: u8,
    bucket: u8,
    target: f32,
}

/// The positions of every so manyth game, and those of the others.
fn samples_of(games: &[Game]) -> (Vec<Sample>, Vec<Sample>) {
    let (mut held_out, mut samples) = (Vec::new(), Vec::new());
    for (number, game) in games.iter().enumerate() {
        let list = if number % HELD_OUT == 0 { &mut held_out } else { &mut samples };
        game.for_each_score(|position, score, share| {
            // Where a side wins at once, the evaluation is not asked.
            if !position.wins_at_once() {
                list.push(sample(position, score, share));
            }
        });
    }
    (held_out, samples)
}

fn sample(position: &Position, score: f64, share: Option<f64>) -> Sample {
    let foreseen = expected((score / SCALE) as f32);
    let share = share.map_or(foreseen, |share| share as f32);
    let white = RESULT_SHARE * share + (1.0 - RESULT_SHARE) * foreseen;
    let side = position.side();
    Sample {
        animals: [*position.animals(0), *position.animals(1)],
        side: side as u8,
        bucket: bucket_of(position) as u8,
        target: if side == 0 { white } else { 1.0 - white },
    }
}

/// The expected result of an output.
fn expected(output: f32) -> f32 {
    1.0 / (1.0 + libm::expf(-output))
}

/// The eight ways to turn and mirror the board, square by square.
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

/// The rows that each side sees, the side to move first.
fn rows_of(sample: &Sample, symmetry: &[u8; 128]) -> [[usize; 2 * ANIMALS]; 2] {
    [sample.side, sample.side ^ 1].map(|viewer| {
        std::array::from_fn(|at| {
            let (side, slot) = (at / ANIMALS, at % ANIMALS);
            let square = symmetry[sample.animals[side][slot] as usize];
            row_of(viewer as usize, side, slot / 2, square)
        })
    })
}

type Values = [f32; HIDDEN];

/// The weights while they are learnt, or their gradient.
#[derive(Clone)]
struct Weights {
    rows: Vec<Values>,
    bias: Values,
    outputs: Vec<[Values; 2]>,
    output_bias: Vec<f32>,
}

impl Weights {
    fn zero() -> Self {
        Weights {
            rows: vec![[0.0; HIDDEN]; ROWS],
            bias: [0.0; HIDDEN],
            outputs: vec![[[0.0; HIDDEN]; 2]; BUCKETS],
            output_bias: vec![0.0; BUCKETS],
        }
    }

    /// Small random weights, equal ones in all buckets.
    fn random(seed: u64) -> Self {
        let mut random = Random::new(seed);
        let mut small = |size: f32| size * (2.0 * random.unit() as f32 - 1.0);
        let mut weights = Weights::zero();
        // Where no animal can stand the weights stay 0.
        for row in weights.rows.chunks_exact_mut(128).flat_map(|rows| &mut rows[..SQUARES as usize])
        {
            row.iter_mut().for_each(|weight| *weight = small(0.2));
        }
        weights.bias.iter_mut().for_each(|weight| *weight = 0.3 + small(0.2));
        let output: [Values; 2] = [0, 1].map(|_| std::array::from_fn(|_| small(0.1)));
        weights.outputs.fill(output);
        weights
    }

    /// All weights, in one order.
    fn parts(&self) -> impl Iterator<Item = &[f32]> {
        let rows = self.rows.iter().map(|row| &row[..]);
        let outputs = self.outputs.iter().flatten().map(|row| &row[..]);
        rows.chain([&self.bias[..]]).chain(outputs).chain([&self.output_bias[..]])
    }

    fn parts_mut(&mut self) -> impl Iterator<Item = &mut [f32]> {
        let rows = self.rows.iter_mut().map(|row| &mut row[..]);
        let outputs = self.outputs.iter_mut().flatten().map(|row| &mut row[..]);
        rows.chain([&mut self.bias[..]]).chain(outputs).chain([&mut self.output_bias[..]])
    }

    /// The hidden values of both sides, cut to 0 to 1, and the output.
    fn output(&self, rows: &[[usize; 2 * ANIMALS]; 2], bucket: usize) -> ([Values; 2], f32) {
        let mut hidden = [self.bias; 2];
        let mut lanes = [0.0; 8];
        for ((hidden, rows), weights) in hidden.iter_mut().zip(rows).zip(&self.outputs[bucket]) {
            for row in rows {
                for (value, weight) in hidden.iter_mut().zip(&self.rows[*row]) {
                    *value += weight;
                }
            }
            for (values, weights) in hidden.chunks_exact_mut(8).zip(weights.chunks_exact(8)) {
                for lane in 0..8 {
                    let value = values[lane].clamp(0.0, 1.0);
                    values[lane] = value;
                    lanes[lane] += value * value * weights[lane];
                }
            }
        }
        (hidden, self.output_bias[bucket] + lanes.iter().sum::<f32>())
    }

    /// Adds the gradient of the error of one sample; returns that error.
    fn learn(&self, sample: &Sample, symmetry: &[u8; 128], gradient: &mut Weights) -> f32 {
        let rows = rows_of(sample, symmetry);
        let bucket = sample.bucket as usize;
        let (hidden, output) = self.output(&rows, bucket);
        let expected = expected(output);
        let miss = expected - sample.target;
        let slope = 2.0 * miss * expected * (1.0 - expected);
        gradient.output_bias[bucket] += slope;
        for side in [0, 1] {
            let (values, weights) = (&hidden[side], &self.outputs[bucket][side]);
            let mut slopes = [0.0; HIDDEN];
            let outputs = &mut gradient.outputs[bucket][side];
            for at in 0..HIDDEN {
                let value = values[at];
                outputs[at] += slope * value * value;
                let open = if value > 0.0 && value < 1.0 { 2.0 * value } else { 0.0 };
                slopes[at] = slope * weights[at] * open;
            }
            gradient.bias.iter_mut().zip(&slopes).for_each(|(sum, slope)| *sum += slope);
            for row in rows[side] {
                gradient.rows[row].iter_mut().zip(&slopes).for_each(|(sum, slope)| *sum += slope);
            }
        }
        miss * miss
    }

    /// The mean error.
    fn error(&self, samples: &[Sample]) -> f64 {
        let as_it_is = &symmetries()[0];
        let sum: f64 = samples
            .iter()
            .map(|sample| {
                let (_, output) = self.output(&rows_of(sample, as_it_is), sample.bucket as usize);
                f64::from(expected(output) - sample.target).powi(2)
            })
            .sum();
        sum / samples.len().max(1) as f64
    }

    /// The network of whole numbers.
    fn rounded(&self) -> Network {
        let row = |values: &Values, unit: i32| {
            Row(values.map(|value| libm::roundf(value * unit as f32) as i16))
        };
        let scale = SCALE * f64::from(UNIT * OUTPUT_UNIT);
        Network {
            rows: self.rows.iter().map(|values| row(values, UNIT)).collect(),
            bias: row(&self.bias, UNIT),
            outputs: self.outputs.iter().map(|pair| pair.map(|v| row(&v, OUTPUT_UNIT))).collect(),
            output_bias: std::array::from_fn(|at| {
                libm::round(f64::from(self.output_bias[at]) * scale) as i32
            }),
        }
    }
}

/// The greatest weight that may be learnt: what the whole numbers have room for.
const GREATEST: f32 = OUTPUT_LIMIT as f32 / OUTPUT_UNIT as f32;

/// The state of Adam.
struct Training {
    weights: Weights,
    gradients: Vec<Weights>,
    mean: Weights,
    square: Weights,
    steps: i32,
    random: Random,
    /// Samples between two steps.
    batch: usize,
}

impl Training {
    fn new(seed: u64, batch: usize) -> Self {
        Training {
            weights: Weights::random(seed),
            gradients: vec![Weights::zero(); PARTS],
            mean: Weights::zero(),
            square: Weights::zero(),
            steps: 0,
            random: Random::new(!seed),
            batch,
        }
    }

    /// Looks at every sample once; returns the mean error.
    fn epoch(&mut self, samples: &[Sample], epoch: u64, epochs: u64) -> f64 {
        let symmetries = symmetries();
        let mut order: Vec<u32> = (0..samples.len() as u32).collect();
        self.random.shuffle(&mut order);
        let ways = self.random.next();
        let batches = order.len().div_ceil(self.batch).max(1);
        let mut sum = 0.0;
        for (number, batch) in order.chunks(self.batch).enumerate() {
            let weights = &self.weights;
            let part = batch.len().div_ceil(PARTS).max(1);
            let errors: Vec<f64> = self
                .gradients
                .par_iter_mut()
                .zip(batch.par_chunks(part))
                .map(|(gradient, part)| {
                    gradient.parts_mut().for_each(|part| part.fill(0.0));
                    let error = |at: &u32| {
                        let way = (u64::from(*at).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ ways) >> 61;
                        let sample = &samples[*at as usize];
                        f64::from(weights.learn(sample, &symmetries[way as usize], gradient))
                    };
                    part.iter().map(error).sum()
                })
                .collect();
            sum += errors.iter().sum::<f64>();
            let parts = batch.len().div_ceil(part);
            let done = (epoch as f32 + number as f32 / batches as f32) / epochs as f32;
            self.step(parts, batch.len(), RATE * rate_at(done));
        }
        sum / samples.len().max(1) as f64
    }

    /// One step of Adam (Kingma and Ba, 2015), and the weights cut to what there is room for.
    fn step(&mut self, parts: usize, samples: usize, rate: f32) {
        self.steps += 1;
        let scale = 1.0 / samples as f32;
        let (first, rest) = self.gradients.split_at_mut(1);
        for other in &rest[..parts - 1] {
            for (sum, other) in first[0].parts_mut().zip(other.parts()) {
                sum.iter_mut().zip(other).for_each(|(sum, other)| *sum += other);
            }
        }
        let rate = rate * libm::sqrtf(1.0 - libm::powf(0.999, self.steps as f32))
            / (1.0 - libm::powf(0.9, self.steps as f32));
        let state = self.mean.parts_mut().zip(self.square.parts_mut());
        for ((weights, gradient), (mean, square)) in
            self.weights.parts_mut().zip(first[0].parts()).zip(state)
        {
            for at in 0..weights.len() {
                let slope = gradient[at] * scale;
                mean[at] = 0.9 * mean[at] + 0.1 * slope;
                square[at] = 0.999 * square[at] + 0.001 * slope * slope;
                let step = rate * mean[at] / (square[at].sqrt() + 1e-8);
                weights[at] = (weights[at] - step).clamp(-GREATEST, GREATEST);
            }
        }
    }
}

/// How much of the rate is left: all of it at first, a hundredth at the end.
fn rate_at(done: f32) -> f32 {
    0.01 + 0.99 * (0.5 + 0.5 * libm::cosf(std::f32::consts::PI * done))
}

#[cfg(test)]
mod tests {
    use super::super::record::parse_all;
    use super::*;
    use crate::game::{Game as _, Seat};
    use crate::games::barca::Kind;
    use crate::games::recorded;
    use crate::search::Evaluate;

    fn games(count: usize) -> Vec<Game> {
        let packed = include_bytes!("../../../data/barca-games.txt.zst");
        let text = recorded::unpacked(packed.to_vec()).expect("packed text");
        let some: Vec<_> = text.lines().take(count).collect();
        parse_all(&some.join("\n")).expect("games")
    }

    /// The rules know no direction: turned and mirrored positions have as many moves.
    #[test]
    fn the_eight_symmetries_keep_the_rules() {
        let mut checked = 0;
        for game in games(5) {
            game.for_each_score(|position, _, _| {
                for symmetry in symmetries() {
                    let mut turned = Position::empty(position.side());
                    for side in [0, 1] {
                        for kind in Kind::ALL {
                            for square in position.standing(side, kind) {
                                assert!(turned.put(side, kind, symmetry[square as usize]));
                            }
                        }
                    }
                    assert_eq!(turned.count_moves(), position.count_moves());
                    assert_eq!(turned.held(0), position.held(0));
                    checked += 1;
                }
            });
        }
        assert!(checked > 1_000, "{checked}");
    }

    #[test]
    fn the_gradient_is_the_slope_of_the_error() {
        let (_, samples) = samples_of(&games(2));
        let as_it_is = &symmetries()[0];
        let mut weights = Weights::random(5);
        let mut gradient = Weights::zero();
        for sample in &samples {
            weights.learn(sample, as_it_is, &mut gradient);
        }
        let all = samples.len() as f64;
        let parts = gradient.parts().count();
        let mut checked = 0;
        for part in 0..parts {
            let slopes = gradient.parts().nth(part).expect("a part").to_vec();
            let Some((at, slope)) =
                slopes.iter().enumerate().max_by(|a, b| a.1.abs().total_cmp(&b.1.abs()))
            else {
                continue;
            };
            if slope.abs() < 0.3 {
                continue;
            }
            let mut error = |change: f32| {
                let weight = &mut weights.parts_mut().nth(part).expect("a part")[at];
                let old = std::mem::replace(weight, *weight + change);
                let error = weights.error(&samples) * all;
                weights.parts_mut().nth(part).expect("a part")[at] = old;
                error
            };
            let measured = (error(1e-3) - error(-1e-3)) / 2e-3;
            let told = f64::from(*slope);
            assert!((measured - told).abs() < 0.03 * told.abs(), "{part} {measured} {told}");
            checked += 1;
        }
        assert!(checked > 20, "{checked}");
    }

    #[test]
    fn rounding_changes_a_score_by_little() {
        let (_, samples) = samples_of(&games(60));
        let mut training = Training::new(3, 256);
        for epoch in 0..3 {
            training.epoch(&samples, epoch, 3);
        }
        let network = training.weights.rounded();
        let as_it_is = &symmetries()[0];
        let mut differences = Vec::new();
        for game in games(3) {
            game.for_each_score(|position, score, share| {
                let sample = sample(position, score, share);
                let rows = rows_of(&sample, as_it_is);
                let (_, output) = training.weights.output(&rows, sample.bucket as usize);
                let seat = Seat::new(position.side());
                let whole = network.score(&network.fresh(position), position, seat);
                differences.push((f64::from(whole) - f64::from(output) * SCALE).abs());
            });
        }
        let mean = differences.iter().sum::<f64>() / differences.len() as f64;
        let most = differences.iter().fold(0.0, |most: f64, d| most.max(*d));
        assert!(mean < 6.0 && most < 30.0, "{mean} {most}");
    }

    #[test]
    fn training_learns_and_does_not_depend_on_the_number_of_threads() {
        let (held_out, samples) = samples_of(&games(150));
        let trained = |threads| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
            pool.expect("threads").install(|| {
                let mut training = Training::new(7, 256);
                for epoch in 0..4 {
                    training.epoch(&samples, epoch, 4);
                }
                training
            })
        };
        let one = trained(1);
        assert_eq!(one.weights.rounded(), trained(3).weights.rounded());
        let mean = samples.iter().map(|sample| f64::from(sample.target)).sum::<f64>()
            / samples.len() as f64;
        let constant = held_out.iter().map(|s| (f64::from(s.target) - mean).powi(2)).sum::<f64>()
            / held_out.len() as f64;
        let learnt = one.weights.error(&held_out);
        assert!(learnt < 0.9 * constant, "{learnt} against {constant}");
    }

    #[test]
    fn a_network_comes_back_from_its_bytes_and_other_bytes_are_refused() {
        let network = Weights::random(11).rounded();
        let bytes = network.to_bytes();
        assert_eq!(Network::from_bytes(&bytes).expect("a network"), network);
        let error = Network::from_bytes(&bytes[1..]).expect_err("too short").to_string();
        assert!(error.contains(&bytes.len().to_string()), "{error}");
    }
}
