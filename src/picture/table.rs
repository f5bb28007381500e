//! What stays while rules and seats stay: the board without its pieces.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

/// A point or a vector in the units of the table: x to the right, y down, as p1 sits.
pub type Point = [f64; 2];

/// The answer of `query table`.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Table {
    /// The version of this form: 1.
    pub v: u32,
    /// The title of the game.
    pub title: String,
    /// Width and height of everything that is drawn. `[0, 0]`: there is no board but the text.
    pub size: Point,
    /// Polygons about the origin, by name.
    #[serde(default)]
    pub shapes: BTreeMap<String, Vec<Point>>,
    /// Everything that can hold a piece.
    #[serde(default)]
    pub cells: Vec<Cell>,
    /// What a cell or a mark may be.
    #[serde(default)]
    pub kinds: BTreeMap<String, Kind>,
    /// Groups of cells that are outlined and named.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub regions: Vec<Region>,
    /// Lines: x1, y1, x2, y2.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub lines: Vec<[f64; 4]>,
    /// Text on the board that is no piece: coordinates, names.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub labels: Vec<Label>,
    /// The radius of a piece.
    pub piece: f64,
    /// The seats, in playing order.
    #[serde(default)]
    pub seats: Vec<TableSeat>,
    /// What pieces look like.
    #[serde(default)]
    pub symbols: BTreeMap<String, Symbol>,
}

impl Table {
    /// A table without cells.
    #[must_use]
    pub fn new(title: &str, size: Point) -> Self {
        Table {
            v: 1,
            title: title.into(),
            size,
            shapes: BTreeMap::new(),
            cells: Vec::new(),
            kinds: BTreeMap::new(),
            regions: Vec::new(),
            lines: Vec::new(),
            labels: Vec::new(),
            piece: 0.4,
            seats: Vec::new(),
            symbols: BTreeMap::new(),
        }
    }

    /// Adds the unit square as a shape.
    pub fn square(&mut self, name: &str) {
        let corners = vec![[-0.5, -0.5], [0.5, -0.5], [0.5, 0.5], [-0.5, 0.5]];
        self.shapes.insert(name.into(), corners);
    }

    /// Adds coordinates in a margin around a board of unit squares: letters from the left below or
    /// above it, numbers to its left from below or from above.
    pub fn coordinates(&mut self, [files, ranks]: [usize; 2], margin: f64, from_above: bool) {
        let height = ranks as f64 + 1.5 * margin;
        let y = if from_above { 0.5 * margin } else { height };
        let file = |index: usize| Label {
            at: [margin + index as f64 + 0.5, y],
            text: char::from(b'a' + (index % 26) as u8).to_string(),
        };
        let rank = |index: usize| {
            let row = if from_above { index } else { ranks - 1 - index };
            Label { at: [0.5 * margin, margin + row as f64 + 0.5], text: (index + 1).to_string() }
        };
        self.labels.extend((0..files).map(file).chain((0..ranks).map(rank)));
    }

    /// A cell by its name.
    #[must_use]
    pub fn cell(&self, id: &str) -> Option<&Cell> {
        self.cells.iter().find(|cell| cell.id == id)
    }
}

/// A place for pieces: a square, a triangle, a space of a track, a hand, a tray.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Cell {
    /// Its name, unique in the table.
    pub id: String,
    /// Where a piece stands; of a triangle the incentre.
    pub at: Point,
    /// The name of its polygon.
    pub shape: String,
    /// What it is, by [`Table::kinds`].
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub kind: Option<String>,
    /// A name for people, where it differs from the id.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub label: Option<String>,
}

impl Cell {
    /// A plain cell.
    #[must_use]
    pub fn new(id: impl Into<String>, at: Point, shape: &str) -> Self {
        Cell { id: id.into(), at, shape: shape.into(), kind: None, label: None }
    }

    /// The same cell of some kind.
    #[must_use]
    pub fn of_kind(self, kind: &str) -> Self {
        Cell { kind: Some(kind.into()), ..self }
    }
}

/// What a cell or a mark may be.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct Kind {
    /// For people, such as "watering hole".
    pub label: String,
    /// The role of its colour, such as `water`, `goal`, `safe`, `light`, `dark`, or a seat number.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fill: Option<String>,
    /// How it is marked beside its colour: `ring`, `cross`, `dot`, `hatch`, `bar`,
    /// `lock`, `waves`, `star`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub mark: Option<String>,
    /// The symbol that is printed on such cells, below the pieces, by [`Table::symbols`].
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub symbol: Option<String>,
}

impl Kind {
    /// A kind of cell, told apart by its colour.
    #[must_use]
    pub fn filled(label: &str, fill: &str) -> Self {
        Kind { label: label.into(), fill: Some(fill.into()), ..Kind::default() }
    }

    /// The same with a mark beside its colour.
    #[must_use]
    pub fn and_marked(self, mark: &str) -> Self {
        Kind { mark: Some(mark.into()), ..self }
    }

    /// A kind of mark.
    #[must_use]
    pub fn marked(label: &str, mark: &str) -> Self {
        Kind { label: label.into(), mark: Some(mark.into()), ..Kind::default() }
    }
}

/// A group of cells.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Region {
    /// Its name.
    pub id: String,
    /// For people.
    pub label: String,
    /// Its cells.
    pub cells: Vec<String>,
}

/// Text on the board.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Label {
    /// Its middle.
    pub at: Point,
    /// The text.
    pub text: String,
}

/// A seat as people name it.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct TableSeat {
    /// `p1` to `p6`.
    pub seat: String,
    /// Its name, such as "White".
    pub name: String,
    /// How far the board is turned for this seat, in degrees clockwise.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub turn: Option<f64>,
    /// The role of the colour of its pieces, where it is not its number.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fill: Option<String>,
    /// Where a seat has the harder game: for a person of each level from 1 on, the level of the engine
    /// that makes the game even.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub even: Vec<u8>,
}

impl TableSeat {
    /// A seat by its number from 1.
    #[must_use]
    pub fn new(number: usize, name: &str, turn: f64) -> Self {
        let turn = (turn != 0.0).then_some(turn);
        TableSeat {
            seat: format!("p{number}"),
            name: name.into(),
            turn,
            fill: None,
            even: Vec::new(),
        }
    }

    /// The same with pieces of another colour.
    #[must_use]
    pub fn filled(self, role: &str) -> Self {
        TableSeat { fill: Some(role.into()), ..self }
    }

    /// The same with a harder game: see [`TableSeat::even`].
    #[must_use]
    pub fn evened(self, levels: &[u8]) -> Self {
        TableSeat { even: levels.into(), ..self }
    }

    /// The level of the engine that makes an even game for a person of a level.
    #[must_use]
    pub fn even_level(&self, level: u8) -> u8 {
        let even = usize::from(level).checked_sub(1).and_then(|index| self.even.get(index));
        even.copied().unwrap_or(level)
    }
}

/// What a piece looks like.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct Symbol {
    /// For people, such as "elephant".
    pub label: String,
    /// The name of a drawing that the client may have, see [`super::icons`].
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub icon: Option<String>,
    /// An outline in a box from -1 to 1, in the syntax of SVG paths.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub path: Option<String>,
    /// One or two letters, where there is neither; and beside an icon, for those who prefer letters.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub letter: Option<String>,
    /// Whether it is turned as the piece faces.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub turns: bool,
}

impl Symbol {
    /// A symbol drawn as a letter.
    #[must_use]
    pub fn letter(label: &str, letter: &str) -> Self {
        Symbol { label: label.into(), letter: Some(letter.into()), ..Symbol::default() }
    }

    /// A symbol drawn as an icon of [`super::icons`].
    #[must_use]
    pub fn icon(label: &str, icon: &str, letter: &str) -> Self {
        Symbol { icon: Some(icon.into()), ..Symbol::letter(label, letter) }
    }

    /// A symbol drawn as an outline.
    #[must_use]
    pub fn path(label: &str, path: &str, turns: bool) -> Self {
        Symbol { label: label.into(), path: Some(path.into()), turns, ..Symbol::default() }
    }
}
