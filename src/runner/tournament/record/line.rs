//! One line of a record file: a JSON object whose last member is the checksum of all before it.
//!
//! The checksum is the CRC-32 of zip and PNG over the bytes before `,"check"`, as eight hexadecimal
//! digits. Lines without one are accepted only in files whose header has none either.

use anyhow::{Context, Result, bail, ensure};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::bounds::{self, GAME, HEADER};
use super::{FORMAT, Header, OLDEST_FORMAT, Record};
use crate::printing::{is_hidden, json_escaped};
use crate::reading;
use crate::runner::key::MatchKey;
use crate::runner::tournament::RoundTripError;

/// The first version of the format whose lines have checksums.
const FIRST_CHECKED: u32 = 2;

/// What begins the checksum.
const CHECK: &str = ",\"check\":\"";

/// The length of the checksum with what surrounds it.
const CHECK_LENGTH: usize = CHECK.len() + 8 + 2;

/// What a line after the header holds.
#[derive(Debug)]
pub(super) enum Line {
    /// A game.
    Game(Box<Record>),
    /// The options that the match is run with from here on.
    Run(Value),
    /// The key of a complete match.
    Key(MatchKey),
}

/// New options of the run, as a line: game 0.
#[derive(Debug, Serialize, Deserialize)]
struct RunLine {
    game: u64,
    run: Value,
}

/// The key of a complete match, as a line: game 0.
#[derive(Debug, Serialize, Deserialize)]
struct KeyLine {
    game: u64,
    key: String,
}

/// The line of a value, with its checksum and its line end. What a terminal would obey is an escape.
///
/// # Errors
/// A value that is not an object with members.
pub(super) fn write(value: &impl Serialize) -> Result<String> {
    let mut text = json_escaped(&serde_json::to_string(value).context("record")?).into_owned();
    ensure!(text.len() > 2 && text.pop() == Some('}'), "a record must be an object");
    let check = crc32fast::hash(text.as_bytes());
    text.push_str(&format!("{CHECK}{check:08x}\"}}\n"));
    Ok(text)
}

/// The line of new options of the run.
///
/// # Errors
/// Never in practice: when the options cannot be written as JSON.
pub(super) fn write_run(run: &Value) -> Result<String> {
    write(&RunLine { game: 0, run: run.clone() })
}

/// The line of the key.
///
/// # Errors
/// Never in practice: when the key cannot be written as JSON.
pub(super) fn write_key(key: &MatchKey) -> Result<String> {
    write(&KeyLine { game: 0, key: key.to_hex() })
}

/// Whether a line has a checksum.
pub(super) fn is_checked(line: &[u8]) -> bool {
    split(line).is_some()
}

/// Whether a line is as [`write`] makes it: with a checksum, without spaces, and without characters
/// that a terminal would obey. Members that this version does not know may be in it.
pub(super) fn is_as_written(line: &[u8]) -> bool {
    let plain = std::str::from_utf8(line).is_ok_and(|text| !text.contains(is_hidden));
    is_checked(line) && plain && reading::is_compact(line)
}

/// The bytes that are checked, and the checksum in the line.
fn split(line: &[u8]) -> Option<(&[u8], u32)> {
    let line = line.trim_ascii_end();
    let (text, check) = line.split_at_checked(line.len().checked_sub(CHECK_LENGTH)?)?;
    let digits = check.strip_prefix(CHECK.as_bytes())?.strip_suffix(b"\"}")?;
    // As it was written: no sign, no capitals.
    let digits = std::str::from_utf8(digits).ok()?;
    let check = u32::from_str_radix(digits, 16).ok()?;
    (format!("{check:08x}") == digits).then_some((text, check))
}

/// Compares a line with its checksum; without one it must be allowed to have none.
///
/// # Errors
/// A line that is not as it was written.
pub(super) fn verify(line: &[u8], checked: bool) -> Result<()> {
    match split(line) {
        Some((text, check)) => {
            ensure!(crc32fast::hash(text) == check, "damaged: the checksum does not fit");
        }
        None => ensure!(!checked, "damaged: the checksum is missing"),
    }
    Ok(())
}

/// Reads the first line of a file.
///
/// # Errors
/// A line that is no header, or one of another version.
pub(super) fn header(line: &[u8]) -> Result<Header> {
    let header: Header =
        reading::json(line, &HEADER).context("the first line is not the header of a match")?;
    ensure!(
        (OLDEST_FORMAT..=FORMAT).contains(&header.parlor),
        "written in format {}; this version reads {OLDEST_FORMAT} to {FORMAT}",
        header.parlor
    );
    verify(line, header.parlor >= FIRST_CHECKED)?;
    bounds::check_header(&header)?;
    Ok(header)
}

/// Reads a line after the header.
///
/// # Errors
/// A damaged line, or one that is neither a game nor options of the run nor a key.
pub(super) fn read(line: &[u8], checked: bool) -> Result<Line> {
    verify(line, checked)?;
    match game(line) {
        Ok(record) if record.game > 0 => Ok(Line::Game(Box::new(record))),
        Ok(_) => bail!("a game has the number 0"),
        Err(error) => other(line).ok_or(error),
    }
}

/// Reads the line of a game.
///
/// # Errors
/// When it is none.
pub(super) fn game(line: &[u8]) -> Result<Record> {
    reading::json(line, &GAME).context("not a record")
}

/// A line of game 0.
fn other(line: &[u8]) -> Option<Line> {
    if let Ok(RunLine { game: 0, run }) = reading::json(line, &HEADER) {
        return Some(Line::Run(run));
    }
    match reading::json(line, &HEADER) {
        Ok(KeyLine { game: 0, key }) => MatchKey::from_hex(&key).map(Line::Key),
        _ => None,
    }
}

/// Whether a line is a header; whether it has a checksum.
///
/// # Errors
/// What is wrong with it.
pub(in crate::runner) fn check_header(line: &[u8]) -> Result<bool> {
    let parsed = header(line)?;
    let again = header(write(&parsed)?.as_bytes())?;
    ensure!(again == parsed, RoundTripError(format!("{parsed:?} is read again as {again:?}")));
    Ok(is_checked(line))
}

/// Whether a line may follow the header.
///
/// # Errors
/// What is wrong with it.
pub(in crate::runner) fn check_line(line: &[u8], checked: bool) -> Result<()> {
    read(line, checked).map(drop)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_ends_with_the_checksum_of_what_precedes_it() {
        let line = write(&serde_json::json!({"game": 5})).unwrap();
        // zlib.crc32(b'{"game":5') in Python.
        assert_eq!(line, "{\"game\":5,\"check\":\"879cbe00\"}\n");
        assert!(is_checked(line.as_bytes()));
        verify(line.as_bytes(), true).unwrap();
    }

    /// Calls `check` with the line once for each of its bits, that bit turned over.
    fn each_flipped_bit(line: &str, check: impl Fn(&[u8])) {
        for bit in 0..line.len() * 8 {
            let mut bytes = line.as_bytes().to_vec();
            bytes[bit / 8] ^= 1 << (bit % 8);
            check(&bytes);
        }
    }

    #[test]
    fn no_flipped_bit_of_a_line_goes_unnoticed() {
        let game = write(&serde_json::json!({"game": 5})).unwrap();
        each_flipped_bit(&game, |bytes| {
            assert!(verify(bytes, true).is_err(), "{}", bytes.escape_ascii());
        });
        let start = r#"{"parlor":2,"game":0,"seats":2,"engines":["a","b"],"identities":["a","b"],"#;
        let end = r#""variant":"x","rules":"","openings":null,"bundles":[1],"config":{},"run":{}}"#;
        let value: serde_json::Value = serde_json::from_str(&format!("{start}{end}")).unwrap();
        let line = write(&value).unwrap();
        header(line.as_bytes()).unwrap();
        each_flipped_bit(&line, |bytes| {
            assert!(header(bytes).is_err(), "{}", bytes.escape_ascii());
        });
    }

    #[test]
    fn lines_of_old_versions_have_no_checksum() {
        let line = b"{\"game\":5}\n";
        assert!(!is_checked(line));
        assert!(verify(line, false).is_ok() && verify(line, true).is_err());
    }
}
