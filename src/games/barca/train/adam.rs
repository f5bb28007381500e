//! The way to the weights: batches in random order, and the steps of Adam.

use rayon::prelude::*;

use super::weights::{GREATEST, Weights};
use super::{Sample, symmetries};
use crate::game::Random;

/// Parts of a batch that are summed on their own.
const PARTS: usize = 8;

/// The first length of a step.
const RATE: f32 = 0.001;

/// The state of Adam.
pub(super) struct Training {
    pub weights: Weights,
    gradients: Vec<Weights>,
    mean: Weights,
    square: Weights,
    steps: i32,
    random: Random,
    /// Samples between two steps.
    batch: usize,
}

impl Training {
    pub fn new(seed: u64, batch: usize) -> Self {
        Training {
            weights: Weights::random(seed),
            gradients: vec![Weights::zero(); PARTS],
            mean: Weights::zero(),
            square: Weights::zero(),
            steps: 0,
            random: Random::new(!seed),
            batch,
        }
    }

    /// Looks at every sample once; returns the mean error.
    pub fn epoch(&mut self, samples: &[Sample], epoch: u64, epochs: u64) -> f64 {
        let symmetries = symmetries();
        let mut order: Vec<u32> = (0..samples.len() as u32).collect();
        self.random.shuffle(&mut order);
        let ways = self.random.next();
        let batches = order.len().div_ceil(self.batch).max(1);
        let mut sum = 0.0;
        for (number, batch) in order.chunks(self.batch).enumerate() {
            let weights = &self.weights;
            let part = batch.len().div_ceil(PARTS).max(1);
            let errors: Vec<f64> = self
                .gradients
                .par_iter_mut()
                .zip(batch.par_chunks(part))
                .map(|(gradient, part)| {
                    gradient.parts_mut().for_each(|part| part.fill(0.0));
                    let error = |at: &u32| {
                        let way = (u64::from(*at).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ ways) >> 61;
                        let sample = &samples[*at as usize];
                        f64::from(weights.learn(sample, &symmetries[way as usize], gradient))
                    };
                    part.iter().map(error).sum()
                })
                .collect();
            sum += errors.iter().sum::<f64>();
            let parts = batch.len().div_ceil(part);
            let done = (epoch as f32 + number as f32 / batches as f32) / epochs as f32;
            self.step(parts, batch.len(), RATE * rate_at(done));
        }
        sum / samples.len().max(1) as f64
    }

    /// One step of Adam (Kingma and Ba, 2015), and the weights cut to what there is room for.
    fn step(&mut self, parts: usize, samples: usize, rate: f32) {
        self.steps += 1;
        let scale = 1.0 / samples as f32;
        let (first, rest) = self.gradients.split_at_mut(1);
        for other in &rest[..parts - 1] {
            for (sum, other) in first[0].parts_mut().zip(other.parts()) {
                sum.iter_mut().zip(other).for_each(|(sum, other)| *sum += other);
            }
        }
        let rate = rate * libm::sqrtf(1.0 - libm::powf(0.999, self.steps as f32))
            / (1.0 - libm::powf(0.9, self.steps as f32));
        let state = self.mean.parts_mut().zip(self.square.parts_mut());
        for ((weights, gradient), (mean, square)) in
            self.weights.parts_mut().zip(first[0].parts()).zip(state)
        {
            for at in 0..weights.len() {
                let slope = gradient[at] * scale;
                mean[at] = 0.9 * mean[at] + 0.1 * slope;
                square[at] = 0.999 * square[at] + 0.001 * slope * slope;
                let step = rate * mean[at] / (square[at].sqrt() + 1e-8);
                weights[at] = (weights[at] - step).clamp(-GREATEST, GREATEST);
            }
        }
    }
}

/// How much of the rate is left: all of it at first, a hundredth at the end.
fn rate_at(done: f32) -> f32 {
    0.01 + 0.99 * (0.5 + 0.5 * libm::cosf(std::f32::consts::PI * done))
}
