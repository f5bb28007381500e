//! The generalized sequential probability ratio test (GSPRT).
//!
//! After M. Van den Bergh, *The generalized sequential probability ratio test for multinomial
//! distributions* and *Normalized Elo*: each hypothesis is represented by its maximum likelihood
//! distribution, the most likely one with the mean (or the ratio of mean to standard deviation) of
//! the hypothesis.

use super::Scores;
use super::elo::{NORMALIZED, score_of_elo};

/// The unit of the two hypotheses.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Model {
    /// Elo, by the logistic curve.
    Logistic,
    /// Normalized Elo.
    Normalized,
}

/// A test between two strengths.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Sprt {
    /// The lower strength (H0).
    pub elo0: f64,
    /// The higher strength (H1).
    pub elo1: f64,
    /// The probability of accepting `elo1` when `elo0` is true.
    pub alpha: f64,
    /// The probability of accepting `elo0` when `elo1` is true.
    pub beta: f64,
    /// The unit of the strengths.
    pub model: Model,
}

/// The state of a test.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Verdict {
    /// Not decided yet.
    Open,
    /// The lower strength is accepted.
    Lower,
    /// The higher strength is accepted.
    Higher,
}

impl Sprt {
    /// The two values of the log-likelihood ratio at which the test ends.
    #[must_use]
    pub fn bounds(&self) -> (f64, f64) {
        ((self.beta / (1.0 - self.alpha)).ln(), ((1.0 - self.beta) / self.alpha).ln())
    }

    /// The log-likelihood ratio of the two strengths.
    #[must_use]
    pub(crate) fn log_likelihood_ratio(&self, scores: &Scores) -> f64 {
        if scores.bundles() == 0 {
            return 0.0;
        }
        let observed = scores.distribution();
        let under = |elo: f64| match self.model {
            Model::Logistic => most_likely_with_mean(&observed, score_of_elo(elo)),
            Model::Normalized => {
                let ratio = elo / NORMALIZED * scores.games_per_bundle().sqrt();
                // Far from what was seen, one step leads nowhere.
                most_likely_with_ratio(&observed, ratio)
                    .or_else(|| approach_ratio(&observed, ratio))
            }
        };
        let (Some(lower), Some(higher)) = (under(self.elo0), under(self.elo1)) else {
            return 0.0;
        };
        let step =
            |((&(_, p), lower), higher): ((&(f64, f64), f64), f64)| p * (higher.ln() - lower.ln());
        let mean: f64 = observed.iter().zip(lower).zip(higher).map(step).sum();
        mean * scores.bundles() as f64
    }

    /// Whether the test is over.
    #[must_use]
    pub fn verdict(&self, scores: &Scores) -> Verdict {
        let ratio = self.log_likelihood_ratio(scores);
        let (lower, upper) = self.bounds();
        if ratio >= upper {
            Verdict::Higher
        } else if ratio <= lower {
            Verdict::Lower
        } else {
            Verdict::Open
        }
    }
}

/// The most likely distribution with a given mean, in units of the standard deviation above one half,
/// by small steps from one half.
fn approach_ratio(observed: &[(f64, f64)], ratio: f64) -> Option<Vec<f64>> {
    let mut solution = most_likely_with_mean(observed, 0.5)?;
    let steps = (ratio.abs() / 0.02).ceil().clamp(1.0, 500.0);
    for step in 1..=steps as usize {
        let next = most_likely_from(observed, ratio * step as f64 / steps, solution.clone());
        // Beyond what can be represented, the nearest strength stands for all greater ones.
        match next {
            Some(next) => solution = next,
            None => break,
        }
    }
    Some(solution)
}

/// The most likely distribution on the observed values with a given mean.
fn most_likely_with_mean(observed: &[(f64, f64)], mean: f64) -> Option<Vec<f64>> {
    let shifted: Vec<(f64, f64)> = observed.iter().map(|&(value, p)| (value - mean, p)).collect();
    tilted(&shifted)
}

/// The most likely distribution whose mean lies `ratio` standard deviations above one half. The
/// constraint is linearised at the last solution until the solution converges.
fn most_likely_with_ratio(observed: &[(f64, f64)], ratio: f64) -> Option<Vec<f64>> {
    let uniform = vec![1.0 / observed.len() as f64; observed.len()];
    most_likely_from(observed, ratio, uniform)
}

/// The same, from a first solution.
fn most_likely_from(
    observed: &[(f64, f64)],
    ratio: f64,
    mut solution: Vec<f64>,
) -> Option<Vec<f64>> {
    for _ in 0..100 {
        let now = || observed.iter().zip(&solution).map(|(&(value, _), &p)| (value, p));
        let mean: f64 = now().map(|(value, p)| value * p).sum();
        let spread = now().map(|(value, p)| p * (value - mean).powi(2)).sum::<f64>().sqrt();
        if spread == 0.0 {
            return None;
        }
        let linear = |&(value, p): &(f64, f64)| {
            let distance = (mean - value) / spread;
            (value - 0.5 - ratio * spread * (1.0 + distance * distance) / 2.0, p)
        };
        let next = tilted(&observed.iter().map(linear).collect::<Vec<_>>())?;
        let change = solution.iter().zip(&next).map(|(old, new)| (old - new).abs());
        let largest = change.fold(0.0, f64::max);
        solution = next;
        if largest < 1e-10 {
            break;
        }
    }
    Some(solution)
}

/// The most likely distribution under which the given values have mean zero: `p / (1 + x value)`,
/// with `x` the root of a decreasing function. `None` if all values have the same sign.
fn tilted(values: &[(f64, f64)]) -> Option<Vec<f64>> {
    let least = values.iter().map(|&(value, _)| value).fold(f64::INFINITY, f64::min);
    let most = values.iter().map(|&(value, _)| value).fold(f64::NEG_INFINITY, f64::max);
    if least >= 0.0 || most <= 0.0 {
        return None;
    }
    let (mut low, mut high) = (-1.0 / most, -1.0 / least);
    for _ in 0..64 {
        let middle = 0.5 * (low + high);
        let terms = values.iter().map(|&(value, p)| p * value / (1.0 + middle * value));
        if terms.sum::<f64>() > 0.0 {
            low = middle;
        } else {
            high = middle;
        }
    }
    let x = 0.5 * (low + high);
    Some(values.iter().map(|&(value, p)| p / (1.0 + x * value)).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Random;

    fn test(elo0: f64, elo1: f64, model: Model) -> Sprt {
        Sprt { elo0, elo1, alpha: 0.05, beta: 0.05, model }
    }

    fn near(value: f64, expected: f64, tolerance: f64) {
        assert!((value - expected).abs() <= tolerance, "{value} is not {expected}");
    }

    #[test]
    fn bounds_are_walds() {
        let (lower, upper) = test(0.0, 5.0, Model::Logistic).bounds();
        near(lower, -2.944_438_979_166_44, 1e-12);
        near(upper, 2.944_438_979_166_44, 1e-12);
        // Unequal error rates: ln(0.2 / 0.99) and ln(0.8 / 0.01).
        let unequal = Sprt { alpha: 0.01, beta: 0.2, ..test(0.0, 5.0, Model::Logistic) };
        let (lower, upper) = unequal.bounds();
        near(lower, -1.599_387_576_580_6, 1e-12);
        near(upper, 4.382_026_634_673_88, 1e-12);
    }

    #[test]
    fn published_tests_give_their_published_ratios() {
        let scores = Scores::pentanomial([13, 37, 50, 25, 3]);
        let normalized = test(0.0, 4.0, Model::Normalized);
        near(normalized.log_likelihood_ratio(&scores), -0.54912, 0.000_01);
        // The same hypotheses in Elo, as published to three decimals.
        let logistic = test(0.0, 2.716, Model::Logistic);
        near(logistic.log_likelihood_ratio(&scores), -0.53772, 0.000_2);
        let scores = Scores::pentanomial([5, 109, 748, 134, 4]);
        let normalized = test(0.0, 2.5, Model::Normalized);
        near(normalized.log_likelihood_ratio(&scores), 0.39, 0.005);
    }

    #[test]
    fn too_little_to_say_anything_is_open() {
        let sprt = test(0.0, 10.0, Model::Normalized);
        for scores in [Scores::default(), Scores::trinomial(1, 0, 0), Scores::trinomial(0, 3, 0)] {
            assert_eq!(sprt.verdict(&scores), Verdict::Open);
        }
    }

    #[test]
    fn a_hypothesis_far_above_what_was_seen_is_refuted() {
        for scores in [
            Scores::pentanomial([13, 37, 50, 25, 3]),
            Scores::pentanomial([0, 10, 80, 10, 0]),
            Scores::trinomial(30, 40, 30),
        ] {
            let mut last = 1.0;
            for elo1 in [50.0, 100.0, 200.0, 400.0, 800.0, 1600.0, 5000.0] {
                let sprt = test(0.0, elo1, Model::Normalized);
                let ratio = sprt.log_likelihood_ratio(&scores);
                assert!(ratio.is_finite() && ratio < last, "{elo1}: {ratio} after {last}");
                last = ratio;
            }
            let sprt = test(0.0, 1600.0, Model::Normalized);
            assert_eq!(sprt.verdict(&scores), Verdict::Lower);
        }
        // Likewise far below.
        let sprt = test(-1600.0, 0.0, Model::Normalized);
        assert_eq!(sprt.verdict(&Scores::pentanomial([3, 25, 50, 37, 13])), Verdict::Higher);
    }

    #[test]
    fn a_clean_sweep_is_decided() {
        let sprt = test(0.0, 50.0, Model::Normalized);
        let mut scores = Scores::default();
        (0..100).for_each(|_| scores.add(1.0, 2));
        assert_eq!(sprt.verdict(&scores), Verdict::Higher);
        let mut scores = Scores::default();
        (0..100).for_each(|_| scores.add(0.0, 8));
        assert_eq!(sprt.verdict(&scores), Verdict::Lower);
    }

    /// The share of simulated tests that end for the higher strength when pairs come from `law`.
    fn share_of_higher(sprt: &Sprt, law: [f64; 5], seed: u64) -> f64 {
        let mut random = Random::new(seed);
        let mut higher = 0;
        for _ in 0..1_000 {
            let mut counts = [0; 5];
            loop {
                let mut left = random.unit();
                let mut outcome = 4;
                for (index, p) in law.iter().enumerate() {
                    if left < *p {
                        outcome = index;
                        break;
                    }
                    left -= p;
                }
                counts[outcome] += 1;
                // Asked after every fourth pair, as in a match with four games at once.
                if !counts.iter().sum::<u64>().is_multiple_of(4) {
                    continue;
                }
                match sprt.verdict(&Scores::pentanomial(counts)) {
                    Verdict::Open => {}
                    verdict => {
                        higher += u32::from(verdict == Verdict::Higher);
                        break;
                    }
                }
            }
        }
        f64::from(higher) / 1_000.0
    }

    /// A distribution of pairs for which the hypothesis is exactly true, the one most likely to give
    /// typical results.
    fn law(sprt: &Sprt, elo: f64) -> [f64; 5] {
        let typical = Scores::pentanomial([60, 200, 480, 200, 60]).distribution();
        let law = match sprt.model {
            Model::Logistic => most_likely_with_mean(&typical, score_of_elo(elo)),
            Model::Normalized => most_likely_with_ratio(&typical, elo / NORMALIZED * 2f64.sqrt()),
        };
        law.unwrap().try_into().unwrap()
    }

    #[test]
    fn error_rates_are_what_was_asked_for() {
        for (model, elo1) in [(Model::Logistic, 20.0), (Model::Normalized, 30.0)] {
            let sprt = test(0.0, elo1, model);
            let false_alarms = share_of_higher(&sprt, law(&sprt, 0.0), 2);
            let misses = 1.0 - share_of_higher(&sprt, law(&sprt, elo1), 3);
            println!("{model:?}: false alarms {false_alarms}, misses {misses}");
            assert!(false_alarms <= 0.075, "{model:?}: {false_alarms}");
            assert!(misses <= 0.075, "{model:?}: {misses}");
            // A test that never errs would play far too many games.
            assert!(false_alarms >= 0.02 && misses >= 0.02, "{false_alarms} {misses}");
        }
    }

    /// Where no game is drawn the most likely distribution with a mean is that of a coin, and the
    /// ratio is `wins ln(s1 / s0) + losses ln((1 - s1) / (1 - s0))`. Draws that may yet come count a
    /// thousandth of a game.
    #[test]
    fn games_without_draws_have_the_ratio_of_a_coin() {
        for (wins, losses, elo0, elo1) in [(600, 400, 0.0, 30.0), (450, 500, -20.0, 50.0)] {
            let sprt = test(elo0, elo1, Model::Logistic);
            let found = sprt.log_likelihood_ratio(&Scores::trinomial(wins, 0, losses));
            let [s0, s1] = [elo0, elo1].map(|elo: f64| 1.0 / (1.0 + 10f64.powf(-elo / 400.0)));
            let (wins, losses) = (wins as f64, losses as f64);
            let expected = wins * (s1 / s0).ln() + losses * ((1.0 - s1) / (1.0 - s0)).ln();
            near(found, expected, 1e-3 * expected.abs().max(1.0));
        }
    }

    /// Looked at from the other side the hypotheses change places, and the ratio its sign; twice the
    /// games have twice the ratio.
    #[test]
    fn the_ratio_is_mirrored_with_the_match_and_grows_with_it() {
        let counts = [13, 37, 150, 65, 30];
        let mut mirrored = counts;
        mirrored.reverse();
        for model in [Model::Logistic, Model::Normalized] {
            let ratio = |elo0, elo1, counts| {
                test(elo0, elo1, model).log_likelihood_ratio(&Scores::pentanomial(counts))
            };
            let (here, there) = (ratio(-3.0, 8.0, counts), ratio(-8.0, 3.0, mirrored));
            near(here, -there, 1e-6);
            near(ratio(-3.0, 8.0, counts.map(|count| 2 * count)), 2.0 * here, 1e-6);
            // A match that is even says nothing between two strengths that are mirror images.
            near(ratio(-5.0, 5.0, [10, 20, 40, 20, 10]), 0.0, 1e-6);
        }
    }

    /// The verdict is that of the bounds, on either side of each.
    #[test]
    fn the_test_ends_where_the_ratio_passes_a_bound() {
        let sprt = Sprt { alpha: 0.01, beta: 0.2, ..test(0.0, 40.0, Model::Logistic) };
        let (lower, upper) = sprt.bounds();
        let mut seen = std::collections::BTreeSet::new();
        for wins in (60..=140).rev() {
            let scores = Scores::trinomial(wins, 50, 200 - wins);
            let ratio = sprt.log_likelihood_ratio(&scores);
            let expected = match ratio {
                ratio if ratio >= upper => Verdict::Higher,
                ratio if ratio <= lower => Verdict::Lower,
                _ => Verdict::Open,
            };
            assert_eq!(sprt.verdict(&scores), expected, "{wins}: {ratio}");
            seen.insert(format!("{expected:?}"));
        }
        assert_eq!(seen.len(), 3, "{seen:?}");
    }
}
