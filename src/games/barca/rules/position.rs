//! A position, and what a move changes in it.

use std::hash::{Hash, Hasher};

use super::board::{HOLE_SET, Kind, NO_SQUARE, SIZE, SquareSet, square};
use super::moves::Move;
use super::tables::{ANIMAL_KEYS, BLACK_KEY, OCCUPANCY, WORDS, at};

/// Animals of a side: two of each kind.
pub const ANIMALS: usize = 6;

/// Places for the squares of a side's animals: a word.
const PLACES: usize = 8;

/// A position of Barca: which animals stand where, and who is to move.
///
/// Everything but `animals` and `side` follows from them and is stored for speed. The squares on
/// which an animal is afraid are not stored: two loads are cheaper than copying them.
#[derive(Clone, Copy, Debug)]
pub struct Position {
    /// Occupancy in four orders, see [`super::tables`].
    pub(super) lines: [u64; WORDS],
    key: u64,
    /// Squares by side: mice, lions, elephants, each pair in ascending order; then
    /// [`NO_SQUARE`], so that the squares of a side are one word.
    animals: [[u8; PLACES]; 2],
    /// How many animals of each side stand on watering holes.
    held: [u8; 2],
    side: u8,
}

impl Position {
    /// The board without animals.
    #[must_use]
    pub fn empty(side: usize) -> Self {
        Position {
            lines: [0; WORDS],
            key: if side == 0 { 0 } else { BLACK_KEY },
            animals: [[NO_SQUARE; PLACES]; 2],
            held: [0; 2],
            side: side as u8,
        }
    }

    /// The starting position: elephants on e and f of the first rank, mice in front of them, lions
    /// beside the mice; Black's likewise. White is to move.
    pub(super) fn starting() -> Self {
        let mut position = Position::empty(0);
        for (side, ranks) in [(0, [0, 1]), (1, [SIZE - 1, SIZE - 2])] {
            for (kind, files, rank) in [
                (Kind::Elephant, [4, 5], ranks[0]),
                (Kind::Mouse, [4, 5], ranks[1]),
                (Kind::Lion, [3, 6], ranks[1]),
            ] {
                for file in files {
                    position.put(side, kind, square(file, rank));
                }
            }
        }
        position
    }

    /// Puts a further animal on a vacant square; `false` if the side has two of the kind already.
    pub fn put(&mut self, side: usize, kind: Kind, square: u8) -> bool {
        let Some(slot) = self.pair(side, kind).iter().position(|s| *s == NO_SQUARE) else {
            return false;
        };
        self.animals[side][2 * kind as usize + slot] = square;
        self.sort(side, kind as usize);
        self.key ^= ANIMAL_KEYS[side][kind as usize][square as usize];
        for (word, bits) in self.lines.iter_mut().zip(OCCUPANCY[square as usize]) {
            *word ^= bits;
        }
        self.held[side] += HOLE_SET.contains(square) as u8;
        true
    }

    /// The position with the animal of one square on another, vacant one.
    #[cfg(feature = "search")]
    pub(crate) fn replaced(&self, from: u8, to: u8) -> Position {
        let mut changed = Position::empty(self.side());
        for (side, kind) in [0, 1].into_iter().flat_map(|side| Kind::ALL.map(|kind| (side, kind))) {
            for square in self.standing(side, kind) {
                changed.put(side, kind, if square == from { to } else { square });
            }
        }
        changed
    }

    /// The side to move: 0 is White, 1 is Black.
    #[must_use]
    pub fn side(&self) -> usize {
        (self.side & 1) as usize
    }

    /// The squares of a side's animals: mice, lions, elephants; [`NO_SQUARE`] for absent ones.
    #[must_use]
    pub fn animals(&self, side: usize) -> &[u8; ANIMALS] {
        let [squares @ .., _, _] = &self.animals[side & 1];
        squares
    }

    /// The squares of a side's two animals of a kind.
    #[must_use]
    pub fn pair(&self, side: usize, kind: Kind) -> [u8; 2] {
        let [m0, m1, l0, l1, e0, e1, ..] = self.animals[side & 1];
        match kind {
            Kind::Mouse => [m0, m1],
            Kind::Lion => [l0, l1],
            Kind::Elephant => [e0, e1],
        }
    }

    /// Where a side's animals of a kind stand.
    #[inline(always)]
    #[must_use]
    pub fn standing(&self, side: usize, kind: Kind) -> SquareSet {
        let [a, b] = self.pair(side, kind);
        at(a).set | at(b).set
    }

    /// Where a side's animals of a kind are afraid.
    #[inline(always)]
    #[must_use]
    pub fn feared(&self, side: usize, kind: Kind) -> SquareSet {
        let [a, b] = self.pair(side ^ 1, kind.feared());
        at(a).near | at(b).near
    }

    /// The occupied squares.
    #[inline(always)]
    #[must_use]
    pub fn occupied(&self) -> SquareSet {
        // Sets have the order by rank.
        SquareSet(self.lines[0] as u128 | (self.lines[1] as u128) << 64)
    }

    /// The animals of a side that are afraid.
    #[inline(always)]
    #[must_use]
    pub fn afraid(&self, side: usize) -> SquareSet {
        let mut afraid = SquareSet::EMPTY;
        for kind in Kind::ALL {
            afraid |= self.afraid_of_kind(side, kind);
        }
        afraid
    }

    /// The animals of a side that are of a kind and afraid.
    #[inline(always)]
    #[must_use]
    pub(crate) fn afraid_of_kind(&self, side: usize, kind: Kind) -> SquareSet {
        self.standing(side, kind) & self.feared(side, kind)
    }

    /// Whether the side to move has an animal that is afraid.
    #[cfg(feature = "search")]
    #[inline]
    #[must_use]
    pub fn is_afraid(&self) -> bool {
        let side = self.side();
        let [m0, m1, l0, l1, e0, e1] = self.animals(side).map(|square| at(square).set.0);
        let [n0, n1, o0, o1, p0, p1] = self.animals(side ^ 1).map(|square| at(square).near.0);
        ((m0 | m1) & (o0 | o1)) | ((l0 | l1) & (p0 | p1)) | ((e0 | e1) & (n0 | n1)) != 0
    }

    /// How many watering holes a side holds.
    #[must_use]
    pub fn held(&self, side: usize) -> u8 {
        self.held[side & 1]
    }

    /// The side that holds three watering holes, if one does.
    #[inline(always)]
    #[must_use]
    pub fn winner(&self) -> Option<usize> {
        let [first, second] = self.held;
        if first.max(second) < 3 {
            return None;
        }
        Some(if first >= 3 { 0 } else { 1 })
    }

    /// The animal on a square: its side and kind.
    #[must_use]
    pub(crate) fn animal_at(&self, square: u8) -> Option<(usize, Kind)> {
        [0, 1].into_iter().find_map(|side| Some((side, self.kind_at(side, square)?)))
    }

    /// The kind of a side's animal on a square, if it has one there.
    #[inline(always)]
    #[must_use]
    pub(crate) fn kind_at(&self, side: usize, square: u8) -> Option<Kind> {
        let slot = self.slot_of(side, square);
        (slot < ANIMALS && square < NO_SQUARE).then(|| Kind::ALL[slot / 2])
    }

    /// The index of a side's animal on a square; at least [`ANIMALS`] if there is none.
    #[inline(always)]
    fn slot_of(&self, side: usize, square: u8) -> usize {
        // The first byte of the word that equals the square, without a loop: subtracting 1 from
        // every byte of the difference borrows from the highest bit of the first zero byte, and
        // a byte below 128 has none of its own.
        const ONES: u64 = 0x0101_0101_0101_0101;
        let squares = u64::from_le_bytes(self.animals[side & 1]);
        let difference = squares ^ (ONES * u64::from(square & 127));
        let zeroes = difference.wrapping_sub(ONES) & (ONES << 7);
        zeroes.trailing_zeros() as usize / 8
    }

    /// The key of the position.
    pub(super) fn zobrist(&self) -> u64 {
        self.key
    }

    /// The key computed afresh.
    pub(super) fn fresh_zobrist(&self) -> u64 {
        let mut key = if self.side == 0 { 0 } else { BLACK_KEY };
        for side in [0, 1] {
            for kind in Kind::ALL {
                for square in self.standing(side, kind) {
                    key ^= ANIMAL_KEYS[side][kind as usize][square as usize];
                }
            }
        }
        key
    }

    /// Moves an own animal to a vacant square and passes the turn.
    #[inline]
    pub(super) fn make(&mut self, m: Move) {
        let (from, to) = ((m.from & 127) as usize, (m.to & 127) as usize);
        for ((word, left), entered) in
            self.lines.iter_mut().zip(&OCCUPANCY[from]).zip(&OCCUPANCY[to])
        {
            *word ^= left ^ entered;
        }
        let side = self.side();
        let slot = self.slot_of(side, m.from).min(ANIMALS - 1);
        self.animals[side][slot] = m.to & 127;
        self.sort(side, slot / 2);
        let keys = &ANIMAL_KEYS[side][slot / 2];
        self.key ^= keys[from] ^ keys[to] ^ BLACK_KEY;
        self.held[side] =
            self.held[side].wrapping_add(at(m.to).holes).wrapping_sub(at(m.from).holes);
        self.side ^= 1;
    }

    /// The key of the position after a move.
    #[cfg(feature = "search")]
    #[inline(always)]
    pub(crate) fn key_after(&self, m: Move) -> u64 {
        let side = self.side();
        let slot = self.slot_of(side, m.from).min(ANIMALS - 1);
        let keys = &ANIMAL_KEYS[side][slot / 2];
        self.key ^ keys[(m.from & 127) as usize] ^ keys[(m.to & 127) as usize] ^ BLACK_KEY
    }

    /// The position after a null move.
    #[cfg(feature = "search")]
    #[must_use]
    pub fn passed(&self) -> Position {
        Position { key: self.key ^ BLACK_KEY, side: self.side ^ 1, ..*self }
    }

    /// Animals of one kind and side are interchangeable: each pair is kept in ascending order.
    #[inline(always)]
    fn sort(&mut self, side: usize, kind: usize) {
        let animals = &mut self.animals[side];
        let (a, b) = (animals[2 * kind], animals[2 * kind + 1]);
        animals[2 * kind] = a.min(b);
        animals[2 * kind + 1] = a.max(b);
    }
}

impl PartialEq for Position {
    fn eq(&self, other: &Self) -> bool {
        self.animals == other.animals && self.side == other.side
    }
}

impl Eq for Position {}

impl Hash for Position {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.key.hash(state);
    }
}
