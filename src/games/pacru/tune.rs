//! `pacru tune`: fits the weights of the evaluation to games that the engine played against itself.
//!
//! Every position that was searched is a sample: the features of every seat against what became of
//! it, half the result of the game and half the shares that the search expected. The shares are
//! taken as drawn from the softmax of the strengths, and the cross-entropy is descended by Adam,
//! all samples at once, held by a spring to the weights it starts from, so that features hardly
//! seen stay where they were. One thread and software logarithms: equal games give equal weights.

use anyhow::Context;
use clap::{ArgMatches, Command};

use super::evaluate::SCALE;
use super::features::{self, FEATURES};
use super::position::{Position, SEATS};
use super::record::{Game, Shares};
use super::survey::Survey;
use super::weights::{PLAIN, Weights, weights as source_weights};
use crate::game::Game as _;
use crate::games::{Subcommand, recorded};

/// How much of the target is the result; the rest is what the search expected.
const RESULT_SHARE: f64 = 0.5;

/// Pull towards the first weights, for each sample, by the square of their distance.
const SPRING: f64 = 2e-5;

/// Steps along the gradient, and their length at first.
const STEPS: u32 = 300;
const RATE: f64 = 0.03;

/// The word `tune`.
pub(super) fn subcommand() -> Subcommand {
    let command = Command::new("tune")
        .about("Fit the weights of the evaluation to self-play games and print them")
        .long_about(
            "Fits the weights of the evaluation to games recorded by `pacru record`, separately \
             for two, three and four players, and prints them as the program keeps them. Equal \
             games give equal weights: with the games that come with the source,\n\n    \
             pacru tune data/pacru-games.txt.zst > src/games/pacru/tuned.in\n\nreproduces the \
             weights the program plays with.",
        )
        .arg(recorded::file_of_games("pacru"));
    Subcommand { command, run }
}

fn run(arguments: &ArgMatches) -> anyhow::Result<()> {
    let samples = recorded::parse_file(arguments, read_samples)?;
    let mut fitted = [PLAIN; 3];
    for (seats, (samples, weights)) in (2..).zip(samples.iter().zip(&mut fitted)) {
        *weights = fit(samples);
        eprintln!(
            "{seats} players: {} positions; loss {:.5} with the first weights, {:.5} with those in \
             the source, {:.5} with these",
            samples.len(),
            loss(samples, &PLAIN),
            loss(samples, source_weights(seats)),
            loss(samples, weights)
        );
    }
    print!("{}", written(&fitted));
    Ok(())
}

/// The weights as the source keeps them.
fn written(fitted: &[Weights; 3]) -> String {
    let mut text =
        String::from("// Printed by `pacru tune`; see the documentation of the word.\n[\n");
    for weights in fitted {
        text += "    [\n";
        for (feature, weight) in weights.iter().enumerate() {
            text += &format!("        {weight}, // {}\n", features::name(feature));
        }
        text += "    ],\n";
    }
    text + "]\n"
}

/// A position as the fit sees it: for every seat that is left the features it has, and its share.
#[derive(Default)]
pub(super) struct Sample {
    seats: Vec<Seat>,
}

struct Seat {
    features: Vec<(u8, i8)>,
    share: f64,
}

/// The positions of recorded games, one game a line, by the number of players.
pub(super) fn read_samples(text: &str) -> anyhow::Result<[Vec<Sample>; 3]> {
    let mut samples: [Vec<Sample>; 3] = Default::default();
    for (number, line) in (1..).zip(text.lines()) {
        let game = Game::parse(line).with_context(|| format!("line {number}"))?;
        for (position, expected) in &game.searched {
            // Where the end is in sight, there is nothing to estimate.
            if expected.iter().all(|share| *share < 0.999) {
                let mixed = mixed(&game.result, expected);
                samples[position.seats() - 2].push(sample(position, &mixed));
            }
        }
    }
    Ok(samples)
}

fn mixed(result: &Shares, expected: &Shares) -> Shares {
    let mut mixed = [0.0; SEATS];
    for (share, (result, expected)) in mixed.iter_mut().zip(result.iter().zip(expected)) {
        *share = RESULT_SHARE * result + (1.0 - RESULT_SHARE) * expected;
    }
    mixed
}

/// Seats without chevrons can win nothing and are left out.
fn sample(position: &Position, shares: &Shares) -> Sample {
    let survey = Survey::new(position);
    let left = (0..position.seats()).filter(|seat| !position.fields_of(*seat).is_empty());
    let seats = left.map(|seat| {
        let mut row = [0; FEATURES];
        features::visit(position, &survey, seat, |feature, count| row[feature] += count);
        let seen = row.iter().enumerate().filter(|(_, count)| **count != 0);
        let features = seen.map(|(feature, count)| (feature as u8, *count as i8)).collect();
        Seat { features, share: shares[seat] }
    });
    Sample { seats: seats.collect() }
}

impl Sample {
    /// The chances of the seats, in the order of `self.seats`.
    fn chances(&self, weights: &[f64; FEATURES]) -> [f64; SEATS] {
        let mut chances = [0.0; SEATS];
        for (chance, seat) in chances.iter_mut().zip(&self.seats) {
            let terms = seat.features.iter();
            let strength = terms.map(|(at, count)| weights[*at as usize] * f64::from(*count));
            *chance = strength.sum::<f64>();
        }
        let seats = self.seats.len();
        let best = chances[..seats].iter().copied().fold(f64::MIN, f64::max);
        chances[..seats].iter_mut().for_each(|chance| *chance = libm::exp(*chance - best));
        let total: f64 = chances.iter().sum();
        chances.map(|chance| chance / total)
    }
}

/// The mean cross-entropy of the shares.
fn loss(samples: &[Sample], weights: &Weights) -> f64 {
    let weights = weights.map(|weight| f64::from(weight) / SCALE);
    let mut sum = 0.0;
    for sample in samples {
        for (chance, seat) in sample.chances(&weights).iter().zip(&sample.seats) {
            sum -= seat.share * libm::log(chance.max(1e-12));
        }
    }
    sum / samples.len().max(1) as f64
}

/// Follows the gradient from the first weights.
pub(super) fn fit(samples: &[Sample]) -> Weights {
    let first = PLAIN.map(|weight| f64::from(weight) / SCALE);
    let mut weights = first;
    let (mut mean, mut square) = ([0.0; FEATURES], [0.0; FEATURES]);
    let (mut decay_mean, mut decay_square) = (1.0, 1.0);
    for step in 0..STEPS {
        let slope = gradient(samples, &weights);
        decay_mean *= 0.9;
        decay_square *= 0.999;
        // The last half settles.
        let left = f64::from(STEPS - step) / f64::from(STEPS) * 2.0;
        let rate = RATE * left.min(1.0);
        for at in 0..FEATURES {
            let slope = slope[at] + SPRING * (weights[at] - first[at]);
            mean[at] = 0.9 * mean[at] + 0.1 * slope;
            square[at] = 0.999 * square[at] + 0.001 * slope * slope;
            let direction = mean[at] / (1.0 - decay_mean);
            let size = libm::sqrt(square[at] / (1.0 - decay_square));
            weights[at] -= rate * direction / (size + 1e-12);
        }
    }
    weights.map(|weight| libm::round(weight * SCALE).clamp(-3_000.0, 3_000.0) as i16)
}

fn gradient(samples: &[Sample], weights: &[f64; FEATURES]) -> [f64; FEATURES] {
    let mut gradient = [0.0; FEATURES];
    for sample in samples {
        for (chance, seat) in sample.chances(weights).iter().zip(&sample.seats) {
            for (feature, count) in &seat.features {
                gradient[*feature as usize] += (chance - seat.share) * f64::from(*count);
            }
        }
    }
    gradient.map(|slope| slope / samples.len().max(1) as f64)
}

#[cfg(test)]
mod tests {
    use super::super::weights::WEIGHTS;
    use super::*;

    #[test]
    fn the_checked_in_games_give_the_checked_in_weights() {
        let packed = include_bytes!("../../../data/pacru-games.txt.zst");
        let text = recorded::unpacked(packed.to_vec()).expect("packed text");
        let samples = read_samples(&text).expect("games");
        assert_eq!(samples.each_ref().map(|samples| fit(samples)), WEIGHTS);
    }

    #[test]
    fn a_feature_that_decides_games_gains_weight() {
        let seat = |markers, share| Seat { features: vec![(0, markers)], share };
        let samples: Vec<Sample> =
            (0..100).map(|_| Sample { seats: vec![seat(3, 0.9), seat(1, 0.1)] }).collect();
        let weights = fit(&samples);
        // Odds of nine to one for two markers more are worth 400 log10(9) / 2 = 191 each.
        assert!((180..=192).contains(&weights[features::MARKERS]), "{weights:?}");
        assert_eq!(weights[features::ROOM], PLAIN[features::ROOM]);
    }
}
