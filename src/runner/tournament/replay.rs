//! `parlor replay`: prints a recorded game.

use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Result, bail};
use clap::Args;

use super::game_text;
use super::record::{self, Record};
use super::recorded_referee;
use crate::printing::print_text;
use crate::runner::process::Client;

/// Show a recorded game.
#[derive(Clone, Debug, Args)]
pub(in crate::runner) struct ReplayOptions {
    /// The records
    #[arg(value_name = "FILE")]
    records: PathBuf,
    /// The number of the game
    #[arg(value_name = "GAME")]
    game: u64,
    /// Draw every position with the match's referee
    #[arg(long)]
    show: bool,
    /// Print only the position line after this number of tokens
    #[arg(long, value_name = "TOKENS", conflicts_with = "show")]
    position: Option<usize>,
    /// The engine that draws [default: the match's referee, if it is a game of this program]
    #[arg(long, value_name = "ENGINE")]
    referee: Option<String>,
}

/// Prints a game.
///
/// # Errors
/// When the game is not in the records or the referee fails.
pub(in crate::runner) fn run(options: &ReplayOptions, built_in: &[&str]) -> Result<ExitCode> {
    let (header, record) = record::find(&options.records, options.game)?;
    let text = if let Some(count) = options.position {
        format!("position {}\n", record.position(count))
    } else if options.show {
        let referee = recorded_referee::start(&header, options.referee.as_deref(), built_in)?;
        drawn(referee, &record)?
    } else {
        game_text::text(&record)
    };
    print_text(&text);
    Ok(ExitCode::SUCCESS)
}

fn drawn(mut referee: Client, record: &Record) -> Result<String> {
    let mut text = String::new();
    for count in 0..=record.moves.len() {
        let position = format!("position {}\n", record.position(count));
        if let Some(error) = referee.send_synced(&position)?.first() {
            bail!("the referee refuses token {count}: {error}");
        }
        if let Some(m) = count.checked_sub(1).and_then(|index| record.moves.get(index)) {
            text += &format!("{}\n", game_text::move_line(m, count));
        }
        for line in referee.lines("d")? {
            text += &format!("{line}\n");
        }
        text.push('\n');
    }
    referee.quit();
    text += &format!("{}\n", game_text::ending_line(record));
    Ok(text)
}
