//! How often each score occurred.

use std::collections::BTreeMap;

/// Scores are kept as integer multiples of this unit. The mean share of first place in a bundle is
/// such a multiple, for any number of seats up to nine and any usual size of bundle.
const UNIT: f64 = 1.0 / 5_040_000.0;

/// Bundles counted by their mean score, which lies between 0 and 1.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Scores {
    counts: BTreeMap<i64, u64>,
    games: u64,
    bundles: u64,
}

impl Scores {
    /// Single games: wins, draws, losses.
    #[must_use]
    pub fn trinomial(wins: u64, draws: u64, losses: u64) -> Self {
        let mut scores = Scores::default();
        for (score, count) in [(0.0, losses), (0.5, draws), (1.0, wins)] {
            scores.add_many(score, 1, count);
        }
        scores
    }

    /// Pairs of games, by half points from 0 to 4.
    #[must_use]
    pub fn pentanomial(counts: [u64; 5]) -> Self {
        let mut scores = Scores::default();
        for (half_points, count) in counts.into_iter().enumerate() {
            scores.add_many(half_points as f64 / 4.0, 2, count);
        }
        scores
    }

    /// Adds a bundle of `games` games with a mean score.
    pub fn add(&mut self, score: f64, games: u64) {
        self.add_many(score, games, 1);
    }

    fn add_many(&mut self, score: f64, games: u64, count: u64) {
        if count == 0 {
            return;
        }
        *self.counts.entry((score / UNIT).round() as i64).or_default() += count;
        self.games += games * count;
        self.bundles += count;
    }

    /// Adds all bundles of another.
    pub fn merge(&mut self, other: &Scores) {
        for (&score, &count) in &other.counts {
            *self.counts.entry(score).or_default() += count;
        }
        self.games += other.games;
        self.bundles += other.bundles;
    }

    /// How many bundles there are.
    #[must_use]
    pub fn bundles(&self) -> u64 {
        self.bundles
    }

    /// How many games there are.
    #[must_use]
    pub fn games(&self) -> u64 {
        self.games
    }

    /// Games in a bundle, on average.
    #[must_use]
    pub(crate) fn games_per_bundle(&self) -> f64 {
        if self.bundles == 0 { 1.0 } else { self.games as f64 / self.bundles as f64 }
    }

    /// Each score with its count, from the lowest.
    pub fn counts(&self) -> impl Iterator<Item = (f64, u64)> + '_ {
        self.counts.iter().map(|(&score, &count)| (score as f64 * UNIT, count))
    }

    /// The five counts of pairs, if every score is one of a pair.
    #[must_use]
    pub fn as_pentanomial(&self) -> Option<[u64; 5]> {
        let mut five = [0; 5];
        for (score, count) in self.counts() {
            let quarter = score * 4.0;
            if (quarter - quarter.round()).abs() > 1e-6 {
                return None;
            }
            *five.get_mut(quarter.round() as usize)? += count;
        }
        Some(five)
    }

    /// The mean score; one half if there is none.
    #[must_use]
    pub fn mean(&self) -> f64 {
        if self.bundles == 0 {
            return 0.5;
        }
        let sum: f64 = self.counts().map(|(score, count)| score * count as f64).sum();
        sum / self.bundles as f64
    }

    /// The variance of a bundle's score.
    #[must_use]
    pub fn variance(&self) -> f64 {
        if self.bundles == 0 {
            return 0.0;
        }
        let mean = self.mean();
        let squares = |(score, count): (f64, u64)| (score - mean).powi(2) * count as f64;
        self.counts().map(squares).sum::<f64>() / self.bundles as f64
    }

    /// The standard error of the mean.
    #[must_use]
    pub(crate) fn standard_error(&self) -> f64 {
        (self.variance() / self.bundles.max(1) as f64).sqrt()
    }

    /// Scores with their probabilities. A possible score that never occurred counts a thousandth of
    /// an occurrence, so that no likelihood is zero. Possible scores are the three of a game, the
    /// five of a pair, and both ends of any larger bundle.
    pub(super) fn distribution(&self) -> Vec<(f64, f64)> {
        let steps = match self.games / self.bundles.max(1) {
            size @ (1 | 2) if size * self.bundles == self.games => 2 * size,
            _ => 1,
        };
        let possible = (0..=steps).map(|step| step as f64 / steps as f64);
        let mut counts = self.counts.clone();
        for score in possible {
            counts.entry((score / UNIT).round() as i64).or_default();
        }
        let weight = |count: u64| if count == 0 { 1e-3 } else { count as f64 };
        let total: f64 = counts.values().map(|&count| weight(count)).sum();
        let share = |(&score, &count): (&i64, &u64)| (score as f64 * UNIT, weight(count) / total);
        counts.iter().map(share).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pairs_and_games_give_the_same_mean() {
        let pairs = Scores::pentanomial([13, 37, 50, 25, 3]);
        assert_eq!((pairs.bundles(), pairs.games()), (128, 256));
        assert_eq!(pairs.as_pentanomial(), Some([13, 37, 50, 25, 3]));
        assert!((pairs.mean() - 0.4375).abs() < 1e-9);
        // The published variance of this example.
        assert!((pairs.variance() - 0.05762).abs() < 5e-6);
        let games = Scores::trinomial(3, 4, 5);
        assert!((games.mean() - 5.0 / 12.0).abs() < 1e-9);
    }

    #[test]
    fn merged_scores_are_the_sum() {
        let mut one = Scores::default();
        let mut all = Scores::default();
        for (score, games) in [(1.0 / 3.0, 6), (0.5, 6), (1.0, 6)] {
            all.add(score, games);
        }
        one.add(0.5, 6);
        let mut two = Scores::default();
        two.add(1.0, 6);
        two.add(1.0 / 3.0, 6);
        one.merge(&two);
        assert_eq!(one, all);
    }

    /// Figures of bundles of any size, from their list.
    #[test]
    fn mean_variance_and_error_are_those_of_the_list() {
        let list = [(1.0, 6), (1.0 / 3.0, 6), (0.5, 6), (0.0, 3), (1.0 / 3.0, 6)];
        let mut scores = Scores::default();
        list.iter().for_each(|&(score, games)| scores.add(score, games));
        let mean = list.iter().map(|(score, _)| score).sum::<f64>() / 5.0;
        let variance = list.iter().map(|(score, _)| (score - mean).powi(2)).sum::<f64>() / 5.0;
        assert!((scores.mean() - mean).abs() < 1e-12);
        assert!((scores.variance() - variance).abs() < 1e-12);
        assert!((scores.standard_error() - (variance / 5.0).sqrt()).abs() < 1e-12);
        assert_eq!((scores.bundles(), scores.games()), (5, 27));
        assert!((scores.games_per_bundle() - 5.4).abs() < 1e-12);
        let counts: Vec<(f64, u64)> = scores.counts().collect();
        let expected = [(0.0, 1), (1.0 / 3.0, 2), (0.5, 1), (1.0, 1)];
        assert_eq!(counts.len(), 4);
        for ((score, count), (its, times)) in counts.iter().zip(expected) {
            assert!((score - its).abs() < 1e-9 && *count == times, "{counts:?}");
        }
        assert_eq!(scores.as_pentanomial(), None, "a third is no score of a pair");
        let nothing = Scores::default();
        assert_eq!((nothing.mean(), nothing.variance(), nothing.standard_error()), (0.5, 0.0, 0.0));
        assert_eq!(nothing.games_per_bundle(), 1.0);
    }

    /// What could have happened and did not counts a thousandth of a time.
    #[test]
    fn possible_scores_have_a_likelihood() {
        let near = |scores: &Scores, expected: &[(f64, f64)]| {
            let found = scores.distribution();
            assert_eq!(found.len(), expected.len(), "{found:?}");
            let total: f64 = expected.iter().map(|(_, weight)| weight).sum();
            for ((score, share), (its, weight)) in found.iter().zip(expected) {
                assert!((score - its).abs() < 1e-9, "{found:?}");
                assert!((share - weight / total).abs() < 1e-12, "{found:?}");
            }
        };
        near(&Scores::trinomial(3, 0, 1), &[(0.0, 1.0), (0.5, 1e-3), (1.0, 3.0)]);
        near(
            &Scores::pentanomial([0, 2, 0, 5, 0]),
            &[(0.0, 1e-3), (0.25, 2.0), (0.5, 1e-3), (0.75, 5.0), (1.0, 1e-3)],
        );
        let mut large = Scores::default();
        large.add(2.0 / 3.0, 6);
        near(&large, &[(0.0, 1e-3), (2.0 / 3.0, 1.0), (1.0, 1e-3)]);
    }
}
