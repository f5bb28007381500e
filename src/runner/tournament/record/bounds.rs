//! What a record file may hold. Records are files that people send each other: what is beyond these
//! bounds is refused before anything is allocated for it or sent to an engine.

use std::io::{self, BufRead, Read};

use anyhow::{Result, bail, ensure};

use super::{Header, Record};
use crate::printing::printable;
use crate::protocol::MAX_SEATS;

/// The longest line in bytes: some hundred thousand tokens with their scores.
const MAX_LINE: u64 = 16 << 20;

/// The largest window that a packed file may ask for, as a power of two in bytes.
pub(super) const WINDOW: u32 = 25;

/// Reads up to a line end, as [`BufRead::read_until`] does, but no more than the longest line.
///
/// # Errors
/// When the file cannot be read, or the line is too long.
pub(super) fn read_line(reader: &mut dyn BufRead, line: &mut Vec<u8>) -> io::Result<usize> {
    let count = reader.take(MAX_LINE).read_until(b'\n', line)?;
    if count as u64 == MAX_LINE && line.last() != Some(&b'\n') {
        let what = format!("a line of more than {} MiB", MAX_LINE >> 20);
        return Err(io::Error::new(io::ErrorKind::InvalidData, what));
    }
    Ok(count)
}

/// Checks the numbers of a header.
///
/// # Errors
/// A number of seats that no game has.
pub(super) fn check_header(header: &Header) -> Result<()> {
    ensure!(
        (1..=MAX_SEATS).contains(&header.seats),
        "a game of {} seats; there are 1 to {MAX_SEATS}",
        header.seats
    );
    Ok(())
}

/// Checks a game under a header: a line of every list for every seat, and no text that would be
/// more than one line to an engine.
///
/// # Errors
/// What does not fit.
pub(super) fn check_game(record: &Record, seats: usize) -> Result<()> {
    let lists = [
        ("seating", record.seating.len()),
        ("places", record.places.len()),
        ("shares", record.shares.len()),
    ];
    for (name, length) in lists {
        ensure!(length == seats, "'{name}' is of {length} seats in a match of {seats}");
    }
    let texts = std::iter::once(&record.start).chain(record.moves.iter().map(|m| &m.token));
    for text in texts {
        if text.contains(|c: char| c.is_control()) {
            bail!("'{}' is neither a position nor a token", printable(text, 60));
        }
    }
    Ok(())
}
