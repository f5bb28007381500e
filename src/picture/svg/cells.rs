//! Cells, regions, marks and coordinates.

use super::super::json::rounded;
use super::super::{Cell, Mark, Point};
use super::{Drawing, escape};

/// Groups with more edges than this are not outlined: an engine may give any number.
const MOST_EDGES: usize = 4_000;
/// How much of a cell a tile covers that a seat has laid on it.
const TILE: f64 = 0.86;

impl Drawing<'_> {
    pub(super) fn draw_board(&mut self) {
        for cell in &self.table.cells {
            self.draw_cell(cell);
        }
        let all: Vec<&str> = self.table.cells.iter().map(|cell| cell.id.as_str()).collect();
        self.outline(&all, 0.05);
        for region in &self.table.regions {
            let cells: Vec<&str> = region.cells.iter().map(String::as_str).collect();
            self.outline(&cells, 0.07);
        }
        for [x1, y1, x2, y2] in self.table.lines.clone() {
            let ([x1, y1], [x2, y2]) = (self.place([x1, y1]), self.place([x2, y2]));
            let color = self.color("line");
            self.put(format_args!(
                "<line x1='{x1}' y1='{y1}' x2='{x2}' y2='{y2}' stroke='{color}' stroke-width='0.06'/>"
            ));
        }
        let last = self.board.last.as_ref().map_or(&[][..], |last| &last.path);
        for id in last {
            self.highlight(id, "last", "0.5");
        }
        for mark in &self.board.marks {
            self.draw_mark(mark);
        }
        for id in last {
            self.highlight(id, "last", "0");
        }
        for mark in &self.board.marks {
            self.draw_ring(mark);
        }
        self.draw_pieces();
        for mark in &self.board.marks {
            self.draw_badge(mark);
        }
        self.draw_labels();
        self.draw_best();
    }

    fn draw_labels(&mut self) {
        if !self.options.labels {
            return;
        }
        let size = self.em.min(0.3);
        for label in &self.table.labels {
            self.text(self.place(label.at), size, "middle", "faint", &label.text);
        }
    }

    /// The corners of a cell, its shape made larger or smaller about its middle.
    fn corners(&self, cell: &Cell, factor: f64) -> Option<Vec<Point>> {
        let shape = self.table.shapes.get(&cell.shape)?;
        let [x, y] = cell.at;
        Some(shape.iter().map(|[dx, dy]| self.place([x + factor * dx, y + factor * dy])).collect())
    }

    pub(super) fn polygon(&self, cell: &Cell, factor: f64) -> Option<String> {
        let corners = self.corners(cell, factor)?;
        let points: Vec<String> = corners.iter().map(|[x, y]| format!("{x},{y}")).collect();
        Some(points.join(" "))
    }

    fn draw_cell(&mut self, cell: &Cell) {
        let Some(points) = self.polygon(cell, 1.0) else {
            return;
        };
        let kind = cell.kind.as_ref().and_then(|kind| self.table.kinds.get(kind));
        let fill = kind.and_then(|kind| kind.fill.as_deref()).unwrap_or("light");
        let (fill, line) = (self.color(fill), self.color("line"));
        let title = escape(cell.label.as_deref().unwrap_or(&cell.id));
        let what = kind.map_or(String::new(), |kind| format!(", {}", escape(&kind.label)));
        self.put(format_args!(
            "<polygon points='{points}' fill='{fill}' stroke='{line}' stroke-width='0.02'>\
             <title>{title}{what}</title></polygon>"
        ));
        let (at, r) = (self.place(cell.at), self.table.piece);
        let printed = kind.and_then(|kind| kind.symbol.as_ref());
        if let Some(symbol) = printed.and_then(|name| self.table.symbols.get(name)) {
            let symbol = symbol.clone();
            self.draw_symbol(&symbol, at, r, None, line);
        }
        if let Some(sign) = kind.and_then(|kind| kind.mark.clone()) {
            self.sign(at, &sign, r, "line");
        }
    }

    /// Draws the edges that a group of cells does not share with itself.
    fn outline(&mut self, ids: &[&str], width: f64) {
        let mut edges: Vec<[(i64, i64); 2]> = Vec::new();
        for corners in ids
            .iter()
            .filter_map(|id| self.table.cell(id))
            .filter_map(|cell| self.corners(cell, 1.0))
        {
            let thousandths = |[x, y]: Point| [x, y].map(|value| (value * 1000.0).round() as i64);
            if edges.len() + corners.len() > MOST_EDGES {
                return;
            }
            for at in 0..corners.len() {
                let [a, b] = [corners[at], corners[(at + 1) % corners.len()]]
                    .map(|corner| thousandths(corner).into());
                let edge: [(i64, i64); 2] = if a < b { [a, b] } else { [b, a] };
                match edges.iter().position(|other| is_same(other, &edge)) {
                    Some(twin) => drop(edges.swap_remove(twin)),
                    None => edges.push(edge),
                }
            }
        }
        let path: String = edges
            .iter()
            .map(|edge| edge.map(|(x, y)| format!("{} {}", x as f64 / 1000.0, y as f64 / 1000.0)))
            .map(|[a, b]| format!("M{a}L{b}"))
            .collect();
        if !path.is_empty() {
            let color = self.color("text");
            self.put(format_args!(
                "<path d='{path}' stroke='{color}' stroke-width='{width}' stroke-linecap='round' fill='none'/>"
            ));
        }
    }

    /// Covers a cell, or with no opacity frames it.
    pub(super) fn highlight(&mut self, id: &str, role: &str, opacity: &str) {
        let Some(points) = self.table.cell(id).and_then(|cell| self.polygon(cell, 0.95)) else {
            return;
        };
        let color = self.color(role);
        self.put(format_args!(
            "<polygon points='{points}' fill='{color}' fill-opacity='{opacity}' stroke='{color}' \
             stroke-width='0.06'/>"
        ));
    }

    /// Marks with an owner or a colour lie under the pieces.
    fn draw_mark(&mut self, mark: &Mark) {
        let Some(cell) = self.table.cell(&mark.cell) else { return };
        let fill = match mark.seat {
            0 => {
                let kind = self.table.kinds.get(&mark.kind);
                kind.and_then(|kind| kind.fill.as_deref()).map(|role| self.color(role))
            }
            seat => Some(self.seat_color(seat)),
        };
        let (Some(fill), Some(points)) = (fill, self.polygon(cell, TILE)) else { return };
        let (edge, [x, y]) = (self.color("text"), self.place(cell.at));
        self.put(format_args!(
            "<polygon points='{points}' fill='{fill}' stroke='{edge}' stroke-width='0.03' \
             stroke-linejoin='round'/>"
        ));
        if mark.seat > 0 && self.numbers_seats() {
            let ink = self.options.theme.ink_on(fill);
            let r = self.table.piece;
            let at = [x - 0.75 * r, y - 0.75 * r].map(rounded);
            self.colored_text(at, 0.5 * r, "middle", ink, &mark.seat.to_string());
        }
    }
}

/// Whether two edges are one, up to the rounding of their corners.
fn is_same(one: &[(i64, i64); 2], other: &[(i64, i64); 2]) -> bool {
    let close =
        |(x1, y1): (i64, i64), (x2, y2): (i64, i64)| x1.abs_diff(x2) <= 1 && y1.abs_diff(y2) <= 1;
    close(one[0], other[0]) && close(one[1], other[1])
        || close(one[0], other[1]) && close(one[1], other[0])
}
