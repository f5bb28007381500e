//! Inference of a small network with sparse inputs that says how strong every seat stands.
//!
//! Each seat is a *view*: the same weights see the position from its side, and give one number, its
//! strength. The softmax of the strengths is every seat's probability to be first, so values are
//! equal where seats stand equal. As in [`super::network`] there is one hidden layer, whose sums are
//! the accumulator; each sum is cut to 0 to 1 and squared, and there are several sets of output
//! weights, of which the caller chooses one. All numbers are integers, so every machine and every
//! instruction set finds the same value.
//!
//! What a position shows is a list of *facts*: each is `owner * stride + number`, where the owner is a
//! seat and the stride a power of two. A view has every fact as an input, in the block that it gives
//! the owner (itself, the next one, ...). Facts that change with nearly every move need not be in the
//! accumulator: they are given with the question.

use super::network::{Accumulator, CENTS, OUTPUT_UNIT, Row, Shape, SparseNetwork, UNIT};
use super::weight_file::{WeightFileError, pack, unpack};
use crate::game::MAX_SEATS;
use crate::machine::dispatched;

/// By owner of a fact: the block of inputs in which a view has its facts.
pub type Blocks = [u8; OWNERS];

/// Room for owners of facts: more than seats, so that an owner is cheap to cut off.
pub const OWNERS: usize = 8;

const _: () = assert!(MAX_SEATS <= OWNERS && OWNERS.is_power_of_two());

/// The input that a fact is in a view.
#[inline(always)]
#[must_use]
pub fn input_of(blocks: &Blocks, stride: usize, fact: u16) -> usize {
    debug_assert!(stride.is_power_of_two());
    let owner = (fact as usize >> stride.trailing_zeros()) % OWNERS;
    blocks[owner] as usize * stride + (fact as usize & (stride - 1))
}

/// A network with `HIDDEN` hidden sums (at most 256) for the view of a seat. Its weights are those of
/// a sparse network with one view.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SeatNetwork<const HIDDEN: usize>(SparseNetwork<HIDDEN, 1>);

impl<const HIDDEN: usize> From<SparseNetwork<HIDDEN, 1>> for SeatNetwork<HIDDEN> {
    fn from(network: SparseNetwork<HIDDEN, 1>) -> Self {
        SeatNetwork(network)
    }
}

impl<const HIDDEN: usize> SeatNetwork<HIDDEN> {
    /// What a file of weights says of a network of this shape.
    #[must_use]
    pub fn description(game: &str, shape: Shape) -> String {
        let Shape { blocks, used, buckets, .. } = shape;
        format!(
            "{game}, sparse network of 16-bit integers, one value a seat: {blocks} x {used} inputs, \
             {HIDDEN} hidden, {buckets} buckets"
        )
    }

    /// Reads the bytes that [`SeatNetwork::to_bytes`] wrote for the same game and shape.
    ///
    /// # Errors
    /// When the bytes are no file of weights, are damaged, or belong to another game or shape.
    pub fn from_bytes(bytes: &[u8], game: &str, shape: Shape) -> Result<Self, WeightFileError> {
        let payload = unpack(bytes, &Self::description(game, shape))?;
        SparseNetwork::from_payload(payload, shape).map(SeatNetwork)
    }

    /// The network as a file of weights.
    #[must_use]
    pub fn to_bytes(&self, game: &str) -> Vec<u8> {
        pack(&Self::description(game, self.0.shape), &self.0.payload())
    }

    /// The accumulator without any active input.
    #[must_use]
    pub fn empty<const VIEWS: usize>(&self) -> Accumulator<HIDDEN, VIEWS> {
        Accumulator([self.0.bias; VIEWS])
    }

    /// Writes the sums of a view after some facts ended and others began, from those before.
    #[inline]
    pub fn change<const VIEWS: usize>(
        &self,
        before: &Accumulator<HIDDEN, VIEWS>,
        view: usize,
        blocks: &Blocks,
        changes: [&[u16]; 2],
        after: &mut Accumulator<HIDDEN, VIEWS>,
    ) {
        self.change_row(&before.0[view], blocks, changes, &mut after.0[view]);
    }

    /// The strength of a view in hundredths, with more facts than those of the accumulator, by the
    /// output weights of a bucket.
    #[inline]
    #[must_use]
    pub fn strength<const VIEWS: usize>(
        &self,
        accumulator: &Accumulator<HIDDEN, VIEWS>,
        view: usize,
        blocks: &Blocks,
        more: &[u16],
        bucket: usize,
    ) -> i32 {
        let sum = self.output(&accumulator.0[view], blocks, more, bucket);
        let whole = i64::from(sum / UNIT) * CENTS / 100 + i64::from(self.0.output_bias[bucket]);
        (whole / i64::from(UNIT * OUTPUT_UNIT)) as i32
    }

    /// The weights of a fact in a view.
    #[inline(always)]
    fn row(&self, blocks: &Blocks, fact: u16) -> &Row<HIDDEN> {
        &self.0.rows[input_of(blocks, self.0.shape.stride, fact)]
    }

    dispatched! { wide
        fn change_row / change_row_fast = changed_row(
            &self,
            before: &Row<HIDDEN>,
            blocks: &Blocks,
            changes: [&[u16]; 2],
            after: &mut Row<HIDDEN>
        )
    }

    #[inline(always)]
    fn changed_row(
        &self,
        before: &Row<HIDDEN>,
        blocks: &Blocks,
        [ended, begun]: [&[u16]; 2],
        after: &mut Row<HIDDEN>,
    ) {
        let mut sums = *before;
        ended.iter().for_each(|fact| sums.subtract(self.row(blocks, *fact)));
        begun.iter().for_each(|fact| sums.add(self.row(blocks, *fact)));
        *after = sums;
    }

    dispatched! { wide
        /// In [`UNIT`] squared times [`OUTPUT_UNIT`].
        fn output / output_fast = summed(
            &self,
            sums: &Row<HIDDEN>,
            blocks: &Blocks,
            more: &[u16],
            bucket: usize
        ) -> i32
    }

    #[inline(always)]
    fn summed(&self, sums: &Row<HIDDEN>, blocks: &Blocks, more: &[u16], bucket: usize) -> i32 {
        let mut sums = *sums;
        more.iter().for_each(|fact| sums.add(self.row(blocks, *fact)));
        let mut output = 0;
        for (value, weight) in sums.0.iter().zip(&self.0.outputs[bucket][0].0) {
            let value = (*value).clamp(0, UNIT as i16);
            output += i32::from(value) * i32::from(value.wrapping_mul(*weight));
        }
        output
    }
}
