//! The board: 28 squares cut into four triangles each, without the sixteen triangles at the tip
//! that are blocked off. Every table here is computed by formula at compile time.
//!
//! A space has the index `(row * 4 + column) * 4 + side` with the sides n, e, s, w as 0 to 3, so
//! that the triangle across the square is `index ^ 2`. Row 1, the flat end, is row 0 here. A set of
//! spaces is a `u128` with one bit for each space.

use std::fmt;

/// Columns `a` to `d`.
pub(crate) const COLUMNS: usize = 4;
/// Rows `1` (flat end) to `7` (tip).
pub(crate) const ROWS: usize = 7;
/// Triangles, the blocked ones included.
pub const SPACES: usize = COLUMNS * ROWS * 4;

const NORTH: usize = 0;
const EAST: usize = 1;
const SOUTH: usize = 2;
const WEST: usize = 3;

/// A set of spaces.
pub type Set = u128;

/// One triangle.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Space(u8);

impl Space {
    /// The triangle of a square (column and row from 0) on a side (n, e, s, w as 0 to 3), if it
    /// exists.
    #[must_use]
    pub const fn new(column: usize, row: usize, side: usize) -> Option<Self> {
        if column >= COLUMNS || row >= ROWS || side >= 4 {
            return None;
        }
        Space::from_index((row * COLUMNS + column) * 4 + side)
    }

    /// The triangle with an index, if it exists.
    #[must_use]
    pub(crate) const fn from_index(index: usize) -> Option<Self> {
        if index < SPACES && BOARD >> index & 1 == 1 { Some(Space(index as u8)) } else { None }
    }

    /// The index, below [`SPACES`].
    #[inline]
    #[must_use]
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// The column from 0.
    #[must_use]
    pub const fn column(self) -> usize {
        self.index() / 4 % COLUMNS
    }

    /// The row from 0, the flat end.
    #[must_use]
    pub const fn row(self) -> usize {
        self.index() / 4 / COLUMNS
    }

    /// The side of its square: n, e, s, w as 0 to 3.
    #[must_use]
    pub const fn side(self) -> usize {
        self.index() % 4
    }

    /// The set of this space alone.
    #[inline]
    #[must_use]
    pub const fn bit(self) -> Set {
        1 << self.0
    }

    /// The opposite triangle of the same square, if it exists.
    #[inline]
    #[must_use]
    pub const fn across(self) -> Option<Self> {
        Space::from_index(self.index() ^ 2)
    }

    /// Where a piece on this space could move on an empty board; empty where no triangle is across.
    #[inline]
    #[must_use]
    pub const fn reach(self) -> Set {
        REACH[self.index() & 127]
    }

    /// The space on the other side of the long axis: a for d, b for c, e for w.
    #[must_use]
    pub const fn mirrored(self) -> Self {
        Space(mirror_index(self.index()) as u8)
    }

    /// Reads a name such as `b6w`.
    pub fn parse(name: &[u8]) -> Result<Self, SpaceError> {
        let &[column, row, side] = name else {
            return Err(SpaceError::Malformed);
        };
        let find = |list: &[u8], byte| list.iter().position(|known| *known == byte);
        let column = find(b"abcd", column).ok_or(SpaceError::Malformed)?;
        let row = find(b"1234567", row).ok_or(SpaceError::Malformed)?;
        let side = find(b"nesw", side).ok_or(SpaceError::Malformed)?;
        Space::new(column, row, side).ok_or(SpaceError::Blocked)
    }
}

impl fmt::Display for Space {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let column = char::from(b'a' + self.column() as u8);
        let side = ['n', 'e', 's', 'w'][self.side()];
        write!(f, "{column}{}{side}", self.row() + 1)
    }
}

/// Why a name is no space.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum SpaceError {
    /// Not a column, a row and a side.
    #[error("a space is a column a-d, a row 1-7 and a side n, e, s or w")]
    Malformed,
    /// One of the sixteen triangles that are no part of the board.
    #[error("that triangle is blocked off and no part of the board")]
    Blocked,
}

/// Every space in order of index.
#[must_use]
pub fn spaces(set: Set) -> Spaces {
    Spaces(set)
}

/// The spaces of a set in order of index.
#[derive(Clone, Copy, Debug)]
pub struct Spaces(Set);

impl Iterator for Spaces {
    type Item = Space;

    #[inline]
    fn next(&mut self) -> Option<Space> {
        if self.0 == 0 {
            return None;
        }
        let space = Space(self.0.trailing_zeros() as u8);
        self.0 &= self.0 - 1;
        Some(space)
    }

    #[inline]
    fn nth(&mut self, skipped: usize) -> Option<Space> {
        // Work on halves of 64 bits, and skip the lower half in one step where possible.
        let lower = self.0 as u64;
        let (mut half, base, mut left) = match (lower.count_ones() as usize) <= skipped {
            true => ((self.0 >> 64) as u64, 64, skipped - lower.count_ones() as usize),
            false => (lower, 0, skipped),
        };
        while left > 0 {
            half &= half.wrapping_sub(1);
            left -= 1;
        }
        if half == 0 {
            self.0 = 0;
            return None;
        }
        let index = base + half.trailing_zeros();
        self.0 &= Set::MAX.checked_shl(index + 1).unwrap_or(0);
        Some(Space(index as u8))
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        let count = self.0.count_ones() as usize;
        (count, Some(count))
    }
}

/// The triangles across from those of a set; blocked ones may be among them.
#[inline]
#[must_use]
pub const fn across(set: Set) -> Set {
    const NORTH_AND_EAST: Set = 0x3333_3333_3333_3333_3333_3333_3333_3333;
    (set & NORTH_AND_EAST) << 2 | set >> 2 & NORTH_AND_EAST
}

/// A set reflected in the long axis.
#[must_use]
pub fn mirrored(set: Set) -> Set {
    spaces(set).fold(0, |mirror, space| mirror | space.mirrored().bit())
}

const fn mirror_index(index: usize) -> usize {
    let (square, side) = (index / 4, index % 4);
    let (column, row) = (square % COLUMNS, square / COLUMNS);
    // n and s stay, e and w are swapped.
    let side = if side % 2 == 1 { 4 - side } else { side };
    (row * COLUMNS + COLUMNS - 1 - column) * 4 + side
}

const fn at(column: usize, row: usize, side: usize) -> Set {
    1 << ((row * COLUMNS + column) * 4 + side)
}

/// The part of a square outside the two outer slopes of the tip.
const fn blocked() -> Set {
    let left = at(0, 5, SOUTH) | at(0, 5, WEST) | at(1, 6, SOUTH) | at(1, 6, WEST);
    let right = at(3, 5, SOUTH) | at(3, 5, EAST) | at(2, 6, SOUTH) | at(2, 6, EAST);
    let corners = (at(0, 6, NORTH) | at(3, 6, NORTH)) * 0b1111;
    left | right | corners
}

/// The 96 spaces.
pub const BOARD: Set = ((1 << SPACES) - 1) & !blocked();
/// The Por'rika, where the eggs must go: `b7e` and `c7w`.
pub const GOALS: Set = at(1, 6, EAST) | at(2, 6, WEST);
/// Where the Ser'ra start: `b6w b6s c6e c6s`.
pub const SERRA_STARTS: Set = at(1, 5, WEST) | at(1, 5, SOUTH) | at(2, 5, EAST) | at(2, 5, SOUTH);
/// The squares b6 and c6. Every way into the goals crosses one of them.
pub const GOAL_SQUARES: Set = (at(1, 5, NORTH) | at(2, 5, NORTH)) * 0b1111;
/// The spaces from which a goal can be reached: `b6n b6w c6n c6e`.
pub const GOAL_AXES: Set = at(1, 5, NORTH) | at(1, 5, WEST) | at(2, 5, NORTH) | at(2, 5, EAST);
/// The spaces without a triangle across: a piece there can never move.
pub const DEAD: Set = BOARD & !across(BOARD);

/// The spaces on which copper may set up, in the order of the set-up token.
pub const COPPER_STARTS: [Space; 8] = [
    Space(NORTH as u8),
    Space(WEST as u8),
    Space((4 + NORTH) as u8),
    Space((4 + EAST) as u8),
    Space((8 + NORTH) as u8),
    Space((8 + WEST) as u8),
    Space((12 + NORTH) as u8),
    Space((12 + EAST) as u8),
];

/// The two corners of its square that a triangle reaches, as (column, row) of the grid's lines.
const fn corners(index: usize) -> [(usize, usize); 2] {
    let (square, side) = (index / 4, index % 4);
    let (column, row) = (square % COLUMNS, square / COLUMNS);
    match side {
        NORTH => [(column, row), (column + 1, row)],
        EAST => [(column + 1, row), (column + 1, row + 1)],
        SOUTH => [(column, row + 1), (column + 1, row + 1)],
        _ => [(column, row), (column, row + 1)],
    }
}

const fn share_corner(one: usize, other: usize) -> bool {
    let [a, b] = corners(one);
    let [c, d] = corners(other);
    a.0 == c.0 && a.1 == c.1
        || a.0 == d.0 && a.1 == d.1
        || b.0 == c.0 && b.1 == c.1
        || b.0 == d.0 && b.1 == d.1
}

/// Whether two triangles share a side: neighbours in one square, or both at the same edge of the
/// grid.
const fn share_side(one: usize, other: usize) -> bool {
    if one / 4 == other / 4 {
        return (one ^ other) & 1 == 1;
    }
    let [a, b] = corners(one);
    let [c, d] = corners(other);
    a.0 == c.0 && a.1 == c.1 && b.0 == d.0 && b.1 == d.1
}

/// Where a piece may move from each space on an empty board: through the triangle across to every
/// triangle that touches one of its outer corners and shares no side with it.
const REACH: [Set; 128] = {
    let mut reach = [0; 128];
    let mut from = 0;
    while from < SPACES {
        let through = from ^ 2;
        if BOARD >> from & 1 == 1 && BOARD >> through & 1 == 1 {
            let mut to = 0;
            while to < SPACES {
                if BOARD >> to & 1 == 1
                    && to != through
                    && share_corner(through, to)
                    && !share_side(through, to)
                {
                    reach[from] |= 1 << to;
                }
                to += 1;
            }
        }
        from += 1;
    }
    reach
};
