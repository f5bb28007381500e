//! What the runner reads from files and command lines, as plain functions of text: for the fuzz
//! targets, which have no files.

use anyhow::{Context, Result, ensure};

use super::process::Specification;
pub use super::tournament::RoundTripError;
use super::{suite, tournament};

/// An engine as the command line describes it.
///
/// # Errors
/// What is wrong with it.
pub fn engine(text: &str) -> Result<()> {
    Specification::parse(text, None, &["barca"]).map(drop)
}

/// The file of `--config`; what is read must be written and read again as the same.
///
/// # Errors
/// What is wrong with it.
pub fn config(text: &str) -> Result<()> {
    tournament::check_config(text)
}

/// A file of openings; a line that is read must be read again from what it means.
///
/// # Errors
/// What is wrong with it.
pub fn openings(text: &str) -> Result<()> {
    tournament::check_openings(text)
}

/// A suite of positions.
///
/// # Errors
/// What is wrong with it.
pub fn suite(text: &str) -> Result<()> {
    suite::check(text)
}

/// Games as PGN.
///
/// # Errors
/// What is wrong with them.
pub fn pgn(text: &str) -> Result<()> {
    tournament::check_pgn(text)
}

/// Records, of which the first line is the header.
///
/// # Errors
/// The first bad line.
pub fn records(bytes: &[u8]) -> Result<()> {
    let mut lines = bytes.split_inclusive(|byte| *byte == b'\n');
    let header = lines.next().context("no header")?;
    let checked = tournament::record::check_header(header)?;
    for (number, line) in lines.enumerate() {
        ensure!(line.ends_with(b"\n"), "line {} is not finished", number + 2);
        tournament::record::check_line(line, checked)?;
    }
    Ok(())
}
