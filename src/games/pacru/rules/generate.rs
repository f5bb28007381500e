//! Lists the landings of a seat: where its chevrons can go, and what they can capture.

use std::ops::ControlFlow;

use arrayvec::ArrayVec;

use super::moves::Landing;
use super::position::Position;
use crate::games::chevrons::{CHEVRONS, Field};

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

    /// Calls `visit` with every move of a seat that is no pincer, gains not yet chosen.
    #[cfg(feature = "search")]
    #[inline]
    pub(crate) fn for_each_plain_landing<B>(
        &self,
        seat: usize,
        mut visit: impl FnMut(Landing) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        for &from in self.chevron_fields(seat) {
            let power = self.power_of(seat, from.borderland());
            self.board.scan(
                from,
                power,
                |_, _| {},
                |to, direction, connection| {
                    visit(Landing { from, to, direction, connection, pincer: false })
                },
            )?;
        }
        ControlFlow::Continue(())
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
        let attack = |to: Field, direction| {
            if self.cell(to).chevron_seat() != seat && !attacks.is_full() {
                attacks.push(Landing { from, to, direction, connection: false, pincer: true });
            }
        };
        self.board.scan(
            from,
            self.power_of(seat, from.borderland()),
            attack,
            |to, direction, connection| {
                visit(Landing { from, to, direction, connection, pincer: false })
            },
        )
    }

    /// Whether a seat has any move or pincer.
    pub(crate) fn can_move(&self, seat: usize) -> bool {
        self.for_each_landing(seat, |_| ControlFlow::Break(())).is_break()
    }
}
