//! Positions and moves as text.
//!
//! - `position`: the text of a position. `tokens`: the text of a move.

#[cfg(feature = "picture")]
mod picture;
mod position;
mod tokens;

use super::rules::{Move, Position};
use crate::game::{Notation, NotationError, OptionValues, Seat};

pub use position::START;

crate::position_traits!(Position);

impl Notation for Position {
    fn parse(
        text: &str,
        _rules: &OptionValues,
        _viewer: Option<Seat>,
    ) -> Result<Self, NotationError> {
        position::parse(text)
    }

    fn parse_move(&self, token: &str) -> Result<Move, NotationError> {
        tokens::parse(token)
    }

    fn token(&self, m: &Move) -> String {
        m.to_string()
    }

    fn explain_illegal(&self, m: &Move) -> String {
        match self.check(m) {
            Ok(()) => format!("{m} is legal"),
            Err(illegal) => illegal.to_string(),
        }
    }
}
