//! Reads and writes boards: ranks 9 to 1, `a`..`d` for markers, `[1NE*]` for chevrons, then the player
//! to move and the number of players.

use std::fmt::{Display, Formatter, Result as Written, Write};
use std::ops::RangeInclusive;
use std::str::FromStr;

use super::board::{Board, chevrons_each};
use super::cell::Cell;
use super::fields::{Direction, Field};
use crate::game::NotationError;

impl Display for Board {
    fn fmt(&self, f: &mut Formatter<'_>) -> Written {
        f.pad(&self.write())
    }
}

impl Board {
    fn write(&self) -> String {
        let mut text = String::with_capacity(96);
        for rank in (0..9).rev() {
            let mut empty = 0;
            for file in 0..9 {
                let cell = Field::at(file, rank).map_or(Cell::NEUTRAL, |field| self.cell(field));
                if cell == Cell::NEUTRAL {
                    empty += 1;
                    continue;
                }
                if empty > 0 {
                    let _ = write!(text, "{empty}");
                    empty = 0;
                }
                write_cell(&mut text, cell);
            }
            if empty > 0 {
                let _ = write!(text, "{empty}");
            }
            if rank > 0 {
                text.push('/');
            }
        }
        let _ = write!(text, " {} {}", self.mover() + 1, self.seats());
        text
    }
}

/// The board that the first three words of a position tell, and the words after them. `form` says how
/// many words there are and what they are.
pub(crate) fn read<'a, const WORDS: usize>(
    text: &'a str,
    form: &str,
    salt: impl Fn(usize) -> u64,
) -> Result<(Board, [&'a str; WORDS]), NotationError> {
    if let Some((offset, _)) = text.char_indices().find(|(_, c)| !c.is_ascii()) {
        return Err(NotationError::at(offset, "a position is written in ASCII"));
    }
    let words: Vec<&str> = text.split_ascii_whitespace().collect();
    let Ok(words) = <[&str; WORDS]>::try_from(&words[..]) else {
        let message = format!("a position is {form}; here are {}", words.len());
        return Err(NotationError::new(message));
    };
    let seats = number(words[2], 2..=4, "the number of players")?;
    let turn = number(words[1], 1..=seats, "the player to move")? - 1;
    let board = Board::empty(seats, turn, salt(seats));
    let mut reader = Reader { text: words[0], at: 0, board };
    reader.board()?;
    Ok((reader.board, words))
}

fn write_cell(text: &mut String, cell: Cell) {
    if cell.is_occupied() {
        let star = if cell.is_chevron_on_marker() { "*" } else { "" };
        let _ = write!(text, "[{}{}{star}]", cell.chevron_seat() + 1, cell.facing());
    } else if let Some(seat) = cell.marker() {
        text.push(marker_letter(seat));
    }
}

/// A number within bounds, without leading zeros.
pub(crate) fn number<N: FromStr + PartialOrd + Display>(
    word: &str,
    range: RangeInclusive<N>,
    what: &str,
) -> Result<N, NotationError> {
    let number = word.parse().ok().filter(|n: &N| range.contains(n) && n.to_string() == word);
    number.ok_or_else(|| {
        let (low, high) = (range.start(), range.end());
        NotationError::new(format!("{what} is {low} to {high}, not '{word}'"))
    })
}

/// The letter of a seat's markers.
fn marker_letter(seat: usize) -> char {
    (b'a' + seat as u8) as char
}

/// Reads the board, rank 9 first.
struct Reader<'a> {
    text: &'a str,
    at: usize,
    board: Board,
}

impl Reader<'_> {
    fn board(&mut self) -> Result<(), NotationError> {
        for rank in (0..9).rev() {
            self.rank(rank)?;
            match self.peek() {
                Some(b'/') if rank > 0 => self.at += 1,
                None if rank == 0 => return Ok(()),
                None => {
                    let message = format!("the board ends before rank {rank}");
                    return Err(NotationError::at(self.at, message));
                }
                Some(_) => {
                    let message = format!("rank {} has more than 9 fields", rank + 1);
                    return Err(NotationError::at(self.at, message));
                }
            }
        }
        Ok(())
    }

    fn rank(&mut self, rank: usize) -> Result<(), NotationError> {
        let mut file = 0;
        let mut after_number = false;
        while let Some(field) = Field::at(file, rank) {
            let here = self.at;
            let Some(byte) = self.peek().filter(|byte| *byte != b'/') else {
                let message = format!("rank {} has {file} fields, not 9", rank + 1);
                return Err(NotationError::at(here, message));
            };
            self.at += 1;
            let is_number = byte.is_ascii_digit();
            match byte {
                b'0'..=b'9' => {
                    let count = (byte - b'0') as usize;
                    if after_number || count == 0 || file + count > 9 {
                        let message = "a number from 1 to 9 counts neutral fields up to a marker, a chevron or the end of the rank";
                        return Err(NotationError::at(here, message));
                    }
                    file += count;
                }
                b'a'..=b'd' => {
                    let seat = self.known_seat((byte - b'a') as usize, here)?;
                    self.board.set_marker(field, Some(seat));
                    file += 1;
                }
                b'[' => {
                    self.chevron(field, here)?;
                    file += 1;
                }
                _ => {
                    let message = format!(
                        "'{}' is no field; a number, a marker a to d or a chevron such as [1NE*] is",
                        byte as char
                    );
                    return Err(NotationError::at(here, message));
                }
            }
            after_number = is_number;
        }
        Ok(())
    }

    /// The chevron after an opening bracket.
    fn chevron(&mut self, field: Field, open: usize) -> Result<(), NotationError> {
        let rest = &self.text[self.at..];
        let end = rest.find([']', '[', '/']);
        let Some(end) = end.filter(|end| rest[*end..].starts_with(']')) else {
            let is_second = end.is_some_and(|end| rest[end..].starts_with('['));
            let message = match is_second {
                true => "a field holds one chevron; it is written [1NE] or [1NE*]",
                false => "the bracket is not finished; a chevron is written [1NE] or [1NE*]",
            };
            return Err(NotationError::at(open, message));
        };
        let inside = &rest[..end];
        let at = self.at;
        self.at += end + 1;
        let Some(seat) = inside.bytes().next().filter(|b| (b'1'..=b'4').contains(b)) else {
            return Err(NotationError::at(at, "a chevron begins with its player, 1 to 4"));
        };
        let seat = self.known_seat((seat - b'1') as usize, at)?;
        let body = &inside[1..];
        let length = body.find(|c: char| !c.is_ascii_uppercase()).unwrap_or(body.len());
        let (facing, mark) = body.split_at(length);
        let Some(facing) = Direction::parse(facing) else {
            let message =
                format!("'{facing}' is no facing; a chevron faces N NE E SE S SW W or NW");
            return Err(NotationError::at(at + 1, message));
        };
        self.under_chevron(field, seat, mark, at + 1 + length)?;
        if self.board.chevron_fields(seat).len() == chevrons_each(self.board.seats()) {
            let most = chevrons_each(self.board.seats());
            let players = self.board.seats();
            let message = format!(
                "too many chevrons of player {}: with {players} players each has at most {most}",
                seat + 1
            );
            return Err(NotationError::at(open, message));
        }
        self.board.place_chevron(seat, field, facing);
        Ok(())
    }

    /// What lies under a chevron: nothing, or `*` for its own marker.
    fn under_chevron(
        &mut self,
        field: Field,
        seat: usize,
        mark: &str,
        at: usize,
    ) -> Result<(), NotationError> {
        match mark.as_bytes() {
            [] => Ok(()),
            b"*" => {
                self.board.set_marker(field, Some(seat));
                Ok(())
            }
            [letter @ b'a'..=b'd'] if (letter - b'a') as usize != seat => {
                let message = format!(
                    "a chevron of player {} stands on a marker of player {}; it may stand only on a neutral field or on its own marker",
                    seat + 1,
                    letter - b'a' + 1
                );
                Err(NotationError::at(at, message))
            }
            _ => {
                let message =
                    format!("'{mark}' after the facing; only * may stand there, for an own marker");
                Err(NotationError::at(at, message))
            }
        }
    }

    fn known_seat(&self, seat: usize, at: usize) -> Result<usize, NotationError> {
        let seats = self.board.seats();
        if seat < seats {
            return Ok(seat);
        }
        let message = format!("there is no player {} in a game of {seats}", seat + 1);
        Err(NotationError::at(at, message))
    }

    fn peek(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }
}
