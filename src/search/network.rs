//! Inference of a small network with sparse inputs.
//!
//! Of the inputs few are active in a position. There is one hidden layer, seen from several *views*
//! (the sides of a game, say) through the same weights: the hidden sums of a view are the bias and
//! the rows of its active inputs. They are the accumulator, and a move that changes few inputs
//! changes few rows of it. The output takes the hidden sums of all views in an order that the
//! caller chooses (the side to move first), each cut to 0 to 1 and squared; the caller also chooses
//! one of several sets of output weights, a bucket. All numbers are integers, so every machine and
//! every instruction set finds the same value.
//!
//! The shape is that of Nasu's efficiently updatable networks (*NNUE*, 2018), with the squared
//! activation that chess programs have come to prefer.

use super::value::SCALE;
use super::weight_file::{WeightFileError, numbers_16, pack, unpack};
use crate::machine::dispatched;

/// What a hidden value of 1 is in the first layer.
pub const UNIT: i32 = 255;

/// What an output weight of 1 is.
pub const OUTPUT_UNIT: i32 = 64;

/// The greatest output weight: times [`UNIT`] it still has room in 16 bits.
pub const OUTPUT_LIMIT: i32 = 127;

/// An output of 1 in hundredths of hundredths, as a whole number.
pub(super) const CENTS: i64 = (100.0 * SCALE + 0.5) as i64;

/// How many inputs and output buckets a network has.
///
/// Inputs come in blocks, such as the squares of one kind of piece. A block may have more indices
/// than are used, so that an index is cheap to compute; the rows of the others are zero and are not
/// stored.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Shape {
    /// Blocks of inputs.
    pub blocks: usize,
    /// Inputs of a block.
    pub used: usize,
    /// Indices from one block to the next, at least `used`.
    pub stride: usize,
    /// Sets of output weights.
    pub buckets: usize,
}

impl Shape {
    /// The number of input indices, unused ones included.
    #[must_use]
    pub const fn rows(&self) -> usize {
        self.blocks * self.stride
    }

    /// The indices of the inputs that are used.
    pub fn inputs(self) -> impl Iterator<Item = usize> {
        (0..self.blocks)
            .flat_map(move |block| (0..self.used).map(move |at| block * self.stride + at))
    }

    /// The length of a network's weights in bytes.
    const fn bytes<const HIDDEN: usize, const VIEWS: usize>(&self) -> usize {
        2 * HIDDEN * (self.blocks * self.used + 1 + VIEWS * self.buckets) + 4 * self.buckets
    }
}

/// One number for each hidden sum.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(align(64))]
pub(super) struct Row<const HIDDEN: usize>(pub [i16; HIDDEN]);

impl<const HIDDEN: usize> Row<HIDDEN> {
    /// The next row of a file of weights; what is missing is zero.
    pub(super) fn read(numbers: &mut impl Iterator<Item = i16>) -> Self {
        Row(std::array::from_fn(|_| numbers.next().unwrap_or(0)))
    }

    #[inline(always)]
    pub(super) fn subtract(&mut self, other: &Self) {
        self.0.iter_mut().zip(&other.0).for_each(|(sum, weight)| *sum = sum.wrapping_sub(*weight));
    }

    #[inline(always)]
    pub(super) fn add(&mut self, other: &Self) {
        self.0.iter_mut().zip(&other.0).for_each(|(sum, weight)| *sum = sum.wrapping_add(*weight));
    }
}

/// The hidden sums of every view.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Accumulator<const HIDDEN: usize, const VIEWS: usize>(pub(super) [Row<HIDDEN>; VIEWS]);

/// A network with `HIDDEN` hidden sums (at most 256) for each of `VIEWS` views.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SparseNetwork<const HIDDEN: usize, const VIEWS: usize> {
    pub(super) shape: Shape,
    pub(super) rows: Box<[Row<HIDDEN>]>,
    pub(super) bias: Row<HIDDEN>,
    pub(super) outputs: Box<[[Row<HIDDEN>; VIEWS]]>,
    /// In hundredths times [`UNIT`] times [`OUTPUT_UNIT`].
    pub(super) output_bias: Box<[i32]>,
}

impl<const HIDDEN: usize, const VIEWS: usize> SparseNetwork<HIDDEN, VIEWS> {
    /// What a file of weights says of a network of this shape.
    #[must_use]
    pub fn description(game: &str, shape: Shape) -> String {
        let Shape { blocks, used, buckets, .. } = shape;
        format!(
            "{game}, sparse network of 16-bit integers: {blocks} x {used} inputs, {HIDDEN} hidden, \
             {VIEWS} views, {buckets} buckets"
        )
    }

    /// Reads the bytes that [`SparseNetwork::to_bytes`] wrote for the same game and shape.
    ///
    /// # Errors
    /// When the bytes are no file of weights, are damaged, or belong to another game or shape.
    pub fn from_bytes(bytes: &[u8], game: &str, shape: Shape) -> Result<Self, WeightFileError> {
        Self::from_payload(unpack(bytes, &Self::description(game, shape))?, shape)
    }

    /// The network as a file of weights.
    #[must_use]
    pub fn to_bytes(&self, game: &str) -> Vec<u8> {
        pack(&Self::description(game, self.shape), &self.payload())
    }

    /// A network by its weights, little-endian: the rows of the inputs that are used, the bias of the
    /// hidden sums and the output weights of each bucket for each view in 16 bits, in units of
    /// 1 / [`UNIT`], 1 / [`UNIT`] and 1 / [`OUTPUT_UNIT`]; then the output biases in 32 bits, in
    /// hundredths of these.
    ///
    /// # Errors
    /// When there are more or fewer bytes than the shape takes.
    pub fn from_payload(payload: &[u8], shape: Shape) -> Result<Self, WeightFileError> {
        let expected = shape.bytes::<HIDDEN, VIEWS>();
        if payload.len() != expected {
            return Err(WeightFileError::Payload { found: payload.len(), expected });
        }
        // A side's products have room in 32 bits, whatever the weights.
        const { assert!(HIDDEN * UNIT as usize * 32_768 <= i32::MAX as usize) };
        let mut numbers = numbers_16(payload);
        let mut row = || Row::read(&mut numbers);
        let mut rows = vec![Row([0; HIDDEN]); shape.rows()].into_boxed_slice();
        shape.inputs().for_each(|input| rows[input] = row());
        let bias = row();
        let outputs = (0..shape.buckets).map(|_| [(); VIEWS].map(|()| row())).collect();
        let tail = &payload[payload.len() - 4 * shape.buckets..];
        let words = tail.chunks_exact(4).map(|word| [word[0], word[1], word[2], word[3]]);
        let output_bias = words.map(i32::from_le_bytes).collect();
        Ok(SparseNetwork { shape, rows, bias, outputs, output_bias })
    }

    /// The weights, little-endian: the rows by input, the bias of the hidden sums, the output
    /// weights of each bucket for each view; then the output biases in 32 bits.
    pub(super) fn payload(&self) -> Vec<u8> {
        let rows = self.shape.inputs().map(|input| &self.rows[input]);
        let rows = rows.chain([&self.bias]).chain(self.outputs.iter().flatten());
        let mut bytes: Vec<u8> = rows.flat_map(|row| row.0).flat_map(i16::to_le_bytes).collect();
        bytes.extend(self.output_bias.iter().flat_map(|bias| bias.to_le_bytes()));
        bytes
    }

    /// The accumulator without any active input.
    #[must_use]
    pub fn empty(&self) -> Accumulator<HIDDEN, VIEWS> {
        Accumulator([self.bias; VIEWS])
    }

    /// Makes an input of a view active.
    pub fn add(&self, accumulator: &mut Accumulator<HIDDEN, VIEWS>, view: usize, input: usize) {
        accumulator.0[view].add(&self.rows[input]);
    }

    dispatched! { wide
        /// Writes the accumulator after one input of each view was replaced by another, from that
        /// before: for each view the input that ends and the one that begins.
        pub fn replace / replace_fast / replace_wide = replaced(
            &self,
            before: &Accumulator<HIDDEN, VIEWS>,
            changes: &[[usize; 2]; VIEWS],
            after: &mut Accumulator<HIDDEN, VIEWS>
        )
    }

    #[inline(always)]
    fn replaced(
        &self,
        before: &Accumulator<HIDDEN, VIEWS>,
        changes: &[[usize; 2]; VIEWS],
        after: &mut Accumulator<HIDDEN, VIEWS>,
    ) {
        for ((before, after), [left, entered]) in before.0.iter().zip(&mut after.0).zip(changes) {
            let (left, entered) = (&self.rows[*left].0, &self.rows[*entered].0);
            for at in 0..HIDDEN {
                after.0[at] = before.0[at].wrapping_sub(left[at]).wrapping_add(entered[at]);
            }
        }
    }

    /// Writes one view of an accumulator afresh: from these active inputs alone.
    pub fn refresh(
        &self,
        accumulator: &mut Accumulator<HIDDEN, VIEWS>,
        view: usize,
        inputs: &[usize],
    ) {
        accumulator.0[view] = self.bias;
        inputs.iter().for_each(|input| self.add(accumulator, view, *input));
    }

    dispatched! { wide
        /// Writes one view of an accumulator, from a view of that before: for each change the input
        /// that ends and the one that begins.
        pub fn replace_view / replace_view_fast = view_replaced(
            &self,
            before: (&Accumulator<HIDDEN, VIEWS>, usize),
            changes: &[[usize; 2]],
            after: (&mut Accumulator<HIDDEN, VIEWS>, usize)
        )
    }

    #[inline(always)]
    fn view_replaced(
        &self,
        (before, from): (&Accumulator<HIDDEN, VIEWS>, usize),
        changes: &[[usize; 2]],
        (after, to): (&mut Accumulator<HIDDEN, VIEWS>, usize),
    ) {
        let mut sums = before.0[from];
        for [left, entered] in changes {
            let (left, entered) = (&self.rows[*left].0, &self.rows[*entered].0);
            for at in 0..HIDDEN {
                sums.0[at] = sums.0[at].wrapping_sub(left[at]).wrapping_add(entered[at]);
            }
        }
        after.0[to] = sums;
    }

    dispatched! { wide
        /// The output for the views in order, in [`UNIT`] squared times [`OUTPUT_UNIT`].
        fn output / output_fast / output_wide = summed(&self, views: [&Row<HIDDEN>; VIEWS], bucket: usize) -> i64
    }

    #[inline(always)]
    fn summed(&self, views: [&Row<HIDDEN>; VIEWS], bucket: usize) -> i64 {
        let mut output = 0;
        for (row, weights) in views.iter().zip(&self.outputs[bucket]) {
            let mut sum = 0;
            for (value, weight) in row.0.iter().zip(&weights.0) {
                let value = (*value).clamp(0, UNIT as i16);
                sum += i32::from(value) * i32::from(value.wrapping_mul(*weight));
            }
            output += i64::from(sum);
        }
        output
    }

    /// The value in hundredths: the views in `order`, the side to move first, by the output weights
    /// of a bucket.
    #[inline]
    #[must_use]
    pub fn value(
        &self,
        accumulator: &Accumulator<HIDDEN, VIEWS>,
        order: [usize; VIEWS],
        bucket: usize,
    ) -> i32 {
        let sum = self.output(order.map(|view| &accumulator.0[view]), bucket);
        let whole = sum / i64::from(UNIT) * CENTS / 100 + i64::from(self.output_bias[bucket]);
        (whole / i64::from(UNIT * OUTPUT_UNIT)) as i32
    }
}
