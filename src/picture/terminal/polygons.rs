//! Boards of a few shapes that tile the plane, such as triangles: their edges as characters.

use super::Scene;
use super::canvas::Canvas;
use crate::picture::{Cell, Point};

/// More shapes than this are no tiling.
const SHAPES: usize = 8;
/// The columns of the coordinates at the left.
const MARGIN: usize = 3;
/// The most characters to the right of them.
const WIDEST: usize = 48;
/// Heights of a unit in lines, the best first, and its width in characters.
const SCALES: [(usize, usize); 4] = [(4, 10), (3, 8), (2, 6), (1, 3)];

/// Draws the board, if its cells are of few shapes and there is room.
pub(super) fn draw(scene: &Scene) -> Option<Canvas> {
    let board = Tiling::of(scene)?;
    let mut canvas = Canvas::default();
    board.draw_grounds(&mut canvas);
    // Where a level edge meets another, the other is drawn.
    for level in [true, false] {
        for cell in &scene.table.cells {
            board.draw_edges(&mut canvas, cell, level);
        }
    }
    for cell in &scene.table.cells {
        board.draw_contents(&mut canvas, cell);
    }
    board.draw_labels(&mut canvas);
    Some(canvas)
}

/// A board with its place in the terminal.
struct Tiling<'a, 's> {
    scene: &'s Scene<'a>,
    origin: Point,
    /// Characters and lines of a unit.
    scale: Point,
    /// Characters and lines of the board, with the line on top.
    size: [usize; 2],
}

impl<'a, 's> Tiling<'a, 's> {
    fn of(scene: &'s Scene<'a>) -> Option<Self> {
        let table = scene.table;
        let mut shapes: Vec<&str> = table.cells.iter().map(|cell| cell.shape.as_str()).collect();
        shapes.sort_unstable();
        shapes.dedup();
        if table.cells.is_empty() || shapes.len() > SHAPES {
            return None;
        }
        let corners: Vec<Point> =
            table.cells.iter().flat_map(|cell| corners(scene, cell)).flatten().collect();
        let least =
            |axis: usize| corners.iter().map(|corner| corner[axis]).fold(f64::MAX, f64::min);
        let most = |axis: usize| corners.iter().map(|corner| corner[axis]).fold(f64::MIN, f64::max);
        let origin = [least(0), least(1)];
        let extent = [most(0) - origin[0], most(1) - origin[1]];
        // Written so that what is no number does not fit.
        let fits = |count: f64, limit: usize| count >= 1.0 && count <= limit as f64;
        let room = scene.options.height.saturating_sub(1);
        let scale = SCALES
            .iter()
            .map(|(height, width)| [*width as f64, *height as f64])
            .find(|scale| fits(extent[0] * scale[0], WIDEST) && fits(extent[1] * scale[1], room))?;
        let size = [0, 1].map(|axis| (extent[axis] * scale[axis]).round() as usize + 1);
        Some(Tiling { scene, origin, scale, size })
    }

    /// A point in characters and lines; the first line is that above the board.
    fn place(&self, [x, y]: Point) -> Point {
        [(x - self.origin[0]) * self.scale[0], (y - self.origin[1]) * self.scale[1] + 1.0]
    }

    /// Colours every character by the cell in which its middle lies.
    fn draw_grounds(&self, canvas: &mut Canvas) {
        for cell in &self.scene.table.cells {
            let Some(corners) = corners(self.scene, cell) else { continue };
            let corners: Vec<Point> =
                corners.into_iter().map(|corner| self.place(corner)).collect();
            let kind = cell.kind.as_ref().and_then(|kind| self.scene.table.kinds.get(kind));
            let role = kind.and_then(|kind| kind.fill.clone()).unwrap_or_else(|| "light".into());
            let style = self.scene.ground(&role);
            for row in 1..self.size[1] {
                for column in 0..self.size[0] {
                    if contains(&corners, [column as f64 + 0.02, row as f64 + 0.51]) {
                        canvas.tint(row, MARGIN + column, style);
                    }
                }
            }
        }
    }

    fn draw_edges(&self, canvas: &mut Canvas, cell: &Cell, level: bool) {
        let Some(corners) = corners(self.scene, cell) else { return };
        let corners: Vec<Point> = corners.into_iter().map(|corner| self.place(corner)).collect();
        let next = corners.iter().cycle().skip(1);
        for (from, to) in corners.iter().zip(next) {
            let is_level = (from[1] - to[1]).abs() < 0.5;
            match (is_level, level) {
                (true, true) => self.draw_level(canvas, *from, *to),
                (false, false) => self.draw_steep(canvas, *from, *to),
                _ => {}
            }
        }
    }

    fn draw_level(&self, canvas: &mut Canvas, from: Point, to: Point) {
        let (left, right) = (from[0].min(to[0]), from[0].max(to[0]));
        let row = (from[1].round() as usize).saturating_sub(1);
        for column in left.round() as usize + 1..right.round() as usize {
            canvas.put(row, MARGIN + column, "_", self.scene.ink("line"));
        }
    }

    fn draw_steep(&self, canvas: &mut Canvas, from: Point, to: Point) {
        let style = self.scene.ink("line");
        let unicode = self.scene.options.unicode;
        let (top, low) = if from[1] <= to[1] { (from, to) } else { (to, from) };
        for row in top[1].round() as usize..low[1].round() as usize {
            let part = (row as f64 + 0.5 - top[1]) / (low[1] - top[1]);
            let x = top[0] + part * (low[0] - top[0]);
            let column = MARGIN + x.round().max(0.0) as usize;
            let slope = low[0] - top[0];
            let [upright, falling, rising, cross] = if unicode {
                ["\u{2502}", "\u{2572}", "\u{2571}", "\u{2573}"]
            } else {
                ["|", "\\", "/", "X"]
            };
            let line = match slope {
                slope if slope.abs() < 0.5 => upright,
                slope if slope > 0.0 => falling,
                _ => rising,
            };
            let before = canvas.at(row, column).to_string();
            let crossing = (line == falling && (before == rising || before == cross))
                || (line == rising && (before == falling || before == cross));
            canvas.put(row, column, if crossing { cross } else { line }, style);
        }
    }

    fn draw_contents(&self, canvas: &mut Canvas, cell: &Cell) {
        let scene = self.scene;
        let [x, y] = self.place(scene.place(cell));
        // A shape may lie far from the place where its pieces stand.
        if !(0.0..self.size[1] as f64).contains(&y) || !(0.0..self.size[0] as f64).contains(&x) {
            return;
        }
        let (row, column) = (y as usize, MARGIN + x.round() as usize);
        let pieces = scene.board.pieces.iter().filter(|piece| piece.cell == cell.id);
        let mut place = column;
        for piece in pieces {
            let text = scene.piece_text(piece);
            let style = scene.seat_style(piece.seat);
            canvas.put(row, place, &text, style);
            place += text.chars().count();
            // A wider chip is easier to see.
            for beside in [column - 1, place] {
                if canvas.at(row, beside) == ' ' {
                    canvas.tint(row, beside, style);
                }
            }
        }
        for mark in scene.board.marks.iter().filter(|mark| mark.cell == cell.id) {
            canvas.put(row, place, &scene.mark_text(mark), scene.ink("alert").bold());
            place += 1;
        }
        if place == column {
            let ground = scene.ground_text(cell).map_or(String::new(), String::from);
            canvas.put(row, column, &ground, scene.ink("faint"));
            place = column + 1;
        }
        if scene.is_last(cell) {
            let style = scene.ink("last").bold();
            canvas.put(row, column.saturating_sub(1), "[", style);
            canvas.put(row, place, "]", style);
        }
    }

    /// Coordinates: at the left of their row, or on the line above their column.
    fn draw_labels(&self, canvas: &mut Canvas) {
        let faint = self.scene.ink("faint");
        for label in &self.scene.table.labels {
            let [x, y] = self.place(self.scene.turned(label.at));
            let text: String = label.text.chars().take(2).collect();
            let inside =
                |value: f64, size: usize, first: f64| value > first && value < size as f64 - 0.5;
            match (inside(x, self.size[0], 0.5), inside(y, self.size[1], 1.5)) {
                (false, true) => canvas.put(y as usize, 0, &format!("{text:>2}"), faint),
                (true, false) => canvas.put(0, MARGIN + x.round() as usize, &text, faint),
                _ => {}
            }
        }
    }
}

/// The corners of a cell on the turned board.
fn corners(scene: &Scene, cell: &Cell) -> Option<Vec<Point>> {
    let corners = scene.table.shapes.get(&cell.shape)?;
    let [x, y] = scene.place(cell);
    let corner = |corner: &Point| {
        let [dx, dy] = scene.turned(*corner);
        [x + dx, y + dy]
    };
    (corners.len() >= 3).then(|| corners.iter().map(corner).collect())
}

/// Whether a point lies in a polygon: a ray from it crosses an odd number of edges.
fn contains(corners: &[Point], [x, y]: Point) -> bool {
    let next = corners.iter().cycle().skip(1);
    let crossed = corners.iter().zip(next).filter(|([x1, y1], [x2, y2])| {
        (*y1 > y) != (*y2 > y) && x < (x2 - x1) * (y - y1) / (y2 - y1) + x1
    });
    crossed.count() % 2 == 1
}
