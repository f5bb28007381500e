//! The board drawn as a board: rings, homes, safe cells, pawns, doubles, fresh doubles.

use crate::game::{DiagramStyle, Game};
use crate::games::chowka_bhara::rules::{Geometry, Position, SIDES};

/// The lines a board is drawn with.
struct Pens {
    /// Between cells of one ring.
    thin: [&'static str; 3],
    /// Around a ring.
    thick: [&'static str; 3],
}

const ASCII: Pens = Pens { thin: ["-", "|", "+"], thick: ["=", "#", "#"] };
const UNICODE: Pens = Pens { thin: ["─", "│", "┼"], thick: ["═", "║", "╬"] };

/// Draws a position. Every cell has two lines: what it is (`home S`, `x` for other safe cells) and
/// who stands there (`S2` for two pawns of South, `!` after a fresh double).
pub(crate) fn draw(position: &Position, style: DiagramStyle) -> String {
    let pens = match style {
        DiagramStyle::Ascii => &ASCII,
        DiagramStyle::Unicode => &UNICODE,
    };
    let geometry = position.options().geometry();
    let cells: Vec<_> = (0..=geometry.centre).map(|cell| pawns_on(position, cell)).collect();
    let width = cells.iter().map(String::len).max().unwrap_or(0).max(6);
    let mut lines = Vec::new();
    for rank in (0..geometry.size).rev() {
        lines.push(border(geometry, rank, width, pens));
        for line in 0..2 {
            let label = if line == 0 { format!("{:>2} ", rank + 1) } else { "   ".into() };
            let mut text = label;
            for file in 0..geometry.size {
                let cell = geometry.at(file, rank).unwrap_or(0);
                let marks = mark(position, cell);
                let content = if line == 0 { &marks } else { &cells[cell as usize] };
                text += &format!("{} {content:<width$} ", wall(geometry, file, rank, pens));
            }
            text += wall(geometry, geometry.size, rank, pens);
            lines.push(text);
        }
    }
    lines.push(border(geometry, geometry.size, width, pens));
    let files: Vec<_> = (0..geometry.size)
        .map(|file| format!("{:^1$}", char::from(b'a' + file), width + 3))
        .collect();
    lines.push(format!("   {}", files.concat().trim_end()));
    lines.extend(legend(position));
    lines.join("\n")
}

fn mark(position: &Position, cell: u8) -> String {
    let geometry = position.options().geometry();
    let home = (0..4).find(|side| position.seated(*side) && geometry.cell(*side, 0) == cell);
    let safe = geometry.safe(position.options().safe_corners) >> cell & 1 != 0;
    match home {
        Some(side) => format!("home {}", SIDES[side]),
        None if cell == geometry.centre => "centre".into(),
        None if safe => "x".into(),
        None => String::new(),
    }
}

fn pawns_on(position: &Position, cell: u8) -> String {
    let geometry = position.options().geometry();
    let mut text = String::new();
    for side in position.sides() {
        let index = geometry.index(*side, cell);
        match position.pawns(*side).iter().filter(|pawn| **pawn == index).count() {
            0 => {}
            1 => text.push(SIDES[*side]),
            more => text += &format!("{}{more}", SIDES[*side]),
        }
    }
    if cell < geometry.ring && position.fresh() >> cell & 1 != 0 {
        text.push('!');
    }
    text
}

/// The ring of a cell from outside, 1 the outermost; 0 off the board.
fn ring(geometry: &Geometry, file: i32, rank: i32) -> i32 {
    let last = i32::from(geometry.size) - 1;
    1 + [file, rank, last - file, last - rank].into_iter().min().unwrap_or(0)
}

/// The line left of a cell.
fn wall(geometry: &Geometry, file: u8, rank: u8, pens: &Pens) -> &'static str {
    let (file, rank) = (i32::from(file), i32::from(rank));
    let same = ring(geometry, file - 1, rank) == ring(geometry, file, rank);
    if same { pens.thin[1] } else { pens.thick[1] }
}

/// The line above a rank; `rank` = size for the one below the board.
fn border(geometry: &Geometry, rank: u8, width: usize, pens: &Pens) -> String {
    let below = if rank == geometry.size { -1 } else { i32::from(rank) };
    let mut text = String::from("   ");
    for file in 0..=i32::from(geometry.size) {
        let at = |left: i32, up: i32| ring(geometry, file - left, below + up);
        let corner = [at(1, 0), at(0, 0), at(1, 1), at(0, 1)];
        let thick = corner.iter().any(|ring| *ring != corner[0]);
        text += if thick { pens.thick[2] } else { pens.thin[2] };
        if file < i32::from(geometry.size) {
            let same = at(0, 0) == at(0, 1);
            text += &if same { pens.thin[0] } else { pens.thick[0] }.repeat(width + 2);
        }
    }
    text
}

fn legend(position: &Position) -> Vec<String> {
    let gates: Vec<_> = position
        .sides()
        .iter()
        .map(|side| {
            let state = if position.gate_open(*side) { "open" } else { "closed" };
            format!("{} {state}", SIDES[*side])
        })
        .collect();
    let thrown: Vec<_> = position.throws().iter().map(u8::to_string).collect();
    let side = SIDES[position.side()];
    let turn = match (position.outcome(), thrown.is_empty()) {
        (Some(_), _) => format!("over: {}", position.reason().unwrap_or("")),
        (None, true) => format!("{side} to throw"),
        (None, false) if position.turn().is_chance() => {
            format!("{side} has thrown {} and throws on", thrown.join("+"))
        }
        (None, false) => format!("{side} to play {}", thrown.join("+")),
    };
    vec![
        format!("turn   {turn}"),
        format!("gates  {}", gates.join(", ")),
        format!("fen    {}", position.to_string()),
    ]
}
