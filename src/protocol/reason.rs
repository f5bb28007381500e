//! Reasons for the end of a game, for people.

/// A word of `query reason` as people read it: `no-moves` is `no moves`.
///
/// ```
/// use parlor::protocol::reason_text;
///
/// assert_eq!(reason_text("watering-holes"), "watering holes");
/// assert_eq!(reason_text("finish"), "the finish is reached");
/// assert_eq!(reason_text("ziel"), "the finish is reached");
/// ```
#[must_use]
pub fn reason_text(reason: &str) -> String {
    match reason {
        // Before version 0.3 records have the German word.
        "finish" | "ziel" => "the finish is reached".into(),
        "max-plies" => "the limit of plies is reached".into(),
        other => other.replace('-', " "),
    }
}
