//! Where chevrons land: straight ahead or 45 degrees to either side, on neutral and own fields, over
//! chevrons only by a connection jump.

use std::ops::ControlFlow;

use super::board::Board;
use super::cell::Cell;
use super::fields::{Direction, Field};
use crate::game::Seat;

/// The rule of landing that a move breaks.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum LandingError {
    /// No chevron stands where the move starts.
    #[error("there is no chevron on {0}")]
    NoChevron(Field),
    /// The chevron belongs to another seat.
    #[error("the chevron on {field} belongs to {owner}, and it is {mover}'s turn")]
    NotYourChevron {
        /// Where it stands.
        field: Field,
        /// Whose it is.
        owner: Seat,
        /// The seat to move.
        mover: Seat,
    },
    /// The two fields are not on one line.
    #[error("{0} to {1} is not a straight line; a chevron moves straight or diagonally")]
    NotStraight(Field, Field),
    /// The chevron would move sideways or back.
    #[error("the chevron on {0} faces {1} and moves only {ways}", ways = .1.forward().map(Direction::name).join(" "))]
    NotForward(Field, Direction),
    /// The move is longer than the power of its borderland.
    #[error(
        "{from} to {to} is {steps} fields, but the power there is {power} (own markers in the borderland where the move starts, at least 1)"
    )]
    TooFar {
        /// Where the move starts.
        from: Field,
        /// Where it ends.
        to: Field,
        /// Its length in fields.
        steps: usize,
        /// The longest move allowed.
        power: usize,
    },
    /// An own chevron stands where the move ends.
    #[error("{0} is occupied by an own chevron")]
    OwnChevron(Field),
    /// An enemy marker lies where the move ends.
    #[error("{0} has a marker of {1}; a chevron lands on a neutral field or on an own marker")]
    EnemyMarker(Field, Seat),
    /// A chevron is in the way, and the move is no connection jump.
    #[error(
        "the chevron on {0} is in the way; only a connection jump, from an own marker to an own marker, passes it"
    )]
    InTheWay(Field),
}

/// A straight way of a chevron of the seat to move.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Ray {
    pub direction: Direction,
    /// Whether start and end are own markers, the end without a chevron.
    pub linked: bool,
    /// Whether all fields between become own.
    pub connection: bool,
    obstacle: Option<Field>,
}

impl Ray {
    /// Refuses a way over a chevron that is no connection jump.
    pub(crate) fn unobstructed(self) -> Result<Self, LandingError> {
        match self.obstacle {
            Some(field) if !self.linked => Err(LandingError::InTheWay(field)),
            _ => Ok(self),
        }
    }
}

impl Board {
    /// Follows the three rays of a chevron, `power` fields far. `visit` gets every field where it can
    /// land and whether the move is a connection; `meet` gets every other chevron that is first on
    /// its ray.
    #[inline]
    pub(crate) fn scan<B>(
        &self,
        from: Field,
        power: usize,
        mut meet: impl FnMut(Field, Direction),
        mut visit: impl FnMut(Field, Direction, bool) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        let start = self.cell(from);
        let own = Cell::marker_of(start.chevron_seat());
        for direction in start.facing().forward() {
            let mut jumps = false;
            for steps in 1..=from.room(direction).min(power) {
                let to = from.ahead(direction, steps);
                let there = self.cell(to);
                if there.is_occupied() {
                    if !jumps {
                        meet(to, direction);
                    }
                    if !start.is_chevron_on_marker() {
                        break;
                    }
                    jumps = true;
                } else if there == own || there == Cell::NEUTRAL && !jumps {
                    let linked = start.is_chevron_on_marker() && there == own;
                    visit(to, direction, linked && steps > 1 && !jumps)?;
                }
            }
        }
        ControlFlow::Continue(())
    }

    /// The chevron of the seat to move on a field.
    pub(crate) fn own_chevron(&self, field: Field) -> Result<Cell, LandingError> {
        let cell = self.cell(field);
        if !cell.is_occupied() {
            return Err(LandingError::NoChevron(field));
        }
        if cell.chevron_seat() != self.mover() {
            let (owner, mover) = (Seat::new(cell.chevron_seat()), Seat::new(self.mover()));
            return Err(LandingError::NotYourChevron { field, owner, mover });
        }
        Ok(cell)
    }

    /// The way of an own chevron, not farther than `power` says for its start; what stands on it and
    /// where it ends is not judged yet.
    pub(crate) fn check_ray(
        &self,
        from: Field,
        to: Field,
        power: usize,
    ) -> Result<Ray, LandingError> {
        let start = self.own_chevron(from)?;
        let (direction, steps) = from.line_to(to).ok_or(LandingError::NotStraight(from, to))?;
        if !start.facing().forward().contains(&direction) {
            return Err(LandingError::NotForward(from, start.facing()));
        }
        if steps > power {
            return Err(LandingError::TooFar { from, to, steps, power });
        }
        let linked = self.is_linked(from, to);
        let mut between = from.between(direction, steps);
        let obstacle = between.find(|field| self.cell(*field).is_occupied());
        let connection = linked && steps > 1 && obstacle.is_none();
        Ok(Ray { direction, linked, connection, obstacle })
    }

    /// Whether a chevron stands on a marker of its seat and another field bears one, too.
    pub(crate) fn is_linked(&self, from: Field, to: Field) -> bool {
        let start = self.cell(from);
        start.is_chevron_on_marker() && self.cell(to) == Cell::marker_of(start.chevron_seat())
    }

    /// Refuses a field with an enemy marker.
    pub(crate) fn check_marker(&self, to: Field) -> Result<(), LandingError> {
        match self.cell(to).marker().filter(|owner| *owner != self.mover()) {
            Some(owner) => Err(LandingError::EnemyMarker(to, Seat::new(owner))),
            None => Ok(()),
        }
    }
}
