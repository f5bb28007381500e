//! Boards of unit squares: a row or two of characters for each, lines around regions, and around all
//! squares where the board is small.

mod walls;

use anstyle::Style;

use super::Scene;
use super::canvas::Canvas;
use crate::picture::{Cell, Point};

/// Boards beyond this have no room in a terminal.
const MOST: usize = 26;
/// Up to this many rows every square has its own lines.
const LINED: usize = 7;
/// Up to this many rows a square is two lines high.
const TALL: usize = 6;
/// The columns of the coordinates at the left.
const MARGIN: usize = 3;
/// How far a centre may be from its place in the grid.
const SLACK: f64 = 0.02;

/// Draws the board, if all its cells are squares of a grid.
pub(super) fn draw(scene: &Scene) -> Option<Canvas> {
    let grid = Grid::of(scene)?;
    let layout = Layout::of(scene, &grid);
    let mut canvas = Canvas::default();
    for row in 0..grid.rows {
        for column in 0..grid.columns {
            if let Some(cell) = grid.cell(row, column) {
                let place = (layout.y(row), layout.x(column));
                draw_cell(scene, &layout, &mut canvas, cell, place);
            }
        }
    }
    walls::draw(scene, &grid, &layout, &mut canvas);
    draw_labels(scene, &grid, &layout, &mut canvas);
    Some(canvas)
}

/// The cells of the table in rows and columns.
struct Grid<'a> {
    columns: usize,
    rows: usize,
    origin: Point,
    cells: Vec<Option<&'a Cell>>,
}

impl<'a> Grid<'a> {
    fn of(scene: &Scene<'a>) -> Option<Self> {
        let table = scene.table;
        let square = |cell: &Cell| {
            let corners = table.shapes.get(&cell.shape);
            corners.is_some_and(|corners| {
                let near = |value: f64| (value.abs() - 0.5).abs() < SLACK;
                corners.len() == 4 && corners.iter().all(|corner| corner.iter().all(|x| near(*x)))
            })
        };
        if table.cells.is_empty() || !table.cells.iter().all(square) {
            return None;
        }
        let places: Vec<Point> = table.cells.iter().map(|cell| scene.place(cell)).collect();
        let least = |axis: usize| places.iter().map(|place| place[axis]).fold(f64::MAX, f64::min);
        let origin = [least(0), least(1)];
        let index = |value: f64| {
            let near = value.round();
            let fits = (value - near).abs() < SLACK && (0.0..MOST as f64).contains(&near);
            fits.then_some(near as usize)
        };
        let at = |place: &Point| Some((index(place[1] - origin[1])?, index(place[0] - origin[0])?));
        let places: Vec<(usize, usize)> = places.iter().map(at).collect::<Option<_>>()?;
        let rows = places.iter().map(|(row, _)| row + 1).max()?;
        let columns = places.iter().map(|(_, column)| column + 1).max()?;
        let mut cells = vec![None; rows * columns];
        for ((row, column), cell) in places.iter().zip(&table.cells) {
            let taken = cells[row * columns + column].replace(cell);
            if taken.is_some() {
                return None;
            }
        }
        Some(Grid { columns, rows, origin, cells })
    }

    fn cell(&self, row: usize, column: usize) -> Option<&'a Cell> {
        let inside = row < self.rows && column < self.columns;
        inside.then(|| self.cells[row * self.columns + column]).flatten()
    }
}

/// How large squares are, and where lines run between them.
struct Layout {
    width: usize,
    height: usize,
    lined: bool,
    /// Whether there is a line left of each column, and right of the last.
    upright: Vec<bool>,
    /// Whether there is a line above each row, and below the last.
    level: Vec<bool>,
}

impl Layout {
    fn of(scene: &Scene, grid: &Grid) -> Self {
        let lined = grid.rows <= LINED;
        let height = if grid.rows <= TALL { 2 } else { 1 };
        let turns = scene.table.symbols.values().any(|symbol| symbol.turns);
        let wanted = match (height, lined) {
            (2, _) => 7,
            (_, true) => 6,
            _ if turns => 5,
            _ => 4,
        };
        let room = (scene.options.width.saturating_sub(MARGIN + 1) / grid.columns).max(3) - 1;
        let (upright, level) = walls::lines(scene, grid, lined);
        Layout { width: wanted.min(room), height, lined, upright, level }
    }

    /// The first column of characters of a column of squares.
    fn x(&self, column: usize) -> usize {
        MARGIN + column * self.width + lines_before(&self.upright, column)
    }

    /// The first row of characters of a row of squares.
    fn y(&self, row: usize) -> usize {
        row * self.height + lines_before(&self.level, row)
    }
}

fn lines_before(lines: &[bool], index: usize) -> usize {
    lines.iter().take(index + 1).filter(|line| **line).count()
}

fn draw_cell(scene: &Scene, layout: &Layout, canvas: &mut Canvas, cell: &Cell, at: (usize, usize)) {
    let (top, left) = at;
    let (width, height) = (layout.width, layout.height);
    let kind = cell.kind.as_ref().and_then(|kind| scene.table.kinds.get(kind));
    let role = kind.and_then(|kind| kind.fill.clone()).unwrap_or_else(|| "light".into());
    for row in 0..height {
        for column in 0..width {
            canvas.tint(top + row, left + column, scene.ground(&role));
        }
    }
    let mut body: Vec<(String, Style)> = Vec::new();
    for piece in scene.board.pieces.iter().filter(|piece| piece.cell == cell.id) {
        body.push((scene.piece_text(piece), scene.seat_style(piece.seat)));
    }
    for mark in scene.board.marks.iter().filter(|mark| mark.cell == cell.id) {
        let style = match mark.seat {
            0 => scene.ink("alert").bold(),
            seat => scene.seat_style(seat),
        };
        body.push((scene.mark_text(mark), style));
    }
    let faint = scene.ink("faint");
    let ground = scene.ground_text(cell);
    let length: usize = body.iter().map(|(text, _)| text.chars().count()).sum();
    let row = top + height - 1;
    match ground {
        Some('(') => {
            canvas.put(row, left, "(", faint);
            canvas.put(row, left + width - 1, ")", faint);
        }
        Some(ground) if height > 1 => canvas.put(top, left, &ground.to_string(), faint),
        Some(ground) if length == 0 => {
            canvas.put(row, left + (width - 1) / 2, &ground.to_string(), faint)
        }
        Some(ground) => canvas.put(row, left, &ground.to_string(), faint),
        None if layout.lined || length > 0 => {}
        None => canvas.put(row, left + (width - 1) / 2, dot(scene), faint),
    }
    let gaps = usize::from(height > 1 && body.len() > 1 && length + body.len() < width);
    let all = length + gaps * body.len().saturating_sub(1);
    let mut place = left + width.saturating_sub(all) / 2;
    if width == 4 && length > 0 {
        place = left + 1;
    }
    let start = place;
    if let ([(text, style)], 4) = (body.as_slice(), width)
        && text.chars().count() == 1
    {
        // A wider chip is easier to see.
        for column in left..left + 3 {
            canvas.tint(row, column, *style);
        }
    }
    for (text, style) in &body {
        let room = (left + width).saturating_sub(place);
        let text: String = text.chars().take(room).collect();
        canvas.put(row, place, &text, *style);
        place += text.chars().count() + gaps;
    }
    if scene.is_last(cell) {
        let style = scene.ink("last").bold();
        if start > left || length == 0 {
            canvas.put(row, left, "[", style);
        }
        if place < left + width {
            canvas.put(row, left + width - 1, "]", style);
        }
    }
}

fn dot(scene: &Scene) -> &'static str {
    if scene.options.unicode { "\u{b7}" } else { "." }
}

/// Coordinates: at the left of their row, or below their column.
fn draw_labels(scene: &Scene, grid: &Grid, layout: &Layout, canvas: &mut Canvas) {
    let bottom = canvas.height();
    let faint = scene.ink("faint");
    let near = |value: f64, count: usize| {
        let index = value.round();
        let fits = (value - index).abs() < 0.3 && index >= 0.0 && index < count as f64;
        fits.then_some(index as usize)
    };
    for label in &scene.table.labels {
        let [x, y] = scene.turned(label.at);
        let (column, row) =
            (near(x - grid.origin[0], grid.columns), near(y - grid.origin[1], grid.rows));
        let text: String = label.text.chars().take(2).collect();
        match (column, row) {
            (None, Some(row)) => {
                let y = layout.y(row) + (layout.height - 1) / 2;
                canvas.put(y, 0, &format!("{text:>2}"), faint);
            }
            (Some(column), None) => {
                canvas.put(bottom, layout.x(column) + (layout.width - 1) / 2, &text, faint);
            }
            _ => {}
        }
    }
}
