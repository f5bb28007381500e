//! The source of random numbers for signatures, throws and the protocol.
//!
//! SplitMix64 (Steele, Lea, Flood: *Fast splittable pseudorandom number generators*, 2014) and
//! multiply-shift, without a distribution of a library: equal on every machine.

const GAMMA: u64 = 0x9E37_79B9_7F4A_7C15;

/// The first output of a SplitMix64 generator seeded with `x`.
#[must_use]
pub const fn splitmix64(x: u64) -> u64 {
    let mut z = x.wrapping_add(GAMMA);
    z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    z ^ (z >> 31)
}

/// Maps a 64-bit number evenly onto `0..bound`: `(x * bound) >> 64`.
#[must_use]
pub const fn multiply_shift(x: u64, bound: u64) -> u64 {
    ((x as u128 * bound as u128) >> 64) as u64
}

/// A SplitMix64 generator.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Random(u64);

impl Random {
    /// A generator; its sequence depends on the seed alone.
    #[must_use]
    pub const fn new(seed: u64) -> Self {
        Random(seed)
    }

    /// The next 64 bits.
    pub const fn next(&mut self) -> u64 {
        let out = splitmix64(self.0);
        self.0 = self.0.wrapping_add(GAMMA);
        out
    }

    /// A number in `0..bound`; 0 when the bound is 0.
    pub const fn below(&mut self, bound: u64) -> u64 {
        let x = self.next();
        multiply_shift(x, bound)
    }

    /// A number in `0.0..1.0`, with 53 bits.
    pub const fn unit(&mut self) -> f64 {
        (self.next() >> 11) as f64 / (1u64 << 53) as f64
    }

    /// Shuffles a slice (Fisher and Yates).
    pub fn shuffle<T>(&mut self, items: &mut [T]) {
        for i in (1..items.len()).rev() {
            items.swap(i, self.below(i as u64 + 1) as usize);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn splitmix64_gives_its_published_sequence() {
        // The reference sequence for seed 1234567, as many libraries test it.
        let mut random = Random::new(1_234_567);
        let expected = [
            6_457_827_717_110_365_317,
            3_203_168_211_198_807_973,
            9_817_491_932_198_370_423,
            4_593_380_528_125_082_431,
            16_408_922_859_458_223_821,
        ];
        assert_eq!([(); 5].map(|()| random.next()), expected);
    }

    #[test]
    fn below_reaches_both_ends_and_not_the_bound() {
        let mut random = Random::new(7);
        let mut seen = [0; 6];
        for _ in 0..6_000 {
            seen[random.below(6) as usize] += 1;
        }
        assert!(seen.iter().all(|count| (850..1150).contains(count)), "{seen:?}");
    }
}
