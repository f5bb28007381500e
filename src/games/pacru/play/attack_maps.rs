//! Attack maps: how many fields each chevron reaches, which enemy chevrons each seat attacks.

use crate::game::Game as _;
use crate::games::chevrons::{BORDERLANDS, CHEVRONS, Cell, Direction, FIELDS, Field, SEATS, WHOLE};
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

#[inline(always)]
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
    #[inline(always)]
    #[must_use]
    pub fn new(position: &Position) -> Self {
        let mut maps =
            AttackMaps { reach: Default::default(), attacked: [0; SEATS], pincered: [0; SEATS] };
        let occupied = fields(|borderland| position.occupied_in(borderland));
        let neutral = fields(|borderland| position.neutral_in(borderland));
        for seat in 0..position.seats() & 7 {
            let own = fields(|borderland| position.markers_in(seat, borderland));
            for (slot, &field) in position.chevron_fields(seat).iter().enumerate() {
                let start = position.cell(field);
                let (from, facing) = (field.index(), start.facing().index());
                let power = position.power_of(seat, field.borderland());
                let ahead = AHEAD[from][facing] & WITHIN[from][(power - 1) & 15];
                maps.reach[seat & 3][slot & 3] = if ahead & occupied == 0 {
                    let landings = ahead & (neutral | own);
                    let beyond = landings & !home(field.borderland());
                    Reach {
                        landings: landings.count_ones() as u8,
                        crossings: beyond.count_ones() as u8,
                        room: AHEAD[from][facing].count_ones() as u8,
                    }
                } else {
                    maps.scan(position, seat, field)
                };
            }
        }
        maps
    }

    /// Follows the rays of one chevron as the move generator does: where others stand on them.
    #[inline(always)]
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

/// The place of a field in the sets below: one borderland after the other.
const fn place(field: Field) -> usize {
    9 * field.borderland() + field.bit().trailing_zeros() as usize
}

/// The set of one field in the order of [`looked_at`].
#[inline(always)]
pub(super) const fn place_bit(field: Field) -> FieldSet {
    1 << place(field)
}

/// The fields ahead of a chevron that it could reach if nothing stood in the way.
#[inline(always)]
pub(super) fn looked_at(position: &Position, seat: usize, field: Field) -> FieldSet {
    let power = position.power_of(seat, field.borderland());
    let facing = position.cell(field).facing().index();
    AHEAD[field.index()][facing] & WITHIN[field.index()][(power - 1) & 15]
}

/// The fields of all borderlands as one set.
#[inline(always)]
fn fields(of: impl Fn(usize) -> u16) -> FieldSet {
    (0..BORDERLANDS).rev().fold(0, |set, borderland| set << 9 | FieldSet::from(of(borderland)))
}

#[inline(always)]
const fn home(borderland: usize) -> FieldSet {
    (WHOLE as FieldSet) << (9 * borderland)
}

/// The fields ahead of a chevron, on all three rays, by field and facing.
static AHEAD: [[FieldSet; 8]; FIELDS] = {
    let mut sets = [[0; 8]; FIELDS];
    let mut from = 0;
    while from < FIELDS {
        let mut facing = 0;
        while facing < 8 {
            let mut turn = 7;
            while turn < 10 {
                let direction = Direction::new((facing + turn) & 7);
                let mut steps = 1;
                while steps <= Field::new(from).room(direction) {
                    sets[from][facing as usize] |=
                        1 << place(Field::new(from).ahead(direction, steps));
                    steps += 1;
                }
                turn += 1;
            }
            facing += 1;
        }
        from += 1;
    }
    sets
};

/// The fields at most so many steps of a king away, less one.
static WITHIN: [[FieldSet; 16]; FIELDS] = {
    let mut sets = [[0; 16]; FIELDS];
    let mut from = 0;
    while from < FIELDS {
        let mut to = 0;
        while to < FIELDS {
            let end = Field::new(to);
            let steps = Field::new(from).distance(end);
            let mut most = 0;
            while most < 16 {
                if steps <= most + 1 {
                    sets[from][most] |= 1 << place(end);
                }
                most += 1;
            }
            to += 1;
        }
        from += 1;
    }
    sets
};

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::{Random, Rules as _};

    #[test]
    fn an_open_reach_is_counted_as_the_rays_are_followed() {
        let mut open = 0;
        for game in 0..20 {
            let players = if game % 2 == 0 { "2" } else { "4" };
            let mut rules = Position::default_rules();
            rules.set("Players", players).expect("a number of players");
            let mut position = Position::start(&rules, None).expect("a start");
            let mut random = Random::new(game);
            for _ in 0..300 {
                let maps = AttackMaps::new(&position);
                for seat in 0..position.seats() {
                    for (slot, &from) in position.chevron_fields(seat).iter().enumerate() {
                        let followed = maps.clone().scan(&position, seat, from);
                        assert_eq!(maps.reach[seat][slot], followed, "{position} {from}");
                        open += usize::from(followed.landings > 4);
                    }
                }
                let Some(m) = position.random_move(&mut random) else { break };
                position.play(&m);
            }
        }
        assert!(open > 50, "{open}");
    }
}
