//! Lines between squares: thin ones between all where the board is lined, and around regions.

use super::{Grid, Layout};
use crate::picture::Cell;
use crate::picture::terminal::Scene;
use crate::picture::terminal::canvas::Canvas;

/// A line between two squares.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Wall {
    Absent,
    Thin,
    Thick,
}

/// Thin lines by where they lead: 1 up, 2 down, 4 left, 8 right.
const THIN: [char; 16] = [
    ' ', '\u{2575}', '\u{2577}', '\u{2502}', '\u{2574}', '\u{2518}', '\u{2510}', '\u{2524}',
    '\u{2576}', '\u{2514}', '\u{250c}', '\u{251c}', '\u{2500}', '\u{2534}', '\u{252c}', '\u{253c}',
];
/// Thick lines in the same order.
const THICK: [char; 16] = [
    ' ', '\u{2579}', '\u{257b}', '\u{2503}', '\u{2578}', '\u{251b}', '\u{2513}', '\u{252b}',
    '\u{257a}', '\u{2517}', '\u{250f}', '\u{2523}', '\u{2501}', '\u{253b}', '\u{2533}', '\u{254b}',
];

fn regions(scene: &Scene, cell: &Cell) -> Vec<usize> {
    let regions = scene.table.regions.iter().enumerate();
    regions.filter(|(_, region)| region.cells.contains(&cell.id)).map(|(index, _)| index).collect()
}

/// The line between two neighbours; `None` is no square.
fn wall(scene: &Scene, lined: bool, pair: [Option<&Cell>; 2]) -> Wall {
    let differ = match pair {
        [None, None] => return Wall::Absent,
        [Some(one), Some(other)] => regions(scene, one) != regions(scene, other),
        _ => {
            return if lined || !scene.table.regions.is_empty() {
                Wall::Thin
            } else {
                Wall::Absent
            };
        }
    };
    match (lined, differ) {
        (true, true) => Wall::Thick,
        (true, false) | (false, true) => Wall::Thin,
        (false, false) => Wall::Absent,
    }
}

/// The squares left and right of the line before a column, in a row.
fn beside<'a>(grid: &Grid<'a>, row: usize, column: usize) -> [Option<&'a Cell>; 2] {
    [column.checked_sub(1).and_then(|left| grid.cell(row, left)), grid.cell(row, column)]
}

/// The squares above and below the line before a row, in a column.
fn stacked<'a>(grid: &Grid<'a>, row: usize, column: usize) -> [Option<&'a Cell>; 2] {
    [row.checked_sub(1).and_then(|above| grid.cell(above, column)), grid.cell(row, column)]
}

/// Where there are upright lines, and where level ones.
pub(super) fn lines(scene: &Scene, grid: &Grid, lined: bool) -> (Vec<bool>, Vec<bool>) {
    let present = |pair| wall(scene, lined, pair) > Wall::Absent;
    let upright = (0..=grid.columns)
        .map(|column| (0..grid.rows).any(|row| present(beside(grid, row, column))));
    let level = (0..=grid.rows)
        .map(|row| (0..grid.columns).any(|column| present(stacked(grid, row, column))));
    (upright.collect(), level.collect())
}

/// Draws the lines and the points where they meet.
pub(super) fn draw(scene: &Scene, grid: &Grid, layout: &Layout, canvas: &mut Canvas) {
    let style = scene.ink("line");
    let find = |pair| wall(scene, layout.lined, pair);
    let glyph = |arms: [Wall; 4]| glyph(arms, scene.options.unicode);
    for row in 0..=grid.rows {
        for column in 0..=grid.columns {
            // The lines that lead from this corner right and down, and those that come to it.
            let right = find(stacked(grid, row, column));
            let down = find(beside(grid, row, column));
            let left =
                column.checked_sub(1).map_or(Wall::Absent, |left| find(stacked(grid, row, left)));
            let up =
                row.checked_sub(1).map_or(Wall::Absent, |above| find(beside(grid, above, column)));
            let (x, y) = (layout.x(column), layout.y(row));
            if layout.level[row] {
                let line = glyph([Wall::Absent, Wall::Absent, right, right]).to_string();
                if column < grid.columns {
                    canvas.put(y - 1, x, &line.repeat(layout.width), style);
                }
                if layout.upright[column] {
                    canvas.put(y - 1, x - 1, &glyph([up, down, left, right]).to_string(), style);
                }
            }
            if layout.upright[column] && row < grid.rows {
                let line = glyph([down, down, Wall::Absent, Wall::Absent]).to_string();
                for offset in 0..layout.height {
                    canvas.put(y + offset, x - 1, &line, style);
                }
            }
        }
    }
}

/// The character of lines that lead up, down, left and right.
fn glyph(arms: [Wall; 4], unicode: bool) -> char {
    let bits = arms.iter().enumerate().map(|(bit, arm)| usize::from(*arm > Wall::Absent) << bit);
    let bits: usize = bits.sum();
    let thick = arms.contains(&Wall::Thick);
    match (unicode, thick, bits) {
        (true, true, _) => THICK[bits],
        (true, false, _) => THIN[bits],
        (false, _, 0) => ' ',
        (false, true, 1..=3) => '!',
        (false, true, 4 | 8 | 12) => '=',
        (false, false, 1..=3) => '|',
        (false, false, 4 | 8 | 12) => '-',
        (false, ..) => '+',
    }
}
