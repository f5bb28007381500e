//! A track whose spaces are named: its two halves as lines that run round, with the pawns below the
//! names.

use super::Scene;
use super::canvas::Canvas;
use crate::picture::Cell;

/// Fewer spaces than this are no track.
const FEWEST: usize = 6;

/// The spaces of the track in order: cells of one name with the numbers from 0 on, with symbols
/// printed on them. Empty if there is none.
fn spaces<'a>(scene: &Scene<'a>) -> Vec<&'a Cell> {
    let printed = |cell: &&Cell| {
        let kind = cell.kind.as_ref().and_then(|kind| scene.table.kinds.get(kind));
        kind.is_some_and(|kind| kind.symbol.is_some())
    };
    let cells: Vec<&Cell> = scene.table.cells.iter().filter(printed).collect();
    let stem = |cell: &Cell| cell.id.trim_end_matches(|c: char| c.is_ascii_digit()).to_owned();
    let numbered = |(index, cell): (usize, &&Cell)| {
        cells.first().is_some_and(|first| cell.id == format!("{}{index}", stem(first)))
    };
    if cells.len() < FEWEST || !cells.iter().enumerate().all(numbered) {
        return Vec::new();
    }
    cells
}

/// What a space is called: its kind up to a colon.
fn name(scene: &Scene, cell: &Cell) -> String {
    let kind = cell.kind.clone().unwrap_or_default();
    let label = scene.table.kinds.get(&kind).map_or(kind, |kind| kind.label.clone());
    label.split(':').next().unwrap_or("").trim().to_owned()
}

/// What the spaces of the track do, an entry for each kind.
pub(super) fn legend(scene: &Scene) -> Vec<String> {
    let mut entries: Vec<String> = Vec::new();
    for cell in spaces(scene) {
        let kind = cell.kind.as_ref().and_then(|kind| scene.table.kinds.get(kind));
        if let Some(kind) = kind.filter(|kind| !entries.contains(&kind.label)) {
            entries.push(kind.label.clone());
        }
    }
    entries
}

/// Draws the track; nothing if there is none.
pub(super) fn draw(scene: &Scene) -> Canvas {
    let mut canvas = Canvas::default();
    let spaces = spaces(scene);
    if spaces.is_empty() {
        return canvas;
    }
    let half = spaces.len().div_ceil(2);
    let width = (scene.options.width / half).min(12);
    for (index, cell) in spaces.iter().enumerate() {
        // The second half runs back.
        let (row, column) = match index < half {
            true => (0, index),
            false => (2, spaces.len() - 1 - index),
        };
        draw_space(scene, &mut canvas, (row, column * width, width), (index, cell));
    }
    canvas
}

fn draw_space(
    scene: &Scene,
    canvas: &mut Canvas,
    (row, left, width): (usize, usize, usize),
    (index, cell): (usize, &Cell),
) {
    let kind = cell.kind.as_ref().and_then(|kind| scene.table.kinds.get(kind));
    let role = kind.and_then(|kind| kind.fill.clone()).unwrap_or_else(|| "light".into());
    let room = width.saturating_sub(1);
    let text: String = format!("{index:>2} {}", name(scene, cell)).chars().take(room).collect();
    canvas.put(row, left, &format!("{text:<room$}"), scene.ground(&role));
    let mut place = left + 1;
    let pieces = scene.board.pieces.iter().filter(|piece| piece.cell == cell.id);
    // Without brackets more of them have room.
    let is_full = 3 * pieces.clone().count() > room;
    for piece in pieces {
        let text = scene.initial(piece.seat);
        let text = if is_full { format!("{text} ") } else { format!("({text})") };
        canvas.put(row + 1, place, &text, scene.seat_style(piece.seat));
        place += text.chars().count();
    }
    if place == left + 1 {
        canvas.put(row + 1, left, " ", scene.ink("text"));
    }
}
