//! Trains the weights of a network by minibatch gradient descent ([`super::descent`]).
//!
//! What is learned is the game's [`Task`]; one that learns the score of a position says so by
//! [`Scoring`]. Sums are taken in a fixed order, whatever the number of threads, and no library
//! function differs between machines: equal samples give equal weights.

use super::adam::AdamSettings;
use super::descent::{Descent, Schedule, Weights, cosine_decay};
use super::parameters::Parameters;

/// What the trainer of weights `W` needs to know of a game.
pub trait Task<W>: Sync {
    /// One position and what it was worth.
    type Sample: Sync;

    /// The loss of one sample; adds its gradient, if there is a place for it. `random` chooses among
    /// the positions that are equal by symmetry; 0 stands for the position itself.
    fn learn(
        &self,
        weights: &W,
        sample: &Self::Sample,
        random: u64,
        gradient: Option<&mut W>,
    ) -> f32;
}

/// The loss of one sample.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Loss {
    /// The loss itself.
    pub value: f32,
    /// Its slope by the output of the network.
    pub slope: f32,
}

/// A task of a sparse network with one output, the score of a position.
pub trait Scoring<const VIEWS: usize>: Sync {
    /// One position and what it was worth.
    type Sample: Sync;

    /// The active inputs of one view.
    type Inputs: AsRef<[u16]>;

    /// The active inputs of every view, in the order that the output takes them. `random` chooses
    /// among the positions that are equal by symmetry; 0 stands for the position itself.
    fn inputs(&self, sample: &Self::Sample, random: u64) -> [Self::Inputs; VIEWS];

    /// The set of output weights.
    fn bucket(&self, sample: &Self::Sample) -> usize;

    /// The loss, where the network answers with `output` (not in hundredths).
    fn loss(&self, sample: &Self::Sample, output: f32) -> Loss;
}

impl<T, const HIDDEN: usize, const VIEWS: usize> Task<Parameters<HIDDEN, VIEWS>> for T
where
    T: Scoring<VIEWS>,
{
    type Sample = T::Sample;

    fn learn(
        &self,
        weights: &Parameters<HIDDEN, VIEWS>,
        sample: &T::Sample,
        random: u64,
        gradient: Option<&mut Parameters<HIDDEN, VIEWS>>,
    ) -> f32 {
        let inputs = self.inputs(sample, random);
        let (inputs, bucket) = (inputs.each_ref().map(AsRef::as_ref), self.bucket(sample));
        let (hidden, output) = weights.output(&inputs, bucket, 0.0);
        let Loss { value, slope } = self.loss(sample, output);
        if let Some(gradient) = gradient {
            weights.add_slope(&inputs, bucket, &hidden, slope, gradient);
        }
        value
    }
}

/// How a training begins and goes on.
#[derive(Clone, Copy, Debug)]
pub struct Settings {
    /// The length of the first steps; it falls to a hundredth by cosine decay.
    pub rate: f32,
    /// The constants of the optimizer.
    pub adam: AdamSettings,
}

/// A training.
pub struct Trainer<W> {
    descent: Descent<W>,
    rate: f32,
}

impl<W: Weights> Trainer<W> {
    /// Begins with these weights; a step is taken after every `batch` samples. `seed` sets the order of
    /// the samples.
    pub fn new(weights: W, settings: Settings, batch: usize, seed: u64) -> Self {
        let Settings { rate, adam } = settings;
        Trainer { descent: Descent::new(weights, adam, !seed, batch), rate }
    }

    /// Learns from every sample once, epoch `epoch` of `epochs`; returns the mean loss.
    pub fn epoch<T: Task<W>>(
        &mut self,
        task: &T,
        samples: &[T::Sample],
        epoch: u64,
        epochs: u64,
    ) -> f64 {
        let rate = self.rate;
        let schedule = Schedule { epoch, epochs, rate: |progress| cosine_decay(rate, progress) };
        self.descent.epoch(samples, &schedule, |weights, sample, random, gradient| {
            task.learn(weights, sample, random, Some(gradient))
        })
    }

    /// The weights so far.
    pub fn weights(&self) -> &W {
        &self.descent.weights
    }

    /// The mean loss, nothing learned.
    pub fn mean_loss<T: Task<W>>(&self, task: &T, samples: &[T::Sample]) -> f64 {
        let loss = |sample| f64::from(task.learn(&self.descent.weights, sample, 0, None));
        samples.iter().map(loss).sum::<f64>() / samples.len().max(1) as f64
    }
}

#[cfg(test)]
mod tests;
