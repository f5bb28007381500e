//! Of the trainer and of the network it makes, on a task small enough to check by hand.

use super::*;
use parlor::game::Random;
use parlor::machine::use_portable;
use parlor::search::network::{Accumulator, Shape, SparseNetwork};
use parlor::search::value::SCALE;
use parlor::search::weight_file::unpack;

const SHAPE: Shape = Shape { blocks: 2, used: 5, stride: 8, buckets: 3 };
const HIDDEN: usize = 16;
const SIZE: f32 = 0.2;

/// Two tokens of either view on places 0 to 4.
struct Sample {
    places: [[u16; 2]; 2],
    bucket: usize,
    target: f32,
}

/// The target is the squared error; place 0 to 4 is worth more than the other view's.
struct Places;

impl Scoring<2> for Places {
    type Sample = Sample;
    type Inputs = [u16; 4];

    fn inputs(&self, sample: &Sample, _: u64) -> [[u16; 4]; 2] {
        inputs(&sample.places)
    }

    fn bucket(&self, sample: &Sample) -> usize {
        sample.bucket
    }

    fn loss(&self, sample: &Sample, output: f32) -> Loss {
        let miss = output - sample.target;
        Loss { value: miss * miss, slope: 2.0 * miss }
    }
}

fn inputs(places: &[[u16; 2]; 2]) -> [[u16; 4]; 2] {
    [0, 1].map(|view| {
        let [own, other] = [places[view], places[1 - view]];
        [own[0], own[1], 8 + other[0], 8 + other[1]]
    })
}

fn output(weights: &Parameters<HIDDEN, 2>, sample: &Sample) -> f32 {
    let inputs = inputs(&sample.places);
    weights.output(&inputs.each_ref().map(|inputs| &inputs[..]), sample.bucket, 0.0).1
}

fn samples(count: usize, seed: u64) -> Vec<Sample> {
    let mut random = Random::new(seed);
    let mut place = || random.below(5) as u16;
    let mut sample = || {
        let places = [[place(), place()], [place(), place()]];
        let [own, other] = places.map(|pair| f32::from(pair[0] * pair[1]));
        Sample { places, bucket: usize::from(place() % 3), target: (own - other) / 8.0 }
    };
    (0..count).map(|_| sample()).collect()
}

fn trained(samples: &[Sample], epochs: u64) -> Trainer<Parameters<HIDDEN, 2>> {
    let adam = AdamSettings::default();
    let weights = Parameters::random(SHAPE, 7, SIZE);
    let mut trainer = Trainer::new(weights, Settings { rate: 0.01, adam }, 32, 7);
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
    assert_eq!(trainer.descent.weights, with(3).descent.weights);
    let constant =
        others.iter().map(|sample| f64::from(sample.target).powi(2)).sum::<f64>() / 100.0;
    let learned = trainer.mean_loss(&Places, &others);
    assert!(learned < 0.1 * constant, "{learned} against {constant}");
}

#[test]
fn rounding_changes_a_value_by_little_and_a_file_nothing() {
    let samples = samples(300, 4);
    let trainer = trained(&samples, 10);
    let network = trainer.weights().rounded().network();
    let bytes = network.to_bytes("a test");
    assert_eq!(SparseNetwork::from_bytes(&bytes, "a test", SHAPE), Ok(network.clone()));
    let description = SparseNetwork::<HIDDEN, 2>::description("a test", SHAPE);
    let payload = unpack(&bytes, &description).expect("weights");
    let again = Parameters::<HIDDEN, 2>::from_payload(payload, SHAPE).expect("weights");
    assert_eq!(again.rounded().network(), network);
    assert!(Parameters::<HIDDEN, 2>::from_payload(&payload[2..], SHAPE).is_err());
    assert!(SparseNetwork::<HIDDEN, 2>::from_bytes(&bytes, "a game", SHAPE).is_err());
    assert!(SparseNetwork::<32, 2>::from_bytes(&bytes, "a test", SHAPE).is_err());
    for sample in &samples {
        let value = network.value(&fresh(&network, &sample.places), [0, 1], sample.bucket);
        let exact = f64::from(output(trainer.weights(), sample)) * SCALE;
        assert!((f64::from(value) - exact).abs() < 6.0 + 0.05 * exact.abs(), "{value} {exact}");
    }
}

fn fresh(network: &SparseNetwork<HIDDEN, 2>, places: &[[u16; 2]; 2]) -> Accumulator<HIDDEN, 2> {
    let mut accumulator = network.empty();
    for (view, inputs) in inputs(places).iter().enumerate() {
        for input in inputs {
            network.add(&mut accumulator, view, usize::from(*input));
        }
    }
    accumulator
}

/// Both with the machine's instructions and with those that every machine has.
#[test]
fn replaced_inputs_give_the_accumulator_computed_afresh() {
    let network = trained(&samples(300, 4), 10).weights().rounded().network();
    for portable in [true, false] {
        use_portable(portable);
        for sample in samples(100, 6) {
            let mut places = sample.places;
            let before = fresh(&network, &places);
            let place = usize::from(places[0][0]);
            let changes = [[place, 4], [8 + place, 12]];
            places[0][0] = 4;
            let mut after = before;
            network.replace(&before, &changes, &mut after);
            assert_eq!(after, fresh(&network, &places));
            let value = network.value(&after, [1, 0], sample.bucket);
            use_portable(!portable);
            assert_eq!(network.value(&after, [1, 0], sample.bucket), value);
            use_portable(portable);
        }
    }
}

/// The output by the definition of the network, in double precision, from the list of all weights:
/// rows, bias, output weights by bucket and view, output biases.
fn defined(all: &[f64], inputs: &[[u16; 4]; 2], bucket: usize) -> f64 {
    let row = |number: usize| &all[number * HIDDEN..][..HIDDEN];
    let rows = SHAPE.blocks * SHAPE.stride;
    let mut output = all[all.len() - SHAPE.buckets + bucket];
    for (view, inputs) in inputs.iter().enumerate() {
        for at in 0..HIDDEN {
            let sum = row(rows)[at]
                + inputs.iter().map(|input| row(usize::from(*input))[at]).sum::<f64>();
            let cut = sum.clamp(0.0, 1.0);
            output += cut * cut * row(rows + 1 + 2 * bucket + view)[at];
        }
    }
    output
}

/// Every weight of every layer, by differences of the definition; many hidden sums are beyond 0 and
/// 1, where they are cut.
#[test]
fn output_and_gradient_are_those_of_the_definition_in_every_layer() {
    let mut weights = Parameters::<HIDDEN, 2>::random(SHAPE, 5, 1.0);
    let mut random = Random::new(9);
    // Other output weights and biases in every bucket.
    let parts = weights.parts_mut();
    let outputs = parts.outputs.as_flattened_mut().iter_mut();
    outputs.chain(parts.output_bias).for_each(|weight| *weight = random.unit() as f32 - 0.5);
    let mut all: Vec<f64> = weights.all.iter().map(|weight| f64::from(*weight)).collect();
    for sample in samples(9, 3) {
        let inputs = inputs(&sample.places);
        let output = defined(&all, &inputs, sample.bucket);
        let views = inputs.each_ref().map(|inputs| &inputs[..]);
        let (hidden, found) = weights.output(&views, sample.bucket, 0.0);
        assert!((f64::from(found) - output).abs() < 1e-5, "{found} is not {output}");
        let cut = |bound| hidden.as_flattened().iter().filter(|value| **value == bound).count();
        assert!(cut(0.0) > 2 && cut(1.0) > 2, "{hidden:?}");

        let mut gradient = Parameters::zero(SHAPE);
        let lost = Places.learn(&weights, &sample, 0, Some(&mut gradient));
        let loss =
            |all: &[f64]| (defined(all, &inputs, sample.bucket) - f64::from(sample.target)).powi(2);
        assert!((f64::from(lost) - loss(&all)).abs() < 1e-4, "{lost}");
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

/// Small, and such that no two inputs or hidden sums are alike, while all buckets are.
#[test]
fn first_weights_are_random_within_their_size() {
    let weights = Parameters::<HIDDEN, 2>::random(SHAPE, 5, 0.25);
    let parts = weights.parts();
    for (input, row) in parts.rows.iter().enumerate() {
        let used = SHAPE.inputs().any(|used| used == input);
        let size = row.iter().fold(0.0, |size: f32, weight| size.max(weight.abs()));
        assert!(if used { (0.125..=0.25).contains(&size) } else { size == 0.0 }, "{input}: {size}");
        assert!(!used || row.iter().any(|weight| *weight < 0.0), "{input}: {row:?}");
    }
    assert!(parts.bias.iter().all(|weight| (0.1..=0.5).contains(weight)), "{:?}", parts.bias);
    assert!(parts.bias.iter().any(|weight| *weight != parts.bias[0]), "{:?}", parts.bias);
    let buckets: Vec<_> = parts.outputs.chunks(2).collect();
    assert_eq!(buckets.len(), 3);
    assert!(buckets.iter().all(|bucket| *bucket == buckets[0]));
    assert!(buckets[0][0] != buckets[0][1], "the views differ");
    assert!(buckets[0].as_flattened().iter().all(|weight| weight.abs() <= 0.1));
    assert_eq!(parts.output_bias, [0.0; 3]);
    assert!(weights != Parameters::random(SHAPE, 6, 0.25), "the seed decides");
}

/// Weights beyond what the whole numbers have room for are cut, either way, to the same value.
#[test]
fn weights_are_limited_to_what_the_network_has_room_for() {
    use crate::training::descent::Weights;
    let mut weights = Parameters::<HIDDEN, 2>::zero(SHAPE);
    let count = weights.all.len();
    weights.all.iter_mut().step_by(2).for_each(|weight| *weight = 1e6);
    weights.all.iter_mut().skip(1).step_by(4).for_each(|weight| *weight = -1e6);
    weights.limit();
    // 127 units of 1/64: times 255 the greatest that 16 bits hold.
    let greatest = 127.0 / 64.0;
    for at in 0..count {
        let expected = [greatest, -greatest, greatest, 0.0][at % 4];
        assert_eq!(weights.all[at], expected, "{at}");
    }
}

/// The nearest whole numbers, and the value that the definition gives for them: of weights that are
/// whole units the network says what was learned, to the hundredth.
#[test]
fn a_network_of_whole_units_has_the_value_of_its_weights() {
    let mut random = Random::new(4);
    let mut weights = Parameters::<HIDDEN, 2>::random(SHAPE, 5, 0.4);
    let parts = weights.parts_mut();
    parts
        .outputs
        .as_flattened_mut()
        .iter_mut()
        .for_each(|weight| *weight = random.unit() as f32 - 0.5);
    parts.output_bias.copy_from_slice(&[0.25, -3.5, 7.0]);
    let outputs = parts.outputs.as_flattened_mut().iter_mut();
    outputs.for_each(|weight| *weight = (*weight * 64.0).round() / 64.0);
    let first = parts.rows.as_flattened_mut().iter_mut().chain(parts.bias);
    first.for_each(|weight| *weight = (*weight * 255.0).round() / 255.0);
    // Less than half a unit, either way, is rounded away; rows that are not used stay 0.
    let mut off = weights.clone();
    let tail = off.all.len() - SHAPE.buckets;
    for (at, weight) in off.all[..tail].iter_mut().enumerate() {
        *weight += if at % 2 == 0 { 0.0015 } else { -0.0015 };
    }
    let (network, other) = (weights.rounded().network(), off.rounded().network());
    let all: Vec<f64> = weights.all.iter().map(|weight| f64::from(*weight)).collect();
    for sample in samples(60, 8) {
        let value = network.value(&fresh(&network, &sample.places), [0, 1], sample.bucket);
        let exact = defined(&all, &inputs(&sample.places), sample.bucket) * SCALE;
        // Cut to the whole hundredth, and little more is lost in between.
        assert!((f64::from(value) - exact).abs() < 1.1, "{value} is not {exact}");
        let again = other.value(&fresh(&other, &sample.places), [0, 1], sample.bucket);
        assert_eq!(again, value);
    }
}

/// Where the inputs of a second block are always active with those of the first, one row that is the
/// sum of both says the same.
#[test]
fn folded_rows_are_the_sums_of_what_was_active_together() {
    let weights = Parameters::<HIDDEN, 2>::random(SHAPE, 5, 0.3);
    let (whole, rounded) = (weights.rounded().network(), weights.rounded());
    let shape = Shape { blocks: 1, ..SHAPE };
    // Input 0 shares row 8 + 4, and so on; the last has nothing to share.
    let shared = |input: usize| (input < 4).then_some(8 + 4 - input);
    let folded = rounded.folded(shape, shared).network();
    for input in 0..5 {
        let (mut both, mut one) = (whole.empty(), folded.empty());
        for view in 0..2 {
            whole.add(&mut both, view, input);
            shared(input).iter().for_each(|row| whole.add(&mut both, view, *row));
            folded.add(&mut one, view, input);
        }
        assert_eq!(one, both, "{input}");
        for bucket in 0..3 {
            assert_eq!(folded.value(&one, [0, 1], bucket), whole.value(&both, [0, 1], bucket));
        }
    }
}
