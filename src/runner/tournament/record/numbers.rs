//! Sets of game numbers, most of them without gaps: one bit a game.

use std::collections::BTreeMap;

/// The bits of one block.
const BLOCK: u64 = 512;

/// A set of numbers.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub(in crate::runner) struct NumberSet {
    blocks: BTreeMap<u64, [u64; 8]>,
    count: u64,
}

impl NumberSet {
    /// Adds a number; `false` if it was there already.
    pub(in crate::runner) fn insert(&mut self, number: u64) -> bool {
        let block = self.blocks.entry(number / BLOCK).or_default();
        let (word, bit) = place(number);
        let Some(word) = block.get_mut(word) else { return false };
        let new = *word & bit == 0;
        *word |= bit;
        self.count += u64::from(new);
        new
    }

    /// Whether a number is there.
    pub(in crate::runner) fn contains(&self, number: u64) -> bool {
        let (word, bit) = place(number);
        let block = self.blocks.get(&(number / BLOCK));
        block.and_then(|block| block.get(word)).is_some_and(|word| word & bit != 0)
    }

    /// How many numbers are there.
    pub(in crate::runner) fn len(&self) -> u64 {
        self.count
    }
}

/// The word of a number in its block, and its bit there.
fn place(number: u64) -> (usize, u64) {
    ((number % BLOCK / 64) as usize, 1 << (number % 64))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_counted_once() {
        let mut set = NumberSet::default();
        let numbers = [1, 63, 64, 511, 512, 1_000_000, u64::MAX];
        for number in numbers {
            assert!(!set.contains(number));
            assert!(set.insert(number));
            assert!(set.contains(number) && !set.insert(number));
        }
        assert!(!set.contains(2) && !set.contains(u64::MAX - 1));
        assert_eq!(set.len(), numbers.len() as u64);
    }
}
