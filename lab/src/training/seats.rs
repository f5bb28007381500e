//! The loss of a [`SeatNetwork`], whose output is the strength of a seat: the cross-entropy of the
//! target shares and the softmax of the strengths.
//!
//! [`SeatNetwork`]: parlor::search::seat_network::SeatNetwork

use super::parameters::Parameters;
use parlor::game::MAX_SEATS;
use parlor::search::value::softmax;

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

/// The loss of the seats that can still win; adds its gradient, if there is a place for it.
pub fn learn<const HIDDEN: usize>(
    weights: &Parameters<HIDDEN, 1>,
    views: &[SeatView],
    gradient: Option<&mut Parameters<HIDDEN, 1>>,
) -> f32 {
    let mut hidden = [[[0.0; HIDDEN]]; MAX_SEATS];
    let mut outputs = [f32::NEG_INFINITY; MAX_SEATS];
    for (at, view) in views.iter().enumerate() {
        (hidden[at], outputs[at]) = weights.output(&[&view.inputs], view.bucket, view.base);
    }
    let chances = softmax(outputs);
    if let Some(gradient) = gradient {
        for (at, view) in views.iter().enumerate() {
            let slope = chances[at] - view.share;
            weights.add_slope(&[&view.inputs], view.bucket, &hidden[at], slope, gradient);
        }
    }
    // Less what no network can learn: the entropy of the target.
    let losses = views.iter().zip(chances).filter(|(view, _)| view.share > 0.0);
    losses.map(|(view, chance)| view.share * libm::logf(view.share / chance.max(1e-9))).sum()
}

#[cfg(test)]
mod tests {
    use super::*;
    use parlor::game::Random;
    use parlor::search::network::{Accumulator, Shape};
    use parlor::search::seat_network::{Blocks, SeatNetwork};
    use parlor::search::value::SCALE;

    use crate::training::adam::AdamSettings;
    use crate::training::trainer::{Settings, Task, Trainer};

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

    fn views(sample: &Sample) -> Vec<SeatView> {
        let worth = sample.places.map(|place| (place * place) as f32 + 0.5);
        let total: f32 = worth.iter().sum();
        let view = |at: usize| {
            let others = (0..3).filter(|other| *other != at);
            let others = others.map(|other| 8 + sample.places[other] as u16);
            let inputs = others.chain([sample.places[at] as u16]).collect();
            SeatView { inputs, bucket: sample.buckets[at], base: 0.0, share: worth[at] / total }
        };
        (0..3).map(view).collect()
    }

    impl Task<Parameters<HIDDEN, 1>> for Places {
        type Sample = Sample;

        fn learn(
            &self,
            weights: &Parameters<HIDDEN, 1>,
            sample: &Sample,
            _: u64,
            gradient: Option<&mut Parameters<HIDDEN, 1>>,
        ) -> f32 {
            learn(weights, &views(sample), gradient)
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

    fn untrained() -> Trainer<Parameters<HIDDEN, 1>> {
        let adam = AdamSettings::default();
        let weights = Parameters::random(SHAPE, 7, 0.1);
        Trainer::new(weights, Settings { rate: 0.01, adam }, 32, 7)
    }

    fn trained(samples: &[Sample], epochs: u64) -> Trainer<Parameters<HIDDEN, 1>> {
        let mut trainer = untrained();
        for epoch in 0..epochs {
            trainer.epoch(&Places, samples, epoch, epochs);
        }
        trainer
    }

    #[test]
    fn training_learns_the_same_with_one_thread_and_with_three() {
        let (samples, others) = (samples(400, 1), samples(100, 2));
        let with = |threads| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
            pool.expect("threads").install(|| trained(&samples, 40))
        };
        let trainer = with(1);
        assert_eq!(trainer.weights(), with(3).weights());
        let untrained = untrained().mean_loss(&Places, &others);
        let learned = trainer.mean_loss(&Places, &others);
        assert!(learned < 0.1 * untrained, "{learned} against {untrained}");
    }

    #[test]
    fn rounding_changes_a_strength_by_little_and_a_file_nothing() {
        let samples = samples(300, 4);
        let trainer = trained(&samples, 10);
        let network = SeatNetwork::from(trainer.weights().rounded().network());
        let bytes = network.to_bytes("a test");
        assert_eq!(SeatNetwork::from_bytes(&bytes, "a test", SHAPE), Ok(network.clone()));
        assert!(SeatNetwork::<HIDDEN>::from_bytes(&bytes, "a game", SHAPE).is_err());
        assert!(SeatNetwork::<64>::from_bytes(&bytes, "a test", SHAPE).is_err());
        let weights = trainer.weights();
        let empty: Accumulator<HIDDEN, 1> = network.empty();
        for view in samples.iter().flat_map(views) {
            // Inputs in the accumulator and inputs given with the question count the same.
            let (first, more) = view.inputs.split_at(1);
            let mut sums = empty;
            network.change(&empty, 0, &SAME, [&[], first], &mut sums);
            let strength = network.strength(&sums, 0, &SAME, more, view.bucket);
            assert_eq!(network.strength(&empty, 0, &SAME, &view.inputs, view.bucket), strength);
            let exact = weights.output(&[&view.inputs], view.bucket, 0.0).1;
            let exact = f64::from(exact) * SCALE;
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
            let lost = learn(&weights, &views, Some(&mut gradient));
            assert!((f64::from(lost) - loss(&all)).abs() < 1e-5, "{lost} {}", loss(&all));
            assert_eq!(learn(&weights, &views, None), lost);
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
        let (trainer, samples) = (untrained(), samples(5, 3));
        let each = samples.iter();
        let each = each.map(|sample| f64::from(learn(trainer.weights(), &views(sample), None)));
        let mean = each.sum::<f64>() / 5.0;
        assert!((trainer.mean_loss(&Places, &samples) - mean).abs() < 1e-12);
        assert_eq!(trainer.mean_loss(&Places, &[]), 0.0);
    }
}
