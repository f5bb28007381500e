//! `pacru tune`: fits the weights of the evaluation to self-play games of the engine.
//!
//! Every position written with expected shares is a sample: the features of every seat, and as
//! target the mean of the result of the game and the expected shares. The loss is the cross-entropy
//! of the targets and the softmax of the strengths. Adam minimises it over all samples at once, with
//! an L2 penalty on the distance from the initial weights, so that rare features hardly change. One
//! thread and `libm`: equal games give equal weights.

use clap::{ArgMatches, Command};

use super::record::{Game, Record, Shares};
use crate::game::{self, Game as _};
use crate::games::Subcommand;
use crate::games::pacru::play::{
    ATTACKED, AttackMaps, CHEVRON, FEATURES, MARKERS, MOBILITY, SCALE, Weights, feature_name,
    visit_features, weights as source_weights,
};
use crate::games::pacru::rules::{Position, SEATS};
use crate::learning::adam::{Adam, AdamSettings, Regularisation};
use crate::learning::arguments::{games_file, games_of};
use crate::printing::{note_line, print_line};
use crate::progress;

/// The weights that the fit starts from: markers, mobility, threats and chevrons.
const INITIAL_WEIGHTS: Weights = {
    let mut plain = [0; FEATURES];
    plain[MARKERS] = 12;
    let mut bucket = 0;
    while bucket < BY_MOBILITY.len() {
        plain[MOBILITY + bucket] = BY_MOBILITY[bucket];
        bucket += 1;
    }
    plain[ATTACKED + 1] = -150;
    plain[ATTACKED + 2] = -60;
    let mut chevron = 0;
    while chevron < 4 {
        plain[CHEVRON + chevron] = 150;
        chevron += 1;
    }
    plain
};

const BY_MOBILITY: [i16; 10] = [-120, -60, -20, 0, 10, 20, 28, 36, 44, 55];

/// The share of the result in the target; the rest is what the search expected.
const RESULT_SHARE: f64 = 0.5;

/// The L2 penalty on the distance from the initial weights.
const L2_PENALTY: f64 = 2e-5;

/// Steps of Adam, and the learning rate of the first half.
const STEPS: u32 = 300;
const RATE: f64 = 0.03;

/// The subcommand `tune`.
pub(crate) fn subcommand() -> Subcommand {
    let command = Command::new("tune")
        .about("Fit the weights of the evaluation to self-play games and print them")
        .long_about(
            "Fits the weights of the evaluation to games recorded by `pacru record`, separately \
             for two, three and four players, and prints them as a source file. Equal \
             games give equal weights: the example, with the games that come with the source, \
             reproduces the weights in the source.",
        )
        .after_help(
            "Examples:\n  pacru tune data/pacru-games.txt.zst > src/games/pacru/play/tuned.in",
        )
        .arg(games_file("pacru"));
    Subcommand { command, run }
}

fn run(arguments: &ArgMatches) -> anyhow::Result<()> {
    let samples = samples_of(&games_of::<Record>(arguments)?);
    let mut fitted = [INITIAL_WEIGHTS; 3];
    let bar = progress::bar(3 * u64::from(STEPS), "steps");
    for (seats, (samples, weights)) in (2..).zip(samples.iter().zip(&mut fitted)) {
        *weights = fit(samples, || bar.inc(1));
        bar.suspend(|| note_line!(
            "{seats} players: {} positions; loss {:.5} with the initial weights, {:.5} with those in \
             the source, {:.5} with these",
            samples.len(),
            loss(samples, &INITIAL_WEIGHTS),
            loss(samples, source_weights(seats)),
            loss(samples, weights)
        ));
    }
    bar.finish_and_clear();
    print_line!("{}", written(&fitted).trim_end());
    Ok(())
}

/// The weights as a source file.
fn written(fitted: &[Weights; 3]) -> String {
    let mut text = String::from("// Printed by `pacru tune`; do not edit.\n[\n");
    for weights in fitted {
        text += "    [\n";
        for (feature, weight) in weights.iter().enumerate() {
            text += &format!("        {weight}, // {}\n", feature_name(feature));
        }
        text += "    ],\n";
    }
    text + "]\n"
}

/// A position as a sample: the features and the target share of every seat that has chevrons.
#[derive(Default)]
struct Sample {
    seats: Vec<Seat>,
}

struct Seat {
    features: Vec<(u8, i8)>,
    share: f64,
}

/// The positions of recorded games with expected shares, by the number of players.
fn samples_of(games: &[Game]) -> [Vec<Sample>; 3] {
    let mut samples: [Vec<Sample>; 3] = Default::default();
    for game in games {
        let seats = game.start.seats();
        let mut result = [0.0; SEATS];
        for seat in game::Seat::all(seats) {
            result[seat.index()] = game.outcome.share(seat);
        }
        game.for_each_position(|position, _, expected| {
            // Decided positions teach nothing.
            let open = expected.filter(|shares| shares.iter().all(|share| *share < 0.999));
            if let Some(expected) = open {
                samples[seats - 2].push(sample(position, &mixed(&result, expected)));
            }
        });
    }
    samples
}

fn mixed(result: &Shares, expected: &Shares) -> Shares {
    let mut mixed = [0.0; SEATS];
    for (share, (result, expected)) in mixed.iter_mut().zip(result.iter().zip(expected)) {
        *share = RESULT_SHARE * result + (1.0 - RESULT_SHARE) * expected;
    }
    mixed
}

/// Seats without chevrons cannot win and are left out.
fn sample(position: &Position, shares: &Shares) -> Sample {
    let maps = AttackMaps::new(position);
    let left = (0..position.seats()).filter(|seat| !position.chevron_fields(*seat).is_empty());
    let seats = left.map(|seat| {
        let mut row = [0; FEATURES];
        visit_features(position, &maps, seat, |feature, count| row[feature] += count);
        let seen = row.iter().enumerate().filter(|(_, count)| **count != 0);
        let features = seen.map(|(feature, count)| (feature as u8, *count as i8)).collect();
        Seat { features, share: shares[seat] }
    });
    Sample { seats: seats.collect() }
}

impl Sample {
    /// The win probabilities of the seats, in the order of `self.seats`.
    fn win_probabilities(&self, weights: &[f64; FEATURES]) -> [f64; SEATS] {
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

/// The mean cross-entropy of targets and win probabilities.
fn loss(samples: &[Sample], weights: &Weights) -> f64 {
    let weights = weights.map(|weight| f64::from(weight) / SCALE);
    let mut sum = 0.0;
    for sample in samples {
        for (chance, seat) in sample.win_probabilities(&weights).iter().zip(&sample.seats) {
            sum -= seat.share * libm::log(chance.max(1e-12));
        }
    }
    sum / samples.len().max(1) as f64
}

/// Minimises the loss, starting from the initial weights.
fn fit(samples: &[Sample], each: impl Fn()) -> Weights {
    let mut weights = INITIAL_WEIGHTS.map(|weight| f64::from(weight) / SCALE);
    let regularisation = Regularisation::Spring(L2_PENALTY);
    let settings = AdamSettings { epsilon: 1e-12, regularisation, ..AdamSettings::default() };
    let mut adam = Adam::new(&weights, settings);
    for step in 0..STEPS {
        // In the second half the learning rate falls to zero.
        let left = f64::from(STEPS - step) / f64::from(STEPS) * 2.0;
        let gradient = gradient(samples, &weights);
        adam.step(&mut weights, &gradient, RATE * left.min(1.0));
        each();
    }
    weights.map(|weight| libm::round(weight * SCALE).clamp(-3_000.0, 3_000.0) as i16)
}

fn gradient(samples: &[Sample], weights: &[f64; FEATURES]) -> [f64; FEATURES] {
    let mut gradient = [0.0; FEATURES];
    for sample in samples {
        for (chance, seat) in sample.win_probabilities(weights).iter().zip(&sample.seats) {
            for (feature, count) in &seat.features {
                gradient[*feature as usize] += (chance - seat.share) * f64::from(*count);
            }
        }
    }
    gradient.map(|slope| slope / samples.len().max(1) as f64)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::pacru::play::WEIGHTS;
    use crate::learning::recorded_games::{parse_games, unpacked};

    #[test]
    fn the_checked_in_games_give_the_checked_in_weights() {
        let packed = include_bytes!("../../../../data/pacru-games.txt.zst");
        let text = unpacked(packed.to_vec()).expect("packed text");
        let samples = samples_of(&parse_games(&text).expect("games"));
        assert_eq!(samples.each_ref().map(|samples| fit(samples, || ())), WEIGHTS);
    }

    #[test]
    fn a_feature_that_decides_games_gains_weight() {
        let seat = |markers, share| Seat { features: vec![(0, markers)], share };
        let samples: Vec<Sample> =
            (0..100).map(|_| Sample { seats: vec![seat(3, 0.9), seat(1, 0.1)] }).collect();
        let weights = fit(&samples, || ());
        // Odds of nine to one for two markers more are worth 400 log10(9) / 2 = 191 each.
        assert!((180..=192).contains(&weights[MARKERS]), "{weights:?}");
        assert_eq!(weights[ATTACKED + 1], INITIAL_WEIGHTS[ATTACKED + 1]);
    }
}
