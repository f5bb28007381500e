//! Files of recorded games, text, packed by zstd or not, and the arguments of the words that write
//! and read them.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::Context;
use clap::{Arg, ArgMatches, value_parser};

/// What a zstd file begins with.
const MAGIC: [u8; 4] = [0x28, 0xB5, 0x2F, 0xFD];

/// An option that takes a number.
pub(super) fn number(name: &'static str, default: &'static str, help: &'static str) -> Arg {
    Arg::new(name)
        .long(name)
        .value_name("N")
        .default_value(default)
        .value_parser(value_parser!(u64))
        .help(help)
}

/// The argument of the words that read what `PROGRAM record` writes.
pub(super) fn file_of_games(program: &str) -> Arg {
    Arg::new("games").value_name("FILE").required(true).value_parser(value_parser!(PathBuf)).help(
        format!(
            "games, one a line, as `{program} record` prints them, or such a file packed by zstd"
        ),
    )
}

/// The file that [`file_of_games`] names, as `parse` understands it.
pub(super) fn parse_file<T>(
    matches: &ArgMatches,
    parse: impl FnOnce(&str) -> anyhow::Result<T>,
) -> anyhow::Result<T> {
    let path = matches.get_one::<PathBuf>("games").context("a file of games is needed")?;
    parse(&read(path)?).with_context(|| path.display().to_string())
}

/// The text of a file.
fn read(path: &Path) -> anyhow::Result<String> {
    let bytes =
        fs::read(path).with_context(|| format!("cannot read the games of {}", path.display()))?;
    unpacked(bytes).with_context(|| path.display().to_string())
}

/// The text in the bytes of a file.
pub(super) fn unpacked(bytes: Vec<u8>) -> anyhow::Result<String> {
    let bytes = if bytes.starts_with(&MAGIC) { zstd::decode_all(&bytes[..])? } else { bytes };
    Ok(String::from_utf8(bytes)?)
}
