//! The learned evaluation of the 5 x 5 board: one small network that says how strong a seat stands,
//! evaluated once a seat; the softmax of the strengths is every seat's probability to be first.
//!
//! Every active feature adds a row of numbers. The sums go through the softsign `x / (1 + |x|)` (the
//! first as it is) into one weighted sum. There are only additions, multiplications and divisions,
//! in a fixed order: the result is equal on every machine.

use std::sync::LazyLock;

use super::features::{Features, Seating, features};
use crate::game::{Random, splitmix64};
use crate::games::chowka_bhara::rules::Position;

/// The weights of a network with `N` sums.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Network<const N: usize> {
    pub seating: Seating,
    pub rows: Vec<[f32; N]>,
    pub head: [f32; N],
}

/// Sums of the network for two seats.
pub(crate) const WIDE: usize = 32;
/// Sums of the network for three and four.
pub(crate) const NARROW: usize = 16;

/// The shipped networks.
pub(crate) static TWO: LazyLock<Network<WIDE>> = LazyLock::new(|| {
    Network::read(Seating::Two, include_bytes!("../../../../data/chowka-bhara-2.weights"))
        .unwrap_or_else(|| Network::new(Seating::Two, 0))
});
pub(crate) static MORE: LazyLock<Network<NARROW>> = LazyLock::new(|| {
    Network::read(Seating::More, include_bytes!("../../../../data/chowka-bhara-34.weights"))
        .unwrap_or_else(|| Network::new(Seating::More, 0))
});

/// One unit of a weight in a file.
const SCALE: f32 = 2048.0;
const MAGIC: &[u8; 8] = b"chowka01";

impl<const N: usize> Network<N> {
    /// An untrained network: small random numbers.
    pub fn new(seating: Seating, seed: u64) -> Self {
        let mut random = Random::new(seed);
        let mut small = |size: f32| (random.unit() as f32 - 0.5) * size;
        let mut rows = vec![[0.0; N]; seating.features()];
        for row in &mut rows {
            row[1..].fill_with(|| small(0.1));
        }
        let mut head = [1.0; N];
        head[1..].fill_with(|| small(1.0));
        Network { seating, rows, head }
    }

    /// Reads a file; `None` if it is none of this kind, or damaged.
    pub fn read(seating: Seating, bytes: &[u8]) -> Option<Self> {
        let rest = bytes.strip_prefix(MAGIC)?;
        let (sum, data) = rest.split_first_chunk::<8>()?;
        if data.len() != (seating.features() + 1) * N * 2
            || u64::from_le_bytes(*sum) != checksum(data)
        {
            return None;
        }
        let mut numbers = data
            .chunks_exact(2)
            .map(|pair| f32::from(i16::from_le_bytes([pair[0], pair[1]])) / SCALE);
        let mut next = || [(); N].map(|()| numbers.next().unwrap_or(0.0));
        let head = next();
        let rows = (0..seating.features()).map(|_| next()).collect();
        Some(Network { seating, rows, head })
    }

    /// Writes the weights, rounded to 16 bits each.
    #[cfg(any(feature = "learning", test))]
    pub fn write(&self) -> Vec<u8> {
        let numbers = self.head.iter().chain(self.rows.iter().flatten());
        let data: Vec<u8> = numbers
            .flat_map(|x| ((x * SCALE).round().clamp(-32767.0, 32767.0) as i16).to_le_bytes())
            .collect();
        [MAGIC.as_slice(), &checksum(&data).to_le_bytes(), &data].concat()
    }

    /// The sums of the rows of the active features.
    #[inline]
    pub fn sums(&self, features: &Features) -> [f32; N] {
        let mut sums = [0.0; N];
        for feature in features {
            let row = &self.rows[*feature as usize];
            for (sum, x) in sums.iter_mut().zip(row) {
                *sum += x;
            }
        }
        sums
    }

    /// How strong a seat stands, by its sums.
    #[inline]
    pub fn strength(&self, sums: &[f32; N]) -> f32 {
        let mut parts = [0.0; N];
        for ((part, sum), weight) in parts.iter_mut().zip(sums).zip(&self.head) {
            *part = sum / (1.0 + sum.abs()) * weight;
        }
        parts[0] = sums[0] * self.head[0];
        parts.iter().sum()
    }

    /// Every seat's probability to be first, in the order of the seats.
    pub fn win_probabilities(&self, position: &Position) -> [f32; 4] {
        let mut strengths = [f32::NEG_INFINITY; 4];
        for (strength, side) in strengths.iter_mut().zip(position.sides()) {
            let features = features(position, *side, self.seating);
            *strength = self.strength(&self.sums(&features));
        }
        softmax(strengths)
    }
}

/// Probabilities in proportion to the exponentials; 0 for minus infinity.
pub(crate) fn softmax(strengths: [f32; 4]) -> [f32; 4] {
    let most = strengths.iter().fold(f32::NEG_INFINITY, |a, b| a.max(*b));
    let powers = strengths.map(|strength| {
        if strength == f32::NEG_INFINITY { 0.0 } else { libm::expf(strength - most) }
    });
    let total: f32 = powers.iter().sum();
    powers.map(|power| power / total)
}

fn checksum(data: &[u8]) -> u64 {
    data.chunks(8).fold(0, |sum, chunk| {
        let mut word = [0; 8];
        word[..chunk.len()].copy_from_slice(chunk);
        splitmix64(sum ^ u64::from_le_bytes(word))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn weights_survive_a_file_to_their_precision() {
        let network = Network::<WIDE>::new(Seating::Two, 7);
        let bytes = network.write();
        let again = Network::<WIDE>::read(Seating::Two, &bytes).expect("a file just written");
        for (a, b) in network.rows.iter().flatten().zip(again.rows.iter().flatten()) {
            assert!((a - b).abs() <= 0.5 / SCALE);
        }
        assert_eq!(again.write(), bytes);
    }

    #[test]
    fn damaged_and_truncated_files_are_refused() {
        let bytes = Network::<NARROW>::new(Seating::More, 7).write();
        assert!(Network::<NARROW>::read(Seating::More, &bytes).is_some());
        assert!(Network::<NARROW>::read(Seating::More, &bytes[..bytes.len() - 1]).is_none());
        assert!(Network::<NARROW>::read(Seating::Two, &bytes).is_none());
        let mut damaged = bytes;
        damaged[5000] ^= 1;
        assert!(Network::<NARROW>::read(Seating::More, &damaged).is_none());
    }

    #[test]
    fn the_shipped_files_are_whole() {
        let two = include_bytes!("../../../../data/chowka-bhara-2.weights");
        let more = include_bytes!("../../../../data/chowka-bhara-34.weights");
        assert!(Network::<WIDE>::read(Seating::Two, two).is_some());
        assert!(Network::<NARROW>::read(Seating::More, more).is_some());
    }
}
