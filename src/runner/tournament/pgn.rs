//! `parlor export` and `parlor import`: games as PGN, with tags and move text that PGN tools read.
//!
//! The game is named by the tag `Variant`. The first two seats are `White` and `Black`, further ones
//! `Seat3` and so on. Tokens that are no PGN symbols are written as `T_` and the token, in which every
//! byte other than a letter or a digit is `_` and two hexadecimal digits.

mod read;
mod write;

use std::collections::BTreeSet;
use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Context, Result, ensure};
use clap::Args;

use super::record::{self, FORMAT, Header, RecordFile, WholeFile};
use crate::printing;
use crate::reading;
use crate::runner::lock::Replacement;

use read::ReadGame;
pub(super) use read::{is_pgn, openings};
pub(super) use write::game;

/// Write recorded games as PGN.
#[derive(Clone, Debug, Args)]
pub(in crate::runner) struct ExportOptions {
    /// The records
    #[arg(value_name = "FILE")]
    records: PathBuf,
    /// The file of PGN [default: standard output]
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Only this game
    #[arg(long, value_name = "N")]
    game: Option<u64>,
}

/// Make records from games in PGN.
#[derive(Clone, Debug, Args)]
pub(in crate::runner) struct ImportOptions {
    /// The file of PGN
    #[arg(value_name = "FILE")]
    games: PathBuf,
    /// The file of records; packed if it ends in .zst
    #[arg(short, long, value_name = "FILE")]
    output: PathBuf,
}

/// Writes PGN.
///
/// # Errors
/// When a file cannot be read or written.
pub(in crate::runner) fn export(options: &ExportOptions) -> Result<ExitCode> {
    let mut records = RecordFile::open(&options.records)?;
    let mut file = match &options.output {
        None => None,
        Some(path) => {
            let context = || format!("--output {}", path.display());
            Some(Replacement::create(path).with_context(context)?)
        }
    };
    let mut count = 0;
    while let Some(record) = records.next()? {
        if options.game.is_some_and(|game| game != record.game) {
            continue;
        }
        count += 1;
        let text = write::game(records.header(), &record);
        match &mut file {
            Some(file) => file.write_all(text.as_bytes()).context("--output")?,
            None if !printing::print_text(&text) => break,
            None => {}
        }
    }
    ensure!(count > 0, "{}: no such game", options.records.display());
    if let Some(file) = file {
        file.commit().context("--output")?;
    }
    Ok(ExitCode::SUCCESS)
}

/// Reads PGN.
///
/// # Errors
/// When a file cannot be read or written, or holds something else than games of equal seats.
pub(in crate::runner) fn import(options: &ImportOptions) -> Result<ExitCode> {
    let context = || format!("games {}", options.games.display());
    let text = reading::text(&options.games).with_context(context)?;
    // A game takes many times the memory of its text: it is read twice, and no list is made.
    let header = header(&text).with_context(context)?;
    let mut file = WholeFile::create(&options.output, &header)?;
    let (mut count, mut unfinished) = (0, 0);
    read::games(&text, |game| {
        match game {
            Some(game) => {
                count += 1;
                file.game(&game.record)?;
            }
            None => unfinished += 1,
        }
        Ok(())
    })
    .with_context(context)?;
    file.commit()?;
    printing::print(&format!("{count} games"));
    if unfinished > 0 {
        printing::print(&format!("{unfinished} without a result (*) left out"));
    }
    Ok(ExitCode::SUCCESS)
}

/// The header of the games of a text, all of which a record file may hold under it.
fn header(text: &str) -> Result<Header> {
    let mut found: Option<Header> = None;
    let mut engines: BTreeSet<String> = BTreeSet::new();
    read::games(text, |game| {
        let Some(ReadGame { variant, rules, record }) = game else { return Ok(()) };
        let (number, seats) = (record.game, record.seating.len());
        let header = found.get_or_insert_with(|| Header {
            parlor: FORMAT,
            seats,
            config: serde_json::json!({ "imported": variant }),
            variant: variant.clone(),
            rules,
            bundles: vec![1],
            run: serde_json::json!({}),
            ..Header::default()
        });
        ensure!(seats == header.seats, "game {number} has other seats");
        ensure!(variant == header.variant, "games of several variants");
        record::ensure_readable(&record, seats).with_context(|| format!("game {number}"))?;
        for name in record.seating {
            if engines.insert(name.clone()) {
                header.engines.push(name);
            }
        }
        Ok(())
    })?;
    let mut header = found.context("no game in it")?;
    header.identities = header.engines.clone();
    record::ensure_readable_header(&header)?;
    Ok(header)
}

/// Reads games as PGN.
///
/// # Errors
/// What is wrong with them.
pub(in crate::runner) fn check(text: &str) -> Result<()> {
    read::games(text, |_| Ok(()))
}

/// A token as a PGN symbol.
fn symbol(token: &str) -> String {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"+#=:-".contains(&byte);
    if token.starts_with(|c: char| c.is_ascii_alphabetic()) && token.bytes().all(plain) {
        return token.to_owned();
    }
    let mut symbol = String::from("T_");
    for byte in token.bytes() {
        match byte {
            b'0'..=b'9' | b'a'..=b'z' | b'A'..=b'Z' => symbol.push(char::from(byte)),
            _ => symbol.push_str(&format!("_{byte:02x}")),
        }
    }
    symbol
}

/// The token of a PGN symbol; `None` if it is none.
fn token(symbol: &str) -> Option<String> {
    let Some(text) = symbol.strip_prefix("T_") else { return Some(symbol.to_owned()) };
    let mut bytes = Vec::new();
    let mut rest = text.as_bytes();
    while let Some((&byte, after)) = rest.split_first() {
        if byte != b'_' {
            bytes.push(byte);
            rest = after;
            continue;
        }
        let (digits, after) = after.split_at_checked(2)?;
        bytes.push(u8::from_str_radix(std::str::from_utf8(digits).ok()?, 16).ok()?);
        rest = after;
    }
    let is_word = |token: &String| {
        !token.is_empty() && !token.contains(|c: char| c.is_control() || c.is_whitespace())
    };
    String::from_utf8(bytes).ok().filter(is_word)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_token_has_a_symbol_and_comes_back() {
        assert_eq!(symbol("e2e4"), "e2e4");
        assert_eq!(symbol("a3-b4(b4)"), "T_a3_2db4_28b4_29");
        for text in
            ["e2e4", "12", "a3-b4(b4)", "EGG.G", "..EG", "c1e2,e2d5", "T_x", "0000", "~a%20"]
        {
            let written = symbol(text);
            assert!(written.starts_with(|c: char| c.is_ascii_alphabetic()), "{written}");
            assert!(
                written
                    .bytes()
                    .all(|byte| byte.is_ascii_alphanumeric() || b"_+#=:-".contains(&byte))
            );
            assert_eq!(token(&written).as_deref(), Some(text));
        }
        for none in ["T_", "T__2", "T__zz", "T_a_0aquit", "T__1b", "T_a_20b"] {
            assert_eq!(token(none), None, "{none}");
        }
    }
}
