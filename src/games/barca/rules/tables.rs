//! Tables computed by the compiler: neighbours, lines, keys.
//!
//! A position keeps its occupancy in four orders (by rank, file, diagonal, antidiagonal), two words
//! each. In its own order every line is a run of at most ten bits within one word, so its occupancy
//! costs a shift and a mask, without special instructions, and is the index into a table of the
//! squares that can be reached along it. The occupancy of the two end squares is not part of the
//! index: they always count as reachable, and the generator removes them with all other occupied
//! squares.

use super::board::{HOLE_SET, NO_SQUARE, SQUARES, SquareSet, file_of, rank_of, square};
use crate::game::splitmix64;

/// The orders of the occupancy.
const RANK: usize = 0;
const FILE: usize = 1;
const DIAGONAL: usize = 2;
const ANTIDIAGONAL: usize = 3;

/// Words of the occupancy in all four orders.
pub(super) const WORDS: usize = 8;

/// The bits of every square in the words of the occupancy.
pub(super) static OCCUPANCY: [[u64; WORDS]; 128] = {
    let mut bits = [[0; WORDS]; 128];
    let mut s = 0;
    while s < SQUARES {
        let mut order = 0;
        while order < 4 {
            let place = place(order, s);
            bits[s as usize][place.word as usize] = 1 << (place.start + place.at);
            order += 1;
        }
        s += 1;
    }
    bits
};

/// Where a square lies in one order.
#[derive(Clone, Copy)]
struct Place {
    word: u8,
    /// First bit of its line.
    start: u8,
    length: u8,
    /// Index of the square in its line.
    at: u8,
}

const fn place(order: usize, s: u8) -> Place {
    let (file, rank) = (file_of(s), rank_of(s));
    let word = 2 * order as u8;
    match order {
        RANK => Place { word: word + rank / 5, start: rank % 5 * 10, length: 10, at: file },
        FILE => Place { word: word + file / 5, start: file % 5 * 10, length: 10, at: rank },
        DIAGONAL => diagonal_place(word, file + 9 - rank, if file < rank { file } else { rank }),
        _ => {
            let line = file + rank;
            diagonal_place(word, line, if line <= 9 { file } else { file - (line - 9) })
        }
    }
}

/// Of the nineteen diagonals the first ten lie in the first word.
const fn diagonal_place(word: u8, line: u8, at: u8) -> Place {
    let length = 10 - line.abs_diff(9);
    let first = if line < 10 { 0 } else { 10 };
    let mut start = 0;
    let mut before = first;
    while before < line {
        start += 10 - before.abs_diff(9);
        before += 1;
    }
    Place { word: word + first / 10, start, length, at }
}

/// The square at an index of the line that `s` lies on.
const fn on_line(order: usize, s: u8, index: u8) -> u8 {
    let at = place(order, s).at;
    let (file, rank) = (file_of(s), rank_of(s));
    match order {
        RANK => square(index, rank),
        FILE => square(file, index),
        DIAGONAL => square(file - at + index, rank - at + index),
        _ => square(file - at + index, rank + at - index),
    }
}

/// The data of a square: one cache line.
#[repr(align(64))]
pub(crate) struct SquareData {
    /// The square itself.
    pub set: SquareSet,
    /// Its neighbours.
    pub near: SquareSet,
    /// First entry in [`DIAGONAL_REACH`] of the two diagonals.
    pub base: [u16; 2],
    /// Mask of the index on the two diagonals.
    pub mask: [u8; 2],
    /// Word of the occupancy, for each order.
    pub word: [u8; 4],
    /// The shift of the occupancy, for each order.
    pub shift: [u8; 4],
    /// Row of [`RANK_REACH`].
    pub file: u8,
    /// Row of [`FILE_REACH`].
    pub rank: u8,
    /// Bit of the first square of the rank in its word.
    pub first: u8,
    /// Shift from file a to this file.
    pub aside: u8,
    /// All bits if the rank lies in the high word, else none.
    pub high: i8,
    /// 1 for a watering hole, else 0.
    pub holes: u8,
}

/// The data of a square.
#[inline(always)]
pub(crate) fn at(square: u8) -> &'static SquareData {
    &SQUARE_TABLE[square as usize]
}

static SQUARE_TABLE: [SquareData; 256] = {
    // An absent animal uses the empty rows; with a row for every byte no index needs a check.
    let mut table = [const {
        SquareData {
            set: SquareSet::EMPTY,
            near: SquareSet::EMPTY,
            base: [EMPTY_ENTRY; 2],
            mask: [0; 2],
            word: [0; 4],
            shift: [0; 4],
            file: 10,
            rank: 10,
            first: 0,
            aside: 0,
            high: 0,
            holes: 0,
        }
    }; 256];
    let mut base = 0;
    let mut s = 0;
    while s < SQUARES {
        let of = &mut table[s as usize];
        of.set = SquareSet::of(s);
        of.near = neighbours(s);
        (of.file, of.rank, of.aside) = (file_of(s), rank_of(s), file_of(s));
        of.high = if rank_of(s) < 5 { 0 } else { -1 };
        of.first = rank_of(s) % 5 * 10;
        of.holes = HOLE_SET.contains(s) as u8;
        let mut order = 0;
        while order < 4 {
            let place = place(order, s);
            of.word[order] = place.word;
            of.shift[order] = place.start + 1;
            if order >= DIAGONAL {
                of.base[order - DIAGONAL] = base;
                of.mask[order - DIAGONAL] = (entries(place.length) - 1) as u8;
                base += entries(place.length);
            }
            order += 1;
        }
        s += 1;
    }
    table
};

const fn neighbours(a: u8) -> SquareSet {
    let mut near = SquareSet::EMPTY;
    let mut b = 0;
    while b < SQUARES {
        let files = file_of(a).abs_diff(file_of(b));
        let ranks = rank_of(a).abs_diff(rank_of(b));
        if a != b && files <= 1 && ranks <= 1 {
            near.0 |= SquareSet::of(b).0;
        }
        b += 1;
    }
    near
}

/// The number of occupancies of the inner squares of a line.
const fn entries(length: u8) -> u16 {
    if length > 2 { 1 << (length - 2) } else { 1 }
}

/// Entries of [`DIAGONAL_REACH`]: a power of two, so that a mask keeps an index in range.
pub(super) const DIAGONAL_ENTRIES: usize = (1 + LINE_ENTRIES).next_power_of_two();

const LINE_ENTRIES: usize = {
    let mut total = 0;
    let mut s = 0;
    while s < SQUARES {
        total += entries(place(DIAGONAL, s).length) as usize;
        total += entries(place(ANTIDIAGONAL, s).length) as usize;
        s += 1;
    }
    total
};

const EMPTY_ENTRY: u16 = DIAGONAL_ENTRIES as u16 - 1;

/// The indices reached from `at` on a line whose inner squares are occupied as `inner` says.
const fn reach(at: u8, length: u8, inner: u16) -> u16 {
    let occupied = inner << 1;
    let mut reached = 0;
    let mut up = at + 1;
    while up < length {
        reached |= 1 << up;
        if occupied >> up & 1 != 0 {
            break;
        }
        up += 1;
    }
    let mut down = at;
    while down > 0 {
        down -= 1;
        reached |= 1 << down;
        if occupied >> down & 1 != 0 {
            break;
        }
    }
    reached
}

/// Files reached along a rank, by own file and inner occupancy.
pub(super) static RANK_REACH: [[u16; 256]; 16] = {
    let mut table = [[0; 256]; 16];
    let mut at = 0;
    while at < 10 {
        let mut inner = 0;
        while inner < 256 {
            table[at as usize][inner as usize] = reach(at, 10, inner);
            inner += 1;
        }
        at += 1;
    }
    table
};

/// Squares of file a reached along the file, by own rank and inner occupancy.
pub(super) static FILE_REACH: [[SquareSet; 256]; 16] = {
    let mut table = [[SquareSet::EMPTY; 256]; 16];
    let mut at = 0;
    while at < 10 {
        let mut inner = 0;
        while inner < 256 {
            table[at as usize][inner as usize] = spread(FILE, square(0, at), reach(at, 10, inner));
            inner += 1;
        }
        at += 1;
    }
    table
};

/// Squares reached along the diagonals, by square and inner occupancy.
#[allow(long_running_const_eval)]
pub(super) static DIAGONAL_REACH: [SquareSet; DIAGONAL_ENTRIES] = {
    let mut table = [SquareSet::EMPTY; DIAGONAL_ENTRIES];
    let mut s = 0;
    while s < SQUARES {
        let mut order = DIAGONAL;
        while order <= ANTIDIAGONAL {
            let place = place(order, s);
            let base = SQUARE_TABLE[s as usize].base[order - DIAGONAL];
            let mut inner = 0;
            while inner < entries(place.length) {
                table[(base + inner) as usize] =
                    spread(order, s, reach(place.at, place.length, inner));
                inner += 1;
            }
            order += 1;
        }
        s += 1;
    }
    table
};

/// The squares of indices on the line of `s`.
const fn spread(order: usize, s: u8, reached: u16) -> SquareSet {
    let mut set = 0;
    let mut left = reached;
    while left != 0 {
        set |= SquareSet::of(on_line(order, s, left.trailing_zeros() as u8)).0;
        left &= left - 1;
    }
    SquareSet(set)
}

/// The key of an animal on a square, by side and kind.
pub(crate) static ANIMAL_KEYS: [[[u64; 128]; 3]; 2] = {
    let mut keys = [[[0; 128]; 3]; 2];
    let mut i = 0;
    while i < 6 * SQUARES as usize {
        let (side, kind, s) = (i / 300, i / 100 % 3, i % 100);
        keys[side][kind][s] = splitmix64(0xBA2C_A000 + i as u64);
        i += 1;
    }
    keys
};

/// The key of Black to move.
pub(crate) const BLACK_KEY: u64 = splitmix64(0xBA2C_AFFF);

const _: () = assert!(NO_SQUARE >= SQUARES && NO_SQUARE < 128);
