//! A position line as text: what a runner keeps of a game in progress.

use std::fmt;

/// The argument of `position`: where a game starts, and the tokens since. It is text that grows,
/// nothing of it is checked; [`PositionArgument`](super::PositionArgument) is what an engine reads.
///
/// ```
/// use parlor::protocol::PositionLine;
///
/// let mut line = PositionLine::new("startpos", ["e2e4"]);
/// line.append("e9e6");
/// assert_eq!(line.as_str(), "startpos moves e2e4 e9e6");
/// ```
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct PositionLine {
    text: String,
    /// Where the first token begins.
    first: Option<usize>,
}

impl PositionLine {
    /// A line from its start, `startpos` or `fen ...` with or without `view pN`, and its tokens.
    #[must_use]
    pub fn new<'a>(start: &str, tokens: impl IntoIterator<Item = &'a str>) -> Self {
        let mut line = PositionLine { text: start.to_owned(), first: None };
        tokens.into_iter().for_each(|token| line.append(token));
        line
    }

    /// Reads a line, such as the answer to `query view`; `None` if it does not begin with a start.
    #[must_use]
    pub fn read(text: &str) -> Option<Self> {
        let text = text.trim();
        if !matches!(text.split(' ').next(), Some("startpos" | "fen")) {
            return None;
        }
        let first = text.find(" moves ").map(|at| at + " moves ".len());
        Some(PositionLine { text: text.to_owned(), first })
    }

    /// Adds a token.
    pub fn append(&mut self, token: &str) {
        self.text.push_str(if self.first.is_some() { " " } else { " moves " });
        self.first.get_or_insert(self.text.len());
        self.text.push_str(token);
    }

    /// The line with one token more.
    #[must_use]
    pub fn with(&self, token: &str) -> Self {
        let mut line = self.clone();
        line.append(token);
        line
    }

    /// The tokens.
    #[must_use]
    pub fn tokens(&self) -> impl DoubleEndedIterator<Item = &str> {
        self.first.map_or("", |first| &self.text[first..]).split_whitespace()
    }

    /// The text.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.text
    }

    /// Whether the line shows what one seat may see.
    #[must_use]
    pub fn is_view(&self) -> bool {
        let start = self.first.map_or(self.text.as_str(), |first| &self.text[..first]);
        start.split(' ').any(|word| word == "view")
    }
}

impl fmt::Display for PositionLine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_that_grows_is_read_again_as_it_is() {
        let mut line = PositionLine::new("fen a b view p2", []);
        assert_eq!(line.tokens().count(), 0);
        for token in ["t1", "a1a2"] {
            line.append(token);
            assert_eq!(PositionLine::read(line.as_str()).as_ref(), Some(&line));
        }
        assert_eq!(line.as_str(), "fen a b view p2 moves t1 a1a2");
        assert_eq!(line.tokens().next_back(), Some("a1a2"));
        assert_eq!(line.with("x").tokens().count(), 3);
        assert_eq!(line.tokens().count(), 2);
    }

    #[test]
    fn what_begins_otherwise_is_no_position() {
        for text in ["", "none", "position startpos", "error stale", "startposx moves a"] {
            assert_eq!(PositionLine::read(text), None, "{text}");
        }
        assert!(PositionLine::read("startpos view p1 moves a").unwrap().is_view());
        // A token may be called so.
        assert!(!PositionLine::read("startpos moves view").unwrap().is_view());
    }
}
