//! Trains a [`SparseNetwork`] by minibatch gradient descent ([`super::descent`]).
//!
//! What is learned is the game's [`Task`]: features, loss, schedule. Sums are taken in a fixed
//! order, whatever the number of threads, and no library function differs between machines: equal
//! samples give equal weights.

use super::adam::AdamSettings;
use super::descent::{Descent, Schedule};
use super::parameters::{Parameters, Rounded};
use parlor::search::network::{Shape, SparseNetwork};

/// The size of the weights of inputs before training.
const SIZE: f32 = 0.2;

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
    descent: Descent<Parameters<HIDDEN, VIEWS>>,
}

impl<const HIDDEN: usize, const VIEWS: usize> Trainer<HIDDEN, VIEWS> {
    /// Begins with random weights; a step is taken after every `batch` samples.
    pub fn new(shape: Shape, settings: AdamSettings, seed: u64, batch: usize) -> Self {
        let weights = Parameters::random(shape, seed, SIZE);
        Trainer { descent: Descent::new(weights, settings, !seed, batch) }
    }

    /// Learns from every sample once, epoch `epoch` of `epochs`; returns the mean loss.
    pub fn epoch<T: Task<VIEWS>>(
        &mut self,
        task: &T,
        samples: &[T::Sample],
        epoch: u64,
        epochs: u64,
    ) -> f64 {
        let schedule = Schedule { epoch, epochs, rate: |progress| task.learning_rate(progress) };
        self.descent.epoch(samples, &schedule, |weights, sample, random, gradient| {
            weights.add_gradient(task, sample, random, gradient)
        })
    }

    /// The output for a sample, not in hundredths.
    pub fn output<T: Task<VIEWS>>(&self, task: &T, sample: &T::Sample) -> f32 {
        self.descent.weights.output(&task.inputs(sample, 0), task.bucket(sample)).1
    }

    /// The mean loss, nothing learned.
    pub fn mean_loss<T: Task<VIEWS>>(&self, task: &T, samples: &[T::Sample]) -> f64 {
        let loss = |sample| f64::from(task.loss(sample, self.output(task, sample)).value);
        samples.iter().map(loss).sum::<f64>() / samples.len().max(1) as f64
    }

    /// The weights so far, as the whole numbers that play.
    pub fn rounded(&self) -> Rounded<HIDDEN, VIEWS> {
        self.descent.weights.rounded()
    }

    /// The network that plays.
    pub fn network(&self) -> SparseNetwork<HIDDEN, VIEWS> {
        self.rounded().network()
    }
}

#[cfg(test)]
mod tests;
