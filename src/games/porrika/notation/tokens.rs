//! The text of a move: `<from><to>`, `pass`, or the eight letters of the set-up.

use std::fmt::Write;

use crate::game::{NotationError, quoted};
use crate::games::porrika::rules::Move;
use crate::games::porrika::rules::board::{COPPER_STARTS, Space, SpaceError};

/// Reads a well-formed move, legal or not.
pub(super) fn parse(token: &str) -> Result<Move, NotationError> {
    if token == "pass" {
        return Ok(Move::Pass);
    }
    if token.len() == COPPER_STARTS.len() {
        return parse_setup(token);
    }
    let bytes = token.as_bytes();
    if bytes.len() != 6 {
        let of_setup = !token.is_empty() && token.bytes().all(|byte| b"EG.".contains(&byte));
        let wanted = match of_setup {
            true => "the set-up has eight letters E, G or .",
            false => "two spaces such as b1nb2w, or pass",
        };
        let message = format!("'{}' is no move: {wanted}", quoted(token));
        return Err(NotationError::new(message));
    }
    let space = |offset: usize| {
        Space::parse(&bytes[offset..offset + 3]).map_err(|error| {
            let name: String = bytes[offset..offset + 3].iter().map(|b| char::from(*b)).collect();
            NotationError::at(offset, format!("'{name}' is no space: {}", expected(error)))
        })
    };
    Ok(Move::Walk { from: space(0)?, to: space(3)? })
}

fn expected(error: SpaceError) -> &'static str {
    match error {
        SpaceError::Malformed => "column a-d, row 1-7, side n, e, s or w",
        SpaceError::Blocked => "that triangle is blocked off",
    }
}

/// Reads the set-up token, such as `EGGEG.G.`.
fn parse_setup(token: &str) -> Result<Move, NotationError> {
    let (mut eggs, mut guardians) = (0u8, 0u8);
    for (index, letter) in token.char_indices() {
        match letter {
            'E' => eggs |= 1 << index,
            'G' => guardians |= 1 << index,
            '.' => {}
            _ => {
                let message = format!(
                    "'{}' in the set-up: eight letters E, G or . for a1n a1w b1n b1e c1n c1w d1n \
                     d1e",
                    letter
                );
                return Err(NotationError::at(index, message));
            }
        }
    }
    let counts = (eggs.count_ones(), guardians.count_ones());
    if counts != (2, 4) {
        let (eggs, guardians) = counts;
        let message = format!("the set-up has {eggs} E and {guardians} G, not two E and four G");
        return Err(NotationError::new(message));
    }
    Ok(Move::Setup { eggs, guardians })
}

/// Writes a move; the text does not depend on the position.
pub(super) fn token(m: Move) -> String {
    match m {
        Move::Pass => "pass".into(),
        Move::Walk { from, to } => {
            let mut text = String::with_capacity(6);
            // Writing to a String cannot fail.
            let _ = write!(text, "{from}{to}");
            text
        }
        Move::Setup { eggs, guardians } => (0..COPPER_STARTS.len())
            .map(|bit| match (eggs >> bit & 1, guardians >> bit & 1) {
                (1, _) => 'E',
                (_, 1) => 'G',
                _ => '.',
            })
            .collect(),
    }
}
