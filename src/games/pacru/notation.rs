//! Positions and moves as text.

mod move_list;
#[cfg(feature = "picture")]
mod picture;
mod position;
mod tokens;

use super::rules::{Move, Position};
use crate::game::{MoveList, Notation, NotationError, OptionValues, Seat};

crate::position_traits!(Position);

impl Notation for Position {
    fn parse(
        text: &str,
        rules: &OptionValues,
        _viewer: Option<Seat>,
    ) -> Result<Self, NotationError> {
        position::parse(text, rules)
    }

    fn parse_move(&self, token: &str) -> Result<Move, NotationError> {
        tokens::parse(self, token)
    }

    fn token(&self, m: &Move) -> String {
        m.to_string()
    }

    fn explain_illegal(&self, m: &Move) -> String {
        match self.check(m) {
            Ok(()) => "the move is legal".into(),
            Err(illegal) => illegal.to_string(),
        }
    }

    fn list_moves(&self, prefix: &str) -> MoveList {
        move_list::list(self, prefix)
    }
}
