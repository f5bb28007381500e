//! The values of all states, read and written by several threads at once.

use std::sync::atomic::{AtomicU32, Ordering::Relaxed};

/// A value by number of its state.
#[derive(Debug)]
pub struct ValueTable(Vec<AtomicU32>);

impl ValueTable {
    /// So many equal values.
    pub fn new(size: usize, value: f32) -> Self {
        ValueTable((0..size).map(|_| AtomicU32::new(value.to_bits())).collect())
    }

    /// How many there are.
    pub fn size(&self) -> usize {
        self.0.len()
    }

    /// One of them.
    #[inline]
    pub fn get(&self, index: usize) -> f32 {
        f32::from_bits(self.0[index].load(Relaxed))
    }

    /// Replaces one.
    #[inline]
    pub fn set(&self, index: usize, value: f32) {
        self.0[index].store(value.to_bits(), Relaxed);
    }

    /// One row of them: those of one half-state of the player about to throw.
    #[inline]
    pub fn row(&self, half_state: usize, length: usize) -> ValueRow<'_> {
        ValueRow(&self.0[half_state * length..(half_state + 1) * length])
    }
}

/// Some values, by flagged state of the other player.
#[derive(Clone, Copy)]
pub struct ValueRow<'a>(&'a [AtomicU32]);

impl ValueRow<'_> {
    /// One of them.
    #[inline]
    pub fn get(self, flagged_state: usize) -> f32 {
        f32::from_bits(self.0[flagged_state].load(Relaxed))
    }
}
