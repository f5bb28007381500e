//! Paths and cells of every board, computed at compile time.
//!
//! A cell is numbered by its index on South's path. The other seats' paths are South's path turned
//! by one, two or three quarters, so that within a ring the index of the next seat differs by a
//! quarter of the ring. Tables translate between path indices of the seats, and cells.

/// Most cells of any board.
pub(crate) const MAX_CELLS: usize = 121;

/// Most pawns of any seat.
pub(crate) const MAX_PAWNS: usize = 10;

/// One letter a seat, in the order of play.
pub(crate) const SIDES: [char; 4] = ['S', 'E', 'N', 'W'];

/// One board: its cells and the paths over them.
pub(crate) struct Geometry {
    /// Cells of a side of the board.
    pub size: u8,
    /// Cells of the outer ring; the first index beyond it.
    pub ring: u8,
    /// Index of the centre.
    pub centre: u8,
    /// File and rank, from 0, of every cell.
    place: [(u8, u8); MAX_CELLS],
    /// By seats further on in the order of play: that seat's path index as one's own.
    relative: [[u8; MAX_CELLS]; 4],
}

impl Geometry {
    /// The tables of a board: `size` 5, 7, 9 or 11.
    pub(crate) fn of(size: u8, inner_anticlockwise: bool) -> &'static Geometry {
        let board = usize::from(size.clamp(5, 11) - 5) / 2;
        &BOARDS[board][inner_anticlockwise as usize]
    }

    /// The own path index of the cell on which a seat `further` seats on has path index `index`.
    pub(crate) fn relative(&self, further: usize, index: u8) -> u8 {
        self.relative[further & 3][index as usize]
    }

    /// The cell of a side's path index.
    pub(crate) fn cell(&self, side: usize, index: u8) -> u8 {
        self.relative(side, index)
    }

    /// A side's path index of a cell.
    pub(crate) fn index(&self, side: usize, cell: u8) -> u8 {
        self.relative(4 - side, cell)
    }

    /// File and rank of a cell, from 0.
    pub(crate) fn place(&self, cell: u8) -> (u8, u8) {
        self.place[cell as usize]
    }

    /// The cell at a file and rank from 0.
    pub(crate) fn at(&self, file: u8, rank: u8) -> Option<u8> {
        (0..=self.centre).find(|cell| self.place(*cell) == (file, rank))
    }

    /// The name of a cell, such as `c1`.
    pub(crate) fn name(&self, cell: u8) -> String {
        let (file, rank) = self.place(cell);
        format!("{}{}", char::from(b'a' + file), rank + 1)
    }

    /// The safe cells as a set: the homes, the centre and, if asked for, the corners. As all four
    /// quarters look the same, it is the same set in every seat's path indices.
    pub(crate) fn safe(&self, corners: bool) -> u128 {
        let mut safe = 1 << self.centre;
        for quarter in 0..4 {
            safe |= 1 << (quarter * (self.ring / 4));
            if corners {
                safe |= 1 << (quarter * (self.ring / 4) + self.size / 2);
            }
        }
        safe
    }
}

const fn ring_of(size: i32, x: i32, y: i32) -> i32 {
    let far = if x.abs() > y.abs() { x.abs() } else { y.abs() };
    size / 2 - far
}

/// The next cell around a ring, coordinates from the centre.
const fn step(far: i32, x: i32, y: i32, anticlockwise: bool) -> (i32, i32) {
    let turn = if anticlockwise { 1 } else { -1 };
    if y == -far && x * turn < far {
        (x + turn, y)
    } else if x * turn == far && y < far {
        (x, y + 1)
    } else if y == far && x * turn > -far {
        (x - turn, y)
    } else {
        (x, y - 1)
    }
}

/// From the last cell of a ring to the first of the next: straight up for South, or, from a corner
/// (and from beside one into the centre), diagonally.
const fn inwards(size: i32, x: i32, y: i32) -> (i32, i32) {
    let ring = ring_of(size, x, y);
    if ring_of(size, x, y + 1) > ring {
        (x, y + 1)
    } else if ring_of(size, x + 1, y) > ring {
        (x + 1, y)
    } else {
        (x + 1, y + 1)
    }
}

const fn build(size: u8, inner_anticlockwise: bool) -> Geometry {
    let half = size as i32 / 2;
    let mut geometry = Geometry {
        size,
        ring: 4 * (size - 1),
        centre: size * size - 1,
        place: [(0, 0); MAX_CELLS],
        relative: [[0; MAX_CELLS]; 4],
    };
    let (mut x, mut y) = (0, -half);
    let mut first = 0;
    let mut depth = 0;
    while depth < half {
        let far = half - depth;
        let cells = 8 * far as usize;
        // The outer ring runs anti-clockwise, the next as the option says, then they alternate.
        let anticlockwise = depth == 0 || (depth % 2 == 1) == inner_anticlockwise;
        let mut i = 0;
        while i < cells {
            geometry.place[first + i] = ((x + half) as u8, (y + half) as u8);
            let mut further = 0;
            while further < 4 {
                let turn = further * cells / 4;
                let turned = if anticlockwise { i + turn } else { i + cells - turn };
                geometry.relative[further][first + i] = (first + turned % cells) as u8;
                further += 1;
            }
            if i + 1 < cells {
                (x, y) = step(far, x, y, anticlockwise);
            }
            i += 1;
        }
        (x, y) = inwards(size as i32, x, y);
        first += cells;
        depth += 1;
    }
    geometry.place[first] = (half as u8, half as u8);
    let mut further = 0;
    while further < 4 {
        geometry.relative[further][first] = first as u8;
        further += 1;
    }
    geometry
}

static BOARDS: [[Geometry; 2]; 4] = [
    [build(5, false), build(5, true)],
    [build(7, false), build(7, true)],
    [build(9, false), build(9, true)],
    [build(11, false), build(11, true)],
];

#[cfg(test)]
mod tests {
    use super::*;

    fn path(size: u8, side: usize) -> String {
        let geometry = Geometry::of(size, false);
        let names: Vec<_> =
            (0..=geometry.centre).map(|i| geometry.name(geometry.cell(side, i))).collect();
        names.join(" ")
    }

    #[test]
    fn paths_of_small_boards() {
        assert_eq!(
            path(5, 0),
            "c1 d1 e1 e2 e3 e4 e5 d5 c5 b5 a5 a4 a3 a2 a1 b1 b2 b3 b4 c4 d4 d3 d2 c2 c3"
        );
        assert_eq!(
            path(7, 0),
            "d1 e1 f1 g1 g2 g3 g4 g5 g6 g7 f7 e7 d7 c7 b7 a7 a6 a5 a4 a3 a2 a1 b1 c1 \
             c2 b2 b3 b4 b5 b6 c6 d6 e6 f6 f5 f4 f3 f2 e2 d2 d3 e3 e4 e5 d5 c5 c4 c3 d4"
        );
        assert!(path(5, 2).starts_with("c5 b5 a5"), "{}", path(5, 2));
    }

    #[test]
    fn every_path_is_souths_turned_by_quarters() {
        for size in [5, 7, 9, 11] {
            for inner in [false, true] {
                let geometry = Geometry::of(size, inner);
                for side in 0..3 {
                    for index in 0..=geometry.centre {
                        let (file, rank) = geometry.place(geometry.cell(side, index));
                        let turned = geometry.place(geometry.cell(side + 1, index));
                        assert_eq!(turned, (size - 1 - rank, file), "{size} {side} {index}");
                        assert_eq!(geometry.index(side, geometry.cell(side, index)), index);
                    }
                }
            }
        }
    }

    #[test]
    fn paths_step_to_neighbours_and_visit_every_cell() {
        for size in [5, 7, 9, 11] {
            for inner in [false, true] {
                let geometry = Geometry::of(size, inner);
                let mut seen: Vec<_> = (0..=geometry.centre).map(|i| geometry.place(i)).collect();
                for pair in seen.windows(2) {
                    let ((a, b), (c, d)) = (pair[0], pair[1]);
                    assert!(a.abs_diff(c) <= 1 && b.abs_diff(d) <= 1, "{size} {pair:?}");
                }
                seen.sort_unstable();
                seen.dedup();
                assert_eq!(seen.len(), size as usize * size as usize);
            }
        }
    }
}
