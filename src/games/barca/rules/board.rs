//! Squares, kinds of animals, sets of squares.

use std::ops::{BitAnd, BitOr, BitOrAssign, Not};

/// The names of the sides.
pub(super) const SIDES: [&str; 2] = ["White", "Black"];

/// Squares on a side of the board.
pub const SIZE: u8 = 10;

/// Squares on the board.
pub const SQUARES: u8 = SIZE * SIZE;

/// The square of an absent animal. Tables indexed by square have 128 entries; this one is empty.
pub const NO_SQUARE: u8 = 127;

/// The watering holes: d4, g4, d7, g7.
pub const HOLES: [u8; 4] = [33, 36, 63, 66];

/// The set of watering holes.
pub(crate) const HOLE_SET: SquareSet = {
    let mut bits = 0;
    let mut i = 0;
    while i < HOLES.len() {
        bits |= SquareSet::of(HOLES[i]).0;
        i += 1;
    }
    SquareSet(bits)
};

/// The kinds of animals. Each fears the next, the last the first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Kind {
    /// Moves along ranks and files; fears the lion.
    Mouse,
    /// Moves along diagonals; fears the elephant.
    Lion,
    /// Moves along ranks, files and diagonals; fears the mouse.
    Elephant,
}

impl Kind {
    /// All kinds, in the order in which a position holds them.
    pub const ALL: [Kind; 3] = [Kind::Mouse, Kind::Lion, Kind::Elephant];

    /// The kind this one fears.
    #[must_use]
    pub const fn feared(self) -> Kind {
        match self {
            Kind::Mouse => Kind::Lion,
            Kind::Lion => Kind::Elephant,
            Kind::Elephant => Kind::Mouse,
        }
    }

    /// The kind that fears this one.
    #[cfg(feature = "search")]
    pub(crate) const fn scared(self) -> Kind {
        self.feared().feared()
    }

    /// Whether two squares lie on one line that the kind moves along.
    #[must_use]
    pub const fn connects(self, a: u8, b: u8) -> bool {
        let (files, ranks) = (file_of(a).abs_diff(file_of(b)), rank_of(a).abs_diff(rank_of(b)));
        match self {
            Kind::Mouse => files == 0 || ranks == 0,
            Kind::Lion => files == ranks,
            Kind::Elephant => files == 0 || ranks == 0 || files == ranks,
        }
    }

    /// The English name.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Kind::Mouse => "mouse",
            Kind::Lion => "lion",
            Kind::Elephant => "elephant",
        }
    }

    /// The letter of the position text: upper case for White.
    #[must_use]
    pub const fn letter(self, side: usize) -> char {
        match (self, side) {
            (Kind::Mouse, 0) => 'M',
            (Kind::Lion, 0) => 'L',
            (Kind::Elephant, 0) => 'E',
            (Kind::Mouse, _) => 'm',
            (Kind::Lion, _) => 'l',
            (Kind::Elephant, _) => 'e',
        }
    }
}

/// The square of a file and a rank, both from 0.
#[must_use]
pub const fn square(file: u8, rank: u8) -> u8 {
    rank * SIZE + file
}

/// The file of a square, from 0.
#[must_use]
pub const fn file_of(square: u8) -> u8 {
    square % SIZE
}

/// The rank of a square, from 0.
#[must_use]
pub const fn rank_of(square: u8) -> u8 {
    square / SIZE
}

/// The name of a square, such as `j10`.
#[must_use]
pub fn square_name(square: u8) -> String {
    format!("{}{}", (b'a' + file_of(square)) as char, rank_of(square) + 1)
}

/// A set of squares. Ranks 1 to 5 are the low 50 bits of the low word, ranks 6 to 10 those of the
/// high word, so that no rank crosses a word boundary and a shift by a file stays within its word.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct SquareSet(pub u128);

impl SquareSet {
    /// No square.
    pub(crate) const EMPTY: SquareSet = SquareSet(0);

    /// One square; none for [`NO_SQUARE`].
    #[must_use]
    pub const fn of(square: u8) -> SquareSet {
        match square {
            0..50 => SquareSet(1 << square),
            50..SQUARES => SquareSet(1 << (square + 14)),
            _ => SquareSet(0),
        }
    }

    /// Whether the set has a square.
    #[must_use]
    pub const fn contains(self, square: u8) -> bool {
        self.0 & SquareSet::of(square).0 != 0
    }

    /// Whether the set has no square.
    #[must_use]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// How many squares the set has.
    #[inline(always)]
    #[must_use]
    pub const fn count(self) -> u32 {
        (self.0 as u64).count_ones() + ((self.0 >> 64) as u64).count_ones()
    }
}

impl BitAnd for SquareSet {
    type Output = SquareSet;

    #[inline(always)]
    fn bitand(self, other: SquareSet) -> SquareSet {
        SquareSet(self.0 & other.0)
    }
}

impl BitOr for SquareSet {
    type Output = SquareSet;

    #[inline(always)]
    fn bitor(self, other: SquareSet) -> SquareSet {
        SquareSet(self.0 | other.0)
    }
}

impl BitOrAssign for SquareSet {
    #[inline(always)]
    fn bitor_assign(&mut self, other: SquareSet) {
        self.0 |= other.0;
    }
}

/// All squares that are not in the set, and bits that are no squares.
impl Not for SquareSet {
    type Output = SquareSet;

    #[inline(always)]
    fn not(self) -> SquareSet {
        SquareSet(!self.0)
    }
}

/// The squares of a set, in ascending order.
impl Iterator for SquareSet {
    type Item = u8;

    #[inline(always)]
    fn next(&mut self) -> Option<u8> {
        let (low, high) = (self.0 as u64, (self.0 >> 64) as u64);
        if low != 0 {
            self.0 = (high as u128) << 64 | (low & (low - 1)) as u128;
            return Some(low.trailing_zeros() as u8);
        }
        if high != 0 {
            self.0 = ((high & (high - 1)) as u128) << 64;
            return Some(high.trailing_zeros() as u8 + 50);
        }
        None
    }

    /// Word by word, which [`SquareSet::next`] must find out for each square.
    #[inline(always)]
    fn fold<B, F: FnMut(B, u8) -> B>(self, start: B, mut visit: F) -> B {
        let (mut low, mut high) = (self.0 as u64, (self.0 >> 64) as u64);
        let mut folded = start;
        while low != 0 {
            folded = visit(folded, low.trailing_zeros() as u8);
            low &= low - 1;
        }
        while high != 0 {
            folded = visit(folded, high.trailing_zeros() as u8 + 50);
            high &= high - 1;
        }
        folded
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sets_give_back_their_squares_in_order() {
        for a in 0..SQUARES {
            for b in a + 1..SQUARES {
                let set = SquareSet::of(a) | SquareSet::of(b);
                assert_eq!(set & !SquareSet::of(a), SquareSet::of(b));
                assert_eq!(set.collect::<Vec<_>>(), [a, b]);
                assert_eq!(set.fold(0, |sum, square| 100 * sum + u32::from(square)), {
                    100 * u32::from(a) + u32::from(b)
                });
                assert_eq!(set.count(), 2);
                assert!(set.contains(a) && set.contains(b));
            }
        }
        assert!(SquareSet::of(NO_SQUARE).is_empty());
    }

    #[test]
    fn the_watering_holes_have_their_names() {
        assert_eq!(HOLES.map(square_name), ["d4", "g4", "d7", "g7"]);
    }
}
