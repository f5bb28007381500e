//! Positions and moves as text.
//!
//! - `position`: the text of a position. `tokens`: the text of a move.

#[cfg(feature = "picture")]
mod picture;
mod position;
mod tokens;

use super::rules::{Move, Position, RuleOptions};
use crate::game::{Notation, NotationError, OptionValues, Seat};

impl std::fmt::Display for Position {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.pad(&position::write(self))
    }
}

crate::position_traits!(Position);

impl Notation for Position {
    fn parse(
        text: &str,
        rules: &OptionValues,
        _viewer: Option<Seat>,
    ) -> Result<Self, NotationError> {
        position::parse(text, RuleOptions::from_options(rules))
    }

    fn parse_move(&self, token: &str) -> Result<Move, NotationError> {
        tokens::parse(token)
    }

    fn token(&self, m: &Move) -> String {
        tokens::token(*m)
    }

    fn explain_illegal(&self, m: &Move) -> String {
        match self.why_illegal(*m) {
            Some(illegal) => illegal.to_string(),
            None => format!("{} is legal", tokens::token(*m)),
        }
    }
}
