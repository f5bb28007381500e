//! The fit of a weighted sum of features by [`Adam`]: the sum of a seat is how strong it stands, the
//! softmax of the strengths is every seat's probability to be first, and the loss is its
//! cross-entropy with the shares that the seats should get.
//!
//! All samples count in every step. Sums are taken in a fixed order, whatever the number of threads,
//! and with `libm`: equal samples give equal weights.

use std::fmt::Write;

use parlor::game::MAX_SEATS;
use rayon::prelude::*;

use super::adam::{Adam, AdamSettings};

/// Samples that are summed on their own.
const CHUNK: usize = 4096;

/// A seat of a position: its features with their counts, and the share that it should get.
pub struct FeatureSeat {
    pub features: Vec<(u16, i8)>,
    pub share: f64,
}

/// The seats of a position that can still win.
pub type FeatureSample = Vec<FeatureSeat>;

/// How weights are fitted.
pub struct LinearFit {
    pub settings: AdamSettings,
    /// The logarithm of the odds that a weight of 1 is worth.
    pub unit: f64,
    pub steps: u32,
    /// The length of a step by its number, from 0.
    pub rate: fn(u32) -> f64,
}

impl LinearFit {
    /// The weights after all steps from the first ones; `each` is called after each step.
    pub fn run(&self, first: &[f64], samples: &[FeatureSample], each: impl Fn()) -> Vec<f64> {
        let mut weights = first.to_vec();
        let mut adam = Adam::new(&weights, self.settings);
        for step in 0..self.steps {
            let (gradient, _) = self.gradient_and_loss(samples, &weights);
            adam.step(&mut weights, &gradient, (self.rate)(step));
            each();
        }
        weights
    }

    /// The mean loss.
    pub fn loss(&self, samples: &[FeatureSample], weights: &[f64]) -> f64 {
        self.gradient_and_loss(samples, weights).1
    }

    /// The means of the gradient and of the loss.
    fn gradient_and_loss(&self, samples: &[FeatureSample], weights: &[f64]) -> (Vec<f64>, f64) {
        let chunks = samples.par_chunks(CHUNK).map(|chunk| {
            let (mut gradient, mut loss) = (vec![0.0; weights.len()], 0.0);
            for sample in chunk {
                loss += self.add_gradient(sample, weights, &mut gradient);
            }
            (gradient, loss)
        });
        let chunks: Vec<(Vec<f64>, f64)> = chunks.collect();
        let (mut gradient, mut loss) = (vec![0.0; weights.len()], 0.0);
        for (part, lost) in &chunks {
            loss += lost;
            gradient.iter_mut().zip(part).for_each(|(sum, slope)| *sum += slope);
        }
        let count = samples.len().max(1) as f64;
        gradient.iter_mut().for_each(|slope| *slope /= count);
        (gradient, loss / count)
    }

    /// Adds the gradient of the loss of a sample; returns that loss.
    fn add_gradient(&self, sample: &FeatureSample, weights: &[f64], gradient: &mut [f64]) -> f64 {
        let mut loss = 0.0;
        for (chance, seat) in self.chances(sample, weights).iter().zip(sample) {
            loss -= seat.share * libm::log(chance.max(1e-12));
            let slope = self.unit * (chance - seat.share);
            for (feature, count) in &seat.features {
                gradient[usize::from(*feature)] += slope * f64::from(*count);
            }
        }
        loss
    }

    /// The probability of each seat of a sample to be first.
    fn chances(&self, sample: &FeatureSample, weights: &[f64]) -> [f64; MAX_SEATS] {
        let mut chances = [0.0; MAX_SEATS];
        let seats = &mut chances[..sample.len()];
        for (chance, seat) in seats.iter_mut().zip(sample) {
            let terms = seat.features.iter();
            let strength = terms.map(|(at, count)| weights[usize::from(*at)] * f64::from(*count));
            *chance = self.unit * strength.sum::<f64>();
        }
        let best = seats.iter().copied().fold(f64::MIN, f64::max);
        seats.iter_mut().for_each(|chance| *chance = libm::exp(*chance - best));
        let total: f64 = seats.iter().sum();
        seats.iter_mut().for_each(|chance| *chance /= total);
        chances
    }
}

/// Rows of weights with their names as the text that [`parlor::search::weight_text`] reads.
pub fn text(head: &str, rows: impl IntoIterator<Item = (String, Vec<i16>)>) -> String {
    let mut text = format!("# {head}\n");
    for (name, weights) in rows {
        let numbers: Vec<String> = weights.iter().map(i16::to_string).collect();
        // Writing to a String cannot fail.
        let _ = writeln!(text, "{} # {name}", numbers.join(" "));
    }
    text
}

#[cfg(test)]
mod tests {
    use parlor::search::weight_text;

    use super::*;
    use crate::training::adam::Regularisation;

    /// Two seats; a feature of the first decides with odds of nine to one.
    fn samples() -> Vec<FeatureSample> {
        let seat = |features: &[(u16, i8)], share| FeatureSeat { features: features.into(), share };
        vec![
            vec![seat(&[(0, 3)], 0.9), seat(&[(0, 1)], 0.1)],
            vec![seat(&[(0, -1), (1, 1)], 0.1), seat(&[(0, 1), (1, 1)], 0.9)],
        ]
    }

    fn fit(unit: f64) -> LinearFit {
        let regularisation = Regularisation::L2ToInitial(1e-9);
        let settings = AdamSettings { epsilon: 1e-12, regularisation, ..AdamSettings::default() };
        LinearFit { settings, unit, steps: 4_000, rate: |step| 10.0 / (1.0 + f64::from(step)) }
    }

    /// Two more of the feature are worth ln 9; what both seats have tells nothing.
    #[test]
    fn a_feature_is_worth_the_odds_that_it_gives() {
        for unit in [1.0, 0.25] {
            let weights = fit(unit).run(&[0.0, 7.0], &samples(), || ());
            let expected = libm::log(9.0) / 2.0 / unit;
            assert!((weights[0] - expected).abs() < 1e-3 * expected, "{weights:?} {expected}");
            // Its gradient is rounding alone, 1e-17, of which Adam makes steps of 1e-5 of the rate.
            assert!((weights[1] - 7.0).abs() < 1e-6, "{weights:?}");
        }
    }

    #[test]
    fn the_gradient_is_the_slope_of_the_loss() {
        let (fit, samples, weights) = (fit(0.5), samples(), [0.3, -0.8]);
        let (gradient, _) = fit.gradient_and_loss(&samples, &weights);
        for at in 0..2 {
            let [more, less] = [1e-4, -1e-4].map(|change| {
                let mut moved = weights;
                moved[at] += change;
                fit.loss(&samples, &moved)
            });
            assert!(((more - less) / 2e-4 - gradient[at]).abs() < 1e-6, "{gradient:?}");
        }
    }

    #[test]
    fn weights_come_back_from_their_text() {
        let rows = [("first".to_owned(), vec![3, -4]), ("second".into(), vec![i16::MIN, 0, 17])];
        let text = text("of a test", rows);
        assert_eq!(weight_text::read::<5>(&text), [3, -4, i16::MIN, 0, 17]);
    }

    /// Three seats with several features each, counts of both signs.
    fn three() -> FeatureSample {
        let seat = |features: &[(u16, i8)], share| FeatureSeat { features: features.into(), share };
        vec![
            seat(&[(0, 2), (2, -3)], 0.5),
            seat(&[(1, 1)], 0.2),
            seat(&[(0, -1), (1, 4), (2, 1)], 0.3),
        ]
    }

    /// The loss is `ln(sum of exp(unit * strength)) - sum of share * unit * strength`.
    #[test]
    fn the_loss_of_three_seats_is_their_cross_entropy() {
        let (weights, unit) = ([0.5, -0.25, 0.75], 0.5);
        let strengths = [2.0 * 0.5 - 3.0 * 0.75, -0.25, -0.5 - 4.0 * 0.25 + 0.75].map(|s| unit * s);
        let total: f64 = strengths.iter().map(|s: &f64| s.exp()).sum();
        let shares = [0.5, 0.2, 0.3];
        let own: f64 = strengths.iter().zip(shares).map(|(strength, share)| share * strength).sum();
        let loss = fit(unit).loss(&[three()], &weights);
        assert!((loss - (total.ln() - own)).abs() < 1e-12, "{loss}");
        // With all weights 0 the seats are equal.
        assert!((fit(unit).loss(&[three()], &[0.0; 3]) - 3f64.ln()).abs() < 1e-12);
    }

    /// Of more samples than are summed at a time: a third of them are the second kind.
    #[test]
    fn the_means_are_those_of_all_samples() {
        let (fit, weights) = (fit(0.5), [0.3, -0.8, 0.1]);
        let one = |sample: FeatureSample| fit.gradient_and_loss(&[sample], &weights);
        let pair = || samples().swap_remove(0);
        let ((first, lost), (second, lost_too)) = (one(three()), one(pair()));
        let kinds = (0..3 * CHUNK / 2).map(|at| if at % 3 == 2 { pair() } else { three() });
        let samples: Vec<FeatureSample> = kinds.collect();
        let (gradient, loss) = fit.gradient_and_loss(&samples, &weights);
        let mean = |one: f64, other: f64| (2.0 * one + other) / 3.0;
        assert!((loss - mean(lost, lost_too)).abs() < 1e-9, "{loss}");
        for ((found, one), other) in gradient.iter().zip(first).zip(second) {
            assert!((found - mean(one, other)).abs() < 1e-9, "{gradient:?}");
        }
        assert_eq!(fit.loss(&[], &weights), 0.0);
    }

    /// The rate is asked for the number of each step, from 0, and `each` follows each of them: the
    /// steps of a slope that never changes are as long as the rate.
    #[test]
    fn every_step_has_its_rate() {
        let calls = std::cell::Cell::new(0);
        let seat = |features: &[(u16, i8)], share| FeatureSeat { features: features.into(), share };
        // So small a unit that the chances stay even: the slope is constant.
        let samples = [vec![seat(&[(0, 1)], 1.0), seat(&[], 0.0)]];
        let settings = AdamSettings { epsilon: 1e-30, ..AdamSettings::default() };
        let rate = |step| if step == 0 { 8.0 } else { f64::from(step) };
        let fit = LinearFit { settings, unit: 1e-9, steps: 3, rate };
        let weights = fit.run(&[0.5], &samples, || calls.set(calls.get() + 1));
        assert!((weights[0] - (0.5 + 8.0 + 1.0 + 2.0)).abs() < 1e-4, "{weights:?}");
        assert_eq!(calls.get(), 3);
    }
}
