//! `parlor svg`: draws a position of a recorded game.

use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Result, anyhow, bail, ensure};
use clap::Args;

use super::{record, recorded_referee};
use crate::picture::{DrawingArguments, draw_answers};
use crate::printing;

/// Draw a position of a recorded game as SVG.
#[derive(Clone, Debug, Args)]
pub(in crate::runner) struct DrawOptions {
    /// The records
    #[arg(value_name = "FILE")]
    records: PathBuf,
    /// The number of the game
    #[arg(long, value_name = "N")]
    game: u64,
    /// The number of tokens played before the position [default: all]
    #[arg(long, value_name = "TOKENS")]
    ply: Option<usize>,
    /// The position as this seat sees it, p1 to p6
    #[arg(long, value_name = "SEAT")]
    view: Option<String>,
    /// The engine that describes the board [default: the match's referee, if it is a game of this program]
    #[arg(long, value_name = "ENGINE")]
    referee: Option<String>,
    #[command(flatten)]
    drawing: DrawingArguments,
}

/// Draws a position with what an engine process answers.
///
/// # Errors
/// When the game or the position is not in the records, or the engine tells no picture.
pub(in crate::runner) fn run(options: &DrawOptions, built_in: &[&str]) -> Result<ExitCode> {
    let file = options.records.display();
    let (header, record) = record::find(&options.records, options.game)?;
    let plies = record.moves.len();
    let ply = options.ply.unwrap_or(plies);
    ensure!(ply <= plies, "{file}: game {} has {plies} tokens, not {ply}", options.game);
    let mut referee = recorded_referee::start(&header, options.referee.as_deref(), built_in)?;
    let mut load = format!("position {}\n", record.position(ply));
    if let Some(seat) = &options.view {
        referee.send_synced(&load)?;
        match referee.query(&format!("view {seat}"))? {
            Ok(view) => load = format!("position {view}\n"),
            Err(error) => bail!("--view {seat}: {error}"),
        }
    }
    if let Some(error) = referee.send_synced(&load)?.first() {
        bail!("the referee refuses the position: {error}");
    }
    let drawn = draw_answers(
        |query| match referee.query(query) {
            Ok(answer) => answer,
            Err(fault) => Err(fault.to_string()),
        },
        options.drawing.arrow.as_deref(),
        &options.drawing.options(),
    );
    referee.quit();
    let svg = drawn.map_err(|error| anyhow!("the engine tells no picture: {error}"))?;
    printing::print_text(&svg);
    Ok(ExitCode::SUCCESS)
}
