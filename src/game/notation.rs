//! Positions and moves as text.

use std::ops::ControlFlow;

use super::{Extent, Game, OptionValues, Seat};

/// Above this many moves a list answers `many`.
pub const LIST_LIMIT: usize = 100_000;

/// What was wrong with a text, where, and what would be right.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{}{message}", match offset { Some(at) => format!("at character {}: ", at + 1), None => String::new() })]
pub struct NotationError {
    /// The byte offset of the fault, where there is one.
    pub offset: Option<usize>,
    /// What was wrong and what would be right, in one line of ASCII.
    pub message: String,
}

impl NotationError {
    /// A fault of the text as a whole.
    pub fn new(message: impl Into<String>) -> Self {
        NotationError { offset: None, message: message.into() }
    }

    /// A fault at a byte offset.
    pub fn at(offset: usize, message: impl Into<String>) -> Self {
        NotationError { offset: Some(offset), message: message.into() }
    }
}

/// How a diagram may be drawn.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum DiagramStyle {
    /// Seven-bit characters only.
    #[default]
    Ascii,
    /// Any character of Unicode.
    Unicode,
}

/// The legal moves as text.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum MoveList {
    /// Sorted bytewise.
    Listed(Vec<String>),
    /// More than [`LIST_LIMIT`].
    Many,
    /// Another seat's secret.
    Hidden,
}

/// The text of a game: the written form of its positions and moves.
pub trait Notation: Game {
    /// Reads and validates a position. The number of seats it states outranks the option.
    fn parse_position(
        text: &str,
        rules: &OptionValues,
        viewer: Option<Seat>,
    ) -> Result<Self, NotationError>;

    /// Writes a position; `parse_position` reads it back equal.
    fn write_position(&self) -> String;

    /// Reads a well-formed move, legal or not. Any accepted spelling.
    fn parse_move(&self, token: &str) -> Result<Self::Move, NotationError>;

    /// Writes a move legal in this position, in its one listed spelling.
    fn write_move(&self, m: &Self::Move) -> String;

    /// Why a well-formed move is not legal here: one line that names the rule.
    fn explain_illegal(&self, m: &Self::Move) -> String;

    /// The board drawn as a board, lines joined by `\n`, none empty at the ends.
    fn diagram(&self, style: DiagramStyle) -> String;

    /// The legal moves that begin with `prefix`, sorted. Games with huge lists generate them
    /// from the prefix.
    fn list_moves(&self, prefix: &str) -> MoveList {
        match self.extent() {
            Extent::Many => return MoveList::Many,
            Extent::Hidden => return MoveList::Hidden,
            Extent::Listed => {}
        }
        let mut list = Vec::new();
        let overflow = self.for_each_move(|m| {
            let text = self.write_move(&m);
            if text.starts_with(prefix) {
                if list.len() == LIST_LIMIT {
                    return ControlFlow::Break(());
                }
                list.push(text);
            }
            ControlFlow::Continue(())
        });
        if overflow.is_break() {
            return MoveList::Many;
        }
        list.sort_unstable();
        MoveList::Listed(list)
    }
}
