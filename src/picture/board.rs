//! What stands where, for the present viewer.

use serde::{Deserialize, Serialize};
use serde_json::Value;

/// The answer of `query board`.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct Board {
    /// The version of this form: 1.
    pub v: u32,
    /// Whose turn it is, in the words of `query turn`.
    pub turn: String,
    /// The pieces on cells.
    #[serde(default)]
    pub pieces: Vec<Piece>,
    /// What is marked.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub marks: Vec<Mark>,
    /// Numbers beside the board, by seat.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub panel: Vec<Panel>,
    /// What was thrown.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub dice: Option<Dice>,
    /// Cards and objects beside the board.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub cards: Vec<Card>,
    /// The last token as a path of choices; absent where none is known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub last: Option<Last>,
    /// The cells that decided a finished game.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub decided: Vec<String>,
    /// One sentence for people.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
    /// The position as text, where there are no cells.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
}

impl Board {
    /// An empty board; `turn` in the words of `query turn`.
    #[must_use]
    pub fn new(turn: impl ToString) -> Self {
        Board { v: 1, turn: turn.to_string(), ..Board::default() }
    }

    /// Whose turn it is, as a sentence; `name` is what a seat is called.
    pub(super) fn status(&self, name: impl Fn(&str) -> String) -> String {
        match self.turn.split_once(' ') {
            Some((_, thrower)) => format!("{} throws.", name(thrower)),
            None if self.turn == "none" => "The game is over.".to_owned(),
            None if self.turn == "chance" => "Chance decides.".to_owned(),
            None => format!("{} to move.", name(&self.turn)),
        }
    }
}

/// A piece on a cell.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct Piece {
    /// The cell.
    pub cell: String,
    /// What it is, by the symbols of the table.
    pub symbol: String,
    /// The number of its owner, from 1; 0 for nobody.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub seat: u8,
    /// Degrees clockwise from up, for symbols that turn.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub turn: Option<f64>,
    /// How many of them, where it is not one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub count: Option<u32>,
    /// What a person should hear beside the symbol, such as "facing north-east".
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub label: Option<String>,
}

fn is_zero(seat: &u8) -> bool {
    *seat == 0
}

impl Piece {
    /// One piece of a seat, from 1.
    #[must_use]
    pub fn new(cell: impl Into<String>, symbol: &str, seat: u8) -> Self {
        Piece { cell: cell.into(), symbol: symbol.into(), seat, ..Piece::default() }
    }
}

/// A mark on a cell.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct Mark {
    /// The cell.
    pub cell: String,
    /// What is marked, by the kinds of the table.
    pub kind: String,
    /// Whose mark it is, from 1; 0 for nobody.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub seat: u8,
}

impl Mark {
    /// A mark of nobody in particular.
    #[must_use]
    pub fn new(cell: impl Into<String>, kind: &str) -> Self {
        Mark { cell: cell.into(), kind: kind.into(), seat: 0 }
    }
}

/// The numbers of one seat.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Panel {
    /// `p1` to `p6`.
    pub seat: String,
    /// What is counted.
    pub items: Vec<Item>,
}

/// One number or word of a panel.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Item {
    /// What it is.
    pub name: String,
    /// A number or a text.
    pub value: Value,
    /// The greatest number there can be.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub of: Option<i64>,
}

impl Item {
    /// A number or a text.
    #[must_use]
    pub fn new(name: &str, value: impl Into<Value>) -> Self {
        Item { name: name.into(), value: value.into(), of: None }
    }

    /// A number that cannot exceed another.
    #[must_use]
    pub fn of(name: &str, value: i64, of: i64) -> Self {
        Item { of: Some(of), ..Item::new(name, value) }
    }
}

/// What was thrown this turn.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Dice {
    /// What is thrown: `die`, `cowrie`.
    pub of: String,
    /// All values of the turn.
    pub values: Vec<i64>,
    /// Those still to be played.
    pub left: Vec<i64>,
}

/// A card or an object beside the board.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct Card {
    /// Its name, unique in the board.
    pub id: String,
    /// Whose it is, `p1` to `p6`.
    pub seat: String,
    /// What stands on it; `?` where the viewer does not know.
    pub title: String,
    /// Whether the title is known to this viewer alone, or hidden from him.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub secret: bool,
    /// What is known of it, a line each.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub lines: Vec<String>,
    /// Short marks, such as `arrow p2`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub badges: Vec<String>,
    /// A small picture in a box of 100 by 100, what is behind first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub picture: Vec<Shape>,
}

/// A part of the picture of a card.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct Shape {
    /// An outline in the syntax of SVG paths.
    pub path: String,
    /// The role of its colour: `clay`, `dent`; absent for a line.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fill: Option<String>,
}

/// The last token.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Last {
    /// Its choices, as `query path` gives them.
    pub path: Vec<String>,
    /// What the seat did, in words after its name: `rolls`. Empty where the board shows all of it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub told: Option<String>,
}

impl Last {
    /// A token of which its choices say enough.
    #[must_use]
    pub fn new(path: Vec<String>) -> Self {
        Last { path, told: None }
    }
}
