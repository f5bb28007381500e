//! A drawing of a table and a board as SVG, made from these values alone.
//!
//! Everything that comes from an engine is data: text is escaped, outlines are checked to be
//! nothing but path commands, and names never become part of the markup unescaped.

use std::fmt::Write;

use super::json::rounded;
use super::{Board, Cell, Mark, Piece, Point, Symbol, Table, Theme, icons};

/// What is drawn beside the position.
#[derive(Clone, PartialEq, Debug)]
pub struct Options {
    /// Light or dark.
    pub theme: Theme,
    /// Pixels a unit of the table.
    pub scale: f64,
    /// Whether coordinates and other labels are drawn.
    pub labels: bool,
    /// The path of a move, drawn as an arrow between its cells.
    pub best: Option<Vec<String>>,
}

impl Default for Options {
    fn default() -> Self {
        Options { theme: Theme::Light, scale: 48.0, labels: true, best: None }
    }
}

/// Escapes text for an element or an attribute; control characters become blanks.
#[must_use]
pub fn escape(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            '\'' => escaped.push_str("&#39;"),
            c if c.is_control() => escaped.push(' '),
            c => escaped.push(c),
        }
    }
    escaped
}

/// Draws a board. Cells without a shape and pieces without a cell are left out.
#[must_use]
pub fn draw(table: &Table, board: &Board, options: &Options) -> String {
    let mut drawing =
        Drawing { table, board, options, out: String::new(), width: 0.0, bottom: 0.0 };
    drawing.draw_board();
    drawing.draw_beside();
    drawing.finish()
}

/// The gap between the board and what stands beside it, and the size of text, in units.
const GAP: f64 = 0.3;
const TEXT: f64 = 0.28;

struct Drawing<'a> {
    table: &'a Table,
    board: &'a Board,
    options: &'a Options,
    out: String,
    width: f64,
    bottom: f64,
}

impl Drawing<'_> {
    fn color(&self, role: &str) -> &'static str {
        self.options.theme.color(role)
    }

    fn draw_board(&mut self) {
        let [width, height] = self.table.size.map(rounded);
        (self.width, self.bottom) = (width, height);
        for cell in &self.table.cells {
            self.draw_cell(cell);
        }
        for region in 0..self.table.regions.len() {
            self.outline_region(region);
        }
        for [x1, y1, x2, y2] in self.table.lines.iter().map(|line| line.map(rounded)) {
            let color = self.color("line");
            self.put(format_args!(
                "<line x1='{x1}' y1='{y1}' x2='{x2}' y2='{y2}' stroke='{color}' stroke-width='0.06'/>"
            ));
        }
        for mark in &self.board.marks {
            self.draw_mark(mark);
        }
        if let Some(last) = &self.board.last {
            for id in &last.path {
                self.highlight(id, "last");
            }
        }
        self.draw_pieces();
        for mark in &self.board.marks {
            self.draw_badge(mark);
        }
        if self.options.labels {
            for label in &self.table.labels {
                self.text(label.at, TEXT, "middle", "faint", &label.text);
            }
        }
        if let Some(path) = &self.options.best {
            self.arrow(path);
        }
    }

    fn put(&mut self, markup: std::fmt::Arguments<'_>) {
        let _ = writeln!(self.out, "{markup}");
    }

    fn polygon(&self, cell: &Cell) -> Option<String> {
        let shape = self.table.shapes.get(&cell.shape)?;
        let points = shape
            .iter()
            .map(|[x, y]| format!("{},{}", rounded(cell.at[0] + x), rounded(cell.at[1] + y)));
        Some(points.collect::<Vec<_>>().join(" "))
    }

    fn draw_cell(&mut self, cell: &Cell) {
        let Some(points) = self.polygon(cell) else {
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
        let printed = kind.and_then(|kind| kind.symbol.as_ref());
        if let Some(symbol) = printed.and_then(|name| self.table.symbols.get(name)) {
            self.draw_symbol(symbol, cell.at.map(rounded), self.table.piece, None, line);
        }
        if let Some(mark) = kind.and_then(|kind| kind.mark.clone()) {
            self.sign(cell.at, &mark, self.table.piece * 1.1, "line");
        }
    }

    /// Draws the edges that a region does not share with itself.
    fn outline_region(&mut self, index: usize) {
        let region = &self.table.regions[index];
        let mut edges: Vec<[(i64, i64); 2]> = Vec::new();
        for id in &region.cells {
            let Some(cell) = self.table.cell(id) else { continue };
            let Some(shape) = self.table.shapes.get(&cell.shape) else { continue };
            let corner = |[x, y]: &Point| {
                let thousandth = |value: f64| (value * 1000.0).round() as i64;
                (thousandth(cell.at[0] + x), thousandth(cell.at[1] + y))
            };
            for at in 0..shape.len() {
                let (a, b) = (corner(&shape[at]), corner(&shape[(at + 1) % shape.len()]));
                let edge = if a < b { [a, b] } else { [b, a] };
                match edges.iter().position(|other| *other == edge) {
                    Some(twin) => drop(edges.swap_remove(twin)),
                    None => edges.push(edge),
                }
            }
        }
        let color = self.color("text");
        for [(x1, y1), (x2, y2)] in edges {
            let [x1, y1, x2, y2] = [x1, y1, x2, y2].map(|value| value as f64 / 1000.0);
            self.put(format_args!(
                "<line x1='{x1}' y1='{y1}' x2='{x2}' y2='{y2}' stroke='{color}' \
                 stroke-width='0.07' stroke-linecap='round'/>"
            ));
        }
    }

    fn highlight(&mut self, id: &str, role: &str) {
        let Some(points) = self.table.cell(id).and_then(|cell| self.polygon(cell)) else {
            return;
        };
        let color = self.color(role);
        self.put(format_args!(
            "<polygon points='{points}' fill='{color}' fill-opacity='0.45' stroke='{color}' \
             stroke-width='0.06'/>"
        ));
    }

    /// Marks with an owner or a colour lie under the pieces.
    fn draw_mark(&mut self, mark: &Mark) {
        let Some(cell) = self.table.cell(&mark.cell) else { return };
        let kind = self.table.kinds.get(&mark.kind);
        let seat = mark.seat.to_string();
        let role = if mark.seat > 0 {
            Some(seat.as_str())
        } else {
            kind.and_then(|kind| kind.fill.as_deref())
        };
        let (Some(role), Some(points)) = (role, self.polygon(cell)) else { return };
        let (color, edge) = (self.color(role), self.color("line"));
        let at = cell.at;
        self.put(format_args!(
            "<polygon points='{points}' fill='{color}' fill-opacity='0.8' stroke='{edge}' \
             stroke-width='0.02'/>"
        ));
        if mark.seat > 0 {
            let color = self.options.theme.on_seat(mark.seat);
            let corner = [at[0] - 0.33, at[1] - 0.2];
            self.colored_text(corner, 0.22, "middle", color, &seat);
        }
    }

    /// Marks that are signs lie over the pieces.
    fn draw_badge(&mut self, mark: &Mark) {
        let sign = self.table.kinds.get(&mark.kind).and_then(|kind| kind.mark.clone());
        if let (Some(sign), Some(cell)) = (sign, self.table.cell(&mark.cell)) {
            self.sign(cell.at, &sign, self.table.piece * 1.12, "alert");
        }
    }

    /// A sign about a point: ring, cross, dot, hatch, bar, lock.
    fn sign(&mut self, [x, y]: Point, sign: &str, r: f64, role: &str) {
        let (x, y, r, color) = (rounded(x), rounded(y), rounded(r), self.color(role));
        let [left, right, top, low] = [x - r, x + r, y - r, y + r].map(rounded);
        let stroke = format!("stroke='{color}' stroke-width='0.07' fill='none'");
        match sign {
            "ring" => self.put(format_args!("<circle cx='{x}' cy='{y}' r='{r}' {stroke}/>")),
            "dot" => {
                let r = rounded(r * 0.3);
                self.put(format_args!("<circle cx='{x}' cy='{y}' r='{r}' fill='{color}'/>"));
            }
            "cross" => self.put(format_args!(
                "<path d='M{left} {top}L{right} {low}M{left} {low}L{right} {top}' {stroke}/>"
            )),
            "hatch" => self.put(format_args!(
                "<path d='M{left} {y}L{x} {top}M{left} {low}L{right} {top}M{x} {low}L{right} {y}' {stroke} \
                 stroke-opacity='0.5'/>"
            )),
            "bar" => self.put(format_args!("<path d='M{left} {y}L{right} {y}' {stroke}/>")),
            "lock" => self.put(format_args!(
                "<rect x='{left}' y='{top}' width='{0}' height='{0}' {stroke} stroke-dasharray='0.1 0.08'/>",
                rounded(2.0 * r)
            )),
            _ => {}
        }
    }

    /// The pieces cell by cell: several on one cell stand smaller, side by side.
    fn draw_pieces(&mut self) {
        let mut cells: Vec<(&str, Vec<&Piece>)> = Vec::new();
        for piece in &self.board.pieces {
            match cells.iter_mut().find(|(cell, _)| *cell == piece.cell) {
                Some((_, pieces)) => pieces.push(piece),
                None => cells.push((&piece.cell, vec![piece])),
            }
        }
        let r = self.table.piece;
        for (id, pieces) in cells {
            let Some(cell) = self.table.cell(id) else { continue };
            let [x, y] = cell.at;
            let count = pieces.len();
            if count == 1 {
                self.draw_piece(pieces[0], cell.at, r);
                continue;
            }
            let columns = if count <= 4 { 2 } else { 3 };
            let (rows, pitch) = (count.div_ceil(columns), 2.0 * r / columns as f64);
            for (at, piece) in pieces.into_iter().enumerate() {
                let offset =
                    |index: usize, of: usize| (index as f64 - (of as f64 - 1.0) / 2.0) * pitch;
                let place = [x + offset(at % columns, columns), y + offset(at / columns, rows)];
                self.draw_piece(piece, place, 0.47 * pitch);
            }
        }
    }

    fn draw_piece(&mut self, piece: &Piece, at: Point, r: f64) {
        let unknown = Symbol::letter(&piece.symbol, &piece.symbol);
        let symbol = self.table.symbols.get(&piece.symbol).unwrap_or(&unknown).clone();
        let r = rounded(r);
        let [x, y] = at.map(rounded);
        let label =
            piece.label.as_ref().map_or(String::new(), |label| format!(", {}", escape(label)));
        let (title, id) = (escape(&symbol.label), escape(&piece.cell));
        self.put(format_args!("<g><title>{title} on {id}{label}</title>"));
        let ink = if piece.seat > 0 {
            let seat = piece.seat.to_string();
            let (fill, edge) = (self.color(&seat), self.color("text"));
            self.put(format_args!(
                "<circle cx='{x}' cy='{y}' r='{r}' fill='{fill}' stroke='{edge}' stroke-width='0.03'/>"
            ));
            self.options.theme.on_seat(piece.seat)
        } else {
            self.color("text")
        };
        self.draw_symbol(&symbol, [x, y], r, piece.turn, ink);
        if let Some(count) = piece.count.filter(|count| *count != 1) {
            let at = [x + 0.75 * r, y - 0.55 * r];
            let [cx, cy] = at.map(rounded);
            let (fill, radius) = (self.color("last"), rounded(0.45 * r));
            self.put(format_args!("<circle cx='{cx}' cy='{cy}' r='{radius}' fill='{fill}'/>"));
            self.colored_text(
                [cx, cy + 0.25 * r],
                0.75 * r,
                "middle",
                "#1a1a1a",
                &count.to_string(),
            );
        }
        self.put(format_args!("</g>"));
    }

    fn draw_symbol(
        &mut self,
        symbol: &Symbol,
        [x, y]: Point,
        r: f64,
        turn: Option<f64>,
        ink: &str,
    ) {
        let turn = rounded(turn.filter(|_| symbol.turns).unwrap_or(0.0));
        let outline = symbol.icon.as_deref().and_then(icons::outline);
        if let Some(path) = outline {
            let scale = rounded(1000.0 * 1.4 * r / icons::SIZE) / 1000.0;
            let half = icons::SIZE / 2.0;
            self.put(format_args!(
                "<path transform='translate({x} {y}) rotate({turn}) scale({scale:.6}) \
                 translate(-{half} -{half})' fill='{ink}' d='{path}'/>"
            ));
        } else if let Some(path) = symbol.path.as_deref().filter(|path| is_outline(path)) {
            let scale = rounded(0.8 * r);
            self.put(format_args!(
                "<path transform='translate({x} {y}) rotate({turn}) scale({scale})' fill='{ink}' d='{path}'/>"
            ));
        } else {
            let text = symbol.letter.as_deref().unwrap_or("?");
            let size = if text.chars().count() > 1 { 0.95 * r } else { 1.25 * r };
            self.colored_text([x, y + 0.36 * size], size, "middle", ink, text);
        }
    }

    fn arrow(&mut self, path: &[String]) {
        let points: Vec<Point> =
            path.iter().filter_map(|id| self.table.cell(id)).map(|cell| cell.at).collect();
        let color = self.color("best");
        for pair in points.windows(2) {
            let [[x1, y1], [x2, y2]] = [pair[0].map(rounded), pair[1].map(rounded)];
            self.put(format_args!(
                "<line x1='{x1}' y1='{y1}' x2='{x2}' y2='{y2}' stroke='{color}' stroke-width='0.12' \
                 stroke-opacity='0.85' stroke-linecap='round' marker-end='url(#arrow)'/>"
            ));
        }
    }

    fn text(&mut self, at: Point, size: f64, anchor: &str, role: &str, text: &str) {
        let color = self.color(role);
        self.colored_text(at, size, anchor, color, text);
    }

    fn colored_text(&mut self, [x, y]: Point, size: f64, anchor: &str, color: &str, text: &str) {
        let (x, y, size, text) = (rounded(x), rounded(y), rounded(size), escape(text));
        self.put(format_args!(
            "<text x='{x}' y='{y}' font-size='{size}' text-anchor='{anchor}' fill='{color}'>{text}</text>"
        ));
    }

    /// Turn, dice, panels, cards, note and text, below the board.
    fn draw_beside(&mut self) {
        let lines = self.lines_beside();
        let mut y = self.bottom + GAP;
        for (role, line) in lines {
            y += TEXT * 1.35;
            self.text([0.1, y], TEXT, "start", role, &line);
            self.width = self.width.max(0.2 + line.chars().count() as f64 * TEXT * 0.62);
        }
        self.bottom = y + GAP;
    }

    fn lines_beside(&self) -> Vec<(&'static str, String)> {
        let board = self.board;
        let name = |seat: &str| {
            let named = self.table.seats.iter().find(|known| known.seat == seat);
            named.map_or(seat.to_owned(), |known| known.name.clone())
        };
        let mut lines = Vec::new();
        let turn = match board.turn.as_str() {
            "none" => "The game is over.".to_owned(),
            "chance" => "Chance decides.".to_owned(),
            turn => match turn.strip_prefix("chance ") {
                Some(seat) => format!("{} throws.", name(seat)),
                None => format!("{} to move.", name(turn)),
            },
        };
        lines.push(("text", turn));
        if let Some(dice) = &board.dice {
            let join =
                |values: &[i64]| values.iter().map(i64::to_string).collect::<Vec<_>>().join(" ");
            lines.push((
                "text",
                format!("Thrown: {}   left: {}", join(&dice.values), join(&dice.left)),
            ));
        }
        for panel in &board.panel {
            let items = panel.items.iter().map(|item| {
                let value = item.value.as_str().map_or(item.value.to_string(), String::from);
                let of = item.of.map_or(String::new(), |of| format!(" of {of}"));
                format!("{} {value}{of}", item.name)
            });
            lines.push((
                "text",
                format!("{}: {}", name(&panel.seat), items.collect::<Vec<_>>().join(", ")),
            ));
        }
        for card in &board.cards {
            let badges = card.badges.iter().map(|badge| format!(" [{badge}]")).collect::<String>();
            let secret = if card.secret { " (secret)" } else { "" };
            lines.push((
                "text",
                format!("{} {}: {}{secret}{badges}", name(&card.seat), card.id, card.title),
            ));
            lines.extend(card.lines.iter().map(|line| ("faint", format!("    {line}"))));
        }
        lines.extend(board.note.iter().map(|note| ("text", note.clone())));
        if let Some(text) = &board.text {
            lines.extend(text.lines().map(|line| ("text", line.to_owned())));
        }
        lines
    }

    fn finish(self) -> String {
        let margin = 0.2;
        let [width, height] = [self.width + 2.0 * margin, self.bottom + 2.0 * margin].map(rounded);
        let [pixels, tall] =
            [width * self.options.scale, height * self.options.scale].map(f64::round);
        let (ground, best) = (self.color("ground"), self.color("best"));
        let title = escape(&self.table.title);
        let font = if self.board.text.is_some() { "monospace" } else { "sans-serif" };
        format!(
            "<svg xmlns='http://www.w3.org/2000/svg' width='{pixels}' height='{tall}' \
             viewBox='-{margin} -{margin} {width} {height}' font-family='{font}' \
             xml:space='preserve'>\n<title>{title}</title>\n<defs><marker id='arrow' \
             viewBox='0 0 10 10' refX='7' refY='5' markerWidth='3' markerHeight='3' \
             orient='auto-start-reverse'><path d='M0 0L10 5L0 10z' fill='{best}'/></marker></defs>\n\
             <rect x='-{margin}' y='-{margin}' width='{width}' height='{height}' fill='{ground}'/>\n\
             {}</svg>\n",
            self.out
        )
    }
}

/// Whether a text is nothing but path commands and numbers.
#[must_use]
pub fn is_outline(path: &str) -> bool {
    path.starts_with(['M', 'm'])
        && path.chars().all(|c| c.is_ascii_digit() || " .,+-eMmLlHhVvCcSsQqTtAaZz".contains(c))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::picture::{Card, Kind, Label};

    #[test]
    fn what_an_engine_says_never_becomes_markup() {
        let evil = "</text><script>alert('x')</script>\"&";
        let mut table = Table::new(evil, [2.0, 1.0]);
        table.square("sq");
        table.cells.push(Cell::new(evil, [0.5, 0.5], "sq").of_kind("k"));
        table.kinds.insert("k".into(), Kind::filled(evil, evil));
        table.labels.push(Label { at: [0.0, 0.0], text: evil.into() });
        table.symbols.insert("A".into(), Symbol::path(evil, "M0 0'/><script>", false));
        let mut board = Board::new(evil);
        let piece = Piece { label: Some(evil.into()), ..Piece::new(evil, "A", 1) };
        board.pieces = vec![piece, Piece::new(evil, evil, 9)];
        board.marks = vec![Mark::new(evil, evil), Mark::new(evil, "k")];
        board.cards =
            vec![Card { title: evil.into(), lines: vec![evil.into()], ..Card::default() }];
        board.note = Some(evil.into());
        board.text = Some(evil.into());
        let svg = draw(&table, &board, &Options::default());
        assert!(!svg.contains("<script"), "{svg}");
        assert!(svg.contains("&lt;script&gt;alert(&#39;x&#39;)"));
        // Every element that is opened is closed: the drawing is well-formed.
        let opened = svg.matches('<').count();
        assert_eq!(opened, svg.matches('>').count());
    }

    #[test]
    fn a_region_is_outlined_where_it_ends() {
        let mut table = Table::new("", [2.0, 1.0]);
        table.square("sq");
        for (id, x) in [("a", 0.5), ("b", 1.5)] {
            table.cells.push(Cell::new(id, [x, 0.5], "sq"));
        }
        let cells = vec!["a".to_owned(), "b".to_owned()];
        table.regions.push(crate::picture::Region { id: "r".into(), label: "r".into(), cells });
        let svg = draw(&table, &Board::new("p1"), &Options::default());
        // Two squares side by side have eight edges, of which the shared one is drawn by neither.
        assert_eq!(svg.matches("stroke-linecap='round'/>").count(), 6);
    }
}
