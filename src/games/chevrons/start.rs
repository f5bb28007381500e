//! The starting positions.

use super::board::Board;
use super::fields::{Direction, Field};

const N: Direction = Direction::new(0);
const NE: Direction = Direction::new(1);
const E: Direction = Direction::new(2);
const S: Direction = Direction::new(4);
const SW: Direction = Direction::new(5);
const W: Direction = Direction::new(6);

/// The chevrons of each seat: field and facing.
type Layout = [&'static [(Field, Direction)]];

const TWO: &Layout = &[
    &[(at(b"a3"), E), (at(b"e1"), N), (at(b"i3"), W), (at(b"i9"), SW)],
    &[(at(b"a7"), E), (at(b"e9"), S), (at(b"i7"), W), (at(b"a1"), NE)],
];

/// With three players the last seat is missing.
const THREE_AND_FOUR: &Layout = &[
    &[(at(b"g9"), S), (at(b"i5"), W), (at(b"g1"), N)],
    &[(at(b"c9"), S), (at(b"a5"), E), (at(b"c1"), N)],
    &[(at(b"e9"), S), (at(b"a7"), E), (at(b"i7"), W)],
    &[(at(b"e1"), N), (at(b"a3"), E), (at(b"i3"), W)],
];

/// The field of a name.
const fn at(name: &[u8; 2]) -> Field {
    Field::new((name[1] - b'1') as usize * 9 + (name[0] - b'a') as usize)
}

impl Board {
    /// The starting position for two, three or four seats.
    pub(crate) fn start(seats: usize, first: usize, salt: u64) -> Board {
        let mut board = Board::empty(seats, first, salt);
        let layout = if seats == 2 { TWO } else { THREE_AND_FOUR };
        for (seat, chevrons) in layout.iter().enumerate().take(seats) {
            for (field, facing) in *chevrons {
                board.place_chevron(seat, *field, *facing);
            }
        }
        board
    }
}
