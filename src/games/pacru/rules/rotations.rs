//! Lists and counts the rotations of a seat.

use std::ops::ControlFlow;

use arrayvec::ArrayVec;

use super::moves::{Move, Payment, Rotation};
use super::position::Position;
use crate::games::chevrons::{Cell, FIELDS, Field};

impl Position {
    /// The own markers a rotation may be paid with, in the order a1 b1 .. i9.
    pub(crate) fn payable(&self, seat: usize) -> ArrayVec<Field, FIELDS> {
        let own = Cell::marker_of(seat);
        Field::all().filter(|field| self.cell(*field) == own).collect()
    }

    /// Every rotation of the seat to move.
    pub(crate) fn for_each_rotation<B>(
        &self,
        seat: usize,
        mut visit: impl FnMut(Move) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        if !self.options.rotations || self.payable_count(seat) < 2 {
            return ControlFlow::Continue(());
        }
        let payable = self.payable(seat);
        for &from in self.chevron_fields(seat) {
            for rotation in Rotation::ALL {
                for_each_choice(&payable, rotation.cost(), |fields| {
                    visit(Move::Rotate { from, rotation, payment: Payment::new(fields) })
                })?;
            }
        }
        ControlFlow::Continue(())
    }

    /// How many rotations each chevron has.
    pub(super) fn rotations_each(&self, seat: usize) -> u64 {
        if !self.options.rotations {
            return 0;
        }
        let payable = self.payable_count(seat) as u64;
        2 * (choices(payable, 2) + choices(payable, 4))
    }
}

/// Calls `visit` with every choice of two or four fields, in order.
fn for_each_choice<B>(
    fields: &[Field],
    count: usize,
    mut visit: impl FnMut(&[Field]) -> ControlFlow<B>,
) -> ControlFlow<B> {
    for (i, &a) in fields.iter().enumerate() {
        for (j, &b) in fields.iter().enumerate().skip(i + 1) {
            if count == 2 {
                visit(&[a, b])?;
                continue;
            }
            for (k, &c) in fields.iter().enumerate().skip(j + 1) {
                for &d in &fields[k + 1..] {
                    visit(&[a, b, c, d])?;
                }
            }
        }
    }
    ControlFlow::Continue(())
}

/// The number of choices of `count` things among `of`.
pub(crate) fn choices(of: u64, count: u64) -> u64 {
    (0..count).fold(1, |product, i| product * of.saturating_sub(i) / (i + 1))
}
