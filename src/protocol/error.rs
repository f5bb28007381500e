//! The codes of refusals.

use std::fmt;

/// What kind of refusal it is. The set is closed: clients may match on it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Code {
    /// The text of a position is malformed or contradicts itself.
    BadPosition,
    /// A move token is malformed.
    BadMove,
    /// A well-formed move that the rules forbid here.
    IllegalMove,
    /// A move or a question that needs a game still going on.
    GameOver,
    /// A malformed `setoption`, or a `--set` without a known name.
    BadOption,
    /// A value that an option or an argument does not take.
    BadValue,
    /// Something that should be a number and is not, or is out of range.
    BadNumber,
    /// A line above 1 MiB.
    TooLong,
    /// A byte outside printable ASCII.
    NotAscii,
    /// A query that does not exist.
    UnknownQuery,
    /// The last `position` was refused and none has come since.
    Stale,
    /// It is not the viewer's turn, or nothing is thrown here.
    NotToAct,
    /// A fault of the engine itself.
    Internal,
}

impl Code {
    /// All codes, in the order of the specification.
    pub const ALL: [Code; 13] = [
        Code::BadPosition,
        Code::BadMove,
        Code::IllegalMove,
        Code::GameOver,
        Code::BadOption,
        Code::BadValue,
        Code::BadNumber,
        Code::TooLong,
        Code::NotAscii,
        Code::UnknownQuery,
        Code::Stale,
        Code::NotToAct,
        Code::Internal,
    ];

    /// The code as it is written.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Code::BadPosition => "bad-position",
            Code::BadMove => "bad-move",
            Code::IllegalMove => "illegal-move",
            Code::GameOver => "game-over",
            Code::BadOption => "bad-option",
            Code::BadValue => "bad-value",
            Code::BadNumber => "bad-number",
            Code::TooLong => "too-long",
            Code::NotAscii => "not-ascii",
            Code::UnknownQuery => "unknown-query",
            Code::Stale => "stale",
            Code::NotToAct => "not-to-act",
            Code::Internal => "internal",
        }
    }
}

impl fmt::Display for Code {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// A refusal: its code, and a line that says what was wrong, where, and what would be right.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{code} {text}")]
pub struct ProtocolError {
    /// The kind.
    pub code: Code,
    /// The explanation; one line.
    pub text: String,
}

impl ProtocolError {
    /// A refusal; line breaks and control characters in the text become spaces, so that it stays
    /// one line whatever it quotes.
    #[must_use]
    pub fn new(code: Code, text: impl Into<String>) -> Self {
        let text: String =
            text.into().chars().map(|c| if c.is_ascii_graphic() { c } else { ' ' }).collect();
        ProtocolError { code, text }
    }
}
