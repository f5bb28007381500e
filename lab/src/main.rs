//! `parlor-lab`: makes the data that the engines play with.
//!
//! - one module a game, with a `Command` for each of the game's commands;
//! - `levels`: how strong the levels of every game are;
//! - `puzzles`: positions with one right answer, and their proofs;
//! - `tune_search`: tuning the numbers of the search, on Barca;
//! - `chevrons`: the networks of Pacru, Shacru and Azacru;
//! - `recording`: recorded games; `training`: what trainings share;
//! - `arguments`: arguments that commands share; `printing`: printing that nothing ends.
//!
//! Nothing of the package `parlor` knows this one.

mod arguments;
mod barbarossa;
mod barca;
mod chevrons;
mod chowka_bhara;
mod filling;
mod levels;
mod pacru;
mod porrika;
mod printing;
mod puzzles;
mod recording;
mod training;
mod tune_search;

use std::process::ExitCode;

use clap::{ArgMatches, CommandFactory, FromArgMatches, Parser, Subcommand};
use parlor::output_guard;
use parlor::printing::{answer_usage, take_failure};
use printing::note_line;

/// The exit code of work that failed.
const FAILED: u8 = 1;

/// Make the data that the engines of Parlor play with.
#[derive(Parser, Debug)]
#[command(version, disable_help_subcommand = true)]
struct Cli {
    #[command(subcommand)]
    subject: Subject,
}

/// What the work is for.
#[derive(Subcommand, Debug)]
enum Subject {
    /// Barbarossa
    #[command(subcommand)]
    Barbarossa(barbarossa::Command),
    /// Barca
    #[command(subcommand)]
    Barca(barca::Command),
    /// The networks of Pacru, Shacru and Azacru
    #[command(subcommand)]
    Chevrons(chevrons::Command),
    /// Chowka bhara
    #[command(subcommand)]
    ChowkaBhara(chowka_bhara::Command),
    /// Shacru and Azacru
    #[command(subcommand)]
    Filling(filling::Command),
    #[command(subcommand)]
    Levels(levels::Command),
    /// Pacru
    #[command(subcommand)]
    Pacru(pacru::Command),
    /// Por'rika
    #[command(subcommand)]
    Porrika(porrika::Command),
    #[command(subcommand)]
    Puzzles(puzzles::Command),
    TuneSearch(tune_search::Arguments),
}

impl Subject {
    fn run(self) -> anyhow::Result<()> {
        match self {
            Subject::Barbarossa(command) => command.run(),
            Subject::Barca(command) => command.run(),
            Subject::Chevrons(command) => command.run(),
            Subject::ChowkaBhara(command) => command.run(),
            Subject::Filling(command) => command.run(),
            Subject::Levels(command) => command.run(),
            Subject::Pacru(command) => command.run(),
            Subject::Porrika(command) => command.run(),
            Subject::Puzzles(command) => command.run(),
            Subject::TuneSearch(arguments) => arguments.run(),
        }
    }
}

/// Whether the result goes into a file: then it is wanted even if nobody reads what is printed.
fn writes_file(matches: &ArgMatches) -> bool {
    match matches.subcommand() {
        Some((_, inner)) => writes_file(inner),
        None => matches.try_get_raw("out").is_ok_and(|value| value.is_some()),
    }
}

fn run(matches: &ArgMatches) -> anyhow::Result<()> {
    if !writes_file(matches) {
        output_guard::exit_when_closed()?;
    }
    Cli::from_arg_matches(matches)?.subject.run()?;
    take_failure().map_or(Ok(()), |error| Err(error.into()))
}

fn main() -> ExitCode {
    let matches = match Cli::command().try_get_matches() {
        Ok(matches) => matches,
        Err(answer) => return answer_usage("parlor-lab", &answer, FAILED),
    };
    match run(&matches) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            note_line!("parlor-lab: {error:#}");
            ExitCode::from(FAILED)
        }
    }
}
