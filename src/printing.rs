//! Text made printable, and printing that cannot end the work whose result is printed.

#[cfg(feature = "engine")]
mod streams;

#[cfg(feature = "runner")]
pub(crate) use streams::print_styled;
#[cfg(feature = "engine")]
pub use streams::{answer_usage, fail, note, print, take_failure};
#[cfg(feature = "engine")]
pub(crate) use streams::{note_line, print_line};

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
