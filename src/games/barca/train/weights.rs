//! The weights of the network while they are learnt: the output, its error and the slope of it.

use super::{Sample, expected, rows_of, symmetries};
use crate::game::Random;
use crate::games::barca::network::{
    BUCKETS, HIDDEN, Network, OUTPUT_LIMIT, OUTPUT_UNIT, ROWS, Row, SCALE, UNIT,
};
use crate::games::barca::position::ANIMALS;
use crate::games::barca::square::SQUARES;

/// The greatest weight that may be learnt: what the whole numbers have room for.
pub(super) const GREATEST: f32 = OUTPUT_LIMIT as f32 / OUTPUT_UNIT as f32;

type Values = [f32; HIDDEN];

/// The weights while they are learnt, or their gradient.
#[derive(Clone)]
pub(super) struct Weights {
    rows: Vec<Values>,
    bias: Values,
    outputs: Vec<[Values; 2]>,
    output_bias: Vec<f32>,
}

impl Weights {
    pub fn zero() -> Self {
        Weights {
            rows: vec![[0.0; HIDDEN]; ROWS],
            bias: [0.0; HIDDEN],
            outputs: vec![[[0.0; HIDDEN]; 2]; BUCKETS],
            output_bias: vec![0.0; BUCKETS],
        }
    }

    /// Small random weights, equal ones in all buckets.
    pub fn random(seed: u64) -> Self {
        let mut random = Random::new(seed);
        let mut small = |size: f32| size * (2.0 * random.unit() as f32 - 1.0);
        let mut weights = Weights::zero();
        // Where no animal can stand the weights stay 0.
        for row in weights.rows.chunks_exact_mut(128).flat_map(|rows| &mut rows[..SQUARES as usize])
        {
            row.iter_mut().for_each(|weight| *weight = small(0.2));
        }
        weights.bias.iter_mut().for_each(|weight| *weight = 0.3 + small(0.2));
        let output: [Values; 2] = [0, 1].map(|_| std::array::from_fn(|_| small(0.1)));
        weights.outputs.fill(output);
        weights
    }

    /// All weights, in one order.
    pub fn parts(&self) -> impl Iterator<Item = &[f32]> {
        let rows = self.rows.iter().map(|row| &row[..]);
        let outputs = self.outputs.iter().flatten().map(|row| &row[..]);
        rows.chain([&self.bias[..]]).chain(outputs).chain([&self.output_bias[..]])
    }

    pub fn parts_mut(&mut self) -> impl Iterator<Item = &mut [f32]> {
        let rows = self.rows.iter_mut().map(|row| &mut row[..]);
        let outputs = self.outputs.iter_mut().flatten().map(|row| &mut row[..]);
        rows.chain([&mut self.bias[..]]).chain(outputs).chain([&mut self.output_bias[..]])
    }

    /// The hidden values of both sides, cut to 0 to 1, and the output.
    pub fn output(&self, rows: &[[usize; 2 * ANIMALS]; 2], bucket: usize) -> ([Values; 2], f32) {
        let mut hidden = [self.bias; 2];
        let mut lanes = [0.0; 8];
        for ((hidden, rows), weights) in hidden.iter_mut().zip(rows).zip(&self.outputs[bucket]) {
            for row in rows {
                for (value, weight) in hidden.iter_mut().zip(&self.rows[*row]) {
                    *value += weight;
                }
            }
            for (values, weights) in hidden.chunks_exact_mut(8).zip(weights.chunks_exact(8)) {
                for lane in 0..8 {
                    let value = values[lane].clamp(0.0, 1.0);
                    values[lane] = value;
                    lanes[lane] += value * value * weights[lane];
                }
            }
        }
        (hidden, self.output_bias[bucket] + lanes.iter().sum::<f32>())
    }

    /// Adds the gradient of the error of one sample; returns that error.
    pub fn learn(&self, sample: &Sample, symmetry: &[u8; 128], gradient: &mut Weights) -> f32 {
        let rows = rows_of(sample, symmetry);
        let bucket = sample.bucket as usize;
        let (hidden, output) = self.output(&rows, bucket);
        let expected = expected(output);
        let miss = expected - sample.target;
        let slope = 2.0 * miss * expected * (1.0 - expected);
        gradient.output_bias[bucket] += slope;
        for side in [0, 1] {
            let (values, weights) = (&hidden[side], &self.outputs[bucket][side]);
            let mut slopes = [0.0; HIDDEN];
            let outputs = &mut gradient.outputs[bucket][side];
            for at in 0..HIDDEN {
                let value = values[at];
                outputs[at] += slope * value * value;
                let open = if value > 0.0 && value < 1.0 { 2.0 * value } else { 0.0 };
                slopes[at] = slope * weights[at] * open;
            }
            gradient.bias.iter_mut().zip(&slopes).for_each(|(sum, slope)| *sum += slope);
            for row in rows[side] {
                gradient.rows[row].iter_mut().zip(&slopes).for_each(|(sum, slope)| *sum += slope);
            }
        }
        miss * miss
    }

    /// The mean error.
    pub fn error(&self, samples: &[Sample]) -> f64 {
        let as_it_is = &symmetries()[0];
        let sum: f64 = samples
            .iter()
            .map(|sample| {
                let (_, output) = self.output(&rows_of(sample, as_it_is), sample.bucket as usize);
                f64::from(expected(output) - sample.target).powi(2)
            })
            .sum();
        sum / samples.len().max(1) as f64
    }

    /// The network of whole numbers.
    pub fn rounded(&self) -> Network {
        let row = |values: &Values, unit: i32| {
            Row(values.map(|value| libm::roundf(value * unit as f32) as i16))
        };
        let scale = SCALE * f64::from(UNIT * OUTPUT_UNIT);
        Network {
            rows: self.rows.iter().map(|values| row(values, UNIT)).collect(),
            bias: row(&self.bias, UNIT),
            outputs: self.outputs.iter().map(|pair| pair.map(|v| row(&v, OUTPUT_UNIT))).collect(),
            output_bias: std::array::from_fn(|at| {
                libm::round(f64::from(self.output_bias[at]) * scale) as i32
            }),
        }
    }
}
