//! The text of a position: ten ranks from the top, joined by `/`, and the side to move.

use std::fmt;

use crate::game::{NotationError, quoted};
use crate::games::barca::rules::{Kind, Position, SIZE, square, square_name};

/// The text of the starting position.
pub const START: &str = "4ee4/3lmml3/10/10/10/10/10/10/3LMML3/4EE4 w";

impl fmt::Display for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let ranks: Vec<String> = (0..SIZE).rev().map(|rank| write_rank(self, rank)).collect();
        f.pad(&format!("{} {}", ranks.join("/"), ["w", "b"][self.side()]))
    }
}

/// Reads and validates a position.
pub(super) fn parse(text: &str) -> Result<Position, NotationError> {
    let (placement, side) = split_fields(text)?;
    let mut position = Position::empty(side);
    place_animals(&mut position, placement)?;
    Ok(position)
}

/// Splits the text at its space into the placement and the side to move.
fn split_fields(text: &str) -> Result<(&str, usize), NotationError> {
    let Some((placement, side)) = text.split_once(' ') else {
        return Err(NotationError::at(
            text.len(),
            "the side to move is missing; ' w' or ' b' must follow the ten ranks",
        ));
    };
    let at = placement.len() + 1;
    match side {
        "w" => Ok((placement, 0)),
        "b" => Ok((placement, 1)),
        _ => Err(NotationError::at(
            at,
            format!("'{}' is no side to move; it is w or b, and nothing follows it", quoted(side)),
        )),
    }
}

/// Reads the ten ranks, from the tenth down.
fn place_animals(position: &mut Position, placement: &str) -> Result<(), NotationError> {
    let count = placement.split('/').count();
    if count != SIZE as usize {
        return Err(NotationError::new(format!(
            "{count} rank{} given; there are ten, joined by '/'",
            if count == 1 { "" } else { "s" }
        )));
    }
    let mut offset = 0;
    for (rank, text) in (0..SIZE).rev().zip(placement.split('/')) {
        place_rank(position, rank, text, offset)?;
        offset += text.len() + 1;
    }
    Ok(())
}

fn place_rank(
    position: &mut Position,
    rank: u8,
    text: &str,
    offset: usize,
) -> Result<(), NotationError> {
    let mut file = 0;
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let at = offset + text.len() - rest.len();
        if first.is_ascii_digit() {
            let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
            file += empty_squares(&rest[..digits], at)?;
            rest = &rest[digits..];
        } else {
            place_animal(position, first, file, rank, at)?;
            file += 1;
            rest = &rest[first.len_utf8()..];
        }
        if file > SIZE {
            let message = format!("rank {} is longer than ten squares", rank + 1);
            return Err(NotationError::at(at, message));
        }
    }
    if file < SIZE {
        let squares = if file == 1 { "square" } else { "squares" };
        let message = format!("rank {} has only {file} {squares}; ten would be right", rank + 1);
        return Err(NotationError::at(offset + text.len(), message));
    }
    Ok(())
}

/// Reads a run of empty squares: all digits in a row are one number.
fn empty_squares(digits: &str, at: usize) -> Result<u8, NotationError> {
    if digits.starts_with('0') {
        return Err(NotationError::at(
            at,
            "a run of empty squares cannot begin with 0; it is a number from 1 to 10",
        ));
    }
    match digits.parse() {
        Ok(number @ 1..=SIZE) => Ok(number),
        _ => Err(NotationError::at(
            at,
            format!(
                "{} empty squares in a row; digits in a row are one number, from 1 to 10",
                quoted(digits)
            ),
        )),
    }
}

fn place_animal(
    position: &mut Position,
    letter: char,
    file: u8,
    rank: u8,
    at: usize,
) -> Result<(), NotationError> {
    let side = letter.is_ascii_lowercase() as usize;
    let Some(kind) = Kind::ALL.into_iter().find(|kind| kind.letter(side) == letter) else {
        return Err(NotationError::at(
            at,
            format!("unknown animal '{}'; M L E are White's, m l e Black's", letter),
        ));
    };
    if file >= SIZE {
        let message = format!("rank {} is longer than ten squares", rank + 1);
        return Err(NotationError::at(at, message));
    }
    let square = square(file, rank);
    if !position.put(side, kind, square) {
        return Err(NotationError::at(
            at,
            format!(
                "a third {} {} on {}; a side has at most two",
                ["white", "black"][side],
                kind.name(),
                square_name(square)
            ),
        ));
    }
    Ok(())
}

fn write_rank(position: &Position, rank: u8) -> String {
    let mut text = String::new();
    let mut empty = 0;
    for file in 0..SIZE {
        match position.animal_at(square(file, rank)) {
            None => empty += 1,
            Some((side, kind)) => {
                if empty > 0 {
                    text += &empty.to_string();
                    empty = 0;
                }
                text.push(kind.letter(side));
            }
        }
    }
    if empty > 0 {
        text += &empty.to_string();
    }
    text
}
