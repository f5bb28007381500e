//! What every chevron can do now: how many fields it reaches, what it attacks.

use super::board::Field;
use super::position::{CHEVRONS, Cell, Position, SEATS};

/// What one chevron can do.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct Reach {
    /// Fields it can land on.
    pub landings: u8,
    /// Those of them in another borderland.
    pub crossings: u8,
    /// Fields ahead of it up to the edge, whatever stands there.
    pub room: u8,
}

/// A set of fields.
pub(super) type FieldSet = u128;

pub(super) const fn field_bit(field: Field) -> FieldSet {
    1 << field.index()
}

/// What the chevrons of all seats can do, whoever is to move.
#[derive(Clone, Debug)]
pub(super) struct Survey {
    /// By seat, in the order of its chevrons.
    pub reach: [[Reach; CHEVRONS]; SEATS],
    /// Enemy chevrons attacked by at least one chevron of a seat.
    pub attacked: [FieldSet; SEATS],
    /// Enemy chevrons attacked by two or more of a seat: it could capture them.
    pub pincered: [FieldSet; SEATS],
}

impl Survey {
    pub fn new(position: &Position) -> Self {
        let mut survey =
            Survey { reach: Default::default(), attacked: [0; SEATS], pincered: [0; SEATS] };
        for seat in 0..position.seats as usize & 7 {
            for (slot, &field) in position.fields_of(seat).iter().enumerate() {
                survey.reach[seat & 3][slot & 3] = survey.scan(position, seat, field);
            }
        }
        survey
    }

    /// The same walk as that of the move generator.
    fn scan(&mut self, position: &Position, seat: usize, from: Field) -> Reach {
        let start = position.cells[from.index()];
        let own = Cell::marker_of(seat);
        let home = from.borderland();
        let power = position.power_of(seat, home);
        let mut reach = Reach::default();
        for direction in start.facing().forward() {
            let room = from.room(direction);
            reach.room += room as u8;
            let mut jumps = false;
            for steps in 1..=room.min(power) {
                let to = from.ahead(direction, steps);
                let there = position.cells[to.index()];
                if there.is_occupied() {
                    if !jumps && there.chevron_seat() != seat {
                        self.pincered[seat & 3] |= self.attacked[seat & 3] & field_bit(to);
                        self.attacked[seat & 3] |= field_bit(to);
                    }
                    if !start.is_chevron_on_marker() {
                        break;
                    }
                    jumps = true;
                } else if there == own || there == Cell::NEUTRAL && !jumps {
                    reach.landings += 1;
                    reach.crossings += (to.borderland() != home) as u8;
                }
            }
        }
        reach
    }
}
