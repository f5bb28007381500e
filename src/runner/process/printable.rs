//! Text of engines in messages.

/// Text from an engine made fit for a message: one line, ASCII, at most `limit` characters.
pub(in crate::runner) fn printable(text: &str, limit: usize) -> String {
    let escaped = |c: char| match c {
        ' '..='~' => c.to_string(),
        _ => c.escape_default().to_string(),
    };
    let mut shown: String = text.chars().take(limit).map(escaped).collect();
    if text.chars().count() > limit {
        shown.push_str("...");
    }
    shown
}
