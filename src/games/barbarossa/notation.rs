//! Barbarossa as text.
//!
//! - `position`: the position text, `key=value` pairs.
//! - `tokens`: moves. `words`: objects, words and questions, which both are written with.
//! - `explain`: why a move is illegal.
//! - `diagram`: the table as a drawing. `picture`: the table as a picture, moves as steps.

mod diagram;
mod explain;
#[cfg(feature = "picture")]
mod picture;
mod position;
pub(super) mod tokens;
mod words;

use super::rules::moves::Move;
use super::rules::position::Position;
use crate::game::{DiagramStyle, Notation, NotationError, OptionValues, Seat};

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
        viewer: Option<Seat>,
    ) -> Result<Self, NotationError> {
        let position = position::read(text, rules, viewer)?;
        position.validate().map_err(NotationError::new)?;
        Ok(position)
    }

    fn parse_move(&self, token: &str) -> Result<Move, NotationError> {
        tokens::parse_token(token, self.options().free_words)
    }

    fn token(&self, m: &Move) -> String {
        tokens::write_token(m)
    }

    fn explain_illegal(&self, m: &Move) -> String {
        explain::explain(self, m)
    }

    fn diagram(&self, style: DiagramStyle) -> String {
        diagram::draw(self, style)
    }
}
