//! The board: 81 fields, nine borderlands, eight directions, and the rays between fields.

use std::fmt;

/// Fields of the board.
pub(crate) const FIELDS: usize = 81;

/// Borderlands of the board, and fields of a borderland.
pub(crate) const BORDERLANDS: usize = 9;

/// Every field of a borderland.
pub(crate) const WHOLE: u16 = 0x1FF;

/// The most seats of a game of Pacru.
pub const SEATS: usize = 4;

/// One field, numbered row by row: a1 is 0, b1 is 1, i9 is 80.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Field(u8);

impl Field {
    /// The field of a file and a rank, both from 0; `None` beyond the board.
    #[must_use]
    pub fn at(file: usize, rank: usize) -> Option<Self> {
        (file < 9 && rank < 9).then(|| Field((rank * 9 + file) as u8))
    }

    /// A field by its index, for loops that cannot leave the board.
    pub(crate) const fn new(index: usize) -> Self {
        debug_assert!(index < FIELDS);
        Field(index as u8)
    }

    /// All fields: a1 b1 .. i1 a2 .. i9.
    #[must_use]
    pub fn all() -> impl DoubleEndedIterator<Item = Field> + ExactSizeIterator {
        (0..FIELDS).map(Field::new)
    }

    /// The index from 0.
    pub(crate) const fn index(self) -> usize {
        self.0 as usize
    }

    /// The file from 0.
    #[must_use]
    pub const fn file(self) -> usize {
        self.index() % 9
    }

    /// The rank from 0.
    #[must_use]
    pub const fn rank(self) -> usize {
        self.index() / 9
    }

    /// The number of its borderland from 0, row by row: that of a1 is 0, of i9 8.
    #[must_use]
    pub const fn borderland(self) -> usize {
        PLACES[self.index()].0 as usize
    }

    /// Its bit among the nine of its borderland.
    pub(crate) const fn bit(self) -> u16 {
        PLACES[self.index()].1
    }

    /// How many fields lie ahead in a direction before the edge.
    pub(crate) const fn room(self, direction: Direction) -> usize {
        ROOM[self.index()][direction.index()] as usize
    }

    /// The field a number of steps ahead, at most [`Field::room`].
    pub(crate) const fn ahead(self, direction: Direction, steps: usize) -> Self {
        debug_assert!(steps <= self.room(direction));
        Field((self.0 as i8 + STEP[direction.index()] * steps as i8) as u8)
    }

    /// The next field in a direction, if there is one.
    #[must_use]
    pub fn next(self, direction: Direction) -> Option<Self> {
        (self.room(direction) > 0).then(|| self.ahead(direction, 1))
    }

    /// The field of a bit of a borderland.
    pub(crate) const fn of_bit(borderland: usize, bit: u32) -> Self {
        Field(FIELD_OF[borderland][bit as usize])
    }

    /// How many steps of a king lead to another field.
    pub(crate) const fn distance(self, to: Field) -> usize {
        let (files, ranks) = (self.file().abs_diff(to.file()), self.rank().abs_diff(to.rank()));
        if files > ranks { files } else { ranks }
    }

    /// The straight line to another field: its direction and length, if there is one.
    #[must_use]
    pub(crate) fn line_to(self, to: Field) -> Option<(Direction, usize)> {
        let files = to.file() as i32 - self.file() as i32;
        let ranks = to.rank() as i32 - self.rank() as i32;
        let steps = files.abs().max(ranks.abs());
        let straight = files == 0 || ranks == 0 || files.abs() == ranks.abs();
        if steps == 0 || !straight {
            return None;
        }
        let toward = 3 * (ranks.signum() + 1) + files.signum() + 1;
        Some((Direction::new(TOWARD[toward as usize]), steps as usize))
    }

    /// The fields strictly between this one and the one some steps ahead.
    pub(crate) fn between(
        self,
        direction: Direction,
        steps: usize,
    ) -> impl Iterator<Item = Field> + Clone {
        (1..steps).map(move |step| self.ahead(direction, step))
    }

    /// Reads `a1` to `i9` from the two bytes of a text.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        let &[file, rank] = text.as_bytes() else {
            return None;
        };
        if !(b'a'..=b'i').contains(&file) || !(b'1'..=b'9').contains(&rank) {
            return None;
        }
        Field::at((file - b'a') as usize, (rank - b'1') as usize)
    }
}

impl fmt::Display for Field {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", (b'a' + self.file() as u8) as char, self.rank() + 1)
    }
}

impl fmt::Debug for Field {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// One of the eight directions, clockwise from north; also what a chevron faces.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Direction(u8);

impl Direction {
    /// All directions, clockwise from north.
    #[must_use]
    pub fn all() -> impl DoubleEndedIterator<Item = Direction> + ExactSizeIterator {
        (0..8).map(Direction)
    }

    pub(crate) const fn new(index: u8) -> Self {
        Direction(index & 7)
    }

    /// The index from 0, clockwise from north.
    pub(crate) const fn index(self) -> usize {
        (self.0 & 7) as usize
    }

    /// Turned clockwise by a number of eighths.
    #[must_use]
    pub const fn turned(self, eighths: u8) -> Self {
        Direction(self.0.wrapping_add(eighths) & 7)
    }

    /// The opposite direction.
    #[must_use]
    pub const fn back(self) -> Self {
        self.turned(4)
    }

    /// Straight ahead and 45 degrees either way.
    #[must_use]
    pub fn forward(self) -> [Direction; 3] {
        [self.turned(7), self, self.turned(1)]
    }

    /// `N`, `NE`, `E`, ...
    #[must_use]
    pub const fn name(self) -> &'static str {
        ["N", "NE", "E", "SE", "S", "SW", "W", "NW"][self.index()]
    }

    /// An arrow that points there.
    #[must_use]
    pub const fn arrow(self) -> char {
        [
            '\u{2191}', '\u{2197}', '\u{2192}', '\u{2198}', '\u{2193}', '\u{2199}', '\u{2190}',
            '\u{2196}',
        ][self.index()]
    }

    /// Reads a name.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        Direction::all().find(|direction| direction.name() == text)
    }
}

impl fmt::Display for Direction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl fmt::Debug for Direction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// Steps of file and rank, clockwise from north.
const VECTORS: [(i8, i8); 8] =
    [(0, 1), (1, 1), (1, 0), (1, -1), (0, -1), (-1, -1), (-1, 0), (-1, 1)];

/// The direction of a step by its rank and file, each -1, 0 or 1: from south-west row by row.
const TOWARD: [u8; 9] = [5, 4, 3, 6, 0, 2, 7, 0, 1];

/// The number of fields in a set of bits in one borderland, from a small table: equally fast with and
/// without a popcount instruction.
#[inline]
pub(crate) fn count(bits: u16) -> usize {
    COUNTS[(bits & WHOLE) as usize] as usize
}

static COUNTS: [u8; WHOLE as usize + 1] = {
    let mut counts = [0; WHOLE as usize + 1];
    let mut bits = 0;
    while bits < counts.len() {
        counts[bits] = bits.count_ones() as u8;
        bits += 1;
    }
    counts
};

/// The fields of a set of bits in one borderland.
pub(crate) fn fields_in(borderland: usize, mut bits: u16) -> impl Iterator<Item = Field> {
    std::iter::from_fn(move || {
        let bit = (bits != 0).then(|| bits.trailing_zeros())?;
        bits &= bits - 1;
        Some(Field::of_bit(borderland, bit))
    })
}

/// Difference of field indices for one step.
const STEP: [i8; 8] = [9, 10, 1, -8, -9, -10, -1, 8];

const PLACES: [(u8, u16); FIELDS] = places();
const ROOM: [[u8; 8]; FIELDS] = room();
const FIELD_OF: [[u8; 9]; BORDERLANDS] = field_of();

const fn places() -> [(u8, u16); FIELDS] {
    let mut table = [(0, 0); FIELDS];
    let mut index = 0;
    while index < FIELDS {
        let (file, rank) = (index % 9, index / 9);
        let bit = rank % 3 * 3 + file % 3;
        table[index] = ((rank / 3 * 3 + file / 3) as u8, 1 << bit);
        index += 1;
    }
    table
}

const fn field_of() -> [[u8; 9]; BORDERLANDS] {
    let mut table = [[0; 9]; BORDERLANDS];
    let mut index = 0;
    while index < FIELDS {
        let (borderland, bit) = PLACES[index];
        table[borderland as usize][bit.trailing_zeros() as usize] = index as u8;
        index += 1;
    }
    table
}

const fn room() -> [[u8; 8]; FIELDS] {
    let mut table = [[0; 8]; FIELDS];
    let mut index = 0;
    while index < FIELDS {
        let mut direction = 0;
        while direction < 8 {
            let (step_file, step_rank) = VECTORS[direction];
            let (mut file, mut rank) = ((index % 9) as i8, (index / 9) as i8);
            let mut steps = 0;
            loop {
                file += step_file;
                rank += step_rank;
                if file < 0 || file > 8 || rank < 0 || rank > 8 {
                    break;
                }
                steps += 1;
            }
            table[index][direction] = steps;
            direction += 1;
        }
        index += 1;
    }
    table
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn borderlands_are_three_by_three_blocks() {
        for field in Field::all() {
            let same = Field::all().filter(|other| other.borderland() == field.borderland());
            assert_eq!(same.count(), 9);
            let back = Field::of_bit(field.borderland(), field.bit().trailing_zeros());
            assert_eq!(back, field);
        }
        let e5 = Field::parse("e5").unwrap();
        assert_eq!(e5.borderland(), Field::parse("d4").unwrap().borderland());
        assert_ne!(e5.borderland(), Field::parse("c4").unwrap().borderland());
    }

    #[test]
    fn rays_follow_the_compass_and_end_at_the_edge() {
        let e2 = Field::parse("e2").unwrap();
        for (name, room, next) in
            [("N", 7, "e3"), ("NE", 4, "f3"), ("E", 4, "f2"), ("SE", 1, "f1"), ("S", 1, "e1")]
        {
            let direction = Direction::parse(name).unwrap();
            assert_eq!(e2.room(direction), room, "{name}");
            assert_eq!(e2.next(direction).unwrap().to_string(), next);
        }
        for from in Field::all() {
            for direction in Direction::all() {
                for steps in 1..=from.room(direction) {
                    let to = from.ahead(direction, steps);
                    assert_eq!(from.line_to(to), Some((direction, steps)));
                }
            }
        }
        assert_eq!(e2.line_to(Field::parse("f4").unwrap()), None);
    }

    #[test]
    fn names_read_back() {
        for field in Field::all() {
            assert_eq!(Field::parse(&field.to_string()), Some(field));
        }
        for text in ["", "a", "j1", "a0", "a10", "A1", "1a"] {
            assert_eq!(Field::parse(text), None, "{text}");
        }
    }
}
