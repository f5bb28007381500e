//! The values of all states, read and written by several threads at once.

use std::sync::atomic::{AtomicU32, Ordering::Relaxed};

/// A value by number of its state.
#[derive(Debug)]
pub struct Values(Vec<AtomicU32>);

impl Values {
    /// So many equal values.
    pub fn new(size: usize, value: f32) -> Self {
        Values((0..size).map(|_| AtomicU32::new(value.to_bits())).collect())
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

    /// One row of them: those of one standing of the player about to throw.
    #[inline]
    pub fn row(&self, standing: usize, length: usize) -> Row<'_> {
        Row(&self.0[standing * length..(standing + 1) * length])
    }
}

/// Some values, by aspect of the other player.
#[derive(Clone, Copy)]
pub struct Row<'a>(&'a [AtomicU32]);

impl Row<'_> {
    /// One of them.
    #[inline]
    pub fn get(self, aspect: usize) -> f32 {
        f32::from_bits(self.0[aspect].load(Relaxed))
    }
}
