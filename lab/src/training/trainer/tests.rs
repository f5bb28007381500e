//! Of the trainer and of the network it makes, on a task small enough to check by hand.

use super::*;
use parlor::game::Random;
use parlor::machine::use_portable;
use parlor::search::network::{Accumulator, SCALE};

const SHAPE: Shape = Shape { blocks: 2, used: 5, stride: 8, buckets: 3 };
const HIDDEN: usize = 16;

/// Two tokens of either view on places 0 to 4.
struct Sample {
    places: [[usize; 2]; 2],
    bucket: usize,
    target: f32,
}

/// The target is the squared error; place 0 to 4 is worth more than the other view's.
struct Places;

impl Task<2> for Places {
    type Sample = Sample;
    type Inputs = [usize; 4];

    fn inputs(&self, sample: &Sample, _: u64) -> [[usize; 4]; 2] {
        inputs(&sample.places)
    }

    fn bucket(&self, sample: &Sample) -> usize {
        sample.bucket
    }

    fn loss(&self, sample: &Sample, output: f32) -> Loss {
        let miss = output - sample.target;
        Loss { value: miss * miss, slope: 2.0 * miss }
    }

    fn learning_rate(&self, progress: f32) -> f32 {
        0.01 * (1.0 - progress)
    }
}

fn inputs(places: &[[usize; 2]; 2]) -> [[usize; 4]; 2] {
    [0, 1].map(|view| {
        let [own, other] = [places[view], places[1 - view]];
        [own[0], own[1], 8 + other[0], 8 + other[1]]
    })
}

fn samples(count: usize, seed: u64) -> Vec<Sample> {
    let mut random = Random::new(seed);
    let mut place = || random.below(5) as usize;
    let mut sample = || {
        let places = [[place(), place()], [place(), place()]];
        let [own, other] = places.map(|pair| (pair[0] * pair[1]) as f32);
        Sample { places, bucket: place() % 3, target: (own - other) / 8.0 }
    };
    (0..count).map(|_| sample()).collect()
}

fn trained(samples: &[Sample], epochs: u64) -> Trainer<HIDDEN, 2> {
    let mut trainer = Trainer::new(SHAPE, AdamSettings::default(), 7, 32);
    for epoch in 0..epochs {
        trainer.epoch(&Places, samples, epoch, epochs);
    }
    trainer
}

#[test]
fn the_gradient_is_the_slope_of_the_loss() {
    let samples = samples(40, 3);
    let mut weights = Parameters::<HIDDEN, 2>::random(SHAPE, 5, SIZE);
    let mut gradient = Parameters::zero(SHAPE);
    for sample in &samples {
        weights.add_gradient(&Places, sample, 0, &mut gradient);
    }
    let loss = |weights: &Parameters<HIDDEN, 2>| -> f64 {
        let one = |sample: &Sample| {
            let (_, output) = weights.output(&inputs(&sample.places), sample.bucket);
            f64::from(output - sample.target).powi(2)
        };
        samples.iter().map(one).sum()
    };
    let mut checked = 0;
    for at in (0..weights.all.len()).filter(|at| gradient.all[*at].abs() > 0.5) {
        let middle = weights.all[at];
        let [more, less] = [1e-3, -1e-3].map(|change| {
            weights.all[at] = middle + change;
            loss(&weights)
        });
        weights.all[at] = middle;
        let (measured, slope) = ((more - less) / 2e-3, f64::from(gradient.all[at]));
        assert!((measured - slope).abs() < 0.03 * slope.abs(), "{at}: {measured} {slope}");
        checked += 1;
    }
    assert!(checked > 50, "{checked}");
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
    let network = trainer.network();
    let bytes = network.to_bytes("a test");
    assert_eq!(SparseNetwork::from_bytes(&bytes, "a test", SHAPE), Ok(network.clone()));
    assert!(SparseNetwork::<HIDDEN, 2>::from_bytes(&bytes, "a game", SHAPE).is_err());
    assert!(SparseNetwork::<32, 2>::from_bytes(&bytes, "a test", SHAPE).is_err());
    for sample in &samples {
        let value = network.value(&fresh(&network, &sample.places), [0, 1], sample.bucket);
        let exact = f64::from(trainer.output(&Places, sample)) * SCALE;
        assert!((f64::from(value) - exact).abs() < 6.0 + 0.05 * exact.abs(), "{value} {exact}");
    }
}

fn fresh(network: &SparseNetwork<HIDDEN, 2>, places: &[[usize; 2]; 2]) -> Accumulator<HIDDEN, 2> {
    let mut accumulator = network.empty();
    for (view, inputs) in inputs(places).iter().enumerate() {
        inputs.iter().for_each(|input| network.add(&mut accumulator, view, *input));
    }
    accumulator
}

/// Both with the machine's instructions and with those that every machine has.
#[test]
fn replaced_inputs_give_the_accumulator_computed_afresh() {
    let network = trained(&samples(300, 4), 10).network();
    for portable in [true, false] {
        use_portable(portable);
        for sample in samples(100, 6) {
            let mut places = sample.places;
            let before = fresh(&network, &places);
            let changes = [[places[0][0], 4], [8 + places[0][0], 12]];
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
