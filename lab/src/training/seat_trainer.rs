//! Trains a [`SeatNetwork`] by minibatch gradient descent ([`super::descent`]): the loss is the
//! cross-entropy of the target shares and the softmax of the strengths.
//!
//! Sums are taken in a fixed order, whatever the number of threads, and no library function differs
//! between machines: equal samples give equal weights.

use super::adam::AdamSettings;
use super::descent::{Descent, Schedule, cosine_decay};
use super::parameters::{LANES, Parameters, Values};
use parlor::game::MAX_SEATS;
use parlor::machine::dispatched;
use parlor::search::network::Shape;
use parlor::search::seat_network::SeatNetwork;

/// The size of the weights of inputs before training.
const SIZE: f32 = 0.1;

/// One seat of a sample.
#[derive(Clone, Debug, Default)]
pub struct SeatView {
    /// Its active inputs.
    pub inputs: Vec<u16>,
    /// Its output weights.
    pub bucket: usize,
    /// A part of its strength that is not learned, added to the output.
    pub base: f32,
    /// The share of the first place that it should get.
    pub share: f32,
}

/// What the trainer needs to know of a game.
pub trait SeatTask: Sync {
    /// One position and what it was worth.
    type Sample: Sync;

    /// Writes the seats that can still win; returns how many there are. `random` chooses among the
    /// positions that are equal by symmetry; 0 stands for the position itself.
    fn views(&self, sample: &Self::Sample, random: u64, views: &mut [SeatView; MAX_SEATS])
    -> usize;
}

impl<const HIDDEN: usize> Parameters<HIDDEN, 1> {
    dispatched! { wide
        /// The hidden values and the output of a view.
        fn seat_output / seat_output_fast = computed(&self, view: &SeatView) -> (Values<HIDDEN>, f32)
    }

    #[inline(always)]
    fn computed(&self, view: &SeatView) -> (Values<HIDDEN>, f32) {
        let parts = self.parts();
        let mut hidden = *parts.bias;
        for input in &view.inputs {
            let row = &parts.rows[*input as usize];
            hidden.iter_mut().zip(row).for_each(|(value, weight)| *value += weight);
        }
        let mut lanes = [0.0; LANES];
        let weights = &parts.outputs[view.bucket];
        for (values, weights) in hidden.chunks_exact_mut(LANES).zip(weights.chunks_exact(LANES)) {
            for lane in 0..LANES {
                let value = values[lane].clamp(0.0, 1.0);
                values[lane] = value;
                lanes[lane] += value * value * weights[lane];
            }
        }
        (hidden, view.base + parts.output_bias[view.bucket] + lanes.iter().sum::<f32>())
    }

    dispatched! { wide
        /// Adds the gradient of a view whose output has this slope.
        fn add_slope / add_slope_fast = added_slope(
            &self,
            view: &SeatView,
            hidden: &Values<HIDDEN>,
            slope: f32,
            gradient: &mut Self
        )
    }

    #[inline(always)]
    fn added_slope(
        &self,
        view: &SeatView,
        hidden: &Values<HIDDEN>,
        slope: f32,
        gradient: &mut Self,
    ) {
        let weights = &self.parts().outputs[view.bucket];
        let gradient = gradient.parts_mut();
        let mut slopes = [0.0; HIDDEN];
        for (at, sum) in gradient.outputs[view.bucket].iter_mut().enumerate() {
            let value = hidden[at];
            *sum += slope * value * value;
            let open = if value > 0.0 && value < 1.0 { 2.0 * value } else { 0.0 };
            slopes[at] = slope * weights[at] * open;
        }
        for input in &view.inputs {
            let row = &mut gradient.rows[*input as usize];
            row.iter_mut().zip(&slopes).for_each(|(sum, slope)| *sum += slope);
        }
        gradient.bias.iter_mut().zip(&slopes).for_each(|(sum, slope)| *sum += slope);
        gradient.output_bias[view.bucket] += slope;
    }

    /// Adds the gradient of the loss of one sample, if there is a place for it; returns that loss.
    fn learn(&self, views: &[SeatView], gradient: Option<&mut Self>) -> f32 {
        let mut hidden = [[0.0; HIDDEN]; MAX_SEATS];
        let mut outputs = [0.0; MAX_SEATS];
        for (at, view) in views.iter().enumerate() {
            (hidden[at], outputs[at]) = self.seat_output(view);
        }
        let chances = softmax(&outputs, views.len());
        if let Some(gradient) = gradient {
            for (at, view) in views.iter().enumerate() {
                self.add_slope(view, &hidden[at], chances[at] - view.share, gradient);
            }
        }
        // Less what no network can learn: the entropy of the target.
        let losses = views.iter().zip(chances).filter(|(view, _)| view.share > 0.0);
        losses.map(|(view, chance)| view.share * libm::logf(view.share / chance.max(1e-9))).sum()
    }
}

/// The probabilities of the first `seats` strengths.
fn softmax(outputs: &[f32; MAX_SEATS], seats: usize) -> [f32; MAX_SEATS] {
    let best = outputs[..seats].iter().copied().fold(f32::MIN, f32::max);
    let mut chances = [0.0; MAX_SEATS];
    for (chance, output) in chances.iter_mut().zip(&outputs[..seats]) {
        *chance = libm::expf(output - best);
    }
    let total: f32 = chances.iter().sum();
    chances.map(|chance| chance / total)
}

/// A training.
pub struct SeatTrainer<const HIDDEN: usize> {
    descent: Descent<Parameters<HIDDEN, 1>>,
    rate: f32,
}

impl<const HIDDEN: usize> SeatTrainer<HIDDEN> {
    /// Begins with random weights; a step is taken after every `batch` samples, at first `rate` long.
    pub fn new(shape: Shape, rate: f32, seed: u64, batch: usize) -> Self {
        let weights = Parameters::random(shape, seed, SIZE);
        SeatTrainer { descent: Descent::new(weights, AdamSettings::default(), !seed, batch), rate }
    }

    /// Learns from every sample once, epoch `epoch` of `epochs`; returns the mean loss.
    pub fn epoch<T: SeatTask>(
        &mut self,
        task: &T,
        samples: &[T::Sample],
        epoch: u64,
        epochs: u64,
    ) -> f64 {
        let rate = self.rate;
        let schedule = Schedule { epoch, epochs, rate: |progress| cosine_decay(rate, progress) };
        self.descent.epoch(samples, &schedule, |weights, sample, random, gradient| {
            let mut views = Default::default();
            let seats = task.views(sample, random, &mut views);
            weights.learn(&views[..seats], Some(gradient))
        })
    }

    /// The mean loss, nothing learned.
    pub fn mean_loss<T: SeatTask>(&self, task: &T, samples: &[T::Sample]) -> f64 {
        let loss = |sample| {
            let mut views = Default::default();
            let seats = task.views(sample, 0, &mut views);
            f64::from(self.descent.weights.learn(&views[..seats], None))
        };
        samples.iter().map(loss).sum::<f64>() / samples.len().max(1) as f64
    }

    /// The network of whole numbers that plays.
    pub fn network(&self) -> SeatNetwork<HIDDEN> {
        self.descent.weights.rounded().network().into()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use parlor::game::Random;
    use parlor::search::network::{Accumulator, SCALE};
    use parlor::search::seat_network::Blocks;

    const SHAPE: Shape = Shape { blocks: 2, used: 5, stride: 8, buckets: 3 };
    const HIDDEN: usize = 32;

    /// A view that has every owner's facts in the block of the same number.
    const SAME: Blocks = [0, 1, 2, 3, 4, 5, 6, 7];

    /// Each of three seats has a token on places 0 to 4 and sees the sum of the others' places.
    struct Places;

    struct Sample {
        places: [usize; 3],
        buckets: [usize; 3],
    }

    impl SeatTask for Places {
        type Sample = Sample;

        fn views(&self, sample: &Sample, _: u64, views: &mut [SeatView; MAX_SEATS]) -> usize {
            let worth = sample.places.map(|place| (place * place) as f32 + 0.5);
            let total: f32 = worth.iter().sum();
            for (at, view) in views.iter_mut().enumerate().take(3) {
                let others = (0..3).filter(|other| *other != at);
                view.inputs = others.map(|other| 8 + sample.places[other] as u16).collect();
                view.inputs.push(sample.places[at] as u16);
                (view.bucket, view.share) = (sample.buckets[at], worth[at] / total);
            }
            3
        }
    }

    fn samples(count: usize, seed: u64) -> Vec<Sample> {
        let mut random = Random::new(seed);
        let mut below = |bound| random.below(bound) as usize;
        (0..count)
            .map(|_| Sample {
                places: [(); 3].map(|()| below(5)),
                buckets: [(); 3].map(|()| below(3)),
            })
            .collect()
    }

    fn views(sample: &Sample) -> [SeatView; MAX_SEATS] {
        let mut views = Default::default();
        Places.views(sample, 0, &mut views);
        views
    }

    fn trained(samples: &[Sample], epochs: u64) -> SeatTrainer<HIDDEN> {
        let mut trainer = SeatTrainer::new(SHAPE, 0.01, 7, 32);
        for epoch in 0..epochs {
            trainer.epoch(&Places, samples, epoch, epochs);
        }
        trainer
    }

    #[test]
    fn the_gradient_is_the_slope_of_the_loss() {
        let samples = samples(40, 3);
        let mut weights = Parameters::<HIDDEN, 1>::random(SHAPE, 5, SIZE);
        let mut gradient = Parameters::zero(SHAPE);
        for sample in &samples {
            weights.learn(&views(sample)[..3], Some(&mut gradient));
        }
        let loss = |weights: &Parameters<HIDDEN, 1>| -> f64 {
            samples.iter().map(|sample| f64::from(weights.learn(&views(sample)[..3], None))).sum()
        };
        let mut checked = 0;
        for at in (0..weights.all.len()).filter(|at| gradient.all[*at].abs() > 0.2) {
            let middle = weights.all[at];
            let [more, less] = [2e-3, -2e-3].map(|change| {
                weights.all[at] = middle + change;
                loss(&weights)
            });
            weights.all[at] = middle;
            let (measured, slope) = ((more - less) / 4e-3, f64::from(gradient.all[at]));
            assert!((measured - slope).abs() < 0.05 * slope.abs(), "{at}: {measured} {slope}");
            checked += 1;
        }
        assert!(checked > 30, "{checked}");
    }

    #[test]
    fn training_learns_the_same_with_one_thread_and_with_three() {
        let (samples, others) = (samples(400, 1), samples(100, 2));
        let with = |threads| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
            pool.expect("threads").install(|| trained(&samples, 40))
        };
        let trainer = with(1);
        assert_eq!(trainer.network().to_bytes("a test"), with(3).network().to_bytes("a test"));
        let untrained = SeatTrainer::<HIDDEN>::new(SHAPE, 0.01, 7, 32).mean_loss(&Places, &others);
        let learned = trainer.mean_loss(&Places, &others);
        assert!(learned < 0.1 * untrained, "{learned} against {untrained}");
    }

    #[test]
    fn rounding_changes_a_strength_by_little_and_a_file_nothing() {
        let samples = samples(300, 4);
        let trainer = trained(&samples, 10);
        let network = trainer.network();
        let bytes = network.to_bytes("a test");
        assert_eq!(SeatNetwork::from_bytes(&bytes, "a test", SHAPE), Ok(network.clone()));
        assert!(SeatNetwork::<HIDDEN>::from_bytes(&bytes, "a game", SHAPE).is_err());
        assert!(SeatNetwork::<64>::from_bytes(&bytes, "a test", SHAPE).is_err());
        let empty: Accumulator<HIDDEN, 1> = network.empty();
        for view in samples.iter().flat_map(|sample| views(sample).into_iter().take(3)) {
            // Inputs in the accumulator and inputs given with the question count the same.
            let (first, more) = view.inputs.split_at(1);
            let mut sums = empty;
            network.change(&empty, 0, &SAME, [&[], first], &mut sums);
            let strength = network.strength(&sums, 0, &SAME, more, view.bucket);
            assert_eq!(network.strength(&empty, 0, &SAME, &view.inputs, view.bucket), strength);
            let exact = f64::from(trainer.descent.weights.seat_output(&view).1) * SCALE;
            assert!((f64::from(strength) - exact).abs() < 6.0 + 0.05 * exact.abs(), "{exact}");
        }
    }

    /// The strength by the definition of the network, in double precision.
    fn defined(all: &[f64], view: &SeatView) -> f64 {
        let row = |number: usize| &all[number * HIDDEN..][..HIDDEN];
        let rows = SHAPE.blocks * SHAPE.stride;
        let mut output = f64::from(view.base) + all[all.len() - SHAPE.buckets + view.bucket];
        for at in 0..HIDDEN {
            let inputs = view.inputs.iter();
            let sum: f64 =
                row(rows)[at] + inputs.map(|input| row(usize::from(*input))[at]).sum::<f64>();
            output += sum.clamp(0.0, 1.0).powi(2) * row(rows + 1 + view.bucket)[at];
        }
        output
    }

    /// Every weight of every layer, by differences of the definition: of two, three and four seats
    /// with different parts that are not learned, one of them without a share.
    #[test]
    fn strengths_and_gradients_are_those_of_the_definition_in_every_layer() {
        let mut weights = Parameters::<HIDDEN, 1>::random(SHAPE, 5, 1.0);
        let mut random = Random::new(9);
        let parts = weights.parts_mut();
        let outputs = parts.outputs.as_flattened_mut().iter_mut();
        outputs.chain(parts.output_bias).for_each(|weight| *weight = random.unit() as f32 - 0.5);
        let mut all: Vec<f64> = weights.all.iter().map(|weight| f64::from(*weight)).collect();
        let seat = |inputs: &[u16], bucket, base| SeatView {
            inputs: inputs.to_vec(),
            bucket,
            base,
            share: 0.0,
        };
        let seats = [
            seat(&[0, 9, 12], 2, 0.75),
            seat(&[4], 0, -0.5),
            seat(&[], 1, 0.0),
            seat(&[1, 2, 3, 8], 0, 0.25),
        ];
        for shares in [&[0.25, 0.75][..], &[0.5, 0.0, 0.5], &[0.1, 0.2, 0.3, 0.4]] {
            let mut views = seats[..shares.len()].to_vec();
            views.iter_mut().zip(shares).for_each(|(view, share)| view.share = *share);
            let loss = |all: &[f64]| -> f64 {
                let odds: Vec<f64> = views.iter().map(|view| defined(all, view).exp()).collect();
                let total: f64 = odds.iter().sum();
                let lost = |(odds, share): (&f64, &f32)| {
                    let share = f64::from(*share);
                    if share > 0.0 { share * (share / (odds / total)).ln() } else { 0.0 }
                };
                odds.iter().zip(shares).map(lost).sum()
            };
            let mut gradient = Parameters::zero(SHAPE);
            let lost = weights.learn(&views, Some(&mut gradient));
            assert!((f64::from(lost) - loss(&all)).abs() < 1e-5, "{lost} {}", loss(&all));
            assert_eq!(weights.learn(&views, None), lost);
            for at in 0..all.len() {
                let middle = all[at];
                let [more, less] = [1e-7, -1e-7].map(|change| {
                    all[at] = middle + change;
                    loss(&all)
                });
                all[at] = middle;
                let (measured, slope) = ((more - less) / 2e-7, f64::from(gradient.all[at]));
                assert!((measured - slope).abs() < 1e-4, "{at}: {measured} {slope}");
            }
        }
    }

    /// The mean of samples that are valued apart, and 0 without samples.
    #[test]
    fn the_mean_loss_is_that_of_the_samples() {
        let (trainer, samples) = (SeatTrainer::<HIDDEN>::new(SHAPE, 0.01, 7, 32), samples(5, 3));
        let each = samples
            .iter()
            .map(|sample| f64::from(trainer.descent.weights.learn(&views(sample)[..3], None)));
        let mean = each.sum::<f64>() / 5.0;
        assert!((trainer.mean_loss(&Places, &samples) - mean).abs() < 1e-12);
        assert_eq!(trainer.mean_loss(&Places, &[]), 0.0);
    }
}
