//! Fits the network to self-play games of the engine.
//!
//! Every searched position that the search would evaluate is a sample. The target is a mean of the
//! result of the game and the score of the search, both as expected results; the loss is the
//! squared error. The network is added to the weighted sum of the evaluation, so it learns what the
//! sum misses. The learning rate falls from its first value to a hundredth of it.
//! [`crate::training::trainer`] does the rest: equal games give equal weights.

use arrayvec::ArrayVec;
use clap::{Args, value_parser};
use parlor::games::porrika::play::network::{
    HIDDEN, PIECES, SHAPE, TRAINING_SHAPE, bucket_of, inputs_of, shared_input,
};
use parlor::games::porrika::{Evaluation, Network, Phase, Position};
use parlor::search::SearchHints;
use parlor::search::value::SCALE;

use super::record::Game;
use crate::printing::note_line;
use crate::recording::scored::Searched;
use crate::training::adam::{AdamSettings, Regularisation};
use crate::training::course::Course;
use crate::training::descent::expected;
use crate::training::parameters::Parameters;
use crate::training::samples::Samples;
use crate::training::trainer::{Loss, Scoring, Settings};

/// Every 50th game is held out for validation.
const HOLD_OUT: usize = 50;

/// Fit the network to self-play games
///
/// Fits the network of the evaluation to games recorded by `record` and writes a weight file. Equal
/// games give equal weights, whatever the number of threads.
#[derive(Args, Debug)]
#[command(after_help = "Examples:
  parlor-lab porrika record --games 16000 --out games
  parlor-lab porrika train games --out data/porrika.network")]
#[command(mut_arg("epochs", |arg| arg.default_value("20")))]
#[command(mut_arg("batch", |arg| arg.default_value("8192")))]
pub struct Train {
    #[command(flatten)]
    course: Course,
    /// Percentage of the result in the target; the rest is the score
    #[arg(long, value_name = "N", default_value = "30", value_parser = value_parser!(u64).range(0..=100))]
    result: u64,
    /// Thousandths by which the result of a won game goes towards a draw for each ply to its end, so
    /// that near wins count more than far ones
    #[arg(long, value_name = "N", default_value = "0", value_parser = value_parser!(u64).range(0..=1000))]
    discount: u64,
    /// Weight decay, in thousand-millionths
    #[arg(long, value_name = "N", default_value = "0")]
    decay: u64,
}

impl Train {
    /// Trains the network and writes it.
    pub fn run(self) -> anyhow::Result<()> {
        let mix =
            Mix { result: self.result as f32 / 100.0, kept: 1.0 - self.discount as f64 / 1e3 };
        let samples = samples_of(&self.course.games.read()?, mix);
        let task = ExpectedResult;
        let alone = samples.validation.iter().map(|sample| f64::from(task.loss(sample, 0.0).value));
        let error = alone.sum::<f64>() / samples.validation.len().max(1) as f64;
        note_line!("without a network: validation {error:.6}");
        let first = |seed| Parameters::random(TRAINING_SHAPE, seed, 0.2);
        let begun = (first, settings(self.decay as f64 * 1e-9));
        self.course.run(&task, &samples, begun, "error", |weights: &Parameters<HIDDEN, 2>| {
            let network = weights.rounded().folded(SHAPE, shared_input).network();
            Network::from(network).to_bytes()
        })
    }
}

fn settings(decay: f64) -> Settings {
    let regularisation = Regularisation::WeightDecay(decay);
    let adam = AdamSettings { regularisation, ..AdamSettings::default() };
    Settings { rate: 0.001, adam }
}

/// One position, and its target for copper, from 0 to 1.
struct Sample {
    /// The active inputs of both views.
    inputs: [[u16; PIECES]; 2],
    bucket: u8,
    /// The weighted sum of the evaluation, as an output.
    sum: f32,
    target: f32,
}

/// What targets are made of.
#[derive(Clone, Copy)]
struct Mix {
    /// The share of the result; the rest is the score.
    result: f32,
    /// What is kept of a result, as distance from a draw, for each ply to the end.
    kept: f64,
}

impl Mix {
    fn target(self, searched: &Searched<Position>) -> f32 {
        let foreseen = expected((searched.score / SCALE) as f32);
        let result = searched.share.map_or(foreseen, |share| {
            (0.5 + (share - 0.5) * self.kept.powi(searched.plies_left as i32)) as f32
        });
        self.result * result + (1.0 - self.result) * foreseen
    }
}

/// The positions of recorded games. One that was cut off is a draw: neither side made progress.
fn samples_of(games: &[Game], mix: Mix) -> Samples<Sample> {
    let evaluation = Evaluation::terms();
    Samples::of_games(games, HOLD_OUT, |game, list| {
        game.for_each_searched(|searched| {
            if is_evaluated(searched.position, &evaluation) {
                list.extend(sample(&searched, &evaluation, mix));
            }
        });
    })
}

/// Whether the search would evaluate a position.
fn is_evaluated(position: &Position, evaluation: &Evaluation) -> bool {
    position.phase() == Phase::Moving
        && !position.must_answer()
        && evaluation.known_value(position).is_none()
}

/// `None` where pieces are missing.
fn sample(searched: &Searched<Position>, evaluation: &Evaluation, mix: Mix) -> Option<Sample> {
    let position = searched.position;
    let [near, far] = inputs_of(position);
    let packed = |inputs: &[usize]| -> Option<[u16; PIECES]> {
        let inputs: [usize; PIECES] = inputs.try_into().ok()?;
        Some(inputs.map(|input| input as u16))
    };
    Some(Sample {
        inputs: [packed(&near)?, packed(&far)?],
        bucket: bucket_of(position) as u8,
        sum: (f64::from(evaluation.weighted_sum(position)) / SCALE) as f32,
        target: mix.target(searched),
    })
}

/// The squared error of the expected result of the weighted sum and the network together.
struct ExpectedResult;

impl Scoring<2> for ExpectedResult {
    type Sample = Sample;
    type Inputs = ArrayVec<u16, { 2 * PIECES }>;

    /// A position and its mirror image have the same inputs. Of eggs on mirrored spaces either may
    /// come first.
    fn inputs(&self, sample: &Sample, random: u64) -> [Self::Inputs; 2] {
        let [near, far] = sample.inputs;
        let swapped = near[0] == far[0] && random >> 63 == 1;
        (if swapped { [far, near] } else { [near, far] }).map(|inputs| {
            let shared = inputs.into_iter().filter_map(|input| shared_input(usize::from(input)));
            inputs.into_iter().chain(shared.map(|input| input as u16)).collect()
        })
    }

    fn bucket(&self, sample: &Sample) -> usize {
        sample.bucket as usize
    }

    fn loss(&self, sample: &Sample, output: f32) -> Loss {
        let expected = expected(sample.sum + output);
        let miss = expected - sample.target;
        Loss { value: miss * miss, slope: 2.0 * miss * expected * (1.0 - expected) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use parlor::game::Seat;
    use parlor::search::Evaluate;

    use crate::training::trainer::Trainer;

    /// A short game that silver wins, and one with a random move in it.
    fn games() -> Vec<Game> {
        let lines = [
            "0-1 EGGEG.G. a1na2e:30 b6wb5e:-20 a2ea3n:40 b5eb4s:10 a3nb3w:-500 b4sb3e:2000",
            "1/2 GGGEE.G. a1wb2n:80 b6sa5e:-90 b2nb3e c6sd5w:-110 d1nc2n:120 b6wc5w:-100",
        ];
        lines.map(|line| Game::parse(line).expect(line)).into()
    }

    /// Half of a target is the result, of which a tenth is lost with each ply.
    const MIX: Mix = Mix { result: 0.5, kept: 0.9 };

    fn samples(mix: Mix) -> Vec<Sample> {
        let evaluation = Evaluation::terms();
        let mut samples = Vec::new();
        for game in games() {
            game.for_each_searched(|at| samples.extend(sample(&at, &evaluation, mix)));
        }
        samples
    }

    #[test]
    fn targets_mix_the_score_and_a_result_that_counts_less_the_further_it_is() {
        let targets: Vec<f32> = samples(MIX).iter().map(|sample| sample.target).collect();
        let of = |score: f64| expected((score / SCALE) as f32);
        let (six_plies, one_ply) = (0.5 - 0.5 * 0.531_441, 0.05);
        // The scores are for copper. Silver wins the first game; the other one has no winner, and
        // before its last random move only scores count.
        let wanted = [
            (0, of(30.0) / 2.0 + six_plies / 2.0),
            (5, of(-2_000.0) / 2.0 + one_ply / 2.0),
            (6, of(80.0)),
            (8, of(110.0) / 2.0 + 0.25),
        ];
        for (at, wanted) in wanted {
            assert!((targets[at] - wanted).abs() < 1e-6, "{at}: {} {wanted}", targets[at]);
        }
    }

    #[test]
    fn a_position_and_its_mirror_image_are_one_sample() {
        for game in games() {
            game.for_each_searched(|at| {
                let mirror = at.position.mirrored();
                let inputs = |position| {
                    inputs_of(position).map(|mut inputs| {
                        inputs.sort_unstable();
                        inputs
                    })
                };
                assert_eq!(inputs(at.position), inputs(&mirror));
                assert_eq!(bucket_of(at.position), bucket_of(&mirror));
            });
        }
    }

    #[test]
    fn the_slope_is_that_of_the_loss() {
        for sample in samples(MIX) {
            for output in [-1.5, 0.0, 0.4] {
                let [more, less] =
                    [1e-2, -1e-2].map(|d| ExpectedResult.loss(&sample, output + d).value);
                let slope = ExpectedResult.loss(&sample, output).slope;
                assert!(((more - less) / 2e-2 - slope).abs() < 1e-3, "{output} {slope}");
            }
        }
    }

    fn trained(threads: usize) -> Trainer<Parameters<HIDDEN, 2>> {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("threads");
        let weights = Parameters::random(TRAINING_SHAPE, 3, 0.2);
        let mut trainer = Trainer::new(weights, settings(0.0), 4, 3);
        pool.install(|| {
            (0..20).for_each(|epoch| _ = trainer.epoch(&ExpectedResult, &samples(MIX), epoch, 20))
        });
        trainer
    }

    /// What plays is what was learned: blocks are folded, numbers rounded, accumulators built.
    #[test]
    fn the_network_that_plays_has_the_values_of_the_trained_one() {
        let trainer = trained(1);
        let network =
            Network::from(trainer.weights().rounded().folded(SHAPE, shared_input).network());
        let evaluation = Evaluation::with_network(network);
        let mut samples = samples(MIX).into_iter();
        for game in games() {
            game.for_each_searched(|at| {
                let sample = samples.next().expect("as many samples");
                let inputs = ExpectedResult.inputs(&sample, 0);
                let inputs = inputs.each_ref().map(|inputs| &inputs[..]);
                let bucket = usize::from(sample.bucket);
                let (_, output) = trainer.weights().output(&inputs, bucket, sample.sum);
                let exact = f64::from(output) * SCALE;
                let sums = evaluation.fresh(at.position);
                let value = f64::from(evaluation.score(&sums, at.position, Seat::new(0)));
                assert!((value - exact).abs() < 8.0 + 0.05 * exact.abs(), "{value} {exact}");
            });
        }
    }

    #[test]
    fn equal_games_give_equal_bytes_with_any_number_of_threads() {
        let bytes = |threads| trained(threads).weights().rounded().network().to_bytes("test");
        assert!(bytes(1) == bytes(3));
    }
}
