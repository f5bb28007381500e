//! A drawing of a table and a board as SVG, made from these values alone.
//!
//! Everything that comes from an engine is data: text is escaped, outlines are checked to be
//! nothing but path commands, and names never become part of the markup unescaped.
//!
//! - `cells`: cells, regions, marks, coordinates; `signs`: what marks them beside colour.
//! - `pieces`: pieces and arrows; `beside`: what stands below the board; `cards`: the cards.

mod beside;
mod cards;
mod cells;
mod pieces;
mod signs;

use std::collections::BTreeSet;
use std::fmt::Write;

pub(super) use beside::wrap;

use super::json::rounded;
use super::{Board, Point, Show, Table, Theme, icons};
use crate::printing::is_hidden;

/// What is drawn beside the position.
#[derive(Clone, PartialEq, Debug)]
pub struct Options {
    /// Light or dark.
    pub theme: Theme,
    /// Pixels a unit of the table; by default what makes a board of a handy size.
    pub scale: Option<f64>,
    /// Whether coordinates and other labels are drawn.
    pub labels: bool,
    /// The seat for which the board is turned, from 1; 0 for as p1 sits.
    pub seat: usize,
    /// The changes of the board that a move makes, as [`super::Step::show`] tells them: drawn as
    /// arrows and rings.
    pub best: Vec<Show>,
    /// The choices of that move, for what it names besides: cells and cards.
    pub best_path: Vec<String>,
}

impl Default for Options {
    fn default() -> Self {
        Options {
            theme: Theme::Light,
            scale: None,
            labels: true,
            seat: 0,
            best: Vec::new(),
            best_path: Vec::new(),
        }
    }
}

/// Escapes text for an element or an attribute; what no XML may hold becomes a blank.
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
            '\n' | '\t' | '\u{fffe}' | '\u{ffff}' => escaped.push(' '),
            c if is_hidden(c) => escaped.push(' '),
            c => escaped.push(c),
        }
    }
    escaped
}

/// Draws a board. Cells without a shape and pieces without a cell are left out.
#[must_use]
pub fn draw(table: &Table, board: &Board, options: &Options) -> String {
    let mut drawing = Drawing::new(table, board, options);
    drawing.draw_board();
    drawing.draw_beside();
    drawing.finish()
}

/// The pixels of the longer side of a board, and of text, at the default scale.
const BOARD_PIXELS: f64 = 640.0;
const TEXT_PIXELS: f64 = 15.0;
/// Bounds of the default scale, and the scale of a table without cells.
const SCALES: [f64; 2] = [30.0, 92.0];
const TEXT_SCALE: f64 = 48.0;
/// An engine may give any size; beyond this one nobody could look at it.
const LARGEST: f64 = 10_000.0;

struct Drawing<'a> {
    table: &'a Table,
    board: &'a Board,
    options: &'a Options,
    out: String,
    /// The icons that are used, which are defined once.
    icons: BTreeSet<&'static str>,
    /// The size of the board as it is turned.
    size: Point,
    /// Quarter turns clockwise.
    quarters: usize,
    /// Pixels a unit, and the size of text in units.
    scale: f64,
    em: f64,
    width: f64,
    bottom: f64,
}

impl<'a> Drawing<'a> {
    fn new(table: &'a Table, board: &'a Board, options: &'a Options) -> Self {
        let mut size = table.size.map(|side| rounded(side).clamp(0.0, LARGEST));
        let turn = options.seat.checked_sub(1).and_then(|index| table.seats.get(index)?.turn);
        let quarters = (turn.unwrap_or(0.0) / 90.0).round().rem_euclid(4.0) as usize;
        if quarters % 2 == 1 {
            size.reverse();
        }
        let longest = size[0].max(size[1]);
        let fitting = match longest > 0.0 {
            true => (BOARD_PIXELS / longest).clamp(SCALES[0], SCALES[1]),
            false => TEXT_SCALE,
        };
        Drawing {
            table,
            board,
            options,
            out: String::new(),
            icons: BTreeSet::new(),
            size,
            quarters,
            scale: options.scale.unwrap_or(fitting.round()),
            em: rounded(TEXT_PIXELS / fitting),
            width: size[0],
            bottom: size[1],
        }
    }

    fn color(&self, role: &str) -> &'static str {
        self.options.theme.color(role)
    }

    /// The colour of a seat, from 1.
    fn seat_color(&self, seat: u8) -> &'static str {
        let named = usize::from(seat).checked_sub(1).and_then(|index| self.table.seats.get(index));
        match named.and_then(|seat| seat.fill.as_deref()) {
            Some(role) => self.color(role),
            None => self.color(&seat.to_string()),
        }
    }

    /// With more than two seats colours alone do not tell them apart.
    fn numbers_seats(&self) -> bool {
        self.table.seats.len() > 2
    }

    fn put(&mut self, markup: std::fmt::Arguments<'_>) {
        let _ = writeln!(self.out, "{markup}");
    }

    /// A point of the table on the turned board.
    fn place(&self, [x, y]: Point) -> Point {
        let [width, height] = self.size;
        let placed = match self.quarters {
            0 => [x, y],
            1 => [width - y, x],
            2 => [width - x, height - y],
            _ => [y, height - x],
        };
        placed.map(rounded)
    }

    fn text(&mut self, at: Point, size: f64, anchor: &str, role: &str, text: &str) {
        let color = self.color(role);
        self.colored_text(at, size, anchor, color, text);
    }

    /// Text with its middle line at a height.
    fn colored_text(&mut self, [x, y]: Point, size: f64, anchor: &str, color: &str, text: &str) {
        let (place, text) = (text_place([x, y], size), escape(text));
        self.put(format_args!("<text {place} text-anchor='{anchor}' fill='{color}'>{text}</text>"));
    }

    fn finish(self) -> String {
        let margin = rounded(self.em * 0.8);
        let [width, height] = [self.width + 2.0 * margin, self.bottom + 2.0 * margin].map(rounded);
        let [pixels, tall] = [width, height].map(|side| (side * self.scale).round());
        let ground = self.color("ground");
        let title = escape(&self.table.title);
        let font = if self.board.text.is_some() { "monospace" } else { "sans-serif" };
        let icons: String = self
            .icons
            .iter()
            .filter_map(|name| Some((name, icons::outline(name)?)))
            .map(|(name, path)| format!("<path id='icon-{name}' d='{path}'/>\n"))
            .collect();
        let credit = match icons.is_empty() {
            true => String::new(),
            false => format!("<metadata>{}</metadata>\n", icons::CREDIT),
        };
        format!(
            "<svg xmlns='http://www.w3.org/2000/svg' width='{pixels}' height='{tall}' \
             viewBox='-{margin} -{margin} {width} {height}' font-family='{font}' \
             xml:space='preserve'>\n<title>{title}</title>\n{credit}<defs>\n{icons}</defs>\n\
             <rect x='-{margin}' y='-{margin}' width='{width}' height='{height}' fill='{ground}'/>\n\
             {}</svg>\n",
            self.out
        )
    }
}

/// The attributes of text of a size with its middle line at a point. The font itself has a size that
/// programs set well; letters of a fraction of a unit are set apart badly.
fn text_place([x, y]: Point, size: f64) -> String {
    let (x, y, scale) = (rounded(x), rounded(y + 0.35 * size), size / TEXT_PIXELS);
    format!("transform='translate({x} {y}) scale({scale:.4})' font-size='{TEXT_PIXELS}'")
}

/// Whether a text is nothing but path commands and numbers.
#[must_use]
pub fn is_outline(path: &str) -> bool {
    path.starts_with(['M', 'm'])
        && path.chars().all(|c| c.is_ascii_digit() || " .,+-eMmLlHhVvCcSsQqTtAaZz".contains(c))
}

#[cfg(test)]
mod tests;
