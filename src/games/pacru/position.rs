//! One position: what stands where, counted by seat and borderland, and the changes of one field.

use std::hash::{Hash, Hasher};

use super::board::{BORDERLANDS, Direction, FIELDS, Field, WHOLE, count};
use crate::game::{Outcome, Seat, splitmix64};

/// The most seats of a game of Pacru.
pub const SEATS: usize = 4;

/// The most chevrons of one player.
pub const CHEVRONS: usize = 4;

/// Chevrons of each player at the start: 4 of two players, 3 of three or four.
pub const fn chevrons_each(seats: usize) -> usize {
    if seats == 2 { 4 } else { 3 }
}

/// Markers that win the game, by the number of players.
pub const fn winning_markers(seats: usize) -> usize {
    match seats {
        2 => 42,
        3 => 28,
        _ => 24,
    }
}

/// The rule options in force.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Variant {
    /// Markers some opponent must have for a meeting.
    pub meeting_threshold: u8,
    /// With three players the middle one begins.
    pub traditional: bool,
    /// A claim may be placed on the field just landed on.
    pub landing_marker: bool,
    /// Rotations are moves; without them only for analysis.
    pub rotations: bool,
}

/// What stands on one field. Unoccupied: 0 for neutral, 1 to 4 for a marker of seat 0 to 3.
/// Occupied: the bits of [`Cell::chevron`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) struct Cell(u8);

impl Cell {
    pub const NEUTRAL: Cell = Cell(0);
    const OCCUPIED: u8 = 0x80;
    const OWN: u8 = 0x40;

    /// A marker without a chevron.
    pub const fn marker_of(seat: usize) -> Self {
        Cell(seat as u8 + 1)
    }

    /// A chevron, on its own marker or on a neutral field.
    pub const fn chevron(seat: usize, facing: Direction, on_marker: bool) -> Self {
        let own = if on_marker { Self::OWN } else { 0 };
        Cell(Self::OCCUPIED | own | (seat as u8) << 3 | facing.index() as u8)
    }

    pub const fn is_occupied(self) -> bool {
        self.0 & Self::OCCUPIED != 0
    }

    /// Whether a chevron stands here on its own marker.
    pub const fn is_chevron_on_marker(self) -> bool {
        self.0 >= Self::OCCUPIED | Self::OWN
    }

    /// The seat of the chevron here, if the field is occupied.
    pub const fn chevron_seat(self) -> usize {
        (self.0 >> 3 & 3) as usize
    }

    /// Where the chevron here looks, if the field is occupied.
    pub const fn facing(self) -> Direction {
        Direction::new(self.0)
    }

    /// The seat whose marker lies here, under a chevron or not.
    pub const fn marker(self) -> Option<usize> {
        match self.0 {
            0 => None,
            code if code < Self::OCCUPIED => Some(code as usize - 1),
            code if code & Self::OWN != 0 => Some(self.chevron_seat()),
            _ => None,
        }
    }
}

/// The chevrons of one seat, by ascending field.
#[derive(Clone, Copy, Debug)]
pub(super) struct Chevrons {
    fields: [Field; CHEVRONS],
    count: u8,
}

impl Chevrons {
    const NONE: Chevrons = Chevrons { fields: [Field::new(0); CHEVRONS], count: 0 };

    pub fn fields(&self) -> &[Field] {
        &self.fields[..self.count as usize & 7]
    }

    fn insert(&mut self, field: Field) {
        let mut at = self.count as usize;
        while at > 0 && self.fields[at - 1] > field {
            self.fields[at] = self.fields[at - 1];
            at -= 1;
        }
        self.fields[at] = field;
        self.count += 1;
    }

    fn remove(&mut self, field: Field) {
        let mut found = false;
        for at in 0..CHEVRONS {
            found |= at < self.count as usize && self.fields[at] == field;
            if found && at + 1 < CHEVRONS {
                self.fields[at] = self.fields[at + 1];
            }
        }
        self.count -= found as u8;
    }
}

/// A position of Pacru with two, three or four players, rule options included.
///
/// The cells, the turn and the options are the position; all else is counted from them and kept
/// from move to move.
#[derive(Clone, Debug)]
pub struct Position {
    pub(super) cells: [Cell; FIELDS],
    pub(super) seats: u8,
    pub(super) turn: u8,
    /// The winner's index, or [`Position::NOBODY`].
    winner: u8,
    pub(super) variant: Variant,
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

impl Position {
    const NOBODY: u8 = u8::MAX;

    /// An empty board.
    pub(super) fn empty(seats: usize, turn: usize, variant: Variant) -> Self {
        let key = turn_key(turn) ^ variant_key(seats, variant);
        Position {
            cells: [Cell::NEUTRAL; FIELDS],
            seats: seats as u8,
            turn: turn as u8,
            winner: Self::NOBODY,
            variant,
            totals: [0; SEATS],
            chevrons: [Chevrons::NONE; SEATS],
            markers: [[0; BORDERLANDS]; SEATS],
            neutral: [WHOLE; BORDERLANDS],
            occupied: [0; BORDERLANDS],
            key,
        }
    }

    /// The seat to move; in a finished game the next one with chevrons.
    pub(super) fn mover(&self) -> usize {
        self.turn as usize & 3
    }

    /// The rule options in force.
    pub fn variant(&self) -> Variant {
        self.variant
    }

    /// How many markers a seat has, those under chevrons included.
    pub fn markers(&self, seat: Seat) -> usize {
        self.totals[seat.index()] as usize
    }

    /// The fields of a seat's chevrons, ascending.
    pub fn chevrons(&self, seat: Seat) -> &[Field] {
        self.chevrons[seat.index()].fields()
    }

    /// The seat whose marker lies on a field.
    pub fn marker(&self, field: Field) -> Option<Seat> {
        self.cells[field.index()].marker().map(Seat::new)
    }

    /// The seat and the facing of the chevron on a field.
    pub fn chevron(&self, field: Field) -> Option<(Seat, Direction)> {
        let cell = self.cells[field.index()];
        cell.is_occupied().then(|| (Seat::new(cell.chevron_seat()), cell.facing()))
    }

    /// How far a chevron of a seat may move from a borderland.
    pub fn power(&self, seat: Seat, borderland: usize) -> usize {
        self.power_of(seat.index(), borderland)
    }

    pub(super) fn power_of(&self, seat: usize, borderland: usize) -> usize {
        count(self.markers[seat & 3][borderland]).max(1)
    }

    pub(super) fn total(&self, seat: usize) -> usize {
        self.totals[seat & 3] as usize
    }

    pub(super) fn fields_of(&self, seat: usize) -> &[Field] {
        self.chevrons[seat & 3].fields()
    }

    pub(super) fn marked(&self, seat: usize, borderland: usize) -> u16 {
        self.markers[seat & 3][borderland]
    }

    pub(super) fn neutral(&self, borderland: usize) -> u16 {
        self.neutral[borderland]
    }

    pub(super) fn occupied(&self, borderland: usize) -> u16 {
        self.occupied[borderland]
    }

    /// Own markers that may be paid with: those on unoccupied fields.
    pub(super) fn purse(&self, seat: usize) -> usize {
        let covered = self.fields_of(seat).iter();
        let covered = covered.filter(|f| self.cells[f.index()].is_chevron_on_marker()).count();
        self.total(seat) - covered
    }

    /// Puts a marker of a seat on a field, or removes the one there.
    pub(super) fn mark(&mut self, field: Field, seat: Option<usize>) {
        let cell = self.cells[field.index()];
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
    pub(super) fn lift(&mut self, field: Field) {
        let cell = self.cells[field.index()];
        let seat = cell.chevron_seat();
        self.key ^= chevron_key(seat, field, cell.facing());
        self.chevrons[seat].remove(field);
        self.occupied[field.borderland()] ^= field.bit();
        self.cells[field.index()] = cell.marker().map_or(Cell::NEUTRAL, Cell::marker_of);
    }

    /// Puts a chevron on an unoccupied field that is neutral or its own.
    pub(super) fn put(&mut self, seat: usize, field: Field, facing: Direction) {
        let on_marker = self.cells[field.index()].marker().is_some();
        self.key ^= chevron_key(seat, field, facing);
        self.chevrons[seat & 3].insert(field);
        self.occupied[field.borderland()] ^= field.bit();
        self.cells[field.index()] = Cell::chevron(seat, facing, on_marker);
    }

    /// Turns the chevron on an occupied field.
    pub(super) fn face(&mut self, field: Field, facing: Direction) {
        let cell = self.cells[field.index()];
        let seat = cell.chevron_seat();
        self.key ^= chevron_key(seat, field, cell.facing()) ^ chevron_key(seat, field, facing);
        self.cells[field.index()] = Cell::chevron(seat, facing, cell.is_chevron_on_marker());
    }

    /// The turn passes on after a move, or begins in a position that was read: the game may be won,
    /// players without chevrons are skipped, and players who cannot move are out.
    pub(super) fn settle(&mut self, first: usize) {
        self.key ^= turn_key(self.mover());
        self.turn = self.decide(first) as u8;
        self.key ^= turn_key(self.mover());
    }

    fn decide(&mut self, first: usize) -> usize {
        let seats = self.seats as usize;
        let goal = winning_markers(seats);
        let mut turn = first % seats;
        while self.fields_of(turn).is_empty() {
            turn = (turn + 1) % seats;
        }
        if let Some(winner) = (0..seats).find(|seat| self.total(*seat) >= goal) {
            self.winner = winner as u8;
            return turn;
        }
        loop {
            if self.fields_of(turn).is_empty() {
                turn = (turn + 1) % seats;
                continue;
            }
            if (0..seats).all(|seat| seat == turn || self.fields_of(seat).is_empty()) {
                self.winner = turn as u8;
                return turn;
            }
            if self.can_move(turn) {
                return turn;
            }
            while let [field, ..] = *self.fields_of(turn) {
                self.lift(field);
            }
        }
    }

    /// The winner, if there is one.
    pub(super) fn winner(&self) -> Option<usize> {
        (self.winner != Self::NOBODY).then_some(self.winner as usize)
    }

    pub(super) fn is_over(&self) -> bool {
        self.winner != Self::NOBODY
    }

    /// Places: those for whom `first` holds share the first, the others follow by markers.
    pub(super) fn ranking(&self, first: impl Fn(usize) -> bool) -> Outcome {
        let mut scores = [0; SEATS];
        let seats = self.seats as usize;
        for (seat, score) in scores.iter_mut().enumerate().take(seats) {
            *score = if first(seat) { i64::MAX } else { self.total(seat) as i64 };
        }
        Outcome::from_scores(&scores[..seats])
    }

    pub(super) fn current_key(&self) -> u64 {
        self.key
    }

    /// The key computed from the cells.
    pub(super) fn computed_key(&self) -> u64 {
        let mut key = turn_key(self.mover()) ^ variant_key(self.seats as usize, self.variant);
        for field in Field::all() {
            let cell = self.cells[field.index()];
            if let Some(owner) = cell.marker() {
                key ^= marker_key(owner, field);
            }
            if cell.is_occupied() {
                key ^= chevron_key(cell.chevron_seat(), field, cell.facing());
            }
        }
        key
    }
}

impl PartialEq for Position {
    fn eq(&self, other: &Self) -> bool {
        self.key == other.key
            && self.cells == other.cells
            && (self.seats, self.turn, self.variant) == (other.seats, other.turn, other.variant)
    }
}

impl Eq for Position {}

impl Hash for Position {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.key.hash(state);
    }
}

const fn field_keys(salt: u64) -> [[u64; FIELDS]; SEATS] {
    let mut keys = [[0; FIELDS]; SEATS];
    let mut index = 0;
    while index < SEATS * FIELDS {
        keys[index / FIELDS][index % FIELDS] = splitmix64(salt + index as u64);
        index += 1;
    }
    keys
}

static MARKER_KEYS: [[u64; FIELDS]; SEATS] = field_keys(0x7061_6372_7500_0000);
static CHEVRON_KEYS: [[u64; FIELDS]; SEATS] = field_keys(0x7061_6372_7501_0000);

fn marker_key(seat: usize, field: Field) -> u64 {
    MARKER_KEYS[seat & 3][field.index()]
}

/// The eight facings are the eight rotations of one number by whole bytes.
fn chevron_key(seat: usize, field: Field, facing: Direction) -> u64 {
    CHEVRON_KEYS[seat & 3][field.index()].rotate_left(8 * facing.index() as u32)
}

const fn turn_key(seat: usize) -> u64 {
    splitmix64(0x7061_6372_7502_0000 + seat as u64)
}

/// Options that change how the game can go on; the order of the start does not.
const fn variant_key(seats: usize, variant: Variant) -> u64 {
    let flags = (variant.landing_marker as u64) << 8 | (variant.rotations as u64) << 9;
    let code = variant.meeting_threshold as u64 | flags | (seats as u64) << 10;
    splitmix64(0x7061_6372_7503_0000 + code)
}
