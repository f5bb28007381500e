//! The text of a position: rows from the flat end joined by `/`, then ` c` or ` s` for the side to
//! move. A row is the squares a to d joined by `,`; a square is `-` or `<piece><side>` in the order
//! n, e, s, w.

use crate::game::{NotationError, quoted};
use crate::games::porrika::rules::board::{COLUMNS, ROWS, Set, Space};
use crate::games::porrika::rules::{Kind, Position, RuleOptions, Side};

const SIDES: [char; 4] = ['n', 'e', 's', 'w'];

/// Writes a position.
pub(super) fn write(position: &Position) -> String {
    let mut text = String::new();
    for row in 0..ROWS {
        for column in 0..COLUMNS {
            text.push_str(match (row, column) {
                (0, 0) => "",
                (_, 0) => "/",
                _ => ",",
            });
            write_square(position, column, row, &mut text);
        }
    }
    text.push_str(if position.side() == Side::Copper { " c" } else { " s" });
    text
}

fn write_square(position: &Position, column: usize, row: usize, text: &mut String) {
    let length = text.len();
    for (side, letter) in SIDES.iter().enumerate() {
        let space = Space::new(column, row, side);
        if let Some(kind) = space.and_then(|space| position.piece_at(space)) {
            text.push(kind.letter());
            text.push(*letter);
        }
    }
    if text.len() == length {
        text.push('-');
    }
}

/// The parts of a text between separators, each with its byte offset.
fn parts(text: &str, base: usize, separator: char) -> impl Iterator<Item = (usize, &str)> {
    let mut offset = base;
    text.split(separator).map(move |part| {
        let start = offset;
        offset += part.len() + 1;
        (start, part)
    })
}

/// Reads and validates a position.
pub(super) fn parse(text: &str, rules: RuleOptions) -> Result<Position, NotationError> {
    let Some((placement, side)) = text.split_once(' ') else {
        let message = "the side to move is missing: ' c' or ' s' after the seven rows";
        return Err(NotationError::at(text.len(), message));
    };
    let side = match side {
        "c" => Side::Copper,
        "s" => Side::Silver,
        _ => {
            let message = format!("'{}' is no side to move, c or s", quoted(side));
            return Err(NotationError::at(placement.len() + 1, message));
        }
    };
    let rows = placement.split('/').count();
    if rows != ROWS {
        return Err(NotationError::new(format!("{rows} rows, not {ROWS} joined by '/'")));
    }
    let mut pieces = [0; 3];
    for (row, (offset, squares)) in parts(placement, 0, '/').enumerate() {
        let count = squares.split(',').count();
        if count != COLUMNS {
            let message = format!("row {} has {count} squares, not {COLUMNS}", row + 1);
            return Err(NotationError::at(offset, message));
        }
        for (column, (offset, square)) in parts(squares, offset, ',').enumerate() {
            parse_square(square, offset, column, row, &mut pieces)?;
        }
    }
    Position::new(pieces, side, rules).map_err(|error| NotationError::new(error.to_string()))
}

/// Reads one square into the sets of pieces.
fn parse_square(
    square: &str,
    offset: usize,
    column: usize,
    row: usize,
    pieces: &mut [Set; 3],
) -> Result<(), NotationError> {
    if square == "-" {
        return Ok(());
    }
    let name = format!("{}{}", char::from(b'a' + column as u8), row + 1);
    if square.is_empty() {
        let message = format!("square {name} is empty text; '-' is an empty square");
        return Err(NotationError::at(offset, message));
    }
    let mut last = None;
    let mut letters = square.char_indices();
    while let Some((at, letter)) = letters.next() {
        let at = offset + at;
        let Some(kind) = Kind::ALL.into_iter().find(|kind| kind.letter() == letter) else {
            let message = format!("'{}' in {name} is no piece, E, G or S", letter);
            return Err(NotationError::at(at, message));
        };
        let Some((_, letter)) = letters.next() else {
            let message = format!("the side n, e, s or w is missing after '{letter}' in {name}");
            return Err(NotationError::at(at + 1, message));
        };
        let Some(side) = SIDES.iter().position(|known| *known == letter) else {
            let message = format!("'{}' in {name} is no side, n, e, s or w", letter);
            return Err(NotationError::at(at + 1, message));
        };
        if last == Some(side) {
            let message = format!("two pieces on {name}{letter}");
            return Err(NotationError::at(at, message));
        }
        if last.is_some_and(|last| last > side) {
            let message = format!("the sides of {name} must come in the order n, e, s, w");
            return Err(NotationError::at(at, message));
        }
        let Some(space) = Space::new(column, row, side) else {
            let message = format!("{name}{letter} is blocked off, no piece can stand there");
            return Err(NotationError::at(at, message));
        };
        pieces[kind as usize] |= space.bit();
        last = Some(side);
    }
    Ok(())
}
