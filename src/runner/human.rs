//! `parlor play`: a human player at the terminal against engines.

mod commands;
mod game;

use std::process::ExitCode;
use std::time::Duration;

use anyhow::{Result, bail, ensure};
use clap::Args;

use super::process::{Launcher, RefereeAbilities, Specification, interrupt};
use game::HumanGame;

/// How long `isready` and queries may take.
const PATIENCE: Duration = Duration::from_secs(10);

/// Play against an engine at the terminal.
#[derive(Clone, Debug, Args)]
pub(in crate::runner) struct HumanOptions {
    /// The engine: NAME of a built-in one, or as for `parlor match`
    #[arg(value_name = "ENGINE")]
    engine: String,
    /// Your seat
    #[arg(long, default_value = "p1", value_name = "SEAT")]
    seat: String,
    /// Milliseconds per move of the engine
    #[arg(long, default_value_t = 1000, value_name = "MS")]
    movetime: u64,
    /// A rule option, such as Players=4
    #[arg(long = "rule", value_name = "NAME=VALUE")]
    rules: Vec<String>,
    /// The first position: startpos moves ..., fen ...
    #[arg(long, value_name = "POSITION", default_value = "startpos")]
    position: String,
    /// In games with secrets too, take back what revealed something
    #[arg(long)]
    practice: bool,
    /// The seed of the dice; 0: a new one each time
    #[arg(long, default_value_t = 0, value_name = "N")]
    seed: u64,
}

/// Plays one game at the terminal.
///
/// # Errors
/// When the engine does not start or fails.
pub(in crate::runner) fn run(options: &HumanOptions, built_in: &[&str]) -> Result<ExitCode> {
    interrupt::exit_when_output_closes()?;
    let engine = Specification::parse(&options.engine, None, built_in)?;
    let launcher = Launcher::new(&options.rules, PATIENCE)?;
    let title = format!("engine {}", engine.name);
    let abilities = launcher.examine(&engine, &title, RefereeAbilities::probe)?;
    ensure!(
        abilities.turn && abilities.views,
        "{} does not answer 'query turn' and 'query view'; it can only play matches",
        options.engine
    );
    let player = seat_index(&options.seat, abilities.seats)?;
    let mut game = HumanGame::start(&launcher, &engine, options, abilities.seats, player)?;
    let result = game.play();
    game.quit();
    result.map(|()| ExitCode::SUCCESS)
}

/// The index of a seat named `p1` to `p9`.
fn seat_index(text: &str, seats: usize) -> Result<usize> {
    let number = text.strip_prefix('p').and_then(|digits| digits.parse::<usize>().ok());
    match number {
        Some(number) if (1..=seats).contains(&number) => Ok(number - 1),
        _ => bail!("--seat {text}: write p1 to p{seats}"),
    }
}
