//! Attack maps: how many fields each chevron reaches, which enemy chevrons each seat attacks.

use crate::game::Game as _;
use crate::games::chevrons::{CHEVRONS, Cell, Field, SEATS};
use crate::games::pacru::rules::Position;

/// The reach of one chevron.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Reach {
    /// Fields it can land on.
    pub landings: u8,
    /// Landing fields in another borderland.
    pub crossings: u8,
    /// Fields ahead of it up to the edge, occupied or not.
    pub room: u8,
}

/// A set of fields.
pub type FieldSet = u128;

pub(crate) const fn field_bit(field: Field) -> FieldSet {
    1 << field.index()
}

/// The reach and the attacks of all seats, whichever is to move.
#[derive(Clone, Debug)]
pub struct AttackMaps {
    /// By seat, in the order of its chevrons.
    pub reach: [[Reach; CHEVRONS]; SEATS],
    /// Enemy chevrons attacked by at least one chevron of a seat.
    pub attacked: [FieldSet; SEATS],
    /// Enemy chevrons attacked by two or more of a seat: it could capture them.
    pub pincered: [FieldSet; SEATS],
}

impl AttackMaps {
    /// The attacks in a position.
    #[must_use]
    pub fn new(position: &Position) -> Self {
        let mut maps =
            AttackMaps { reach: Default::default(), attacked: [0; SEATS], pincered: [0; SEATS] };
        for seat in 0..position.seats() & 7 {
            for (slot, &field) in position.chevron_fields(seat).iter().enumerate() {
                maps.reach[seat & 3][slot & 3] = maps.scan(position, seat, field);
            }
        }
        maps
    }

    /// Follows the rays of one chevron as the move generator does.
    fn scan(&mut self, position: &Position, seat: usize, from: Field) -> Reach {
        let start = position.cell(from);
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
                let there = position.cell(to);
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
