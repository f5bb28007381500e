//! The board drawn with characters.

use crate::game::DiagramStyle;
use crate::games::barca::rules::{HOLES, Kind, Position, SIDES, SIZE, square, square_name};

/// Draws the board with watering holes and afraid animals, and states the side to move.
pub(super) fn draw(position: &Position, style: DiagramStyle) -> String {
    let files = files_line();
    let mut lines = vec![files.clone()];
    for rank in (0..SIZE).rev() {
        let cells: String =
            (0..SIZE).map(|file| cell(position, square(file, rank), style)).collect();
        lines.push(format!("{:>2} {cells} {}", rank + 1, rank + 1));
    }
    lines.push(files);
    lines.extend([0, 1].map(|side| side_line(position, side)));
    lines.extend([0, 1].into_iter().flat_map(|side| fear_lines(position, side)));
    lines.push(match position.winner() {
        Some(side) => format!("{} has won", SIDES[side]),
        None => format!("{} to move", SIDES[position.side()]),
    });
    lines.push("( ) watering hole, ! afraid, # trapped: afraid without an escape".into());
    lines.join("\n")
}

fn files_line() -> String {
    let names: String = (0..SIZE).map(|file| format!(" {}  ", (b'a' + file) as char)).collect();
    format!("   {names}").trim_end().into()
}

/// Four columns: hole, animal, hole, fear.
fn cell(position: &Position, at: u8, style: DiagramStyle) -> String {
    let (open, close) = if HOLES.contains(&at) { ('(', ')') } else { (' ', ' ') };
    let vacant = match style {
        _ if HOLES.contains(&at) => ' ',
        DiagramStyle::Ascii => '.',
        DiagramStyle::Unicode => '\u{b7}',
    };
    let Some((side, kind)) = position.animal_at(at) else {
        return format!("{open}{vacant}{close} ");
    };
    let mark = match fear(position, side, kind, at) {
        Fear::Calm => ' ',
        Fear::Afraid => '!',
        Fear::Trapped => '#',
    };
    let after = if HOLES.contains(&at) { [close, mark] } else { [mark, close] };
    format!("{open}{}{}{}", kind.letter(side), after[0], after[1])
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Fear {
    Calm,
    Afraid,
    Trapped,
}

fn fear(position: &Position, side: usize, kind: Kind, at: u8) -> Fear {
    let feared = position.feared(side, kind);
    if !feared.has(at) {
        Fear::Calm
    } else if position.slides(kind, at).0 & !feared.0 == 0 {
        Fear::Trapped
    } else {
        Fear::Afraid
    }
}

fn side_line(position: &Position, side: usize) -> String {
    let mut held = Vec::new();
    for kind in Kind::ALL {
        let holes = position.standing(side, kind).filter(|square| HOLES.contains(square));
        held.extend(holes.map(square_name));
    }
    held.sort_unstable();
    let holes = if held.is_empty() { "no watering hole".into() } else { held.join(" ") };
    format!("{} holds {holes}", SIDES[side])
}

fn fear_lines(position: &Position, side: usize) -> Vec<String> {
    let mut lines = Vec::new();
    for kind in Kind::ALL {
        for at in position.standing(side, kind) {
            let word = match fear(position, side, kind, at) {
                Fear::Calm => continue,
                Fear::Afraid => "is afraid",
                Fear::Trapped => "is trapped: afraid",
            };
            let Some(scarer) = position.scarer(side, kind, at) else {
                continue;
            };
            let (name, at) = (kind.name(), square_name(at));
            lines.push(format!("{}'s {name} on {at} {word} of the {scarer}", SIDES[side]));
        }
    }
    lines
}
