//! Learning a network from lessons, that of two seats from solved tables and that of three and four
//! from games less luck: the squared difference between its probabilities and those of the lessons,
//! by minibatch gradient descent with Adam.
//!
//! Sums are taken in one order: equal arguments give equal weights on every machine.

use super::lessons::{Lesson, Lessons};
use super::returns::{Return, Returns};
use crate::training::adam::AdamSettings;
use crate::training::descent::{Descent, Schedule, Weights, cosine_decay, expected};
use parlor::game::Random;
use parlor::games::chowka_bhara::play::{Network, Seating, strength_of, sums_of};
use parlor::machine::dispatched;
use parlor::search::value::softmax;

/// Lessons of a step.
const BATCH: usize = 4096;

/// Length of the first steps.
const RATE: f32 = 0.004;

/// The same where a network that can play learns on.
const FURTHER_RATE: f32 = 0.002;

/// The greatest weight: what a file has room for.
const GREATEST: f32 = 15.9;

/// The weights of a network with `N` sums, or their gradient: the head, then the rows by feature.
#[derive(Clone)]
struct SeatWeights<const N: usize>(Vec<f32>);

impl<const N: usize> Weights for SeatWeights<N> {
    fn all(&self) -> &[f32] {
        &self.0
    }

    fn all_mut(&mut self) -> &mut [f32] {
        &mut self.0
    }

    fn limit(&mut self) {
        self.0.iter_mut().for_each(|weight| *weight = weight.clamp(-GREATEST, GREATEST));
        // The first sum has a fixed weight.
        self.0[0] = 1.0;
    }
}

impl<const N: usize> SeatWeights<N> {
    fn of(network: &Network<N>) -> Self {
        SeatWeights(network.head.iter().chain(network.rows.iter().flatten()).copied().collect())
    }

    fn network(&self, seating: Seating) -> Network<N> {
        let rows = self.0.as_chunks().0;
        Network { seating, head: rows[0], rows: rows[1..].to_vec() }
    }

    dispatched! { wide
        /// Adds the gradient of the loss of one lesson; returns that loss.
        fn add_gradient / add_gradient_fast
            = gradient_of(&self, features: [&[u16]; 2], value: f32, gradient: &mut Self) -> f32
    }

    #[inline(always)]
    fn gradient_of(&self, features: [&[u16]; 2], value: f32, gradient: &mut Self) -> f32 {
        let weights = self.0.as_chunks().0;
        let sums = features.map(|features| sums_of(&weights[1..], features));
        let [own, other] = [0, 1].map(|seat| strength_of::<N>(&weights[0], &sums[seat]));
        let probability = expected(own - other);
        let miss = probability - value;
        let slope = 2.0 * miss * probability * (1.0 - probability);
        for ((features, sums), slope) in features.iter().zip(&sums).zip([slope, -slope]) {
            self.add_slopes(features, sums, slope, gradient);
        }
        miss * miss
    }

    dispatched! { wide
        /// Adds the gradient of the loss of one lesson of three or four seats; returns that loss.
        fn add_gradient_of_all / add_gradient_of_all_fast = gradient_of_all(
            &self, features: [&[u16]; 4], shares: &[f32; 4], gradient: &mut Self) -> f32
    }

    #[inline(always)]
    fn gradient_of_all(
        &self,
        features: [&[u16]; 4],
        shares: &[f32; 4],
        gradient: &mut Self,
    ) -> f32 {
        let (loss, slopes, sums) = self.loss_of_all(features, shares);
        for seat in (0..4).filter(|seat| !features[*seat].is_empty()) {
            self.add_slopes(features[seat], &sums[seat], slopes[seat], gradient);
        }
        loss
    }

    /// Half the sum of the squared differences, its slopes by the strengths, and the sums.
    #[inline(always)]
    fn loss_of_all(
        &self,
        features: [&[u16]; 4],
        shares: &[f32; 4],
    ) -> (f32, [f32; 4], [[f32; N]; 4]) {
        let weights = self.0.as_chunks().0;
        let sums = features.map(|features| sums_of(&weights[1..], features));
        let strengths: [f32; 4] = std::array::from_fn(|seat| match features[seat].is_empty() {
            true => f32::NEG_INFINITY,
            false => strength_of::<N>(&weights[0], &sums[seat]),
        });
        let probabilities = softmax(strengths);
        let misses: [f32; 4] = std::array::from_fn(|seat| probabilities[seat] - shares[seat]);
        let mean: f32 = (0..4).map(|seat| probabilities[seat] * misses[seat]).sum();
        let slopes = std::array::from_fn(|seat| probabilities[seat] * (misses[seat] - mean));
        (misses.iter().map(|miss| miss * miss).sum::<f32>() / 2.0, slopes, sums)
    }

    /// Adds the gradient by a seat's strength.
    #[inline(always)]
    fn add_slopes(&self, features: &[u16], sums: &[f32; N], slope: f32, gradient: &mut Self) {
        let (head, rows) = gradient.0.split_at_mut(N);
        let rows = rows.as_chunks_mut::<N>().0;
        let mut slopes = [0.0; N];
        for at in 0..N {
            let scale = 1.0 + sums[at].abs();
            slopes[at] = slope * self.0[at] / (scale * scale);
            head[at] += slope * sums[at] / scale;
        }
        (slopes[0], head[0]) = (slope, 0.0);
        for feature in features {
            for (sum, slope) in rows[usize::from(*feature)].iter_mut().zip(&slopes) {
                *sum += slope;
            }
        }
    }
}

/// Fits a network to lessons; `progress` is called after every epoch with the root of the mean
/// squared difference during it.
pub fn teach<const N: usize>(
    lessons: &Lessons,
    epochs: u64,
    seed: u64,
    progress: impl FnMut(u64, f64),
) -> Network<N> {
    let seating = Seating::Two;
    let first = SeatWeights::of(&Network::<N>::new(seating, seed));
    let course = Course { epochs, rate: RATE, seed };
    let add_gradient =
        |weights: &SeatWeights<N>, lesson: &Lesson, gradient: &mut SeatWeights<N>| {
            weights.add_gradient(lessons.features(lesson), lesson.value, gradient)
        };
    course.run(first, &lessons.list, add_gradient, progress).network(seating)
}

/// How a network is fitted.
struct Course {
    epochs: u64,
    /// The length of the first steps.
    rate: f32,
    /// Sets the order of the lessons.
    seed: u64,
}

impl Course {
    fn run<const N: usize, L: Sync>(
        &self,
        first: SeatWeights<N>,
        lessons: &[L],
        add_gradient: impl Fn(&SeatWeights<N>, &L, &mut SeatWeights<N>) -> f32 + Sync,
        mut progress: impl FnMut(u64, f64),
    ) -> SeatWeights<N> {
        let Course { epochs, seed, .. } = *self;
        let order = Random::new(seed ^ 0xBA7C).next();
        let mut descent = Descent::new(first, AdamSettings::default(), order, BATCH);
        for epoch in 0..epochs {
            let rate = |progress| cosine_decay(self.rate, progress);
            let schedule = Schedule { epoch, epochs, rate };
            let loss = descent.epoch(lessons, &schedule, |weights, lesson, _, gradient| {
                add_gradient(weights, lesson, gradient)
            });
            progress(epoch + 1, loss.sqrt());
        }
        descent.weights
    }
}

/// Fits a network to lessons of three and four seats, from where it is; `progress` is called after
/// every epoch with the root of the mean squared difference during it.
pub fn teach_all<const N: usize>(
    network: &Network<N>,
    lessons: &Returns,
    epochs: u64,
    seed: u64,
    progress: impl FnMut(u64, f64),
) -> Network<N> {
    let course = Course { epochs, rate: FURTHER_RATE, seed };
    let add_gradient =
        |weights: &SeatWeights<N>, lesson: &Return, gradient: &mut SeatWeights<N>| {
            weights.add_gradient_of_all(lessons.features(lesson), &lesson.shares, gradient)
        };
    let first = SeatWeights::of(network);
    course.run(first, &lessons.list, add_gradient, progress).network(network.seating)
}

/// The root of the mean squared difference between a network and lessons that it did not see.
pub fn error_of<const N: usize>(network: &Network<N>, lessons: &Returns) -> f64 {
    let weights = SeatWeights::of(network);
    let loss = |lesson: &Return| {
        f64::from(weights.loss_of_all(lessons.features(lesson), &lesson.shares).0)
    };
    let sum: f64 = lessons.list.iter().map(loss).sum();
    (sum / lessons.list.len().max(1) as f64).sqrt()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::path::Path;

    use parlor::games::chowka_bhara::solved::SolvedTable;

    #[test]
    fn the_gradient_is_that_of_the_loss() {
        let seating = Seating::Two;
        let weights = SeatWeights::of(&Network::<8>::new(seating, 5));
        let features: [&[u16]; 2] = [&[3, 40, 41, 900], &[7, 40, 2000]];
        let mut gradient = SeatWeights::<8>(vec![0.0; weights.0.len()]);
        let loss = |weights: &SeatWeights<8>| {
            let mut unused = weights.clone();
            f64::from(weights.add_gradient(features, 0.9, &mut unused))
        };
        let first = weights.add_gradient(features, 0.9, &mut gradient);
        assert!(f64::from(first) == loss(&weights) && first > 0.01);
        // Two weights of the head, and of rows that are active in one view, in the other, in both.
        for at in [1, 7, 8 * 4, 8 * 4 + 3, 8 * 8 + 2, 8 * 41 + 5, 8 * 901 + 6, 8 * 2001] {
            let step = 0.02;
            let [more, less] = [step, -step].map(|step| {
                let mut moved = weights.clone();
                moved.0[at] += step;
                loss(&moved)
            });
            let slope = (more - less) / f64::from(2.0 * step);
            let found = f64::from(gradient.0[at]);
            assert!((found - slope).abs() < 1e-4 + 0.02 * slope.abs(), "{at}: {found}, {slope}");
        }
        // The fixed weight of the head, and a row that is not active.
        assert!(gradient.0[0] == 0.0 && gradient.0[8 * 500] == 0.0);
    }

    #[test]
    fn the_gradient_of_three_seats_is_that_of_the_loss() {
        let weights = SeatWeights::of(&Network::<8>::new(Seating::More, 5));
        let features: [&[u16]; 4] = [&[3, 40, 41, 900], &[7, 40, 2000], &[900, 901], &[]];
        let shares = [0.7, 0.1, 0.2, 0.0];
        let mut gradient = SeatWeights::<8>(vec![0.0; weights.0.len()]);
        let found = weights.add_gradient_of_all(features, &shares, &mut gradient);
        assert!(found > 0.01 && found == weights.loss_of_all(features, &shares).0);
        for at in [1, 7, 8 * 4, 8 * 41 + 5, 8 * 901 + 6, 8 * 902 + 1, 8 * 2001] {
            let step = 0.02;
            let [more, less] = [step, -step].map(|step| {
                let mut moved = weights.clone();
                moved.0[at] += step;
                f64::from(moved.loss_of_all(features, &shares).0)
            });
            let slope = (more - less) / f64::from(2.0 * step);
            let found = f64::from(gradient.0[at]);
            assert!((found - slope).abs() < 1e-4 + 0.02 * slope.abs(), "{at}: {found}, {slope}");
        }
        assert!(gradient.0[0] == 0.0 && gradient.0[8 * 500] == 0.0);
    }

    #[test]
    fn a_network_learns_what_a_table_says() {
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../tests/data/chowka-bhara/one.table");
        let table = SolvedTable::read(Path::new(path)).expect("a table");
        let lessons = Lessons::of_games(&[table], 20_000, 3, |_| {});
        let values = || lessons.list.iter().map(|lesson| f64::from(lesson.value));
        let mean = values().sum::<f64>() / lessons.list.len() as f64;
        let variance =
            values().map(|value| (value - mean).powi(2)).sum::<f64>() / lessons.list.len() as f64;
        let mut error = f64::INFINITY;
        teach::<8>(&lessons, 12, 3, |_, last| error = last);
        // Nine tenths of the variance are explained.
        assert!(error * error < 0.1 * variance, "{error}, {variance}");
    }
}
