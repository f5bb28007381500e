//! The spaces outside the walls of an ending, numbered.

use crate::games::porrika::rules::board::{BOARD, DEAD, GOALS, Set, Space, spaces};

/// The spaces outside the walls: the Por'rika first, then those with a triangle across, then the
/// dead ones.
#[derive(Clone, Debug)]
pub struct Places {
    /// The spaces of the walls.
    pub walls: Set,
    /// The spaces by number.
    list: Vec<Space>,
    /// The number of each space; unused for spaces in walls.
    numbers: [u8; 128],
    /// How many places an egg may have: all but the dead spaces.
    eggs: usize,
    /// Where a Guardian or a Ser'ra may stand.
    pub pieces: Set,
}

impl Places {
    /// The spaces outside these walls.
    #[must_use]
    pub fn new(walls: Set) -> Self {
        let moving = BOARD & !walls & !DEAD;
        let stuck = DEAD & !GOALS & !walls;
        let list: Vec<Space> = spaces(GOALS).chain(spaces(moving)).chain(spaces(stuck)).collect();
        let mut numbers = [0; 128];
        for (number, space) in list.iter().enumerate() {
            numbers[space.index()] = number as u8;
        }
        let eggs = 2 + moving.count_ones() as usize;
        Places { walls, list, numbers, eggs, pieces: BOARD & !walls & !GOALS }
    }

    fn number(&self, space: Space) -> usize {
        usize::from(self.numbers[space.index() & 127])
    }

    /// How many places a Guardian or a Ser'ra may have: all but the Por'rika.
    #[must_use]
    pub fn width(&self) -> usize {
        self.list.len() - 2
    }

    /// How many of them have a triangle across. They come first.
    #[must_use]
    pub fn moving(&self) -> usize {
        self.eggs - 2
    }

    /// How many pairs of places the eggs may have.
    #[must_use]
    pub fn pairs(&self) -> usize {
        self.eggs * (self.eggs - 1) / 2
    }

    /// The number of a pair of eggs; neither on a dead space.
    #[must_use]
    pub fn pair(&self, eggs: Set) -> usize {
        let mut numbers = spaces(eggs).map(|egg| self.number(egg));
        pair_number(numbers.next().unwrap_or(0), numbers.next().unwrap_or(0))
    }

    /// The pair of eggs with a number.
    #[must_use]
    pub fn eggs_of(&self, pair: usize) -> Set {
        let [low, high] = pair_of(pair);
        self.list[low].bit() | self.list[high].bit()
    }

    /// The column of a Guardian or a Ser'ra: its place without the Por'rika.
    #[must_use]
    pub fn column(&self, space: Space) -> usize {
        self.number(space).saturating_sub(2)
    }

    /// The place of a Guardian or a Ser'ra with a column.
    #[must_use]
    pub fn piece_of(&self, column: usize) -> Space {
        self.list[column + 2]
    }

    /// How many pairs of places two pieces of a kind may have.
    #[must_use]
    pub fn piece_pairs(&self) -> usize {
        self.width() * (self.width() - 1) / 2
    }

    /// The number of a pair of pieces.
    #[must_use]
    pub fn piece_pair(&self, pieces: Set) -> usize {
        let mut columns = spaces(pieces).map(|space| self.column(space));
        pair_number(columns.next().unwrap_or(0), columns.next().unwrap_or(0))
    }
}

/// The number of an unordered pair of two different numbers.
#[must_use]
pub(super) fn pair_number(one: usize, other: usize) -> usize {
    let (low, high) = (one.min(other), one.max(other));
    high * high.saturating_sub(1) / 2 + low
}

/// The pair with a number, the lower one first.
#[must_use]
pub fn pair_of(number: usize) -> [usize; 2] {
    let high = (1 + 8 * number).isqrt().div_ceil(2);
    [number - high * (high - 1) / 2, high]
}

#[cfg(test)]
mod tests {
    use super::{pair_number, pair_of};

    #[test]
    fn pairs_are_numbered_without_a_gap() {
        let mut number = 0;
        for high in 1..100 {
            for low in 0..high {
                assert_eq!(pair_of(number), [low, high]);
                assert_eq!(pair_number(low, high), number);
                assert_eq!(pair_number(high, low), number);
                number += 1;
            }
        }
    }
}
