//! The value of a field for the seat that recolours it.

use super::features::{HELD, MARKERS, POWER};
use super::weights::{Weights, weights};
use crate::game::Game as _;
use crate::games::chevrons::{BORDERLANDS, Field, SEATS, count};
use crate::games::pacru::rules::Position;

/// The value of one more step of power to a chevron.
pub(crate) const REACH: i32 = 6;

/// The values of fields for one seat in one position.
pub(crate) struct MarkerValues<'a> {
    position: &'a Position,
    seat: usize,
    weights: &'static Weights,
    /// Chevrons by seat and borderland.
    standing: [[u8; BORDERLANDS]; SEATS],
}

impl<'a> MarkerValues<'a> {
    pub(super) fn new(position: &'a Position, seat: usize) -> Self {
        let mut standing = [[0; BORDERLANDS]; SEATS];
        for (seat, row) in standing.iter_mut().enumerate().take(position.seats()) {
            for field in position.chevron_fields(seat) {
                row[field.borderland()] += 1;
            }
        }
        MarkerValues { position, seat, weights: weights(position.seats()), standing }
    }

    /// The value of placing an own marker on a field: the own gain, and the loss of an enemy.
    pub(super) fn of(&self, field: Field) -> i32 {
        let borderland = field.borderland();
        let gain = self.step(self.seat, borderland, 1);
        match self.position.cell(field).marker() {
            Some(owner) if owner != self.seat => gain + self.step(owner, borderland, 0),
            _ => gain,
        }
    }

    /// The value to a seat of one marker in a borderland: of its last one there, or with `more` 1 of
    /// the next one.
    fn step(&self, seat: usize, borderland: usize, more: usize) -> i32 {
        let have = count(self.position.markers_in(seat, borderland)) + more;
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
