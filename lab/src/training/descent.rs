//! Minibatch gradient descent: batches in random order, and steps of [`Adam`].
//!
//! Sums are taken in a fixed order, whatever the number of threads: equal samples give equal
//! weights.

use rayon::prelude::*;

use super::adam::{Adam, AdamSettings};
use parlor::game::Random;

/// Parts of a batch that are summed on their own.
const PARTS: usize = 8;

/// The weights of what is trained, or a gradient of them, as one list.
pub trait Weights: Clone + Send + Sync {
    /// The list.
    fn all(&self) -> &[f32];

    /// The list, to be changed.
    fn all_mut(&mut self) -> &mut [f32];

    /// Brings the weights back into their range, after every step.
    fn limit(&mut self) {}
}

/// Where in the training an epoch stands, and how long the steps are.
pub struct Schedule<R> {
    /// The epoch, from 0.
    pub epoch: u64,
    /// All epochs.
    pub epochs: u64,
    /// The length of a step when this part of the training is done, from 0 to 1.
    pub rate: R,
}

/// The length of a step: cosine decay from `rate` to a hundredth of it; `progress` from 0 to 1.
pub fn cosine_decay(rate: f32, progress: f32) -> f32 {
    rate * (0.01 + 0.99 * (0.5 + 0.5 * libm::cosf(std::f32::consts::PI * progress)))
}

/// The expected result of an output: the logistic function.
pub fn expected(output: f32) -> f32 {
    1.0 / (1.0 + libm::expf(-output))
}

/// The state of a training.
pub struct Descent<W> {
    /// The weights so far.
    pub weights: W,
    gradients: Vec<W>,
    adam: Adam<f32>,
    random: Random,
    batch: usize,
}

impl<W: Weights> Descent<W> {
    /// Begins with these weights; a step is taken after every `batch` samples. `seed` sets the
    /// order of the samples.
    pub fn new(weights: W, settings: AdamSettings, seed: u64, batch: usize) -> Self {
        Descent {
            adam: Adam::new(weights.all(), settings),
            gradients: vec![weights.clone(); PARTS],
            weights,
            random: Random::new(seed),
            batch: batch.max(1),
        }
    }

    /// Learns from every sample once; returns the mean loss. `add_gradient` adds the gradient of
    /// the loss of one sample, and returns that loss; its third argument is a random number of that
    /// sample in this epoch.
    pub fn epoch<S: Sync>(
        &mut self,
        samples: &[S],
        schedule: &Schedule<impl Fn(f32) -> f32>,
        add_gradient: impl Fn(&W, &S, u64, &mut W) -> f32 + Sync,
    ) -> f64 {
        let mut order: Vec<u32> = (0..samples.len() as u32).collect();
        self.random.shuffle(&mut order);
        let salt = self.random.next();
        let batches = order.len().div_ceil(self.batch).max(1);
        let mut sum = 0.0;
        for (number, batch) in order.chunks(self.batch).enumerate() {
            let (parts, loss) = self.add_gradients(samples, batch, salt, &add_gradient);
            sum += loss;
            let done = schedule.epoch as f32 + number as f32 / batches as f32;
            self.step(parts, batch.len(), (schedule.rate)(done / schedule.epochs as f32));
        }
        sum / samples.len().max(1) as f64
    }

    /// The gradients of the parts of a batch; how many parts there are, and the sum of the losses.
    fn add_gradients<S: Sync>(
        &mut self,
        samples: &[S],
        batch: &[u32],
        salt: u64,
        add_gradient: &(impl Fn(&W, &S, u64, &mut W) -> f32 + Sync),
    ) -> (usize, f64) {
        let weights = &self.weights;
        let part = batch.len().div_ceil(PARTS).max(1);
        let losses: Vec<f64> = self
            .gradients
            .par_iter_mut()
            .zip(batch.par_chunks(part))
            .map(|(gradient, part)| {
                gradient.all_mut().fill(0.0);
                let loss = |at: &u32| {
                    let random = u64::from(*at).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ salt;
                    f64::from(add_gradient(weights, &samples[*at as usize], random, gradient))
                };
                part.iter().map(loss).sum()
            })
            .collect();
        (losses.len(), losses.iter().sum())
    }

    /// One step along the sum of the first `parts` gradients of `samples` samples.
    fn step(&mut self, parts: usize, samples: usize, rate: f32) {
        let scale = 1.0 / samples as f32;
        let (first, rest) = self.gradients.split_at_mut(1);
        let sums = first[0].all_mut();
        for other in &rest[..parts - 1] {
            sums.iter_mut().zip(other.all()).for_each(|(sum, other)| *sum += other);
        }
        sums.iter_mut().for_each(|slope| *slope *= scale);
        self.adam.step(self.weights.all_mut(), sums, rate);
        self.weights.limit();
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Mutex;

    use super::*;

    impl Weights for Vec<f32> {
        fn all(&self) -> &[f32] {
            self
        }

        fn all_mut(&mut self) -> &mut [f32] {
            self
        }
    }

    /// Where every sample has the same slope, so has every batch, and each step of Adam is as long
    /// as the rate.
    #[test]
    fn the_gradient_of_a_batch_is_the_mean_of_its_samples() {
        for (samples, batch, steps) in [(3, 2, 2.0), (10, 4, 3.0), (33, 32, 2.0)] {
            let mut descent = Descent::new(vec![0.0f32], AdamSettings::default(), 1, batch);
            let schedule = Schedule { epoch: 0, epochs: 1, rate: |_| 0.125 };
            let loss = descent.epoch(&vec![(); samples], &schedule, |_, (), _, gradient| {
                gradient[0] += 4.0;
                3.0
            });
            let moved = -descent.weights[0];
            assert!((moved - 0.125 * steps).abs() < 1e-4, "{samples} in {batch}: {moved}");
            assert!((loss - 3.0).abs() < 1e-9, "{loss}");
        }
    }

    /// The order of the samples in two epochs of single samples, and the progress at each step.
    #[test]
    fn every_epoch_has_its_own_order_and_its_part_of_the_schedule() {
        let (order, progress) = (Mutex::new(Vec::new()), Mutex::new(Vec::new()));
        let mut descent = Descent::new(vec![0.0f32], AdamSettings::default(), 1, 1);
        let samples: Vec<u32> = (0..16).collect();
        for epoch in 0..2 {
            let rate = |done| {
                progress.lock().unwrap().push(done);
                0.0
            };
            descent.epoch(&samples, &Schedule { epoch, epochs: 2, rate }, |_, sample, _, _| {
                order.lock().unwrap().push(*sample);
                0.0
            });
        }
        let order = order.into_inner().unwrap();
        let (first, second) = order.split_at(16);
        assert!(first != second && first != samples, "{order:?}");
        assert!([first, second].iter().all(|order| samples.iter().all(|s| order.contains(s))));
        let steps: Vec<f32> = (0..32).map(|step| step as f32 / 32.0).collect();
        assert_eq!(progress.into_inner().unwrap(), steps);
    }

    /// Steps of plain gradient descent: without memory, and with an epsilon beside which the root of
    /// the square is nothing, a step is the slope itself.
    fn plain(seed: u64, batch: usize) -> Descent<Vec<f32>> {
        let settings = AdamSettings {
            betas: [0.0; 2],
            epsilon: 1e9,
            bias_corrected_epsilon: true,
            ..AdamSettings::default()
        };
        Descent::new(vec![0.0; 2], settings, seed, batch)
    }

    /// However many samples a batch has, and so whatever its parts are: the second weight gets the
    /// mean of all slopes, the first the mean of those of the samples that have any.
    #[test]
    fn a_batch_of_any_size_gives_the_mean_slope_and_the_mean_loss() {
        for count in 1..=40_u16 {
            let samples: Vec<f32> = (1..=count).map(f32::from).collect();
            let mut descent = plain(3, 64);
            for epoch in 0..2 {
                let schedule = Schedule { epoch, epochs: 2, rate: |_| 1e9 };
                let loss = descent.epoch(&samples, &schedule, |_, sample, _, gradient| {
                    gradient[0] += if *sample == 1.0 { 8.0 } else { 0.0 };
                    gradient[1] -= sample;
                    sample * sample
                });
                let n = f64::from(count);
                let squares = (n + 1.0) * (2.0 * n + 1.0) / 6.0;
                assert!((loss - squares).abs() < 1e-3, "{count}: {loss} is not {squares}");
                let steps = (epoch + 1) as f64;
                let expected = [-8.0 / n * steps, (n + 1.0) / 2.0 * steps];
                for (weight, expected) in descent.weights.iter().zip(expected) {
                    let off = (f64::from(*weight) - expected).abs();
                    assert!(off < 1e-4 * expected.abs(), "{count}: {weight} is not {expected}");
                }
            }
        }
    }

    /// The gradient is taken at the weights of the step before: `w` learns `5` by halves.
    #[test]
    fn every_step_begins_where_the_last_one_ended() {
        let mut descent = plain(1, 1);
        let schedule = Schedule { epoch: 0, epochs: 1, rate: |_| 0.5e9 };
        descent.epoch(&[(); 4], &schedule, |weights, (), _, gradient| {
            gradient[0] += weights[0] - 5.0;
            0.0
        });
        let expected = 5.0 * (1.0 - 0.5f32.powi(4));
        assert!((descent.weights[0] - expected).abs() < 1e-4, "{:?}", descent.weights);
    }

    /// What every sample of two epochs is told, by sample and epoch.
    fn told(seed: u64) -> (Vec<u32>, Vec<u64>) {
        let seen = Mutex::new(Vec::new());
        let mut descent = plain(seed, 1);
        let samples: Vec<u32> = (0..20).collect();
        for epoch in 0..2 {
            let schedule = Schedule { epoch, epochs: 2, rate: |_| 0.0 };
            descent.epoch(&samples, &schedule, |_, sample, random, _| {
                seen.lock().unwrap().push((*sample, random));
                0.0
            });
        }
        seen.into_inner().unwrap().into_iter().unzip()
    }

    #[test]
    fn every_sample_has_its_own_random_number_in_every_epoch_and_the_seed_decides() {
        let (order, numbers) = told(1);
        let different: std::collections::HashSet<u64> = numbers.iter().copied().collect();
        assert_eq!(different.len(), 40);
        assert_eq!(told(1), (order.clone(), numbers.clone()));
        let (other_order, other_numbers) = told(2);
        assert!(other_order != order && other_numbers.iter().all(|n| !different.contains(n)));
    }

    /// Weights between -1 and 1.
    #[derive(Clone)]
    struct Narrow(Vec<f32>);

    impl Weights for Narrow {
        fn all(&self) -> &[f32] {
            &self.0
        }

        fn all_mut(&mut self) -> &mut [f32] {
            &mut self.0
        }

        fn limit(&mut self) {
            self.0.iter_mut().for_each(|weight| *weight = weight.clamp(-1.0, 1.0));
        }
    }

    #[test]
    fn weights_are_brought_into_their_range_after_every_step() {
        let mut descent = Descent::new(Narrow(vec![0.0]), AdamSettings::default(), 1, 1);
        let schedule = Schedule { epoch: 0, epochs: 1, rate: |_| 10.0 };
        descent.epoch(&[(); 2], &schedule, |weights, (), _, gradient| {
            assert!(weights.0[0].abs() <= 1.0, "{:?}", weights.0);
            gradient.0[0] += 1.0;
            0.0
        });
        assert_eq!(descent.weights.0, [-1.0]);
    }

    #[test]
    fn the_rate_falls_by_half_a_cosine_to_a_hundredth_and_odds_are_logistic() {
        // The cosine of 0, 60, 90 and 180 degrees.
        for (progress, part) in [(0.0, 1.0), (1.0 / 3.0, 0.75), (0.5, 0.5), (1.0, 0.0)] {
            let rate = 4.0 * (0.01 + 0.99 * part);
            assert!((cosine_decay(4.0, progress) - rate).abs() < 1e-5, "{progress}");
        }
        // Odds of 3 to 1, even ones, and 1 to 9.
        for (odds, share) in [(3.0f32, 0.75), (1.0, 0.5), (1.0 / 9.0, 0.1)] {
            assert!((expected(odds.ln()) - share).abs() < 1e-6, "{odds}");
        }
    }
}
