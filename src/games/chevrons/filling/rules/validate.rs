//! Which positions are possible.

use std::ops::ControlFlow;

use super::position::Position;
use crate::game::Seat;
use crate::games::chevrons::filling::Kind;
use crate::games::chevrons::{Board, Cell, Field};

/// Why no game can reach a position.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub(crate) enum ImpossiblePosition {
    #[error("nobody has a chevron; in this game none leaves the board")]
    NoChevrons,
    #[error("{0} can move and so started no last round")]
    Starter(Seat),
}

impl<K: Kind> Position<K> {
    /// Refuses what no game can reach, before the turn begins.
    pub(crate) fn validate(&self) -> Result<(), ImpossiblePosition> {
        let seats = self.seats();
        if !K::POWER && (0..seats).all(|seat| self.chevron_fields(seat).is_empty()) {
            return Err(ImpossiblePosition::NoChevrons);
        }
        match self.last() {
            Some(last) if !self.was_blocked(last, &self.moved_since(last), &mut Vec::new()) => {
                Err(ImpossiblePosition::Starter(Seat::new(last)))
            }
            _ => Ok(()),
        }
    }

    /// The seats that had a turn since a seat could not move: one each.
    fn moved_since(&self, last: usize) -> Vec<usize> {
        let seats = self.seats();
        let after = (1..seats).map(|steps| (last + steps) % seats);
        after.take_while(|seat| *seat != self.mover()).collect()
    }

    /// Whether a seat may have had no move before others had a turn each, if some fields were not free
    /// then. Whoever moves opens a way by leaving a field without a marker: a field of the starting
    /// position.
    fn was_blocked(&self, last: usize, others: &[usize], closed: &mut Vec<Field>) -> bool {
        let way = self.for_each_landing(last, |from, to, direction, _| {
            let between = from.between(direction, from.distance(to));
            let is_linked = self.is_linked(from, to);
            let way: Vec<Field> =
                between.filter(|_| !is_linked).chain(std::iter::once(to)).collect();
            match way.iter().any(|field| closed.contains(field)) {
                true => ControlFlow::Continue(()),
                false => ControlFlow::Break(way),
            }
        });
        let ControlFlow::Break(way) = way else { return true };
        let start = Board::start(self.seats(), 0, 0);
        others.iter().any(|other| {
            let rest: Vec<usize> = others.iter().copied().filter(|seat| seat != other).collect();
            let left = |field: &&Field| {
                self.cell(**field) == Cell::NEUTRAL && start.chevron_fields(*other).contains(*field)
            };
            way.iter().filter(left).any(|field| {
                closed.push(*field);
                let was_blocked = self.was_blocked(last, &rest, closed);
                closed.pop();
                was_blocked
            })
        })
    }
}
