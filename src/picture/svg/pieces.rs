//! Pieces, and the arrows of a move.

use super::super::json::rounded;
use super::super::{Piece, Point, Show, Symbol, icons};
use super::{Drawing, escape, is_outline};

impl Drawing<'_> {
    /// The pieces cell by cell: several on one cell stand smaller, side by side.
    pub(super) fn draw_pieces(&mut self) {
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
            let [x, y] = self.place(cell.at);
            let count = pieces.len();
            if count == 1 {
                self.draw_piece(pieces[0], [x, y], r, false);
                continue;
            }
            let columns = if count <= 4 { 2 } else { 3 };
            let (rows, pitch) = (count.div_ceil(columns), 2.0 * r / columns as f64);
            for (at, piece) in pieces.into_iter().enumerate() {
                let offset =
                    |index: usize, of: usize| (index as f64 - (of as f64 - 1.0) / 2.0) * pitch;
                let place = [x + offset(at % columns, columns), y + offset(at / columns, rows)];
                self.draw_piece(piece, place, 0.47 * pitch, true);
            }
        }
    }

    /// A piece. A small one among others shows the number of its seat where there are many seats.
    fn draw_piece(&mut self, piece: &Piece, at: Point, r: f64, small: bool) {
        let unknown = Symbol::letter(&piece.symbol, &piece.symbol);
        let symbol = self.table.symbols.get(&piece.symbol).unwrap_or(&unknown).clone();
        let r = rounded(r);
        let [x, y] = at.map(rounded);
        let label =
            piece.label.as_ref().map_or(String::new(), |label| format!(", {}", escape(label)));
        let (title, id) = (escape(&symbol.label), escape(&piece.cell));
        self.put(format_args!("<g><title>{title} on {id}{label}</title>"));
        let owned = piece.seat > 0;
        let mut ink = self.color("text");
        if owned {
            let fill = self.seat_color(piece.seat);
            ink = self.options.theme.ink_on(fill);
            self.draw_disc([x, y], r, fill);
        }
        if owned && small && self.numbers_seats() {
            self.colored_text([x, y], 1.3 * r, "middle", ink, &piece.seat.to_string());
        } else {
            self.draw_symbol(&symbol, [x, y], r, piece.turn, ink);
            if owned && self.numbers_seats() {
                let at = [x - 0.78 * r, y + 0.72 * r];
                self.draw_chip(at, 0.36 * r, "ground", &piece.seat.to_string());
            }
        }
        if let Some(count) = piece.count.filter(|count| *count != 1) {
            self.draw_chip([x + 0.75 * r, y - 0.6 * r], 0.42 * r, "last", &count.to_string());
        }
        self.put(format_args!("</g>"));
    }

    /// A disc with its shadow, its edge and a rim.
    fn draw_disc(&mut self, [x, y]: Point, r: f64, fill: &str) {
        let (edge, ink) = (self.color("edge"), self.options.theme.ink_on(fill));
        let [low, rim, width, thin] = [y + 0.09 * r, 0.86 * r, 0.07 * r, 0.04 * r].map(rounded);
        self.put(format_args!(
            "<circle cx='{x}' cy='{low}' r='{r}' fill='#000000' fill-opacity='0.25'/>\n\
             <circle cx='{x}' cy='{y}' r='{r}' fill='{fill}' stroke='{edge}' stroke-width='{width}'/>\n\
             <circle cx='{x}' cy='{y}' r='{rim}' fill='none' stroke='{ink}' stroke-opacity='0.25' \
             stroke-width='{thin}'/>"
        ));
    }

    /// A small disc with a number.
    pub(super) fn draw_chip(&mut self, at: Point, r: f64, role: &str, text: &str) {
        let fill = self.color(role);
        self.colored_chip(at, r, fill, text);
    }

    pub(super) fn colored_chip(&mut self, at: Point, r: f64, fill: &str, text: &str) {
        let [x, y] = at.map(rounded);
        let (r, edge, ink) = (rounded(r), self.color("edge"), self.options.theme.ink_on(fill));
        let width = rounded(0.1 * r);
        self.put(format_args!(
            "<circle cx='{x}' cy='{y}' r='{r}' fill='{fill}' stroke='{edge}' stroke-width='{width}'/>"
        ));
        let size = if text.len() > 1 { 1.25 * r } else { 1.5 * r };
        self.colored_text([x, y], size, "middle", ink, text);
    }

    pub(super) fn draw_symbol(
        &mut self,
        symbol: &Symbol,
        [x, y]: Point,
        r: f64,
        turn: Option<f64>,
        ink: &str,
    ) {
        let quarters = 90.0 * self.quarters as f64;
        let turn = turn.filter(|_| symbol.turns).map_or(0.0, |turn| (turn + quarters) % 360.0);
        let turn = rounded(turn);
        let icon = symbol.icon.as_deref().and_then(icons::name);
        if let Some(name) = icon {
            let scale = 1.4 * r / icons::SIZE;
            let half = icons::SIZE / 2.0;
            self.icons.insert(name);
            self.put(format_args!(
                "<use href='#icon-{name}' transform='translate({x} {y}) rotate({turn}) \
                 scale({scale:.6}) translate(-{half} -{half})' fill='{ink}'/>"
            ));
        } else if let Some(path) = symbol.path.as_deref().filter(|path| is_outline(path)) {
            let scale = rounded(0.8 * r);
            self.put(format_args!(
                "<path transform='translate({x} {y}) rotate({turn}) scale({scale})' fill='{ink}' d='{path}'/>"
            ));
        } else {
            let text = symbol.letter.as_deref().unwrap_or("?");
            let size = if text.chars().count() > 1 { 0.95 * r } else { 1.25 * r };
            self.colored_text([x, y], size, "middle", ink, text);
        }
    }

    /// The move that is recommended: arrows where pieces go, frames where something changes.
    pub(super) fn draw_best(&mut self) {
        let options = self.options;
        let mut framed = Vec::new();
        for change in &options.best {
            match change {
                Show::Move { r#move: [from, to], .. } if from != to => self.arrow(from, to),
                Show::Move { r#move: [at, _], .. } => framed.push(at),
                Show::Add { add: at, .. } | Show::Remove { remove: at, .. } => framed.push(at),
                Show::Dice { .. } => {}
            }
        }
        if options.best.is_empty() {
            framed.extend(&options.best_path);
        }
        framed.dedup();
        for id in framed {
            self.highlight(id, "best", "0.15");
        }
    }

    /// An arrow between two cells that ends before the middle of the second.
    fn arrow(&mut self, from: &str, to: &str) {
        let ends = [from, to].map(|id| self.table.cell(id).map(|cell| self.place(cell.at)));
        let [Some([x1, y1]), Some([x2, y2])] = ends else { return };
        let (dx, dy, r) = (x2 - x1, y2 - y1, self.table.piece);
        let length = (dx * dx + dy * dy).sqrt().max(0.001);
        let [ux, uy] = [dx / length, dy / length];
        let at = |along: f64, aside: f64| {
            [x1 + along * ux - aside * uy, y1 + along * uy + aside * ux].map(rounded)
        };
        let head = (0.9 * r).min(0.6 * length);
        let (tail, neck, tip) = (0.6 * r.min(length - head), length - head, length);
        let [half, wide] = [0.16 * r, 0.45 * r];
        let corners = [
            (tail, half),
            (neck, half),
            (neck, wide),
            (tip, 0.0),
            (neck, -wide),
            (neck, -half),
            (tail, -half),
        ];
        let points: Vec<String> = corners
            .map(|(along, aside)| at(along, aside))
            .iter()
            .map(|[x, y]| format!("{x},{y}"))
            .collect();
        let (color, edge) = (self.color("best"), self.color("ground"));
        self.put(format_args!(
            "<polygon points='{}' fill='{color}' fill-opacity='0.85' stroke='{edge}' \
             stroke-width='0.02' stroke-linejoin='round'/>",
            points.join(" ")
        ));
    }
}
