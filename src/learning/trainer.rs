//! Trains a [`SparseNetwork`]: batches in random order, and steps of [`Adam`].
//!
//! What is learned is the game's [`Task`]: features, loss, schedule. Sums are taken in a fixed
//! order, whatever the number of threads, and no library function differs between machines: equal
//! samples give equal weights.

use rayon::prelude::*;

use super::adam::{Adam, AdamSettings};
use super::network::{OUTPUT_LIMIT, OUTPUT_UNIT, Shape, SparseNetwork};
use super::parameters::Parameters;
use crate::game::Random;

/// Parts of a batch that are summed on their own.
const PARTS: usize = 8;

/// The greatest weight that may be learned: what the whole numbers have room for.
const GREATEST: f32 = OUTPUT_LIMIT as f32 / OUTPUT_UNIT as f32;

/// The loss of one sample.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Loss {
    /// The loss itself.
    pub value: f32,
    /// Its slope by the output of the network.
    pub slope: f32,
}

/// What the trainer needs to know of a game.
pub trait Task<const VIEWS: usize>: Sync {
    /// One position and what it was worth.
    type Sample: Sync;

    /// The active inputs of one view.
    type Inputs: AsRef<[usize]>;

    /// The active inputs of every view, in the order that the output takes them. `random` chooses
    /// among the positions that are equal by symmetry; 0 stands for the position itself.
    fn inputs(&self, sample: &Self::Sample, random: u64) -> [Self::Inputs; VIEWS];

    /// The set of output weights.
    fn bucket(&self, sample: &Self::Sample) -> usize;

    /// The loss, where the network answers with `output` (not in hundredths).
    fn loss(&self, sample: &Self::Sample, output: f32) -> Loss;

    /// The length of a step when this part of the training is done, from 0 to 1.
    fn learning_rate(&self, progress: f32) -> f32;
}

/// A training.
pub struct Trainer<const HIDDEN: usize, const VIEWS: usize> {
    weights: Parameters<HIDDEN, VIEWS>,
    gradients: Vec<Parameters<HIDDEN, VIEWS>>,
    adam: Adam<f32>,
    random: Random,
    batch: usize,
}

impl<const HIDDEN: usize, const VIEWS: usize> Trainer<HIDDEN, VIEWS> {
    /// Begins with random weights; a step is taken after every `batch` samples.
    #[must_use]
    pub fn new(shape: Shape, settings: AdamSettings, seed: u64, batch: usize) -> Self {
        let weights = Parameters::random(shape, seed);
        Trainer {
            adam: Adam::new(&weights.all, settings),
            gradients: vec![Parameters::zero(shape); PARTS],
            weights,
            random: Random::new(!seed),
            batch: batch.max(1),
        }
    }

    /// Learns from every sample once, epoch `epoch` of `epochs`; returns the mean loss.
    pub fn epoch<T: Task<VIEWS>>(
        &mut self,
        task: &T,
        samples: &[T::Sample],
        epoch: u64,
        epochs: u64,
    ) -> f64 {
        let mut order: Vec<u32> = (0..samples.len() as u32).collect();
        self.random.shuffle(&mut order);
        let salt = self.random.next();
        let batches = order.len().div_ceil(self.batch).max(1);
        let mut sum = 0.0;
        for (number, batch) in order.chunks(self.batch).enumerate() {
            let (parts, loss) = self.add_gradients(task, samples, batch, salt);
            sum += loss;
            let progress = (epoch as f32 + number as f32 / batches as f32) / epochs as f32;
            self.step(parts, batch.len(), task.learning_rate(progress));
        }
        sum / samples.len().max(1) as f64
    }

    /// The gradients of the parts of a batch; how many parts there are, and the sum of the losses.
    fn add_gradients<T: Task<VIEWS>>(
        &mut self,
        task: &T,
        samples: &[T::Sample],
        batch: &[u32],
        salt: u64,
    ) -> (usize, f64) {
        let weights = &self.weights;
        let part = batch.len().div_ceil(PARTS).max(1);
        let losses: Vec<f64> = self
            .gradients
            .par_iter_mut()
            .zip(batch.par_chunks(part))
            .map(|(gradient, part)| {
                gradient.all.fill(0.0);
                let loss = |at: &u32| {
                    let random = u64::from(*at).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ salt;
                    let sample = &samples[*at as usize];
                    f64::from(weights.add_gradient(task, sample, random, gradient))
                };
                part.iter().map(loss).sum()
            })
            .collect();
        (losses.len(), losses.iter().sum())
    }

    /// One step along the sum of the first `parts` gradients of `samples` samples. Weights are cut
    /// to what there is room for.
    fn step(&mut self, parts: usize, samples: usize, rate: f32) {
        let scale = 1.0 / samples as f32;
        let (first, rest) = self.gradients.split_at_mut(1);
        let sums = &mut first[0].all;
        for other in &rest[..parts - 1] {
            sums.iter_mut().zip(&other.all).for_each(|(sum, other)| *sum += other);
        }
        sums.iter_mut().for_each(|slope| *slope *= scale);
        self.adam.step(&mut self.weights.all, sums, rate);
        let weights = self.weights.all.iter_mut();
        weights.for_each(|weight| *weight = weight.clamp(-GREATEST, GREATEST));
    }

    /// The output for a sample, not in hundredths.
    #[must_use]
    pub fn output<T: Task<VIEWS>>(&self, task: &T, sample: &T::Sample) -> f32 {
        self.weights.output(&task.inputs(sample, 0), task.bucket(sample)).1
    }

    /// The mean loss, nothing learned.
    #[must_use]
    pub(crate) fn mean_loss<T: Task<VIEWS>>(&self, task: &T, samples: &[T::Sample]) -> f64 {
        let loss = |sample| f64::from(task.loss(sample, self.output(task, sample)).value);
        samples.iter().map(loss).sum::<f64>() / samples.len().max(1) as f64
    }

    /// The network of whole numbers that plays.
    #[must_use]
    pub fn network(&self) -> SparseNetwork<HIDDEN, VIEWS> {
        self.weights.rounded()
    }
}

#[cfg(test)]
mod tests;
