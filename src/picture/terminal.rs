//! A position as lines of text for a terminal: at most 80 by 22 by default, with colours that repeat
//! what the characters say, so that nothing is lost where there are none.
//!
//! - boards of squares, and of other polygons, stand to the left of whose turn it is, the numbers of
//!   the seats, and the legend;
//! - a track whose spaces differ is a ring of names; piles and scores are told by the numbers;
//! - cards are a table of what is known of each;
//! - what has no cells is shown by its text.
//!
//! ```
//! use parlor::picture::{Board, Cell, Piece, Symbol, Table, terminal};
//!
//! let mut table = Table::new("Tiny", [2.0, 1.0]);
//! table.square("sq");
//! table.cells.push(Cell::new("a1", [0.5, 0.5], "sq"));
//! table.cells.push(Cell::new("b1", [1.5, 0.5], "sq"));
//! table.symbols.insert("K".into(), Symbol::letter("king", "K"));
//! table.symbols.insert("R".into(), Symbol::letter("rook", "R"));
//! let board = Board { pieces: vec![Piece::new("a1", "K", 1)], ..Board::new("p1") };
//! let lines = terminal::draw(&table, &board, &terminal::Options::default());
//! let text: Vec<String> = lines.iter().map(terminal::StyledLine::plain).collect();
//! assert!(text.join("\n").contains('K'), "{text:#?}");
//! ```

mod beside;
mod canvas;
mod cards;
mod paint;
mod polygons;
mod squares;
mod symbols;
mod track;

pub use canvas::StyledLine;

use super::{Board, Cell, Point, Table, Theme};

/// How a position is drawn.
#[derive(Clone, Debug)]
pub struct Options {
    /// The most characters of a line.
    pub width: usize,
    /// The most lines, where the board can be made to fit.
    pub height: usize,
    /// Box drawing and arrows; else printable ASCII alone.
    pub unicode: bool,
    /// The letters of the second of two seats are small: for games in which both seats have the
    /// same symbols, see [`shares_symbols`].
    pub lowercase: bool,
    /// The seat for which the board is turned, from 1; 0 for as p1 sits.
    pub seat: usize,
    /// The seats of the reader, from 1.
    pub you: Vec<usize>,
    /// What the symbols mean.
    pub legend: bool,
    /// Colours.
    pub theme: Theme,
}

impl Default for Options {
    fn default() -> Self {
        Options {
            width: 80,
            height: 22,
            unicode: true,
            lowercase: false,
            seat: 0,
            you: Vec::new(),
            legend: false,
            theme: Theme::Dark,
        }
    }
}

/// Whether pieces of both of two seats have one symbol.
#[must_use]
pub fn shares_symbols(table: &Table, board: &Board) -> bool {
    let of = |seat: u8| board.pieces.iter().filter(move |piece| piece.seat == seat);
    table.seats.len() == 2 && of(1).any(|piece| of(2).any(|other| other.symbol == piece.symbol))
}

/// Draws a position.
#[must_use]
pub fn draw(table: &Table, board: &Board, options: &Options) -> Vec<StyledLine> {
    let scene = Scene { table, board, options, quarters: quarters(table, options.seat) };
    let left = squares::draw(&scene).or_else(|| polygons::draw(&scene));
    let mut lines = match left {
        Some(canvas) => beside::join(&scene, canvas),
        None => beside::stack(&scene),
    };
    for line in &mut lines {
        line.fit(options.width, options.unicode);
    }
    lines
}

/// What the symbols of a drawing mean, an entry each.
#[must_use]
pub fn legend(table: &Table, board: &Board, options: &Options) -> Vec<String> {
    let scene = Scene { table, board, options, quarters: 0 };
    let track = track::legend(&scene);
    if track.is_empty() { scene.legend() } else { track }
}

/// Text in lines of a width, broken at blanks where that is possible.
#[must_use]
pub fn wrap(text: &str, width: usize) -> Vec<String> {
    super::svg::wrap(text, width).into_iter().filter(|line| !line.is_empty()).collect()
}

/// Everything that the parts of a drawing need.
struct Scene<'a> {
    table: &'a Table,
    board: &'a Board,
    options: &'a Options,
    /// Quarter turns clockwise.
    quarters: usize,
}

/// By how many quarters the board is turned for a seat.
fn quarters(table: &Table, seat: usize) -> usize {
    let turn = seat.checked_sub(1).and_then(|index| table.seats.get(index)?.turn);
    let quarters = (turn.unwrap_or(0.0) / 90.0).round();
    if quarters.is_finite() { quarters.rem_euclid(4.0) as usize } else { 0 }
}

impl Scene<'_> {
    /// A point or a vector of the table on the turned board.
    fn turned(&self, [x, y]: Point) -> Point {
        match self.quarters {
            1 => [-y, x],
            2 => [-x, -y],
            3 => [y, -x],
            _ => [x, y],
        }
    }

    fn place(&self, cell: &Cell) -> Point {
        self.turned(cell.at)
    }

    /// Whether a cell is one of the last move.
    fn is_last(&self, cell: &Cell) -> bool {
        self.board.last.as_ref().is_some_and(|last| last.path.contains(&cell.id))
    }

    /// The name of a seat for people.
    fn seat_name(&self, seat: &str) -> String {
        let found = self.table.seats.iter().position(|known| known.seat == seat);
        let name = found.and_then(|index| self.table.seats.get(index));
        let name = name.map_or(seat, |known| known.name.as_str());
        match found {
            Some(index) if self.options.you.contains(&(index + 1)) => format!("{name} (you)"),
            _ => name.to_owned(),
        }
    }
}

/// A sentence in which seats are called by their names instead of `p1`.
#[must_use]
pub fn named(table: &Table, text: &str) -> String {
    let mut out = String::new();
    let mut word = String::new();
    let finish = |word: &mut String, out: &mut String| {
        let seat = table.seats.iter().find(|seat| seat.seat == *word);
        out.push_str(seat.map_or(word.as_str(), |seat| seat.name.as_str()));
        word.clear();
    };
    for c in text.chars() {
        if c.is_alphanumeric() || c == '_' {
            word.push(c);
        } else {
            finish(&mut word, &mut out);
            out.push(c);
        }
    }
    finish(&mut word, &mut out);
    out
}
