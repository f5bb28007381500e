//! What a record file may hold. Records are files that people send each other: what is beyond these
//! bounds, or those of `reading`, is refused before anything is allocated for it or sent to an engine.

use anyhow::{Result, bail, ensure};

use super::{Header, Record};
use crate::printing::printable;
use crate::protocol::MAX_SEATS;

/// Checks the numbers and names of a header.
///
/// # Errors
/// A number of seats that no game has, a name of several lines.
pub(super) fn check_header(header: &Header) -> Result<()> {
    ensure!(
        (1..=MAX_SEATS).contains(&header.seats),
        "a game of {} seats; there are 1 to {MAX_SEATS}",
        header.seats
    );
    check_lines(header.engines.iter().chain([&header.variant, &header.rules]))
}

/// Checks texts that are shown on one line: with more they would tell what the file does not say.
fn check_lines<'a>(mut texts: impl Iterator<Item = &'a String>) -> Result<()> {
    match texts.find(|text| text.contains('\n')) {
        Some(text) => bail!("'{}' is more than one line", printable(text, 60)),
        None => Ok(()),
    }
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
    check_lines(record.seating.iter().chain([&record.reason]).chain(&record.points))?;
    check_texts(record)
}

/// Checks that no text of a game would be more than one line to an engine.
///
/// # Errors
/// The first one that would.
pub(in crate::runner) fn check_texts(record: &Record) -> Result<()> {
    let texts = std::iter::once(&record.start).chain(record.moves.iter().map(|m| &m.token));
    for text in texts {
        if text.contains(|c: char| c.is_control()) {
            bail!("'{}' is neither a position nor a token", printable(text, 60));
        }
    }
    Ok(())
}
