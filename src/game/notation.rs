//! Positions and moves as text.

use std::fmt::Display;
use std::ops::ControlFlow;
use std::str::FromStr;

use super::{Game, MoveListing, OptionValues, Seat};
use crate::printing::printable;

/// How many characters of a refused text a message quotes.
const LONGEST_QUOTE: usize = 24;

/// Above this many moves a list answers `many`.
pub const LIST_LIMIT: usize = 100_000;

/// Why a text could not be read: what is wrong, where, and what is expected.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{}{message}", match offset { Some(at) => format!("at character {}: ", at + 1), None => String::new() })]
pub struct NotationError {
    /// The byte offset of the error, if it has one.
    pub offset: Option<usize>,
    /// What is wrong and what is expected, in one line of ASCII.
    pub message: String,
}

impl NotationError {
    /// An error of the text as a whole. A message may quote what it refuses: it is made printable.
    pub fn new(message: impl Into<String>) -> Self {
        NotationError { offset: None, message: printable(&message.into(), usize::MAX) }
    }

    /// An error at a byte offset.
    pub fn at(offset: usize, message: impl Into<String>) -> Self {
        NotationError { offset: Some(offset), message: printable(&message.into(), usize::MAX) }
    }
}

/// A refused text as a message quotes it.
#[must_use]
pub fn quoted(text: &str) -> String {
    printable(text, LONGEST_QUOTE)
}

/// The legal moves as text.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum MoveList {
    /// Sorted bytewise.
    Listed(Vec<String>),
    /// More than [`LIST_LIMIT`].
    Many,
    /// A secret of another seat.
    Hidden,
}

/// Implements `Default` and `FromStr` for a position type by its `Rules` and `Notation`.
#[macro_export]
macro_rules! position_traits {
    ($position:ty) => {
        impl Default for $position {
            /// The starting position under the default rules.
            fn default() -> Self {
                let rules = <$position as $crate::game::Rules>::default_rules();
                <$position as $crate::game::Rules>::start(&rules, None)
                    .unwrap_or_else(|error| unreachable!("the default start: {error}"))
            }
        }

        impl std::str::FromStr for $position {
            type Err = $crate::game::NotationError;

            /// Reads a position under the default rules, everything visible.
            fn from_str(text: &str) -> Result<Self, Self::Err> {
                let rules = <$position as $crate::game::Rules>::default_rules();
                <$position as $crate::game::Notation>::parse(text, &rules, None)
            }
        }
    };
}

/// The notation of a game: positions and moves as text.
///
/// `Display` writes a position and [`Notation::parse`] reads it back equal. `Default` is the start
/// under the default rules, `FromStr` reads a position under them; [`position_traits!`] implements
/// both.
///
/// [`position_traits!`]: crate::position_traits
pub trait Notation: Game + Default + Display + FromStr<Err = NotationError> {
    /// Reads and validates a position. A number of seats in the text overrides the option.
    fn parse(text: &str, rules: &OptionValues, viewer: Option<Seat>)
    -> Result<Self, NotationError>;

    /// Reads a well-formed move in any accepted spelling, legal or not.
    fn parse_move(&self, token: &str) -> Result<Self::Move, NotationError>;

    /// Writes a legal move of this position, as `for_each_move` lists it.
    fn token(&self, m: &Self::Move) -> String;

    /// Why a well-formed move is not legal here: the rule, in one line.
    fn explain_illegal(&self, m: &Self::Move) -> String;

    /// The legal moves that begin with `prefix`, sorted. Games with huge lists generate them
    /// from the prefix.
    fn list_moves(&self, prefix: &str) -> MoveList {
        match self.move_listing() {
            MoveListing::Many => return MoveList::Many,
            MoveListing::Hidden => return MoveList::Hidden,
            MoveListing::Listed => {}
        }
        let mut list = Vec::new();
        let overflow = self.for_each_move(|m| {
            let text = self.token(&m);
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
