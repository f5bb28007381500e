//! Barbarossa as text.
//!
//! - `position`: the position text, `key=value` pairs.
//! - `tokens`: moves. `words`: objects, words and questions, which both are written with.
//! - `picture`: the table as a picture, moves as steps.

#[cfg(feature = "picture")]
mod picture;
mod position;
pub(super) mod tokens;
mod words;

use std::ops::ControlFlow;

use super::rules::moves::Move;
use super::rules::position::Position;
use crate::game::{Game, MoveList, MoveListing, Notation, NotationError, OptionValues, Seat};

/// The most bytes of a list of moves: less than 256 KiB with what stands before it.
const LONGEST_LIST: usize = 255 * 1024;

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
        tokens::parse_token(token, self.options().allowed_words())
    }

    fn token(&self, m: &Move) -> String {
        tokens::write_token(m)
    }

    fn explain_illegal(&self, m: &Move) -> String {
        match self.check(m) {
            Ok(()) => "this move is legal".into(),
            Err(illegal) => illegal.to_string(),
        }
    }

    /// Nothing longer than 255 KiB is listed, and with the wider lexicon no guesses without a prefix.
    fn list_moves(&self, prefix: &str) -> MoveList {
        match self.move_listing() {
            MoveListing::Many if self.turn().is_chance() || prefix.is_empty() => {
                return MoveList::Many;
            }
            MoveListing::Hidden => return MoveList::Hidden,
            MoveListing::Many | MoveListing::Listed => {}
        }
        let (mut list, mut length) = (Vec::new(), 0);
        let overflow = self.list_all(|m| {
            let text = self.token(&m);
            if text.starts_with(prefix) {
                length += text.len() + 1;
                if length > LONGEST_LIST {
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
