//! Scores as Elo differences.

use super::Scores;
use super::normal::{cumulative, quantile};

/// Normalized Elo of a mean of one standard deviation, chosen so that it equals Elo where no game is
/// drawn.
pub(super) const NORMALIZED: f64 = 800.0 / std::f64::consts::LN_10;

/// An estimate and the interval it lies in.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Interval {
    /// The estimate.
    pub value: f64,
    /// The lower end.
    pub low: f64,
    /// The upper end.
    pub high: f64,
}

/// The expected score of an Elo difference.
#[must_use]
pub fn score_of_elo(elo: f64) -> f64 {
    1.0 / (1.0 + 10f64.powf(-elo / 400.0))
}

/// The Elo difference of a score; infinite at 0 and 1.
#[must_use]
pub fn elo_of_score(score: f64) -> f64 {
    if score <= 0.0 {
        f64::NEG_INFINITY
    } else if score >= 1.0 {
        f64::INFINITY
    } else {
        400.0 * (score / (1.0 - score)).log10()
    }
}

/// Half the width of an interval of this confidence, in standard errors.
fn half_width(confidence: f64) -> f64 {
    quantile(0.5 + confidence.clamp(0.0, 0.999_999_999) / 2.0)
}

/// The mean score.
#[must_use]
pub fn score_interval(scores: &Scores, confidence: f64) -> Interval {
    share_interval(scores.mean(), scores.variance(), scores.bundles(), confidence)
}

/// The interval of a mean of independent shares, each between 0 and 1.
///
/// It is Wilson's score interval, with the variance of a share in units of that of a game that is
/// won or lost. Where nearly all shares are equal that ratio is not known, and 1 is taken for it. If
/// all shares are 0 or all are 1, the interval has one open side, and its end is the exact bound.
/// Means beyond 0 and 1, as of results less luck, have the normal interval.
#[must_use]
pub fn share_interval(mean: f64, variance: f64, shares: u64, confidence: f64) -> Interval {
    let value = mean;
    if shares == 0 {
        return Interval { value, low: 0.0, high: 1.0 };
    }
    let count = shares as f64;
    let z = half_width(confidence);
    let upset = mean * (1.0 - mean);
    if variance <= 0.0 && upset <= 0.0 {
        // All n shares are 1 with a probability of at most mean^n.
        let bound = (1.0 - confidence.clamp(0.0, 1.0)).powf(1.0 / count);
        let (low, high) = if mean > 0.5 { (bound, 1.0) } else { (0.0, 1.0 - bound) };
        return Interval { value, low, high };
    }
    if upset <= 0.0 {
        let margin = z * (variance / count).sqrt();
        return Interval { value, low: value - margin, high: value + margin };
    }
    let unknown = (-count * upset).exp();
    let ratio = (count * variance + unknown) / (count * upset + unknown);
    let weight = z * z * ratio / count;
    let centre = (mean + weight / 2.0) / (1.0 + weight);
    let margin = (weight * upset + weight * weight / 4.0).sqrt() / (1.0 + weight);
    Interval { value, low: (centre - margin).max(0.0), high: (centre + margin).min(1.0) }
}

/// The Elo difference.
#[must_use]
pub fn elo_interval(scores: &Scores, confidence: f64) -> Interval {
    let Interval { value, low, high } = score_interval(scores, confidence);
    Interval { value: elo_of_score(value), low: elo_of_score(low), high: elo_of_score(high) }
}

/// The difference in units of the standard deviation of a single game. It says how many games are
/// needed to show the difference, whatever the share of draws.
#[must_use]
pub fn normalized_elo_interval(scores: &Scores, confidence: f64) -> Interval {
    let deviation = (scores.variance() * scores.games_per_bundle()).sqrt();
    if deviation == 0.0 {
        let value = if scores.mean() == 0.5 { 0.0 } else { (scores.mean() - 0.5) * f64::INFINITY };
        return Interval { value, low: f64::NEG_INFINITY, high: f64::INFINITY };
    }
    let value = (scores.mean() - 0.5) / deviation * NORMALIZED;
    let margin = half_width(confidence) * NORMALIZED / (scores.games() as f64).sqrt();
    Interval { value, low: value - margin, high: value + margin }
}

/// The probability that the first is the stronger: by the normal approximation, and by the rule of
/// succession where all bundles have the same score.
#[must_use]
pub fn likelihood_of_superiority(scores: &Scores) -> f64 {
    let distance = scores.mean() - 0.5;
    let error = scores.standard_error();
    if error == 0.0 {
        // All bundles say the same: the posterior of a coin that always fell on one side.
        let doubt = 0.5f64.powf(scores.bundles() as f64 + 1.0);
        return if distance == 0.0 { 0.5 } else { 0.5 + distance.signum() * (0.5 - doubt) };
    }
    cumulative(distance / error)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Random;

    fn near(value: f64, expected: f64, tolerance: f64) {
        assert!((value - expected).abs() <= tolerance, "{value} is not {expected}");
    }

    #[test]
    fn elo_and_score_are_inverse() {
        near(elo_of_score(0.75), 190.848_501_887_864_98, 1e-9);
        for elo in [-300.0, -1.0, 0.0, 12.5, 800.0] {
            near(elo_of_score(score_of_elo(elo)), elo, 1e-9);
        }
        assert_eq!(elo_of_score(1.0), f64::INFINITY);
    }

    #[test]
    fn published_pairs_give_their_published_figures() {
        // A match of 2000 games as a well-known runner reported it.
        let scores = Scores::pentanomial([5, 109, 748, 134, 4]);
        let elo = elo_interval(&scores, 0.95);
        near(elo.value, 4.00, 0.005);
        near((elo.high - elo.low) / 2.0, 5.68, 0.005);
        let normalized = normalized_elo_interval(&scores, 0.95);
        near(normalized.value, 10.71, 0.005);
        near(normalized.high - normalized.value, 15.23, 0.005);
        near(likelihood_of_superiority(&scores), 0.9159, 0.000_05);
        // A test of 256 games as a well-known testing framework reported it.
        let scores = Scores::pentanomial([13, 37, 50, 25, 3]);
        near(elo_interval(&scores, 0.95).value, -43.6578, 0.000_05);
        near(normalized_elo_interval(&scores, 0.95).value, -63.97, 0.005);
    }

    #[test]
    fn published_games_give_their_published_figures() {
        // 3225 wins, 3707 draws, 3068 losses: 5.5 +- 5.4, superior with 97.6 %.
        let scores = Scores::trinomial(3225, 3707, 3068);
        let elo = elo_interval(&scores, 0.95);
        near(elo.value, 5.5, 0.05);
        near(elo.high - elo.value, 5.4, 0.05);
        near(likelihood_of_superiority(&scores), 0.976, 0.000_5);
    }

    #[test]
    fn extremes_do_not_break_anything() {
        for scores in [Scores::default(), Scores::trinomial(5, 0, 0), Scores::trinomial(0, 7, 0)] {
            assert!(!elo_interval(&scores, 0.95).value.is_nan());
            assert!(!normalized_elo_interval(&scores, 0.95).value.is_nan());
            assert!((0.0..=1.0).contains(&likelihood_of_superiority(&scores)));
        }
    }

    #[test]
    fn lopsided_results_have_the_published_bounds() {
        // Wilson's interval of 9 of 10, as tables of it have it.
        let nine = score_interval(&Scores::trinomial(9, 0, 1), 0.95);
        near(nine.low, 0.5958, 0.000_05);
        near(nine.high, 0.9821, 0.000_05);
        // The exact bound of none in 20 with 95 %: 1 - 0.05^(1/20).
        let none = score_interval(&Scores::trinomial(0, 0, 20), 0.95);
        near(none.high, 0.139_108, 1e-6);
        assert_eq!((none.value, none.low), (0.0, 0.0));
        let all = Scores::pentanomial([0, 0, 0, 0, 20]);
        let elo = elo_interval(&all, 0.95);
        assert_eq!((elo.value, elo.high), (f64::INFINITY, f64::INFINITY));
        near(elo.low, elo_of_score(1.0 - 0.139_108), 0.01);
        // Succession: after 3 of 3 the chance that the coin is not worse than fair is 15/16.
        near(likelihood_of_superiority(&Scores::trinomial(3, 0, 0)), 0.9375, 1e-12);
        near(likelihood_of_superiority(&Scores::trinomial(0, 0, 3)), 0.0625, 1e-12);
        // Three pairs are three observations, however many games they have.
        near(likelihood_of_superiority(&Scores::pentanomial([0, 0, 0, 0, 3])), 0.9375, 1e-12);
        assert_eq!(score_interval(&Scores::default(), 0.95).high, 1.0);
    }

    #[test]
    fn lopsided_intervals_cover_what_they_say() {
        for (truth, pairs) in [(0.97, 15), (0.9, 10), (0.995, 40)] {
            let mut random = Random::new(7);
            let mut covered = 0;
            for _ in 0..4_000 {
                let mut scores = Scores::default();
                for _ in 0..pairs {
                    let won = (0..2).filter(|_| random.unit() < truth).count();
                    scores.add(won as f64 / 2.0, 2);
                }
                let interval = score_interval(&scores, 0.95);
                covered += u32::from(interval.low <= truth && truth <= interval.high);
            }
            let share = f64::from(covered) / 4_000.0;
            assert!(share >= 0.93, "{truth}, {pairs} pairs: {share}");
        }
    }

    #[test]
    fn intervals_cover_what_they_say() {
        // Pairs whose games share an opening: chances of a win differ from pair to pair.
        let truth = 0.5 + 0.06;
        let mut random = Random::new(1);
        let mut covered = 0;
        let matches = 4_000;
        for _ in 0..matches {
            let mut scores = Scores::default();
            for _ in 0..200 {
                let bias = 0.3 * (random.unit() - 0.5);
                let game = |chance: f64, random: &mut Random| match random.unit() {
                    x if x < chance - 0.1 => 1.0,
                    x if x < chance + 0.1 => 0.5,
                    _ => 0.0,
                };
                let first = game(truth + bias, &mut random);
                let second = game(truth - bias, &mut random);
                scores.add((first + second) / 2.0, 2);
            }
            let interval = score_interval(&scores, 0.95);
            covered += u32::from(interval.low <= truth && truth <= interval.high);
        }
        let share = f64::from(covered) / f64::from(matches);
        println!("covered {share}");
        assert!((0.93..=0.97).contains(&share), "{share}");
    }

    /// Both ends of Wilson's interval solve `(mean - x)^2 = z^2 ratio x (1 - x) / n`, with z from a
    /// table of the normal distribution and the ratio of the variance to that of a game without
    /// draws.
    #[test]
    fn both_ends_solve_the_equation_of_wilson() {
        let tables = [
            (0.5, 0.674_489_750),
            (0.9, 1.644_853_627),
            (0.95, 1.959_963_985),
            (0.99, 2.575_829_304),
        ];
        for scores in [
            Scores::trinomial(70, 30, 100),
            Scores::pentanomial([5, 20, 30, 40, 25]),
            Scores::pentanomial([0, 10, 180, 10, 0]),
        ] {
            let (mean, n) = (scores.mean(), scores.bundles() as f64);
            let ratio = scores.variance() / (mean * (1.0 - mean));
            for (confidence, z) in tables {
                let Interval { value, low, high } = score_interval(&scores, confidence);
                assert_eq!(value, mean);
                assert!(low < mean && mean < high, "{low} {high}");
                for end in [low, high] {
                    let allowed = z * z * ratio * end * (1.0 - end) / n;
                    near((mean - end).powi(2) / allowed, 1.0, 1e-6);
                }
            }
        }
    }

    /// Results less luck may have a mean beyond 1; their interval is `mean +- z deviation / root n`.
    #[test]
    fn means_beyond_the_ends_have_the_normal_interval() {
        for mean in [1.0, 1.25, -0.5] {
            let interval = share_interval(mean, 0.04, 16, 0.9);
            near(interval.low, mean - 1.644_853_627 * 0.2 / 4.0, 1e-9);
            near(interval.high, mean + 1.644_853_627 * 0.2 / 4.0, 1e-9);
        }
    }

    /// Of bundles of six games: the deviation of one game is the root of 6 times that of a bundle,
    /// and the margin is that of all games.
    #[test]
    fn normalized_elo_counts_in_deviations_of_one_game() {
        let mut scores = Scores::default();
        for (score, count) in [(0.25, 10), (0.5, 30), (0.75, 20)] {
            (0..count).for_each(|_| scores.add(score, 6));
        }
        // The mean is 1/2 + 10/60/4, the variance 30/60/16 less its square.
        let mean: f64 = 0.5 + 1.0 / 24.0;
        let deviation = (6.0 * (0.5 / 16.0 - (mean - 0.5).powi(2))).sqrt();
        let interval = normalized_elo_interval(&scores, 0.9);
        let unit = 800.0 / 10f64.ln();
        near(interval.value, (mean - 0.5) / deviation * unit, 1e-4);
        let margin = 1.644_853_627 * unit / 360f64.sqrt();
        near(interval.high - interval.value, margin, 1e-4);
        near(interval.value - interval.low, margin, 1e-4);
    }

    /// Whoever is looked at: the other's figures are the mirror image.
    #[test]
    fn both_sides_of_a_match_are_told_the_same() {
        let counts = [3, 17, 40, 29, 11];
        let mut reversed = counts;
        reversed.reverse();
        let [one, other] = [counts, reversed].map(Scores::pentanomial);
        for of in [elo_interval, normalized_elo_interval] {
            let (mine, theirs) = (of(&one, 0.95), of(&other, 0.95));
            near(mine.value, -theirs.value, 1e-9);
            near(mine.low, -theirs.high, 1e-9);
            near(mine.high, -theirs.low, 1e-9);
        }
        let [mine, theirs] = [&one, &other].map(likelihood_of_superiority);
        near(mine + theirs, 1.0, 1e-12);
        // 1.96 standard errors above one half are 97.5 %.
        let even = Scores::trinomial(1, 0, 1);
        near(likelihood_of_superiority(&even), 0.5, 1e-12);
        let n = 10_000.0;
        let wins = (n / 2.0 * (1.0 + 1.959_964 / f64::sqrt(n))).round();
        let scores = Scores::trinomial(wins as u64, 0, (n - wins) as u64);
        near(likelihood_of_superiority(&scores), 0.975, 1e-3);
    }
}
