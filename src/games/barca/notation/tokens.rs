//! The text of a move: the square left and the square entered.

use std::fmt;

use crate::game::{NotationError, quoted};
use crate::games::barca::rules::{Move, SIZE, square, square_name};

impl fmt::Display for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", square_name(self.from), square_name(self.to))
    }
}

impl fmt::Debug for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// Reads a move, legal or not.
pub(super) fn parse(token: &str) -> Result<Move, NotationError> {
    let (from, used) = parse_square(token, 0)?;
    let (to, used) = parse_square(token, used)?;
    if used < token.len() {
        let rest = quoted(&token[used..]);
        let message = format!("'{rest}' after a whole move; a move is two squares, such as e2e4");
        return Err(NotationError::at(used, message));
    }
    Ok(Move { from, to })
}

/// Reads a square at an offset of a move; returns it and the offset after it.
fn parse_square(token: &str, at: usize) -> Result<(u8, usize), NotationError> {
    let mut rest = token[at..].chars();
    let file = match rest.next() {
        Some(letter @ 'a'..='j') => letter as u8 - b'a',
        Some(other) => {
            let message = format!("'{}' is no file; a square begins with a to j", other);
            return Err(NotationError::at(at, message));
        }
        None => {
            let which = if at == 0 { "first" } else { "second" };
            let message =
                format!("the {which} square is missing; a move is two squares, such as e2e4");
            return Err(NotationError::at(at, message));
        }
    };
    let digits = rest.as_str().bytes().take_while(u8::is_ascii_digit).count();
    let text = &rest.as_str()[..digits];
    match text.parse::<u8>() {
        Ok(rank @ 1..=SIZE) if !text.starts_with('0') => {
            Ok((square(file, rank - 1), at + 1 + digits))
        }
        _ if digits == 0 => {
            Err(NotationError::at(at + 1, "the rank is missing; it is a number from 1 to 10"))
        }
        _ => Err(NotationError::at(
            at + 1,
            format!("{} is no rank; it is a number from 1 to 10", quoted(text)),
        )),
    }
}
