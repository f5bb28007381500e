//! The values of all states.

use std::ops::Range;

use rayon::slice::{ChunksExactMut, ParallelSliceMut};

/// A value by number of its state: a row for each flagged state of the opponent, in it the
/// half-states of the player about to throw.
#[derive(Clone, Debug)]
pub struct ValueTable {
    values: Vec<f32>,
    row: usize,
}

impl ValueTable {
    /// A number of rows of equal values.
    pub(super) fn new(rows: usize, row: usize, value: f32) -> Self {
        ValueTable { values: vec![value; rows * row], row }
    }

    /// The value with a number.
    #[inline]
    #[must_use]
    pub fn get(&self, number: usize) -> f32 {
        self.values[number]
    }

    /// Replaces one.
    #[inline]
    pub fn set(&mut self, number: usize, value: f32) {
        self.values[number] = value;
    }

    /// Those of one flagged state of the opponent, by half-state of the player about to throw.
    #[inline]
    pub(super) fn row(&self, flagged_state: usize) -> &[f32] {
        &self.values[flagged_state * self.row..][..self.row]
    }

    /// Some rows, to be changed.
    pub(super) fn rows_mut(&mut self, rows: Range<usize>) -> ChunksExactMut<'_, f32> {
        self.values[rows.start * self.row..rows.end * self.row].par_chunks_exact_mut(self.row)
    }
}
