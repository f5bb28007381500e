//! The board: what stands where, counted by seat and borderland, whose turn it is, and the changes of
//! one field.

use super::cell::{Cell, Chevrons};
use super::fields::{BORDERLANDS, Direction, FIELDS, Field, SEATS, WHOLE, count};
use super::keys::{chevron_key, marker_key, turn_key};
use crate::game::{Outcome, Seat};

/// Chevrons of each player at the start: 4 of two players, 3 of three or four.
#[must_use]
pub(crate) const fn chevrons_each(seats: usize) -> usize {
    if seats == 2 { 4 } else { 3 }
}

/// Markers and chevrons on the fields, for two, three or four players, and the seat to move.
///
/// The cells and the turn are the board; all else is counted from them and kept from move to move.
#[derive(Clone, Debug)]
pub struct Board {
    cells: [Cell; FIELDS],
    seats: u8,
    turn: u8,
    /// Markers of each seat.
    totals: [u8; SEATS],
    chevrons: [Chevrons; SEATS],
    /// Markers of each seat, chevrons on them or not: nine bits a borderland.
    markers: [[u16; BORDERLANDS]; SEATS],
    /// Fields without a marker.
    neutral: [u16; BORDERLANDS],
    /// Fields under chevrons.
    occupied: [u16; BORDERLANDS],
    key: u64,
}

impl Board {
    /// An empty board. `salt` is what the rules of the game add to its keys.
    pub(crate) fn empty(seats: usize, turn: usize, salt: u64) -> Self {
        Board {
            cells: [Cell::NEUTRAL; FIELDS],
            seats: seats as u8,
            turn: turn as u8,
            totals: [0; SEATS],
            chevrons: [Chevrons::NONE; SEATS],
            markers: [[0; BORDERLANDS]; SEATS],
            neutral: [WHOLE; BORDERLANDS],
            occupied: [0; BORDERLANDS],
            key: turn_key(turn) ^ salt,
        }
    }

    /// The key that is kept from move to move.
    #[inline]
    pub(crate) fn key(&self) -> u64 {
        self.key
    }

    /// The key computed from the cells and the turn.
    pub(crate) fn computed_key(&self, salt: u64) -> u64 {
        let mut key = turn_key(self.mover()) ^ salt;
        for field in Field::all() {
            let cell = self.cell(field);
            if let Some(owner) = cell.marker() {
                key ^= marker_key(owner, field);
            }
            if cell.is_occupied() {
                key ^= chevron_key(cell.chevron_seat(), field, cell.facing());
            }
        }
        key
    }

    /// How many players there are.
    #[inline]
    #[must_use]
    pub fn seats(&self) -> usize {
        self.seats as usize
    }

    /// The turn passes to a seat.
    pub(crate) fn pass_to(&mut self, seat: usize) {
        self.key ^= turn_key(self.mover()) ^ turn_key(seat);
        self.turn = seat as u8;
    }

    /// What stands on a field.
    #[inline]
    pub(crate) fn cell(&self, field: Field) -> Cell {
        self.cells[field.index()]
    }

    /// Calls `visit` with every field on which something else stands in another position.
    #[cfg(feature = "search")]
    #[inline]
    pub(crate) fn for_each_difference(&self, other: &Board, mut visit: impl FnMut(Field)) {
        // Eight fields are compared at a time; few differ.
        let (own, own_rest) = self.cells.as_chunks::<8>();
        let (others, other_rest) = other.cells.as_chunks::<8>();
        for (chunk, (own, other)) in own.iter().zip(others).enumerate() {
            let code = |cells: &[Cell; 8]| u64::from_le_bytes(cells.map(Cell::code));
            let mut apart = code(own) ^ code(other);
            while apart != 0 {
                let at = apart.trailing_zeros() / 8;
                visit(Field::new(8 * chunk + at as usize));
                apart &= !(0xFF << (8 * at));
            }
        }
        for (at, (own, other)) in own_rest.iter().zip(other_rest).enumerate() {
            if own != other {
                visit(Field::new(FIELDS - own_rest.len() + at));
            }
        }
    }

    /// The key after a chevron of the seat to move has gone to another field and a field was claimed.
    #[cfg(feature = "search")]
    #[inline]
    pub(crate) fn key_after(
        &self,
        [from, to]: [Field; 2],
        facing: Direction,
        claim: Option<Field>,
        next: usize,
    ) -> u64 {
        let seat = self.mover();
        let mut key = self.key ^ turn_key(seat) ^ turn_key(next);
        key ^= chevron_key(seat, from, self.cell(from).facing()) ^ chevron_key(seat, to, facing);
        if let Some(field) = claim {
            key ^= marker_key(seat, field);
            if let Some(owner) = self.cell(field).marker() {
                key ^= marker_key(owner, field);
            }
        }
        key
    }

    /// The seat to move.
    #[inline]
    pub(crate) fn mover(&self) -> usize {
        self.turn as usize & 3
    }

    /// How many markers a seat has, those under chevrons included.
    #[must_use]
    pub fn markers(&self, seat: Seat) -> usize {
        self.totals[seat.index()] as usize
    }

    /// The fields of a seat's chevrons, ascending.
    #[must_use]
    pub fn chevrons(&self, seat: Seat) -> &[Field] {
        self.chevrons[seat.index()].fields()
    }

    /// The seat whose marker lies on a field.
    #[must_use]
    pub fn marker(&self, field: Field) -> Option<Seat> {
        self.cell(field).marker().map(Seat::new)
    }

    /// The seat and the facing of the chevron on a field.
    #[must_use]
    pub fn chevron(&self, field: Field) -> Option<(Seat, Direction)> {
        let cell = self.cell(field);
        cell.is_occupied().then(|| (Seat::new(cell.chevron_seat()), cell.facing()))
    }

    /// How far a chevron of a seat may move from a field: its markers in that borderland, at least 1.
    #[must_use]
    pub fn power(&self, seat: Seat, from: Field) -> usize {
        self.power_of(seat.index(), from.borderland())
    }

    pub(crate) fn power_of(&self, seat: usize, borderland: usize) -> usize {
        count(self.markers[seat & 3][borderland]).max(1)
    }

    pub(crate) fn marker_count(&self, seat: usize) -> usize {
        self.totals[seat & 3] as usize
    }

    /// The fields of the chevrons of a seat, by index.
    #[must_use]
    pub fn chevron_fields(&self, seat: usize) -> &[Field] {
        self.chevrons[seat & 3].fields()
    }

    pub(crate) fn markers_in(&self, seat: usize, borderland: usize) -> u16 {
        self.markers[seat & 3][borderland]
    }

    pub(crate) fn neutral_in(&self, borderland: usize) -> u16 {
        self.neutral[borderland]
    }

    pub(crate) fn occupied_in(&self, borderland: usize) -> u16 {
        self.occupied[borderland]
    }

    /// Puts a marker of a seat on a field, or removes the one there.
    pub(crate) fn set_marker(&mut self, field: Field, seat: Option<usize>) {
        let cell = self.cell(field);
        let before = cell.marker();
        if before == seat {
            return;
        }
        let (borderland, bit) = (field.borderland(), field.bit());
        match before {
            Some(owner) => {
                self.markers[owner & 3][borderland] ^= bit;
                self.totals[owner & 3] -= 1;
                self.key ^= marker_key(owner, field);
            }
            None => self.neutral[borderland] ^= bit,
        }
        match seat {
            Some(owner) => {
                self.markers[owner & 3][borderland] ^= bit;
                self.totals[owner & 3] += 1;
                self.key ^= marker_key(owner, field);
            }
            None => self.neutral[borderland] ^= bit,
        }
        self.cells[field.index()] = if cell.is_occupied() {
            Cell::chevron(cell.chevron_seat(), cell.facing(), seat.is_some())
        } else {
            seat.map_or(Cell::NEUTRAL, Cell::marker_of)
        };
    }

    /// Takes the chevron off an occupied field; its marker stays.
    pub(crate) fn remove_chevron(&mut self, field: Field) {
        let cell = self.cell(field);
        let seat = cell.chevron_seat();
        self.key ^= chevron_key(seat, field, cell.facing());
        self.chevrons[seat].remove(field);
        self.occupied[field.borderland()] ^= field.bit();
        self.cells[field.index()] = cell.marker().map_or(Cell::NEUTRAL, Cell::marker_of);
    }

    /// Puts a chevron on an unoccupied field that is neutral or its own.
    pub(crate) fn place_chevron(&mut self, seat: usize, field: Field, facing: Direction) {
        let on_marker = self.cell(field).marker().is_some();
        self.key ^= chevron_key(seat, field, facing);
        self.chevrons[seat & 3].insert(field);
        self.occupied[field.borderland()] ^= field.bit();
        self.cells[field.index()] = Cell::chevron(seat, facing, on_marker);
    }

    /// Turns the chevron on an occupied field.
    pub(crate) fn turn_chevron(&mut self, field: Field, facing: Direction) {
        let cell = self.cell(field);
        let seat = cell.chevron_seat();
        self.key ^= chevron_key(seat, field, cell.facing()) ^ chevron_key(seat, field, facing);
        self.cells[field.index()] = Cell::chevron(seat, facing, cell.is_chevron_on_marker());
    }

    /// Places: those for whom `first` holds share the first, the others follow by markers.
    pub(crate) fn ranking(&self, first: impl Fn(usize) -> bool) -> Outcome {
        let mut scores = [0; SEATS];
        let seats = self.seats();
        for (seat, score) in scores.iter_mut().enumerate().take(seats) {
            *score = if first(seat) { i64::MAX } else { self.marker_count(seat) as i64 };
        }
        Outcome::from_scores(&scores[..seats])
    }
}

impl PartialEq for Board {
    #[inline]
    fn eq(&self, other: &Self) -> bool {
        self.key == other.key
            && self.cells == other.cells
            && (self.seats, self.turn) == (other.seats, other.turn)
    }
}

impl Eq for Board {}
