//! Hash keys: one random number for every feature of a position; a key is their sum.

use super::board::MAX_CELLS;
use crate::game::splitmix64;

/// One number for every feature.
pub(super) struct Keys {
    /// By side and path index, added once a pawn.
    pub pawn: [[u64; MAX_CELLS]; 4],
    /// By side: the gate is open.
    pub gate: [u64; 4],
    /// By side: it is that side's turn.
    pub turn: [u64; 4],
    /// By value, added once a throw.
    pub throw: [u64; 21],
    /// By cell of the outer ring: a fresh double.
    pub fresh: [u64; 64],
    /// By cell of the outer ring: a double at the turn's start.
    pub doubles_before: [u64; 64],
    /// By place and side: who finished when.
    pub finished: [[u64; 4]; 4],
}

const fn numbers<const N: usize>(seed: u64) -> [u64; N] {
    let mut out = [0; N];
    let mut i = 0;
    while i < N {
        out[i] = splitmix64(splitmix64(seed) ^ i as u64);
        i += 1;
    }
    out
}

/// The numbers of all keys.
pub(super) static KEYS: Keys = Keys {
    pawn: [numbers(1), numbers(2), numbers(3), numbers(4)],
    gate: numbers(5),
    turn: numbers(6),
    throw: numbers(7),
    fresh: numbers(8),
    doubles_before: numbers(9),
    finished: [numbers(10), numbers(11), numbers(12), numbers(13)],
};

/// The sum of the numbers of all members of a set.
pub(super) fn sum_of(mut set: u64, numbers: &[u64; 64]) -> u64 {
    let mut sum = 0u64;
    while set != 0 {
        sum = sum.wrapping_add(numbers[set.trailing_zeros() as usize]);
        set &= set - 1;
    }
    sum
}
