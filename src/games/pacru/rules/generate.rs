//! Lists the landings of a seat: where its chevrons can go, and what they can capture.

use std::ops::ControlFlow;

use arrayvec::ArrayVec;

use super::moves::Landing;
use super::position::Position;
use crate::games::chevrons::{CHEVRONS, Cell, Field};

/// Landings of one seat: each of at most four chevrons has three rays of at most eight fields.
pub(super) type Landings<T> = ArrayVec<T, { CHEVRONS * 3 * 8 }>;

/// Attacks of one seat on enemy chevrons, one a ray at most.
type Attacks = ArrayVec<Landing, { CHEVRONS * 3 }>;

/// The attacks that have a second attacker.
#[inline]
fn pincers<B>(
    attacks: &Attacks,
    mut visit: impl FnMut(Landing) -> ControlFlow<B>,
) -> ControlFlow<B> {
    for attack in attacks {
        if attacks.iter().filter(|other| other.to == attack.to).count() > 1 {
            visit(*attack)?;
        }
    }
    ControlFlow::Continue(())
}

impl Position {
    /// Calls `visit` with every move and pincer of a seat, gains not yet chosen.
    #[inline]
    pub(crate) fn for_each_landing<B>(
        &self,
        seat: usize,
        mut visit: impl FnMut(Landing) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        let mut attacks = Attacks::new();
        for &from in self.chevron_fields(seat) {
            self.scan(seat, from, &mut attacks, &mut visit)?;
        }
        pincers(&attacks, visit)
    }

    /// Calls `visit` with every pincer of a seat.
    #[cfg(feature = "search")]
    pub(crate) fn for_each_pincer<B>(
        &self,
        seat: usize,
        visit: impl FnMut(Landing) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        let mut attacks = Attacks::new();
        for &from in self.chevron_fields(seat) {
            self.scan::<B>(seat, from, &mut attacks, &mut |_| ControlFlow::Continue(()))?;
        }
        pincers(&attacks, visit)
    }

    /// The landings of one chevron; what it attacks is collected.
    #[inline]
    fn scan<B>(
        &self,
        seat: usize,
        from: Field,
        attacks: &mut Attacks,
        visit: &mut impl FnMut(Landing) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        let start = self.cell(from);
        let own = Cell::marker_of(seat);
        let power = self.power_of(seat, from.borderland());
        for direction in start.facing().forward() {
            let mut jumps = false;
            for steps in 1..=from.room(direction).min(power) {
                let to = from.ahead(direction, steps);
                let there = self.cell(to);
                if there.is_occupied() {
                    if !jumps && there.chevron_seat() != seat && !attacks.is_full() {
                        let connection = false;
                        attacks.push(Landing { from, to, direction, connection, pincer: true });
                    }
                    if !start.is_chevron_on_marker() {
                        break;
                    }
                    jumps = true;
                } else if there == own || there == Cell::NEUTRAL && !jumps {
                    let linked = start.is_chevron_on_marker() && there == own;
                    let connection = linked && steps > 1 && !jumps;
                    visit(Landing { from, to, direction, connection, pincer: false })?;
                }
            }
        }
        ControlFlow::Continue(())
    }

    /// Whether a seat has any move or pincer.
    pub(super) fn can_move(&self, seat: usize) -> bool {
        self.for_each_landing(seat, |_| ControlFlow::Break(())).is_break()
    }
}
