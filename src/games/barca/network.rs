//! A small network that judges positions: 600 inputs, of which twelve are active, one hidden layer
//! seen from either side, one output.
//!
//! An input says that an animal of a kind stands on a square: 300 for the own animals of the side
//! that looks, 300 for its enemy's. Both sides look through the same weights, and what each sees,
//! the sums of the rows of its twelve inputs, is the accumulator: a move changes two rows of it.
//! The output takes the side to move first, then the other, each hidden sum cut to 0 to 1 and
//! squared; its weights are chosen by the holes that each side holds and by whether the side to
//! move is in fear. All numbers are integers, so every machine finds the same value. The shape is
//! that of Nasu's efficiently updatable networks (*NNUE*, 2018), with the squared activation that
//! chess programs have come to prefer.

use std::path::Path;

use anyhow::{Context, anyhow};

use super::moves::Move;
use super::position::Position;
use super::square::{Kind, SQUARES, square_name};
use crate::game::Seat;
use crate::machine::dispatched;
use crate::search::Evaluate;

/// Hidden sums of each side.
pub(super) const HIDDEN: usize = 128;

/// Inputs: an animal of a kind, own or not, on a square.
const INPUTS: usize = 600;

/// Rows of the first layer: own and other animals, by kind and square. Squares have room for 128,
/// so that an absent animal has a row too, of zeroes.
pub(super) const ROWS: usize = 6 * 128;

/// Sets of output weights: by holes held by the side to move, by the other, and fear.
pub(super) const BUCKETS: usize = 18;

/// What a hidden value of 1 is in the first layer.
pub(super) const UNIT: i32 = 255;

/// What an output weight of 1 is.
pub(super) const OUTPUT_UNIT: i32 = 64;

/// The greatest output weight: times [`UNIT`] it still has room in 16 bits.
pub(super) const OUTPUT_LIMIT: i32 = 127;

/// An output of 1 in hundredths: odds of e to 1.
pub(super) const SCALE: f64 = 173.717_792_761;

/// The same in hundredths of hundredths, as a whole number.
const CENTS: i64 = (100.0 * SCALE + 0.5) as i64;

// The sum of all products of a side has room in 32 bits.
const _: () = assert!(HIDDEN as i64 * (UNIT * UNIT * OUTPUT_LIMIT) as i64 <= i32::MAX as i64);

/// One number for each hidden sum.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(align(64))]
pub(super) struct Row(pub [i16; HIDDEN]);

/// The evaluation of Barca.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Network {
    pub(super) rows: Box<[Row]>,
    pub(super) bias: Row,
    pub(super) outputs: Box<[[Row; 2]]>,
    /// In hundredths times [`UNIT`] times [`OUTPUT_UNIT`].
    pub(super) output_bias: [i32; BUCKETS],
}

/// The length of the bytes of a network.
const BYTES: usize = 2 * HIDDEN * (INPUTS + 1 + 2 * BUCKETS) + 4 * BUCKETS;

/// The network that plays, as `barca train` wrote it.
static BUILT_IN: &[u8; BYTES] = include_bytes!("../../../data/barca.network");

impl Default for Network {
    /// The network that plays.
    fn default() -> Self {
        Network::unpacked(BUILT_IN)
    }
}

impl Network {
    /// The network in bytes written by [`Network::to_bytes`].
    pub fn from_bytes(bytes: &[u8]) -> anyhow::Result<Network> {
        let found = bytes.len();
        let bytes = bytes.try_into().map_err(|_| {
            anyhow!("a network of Barca has {BYTES} bytes, as `barca train` writes it, not {found}")
        })?;
        Ok(Network::unpacked(bytes))
    }

    /// The network in a file.
    pub fn read(path: &Path) -> anyhow::Result<Network> {
        let read = || Network::from_bytes(&std::fs::read(path)?);
        read().with_context(|| format!("cannot use the network {}", path.display()))
    }

    fn unpacked(bytes: &[u8; BYTES]) -> Network {
        let mut words = bytes.chunks_exact(2).map(|pair| i16::from_le_bytes([pair[0], pair[1]]));
        let mut row = || {
            let mut row = Row([0; HIDDEN]);
            row.0.iter_mut().zip(&mut words).for_each(|(weight, word)| *weight = word);
            row
        };
        let mut rows = vec![Row([0; HIDDEN]); ROWS].into_boxed_slice();
        (0..INPUTS).for_each(|input| rows[row_of_input(input)] = row());
        let bias = row();
        let outputs = (0..BUCKETS).map(|_| [row(), row()]).collect();
        let mut output_bias = [0; BUCKETS];
        let tail = bytes[BYTES - 4 * BUCKETS..].chunks_exact(4);
        for (bias, word) in output_bias.iter_mut().zip(tail) {
            *bias = i32::from_le_bytes([word[0], word[1], word[2], word[3]]);
        }
        Network { rows, bias, outputs, output_bias }
    }

    /// The weights, little-endian: rows by own and other, kind and square, the bias of the hidden
    /// sums, the output weights of each bucket for either side; then the output biases in 32 bits.
    pub fn to_bytes(&self) -> Vec<u8> {
        let inputs = (0..INPUTS).map(|input| &self.rows[row_of_input(input)]);
        let rows = inputs.chain([&self.bias]).chain(self.outputs.iter().flatten());
        let mut bytes: Vec<u8> = rows.flat_map(|row| row.0).flat_map(i16::to_le_bytes).collect();
        bytes.extend(self.output_bias.iter().flat_map(|bias| bias.to_le_bytes()));
        bytes
    }
}

/// The hidden sums as White and as Black see them.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Sums([Row; 2]);

/// The row of an animal in the eyes of a side.
#[inline(always)]
pub(super) fn row_of(viewer: usize, side: usize, kind: usize, square: u8) -> usize {
    ((viewer ^ side) & 1) * 384 + kind * 128 + (square & 127) as usize
}

fn row_of_input(input: usize) -> usize {
    input / 100 * 128 + input % 100
}

/// Which output weights a position takes.
#[inline(always)]
pub(super) fn bucket_of(position: &Position) -> usize {
    let side = position.side();
    let held = |side| position.held(side).min(2) as usize;
    let fear = !position.afraid(side).is_empty() as usize;
    (held(side) * 3 + held(side ^ 1)) * 2 + fear
}

impl Network {
    dispatched! { wide
        /// The sums after an animal has moved.
        fn moved / moved_fast = shifted(
            &self, sums: &Sums, changes: &[[usize; 2]; 2], next: &mut Sums
        )
    }

    /// For each viewer, the row that goes and the row that comes.
    #[inline(always)]
    fn shifted(&self, sums: &Sums, changes: &[[usize; 2]; 2], next: &mut Sums) {
        for ((sums, next), [left, entered]) in sums.0.iter().zip(&mut next.0).zip(changes) {
            let (left, entered) = (&self.rows[*left].0, &self.rows[*entered].0);
            for at in 0..HIDDEN {
                next.0[at] = sums.0[at].wrapping_sub(left[at]).wrapping_add(entered[at]);
            }
        }
    }

    dispatched! { wide
        /// The output for the side to move, in [`UNIT`] squared times [`OUTPUT_UNIT`].
        fn output / output_fast = summed(&self, own: &Row, other: &Row, bucket: usize) -> i64
    }

    #[inline(always)]
    fn summed(&self, own: &Row, other: &Row, bucket: usize) -> i64 {
        let sum = |row: &Row, weights: &Row| {
            let mut sum = 0;
            for (value, weight) in row.0.iter().zip(&weights.0) {
                let value = (*value).clamp(0, UNIT as i16);
                sum += i32::from(value) * i32::from(value.wrapping_mul(*weight));
            }
            i64::from(sum)
        };
        let weights = &self.outputs[bucket];
        sum(own, &weights[0]) + sum(other, &weights[1])
    }

    /// The value for the side to move, in hundredths.
    #[inline]
    fn value(&self, sums: &Sums, position: &Position) -> i32 {
        let side = position.side();
        let bucket = bucket_of(position);
        let sum = self.output(&sums.0[side], &sums.0[side ^ 1], bucket);
        let whole = sum / i64::from(UNIT) * CENTS / 100 + i64::from(self.output_bias[bucket]);
        (whole / i64::from(UNIT * OUTPUT_UNIT)) as i32
    }
}

impl Evaluate<Position> for Network {
    type Acc = Sums;

    fn fresh(&self, position: &Position) -> Sums {
        let mut sums = [self.bias; 2];
        for (viewer, sums) in sums.iter_mut().enumerate() {
            for side in [0, 1] {
                for kind in Kind::ALL {
                    for square in position.pair(side, kind) {
                        let row = &self.rows[row_of(viewer, side, kind as usize, square)];
                        for (sum, weight) in sums.0.iter_mut().zip(&row.0) {
                            *sum = sum.wrapping_add(*weight);
                        }
                    }
                }
            }
        }
        Sums(sums)
    }

    #[inline]
    fn update(&self, acc: &Sums, before: &Position, m: &Move, _: &Position, next: &mut Sums) {
        let side = before.side();
        let kind = before.kind_at(side, m.from).unwrap_or(Kind::Mouse) as usize;
        let changes =
            [0, 1].map(|viewer| [m.from, m.to].map(|square| row_of(viewer, side, kind, square)));
        self.moved(acc, &changes, next);
    }

    #[inline]
    fn score(&self, acc: &Sums, position: &Position, seat: Seat) -> i32 {
        let own = self.value(acc, position);
        if seat.index() == position.side() { own } else { -own }
    }
}

impl Network {
    /// The evaluation as lines for people: how much better each animal stands for its side than on
    /// the mean of all vacant squares.
    pub(super) fn explain(&self, position: &Position) -> String {
        let mut text = String::new();
        for (side, name) in ["White", "Black"].into_iter().enumerate() {
            let value = |at: &Position| self.score(&self.fresh(at), at, Seat::new(side));
            for kind in Kind::ALL {
                for square in position.standing(side, kind) {
                    let elsewhere: Vec<i32> = (0..SQUARES)
                        .filter(|to| !position.occupied().has(*to))
                        .map(|to| position.replaced(square, to))
                        .filter(|other| other.winner().is_none())
                        .map(|other| value(&other))
                        .collect();
                    let mean = elsewhere.iter().sum::<i32>() / elsewhere.len().max(1) as i32;
                    let gain = value(position) - mean;
                    let (kind, square) = (kind.name(), square_name(square));
                    text +=
                        &format!("  {:<26}{gain:>+6}\n", format!("{name}'s {kind} on {square}"));
                }
            }
        }
        text
    }
}
