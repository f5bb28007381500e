//! A position as a picture and a move as steps: what a graphical client shows and asks.
//!
//! - [`Table`]: what stays while rules and seats stay: cells, regions, seats, symbols.
//! - [`Board`]: what stands where, for the present viewer.
//! - [`Step`]: a half-entered move: what may follow, or the token that is complete.
//! - [`Lessons`], [`Puzzles`]: what teaches the game.
//! - [`svg`]: a drawing of a table and a board, made from these values alone.
//! - [`axis`]: the marks along the axis of a chart.
//! - [`terminal`]: the same as lines of text for a terminal of 80 by 24.
//!
//! The values are the JSON of extensions 2 and 3 of the protocol. This room knows no game and no protocol;
//! colours are roles ("water", "light", a seat number), and a theme makes them colours.
//!
//! ```
//! use parlor::picture::{Board, Cell, Piece, Symbol, Table};
//!
//! let mut table = Table::new("Tiny", [2.0, 1.0]);
//! table.square("sq");
//! table.cells.push(Cell::new("a1", [0.5, 0.5], "sq"));
//! table.symbols.insert("K".into(), Symbol::letter("king", "K"));
//! let board = Board { pieces: vec![Piece::new("a1", "K", 1)], ..Board::new("p1") };
//! let svg = parlor::picture::svg::draw(&table, &board, &Default::default());
//! assert!(svg.starts_with("<svg") && svg.contains(">K</text>"));
//! ```

#[cfg(feature = "engine")]
mod arguments;
mod ask;
pub mod axis;
mod board;
pub mod icons;
mod json;
mod step;
pub mod svg;
mod table;
mod teaching;
pub mod terminal;
mod theme;

#[cfg(feature = "engine")]
pub(crate) use arguments::DrawingArguments;
pub use ask::draw_answers;
pub use board::{Board, Card, Dice, Item, Last, Mark, Panel, Piece, Shape};
pub use json::{to_json, to_line};
pub use step::{Form, MAX_BYTES, MAX_ENTRIES, Next, Show, Step};
pub use svg::{Options, draw};
pub use table::{Cell, Kind, Label, Point, Region, Symbol, Table, TableSeat};
pub use teaching::{Lesson, LessonStep, Lessons, Place, Puzzle, Puzzles, Solution, Wrong};
pub use theme::Theme;
