//! A small subset of Markdown, and how it looks at a terminal.
//!
//! The subset: headings, paragraphs, lists of one level, fenced blocks, images on lines of their own,
//! and `code` inside a line. The short rules of the games are written in it.

use anstyle::{AnsiColor, Style};

/// The widest line that [`to_terminal`] writes.
pub const WIDTH: usize = 78;

const HEADING: Style = Style::new().bold().underline();
const CODE: Style = AnsiColor::Cyan.on_default();

/// A part of a text.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Block {
    /// The number of `#` and the words after them.
    Heading(usize, String),
    /// Lines up to an empty one, joined by spaces.
    Paragraph(String),
    /// The items of a list.
    List(Vec<String>),
    /// The lines of a fenced block, unchanged.
    Fenced(Vec<String>),
    /// An image: what it shows, and its file.
    Image(String, String),
}

/// The blocks of a text, in order. Whatever is no other block is a paragraph.
#[must_use]
pub fn blocks(text: &str) -> Vec<Block> {
    let mut blocks = Vec::new();
    let mut open = false;
    let mut lines = text.lines();
    while let Some(line) = lines.next() {
        let line = line.trim_end();
        if line.starts_with("```") {
            let fenced = lines.by_ref().take_while(|line| !line.starts_with("```"));
            blocks.push(Block::Fenced(fenced.map(String::from).collect()));
            open = false;
        } else if let Some(block) = heading(line).or_else(|| image(line)) {
            blocks.push(block);
            open = false;
        } else if let Some(item) = line.strip_prefix("- ") {
            match blocks.last_mut() {
                Some(Block::List(items)) if open => items.push(item.into()),
                _ => blocks.push(Block::List(vec![item.into()])),
            }
            open = true;
        } else if line.is_empty() {
            open = false;
        } else {
            continue_text(&mut blocks, open, line.trim_start());
            open = true;
        }
    }
    blocks
}

/// Adds a line to the open paragraph or item, or begins a paragraph.
fn continue_text(blocks: &mut Vec<Block>, open: bool, line: &str) {
    match blocks.last_mut().filter(|_| open) {
        Some(Block::Paragraph(text)) => *text += &format!(" {line}"),
        Some(Block::List(items)) => {
            if let Some(item) = items.last_mut() {
                *item += &format!(" {line}");
            }
        }
        _ => blocks.push(Block::Paragraph(line.into())),
    }
}

fn heading(line: &str) -> Option<Block> {
    let level = line.bytes().take_while(|byte| *byte == b'#').count();
    let words = line[level..].strip_prefix(' ')?;
    (level > 0).then(|| Block::Heading(level, words.trim().into()))
}

fn image(line: &str) -> Option<Block> {
    let (alt, file) = line.strip_prefix("![")?.strip_suffix(')')?.split_once("](")?;
    Some(Block::Image(alt.into(), file.into()))
}

/// The text as lines for a terminal, [`WIDTH`] columns wide, with escape sequences for styles; print it
/// through a stream that strips them where they are not wanted. Images are left out.
#[must_use]
pub fn to_terminal(text: &str) -> String {
    let mut lines: Vec<String> = Vec::new();
    let mut after_heading = true;
    for block in blocks(text) {
        if matches!(block, Block::Image(..)) {
            continue;
        }
        if !after_heading {
            lines.push(String::new());
        }
        after_heading = matches!(block, Block::Heading(..));
        match block {
            Block::Heading(_, words) => lines.push(format!("{HEADING}{words}{HEADING:#}")),
            Block::Paragraph(text) => lines.extend(wrapped(&text, "", "")),
            Block::List(items) => {
                lines.extend(items.iter().flat_map(|item| wrapped(item, "- ", "  ")));
            }
            Block::Fenced(fenced) => lines.extend(fenced.iter().map(|line| format!("    {line}"))),
            Block::Image(..) => {}
        }
    }
    lines.join("\n") + "\n"
}

/// Breaks a text at spaces; the backquotes of code become a style.
fn wrapped(text: &str, first: &str, other: &str) -> Vec<String> {
    let mut lines = Vec::new();
    let mut line = first.to_owned();
    let mut width = first.len();
    let mut in_code = false;
    for word in text.split_whitespace() {
        let long = word.chars().filter(|c| *c != '`').count();
        if width > other.len() && width + long + usize::from(!line.ends_with(' ')) > WIDTH {
            lines.push(std::mem::replace(&mut line, other.to_owned()));
            width = other.len();
        }
        if width > other.len() {
            line.push(' ');
            width += 1;
        }
        line += &styled(word, &mut in_code);
        width += long;
    }
    lines.push(line);
    lines
}

/// A word with its backquotes replaced by style changes. A line never ends inside a style.
fn styled(word: &str, in_code: &mut bool) -> String {
    let mut styled = String::new();
    for (place, part) in word.split('`').enumerate() {
        *in_code ^= place > 0;
        styled += &match *in_code && !part.is_empty() {
            true => format!("{CODE}{part}{CODE:#}"),
            false => part.to_owned(),
        };
    }
    styled
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "# Title\n\nOne\ntwo `three four`.\n\n![A board](board.svg)\n- first\n  more\n- second\n\n```\n  a  b\n```\n";

    #[test]
    fn a_text_is_read_as_its_blocks() {
        let expected = [
            Block::Heading(1, "Title".into()),
            Block::Paragraph("One two `three four`.".into()),
            Block::Image("A board".into(), "board.svg".into()),
            Block::List(vec!["first more".into(), "second".into()]),
            Block::Fenced(vec!["  a  b".into()]),
        ];
        assert_eq!(blocks(TEXT), expected);
    }

    #[test]
    fn a_terminal_shows_plain_lines_once_styles_are_stripped() {
        let plain = anstream::adapter::strip_str(&to_terminal(TEXT)).to_string();
        assert_eq!(plain, "Title\nOne two three four.\n\n- first more\n- second\n\n      a  b\n");
    }

    #[test]
    fn long_lines_are_broken_at_the_width_and_not_before_it() {
        let text = format!("- {}", "abc ".repeat(60));
        let plain = anstream::adapter::strip_str(&to_terminal(&text)).to_string();
        let lines: Vec<&str> = plain.lines().collect();
        assert_eq!(lines[0].len(), 2 + 19 * 4 - 1);
        assert!(lines[1].starts_with("  abc") && lines.iter().all(|line| line.len() <= WIDTH));
    }
}
