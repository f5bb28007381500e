//! Bootstrap intervals, without an assumption about the distribution.

use super::Interval;
use crate::random::Random;

/// The interval of a statistic of independent observations (bundles), from `resamples` samples drawn
/// with replacement. The seed is fixed: equal observations give equal intervals.
#[must_use]
pub fn bootstrap<T>(
    observations: &[T],
    statistic: impl Fn(&mut dyn Iterator<Item = &T>) -> f64,
    confidence: f64,
    resamples: usize,
) -> Interval {
    let value = statistic(&mut observations.iter());
    if observations.len() < 2 || resamples == 0 {
        return Interval { value, low: f64::NEG_INFINITY, high: f64::INFINITY };
    }
    let count = observations.len();
    let mut random = Random::new(0xB007_57A4);
    let mut drawn: Vec<f64> = (0..resamples)
        .map(|_| {
            let mut sample =
                (0..count).filter_map(|_| observations.get(random.below(count as u64) as usize));
            statistic(&mut sample)
        })
        .collect();
    drawn.sort_by(f64::total_cmp);
    let outside = (1.0 - confidence.clamp(0.0, 1.0)) / 2.0;
    let quantile = |share: f64| {
        let index = (share * (resamples - 1) as f64).round() as usize;
        drawn.get(index).copied().unwrap_or(value)
    };
    // The variance of a sample is (n - 1) / n of that of its source: widen the interval to match.
    let widen = (count as f64 / (count - 1) as f64).sqrt();
    let spread = |end: f64| if end.is_finite() { value + (end - value) * widen } else { end };
    Interval { value, low: spread(quantile(outside)), high: spread(quantile(1.0 - outside)) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn mean(sample: &mut dyn Iterator<Item = &f64>) -> f64 {
        let (sum, count) = sample.fold((0.0, 0), |(sum, count), x| (sum + x, count + 1));
        sum / f64::from(count.max(1))
    }

    #[test]
    fn a_single_observation_says_nothing_about_its_spread() {
        let interval = bootstrap(&[0.3], mean, 0.95, 100);
        assert_eq!(interval.value, 0.3);
        assert_eq!(interval.high, f64::INFINITY);
    }

    /// The mean of two drawn from 0 and 1 is 0 or 1 in a quarter of the samples each: the quantiles
    /// are 0 and 1, half a point from the mean, and widened by the root of 2.
    #[test]
    fn few_observations_have_a_wider_interval_than_their_samples() {
        let interval = bootstrap(&[0.0, 1.0], mean, 0.95, 400);
        let half = 0.5 * 2f64.sqrt();
        assert!((interval.low - (0.5 - half)).abs() < 1e-12, "{interval:?}");
        assert!((interval.high - (0.5 + half)).abs() < 1e-12, "{interval:?}");
    }

    #[test]
    fn intervals_of_four_seats_cover_what_they_say() {
        // Each bundle: the mean of eight games won with a chance that varies between openings.
        let mut random = Random::new(5);
        let mut covered = 0;
        let matches = 600;
        for _ in 0..matches {
            let bundles: Vec<f64> = (0..60)
                .map(|_| {
                    let chance = 0.25 + 0.2 * (random.unit() - 0.5);
                    let wins = (0..8).filter(|_| random.unit() < chance).count();
                    wins as f64 / 8.0
                })
                .collect();
            let interval = bootstrap(&bundles, mean, 0.95, 400);
            covered += u32::from(interval.low <= 0.25 && 0.25 <= interval.high);
        }
        let share = f64::from(covered) / f64::from(matches);
        println!("covered {share}");
        assert!((0.93..=0.97).contains(&share), "{share}");
    }

    /// Of samples of two, a quarter has the mean 0, half 1/2, a quarter 1: the middle 40 % are all
    /// 1/2, the middle 70 % reach from 0 to 1.
    #[test]
    fn the_ends_are_the_quantiles_of_the_confidence() {
        let width = |confidence| {
            let interval = bootstrap(&[0.0, 1.0], mean, confidence, 1_001);
            assert_eq!(interval.value, 0.5);
            assert!((interval.high - 0.5 - (0.5 - interval.low)).abs() < 1e-12, "{interval:?}");
            interval.high - interval.low
        };
        assert_eq!(width(0.4), 0.0);
        assert!((width(0.7) - 2f64.sqrt()).abs() < 1e-12);
        // Quantiles that differ: the deviation of the mean of n is 1 / root n, widened to n - 1.
        let observations: Vec<f64> = (0..50).map(|at| f64::from(at % 2)).collect();
        let interval = bootstrap(&observations, mean, 0.95, 4_001);
        let expected = 1.96 * 0.5 / 49f64.sqrt();
        for end in [interval.high - 0.5, 0.5 - interval.low] {
            assert!((end - expected).abs() < 0.1 * expected, "{interval:?} {expected}");
        }
    }

    /// A ratio of sums, not a mean of ratios; what never varies has no width.
    #[test]
    fn a_statistic_sees_as_many_observations_as_there_are() {
        let sizes = std::cell::RefCell::new(Vec::new());
        let ratio = |sample: &mut dyn Iterator<Item = &(f64, f64)>| {
            let (mut above, mut below, mut count) = (0.0, 0.0, 0);
            for (a, b) in sample {
                (above, below, count) = (above + a, below + b, count + 1);
            }
            sizes.borrow_mut().push(count);
            above / below
        };
        let interval = bootstrap(&[(1.0, 2.0), (2.0, 4.0), (4.0, 8.0)], ratio, 0.95, 20);
        assert_eq!(interval, Interval { value: 0.5, low: 0.5, high: 0.5 });
        assert_eq!(sizes.into_inner(), [3; 21]);
    }
}
