//! The neural network that evaluates positions: its features and buckets.
//!
//! There are 600 features, of which twelve are active: an animal of a kind on a square, 300 for the
//! own animals of the side that looks and 300 for its enemy's. Both sides use the same weights. The
//! bucket of output weights is chosen by the watering holes that each side holds, by the kinds of the
//! side to move that are afraid, and by whether an animal of the other side is. The arithmetic is
//! [`crate::search::network`].

use std::path::Path;

use crate::game::Seat;
use crate::games::barca::rules::{Kind, Move, Position, SQUARES, square_name};
use crate::search::Evaluate;
use crate::search::network::{Accumulator, Shape, SparseNetwork};
use crate::search::weight_file::{self, WeightFileError};

/// The number of hidden sums of each side.
pub const HIDDEN: usize = 256;

/// Inputs: own and other animals by kind and square. There is room for 128 squares, so that an
/// absent animal has an input too, of weight zero. Buckets: by the number of holes held by the side
/// to move and by the other, and by fear.
pub const SHAPE: Shape = Shape { blocks: 6, used: 100, stride: 128, buckets: 144 };

/// The name of the game in weight files.
const GAME: &str = "barca";

/// The evaluation of Barca.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Network(SparseNetwork<HIDDEN, 2>);

/// The default network, written by `parlor-lab barca train`.
static BUILT_IN: &[u8] = include_bytes!("../../../../data/barca.network");

impl Default for Network {
    /// The network that the engine plays with.
    fn default() -> Self {
        Network::from_bytes(BUILT_IN)
            .unwrap_or_else(|error| unreachable!("the network in the program {error}"))
    }
}

impl From<SparseNetwork<HIDDEN, 2>> for Network {
    fn from(network: SparseNetwork<HIDDEN, 2>) -> Self {
        Network(network)
    }
}

impl Network {
    /// Reads a weight file that [`Network::to_bytes`] or `parlor-lab barca train` wrote.
    pub fn from_bytes(bytes: &[u8]) -> Result<Network, WeightFileError> {
        SparseNetwork::from_bytes(bytes, GAME, SHAPE).map(Network)
    }

    /// Reads a weight file from disk.
    pub fn read(path: &Path) -> Result<Network, WeightFileError> {
        Network::from_bytes(&weight_file::read(path)?)
    }

    /// The network as a weight file.
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        self.0.to_bytes(GAME)
    }

    /// The value for the side to move, in hundredths.
    #[inline]
    fn value(&self, sums: &Accumulator<HIDDEN, 2>, position: &Position) -> i32 {
        let side = position.side();
        self.0.value(sums, [side, side ^ 1], bucket_of(position))
    }
}

/// The input of an animal, seen from a side.
#[inline(always)]
#[must_use]
pub fn input_of(viewer: usize, side: usize, kind: usize, square: u8) -> usize {
    (((viewer ^ side) & 1) * 3 + kind) * SHAPE.stride + (square & 127) as usize
}

/// The bucket of output weights of a position.
#[inline(always)]
#[must_use]
pub fn bucket_of(position: &Position) -> usize {
    let side = position.side();
    let held = |side| position.held(side).min(2) as usize;
    let is_afraid = |kind| !position.afraid_of_kind(side, kind).is_empty();
    let kinds =
        Kind::ALL.into_iter().fold(0, |kinds, kind| kinds * 2 + usize::from(is_afraid(kind)));
    let other = !position.afraid(side ^ 1).is_empty();
    ((held(side) * 3 + held(side ^ 1)) * 8 + kinds) * 2 + usize::from(other)
}

impl Evaluate<Position> for Network {
    type Acc = Accumulator<HIDDEN, 2>;

    fn fresh(&self, position: &Position) -> Self::Acc {
        let mut sums = self.0.empty();
        for viewer in [0, 1] {
            for (side, kind) in [0, 1].into_iter().flat_map(|side| Kind::ALL.map(|k| (side, k))) {
                for square in position.pair(side, kind) {
                    self.0.add(&mut sums, viewer, input_of(viewer, side, kind as usize, square));
                }
            }
        }
        sums
    }

    #[inline]
    fn update(
        &self,
        acc: &Self::Acc,
        before: &Position,
        m: &Move,
        _: &Position,
        next: &mut Self::Acc,
    ) {
        let side = before.side();
        let kind = before.kind_at(side, m.from).unwrap_or(Kind::Mouse) as usize;
        let [white, black] = [0, 1].map(|viewer| input_of(viewer, side, kind, 0));
        let (from, to) = ((m.from & 127) as usize, (m.to & 127) as usize);
        let changes = [[white + from, white + to], [black + from, black + to]];
        self.0.replace(acc, &changes, next);
    }

    #[inline]
    fn score(&self, acc: &Self::Acc, position: &Position, seat: Seat) -> i32 {
        let own = self.value(acc, position);
        if seat.index() == position.side() { own } else { -own }
    }
}

impl Network {
    /// The value of a position, explained in lines; the last is the score.
    pub(super) fn explain(&self, position: &Position) -> String {
        let mut text = String::from(
            "By how much each animal is better placed than on the average vacant square:\n",
        );
        for (side, name) in ["White", "Black"].into_iter().enumerate() {
            let value = |at: &Position| self.score(&self.fresh(at), at, Seat::new(side));
            for kind in Kind::ALL {
                for square in position.standing(side, kind) {
                    let elsewhere: Vec<i32> = (0..SQUARES)
                        .filter(|to| !position.occupied().contains(*to))
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
        let own = self.score(&self.fresh(position), position, Seat::new(position.side()));
        text + &format!("score cp {own}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_network_comes_back_from_its_bytes() {
        let bytes = Network::default().to_bytes();
        assert_eq!(bytes, BUILT_IN);
    }

    /// Whose turn it is, what is held and what is afraid, on boards that show one thing at a time.
    #[test]
    fn buckets_are_chosen_by_holes_and_fear() {
        const FEAR_OF: usize = 2;
        const HELD: usize = 16;
        let board = |rank: &str, mover: char| format!("10/10/10/10/10/10/10/{rank}/10/10 {mover}");
        for (position, bucket) in [
            (board("10", 'w'), 0),
            // Beside the other's elephant, lion and mouse.
            (board("Le8", 'w'), 2 * FEAR_OF),
            (board("Ml8", 'w'), 4 * FEAR_OF),
            (board("Em8", 'w'), FEAR_OF),
            (board("LeEmL5", 'w'), 3 * FEAR_OF + 1),
            // The same from the side that is not afraid.
            (board("Le8", 'b'), 1),
            (board("eM8", 'b'), FEAR_OF),
            ("10/10/10/3M6/10/10/3l2m3/10/10/10 w".into(), (3 + 2) * HELD),
            ("10/10/10/3M6/10/10/3l2m3/10/10/10 b".into(), (6 + 1) * HELD),
        ] {
            let found = bucket_of(&position.parse().expect(&position));
            assert_eq!(found, bucket, "{position}");
            assert!(found < SHAPE.buckets);
        }
    }

    #[test]
    fn damaged_and_random_files_of_the_right_length_are_refused() {
        for byte in (0..BUILT_IN.len()).step_by(997) {
            let mut damaged = BUILT_IN.to_vec();
            damaged[byte] ^= 0x10;
            assert!(Network::from_bytes(&damaged).is_err(), "byte {byte}");
        }
        let mut random = crate::game::Random::new(5);
        let bytes: Vec<u8> = BUILT_IN.iter().map(|_| random.next() as u8).collect();
        assert_eq!(Network::from_bytes(&bytes), Err(WeightFileError::NotWeights));
        let short = Network::from_bytes(&BUILT_IN[1..]).expect_err("too short").to_string();
        assert!(short.contains("not a file of weights"), "{short}");
    }
}
