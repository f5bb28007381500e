//! `barca tune`: fits the weights of player `terms` to self-play games of the engine.
//!
//! Every searched position is a sample: the counts of the terms, and as target the mean of the
//! result of the game and the score of the search, both as expected results. Adam minimises the
//! squared error over all samples at once, with an L2 penalty on the distance from the initial
//! weights, so that rare terms hardly change. One thread and `libm`: equal games give equal
//! weights.

use clap::Command;

use super::record::{Game, Record, Searched, for_each_searched};
use crate::games::Subcommand;
use crate::games::barca::play::{INITIAL, counts, term};
use crate::learning::adam::{Adam, AdamSettings, Regularisation};
use crate::learning::arguments::{games_file, games_of, number};
use crate::learning::network::SCALE;
use crate::printing::{note_line, print_line};
use crate::progress;

/// The share of the result in the target; the rest is the score of the search.
const RESULT_SHARE: f64 = 0.5;

/// The L2 penalty on the distance from the initial weights.
const L2_PENALTY: f64 = 1e-8;

/// The learning rate of the first two thirds of the steps.
const RATE: f64 = 2.0;

/// The subcommand `tune`.
pub(crate) fn subcommand() -> Subcommand {
    let command = Command::new("tune")
        .about("Fit the weights of player `terms` to self-play games and print them")
        .long_about(
            "Fits the weights of the terms to games recorded by `barca record` and prints \
             them as a source file. Equal games give equal weights: the example, with the games \
             that come with the source, reproduces the weights of player `terms`.",
        )
        .after_help(
            "Examples:\n  barca tune data/barca-games.txt.zst > src/games/barca/play/tuned.in",
        )
        .arg(games_file("barca"))
        .arg(number("steps", "300", "Steps of Adam"));
    Subcommand { command, run }
}

fn run(matches: &clap::ArgMatches) -> anyhow::Result<()> {
    let steps = matches.get_one::<u64>("steps").copied().unwrap_or(300);
    let samples = samples_of(&games_of::<Record>(matches)?);
    note_line!("{} positions", samples.len());
    let start = INITIAL.map(f64::from);
    note_line!("error {:.6} with the initial weights", error(&samples, &start));
    let bar = progress::bar(steps, "steps");
    let weights = fit(&samples, steps, || bar.inc(1));
    bar.finish_and_clear();
    note_line!("error {:.6} after {steps} steps", error(&samples, &weights.map(f64::from)));
    print_line!("{}", written(&weights).trim_end());
    Ok(())
}

/// One position: the terms that occur in it, and its target for White, from 0 to 1.
struct Sample {
    terms: Vec<(u8, i8)>,
    target: f64,
}

/// The positions of recorded games.
fn samples_of(games: &[Game]) -> Vec<Sample> {
    let mut samples = Vec::new();
    for game in games {
        for_each_searched(game, |searched| {
            if searched.is_open() {
                samples.push(sample(&searched));
            }
        });
    }
    samples
}

fn sample(searched: &Searched) -> Sample {
    let terms = counts(searched.position)
        .0
        .iter()
        .enumerate()
        .filter(|(_, count)| **count != 0)
        .map(|(term, count)| (term as u8, *count as i8))
        .collect();
    let foreseen = expected(searched.score);
    let share = searched.share.unwrap_or(foreseen);
    let target = RESULT_SHARE * share + (1.0 - RESULT_SHARE) * foreseen;
    Sample { terms, target }
}

/// The expected result of a score.
fn expected(score: f64) -> f64 {
    1.0 / (1.0 + libm::exp(-score / SCALE))
}

fn dot(sample: &Sample, weights: &[f64; term::COUNT]) -> f64 {
    sample.terms.iter().map(|(term, count)| weights[*term as usize] * f64::from(*count)).sum()
}

fn error(samples: &[Sample], weights: &[f64; term::COUNT]) -> f64 {
    let squares = samples.iter().map(|sample| {
        let miss = expected(dot(sample, weights)) - sample.target;
        miss * miss
    });
    squares.sum::<f64>() / samples.len().max(1) as f64
}

/// The weights that minimise the loss, found from the initial weights; `each` is called after each
/// step.
fn fit(samples: &[Sample], steps: u64, each: impl Fn()) -> [i16; term::COUNT] {
    let mut weights = INITIAL.map(f64::from);
    let regularisation = Regularisation::Spring(2.0 * L2_PENALTY);
    let settings = AdamSettings { epsilon: 1e-12, regularisation, ..AdamSettings::default() };
    let mut adam = Adam::new(&weights, settings);
    for step in 0..steps {
        let gradient = gradient(samples, &weights);
        // The rate falls to 0 in the last third.
        let left = (steps - step) as f64 / steps as f64 * 3.0;
        adam.step(&mut weights, &gradient, RATE * left.min(1.0));
        each();
    }
    weights.map(|weight| libm::round(weight.clamp(-5_000.0, 5_000.0)) as i16)
}

fn gradient(samples: &[Sample], weights: &[f64; term::COUNT]) -> [f64; term::COUNT] {
    let mut gradient = [0.0; term::COUNT];
    for sample in samples {
        let expected = expected(dot(sample, weights));
        let slope = 2.0 * (expected - sample.target) * expected * (1.0 - expected) / SCALE;
        for (term, count) in &sample.terms {
            gradient[*term as usize] += slope * f64::from(*count);
        }
    }
    let all = samples.len().max(1) as f64;
    gradient.map(|slope| slope / all)
}

/// The weights as a source file.
fn written(weights: &[i16; term::COUNT]) -> String {
    let mut text = String::from("// Printed by `barca tune`.\n[\n");
    for row in weights.chunks(5) {
        let row: Vec<String> = row.iter().map(|weight| format!("{weight},")).collect();
        text += &format!("    {}\n", row.join(" "));
    }
    text + "]\n"
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::barca::play::WEIGHTS;
    use crate::learning::recorded_games::{parse_games, unpacked};

    #[test]
    fn the_checked_in_games_give_the_checked_in_weights() {
        let packed = include_bytes!("../../../../data/barca-games.txt.zst");
        let text = unpacked(packed.to_vec()).expect("packed text");
        let games = parse_games(&text).expect("games");
        assert_eq!(fit(&samples_of(&games), 300, || ()), WEIGHTS);
    }

    #[test]
    fn a_term_that_decides_games_gains_weight() {
        let sample = |count, target| Sample { terms: vec![(term::HELD as u8, count)], target };
        let samples: Vec<_> = (0..100).flat_map(|_| [sample(1, 0.9), sample(-1, 0.1)]).collect();
        let weights = fit(&samples, 500, || ());
        // Odds of nine to one are worth 400 log10(9) = 382. With the penalty the minimum is 371,
        // which the steps approach from below.
        assert!((340..=371).contains(&weights[term::HELD]), "{}", weights[term::HELD]);
        assert_eq!(weights[term::SQUARE], INITIAL[term::SQUARE]);
    }
}
