//! The weights of a sparse network while it is trained: its output, and the gradient.

use super::descent::Weights;
use parlor::game::Random;
use parlor::machine::dispatched;
use parlor::search::network::{OUTPUT_LIMIT, OUTPUT_UNIT, Shape, SparseNetwork, UNIT};
use parlor::search::value::SCALE;
use parlor::search::weight_file::{WeightFileError, numbers_16};

/// Sums that the output is added up in side by side.
const LANES: usize = 8;

/// The greatest weight that may be learned: what the whole numbers have room for.
const GREATEST: f32 = OUTPUT_LIMIT as f32 / OUTPUT_UNIT as f32;

/// One number for each hidden sum.
pub type Values<const HIDDEN: usize> = [f32; HIDDEN];

/// All weights, or their gradient, in one list: rows, bias, output weights, output biases.
#[derive(Clone, PartialEq, Debug)]
pub struct Parameters<const HIDDEN: usize, const VIEWS: usize> {
    shape: Shape,
    pub all: Vec<f32>,
}

/// The parts of the list.
pub struct Parts<'a, const HIDDEN: usize> {
    pub rows: &'a [Values<HIDDEN>],
    pub bias: &'a Values<HIDDEN>,
    /// By bucket and view.
    pub outputs: &'a [Values<HIDDEN>],
    pub output_bias: &'a [f32],
}

/// The same to be changed.
pub struct PartsMut<'a, const HIDDEN: usize> {
    pub rows: &'a mut [Values<HIDDEN>],
    pub bias: &'a mut Values<HIDDEN>,
    pub outputs: &'a mut [Values<HIDDEN>],
    pub output_bias: &'a mut [f32],
}

impl<const HIDDEN: usize, const VIEWS: usize> Weights for Parameters<HIDDEN, VIEWS> {
    fn all(&self) -> &[f32] {
        &self.all
    }

    fn all_mut(&mut self) -> &mut [f32] {
        &mut self.all
    }

    /// Weights are cut to what there is room for.
    fn limit(&mut self) {
        self.all.iter_mut().for_each(|weight| *weight = weight.clamp(-GREATEST, GREATEST));
    }
}

impl<const HIDDEN: usize, const VIEWS: usize> Parameters<HIDDEN, VIEWS> {
    /// All weights 0.
    pub fn zero(shape: Shape) -> Self {
        const { assert!(HIDDEN.is_multiple_of(LANES)) };
        let body = HIDDEN * (shape.rows() + 1 + VIEWS * shape.buckets);
        Parameters { shape, all: vec![0.0; body + shape.buckets] }
    }

    /// Small random weights, equal ones in all buckets; those of inputs are at most `size`.
    pub fn random(shape: Shape, seed: u64, size: f32) -> Self {
        let mut random = Random::new(seed);
        let mut small = |most: f32| most * (2.0 * random.unit() as f32 - 1.0);
        let mut weights = Self::zero(shape);
        let parts = weights.parts_mut();
        // Unused inputs keep the weight 0.
        for input in shape.inputs() {
            parts.rows[input].iter_mut().for_each(|weight| *weight = small(size));
        }
        parts.bias.iter_mut().for_each(|weight| *weight = 0.3 + small(0.2));
        let (first, others) = parts.outputs.split_at_mut(VIEWS);
        first.as_flattened_mut().iter_mut().for_each(|weight| *weight = small(0.1));
        others.chunks_exact_mut(VIEWS).for_each(|bucket| bucket.copy_from_slice(first));
        weights
    }

    /// The weights of a network, by the payload of its file.
    pub fn from_payload(payload: &[u8], shape: Shape) -> Result<Self, WeightFileError> {
        // Says what is wrong with it.
        SparseNetwork::<HIDDEN, VIEWS>::from_payload(payload, shape)?;
        let mut numbers = numbers_16(payload);
        let mut fill = |values: &mut Values<HIDDEN>, unit: i32| {
            let weights = values.iter_mut().zip(&mut numbers);
            weights.for_each(|(weight, number)| *weight = f32::from(number) / unit as f32);
        };
        let mut weights = Self::zero(shape);
        let parts = weights.parts_mut();
        shape.inputs().for_each(|input| fill(&mut parts.rows[input], UNIT));
        fill(parts.bias, UNIT);
        parts.outputs.iter_mut().for_each(|values| fill(values, OUTPUT_UNIT));
        let words = payload[payload.len() - 4 * shape.buckets..].as_chunks().0;
        let scale = SCALE * f64::from(UNIT * OUTPUT_UNIT);
        for (bias, word) in parts.output_bias.iter_mut().zip(words) {
            *bias = (f64::from(i32::from_le_bytes(*word)) / scale) as f32;
        }
        Ok(weights)
    }

    pub fn parts(&self) -> Parts<'_, HIDDEN> {
        let rows = self.shape.rows();
        let (body, output_bias) = self.all.split_at(self.all.len() - self.shape.buckets);
        let body = body.as_chunks().0;
        Parts { rows: &body[..rows], bias: &body[rows], outputs: &body[rows + 1..], output_bias }
    }

    pub fn parts_mut(&mut self) -> PartsMut<'_, HIDDEN> {
        let rows = self.shape.rows();
        let tail = self.all.len() - self.shape.buckets;
        let (body, output_bias) = self.all.split_at_mut(tail);
        let (rows, rest) = body.as_chunks_mut().0.split_at_mut(rows);
        let (bias, outputs) = rest.split_at_mut(1);
        PartsMut { rows, bias: &mut bias[0], outputs, output_bias }
    }

    dispatched! { wide
        /// The hidden values of every view, cut to 0 to 1, and the output. The views have these
        /// active inputs; `base` is a part of the output that is not learned.
        pub fn output / output_fast = computed(
            &self,
            inputs: &[&[u16]; VIEWS],
            bucket: usize,
            base: f32
        ) -> ([Values<HIDDEN>; VIEWS], f32)
    }

    #[inline(always)]
    fn computed(
        &self,
        inputs: &[&[u16]; VIEWS],
        bucket: usize,
        base: f32,
    ) -> ([Values<HIDDEN>; VIEWS], f32) {
        let parts = self.parts();
        let outputs = &parts.outputs[bucket * VIEWS..][..VIEWS];
        let mut hidden = [*parts.bias; VIEWS];
        let mut lanes = [0.0; LANES];
        for ((hidden, inputs), weights) in hidden.iter_mut().zip(inputs).zip(outputs) {
            for input in *inputs {
                let row = &parts.rows[usize::from(*input)];
                hidden.iter_mut().zip(row).for_each(|(value, weight)| *value += weight);
            }
            for (values, weights) in hidden.chunks_exact_mut(LANES).zip(weights.chunks_exact(LANES))
            {
                for lane in 0..LANES {
                    let value = values[lane].clamp(0.0, 1.0);
                    values[lane] = value;
                    lanes[lane] += value * value * weights[lane];
                }
            }
        }
        (hidden, base + parts.output_bias[bucket] + lanes.iter().sum::<f32>())
    }

    dispatched! { wide
        /// Adds the gradient of an output that has this slope, with its hidden values.
        pub fn add_slope / add_slope_fast = added_slope(
            &self,
            inputs: &[&[u16]; VIEWS],
            bucket: usize,
            hidden: &[Values<HIDDEN>; VIEWS],
            slope: f32,
            gradient: &mut Self
        )
    }

    #[inline(always)]
    fn added_slope(
        &self,
        inputs: &[&[u16]; VIEWS],
        bucket: usize,
        hidden: &[Values<HIDDEN>; VIEWS],
        slope: f32,
        gradient: &mut Self,
    ) {
        let weights = &self.parts().outputs[bucket * VIEWS..][..VIEWS];
        let gradient = gradient.parts_mut();
        gradient.output_bias[bucket] += slope;
        let outputs = &mut gradient.outputs[bucket * VIEWS..][..VIEWS];
        for view in 0..VIEWS {
            let mut slopes = [0.0; HIDDEN];
            for at in 0..HIDDEN {
                let value = hidden[view][at];
                outputs[view][at] += slope * value * value;
                let open = if value > 0.0 && value < 1.0 { 2.0 * value } else { 0.0 };
                slopes[at] = slope * weights[view][at] * open;
            }
            gradient.bias.iter_mut().zip(&slopes).for_each(|(sum, slope)| *sum += slope);
            for input in inputs[view] {
                let row = &mut gradient.rows[usize::from(*input)];
                row.iter_mut().zip(&slopes).for_each(|(sum, slope)| *sum += slope);
            }
        }
    }

    /// The weights as whole numbers.
    pub fn rounded(&self) -> Rounded<HIDDEN, VIEWS> {
        let row = |values: &Values<HIDDEN>, unit: i32| {
            values.map(|value| libm::roundf(value * unit as f32) as i16)
        };
        let scale = SCALE * f64::from(UNIT * OUTPUT_UNIT);
        let parts = self.parts();
        let biases = parts.output_bias.iter();
        Rounded {
            shape: self.shape,
            rows: parts.rows.iter().map(|values| row(values, UNIT)).collect(),
            bias: row(parts.bias, UNIT),
            outputs: parts.outputs.iter().map(|values| row(values, OUTPUT_UNIT)).collect(),
            output_bias: biases.map(|v| libm::round(f64::from(*v) * scale) as i32).collect(),
        }
    }
}

/// The weights of a network as the whole numbers that it plays with.
pub struct Rounded<const HIDDEN: usize, const VIEWS: usize> {
    shape: Shape,
    rows: Vec<[i16; HIDDEN]>,
    bias: [i16; HIDDEN],
    /// By bucket and view.
    outputs: Vec<[i16; HIDDEN]>,
    output_bias: Vec<i32>,
}

impl<const HIDDEN: usize, const VIEWS: usize> Rounded<HIDDEN, VIEWS> {
    /// The weights of a shape with fewer blocks, where to the row of each input is added that of
    /// another one, which was always active with it in training: a row that several inputs share
    /// learns what they have in common.
    pub fn folded(mut self, shape: Shape, shared: impl Fn(usize) -> Option<usize>) -> Self {
        let all = self.rows.clone();
        self.rows.truncate(shape.rows());
        for input in shape.inputs() {
            if let Some(shared) = shared(input) {
                let sums = self.rows[input].iter_mut().zip(&all[shared]);
                sums.for_each(|(sum, weight)| *sum = sum.saturating_add(*weight));
            }
        }
        Rounded { shape, ..self }
    }

    /// The network.
    pub fn network(&self) -> SparseNetwork<HIDDEN, VIEWS> {
        let rows = self.shape.inputs().map(|input| &self.rows[input]);
        let rows = rows.chain([&self.bias]).chain(&self.outputs);
        let mut payload: Vec<u8> = rows.flatten().flat_map(|number| number.to_le_bytes()).collect();
        payload.extend(self.output_bias.iter().flat_map(|bias| bias.to_le_bytes()));
        SparseNetwork::from_payload(&payload, self.shape)
            .unwrap_or_else(|error| unreachable!("the rounded network {error}"))
    }
}
