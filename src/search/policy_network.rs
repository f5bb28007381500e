//! Inference of a small network that says how likely each move of a position is to be the best.
//!
//! As in [`super::network`] the sums of a hidden layer are a bias and the rows of the active inputs of
//! the position; each is cut to 0 to 1. A move is a list of inputs, too: the sum of their rows,
//! multiplied by the hidden values, is the logit of its probability. All numbers are integers, so every
//! machine and every instruction set finds the same logits.

use super::network::{OUTPUT_UNIT, Row, UNIT};
use super::weight_file::{WeightFileError, numbers_16, pack, unpack};
use crate::machine::dispatched;

/// The greatest weight of a move: the sum of sixteen has room in 16 bits.
pub const MOVE_LIMIT: i32 = 2_047;

/// The inputs of a move: at most sixteen.
pub type MoveInputs = arrayvec::ArrayVec<u16, 16>;

/// A network with `HIDDEN` hidden values.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PolicyNetwork<const HIDDEN: usize> {
    inputs: Box<[Row<HIDDEN>]>,
    moves: Box<[Row<HIDDEN>]>,
    bias: Row<HIDDEN>,
}

/// The hidden values of a position.
pub struct Hidden<const HIDDEN: usize>(Row<HIDDEN>);

impl<const HIDDEN: usize> PolicyNetwork<HIDDEN> {
    /// What a file of weights says of a network of this shape.
    #[must_use]
    pub fn description(game: &str, [inputs, moves]: [usize; 2]) -> String {
        format!(
            "{game}, policy network of 16-bit integers: {inputs} inputs, {HIDDEN} hidden, {moves} inputs \
             of moves"
        )
    }

    /// Reads the bytes that [`PolicyNetwork::to_bytes`] wrote for the same game and numbers of inputs
    /// of positions and moves.
    ///
    /// # Errors
    /// When the bytes are no file of weights, are damaged, or belong to another game or shape.
    pub fn from_bytes(
        bytes: &[u8],
        game: &str,
        shape: [usize; 2],
    ) -> Result<Self, WeightFileError> {
        Self::from_payload(unpack(bytes, &Self::description(game, shape))?, shape)
    }

    /// A network by its weights, little-endian in 16 bits: the rows of the inputs, those of the inputs
    /// of moves, the bias, in units of 1 / [`UNIT`], 1 / [`OUTPUT_UNIT`] and 1 / [`UNIT`].
    ///
    /// # Errors
    /// When there are more or fewer bytes than the shape takes.
    pub fn from_payload(
        payload: &[u8],
        [inputs, moves]: [usize; 2],
    ) -> Result<Self, WeightFileError> {
        let expected = 2 * HIDDEN * (inputs + moves + 1);
        if payload.len() != expected {
            return Err(WeightFileError::Payload { found: payload.len(), expected });
        }
        let mut numbers = numbers_16(payload);
        let mut row = || Row::read(&mut numbers);
        let inputs = (0..inputs).map(|_| row()).collect();
        let mut moves: Box<[Row<HIDDEN>]> = (0..moves).map(|_| row()).collect();
        let limit = MOVE_LIMIT as i16;
        let weights = moves.iter_mut().flat_map(|row| &mut row.0);
        weights.for_each(|weight| *weight = (*weight).clamp(-limit, limit));
        Ok(PolicyNetwork { inputs, moves, bias: row() })
    }

    /// The network as a file of weights.
    #[must_use]
    pub fn to_bytes(&self, game: &str) -> Vec<u8> {
        let rows = self.inputs.iter().chain(&self.moves).chain([&self.bias]);
        let payload: Vec<u8> = rows.flat_map(|row| row.0).flat_map(i16::to_le_bytes).collect();
        pack(&Self::description(game, [self.inputs.len(), self.moves.len()]), &payload)
    }

    dispatched! { wide
        /// The hidden values of a position with these inputs.
        pub fn hidden / hidden_fast / hidden_wide = found_hidden(
            &self,
            inputs: &[u16]
        ) -> Hidden<HIDDEN>
    }

    #[inline(always)]
    fn found_hidden(&self, inputs: &[u16]) -> Hidden<HIDDEN> {
        let mut sums = self.bias;
        inputs.iter().for_each(|input| sums.add(&self.inputs[*input as usize]));
        sums.0.iter_mut().for_each(|sum| *sum = (*sum).clamp(0, UNIT as i16));
        Hidden(sums)
    }

    dispatched! { wide
        /// What some inputs of a move add to its logit, in 1 / ([`UNIT`] * [`OUTPUT_UNIT`]).
        pub fn sum / sum_fast / sum_wide = found_sum(
            &self,
            hidden: &Hidden<HIDDEN>,
            inputs: &MoveInputs
        ) -> i32
    }

    #[inline(always)]
    fn found_sum(&self, hidden: &Hidden<HIDDEN>, inputs: &MoveInputs) -> i32 {
        let mut sums = Row([0; HIDDEN]);
        inputs.iter().for_each(|input| sums.add(&self.moves[*input as usize]));
        let pairs = sums.0.iter().zip(&hidden.0.0);
        pairs.map(|(sum, value)| i32::from(*sum) * i32::from(*value)).sum()
    }

    /// The logit of a move by what all its inputs add.
    #[must_use]
    pub fn logit(sum: i32) -> f32 {
        sum as f32 / (UNIT * OUTPUT_UNIT) as f32
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::Random;
    use crate::machine::use_portable;

    const HIDDEN: usize = 64;
    const SHAPE: [usize; 2] = [5, 6];

    /// Random weights: rows of five inputs, of six inputs of moves, the bias.
    fn rows(seed: u64) -> Vec<[i16; HIDDEN]> {
        let mut random = Random::new(seed);
        let mut row =
            |most: u64| std::array::from_fn(|_| random.below(2 * most + 1) as i16 - most as i16);
        (0..12).map(|number| row(if (5..11).contains(&number) { 2_000 } else { 200 })).collect()
    }

    fn network(rows: &[[i16; HIDDEN]]) -> PolicyNetwork<HIDDEN> {
        let payload: Vec<u8> = rows.iter().flatten().flat_map(|n| n.to_le_bytes()).collect();
        PolicyNetwork::from_payload(&payload, SHAPE).expect("a network")
    }

    /// By the definition, in wide numbers.
    fn logit(rows: &[[i16; HIDDEN]], inputs: &[u16], of_move: &[u16]) -> f32 {
        let sum = |first: usize, list: &[u16], at: usize| {
            list.iter().map(|input| i64::from(rows[first + usize::from(*input)][at])).sum::<i64>()
        };
        let products = (0..HIDDEN).map(|at| {
            let hidden = (i64::from(rows[11][at]) + sum(0, inputs, at)).clamp(0, 255);
            hidden * sum(5, of_move, at)
        });
        products.sum::<i64>() as f32 / (255.0 * 64.0)
    }

    #[test]
    fn logits_are_those_of_the_definition_on_every_path() {
        let mut random = Random::new(3);
        let mut different = std::collections::HashSet::new();
        for seed in 0..200 {
            let rows = rows(seed);
            let network = network(&rows);
            let mut list = |of: u64, most: u64| -> Vec<u16> {
                (0..random.below(most + 1)).map(|_| random.below(of) as u16).collect()
            };
            let (inputs, of_move) = (list(5, 30), list(6, 16));
            let expected = logit(&rows, &inputs, &of_move);
            for portable in [true, false] {
                use_portable(portable);
                let hidden = network.hidden(&inputs);
                // Of parts as of the whole.
                for middle in 0..=of_move.len() {
                    let (one, other) = of_move.split_at(middle);
                    let parts = [one, other]
                        .map(|part| network.sum(&hidden, &part.iter().copied().collect()));
                    let found = PolicyNetwork::<HIDDEN>::logit(parts.iter().sum());
                    assert_eq!(found, expected, "{inputs:?} {of_move:?} {portable}");
                }
            }
            different.insert(expected.to_bits());
        }
        assert!(different.len() > 150);
    }

    #[test]
    fn a_network_comes_back_from_its_bytes_and_others_are_refused() {
        let network = network(&rows(1));
        let bytes = network.to_bytes("a game");
        assert_eq!(PolicyNetwork::from_bytes(&bytes, "a game", SHAPE).as_ref(), Ok(&network));
        assert!(PolicyNetwork::<HIDDEN>::from_bytes(&bytes, "another", SHAPE).is_err());
        assert!(PolicyNetwork::<HIDDEN>::from_bytes(&bytes, "a game", [6, 5]).is_err());
        assert!(PolicyNetwork::<32>::from_bytes(&bytes, "a game", SHAPE).is_err());
        for byte in (0..bytes.len()).step_by(97) {
            let mut damaged = bytes.clone();
            damaged[byte] ^= 0x10;
            assert!(PolicyNetwork::<HIDDEN>::from_bytes(&damaged, "a game", SHAPE).is_err());
        }
        let short = [0; 2 * HIDDEN * 12 - 2];
        let error = PolicyNetwork::<HIDDEN>::from_payload(&short, SHAPE).expect_err("too short");
        assert!(matches!(error, WeightFileError::Payload { found: 1_534, expected: 1_536 }));
    }

    /// Sixteen rows of the greatest weights a file may have do not overflow.
    #[test]
    fn weights_of_moves_are_cut_to_what_sixteen_have_room_for() {
        let mut all = rows(1);
        all[5..11].fill([i16::MAX; HIDDEN]);
        all[11] = [255; HIDDEN];
        let network = network(&all);
        let inputs: MoveInputs = [0; 16].into_iter().collect();
        let sum = network.sum(&network.hidden(&[]), &inputs);
        let found = PolicyNetwork::<HIDDEN>::logit(sum);
        assert_eq!(found, (16 * MOVE_LIMIT * HIDDEN as i32) as f32 / OUTPUT_UNIT as f32);
    }
}
