//! `parlor export` and `parlor import`: games as PGN, with tags and move text that PGN tools read.
//!
//! The game is named by the tag `Variant`. The first two seats are `White` and `Black`, further ones
//! `Seat3` and so on. Tokens that are no PGN symbols are written as `T_` and the token, in which every
//! byte other than a letter or a digit is `_` and two hexadecimal digits.

mod read;
mod write;

use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Context, Result, ensure};
use clap::Args;

use super::record::{FORMAT, Header, Record, RecordFile, WholeFile};
use crate::printing;
use crate::reading;
use crate::runner::lock::Replacement;

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
    let read::Games { games, unfinished } = read::games(&text).with_context(context)?;
    let first = games.first().with_context(|| format!("{}: no game in it", context()))?;
    let seats = first.record.seating.len();
    let mut engines: Vec<String> = Vec::new();
    for game in &games {
        let Record { game: number, seating, .. } = &game.record;
        ensure!(seating.len() == seats, "{}: game {number} has other seats", context());
        ensure!(game.variant == first.variant, "{}: games of several variants", context());
        for name in seating {
            if !engines.contains(name) {
                engines.push(name.clone());
            }
        }
    }
    let header = Header {
        parlor: FORMAT,
        seats,
        identities: engines.clone(),
        engines,
        variant: first.variant.clone(),
        rules: first.rules.clone(),
        bundles: vec![1],
        config: serde_json::json!({ "imported": first.variant }),
        run: serde_json::json!({}),
        ..Header::default()
    };
    let mut file = WholeFile::create(&options.output, &header)?;
    for game in &games {
        file.game(&game.record)?;
    }
    file.commit()?;
    printing::print(&format!("{} games", games.len()));
    if unfinished > 0 {
        printing::print(&format!("{unfinished} without a result (*) left out"));
    }
    Ok(ExitCode::SUCCESS)
}

/// Reads games as PGN.
///
/// # Errors
/// What is wrong with them.
pub(in crate::runner) fn check(text: &str) -> Result<()> {
    read::games(text).map(drop)
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
    String::from_utf8(bytes).ok().filter(|token| !token.is_empty())
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
        assert_eq!((token("T_"), token("T__2"), token("T__zz")), (None, None, None));
    }
}
