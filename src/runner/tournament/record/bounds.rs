//! What a record file may hold. Records are files that people send each other: what is beyond these
//! bounds, or those of `reading`, is refused before anything is allocated for it or sent to an engine.

use anyhow::{Result, bail, ensure};
use serde_json::Value;

use super::{Header, Record};
use crate::printing::printable;
use crate::protocol::MAX_SEATS;
use crate::reading::{LONGEST_LINE, Most};

/// What a header may hold, and a line of new options of the run: a match of some hundred engines.
pub(in crate::runner::tournament) const HEADER: Most =
    Most { bytes: 2 << 20, values: 1 << 17, objects: 1 << 10, members: 1 << 12 };

/// What the line of a game may hold: a hundred thousand tokens.
pub(super) const GAME: Most =
    Most { bytes: LONGEST_LINE, values: 1_000_000, objects: 100_000, members: 1_000_000 };

/// The most engines of a match: every two of them are a pairing.
const MOST_ENGINES: usize = 256;

/// The longest name in bytes.
const LONGEST_NAME: usize = 1024;

/// Checks the numbers and names of a header.
///
/// # Errors
/// A number of seats that no game has, more engines than a match has, a name that is too long, a text
/// of several lines.
pub(in crate::runner::tournament) fn check_header(header: &Header) -> Result<()> {
    ensure!(
        (1..=MAX_SEATS).contains(&header.seats),
        "a game of {} seats; there are 1 to {MAX_SEATS}",
        header.seats
    );
    ensure!(
        header.engines.len() <= MOST_ENGINES && header.identities.len() <= MOST_ENGINES,
        "a match of more than {MOST_ENGINES} engines"
    );
    check_names(header.engines.iter().chain(&header.identities))?;
    // These are shown; whatever member of the others a text stands in, it may become a line to an
    // engine.
    let shown = header.engines.iter().chain(&header.identities);
    check_lines(shown.chain([&header.variant, &header.rules]))?;
    check_plain(&header.config)?;
    check_plain(&header.run)
}

/// Checks names, which stand in every row of a table.
fn check_names<'a>(mut names: impl Iterator<Item = &'a String>) -> Result<()> {
    match names.find(|name| name.len() > LONGEST_NAME) {
        Some(name) => bail!("'{}' is longer than {LONGEST_NAME} bytes", printable(name, 60)),
        None => Ok(()),
    }
}

/// Checks that every text of a value is one line without control characters, tabs aside.
fn check_plain(value: &Value) -> Result<()> {
    match value {
        Value::String(text) => ensure!(is_plain(text), not_plain(text)),
        Value::Array(values) => values.iter().try_for_each(check_plain)?,
        Value::Object(members) => {
            for (name, value) in members {
                ensure!(is_plain(name), not_plain(name));
                check_plain(value)?;
            }
        }
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
    Ok(())
}

fn is_plain(text: &str) -> bool {
    !text.contains(|c: char| c.is_control() && c != '\t')
}

fn not_plain(text: &str) -> String {
    let what = if text.contains('\n') { "is more than one line" } else { "has control characters" };
    format!("'{}' {what}", printable(text, 60))
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
pub(in crate::runner::tournament) fn check_game(record: &Record, seats: usize) -> Result<()> {
    let lists = [
        ("seating", record.seating.len()),
        ("places", record.places.len()),
        ("shares", record.shares.len()),
    ];
    for (name, length) in lists {
        ensure!(length == seats, "'{name}' is of {length} seats in a match of {seats}");
    }
    check_names(record.seating.iter())?;
    check_lines(record.seating.iter().chain([&record.reason]).chain(&record.points))?;
    check_texts(record)
}

/// Checks that the start of a game is one line to an engine, and every token one word.
///
/// # Errors
/// The first one that is not.
pub(in crate::runner) fn check_texts(record: &Record) -> Result<()> {
    let is_word = |token: &str| {
        !token.is_empty() && !token.contains(|c: char| c.is_control() || c.is_whitespace())
    };
    let start = Some(&record.start).filter(|start| start.contains(|c: char| c.is_control()));
    let mut tokens = record.moves.iter().map(|m| &m.token);
    match start.or_else(|| tokens.find(|token| !is_word(token))) {
        Some(text) => bail!("'{}' is neither a position nor a token", printable(text, 60)),
        None => Ok(()),
    }
}
