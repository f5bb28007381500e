//! Text: `position` reads and writes positions, `tokens` moves, `explain` says why a move is
//! illegal.

mod explain;
#[cfg(feature = "picture")]
mod picture;
mod position;
mod tokens;

use super::rules::{Move, Position, RuleOptions};
use crate::game::{Notation, NotationError, OptionValues, Seat};

impl Notation for Position {
    fn parse(
        text: &str,
        rules: &OptionValues,
        _viewer: Option<Seat>,
    ) -> Result<Self, NotationError> {
        position::parse(text, RuleOptions::new(rules)?)
    }

    fn parse_move(&self, token: &str) -> Result<Move, NotationError> {
        tokens::parse(self, token)
    }

    fn token(&self, m: &Move) -> String {
        tokens::write(self, m)
    }

    fn explain_illegal(&self, m: &Move) -> String {
        explain::explain(self, m)
    }
}

crate::position_traits!(Position);
