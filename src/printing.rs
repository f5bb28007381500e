//! Text made printable, and the only way to standard output and standard error: names, reasons and
//! answers of strangers reach no terminal but through here, and nothing that is printed ends the work
//! whose result it is. The protocol of a session alone has a stream of its own.

#[cfg(feature = "engine")]
mod streams;

use std::borrow::Cow;

#[cfg(feature = "engine")]
pub use streams::{answer_usage, fail, note, print, print_json, take_failure};
#[cfg(feature = "runner")]
pub(crate) use streams::{ask, forget_scrolled, is_terminal, overwrite, print_text};
#[cfg(feature = "engine")]
pub(crate) use streams::{note_line, print_line, print_styled};

/// A text made fit for a message: one line of ASCII, cut after `limit` characters; an escape counts
/// as all of its own.
#[must_use]
pub fn printable(text: &str, limit: usize) -> String {
    let mut shown = String::new();
    for letter in text.chars() {
        let before = shown.len();
        match letter {
            ' '..='~' => shown.push(letter),
            _ => shown.extend(letter.escape_default()),
        }
        if shown.len() > limit {
            shown.truncate(before);
            shown.push_str("...");
            break;
        }
    }
    shown
}

/// Whether a terminal would obey a character, or not show it where it stands: control characters
/// other than line ends and tabs, and what turns the direction of writing, breaks lines or is not
/// seen at all.
pub(crate) fn is_hidden(letter: char) -> bool {
    match letter {
        '\n' | '\t' => false,
        '\u{61c}' | '\u{200b}' | '\u{200e}' | '\u{200f}' | '\u{feff}' => true,
        '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{e0000}'..='\u{e007f}' => true,
        _ => letter.is_control(),
    }
}

/// A text of any number of lines as a person may look at it: what is hidden becomes an escape such as
/// `\u{1b}`.
#[must_use]
pub fn shown(text: &str) -> Cow<'_, str> {
    escaped(text, |letter, out| out.extend(letter.escape_unicode()))
}

/// A text in which `escape` writes what is hidden.
fn escaped(text: &str, escape: impl Fn(char, &mut String)) -> Cow<'_, str> {
    if !text.contains(is_hidden) {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len());
    for letter in text.chars() {
        if is_hidden(letter) { escape(letter, &mut out) } else { out.push(letter) }
    }
    Cow::Owned(out)
}

/// JSON as it may be printed, or written to what may be a terminal: what is hidden stands in strings
/// alone, and becomes an escape of JSON.
#[cfg(any(feature = "engine", feature = "household"))]
pub(crate) fn json_escaped(text: &str) -> Cow<'_, str> {
    escaped(text, |letter, out| {
        for unit in letter.encode_utf16(&mut [0; 2]) {
            out.push_str(&format!("\\u{unit:04x}"));
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_for_a_message_is_cut_after_a_whole_character() {
        assert_eq!(printable("abcde", 5), "abcde");
        assert_eq!(printable("abcdef", 5), "abcde...");
        assert_eq!(printable("a\u{e9}", 7), "a\\u{e9}");
        assert_eq!(printable("a\u{e9}b", 6), "a...");
        assert_eq!(printable("a\nb", 5), "a\\nb");
    }

    #[test]
    fn nothing_that_a_terminal_obeys_is_shown() {
        assert_eq!(shown("caf\u{e9}\t\u{2654}\n"), "caf\u{e9}\t\u{2654}\n");
        for (hidden, told) in [
            ("\u{1b}]0;x\u{7}", "\\u{1b}]0;x\\u{7}"),
            ("a\rb\u{7f}", "a\\u{d}b\\u{7f}"),
            ("\u{9b}2J", "\\u{9b}2J"),
            ("\u{202e}abc\u{2066}", "\\u{202e}abc\\u{2066}"),
            ("\u{2028}\u{e0041}", "\\u{2028}\\u{e0041}"),
            // Marks of direction, and what has no width.
            ("\u{200e}\u{200f}\u{61c}\u{2069}", "\\u{200e}\\u{200f}\\u{61c}\\u{2069}"),
            ("\u{200b}\u{2060}\u{feff}", "\\u{200b}\\u{2060}\\u{feff}"),
        ] {
            assert_eq!(shown(hidden), told);
        }
    }
}
