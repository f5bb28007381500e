//! A rectangle of styled characters, and the lines that come of it.

use std::fmt::Write as _;

use anstyle::Style;

use crate::printing::is_hidden;

/// A line of text in which every stretch has its style.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct StyledLine {
    spans: Vec<(Style, String)>,
}

impl StyledLine {
    /// A line of one style.
    #[must_use]
    pub fn new(style: Style, text: impl Into<String>) -> Self {
        StyledLine::default().with(style, text)
    }

    /// The same line with more text.
    #[must_use]
    pub fn with(mut self, style: Style, text: impl Into<String>) -> Self {
        self.push(style, &text.into());
        self
    }

    /// Adds text.
    pub fn push(&mut self, style: Style, text: &str) {
        // No engine may send escape sequences to a terminal.
        let plain = |c| if is_hidden(c) || c == '\n' || c == '\t' { ' ' } else { c };
        let text: String = text.chars().map(plain).collect();
        match self.spans.last_mut() {
            _ if text.is_empty() => {}
            Some((last, before)) if *last == style => before.push_str(&text),
            _ => self.spans.push((style, text)),
        }
    }

    /// Adds another line.
    pub fn append(&mut self, line: &StyledLine) {
        for (style, text) in &line.spans {
            self.push(*style, text);
        }
    }

    /// The number of characters.
    #[must_use]
    pub fn width(&self) -> usize {
        self.spans.iter().map(|(_, text)| text.chars().count()).sum()
    }

    /// Fills the line with blanks up to a width.
    pub fn pad(&mut self, width: usize) {
        let missing = width.saturating_sub(self.width());
        self.push(Style::new(), &" ".repeat(missing));
    }

    /// The text alone, without blanks at its end.
    #[must_use]
    pub fn plain(&self) -> String {
        let text: String = self.spans.iter().map(|(_, text)| text.as_str()).collect();
        text.trim_end().to_owned()
    }

    /// The text with escape sequences.
    #[must_use]
    pub fn styled(&self) -> String {
        let mut out = String::new();
        for (style, text) in &self.spans {
            let _ = write!(out, "{style}{text}{style:#}");
        }
        out
    }

    /// Cuts what is longer than a width. Without Unicode, `?` stands for what is not ASCII.
    pub(super) fn fit(&mut self, width: usize, unicode: bool) {
        if !unicode {
            for (_, text) in &mut self.spans {
                *text = text.replace(|c: char| !c.is_ascii(), "?");
            }
        }
        if self.width() <= width {
            return;
        }
        let end = if unicode { "\u{2026}" } else { ".." };
        let mut room = width.saturating_sub(end.chars().count());
        let spans = std::mem::take(&mut self.spans);
        for (style, text) in spans {
            let part: String = text.chars().take(room).collect();
            room -= part.chars().count();
            self.push(style, &part);
        }
        self.push(Style::new(), end);
    }
}

/// One character.
#[derive(Clone, Copy, PartialEq, Debug)]
struct Glyph {
    character: char,
    style: Style,
}

const BLANK: Glyph = Glyph { character: ' ', style: Style::new() };

/// A rectangle of characters that grows as it is written on.
#[derive(Clone, PartialEq, Debug, Default)]
pub(super) struct Canvas {
    rows: Vec<Vec<Glyph>>,
}

impl Canvas {
    pub(super) fn height(&self) -> usize {
        self.rows.len()
    }

    pub(super) fn width(&self) -> usize {
        self.rows.iter().map(Vec::len).max().unwrap_or(0)
    }

    fn glyph(&mut self, row: usize, column: usize) -> &mut Glyph {
        if self.rows.len() <= row {
            self.rows.resize(row + 1, Vec::new());
        }
        let line = &mut self.rows[row];
        if line.len() <= column {
            line.resize(column + 1, BLANK);
        }
        &mut line[column]
    }

    /// The character at a place.
    pub(super) fn at(&self, row: usize, column: usize) -> char {
        self.rows.get(row).and_then(|line| line.get(column)).map_or(' ', |glyph| glyph.character)
    }

    /// Writes text from a place on; a style without a background keeps the one that is there.
    pub(super) fn put(&mut self, row: usize, column: usize, text: &str, style: Style) {
        for (offset, character) in text.chars().enumerate() {
            let glyph = self.glyph(row, column + offset);
            let ground = style.get_bg_color().or(glyph.style.get_bg_color());
            *glyph = Glyph { character, style: style.bg_color(ground) };
        }
    }

    /// Colours the ground of a place.
    pub(super) fn tint(&mut self, row: usize, column: usize, style: Style) {
        let glyph = self.glyph(row, column);
        glyph.style = glyph.style.bg_color(style.get_bg_color());
    }

    /// The lines.
    pub(super) fn lines(&self) -> Vec<StyledLine> {
        let line = |glyphs: &Vec<Glyph>| {
            let mut line = StyledLine::default();
            for glyph in glyphs {
                line.push(glyph.style, glyph.character.encode_utf8(&mut [0; 4]));
            }
            line
        };
        self.rows.iter().map(line).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_is_cut_at_its_width_and_keeps_its_styles() {
        let mut line = StyledLine::new(Style::new().bold(), "abc").with(Style::new(), "\u{e9}efgh");
        line.fit(6, false);
        assert_eq!(line.plain(), "abc?..");
        assert_eq!(line.width(), 6);
        assert!(line.styled().contains("\u{1b}[1mabc"), "{:?}", line.styled());
    }

    #[test]
    fn text_keeps_the_ground_that_it_is_written_on() {
        let ground = Style::new().bg_color(Some(anstyle::Ansi256Color(22).into()));
        let mut canvas = Canvas::default();
        canvas.tint(0, 1, ground);
        canvas.put(0, 0, "ab", Style::new());
        let lines = canvas.lines();
        assert_eq!(lines[0].plain(), "ab");
        assert!(lines[0].styled().contains("48;5;22"), "{:?}", lines[0].styled());
    }
}
