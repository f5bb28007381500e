//! What it is worth to turn a marker into an own one.

use super::board::{BORDERLANDS, Field, count};
use super::features::{HELD, MARKERS, POWER};
use super::position::{Position, SEATS};
use super::weights::{Weights, weights};

/// What one more step of reach is thought to be worth to a chevron.
pub(super) const REACH: i32 = 6;

/// Values fields for one seat in one position.
pub(super) struct Recolouring<'a> {
    position: &'a Position,
    seat: usize,
    weights: &'static Weights,
    /// Chevrons by seat and borderland.
    standing: [[u8; BORDERLANDS]; SEATS],
}

impl<'a> Recolouring<'a> {
    pub fn new(position: &'a Position, seat: usize) -> Self {
        let mut standing = [[0; BORDERLANDS]; SEATS];
        for (seat, row) in standing.iter_mut().enumerate().take(position.seats as usize) {
            for field in position.fields_of(seat) {
                row[field.borderland()] += 1;
            }
        }
        Recolouring { position, seat, weights: weights(position.seats as usize), standing }
    }

    /// What it is worth to have the marker of a field: one's own gain, and the loss of an enemy.
    pub fn of(&self, field: Field) -> i32 {
        let borderland = field.borderland();
        let gain = self.step(self.seat, borderland, 1);
        match self.position.cells[field.index()].marker() {
            Some(owner) if owner != self.seat => gain + self.step(owner, borderland, 0),
            _ => gain,
        }
    }

    /// What the last marker in a borderland is worth to a seat that had so many more there.
    fn step(&self, seat: usize, borderland: usize, more: usize) -> i32 {
        let have = count(self.position.marked(seat, borderland)) + more;
        let held = |markers: usize| match markers {
            0 => 0,
            _ => self.weights[HELD + markers - 1] as i32,
        };
        let change = held(have) - held(have.saturating_sub(1));
        let standing = self.standing[seat & 3][borderland] as i32;
        let reach = self.weights[POWER] as i32 + REACH;
        self.weights[MARKERS] as i32 + change + standing * reach
    }
}
