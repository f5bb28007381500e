//! What stands below the board: whose turn it is, dice, the numbers of the seats, cards, notes.

use super::super::json::rounded;
use super::super::{Dice, Item};
use super::{Drawing, escape, text_place};

/// The width of a character and the height of a line, in sizes of the text.
pub(super) const CHARACTER: f64 = 0.56;
pub(super) const LINE: f64 = 1.4;
/// The same for text of one width.
const MONOSPACE: f64 = 0.62;
/// Numbers up to this are shown as dots.
const DOTS: i64 = 6;
/// The narrowest text beside a board, in characters.
const NARROWEST: f64 = 36.0;

/// Breaks text into lines of a number of characters, at blanks where it can.
pub(in crate::picture) fn wrap(text: &str, width: usize) -> Vec<String> {
    let width = width.max(8);
    let mut lines = vec![String::new()];
    for word in text.split(' ') {
        let mut word: Vec<char> = word.chars().collect();
        loop {
            let last = lines.len() - 1;
            let used = lines[last].chars().count();
            let gap = usize::from(used > 0);
            if used + gap + word.len() <= width {
                lines[last].extend([' '].iter().take(gap));
                lines[last].extend(word);
                break;
            }
            if used == 0 {
                lines[last].extend(word.drain(..width));
            }
            lines.push(String::new());
        }
    }
    lines
}

impl Drawing<'_> {
    /// Everything below the board.
    pub(super) fn draw_beside(&mut self) {
        self.width = self.width.max(NARROWEST * CHARACTER * self.em);
        if self.size[1] > 0.0 {
            self.bottom += 0.8 * self.em;
        }
        self.status();
        if let Some(dice) = &self.board.dice {
            self.draw_dice(dice);
        }
        self.draw_panel();
        self.draw_cards();
        if let Some(note) = &self.board.note {
            self.bottom += 0.4 * self.em;
            self.paragraph("text", note);
        }
        if let Some(text) = &self.board.text {
            self.bottom += 0.4 * self.em;
            for line in text.lines() {
                self.line("text", line);
                let wide = line.chars().count() as f64 * self.em * MONOSPACE;
                self.width = self.width.max(wide);
            }
        }
    }

    fn line(&mut self, role: &str, text: &str) {
        let height = LINE * self.em;
        self.text([0.0, self.bottom + height / 2.0], self.em, "start", role, text);
        self.bottom += height;
    }

    fn paragraph(&mut self, role: &str, text: &str) {
        for line in wrap(text, (self.width / (self.em * CHARACTER)) as usize) {
            self.line(role, &line);
        }
    }

    /// The name of a seat for people.
    pub(super) fn seat_name(&self, seat: &str) -> String {
        let named = self.table.seats.iter().find(|known| known.seat == seat);
        named.map_or(seat.to_owned(), |known| known.name.clone())
    }

    fn status(&mut self) {
        let board = self.board;
        let turn = board.status(|seat| self.seat_name(seat));
        self.paragraph("text", &turn);
        if let Some(last) = &board.last {
            self.paragraph("faint", &format!("Last: {}", last.path.join(" ")));
        }
    }

    /// The values of a throw: those still to be played full, the others faint.
    fn draw_dice(&mut self, dice: &Dice) {
        let (em, mut left) = (self.em, dice.left.clone());
        let [half, tall] = [1.1 * em, 0.75 * em].map(rounded);
        let radius = if dice.of == "die" { rounded(0.3 * em) } else { tall };
        self.bottom += 0.3 * em;
        let y = self.bottom + tall;
        self.text([0.0, y], em, "start", "text", "Thrown:");
        let mut x = 5.5 * em;
        for value in &dice.values {
            let found = left.iter().position(|other| other == value);
            found.map(|at| left.remove(at));
            let (fill, ink) = match found {
                Some(_) => (self.color("last"), self.options.theme.ink_on(self.color("last"))),
                None => (self.color("ground"), self.color("faint")),
            };
            if x + half > self.width {
                (x, self.bottom) = (5.5 * em, self.bottom + 2.0 * tall + 0.2 * em);
            }
            let y = self.bottom + tall;
            let [corner, top] = [x - half, y - tall].map(rounded);
            self.put(format_args!(
                "<rect x='{corner}' y='{top}' width='{}' height='{}' rx='{radius}' fill='{fill}' \
                 stroke='{ink}' stroke-width='{}'/>",
                2.0 * half,
                2.0 * tall,
                rounded(0.08 * em)
            ));
            self.colored_text([x, y], em, "middle", ink, &value.to_string());
            x += 2.4 * em;
        }
        self.bottom += 2.0 * tall + 0.3 * em;
    }

    /// A row for each seat: a disc of its colour, its name, its numbers.
    fn draw_panel(&mut self) {
        let (board, em) = (self.board, self.em);
        if board.panel.is_empty() {
            return;
        }
        self.bottom += 0.3 * em;
        let longest = board.panel.iter().map(|panel| self.seat_name(&panel.seat).chars().count());
        let column = (2.8 + longest.max().unwrap_or(0) as f64 * 0.62) * em;
        for panel in &board.panel {
            let y = self.bottom + 0.8 * em;
            let number: u8 = panel.seat.trim_start_matches('p').parse().unwrap_or(0);
            let fill = self.seat_color(number);
            self.colored_chip([0.7 * em, y], 0.6 * em, fill, &number.to_string());
            let to_move = board.turn.rsplit(' ').next() == Some(panel.seat.as_str());
            let name = escape(&self.seat_name(&panel.seat));
            let (color, weight) = (self.color("text"), if to_move { "bold" } else { "normal" });
            self.put(format_args!(
                "<text {} font-weight='{weight}' fill='{color}'>{name}</text>",
                text_place([1.7 * em, y], em)
            ));
            let mut x = column;
            for item in &panel.items {
                let width = item_width(item) * em;
                if x + width > self.width && x > column {
                    (x, self.bottom) = (column, self.bottom + LINE * em);
                }
                self.draw_item(item, [x, self.bottom + 0.8 * em]);
                x += width;
            }
            self.bottom += 1.6 * em;
        }
    }

    fn draw_item(&mut self, item: &Item, [x, y]: [f64; 2]) {
        let em = self.em;
        let Some((full, of)) = dots(item) else {
            let value = value_text(item);
            let (name, color) = (escape(&item.name), self.color("text"));
            let faint = self.color("faint");
            let (place, value) = (text_place([x, y], em), escape(&value));
            self.put(format_args!(
                "<text {place} fill='{color}'>\
                 <tspan fill='{faint}'>{name}</tspan> {value}</text>"
            ));
            return;
        };
        self.text([x, y], em, "start", "faint", &item.name);
        let start = x + (item.name.chars().count() as f64 * CHARACTER + 0.8) * em;
        let (color, r) = (self.color("text"), rounded(0.3 * em));
        for index in 0..of {
            let [x, y] = [start + (0.3 + 0.8 * index as f64) * em, y].map(rounded);
            let fill = if index < full { color } else { "none" };
            self.put(format_args!(
                "<circle cx='{x}' cy='{y}' r='{r}' fill='{fill}' stroke='{color}' stroke-width='{}'/>",
                rounded(0.08 * em)
            ));
        }
    }
}

/// A number of few, which is shown as dots.
fn dots(item: &Item) -> Option<(i64, i64)> {
    let of = item.of.filter(|of| (1..=DOTS).contains(of))?;
    Some((item.value.as_i64().filter(|value| (0..=of).contains(value))?, of))
}

fn value_text(item: &Item) -> String {
    let value = item.value.as_str().map_or_else(|| item.value.to_string(), String::from);
    item.of.map_or(value.clone(), |of| format!("{value}/{of}"))
}

/// The width of an item with the gap after it, in sizes of the text.
fn item_width(item: &Item) -> f64 {
    let name = (item.name.chars().count() as f64 + 1.0) * CHARACTER;
    let value = match dots(item) {
        Some((_, of)) => 0.8 * of as f64,
        None => value_text(item).chars().count() as f64 * CHARACTER,
    };
    name + value + 1.2
}

#[cfg(test)]
mod tests {
    use super::wrap;

    #[test]
    fn text_is_broken_at_blanks_and_a_long_word_anywhere() {
        assert_eq!(wrap("one two three", 8), ["one two", "three"]);
        assert_eq!(wrap("abcdefghijk", 8), ["abcdefgh", "ijk"]);
        assert_eq!(wrap("", 8), [""]);
        // Nothing is lost.
        let long = "word ".repeat(40);
        assert_eq!(wrap(&long, 20).join(" ").matches("word").count(), 40);
    }
}
