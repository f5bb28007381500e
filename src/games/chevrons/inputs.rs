//! The inputs of the networks: what a board shows, by the seat that owns it.
//!
//! A *fact* is a seat and a number below [`STRIDE`]. The view of a seat has the facts of all seats as
//! inputs, each in the block of the seat that owns it, seen from that seat: its own, the next one's
//! and so on ([`blocks_of`]). Facts of the board (chevrons, markers, counts of borderlands) change
//! with few fields and are kept in the accumulator; facts of the moment are those of a game, and are
//! found anew for every position.

use arrayvec::ArrayVec;

use super::{BORDERLANDS, Board, Field, count};
use crate::search::seat_network::Blocks;

/// A chevron: by field and facing. The constants below are numbers of facts, of a group the first.
pub(crate) const CHEVRON: usize = 0;
/// A marker, under a chevron or not: by field.
pub(crate) const MARKER: usize = 648;
/// Markers in a borderland, if any: by borderland and number.
pub(crate) const COUNT: usize = 729;
/// Facts of the moment begin here.
pub(crate) const MOMENT: usize = 810;

/// From one block of inputs to the next.
pub const STRIDE: usize = 1 << 10;

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

/// Adds the facts of what stands on a field.
#[inline(always)]
fn add_field(board: &Board, field: Field, facts: &mut Facts) {
    let cell = board.cell(field);
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
fn add_count(board: &Board, seat: usize, borderland: usize, facts: &mut Facts) {
    let markers = count(board.markers_in(seat, borderland));
    if markers > 0 {
        facts.push(owned(seat, COUNT + 9 * borderland + markers - 1));
    }
}

/// Adds all facts of the board.
pub fn add_board(board: &Board, facts: &mut Facts) {
    Field::all().for_each(|field| add_field(board, field, facts));
    for seat in 0..board.seats() {
        (0..BORDERLANDS).for_each(|borderland| add_count(board, seat, borderland, facts));
    }
}

/// Adds the facts of the board that a move ended, and those it began.
#[inline]
pub(crate) fn add_changes(before: &Board, after: &Board, ended: &mut Facts, begun: &mut Facts) {
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

/// The images of the facts under the eight symmetries of the board. `by_field` are the first numbers
/// of the groups of a game that go by field; its other facts of the moment are their own images.
#[must_use]
pub fn symmetries(by_field: &[usize]) -> [[u16; STRIDE]; 8] {
    let mut tables = [std::array::from_fn(|fact| fact as u16); 8];
    for (way, table) in tables.iter_mut().enumerate() {
        for field in 0..81 {
            let to = turned(way, field, 9);
            for group in by_field.iter().chain([&MARKER]) {
                table[group + field] = (group + to) as u16;
            }
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
pub(crate) fn turned(way: usize, cell: usize, size: usize) -> usize {
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
pub(crate) fn turned_facing(way: usize, mut facing: usize) -> usize {
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
