//! Fits the weights of the evaluation to self-play games of the engine.
//!
//! Every position written with expected shares is a sample: the features of every seat, and as
//! target the mean of the result of the game and the expected shares. The fit is that of
//! [`crate::training::linear`], with an L2 penalty on the distance from the initial weights, so that
//! rare features hardly change.

use clap::Args;
use parlor::game::{self, Game as _};
use parlor::games::pacru::play::{
    ATTACKED, AttackMaps, CHEVRON, FEATURES, MARKERS, MOBILITY, Weights, feature_name,
    visit_features, weights as source_weights,
};
use parlor::games::pacru::{Position, SEATS};
use parlor::progress;
use parlor::search::value::SCALE;

use crate::arguments::GamesFiles;
use crate::chevrons::record::{self, Shares};
use crate::printing::{note_line, print_line};
use crate::training::adam::{AdamSettings, Regularisation};
use crate::training::linear::{FeatureSample, FeatureSeat, LinearFit, text};

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

/// Fit the weights of the evaluation to self-play games and print them
///
/// Fits the weights of the evaluation to games recorded by `record`, separately for two, three and
/// four players, and prints them. Equal games give equal weights: the example, with the games that
/// come with the source, reproduces the weights in the source.
#[derive(Args, Debug)]
#[command(after_help = "Examples:
  parlor-lab pacru tune data/pacru-games.txt.zst > data/pacru-weights.txt")]
pub struct Tune {
    #[command(flatten)]
    games: GamesFiles,
}

impl Tune {
    /// Fits the weights and prints them.
    pub fn run(self) -> anyhow::Result<()> {
        let samples = samples_of(&self.games.read::<record::Format<Position>>()?);
        let bar = progress::bar(3 * u64::from(STEPS), "steps");
        let fitted = samples.each_ref().map(|samples| fitted(samples, || bar.inc(1)));
        bar.finish_and_clear();
        for (seats, (samples, weights)) in (2..).zip(samples.iter().zip(&fitted)) {
            let loss = |weights: &Weights| fit().loss(samples, &units(weights));
            note_line!(
                "{seats} players: {} positions; loss {:.5} with the initial weights, {:.5} with those \
                 in the source, {:.5} with these",
                samples.len(),
                loss(&INITIAL_WEIGHTS),
                loss(source_weights(seats)),
                loss(weights)
            );
        }
        print_line!("{}", written(&fitted).trim_end());
        Ok(())
    }
}

/// The weights as the text of `data/pacru-weights.txt`.
fn written(fitted: &[Weights; 3]) -> String {
    let rows = ["two", "three", "four"].into_iter().zip(fitted).flat_map(|(players, weights)| {
        let row = move |(feature, weight): (usize, &i16)| {
            (format!("{players} players: {}", feature_name(feature)), vec![*weight])
        };
        weights.iter().enumerate().map(row)
    });
    text("Written by `parlor-lab pacru tune`: two, three, four players.", rows)
}

/// The positions of recorded games with expected shares, by the number of players.
fn samples_of(games: &[record::Game<Position>]) -> [Vec<FeatureSample>; 3] {
    let mut samples: [Vec<FeatureSample>; 3] = Default::default();
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
fn sample(position: &Position, shares: &Shares) -> FeatureSample {
    let maps = AttackMaps::new(position);
    let left = (0..position.seats()).filter(|seat| !position.chevron_fields(*seat).is_empty());
    let seats = left.map(|seat| {
        let mut row = [0; FEATURES];
        visit_features(position, &maps, seat, |feature, count| row[feature] += count);
        let seen = row.iter().enumerate().filter(|(_, count)| **count != 0);
        let features = seen.map(|(feature, count)| (feature as u16, *count as i8)).collect();
        FeatureSeat { features, share: shares[seat] }
    });
    seats.collect()
}

/// The fit, in logarithmic units.
fn fit() -> LinearFit {
    let regularisation = Regularisation::L2ToInitial(L2_PENALTY);
    let settings = AdamSettings { epsilon: 1e-12, regularisation, ..AdamSettings::default() };
    // In the second half the learning rate falls to zero.
    let rate = |step| {
        let left = f64::from(STEPS - step) / f64::from(STEPS) * 2.0;
        RATE * left.min(1.0)
    };
    LinearFit { settings, unit: 1.0, steps: STEPS, rate }
}

/// Weights in logarithmic units.
fn units(weights: &Weights) -> [f64; FEATURES] {
    weights.map(|weight| f64::from(weight) / SCALE)
}

/// The weights that minimise the loss, found from the initial weights.
fn fitted(samples: &[FeatureSample], each: impl Fn()) -> Weights {
    let weights = fit().run(&units(&INITIAL_WEIGHTS), samples, each);
    std::array::from_fn(|at| libm::round(weights[at] * SCALE).clamp(-3_000.0, 3_000.0) as i16)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::recording::games::parse_games;

    #[test]
    fn the_checked_in_games_give_the_checked_in_weights() {
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../data/pacru-games.txt.zst");
        let text = parlor::reading::text(path.as_ref()).expect("packed text");
        let samples = samples_of(&parse_games(&text).expect("games"));
        let weights = samples.each_ref().map(|samples| fitted(samples, || ()));
        assert_eq!(written(&weights), include_str!("../../../data/pacru-weights.txt"));
    }

    #[test]
    fn a_feature_that_decides_games_gains_weight() {
        let seat = |markers, share| FeatureSeat { features: vec![(0, markers)], share };
        let samples: Vec<FeatureSample> =
            (0..100).map(|_| vec![seat(3, 0.9), seat(1, 0.1)]).collect();
        let weights = fitted(&samples, || ());
        // Odds of nine to one for two markers more are worth 400 log10(9) / 2 = 191 each.
        assert!((180..=192).contains(&weights[MARKERS]), "{weights:?}");
        assert_eq!(weights[ATTACKED + 1], INITIAL_WEIGHTS[ATTACKED + 1]);
    }
}
