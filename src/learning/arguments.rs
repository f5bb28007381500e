//! Command-line arguments that the subcommands of training share.

use std::path::PathBuf;

use anyhow::Context;
use clap::{Arg, ArgMatches, value_parser};

use super::recorded_games::{RecordFormat, RecordedGame, read_games};
use crate::files;

/// An option that takes a whole number.
#[must_use]
pub fn number(name: &'static str, default: &'static str, help: &'static str) -> Arg {
    Arg::new(name)
        .long(name)
        .value_name("N")
        .default_value(default)
        .value_parser(value_parser!(u64))
        .help(help)
}

/// The option of subcommands that play games for training: what the engine judges positions by.
pub(crate) fn evaluation(program: &str) -> Arg {
    Arg::new("evaluation").long("evaluation").value_name("WHICH").default_value("network").help(
        format!("Evaluation to play with: network, terms, or a file written by `{program} train`"),
    )
}

/// The option of subcommands that write a weight file.
pub(crate) fn weight_file() -> Arg {
    Arg::new("out")
        .long("out")
        .value_name("FILE")
        .required(true)
        .value_parser(value_parser!(PathBuf))
        .help("Weight file to write")
}

/// Writes the file that [`weight_file`] names with the bytes that the training returns. Whether it
/// can be written is found out before.
pub(crate) fn write_weights(
    matches: &ArgMatches,
    train: impl FnOnce() -> anyhow::Result<Vec<u8>>,
) -> anyhow::Result<()> {
    let path = matches.get_one::<PathBuf>("out").context("--out is needed")?;
    let unwritten = || format!("cannot write {}", path.display());
    files::ensure_writable(path).with_context(unwritten)?;
    files::write(path, train()?).with_context(unwritten)
}

/// The argument of subcommands that read what `PROGRAM record` writes.
#[must_use]
pub fn games_file(program: &str) -> Arg {
    Arg::new("games")
        .value_name("FILE")
        .required(true)
        .num_args(1..)
        .value_parser(value_parser!(PathBuf))
        .help(format!(
            "games, one per line, as `{program} record` prints them; may be packed with zstd. Or the \
             directory of `{program} record --out`"
        ))
}

/// The games of the files that [`games_file`] names, in this order.
pub(crate) fn games_of<F: RecordFormat>(
    matches: &ArgMatches,
) -> anyhow::Result<Vec<RecordedGame<F>>> {
    let paths = matches.get_many::<PathBuf>("games").context("a file of games is needed")?;
    let mut games = Vec::new();
    for path in paths {
        games.extend(read_games(path)?);
    }
    Ok(games)
}
