//! Reasons for the end of a game, for people.

/// A word of `query reason` as people read it: `no-moves` is `no moves`.
///
/// ```
/// use parlor::protocol::reason_text;
///
/// assert_eq!(reason_text("watering-holes"), "watering holes");
/// assert_eq!(reason_text("ziel"), "the finish is reached");
/// ```
#[must_use]
pub fn reason_text(reason: &str) -> String {
    match reason {
        // German for the finish, as the word has stood in records from the beginning.
        "ziel" => "the finish is reached".into(),
        "max-plies" => "the limit of plies is reached".into(),
        other => other.replace('-', " "),
    }
}
