//! The luck of a throw: the value after it less the mean value after all possible throws.
//!
//! As long as the values do not depend on what was thrown, luck has mean zero, and a result less the
//! luck of its game has the same mean as the result alone. The better the values, the smaller the
//! variance of the adjusted result. GNU Backgammon uses the same variance reduction.

/// The mean of the values of outcomes with integer weights; empty if there is none.
#[must_use]
pub fn expected_value(outcomes: &[(u64, Vec<f64>)]) -> Vec<f64> {
    let total: u64 = outcomes.iter().map(|(weight, _)| weight).sum();
    let width = outcomes.first().map_or(0, |(_, values)| values.len());
    if total == 0 {
        return Vec::new();
    }
    let mut mean = vec![0.0; width];
    for (weight, values) in outcomes {
        for (sum, value) in mean.iter_mut().zip(values) {
            *sum += *weight as f64 / total as f64 * value;
        }
    }
    mean
}

/// The luck of each seat when the outcome of that index happened.
#[must_use]
pub fn luck(outcomes: &[(u64, Vec<f64>)], happened: usize) -> Vec<f64> {
    let Some((_, values)) = outcomes.get(happened) else { return Vec::new() };
    values.iter().zip(expected_value(outcomes)).map(|(value, mean)| value - mean).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::{Random, splitmix64};
    use crate::statistics::{Scores, score_interval};

    /// Throws of each of two seats in turn; a seat adds up what it throws, and most points win.
    const THROWS: usize = 12;

    /// The points of a throw: a 1 of the first seat counts as 2.
    fn points(seat: usize, thrown: u64) -> i64 {
        let thrown = thrown as i64;
        if seat == 0 { thrown.max(2) } else { thrown }
    }

    /// Seat one's share of the first place when `left` throws are to come: exact, by recursion.
    fn exact(difference: i64, done: usize, memory: &mut Vec<Vec<Option<f64>>>) -> f64 {
        if done == THROWS {
            return if difference == 0 { 0.5 } else { f64::from(difference > 0) };
        }
        let column = (difference + 100) as usize;
        if let Some(value) = memory[done][column] {
            return value;
        }
        let sign = if done.is_multiple_of(2) { 1 } else { -1 };
        let next = |thrown| difference + sign * points(done % 2, thrown);
        let sum: f64 = (1..=6).map(|thrown| exact(next(thrown), done + 1, memory)).sum();
        memory[done][column] = Some(sum / 6.0);
        sum / 6.0
    }

    /// Results of simulated games, raw and less the luck by a way to value positions.
    fn simulate(
        games: u32,
        seed: u64,
        value: &mut dyn FnMut(i64, usize) -> f64,
    ) -> (Scores, Scores) {
        let (mut raw, mut adjusted) = (Scores::default(), Scores::default());
        let mut random = Random::new(seed);
        for _ in 0..games {
            let (mut difference, mut gained) = (0, 0.0);
            for done in 0..THROWS {
                let sign = if done.is_multiple_of(2) { 1 } else { -1 };
                let next = |thrown| difference + sign * points(done % 2, thrown);
                let outcomes: Vec<(u64, Vec<f64>)> =
                    (1..=6).map(|thrown| (1, vec![value(next(thrown), done + 1)])).collect();
                let thrown = random.below(6);
                gained += luck(&outcomes, thrown as usize)[0];
                difference = next(thrown + 1);
            }
            let result = if difference == 0 { 0.5 } else { f64::from(difference > 0) };
            raw.add(result, 1);
            adjusted.add(result - gained, 1);
        }
        (raw, adjusted)
    }

    fn memory() -> Vec<Vec<Option<f64>>> {
        vec![vec![None; 201]; THROWS]
    }

    #[test]
    fn values_of_three_outcomes_by_hand() {
        let outcomes = [(1, vec![0.2, 0.8]), (2, vec![0.5, 0.5]), (5, vec![0.8, 0.2])];
        let near = |found: &[f64], expected: [f64; 2]| {
            found.iter().zip(expected).all(|(one, other)| (one - other).abs() < 1e-12)
        };
        assert!(near(&expected_value(&outcomes), [0.65, 0.35]));
        assert!(near(&luck(&outcomes, 2), [0.15, -0.15]));
        assert!(luck(&outcomes, 3).is_empty() && expected_value(&[]).is_empty());
    }

    #[test]
    fn with_exact_values_nothing_but_the_truth_is_left() {
        // No decisions, exact values: every game's adjusted result is the value of the start.
        let truth = exact(0, 0, &mut memory());
        let mut known = memory();
        let (_, adjusted) =
            simulate(200, 1, &mut |difference, done| exact(difference, done, &mut known));
        assert!((adjusted.mean() - truth).abs() < 1e-6, "{} {truth}", adjusted.mean());
        assert!(adjusted.variance() < 1e-9, "{}", adjusted.variance());
    }

    #[test]
    fn whatever_the_values_the_mean_stays_and_good_ones_vary_less() {
        let truth = exact(0, 0, &mut memory());
        let logistic = |difference: i64, _: usize| 1.0 / (1.0 + (-0.2 * difference as f64).exp());
        let shifted = |difference: i64, done: usize| logistic(difference, done) * 0.7 + 0.25;
        let nonsense = |difference: i64, done: usize| {
            let hash = splitmix64((difference + 100) as u64 * 64 + done as u64);
            (hash >> 11) as f64 / (1u64 << 53) as f64
        };
        type Valuation<'a> = &'a dyn Fn(i64, usize) -> f64;
        let ways: [(&str, Valuation, f64); 3] = [
            ("rough", &logistic, 0.6),
            ("rough and biased", &shifted, 0.6),
            // Nonsense costs precision, never truth.
            ("nonsense", &nonsense, f64::INFINITY),
        ];
        for (name, way, at_most) in ways {
            let (raw, adjusted) = simulate(40_000, 7, &mut |d, done| way(d, done));
            let off = (adjusted.mean() - truth).abs() / adjusted.standard_error();
            let ratio = adjusted.variance() / raw.variance();
            println!(
                "{name}: truth {truth:.4}, raw {:.4} +- {:.4}, adjusted {:.4} +- {:.4}",
                raw.mean(),
                raw.standard_error(),
                adjusted.mean(),
                adjusted.standard_error()
            );
            assert!(off < 3.5, "{name}: {} is not {truth}", adjusted.mean());
            assert!(ratio < at_most, "{name}: variance {ratio} of the raw one");
        }
    }

    #[test]
    fn intervals_of_adjusted_results_cover_what_they_say() {
        let truth = exact(0, 0, &mut memory());
        let mut value = |d: i64, _: usize| 1.0 / (1.0 + (-0.2 * d as f64).exp());
        let (mut covered, matches) = (0, 2_000);
        for seed in 0..matches {
            let (_, adjusted) = simulate(100, splitmix64(seed), &mut value);
            let interval = score_interval(&adjusted, 0.95);
            covered += u64::from(interval.low <= truth && truth <= interval.high);
        }
        let share = covered as f64 / matches as f64;
        println!("covered {share}");
        assert!((0.93..=0.97).contains(&share), "{share}");
    }
}
