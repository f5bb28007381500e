//! What a landing gains: claims, connections and meetings, and the moves that name them.

use std::ops::ControlFlow;

use super::moves::{Gain, Landing, Move};
use super::position::Position;
use crate::games::chevrons::{Cell, Field, WHOLE, count, fields_in};

impl Position {
    /// The fields of the borderland entered that may be claimed; none where nothing can be claimed.
    #[inline]
    pub(crate) fn claims(&self, seat: usize, landing: Landing) -> u16 {
        if !landing.crosses() {
            return 0;
        }
        let entered = landing.to.borderland();
        let here = landing.to.bit();
        let occupied = self.occupied_in(entered);
        if landing.pincer {
            // The captured chevron's field is own and occupied by now.
            let neutral = self.neutral_in(entered) & !here;
            let open = if neutral != 0 { neutral } else { WHOLE & !self.markers_in(seat, entered) };
            return open & !(occupied | here);
        }
        match self.neutral_in(entered) {
            0 => WHOLE & !self.markers_in(seat, entered) & !occupied,
            neutral if self.options.landing_marker => neutral & !occupied,
            neutral => neutral & !(occupied | here),
        }
    }

    /// Whether another own chevron on an own marker looks back at the landing chevron.
    #[inline]
    pub(crate) fn faces_partner(&self, seat: usize, landing: Landing) -> bool {
        let partner = Cell::chevron(seat, landing.direction.back(), true);
        let ahead = landing.to.next(landing.direction);
        ahead.is_some_and(|field| self.cell(field) == partner)
    }

    /// How many moves have this landing.
    #[inline]
    pub(super) fn count_moves_of(&self, seat: usize, landing: Landing) -> u64 {
        if self.faces_partner(seat, landing) {
            return self.count_moves_with_meeting(seat, landing);
        }
        let claims = count(self.claims(seat, landing)) as u64;
        (claims + landing.connection as u64).max(1)
    }

    #[cold]
    fn count_moves_with_meeting(&self, seat: usize, landing: Landing) -> u64 {
        let mut count = 0;
        let _ = self.for_each_gain::<()>(seat, landing, |gain| {
            count += (self.meeting_fields(landing, gain).count() as u64).max(1);
            ControlFlow::Continue(())
        });
        count
    }

    /// Calls `visit` with every gain of a landing, `Nothing` if there is no other.
    #[inline]
    pub(crate) fn for_each_gain<B>(
        &self,
        seat: usize,
        landing: Landing,
        mut visit: impl FnMut(Gain) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        let claims = self.claims(seat, landing);
        if landing.connection {
            visit(Gain::Connection)?;
        } else if claims == 0 {
            return visit(Gain::Nothing);
        }
        for field in fields_in(landing.to.borderland(), claims) {
            visit(Gain::Claim(field))?;
        }
        ControlFlow::Continue(())
    }

    /// Calls `visit` with every move of a landing.
    #[inline]
    pub(crate) fn for_each_move_of<B>(
        &self,
        seat: usize,
        landing: Landing,
        mut visit: impl FnMut(Move) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        let partner = self.faces_partner(seat, landing);
        self.for_each_gain(seat, landing, |gain| {
            let mut met = false;
            if partner {
                for field in self.meeting_fields(landing, gain) {
                    met = true;
                    visit(landing.with(gain, Some(field)))?;
                }
            }
            if met { ControlFlow::Continue(()) } else { visit(landing.with(gain, None)) }
        })
    }

    /// The fields a meeting may recolour, none if there is no meeting.
    pub(crate) fn meeting_fields(
        &self,
        landing: Landing,
        gain: Gain,
    ) -> impl Iterator<Item = Field> {
        let seat = self.mover();
        let after = self.after_landing(landing, gain);
        let meets = after.is_in_meeting(landing.to);
        Field::all().filter(move |field| {
            let cell = after.cell(*field);
            meets && !cell.is_occupied() && cell.marker() != Some(seat)
        })
    }

    /// The position after a landing and its gain, the turn not yet passed on.
    pub(super) fn after_landing(&self, landing: Landing, gain: Gain) -> Position {
        let mut after = self.clone();
        after.advance(landing.from, landing.to, landing.pincer, gain);
        after
    }

    /// Whether the chevron that has just landed on a field is in a meeting.
    pub(super) fn is_in_meeting(&self, to: Field) -> bool {
        let cell = self.cell(to);
        let seat = cell.chevron_seat();
        let landing =
            Landing { from: to, to, direction: cell.facing(), connection: false, pincer: false };
        let threshold = self.options.meeting_threshold as usize;
        cell.is_chevron_on_marker()
            && self.faces_partner(seat, landing)
            && (0..self.seats()).any(|other| other != seat && self.marker_count(other) >= threshold)
    }

    /// Moves a chevron, captures, and takes the gain; without meeting, the turn not yet passed on.
    pub(super) fn advance(&mut self, from: Field, to: Field, pincer: bool, gain: Gain) {
        let seat = self.mover();
        let Some((direction, steps)) = from.line_to(to) else {
            return;
        };
        self.board.remove_chevron(from);
        if pincer {
            self.board.remove_chevron(to);
            self.board.set_marker(to, Some(seat));
        }
        self.board.place_chevron(seat, to, direction);
        match gain {
            Gain::Nothing => {}
            Gain::Claim(field) => self.board.set_marker(field, Some(seat)),
            Gain::Connection => {
                for step in 1..steps {
                    self.board.set_marker(from.ahead(direction, step), Some(seat));
                }
            }
        }
    }
}
