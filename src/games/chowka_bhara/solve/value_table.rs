//! The values of all states, read and written by several threads at once.

use std::sync::atomic::{AtomicU32, Ordering::Relaxed};

/// A value by number of its state.
#[derive(Debug)]
pub struct ValueTable(Vec<AtomicU32>);

impl ValueTable {
    /// A number of equal values.
    pub(super) fn new(size: usize, value: f32) -> Self {
        ValueTable((0..size).map(|_| AtomicU32::new(value.to_bits())).collect())
    }

    /// One of them.
    #[inline]
    #[must_use]
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
    pub(super) fn row(&self, half_state: usize, length: usize) -> ValueRow<'_> {
        ValueRow(&self.0[half_state * length..(half_state + 1) * length])
    }
}

/// Some values, by flagged state of the opponent.
#[derive(Clone, Copy)]
pub(super) struct ValueRow<'a>(&'a [AtomicU32]);

impl ValueRow<'_> {
    /// One of them.
    #[inline]
    #[must_use]
    pub(super) fn get(self, flagged_state: usize) -> f32 {
        f32::from_bits(self.0[flagged_state].load(Relaxed))
    }
}
