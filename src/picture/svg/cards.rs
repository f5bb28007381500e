//! Cards in a grid below the board.

use super::super::json::rounded;
use super::super::{Card, Shape};
use super::beside::{CHARACTER, LINE, wrap};
use super::{Drawing, escape, is_outline, text_place};

/// The least width of a card, in sizes of the text.
const NARROWEST: f64 = 13.5;
/// Between cards, and inside of their frame.
const GAP: f64 = 0.5;
/// The side of the picture of a card.
const PICTURE: f64 = 7.0;
/// Lines of a card are smaller than other text.
const SMALL: f64 = 0.86;

/// A card with its text broken into lines.
struct Laid<'a> {
    card: &'a Card,
    lines: Vec<String>,
    badges: Vec<String>,
}

impl Laid<'_> {
    /// The height in sizes of the text.
    fn height(&self) -> f64 {
        let small = (self.lines.len() + self.badges.len()) as f64 * LINE * SMALL;
        let picture = if self.card.picture.is_empty() { 0.0 } else { PICTURE };
        2.0 * GAP + LINE + picture + small
    }
}

impl Drawing<'_> {
    pub(super) fn draw_cards(&mut self) {
        let (board, em) = (self.board, self.em);
        if board.cards.is_empty() {
            return;
        }
        let columns = ((self.width / em + GAP) / (NARROWEST + GAP)).floor().max(1.0);
        let width = self.width / em / columns - GAP * (columns - 1.0) / columns;
        let characters = ((width - 2.0 * GAP) / (CHARACTER * SMALL)) as usize;
        let laid: Vec<Laid> = board
            .cards
            .iter()
            .map(|card| Laid {
                card,
                lines: card.lines.iter().flat_map(|line| wrap(line, characters)).collect(),
                badges: wrap(&card.badges.join(", "), characters)
                    .into_iter()
                    .filter(|line| !line.is_empty())
                    .collect(),
            })
            .collect();
        self.bottom += GAP * em;
        for row in laid.chunks(columns as usize) {
            let height = row.iter().map(Laid::height).fold(0.0, f64::max);
            for (column, card) in row.iter().enumerate() {
                self.draw_card(card, column as f64 * (width + GAP) * em, [width, height]);
            }
            self.bottom += (height + GAP) * em;
        }
    }

    fn draw_card(&mut self, laid: &Laid<'_>, x: f64, size: [f64; 2]) {
        let (card, em, top) = (laid.card, self.em, self.bottom);
        let [width, height] = size.map(|side| rounded(side * em));
        let named = |path: &[String]| path.contains(&card.id);
        let edge = match &self.board.last {
            _ if named(&self.options.best_path) => "best",
            Some(last) if named(&last.path) => "last",
            _ => "line",
        };
        let (edge_color, fill) = (self.color(edge), self.color("card"));
        let thick = rounded(em * if edge == "line" { 0.06 } else { 0.16 });
        let left = rounded(x);
        self.put(format_args!(
            "<rect x='{left}' y='{}' width='{width}' height='{height}' rx='{}' fill='{fill}' \
             stroke='{edge_color}' stroke-width='{thick}'/>",
            rounded(top),
            rounded(0.4 * em)
        ));
        let inside = x + GAP * em;
        let mut y = top + (GAP + LINE / 2.0) * em;
        let number: u8 = card.seat.trim_start_matches('p').parse().unwrap_or(0);
        let seat = self.seat_color(number);
        self.colored_chip([inside + 0.55 * em, y], 0.55 * em, seat, &number.to_string());
        let (id, title) = (escape(&card.id), escape(&card.title));
        let [ink, faint] = ["text", "faint"].map(|role| self.color(role));
        let hidden = if card.secret { " (secret)" } else { "" };
        self.put(format_args!(
            "<text {} fill='{ink}'><tspan fill='{faint}'>{id}</tspan> \
             <tspan font-weight='bold'>{title}</tspan><tspan fill='{faint}'>{hidden}</tspan></text>",
            text_place([inside + 1.5 * em, y], em)
        ));
        if !card.picture.is_empty() {
            let side = PICTURE * em;
            self.draw_shapes(
                &card.picture,
                [x + (size[0] * em - side) / 2.0, y + LINE / 2.0 * em],
                side,
            );
            y += side;
        }
        y += LINE * (1.0 + SMALL) / 2.0 * em;
        let lines = laid.lines.iter().map(|line| ("text", line));
        let badges = laid.badges.iter().map(|line| ("alert", line));
        for (role, line) in lines.chain(badges) {
            self.text([inside, y], SMALL * em, "start", role, line);
            y += LINE * SMALL * em;
        }
    }

    /// The picture of a card in a square of this side.
    fn draw_shapes(&mut self, shapes: &[Shape], [x, y]: [f64; 2], side: f64) {
        let (x, y, scale) = (rounded(x), rounded(y), rounded(side / 100.0));
        let ink = self.color("text");
        self.put(format_args!(
            "<g transform='translate({x} {y}) scale({scale})' stroke='{ink}' stroke-width='1.5' \
             stroke-linejoin='round' stroke-linecap='round'>"
        ));
        for shape in shapes.iter().filter(|shape| is_outline(&shape.path)) {
            let fill = shape.fill.as_deref().map_or("none", |role| self.color(role));
            self.put(format_args!("<path d='{}' fill='{fill}'/>", shape.path));
        }
        self.put(format_args!("</g>"));
    }
}
