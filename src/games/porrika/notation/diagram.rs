//! The board drawn with characters: every square with its two diagonals, as in the printed rules.
//!
//! A square takes seven columns and seven lines, each sharing its border with the next. The blocked
//! triangles at the tip are not drawn, their slopes are. A `*` marks a piece that is locked.

use super::tokens::token;
use crate::game::DiagramStyle;
use crate::games::porrika::rules::board::{BOARD, COLUMNS, GOALS, ROWS, Space, spaces};
use crate::games::porrika::rules::{Move, Phase, Position};

/// Columns and lines from one square to the next.
const PITCH: usize = 7;
/// Columns left of the board, for the numbers of the rows.
const MARGIN: usize = 3;
/// Where the two characters of a triangle's label stand in its square: line and column for n, e,
/// s, w.
const LABELS: [(usize, usize); 4] = [(1, 3), (3, 5), (6, 3), (3, 1)];

struct Canvas {
    lines: Vec<Vec<char>>,
}

impl Canvas {
    fn new() -> Self {
        let width = MARGIN + COLUMNS * PITCH + 1;
        Canvas { lines: vec![vec![' '; width]; ROWS * PITCH + 2] }
    }

    fn put(&mut self, line: usize, column: usize, mark: char) {
        if let Some(cell) = self.lines.get_mut(line).and_then(|line| line.get_mut(column)) {
            *cell = mark;
        }
    }

    fn text(self) -> Vec<String> {
        let lines = self.lines.into_iter();
        lines.map(|line| line.into_iter().collect::<String>().trim_end().to_string()).collect()
    }
}

/// Draws a position.
pub(super) fn draw(position: &Position, style: DiagramStyle) -> String {
    let mut canvas = Canvas::new();
    for column in 0..COLUMNS {
        let middle = MARGIN + column * PITCH + PITCH / 2;
        canvas.put(0, middle, char::from(b'a' + column as u8));
    }
    for row in 0..ROWS {
        canvas.put(1 + row * PITCH + PITCH / 2, 0, char::from(b'1' + row as u8));
        for column in 0..COLUMNS {
            draw_square(&mut canvas, position, column, row);
        }
    }
    let mut lines: Vec<String> =
        canvas.text().into_iter().map(|line| styled(line, style)).collect();
    lines.extend(legend(position));
    lines.join("\n")
}

fn styled(line: String, style: DiagramStyle) -> String {
    if style == DiagramStyle::Ascii {
        return line;
    }
    let glyph = |mark| match mark {
        '\\' => '\u{2572}',
        '/' => '\u{2571}',
        '|' => '\u{2502}',
        '-' => '\u{2500}',
        other => other,
    };
    line.chars().map(glyph).collect()
}

/// Draws the edges of a square's triangles, blocked ones left out, and their labels.
fn draw_square(canvas: &mut Canvas, position: &Position, column: usize, row: usize) {
    let (top, left) = (1 + row * PITCH, MARGIN + column * PITCH);
    let exists = |side| Space::new(column, row, side).is_some();
    if !(0..4).any(exists) {
        return;
    }
    let [north, east, south, west] = [0, 1, 2, 3].map(exists);
    for step in 0..=PITCH {
        if north {
            canvas.put(top, left + step, '-');
        }
        if south {
            canvas.put(top + PITCH, left + step, '-');
        }
    }
    for step in 1..PITCH {
        if west {
            canvas.put(top + step, left, '|');
        }
        if east {
            canvas.put(top + step, left + PITCH, '|');
        }
        // Each diagonal has an upper and a lower half; each half separates two triangles.
        let upper = step < PITCH / 2 + 1;
        let falls = if upper { north || west } else { south || east };
        let rises = if upper { north || east } else { south || west };
        if falls {
            canvas.put(top + step, left + step, '\\');
        }
        if rises {
            canvas.put(top + step, left + PITCH - step, '/');
        }
    }
    for (side, (line, offset)) in LABELS.iter().enumerate() {
        if let Some(space) = Space::new(column, row, side) {
            let [piece, mark] = label(position, space);
            canvas.put(top + line, left + offset, piece);
            canvas.put(top + line, left + offset + 1, mark);
        }
    }
}

/// The two characters of a space: piece, and `*` where it is locked; `P` marks a free Por'rika.
fn label(position: &Position, space: Space) -> [char; 2] {
    let goal = GOALS & space.bit() != 0;
    match position.piece_at(space) {
        Some(kind) if position.locked() & space.bit() != 0 => [kind.letter(), '*'],
        Some(kind) => [kind.letter(), if goal { 'P' } else { ' ' }],
        None if goal => ['P', ' '],
        None => [' ', ' '],
    }
}

/// The side to move, or how the game ended, and the locked pairs.
fn legend(position: &Position) -> Vec<String> {
    let side = position.side().name();
    let mut lines = vec![match position.phase() {
        Phase::Setup => "copper to set up: E, G or . for a1n a1w b1n b1e c1n c1w d1n d1e".into(),
        Phase::Moving => format!("{side} to move"),
        Phase::Passing => format!("{side} must {}", token(Move::Pass)),
        Phase::Over(reason) => format!("game over: {}", reason.name()),
    }];
    let pairs: Vec<String> = spaces(position.locked() & BOARD)
        .filter_map(|space| {
            let other = space.across().filter(|other| space < *other)?;
            let (one, two) = (position.piece_at(space)?, position.piece_at(other)?);
            Some(format!("{}{space}-{}{other}", one.letter(), two.letter()))
        })
        .collect();
    if !pairs.is_empty() {
        lines.push(format!("locked: {}", pairs.join(" ")));
    }
    lines
}
