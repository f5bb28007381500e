//! The learned evaluation of the 5 x 5 board: one small network that says how strong a seat stands,
//! evaluated once a seat; the softmax of the strengths is every seat's probability to be first.
//!
//! Every active feature adds a row of numbers. The sums go through the softsign `x / (1 + |x|)`
//! (the first as it is) into one weighted sum. There are only additions, multiplications and
//! divisions, in a fixed order: the result is equal on every machine.

use std::sync::LazyLock;

use super::features::{Features, Seating, features};
use crate::game::Random;
use crate::games::chowka_bhara::rules::Position;
use crate::machine::dispatched;
use crate::search::value::softmax;
use crate::search::weight_file::{self, WeightFileError};

/// The weights of a network with `N` sums.
#[derive(Clone, PartialEq, Debug)]
pub struct Network<const N: usize> {
    /// For how many seats it is made.
    pub seating: Seating,
    /// What each feature adds to the sums.
    pub rows: Vec<[f32; N]>,
    /// The weights of the sums; that of the first is 1.
    pub head: [f32; N],
}

/// Sums of the network for two seats.
pub const WIDE: usize = 48;
/// Sums of the network for three and four.
pub const NARROW: usize = 32;

/// The shipped network for two seats.
pub(super) static TWO: LazyLock<Network<WIDE>> = LazyLock::new(|| {
    shipped(Seating::Two, include_bytes!("../../../../data/chowka-bhara-2.weights"))
});
/// The shipped network for three and four seats.
pub(super) static MORE: LazyLock<Network<NARROW>> = LazyLock::new(|| {
    shipped(Seating::More, include_bytes!("../../../../data/chowka-bhara-34.weights"))
});

fn shipped<const N: usize>(seating: Seating, bytes: &[u8]) -> Network<N> {
    Network::read(seating, bytes)
        .unwrap_or_else(|error| unreachable!("the shipped file of weights {error}"))
}

/// What a weight is multiplied by in a file, where it has 16 bits.
const SCALE: f32 = 2048.0;

impl<const N: usize> Network<N> {
    /// An untrained network: small random numbers.
    #[must_use]
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

    /// What a file of weights says of itself.
    fn description(seating: Seating) -> String {
        let seats = match seating {
            Seating::Two => "2",
            Seating::More => "3 and 4",
        };
        let inputs = seating.features();
        format!(
            "chowka-bhara, sparse network of 16-bit integers in units of 1/{SCALE}: {seats} seats, \
             {inputs} inputs, {N} hidden"
        )
    }

    /// Reads a file of weights.
    pub fn read(seating: Seating, bytes: &[u8]) -> Result<Self, WeightFileError> {
        let payload = weight_file::unpack(bytes, &Self::description(seating))?;
        let (found, expected) = (payload.len(), (seating.features() + 1) * N * 2);
        if found != expected {
            return Err(WeightFileError::Payload { found, expected });
        }
        let mut numbers = weight_file::numbers_16(payload).map(|number| f32::from(number) / SCALE);
        let mut next = || [(); N].map(|()| numbers.next().unwrap_or(0.0));
        let head = next();
        let rows = (0..seating.features()).map(|_| next()).collect();
        Ok(Network { seating, rows, head })
    }

    /// Reads a file of weights by its path.
    pub fn read_file(seating: Seating, path: &std::path::Path) -> Result<Self, WeightFileError> {
        Network::read(seating, &weight_file::read(path)?)
    }

    /// Writes a file of weights, each rounded to 16 bits.
    #[must_use]
    pub fn write(&self) -> Vec<u8> {
        let numbers = self.head.iter().chain(self.rows.iter().flatten());
        let payload: Vec<u8> = numbers
            .flat_map(|x| ((x * SCALE).round().clamp(-32767.0, 32767.0) as i16).to_le_bytes())
            .collect();
        weight_file::pack(&Self::description(self.seating), &payload)
    }

    dispatched! { wide
        /// The sums of the rows of the active features.
        pub fn sums / sums_fast = add_rows(&self, features: &Features) -> [f32; N]
    }

    #[inline(always)]
    fn add_rows(&self, features: &Features) -> [f32; N] {
        sums_of(&self.rows, features)
    }

    dispatched! { wide
        /// How strong a seat stands, by its sums.
        pub fn strength / strength_fast = weigh(&self, sums: &[f32; N]) -> f32
    }

    #[inline(always)]
    fn weigh(&self, sums: &[f32; N]) -> f32 {
        strength_of(&self.head, sums)
    }

    /// Every seat's probability to be first, in the order of the seats.
    #[must_use]
    pub fn win_probabilities(&self, position: &Position) -> [f32; 4] {
        let mut strengths = [f32::NEG_INFINITY; 4];
        for (strength, side) in strengths.iter_mut().zip(position.sides()) {
            let features = features(position, *side, self.seating);
            *strength = self.strength(&self.sums(&features));
        }
        softmax(strengths)
    }
}

/// The sums of the rows of the active features.
#[inline(always)]
#[must_use]
pub fn sums_of<const N: usize>(rows: &[[f32; N]], features: &[u16]) -> [f32; N] {
    let mut sums = [0.0; N];
    for feature in features {
        for (sum, weight) in sums.iter_mut().zip(&rows[usize::from(*feature)]) {
            *sum += weight;
        }
    }
    sums
}

/// How strong a seat stands, by its sums.
#[inline(always)]
#[must_use]
pub fn strength_of<const N: usize>(head: &[f32; N], sums: &[f32; N]) -> f32 {
    let mut parts = [0.0; N];
    for ((part, sum), weight) in parts.iter_mut().zip(sums).zip(head) {
        *part = sum / (1.0 + sum.abs()) * weight;
    }
    parts[0] = sums[0] * head[0];
    parts.iter().sum()
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
    fn damaged_files_and_those_of_another_network_are_refused() {
        let bytes = Network::<NARROW>::new(Seating::More, 7).write();
        assert!(Network::<NARROW>::read(Seating::More, &bytes).is_ok());
        let refused = |seating, bytes: &[u8]| {
            Network::<NARROW>::read(seating, bytes).expect_err("refused").to_string()
        };
        assert!(refused(Seating::More, &bytes[..bytes.len() - 1]).contains("its header states"));
        assert!(refused(Seating::Two, &bytes).contains("3 and 4 seats"));
        let error = Network::<WIDE>::read(Seating::More, &bytes).expect_err("another width");
        assert!(error.to_string().contains("32 hidden', not for"));
        let mut damaged = bytes;
        damaged[5000] ^= 1;
        assert!(refused(Seating::More, &damaged).contains("the checksum does not match"));
    }

    #[test]
    fn the_shipped_files_are_whole() {
        assert_eq!(TWO.rows.len(), Seating::Two.features());
        assert_eq!(MORE.rows.len(), Seating::More.features());
    }
}
