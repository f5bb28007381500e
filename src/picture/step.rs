//! A move as it is entered: a click, a button or a word at a time.

use serde::{Deserialize, Serialize};

/// At most this many entries stand in an answer.
pub const MAX_ENTRIES: usize = 2_000;

/// At most this many bytes stand in an answer.
pub const MAX_BYTES: usize = 64 << 10;

/// The answer of `query step`.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct Step {
    /// The version of this form: 1.
    pub v: u32,
    /// The choices made so far.
    pub path: Vec<String>,
    /// The token, where the path is one; to be played at once if nothing may follow.
    pub token: Option<String>,
    /// What is to be done now, in a few words.
    #[serde(default)]
    pub text: String,
    /// What this part of the game is about, for newcomers; clients tell it once.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub help: Option<String>,
    /// What leads on.
    #[serde(default)]
    pub next: Vec<Next>,
    /// Free text that leads on.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub form: Option<Form>,
    /// What the board looks like with the path half played.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub show: Vec<Show>,
    /// How many choices one undo takes back.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub undo: Option<u32>,
    /// At a chance node: who throws; `null` for nobody. Absent where a seat decides.
    #[serde(default, skip_serializing_if = "Option::is_none", with = "present")]
    pub chance: Option<Option<String>>,
    /// The viewer cannot know the outcomes.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub hidden: bool,
}

/// A member that may be absent, `null` or a text.
mod present {
    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    pub(super) fn serialize<S: Serializer>(
        value: &Option<Option<String>>,
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        value.as_ref().and_then(Option::as_ref).serialize(serializer)
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<Option<Option<String>>, D::Error> {
        Option::<String>::deserialize(deserializer).map(Some)
    }
}

impl Step {
    /// An answer to a path.
    #[must_use]
    pub fn new(path: &[String], text: impl Into<String>) -> Self {
        let undo = (!path.is_empty()).then_some(1);
        Step { v: 1, path: path.to_vec(), text: text.into(), undo, ..Step::default() }
    }

    /// The same with a complete token.
    #[must_use]
    pub fn with_token(self, token: impl Into<String>) -> Self {
        Step { token: Some(token.into()), ..self }
    }
}

/// Something that may be chosen next.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct Next {
    /// The word to add to the path.
    pub choice: String,
    /// The cell to click, where it is one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cell: Option<String>,
    /// The card to click, where it is one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub card: Option<String>,
    /// The text of the button, where it differs from the choice.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub label: Option<String>,
    /// What it costs, for people.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cost: Option<String>,
    /// The group of buttons it belongs to.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub group: Option<String>,
}

impl Next {
    /// A cell.
    #[must_use]
    pub fn cell(id: impl Into<String>) -> Self {
        let id = id.into();
        Next { cell: Some(id.clone()), choice: id, ..Next::default() }
    }

    /// A card.
    #[must_use]
    pub fn card(id: impl Into<String>) -> Self {
        let id = id.into();
        Next { card: Some(id.clone()), choice: id, ..Next::default() }
    }

    /// A button; the label is left out where it equals the choice.
    #[must_use]
    pub fn button(choice: impl Into<String>, label: impl Into<String>) -> Self {
        let (choice, label) = (choice.into(), label.into());
        let label = (label != choice).then_some(label);
        Next { choice, label, ..Next::default() }
    }
}

/// Free text that leads on: the choice is `prefix`, then the text, escaped.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct Form {
    /// What is asked for.
    pub label: String,
    /// `text`, or `word` for one word without blanks.
    pub kind: String,
    /// Stands before the text in the choice.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub prefix: String,
    /// A regular expression that the text must match as a whole.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pattern: Option<String>,
    /// `percent`: blanks and everything that is not printable ASCII as `%XX`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub escape: Option<String>,
    /// The greatest length of the text.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub max: Option<u32>,
    /// Whether `prefix TEXT*` as the last choice lists what begins so.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub complete: bool,
}

/// A change of the board that a half-entered move shows.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Show {
    /// A piece goes from the first cell to the second.
    Move {
        /// From and to.
        r#move: [String; 2],
        /// The symbol.
        symbol: String,
        /// Its owner, from 1; 0 for nobody.
        #[serde(default)]
        seat: u8,
        /// How it faces afterwards.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        turn: Option<f64>,
        /// How many go.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        count: Option<u32>,
    },
    /// A piece or a mark appears.
    Add {
        /// The cell.
        add: String,
        /// The symbol of the piece.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        symbol: Option<String>,
        /// The kind of the mark.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        mark: Option<String>,
        /// Its owner, from 1; 0 for nobody.
        #[serde(default)]
        seat: u8,
        /// How it faces.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        turn: Option<f64>,
    },
    /// A piece or a mark goes.
    Remove {
        /// The cell.
        remove: String,
        /// The symbol of the piece.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        symbol: Option<String>,
        /// The kind of the mark.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        mark: Option<String>,
        /// Its owner, from 1; 0 for nobody.
        #[serde(default)]
        seat: u8,
    },
    /// Values that are still to be played.
    Dice {
        /// The values.
        dice: Vec<i64>,
    },
}

impl Show {
    /// A single piece goes from one cell to another.
    #[must_use]
    pub fn moved(from: &str, to: &str, symbol: &str, seat: u8) -> Self {
        Show::Move {
            r#move: [from.into(), to.into()],
            symbol: symbol.into(),
            seat,
            turn: None,
            count: None,
        }
    }

    /// A mark appears.
    #[must_use]
    pub fn mark(cell: &str, kind: &str, seat: u8) -> Self {
        Show::Add { add: cell.into(), symbol: None, mark: Some(kind.into()), seat, turn: None }
    }

    /// A piece goes.
    #[must_use]
    pub fn removed(cell: &str, symbol: &str, seat: u8) -> Self {
        Show::Remove { remove: cell.into(), symbol: Some(symbol.into()), mark: None, seat }
    }
}
