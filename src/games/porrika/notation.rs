//! Positions and moves as text.
//!
//! A position is the rows from the flat end joined by `/`, then ` c` or ` s` for the side to move.
//! A row is the squares a to d joined by `,`; a square is `-` or `<piece><side>` in the order n, e,
//! s, w. A move is `<from><to>`, `pass`, or the eight letters of the set-up.

use std::fmt::Write;

use super::board::{COLUMNS, COPPER_STARTS, ROWS, Space, SpaceError};
use super::explain;
use super::moves::Move;
use super::position::{Kind, Position, RuleSet, Side};
use crate::game::{DiagramStyle, Notation, NotationError, OptionValues, Seat};

impl std::fmt::Display for Position {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.pad(&self.write())
    }
}

crate::position_traits!(Position);

impl Position {
    fn write(&self) -> String {
        let mut text = String::new();
        for row in 0..ROWS {
            for column in 0..COLUMNS {
                text.push_str(match (row, column) {
                    (0, 0) => "",
                    (_, 0) => "/",
                    _ => ",",
                });
                self.write_square(column, row, &mut text);
            }
        }
        text.push_str(if self.side() == Side::Copper { " c" } else { " s" });
        text
    }
}

impl Notation for Position {
    fn parse(
        text: &str,
        rules: &OptionValues,
        _viewer: Option<Seat>,
    ) -> Result<Self, NotationError> {
        read_position(text, RuleSet::from_options(rules))
    }

    fn parse_move(&self, token: &str) -> Result<Move, NotationError> {
        parse_move(token)
    }

    fn token(&self, m: &Move) -> String {
        token(*m)
    }

    fn explain_illegal(&self, m: &Move) -> String {
        explain::illegal(self, *m)
    }

    fn diagram(&self, style: DiagramStyle) -> String {
        super::diagram::draw(self, style)
    }
}

impl Position {
    fn write_square(&self, column: usize, row: usize, text: &mut String) {
        let length = text.len();
        for (side, letter) in SIDES.iter().enumerate() {
            let space = Space::new(column, row, side);
            if let Some(kind) = space.and_then(|space| self.piece_at(space)) {
                text.push(kind.letter());
                text.push(*letter);
            }
        }
        if text.len() == length {
            text.push('-');
        }
    }
}

const SIDES: [char; 4] = ['n', 'e', 's', 'w'];

/// A text cut at every `separator`, each part with the offset at which it begins.
fn parts(text: &str, base: usize, separator: char) -> impl Iterator<Item = (usize, &str)> {
    let mut offset = base;
    text.split(separator).map(move |part| {
        let start = offset;
        offset += part.len() + 1;
        (start, part)
    })
}

fn read_position(text: &str, rules: RuleSet) -> Result<Position, NotationError> {
    let Some((placement, side)) = text.split_once(' ') else {
        let message = "the side to move is missing: ' c' or ' s' after the seven rows";
        return Err(NotationError::at(text.len(), message));
    };
    let side = match side {
        "c" => Side::Copper,
        "s" => Side::Silver,
        _ => {
            let message = format!("'{}' is no side to move, c or s", shown(side));
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
    Position::new(pieces, side, rules).map_err(NotationError::new)
}

/// Reads one square into the sets of pieces.
fn parse_square(
    square: &str,
    offset: usize,
    column: usize,
    row: usize,
    pieces: &mut [u128; 3],
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
            let message = format!("'{}' in {name} is no piece, E, G or S", shown_char(letter));
            return Err(NotationError::at(at, message));
        };
        let Some((_, letter)) = letters.next() else {
            let message = format!("the side n, e, s or w is missing after '{letter}' in {name}");
            return Err(NotationError::at(at + 1, message));
        };
        let Some(side) = SIDES.iter().position(|known| *known == letter) else {
            let message = format!("'{}' in {name} is no side, n, e, s or w", shown_char(letter));
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

fn parse_move(token: &str) -> Result<Move, NotationError> {
    if token == "pass" {
        return Ok(Move::Pass);
    }
    if token.len() == COPPER_STARTS.len() {
        return parse_setup(token);
    }
    let bytes = token.as_bytes();
    if bytes.len() != 6 {
        let message = format!(
            "'{}' is no move: two spaces such as b1nb2w, eight letters E, G or . for the set-up, \
             or pass",
            shown(token)
        );
        return Err(NotationError::new(message));
    }
    let space = |offset: usize| {
        Space::parse(&bytes[offset..offset + 3]).map_err(|error| {
            let name: String = bytes[offset..offset + 3].iter().map(|b| shown_byte(*b)).collect();
            NotationError::at(offset, format!("'{name}' is no space: {}", reason(error)))
        })
    };
    Ok(Move::Walk { from: space(0)?, to: space(3)? })
}

fn reason(error: SpaceError) -> &'static str {
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
                    shown_char(letter)
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

/// A move as text; it does not depend on the position.
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

/// A text fit for an error message: printable ASCII, and short.
fn shown(text: &str) -> String {
    const LONGEST: usize = 24;
    let mut short: String = text.chars().take(LONGEST).map(shown_char).collect();
    if text.chars().nth(LONGEST).is_some() {
        short.push_str("...");
    }
    short
}

fn shown_char(letter: char) -> char {
    if letter == ' ' || letter.is_ascii_graphic() { letter } else { '?' }
}

fn shown_byte(byte: u8) -> char {
    shown_char(char::from(byte))
}
