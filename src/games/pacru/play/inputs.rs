//! The inputs of the network: what a position shows, by the seat that owns it.
//!
//! A *fact* is a seat and one of the numbers below. The view of a seat has the facts of all seats as
//! inputs, each in the block of the seat that owns it, seen from that seat: its own, the next one's
//! and so on ([`blocks_of`]). Facts of the board (chevrons, markers, counts of borderlands) change
//! with few fields and are kept in the accumulator; facts of the moment (mobility, attacks, totals)
//! are found anew for every position.

use arrayvec::ArrayVec;

use super::attack_maps::{AttackMaps, field_bit};
use super::features::mobility_bucket;
use crate::game::Game as _;
use crate::games::chevrons::{BORDERLANDS, Field, SEATS, count};
use crate::games::pacru::rules::Position;
use crate::search::network::Shape;
use crate::search::seat_network::Blocks;

/// A chevron: by field and facing. The constants below are numbers of facts, of a group the first.
pub(crate) const CHEVRON: usize = 0;
/// A marker, under a chevron or not: by field.
pub(crate) const MARKER: usize = 648;
/// Markers in a borderland, if any: by borderland and number.
pub(crate) const COUNT: usize = 729;
/// Facts of the moment begin here. A chevron by mobility, by who attacks it, and by whether it
/// stands on a marker.
pub(crate) const MOMENT: usize = 810;
/// Landings of the seat, if fewer than ten.
const LIBERTY: usize = 890;
/// All markers.
const TOTAL: usize = 900;
/// The number of chevrons.
const CHEVRONS: usize = 943;
/// Enemy chevrons that two or more own ones attack, up to three.
const PINCERS: usize = 948;
/// Landings beyond a border, up to 15.
const CROSSINGS: usize = 952;
/// Whether the seat is to move.
const MOVER: usize = 968;
/// Whether there are three seats; a fact of every seat.
const THREE: usize = 969;

/// Facts of a seat.
const FACTS: usize = 970;

/// From one block of inputs to the next.
pub const STRIDE: usize = 1 << 10;

/// Sets of output weights: by own chevrons and by whether the seat is to move.
const BUCKETS: usize = 8;

/// The shape of the network for two seats, or for three and four: a block for each seat seen.
#[must_use]
pub const fn shape(views: usize) -> Shape {
    Shape { blocks: views, used: FACTS, stride: STRIDE, buckets: BUCKETS }
}

/// A fact and the seat that owns it, in one number.
pub type OwnedFact = u16;

pub(crate) const fn owned(seat: usize, fact: usize) -> OwnedFact {
    (seat * STRIDE + fact) as OwnedFact
}

/// The inputs of one view, or the facts of one position.
pub type Facts = ArrayVec<OwnedFact, 256>;

/// Where the view of a seat has the facts of each: its own first, then by the order of turns. With
/// three seats the previous one is where it is with four.
#[inline(always)]
#[must_use]
pub fn blocks_of(view: usize, seats: usize) -> Blocks {
    let mut blocks = Blocks::default();
    for (seat, block) in blocks.iter_mut().enumerate().take(seats) {
        let ahead = if seat < view { seat + seats - view } else { seat - view };
        *block = if seats == 3 && ahead == 2 { 3 } else { ahead as u8 };
    }
    blocks
}

/// The output weights for a seat.
#[inline(always)]
#[must_use]
pub fn bucket_of(position: &Position, seat: usize) -> usize {
    let chevrons = position.chevron_fields(seat).len().clamp(1, 4) - 1;
    2 * chevrons + usize::from(position.mover() == seat)
}

/// Adds the facts of what stands on a field.
#[inline(always)]
pub(crate) fn add_field(position: &Position, field: Field, facts: &mut Facts) {
    let cell = position.cell(field);
    if let Some(seat) = cell.marker() {
        facts.push(owned(seat, MARKER + field.index()));
    }
    if cell.is_occupied() {
        let fact = CHEVRON + 8 * field.index() + cell.facing().index();
        facts.push(owned(cell.chevron_seat(), fact));
    }
}

/// Adds the fact of the markers of a seat in a borderland.
#[inline(always)]
pub(crate) fn add_count(position: &Position, seat: usize, borderland: usize, facts: &mut Facts) {
    let markers = count(position.markers_in(seat, borderland));
    if markers > 0 {
        facts.push(owned(seat, COUNT + 9 * borderland + markers - 1));
    }
}

/// Adds all facts of the board.
pub fn add_board(position: &Position, facts: &mut Facts) {
    Field::all().for_each(|field| add_field(position, field, facts));
    for seat in 0..position.seats() {
        (0..BORDERLANDS).for_each(|borderland| add_count(position, seat, borderland, facts));
    }
}

/// Adds the facts of the board that a move ended, and those it began.
#[inline]
pub(crate) fn add_changes(
    before: &Position,
    after: &Position,
    ended: &mut Facts,
    begun: &mut Facts,
) {
    before.for_each_difference(after, |field| {
        add_field(before, field, ended);
        add_field(after, field, begun);
    });
    for seat in 0..before.seats() {
        for borderland in 0..BORDERLANDS {
            if before.markers_in(seat, borderland) != after.markers_in(seat, borderland) {
                add_count(before, seat, borderland, ended);
                add_count(after, seat, borderland, begun);
            }
        }
    }
}

/// Calls `add` with every fact of the moment.
#[inline(always)]
pub fn visit_moment(position: &Position, maps: &AttackMaps, mut add: impl FnMut(OwnedFact)) {
    let seats = position.seats() & 7;
    // Of all seats: chevrons that one enemy chevron attacks, that the seat to move could capture,
    // that another could.
    let mut attacked = [[0; 3]; SEATS];
    for enemy in 0..seats {
        for (seat, sets) in attacked.iter_mut().enumerate().take(seats) {
            if seat != enemy {
                let taken = 1 + usize::from(enemy != position.mover());
                sets[0] |= maps.attacked[enemy & 3];
                sets[taken] |= maps.pincered[enemy & 3];
            }
        }
    }
    for (seat, sets) in attacked.iter().enumerate().take(seats) {
        let mut add = |fact| add(owned(seat, fact));
        let fields = position.chevron_fields(seat);
        add(CHEVRONS + fields.len().min(4));
        if fields.is_empty() {
            continue;
        }
        let (mut landings, mut crossings) = (0, 0);
        for (&field, reach) in fields.iter().zip(&maps.reach[seat & 3]) {
            let bit = field_bit(field);
            let attack = match sets.map(|set| set & bit != 0) {
                [_, true, _] => 2,
                [_, _, true] => 3,
                [true, ..] => 1,
                _ => 0,
            };
            let on_marker = usize::from(position.cell(field).is_chevron_on_marker());
            add(MOMENT + 8 * mobility_bucket(reach.landings) + 2 * attack + on_marker);
            landings += reach.landings as usize;
            crossings += reach.crossings as usize;
        }
        if landings < 10 {
            add(LIBERTY + landings);
        }
        add(TOTAL + position.marker_count(seat).min(CHEVRONS - TOTAL - 1));
        add(PINCERS + (maps.pincered[seat & 3].count_ones() as usize).min(3));
        add(CROSSINGS + crossings.min(15));
        if seat == position.mover() {
            add(MOVER);
        }
        if seats == 3 {
            add(THREE);
        }
    }
}

/// The images of the facts under the eight symmetries of the board; facts of the moment are their
/// own.
#[must_use]
pub fn symmetries() -> [[u16; STRIDE]; 8] {
    let mut tables = [std::array::from_fn(|fact| fact as u16); 8];
    for (way, table) in tables.iter_mut().enumerate() {
        for field in 0..81 {
            let to = turned(way, field, 9);
            table[MARKER + field] = (MARKER + to) as u16;
            for facing in 0..8 {
                let fact = CHEVRON + 8 * field + facing;
                table[fact] = (CHEVRON + 8 * to + turned_facing(way, facing)) as u16;
            }
        }
        for borderland in 0..BORDERLANDS {
            let to = turned(way, borderland, 3);
            for markers in 0..9 {
                table[COUNT + 9 * borderland + markers] = (COUNT + 9 * to + markers) as u16;
            }
        }
    }
    tables
}

/// The image of a cell of a square board: mirrored by files (1), by ranks (2), by the diagonal (4).
fn turned(way: usize, cell: usize, size: usize) -> usize {
    let (mut file, mut rank) = (cell % size, cell / size);
    if way & 1 != 0 {
        file = size - 1 - file;
    }
    if way & 2 != 0 {
        rank = size - 1 - rank;
    }
    if way & 4 != 0 {
        (file, rank) = (rank, file);
    }
    rank * size + file
}

/// The image of a facing, clockwise from north.
fn turned_facing(way: usize, mut facing: usize) -> usize {
    if way & 1 != 0 {
        facing = (8 - facing) % 8;
    }
    if way & 2 != 0 {
        facing = (12 - facing) % 8;
    }
    if way & 4 != 0 {
        facing = (10 - facing) % 8;
    }
    facing
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::{Random, Rules};
    use crate::games::chevrons::{Board, Direction};

    fn facts(position: &Position) -> Vec<OwnedFact> {
        let mut facts = Facts::new();
        add_board(position, &mut facts);
        visit_moment(position, &AttackMaps::new(position), |fact| facts.push(fact));
        facts.sort_unstable();
        facts.to_vec()
    }

    /// The board turned or mirrored, by the geometry alone.
    fn image(position: &Position, way: usize) -> Position {
        let field = |field: Field| Field::new(turned(way, field.index(), 9));
        let (seats, options) = (position.seats(), position.options());
        let mut other = Board::empty(seats, position.mover(), options.key(seats));
        for from in Field::all() {
            let cell = position.cell(from);
            if let Some(owner) = cell.marker() {
                other.set_marker(field(from), Some(owner));
            }
            if cell.is_occupied() {
                // Where a step that way leads, or comes from.
                let facing = Direction::all().find(|facing| match from.next(cell.facing()) {
                    Some(to) => field(from).next(*facing) == Some(field(to)),
                    None => {
                        let back = from.next(cell.facing().back()).map(field);
                        let there = field(from).next(facing.back());
                        back.is_some() && there == back && field(from).next(*facing).is_none()
                    }
                });
                // A chevron in a corner may face along neither: any way off the board will do.
                let facing = facing
                    .unwrap_or(Direction::new(turned_facing(way, cell.facing().index()) as u8));
                other.place_chevron(cell.chevron_seat(), field(from), facing);
            }
        }
        Position::new(other, options)
    }

    /// Facts of a turned board are the turned facts, those of the moment the same.
    #[test]
    fn a_turned_board_has_the_turned_facts() {
        let tables = symmetries();
        let mut checked = 0;
        for players in ["2", "3", "4"] {
            let mut rules = Position::default_rules();
            rules.set("Players", players).expect("a number of players");
            let mut position = Position::start(&rules, None).expect("a start");
            let mut random = Random::new(7);
            for _ in 0..120 {
                let Some(m) = position.random_move(&mut random) else { break };
                position.play(&m);
                let here = facts(&position);
                for (way, table) in tables.iter().enumerate() {
                    let image_of = |owned: &OwnedFact| {
                        let fact = table[*owned as usize % STRIDE];
                        owned / STRIDE as u16 * STRIDE as u16 + fact
                    };
                    let mut images: Vec<OwnedFact> = here.iter().map(image_of).collect();
                    images.sort_unstable();
                    assert_eq!(facts(&image(&position, way)), images, "{way}: {position}");
                    checked += 1;
                }
            }
        }
        assert!(checked > 1_000, "{checked}");
    }
}
