//! Reads and writes positions: the board and nothing else.

use crate::game::{NotationError, OptionValues};
use crate::games::chevrons::text;
use crate::games::pacru::rules::{Position, RuleOptions};

impl std::fmt::Display for Position {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        std::fmt::Display::fmt(&**self, f)
    }
}

/// Reads and validates a position; its own number of players outranks the option.
pub(super) fn parse(text: &str, rules: &OptionValues) -> Result<Position, NotationError> {
    const FORM: &str = "three words, board, player to move, number of players";
    let options = RuleOptions::new(rules);
    let (board, [_, _, _]) = text::read(text, FORM, |seats| options.key(seats))?;
    let mut position = Position::new(board, options);
    let possible = position.validate();
    possible.map_err(|error| NotationError::new(error.to_string()))?;
    position.begin_turn(position.mover());
    Ok(position)
}
