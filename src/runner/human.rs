//! `parlor play`: people at the terminal, against engines or each other.
//!
//! - `course`: the game so far and its referee; `loaded`: where it begins; `adviser`: the engine
//!   that sees what the person may see; `game`: these, with an engine for every other seat;
//! - `turns`: who does what when;
//! - `commands`: what may be typed; `entry`: what a line stands for; `spelling`: moves as people
//!   write them; `choices`, `lists`: what can be chosen; `help`: what is explained;
//! - `display`: boards, seats by their names, what the others do; `scores`: who is better;
//! - `editor`: lines with history; `completion`: what may follow their beginning;
//! - `saving`: games as records; `review`: what was played badly;
//! - `learn`: `parlor learn`, the course of a game; `puzzle`: `parlor puzzle`; `pupil`: a person at
//!   their positions; `progress`: what was learned and solved.

mod adviser;
mod choices;
mod commands;
mod completion;
mod course;
mod display;
mod editor;
mod entry;
mod game;
mod help;
mod learn;
mod lists;
mod loaded;
mod progress;
mod pupil;
mod puzzle;
mod review;
mod saving;
mod scores;
mod spelling;
mod turns;

use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;

use anyhow::{Context, Result, bail, ensure};
use clap::{Args, ValueEnum, value_parser};

use super::process::{LONGEST_WAIT, Launcher, RefereeAbilities, Specification, interrupt};
use game::{HumanGame, Program};
use loaded::Loaded;

pub(in crate::runner) use learn::{EXAMPLES as LEARN_EXAMPLES, LearnOptions, run as learn};
pub(in crate::runner) use puzzle::{EXAMPLES as PUZZLE_EXAMPLES, PuzzleOptions, run as puzzle};

/// How long `isready` and queries may take.
const PATIENCE: Duration = Duration::from_secs(10);

/// Play against an engine at the terminal.
#[derive(Clone, Debug, Default, Args)]
pub(in crate::runner) struct HumanOptions {
    /// The engine: NAME of a built-in one, or as for `parlor match` [default: the game of --load, if
    /// it is one of this program]
    #[arg(value_name = "ENGINE")]
    engine: Option<String>,
    /// The seats of people, by name or number: White; p2; p1,p3; all
    #[arg(long, default_value = "p1", value_name = "SEATS")]
    seat: String,
    /// How strong the engine plays, 1 to 10 [default: 3; 10 with --movetime or with settings of the
    /// engine that say how it plays]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u8).range(1..=10))]
    level: Option<u8>,
    /// Milliseconds per move of an engine without limits of its own, and per hint [default: 1000]
    #[arg(long, value_name = "MS", value_parser = value_parser!(u64).range(..=LONGEST_WAIT * 1000))]
    movetime: Option<u64>,
    /// A rule option, such as Players=4
    #[arg(long = "rule", value_name = "NAME=VALUE")]
    rules: Vec<String>,
    /// The first position: startpos moves ..., fen ...
    #[arg(long, value_name = "POSITION", default_value = "startpos", conflicts_with = "load")]
    position: String,
    /// Go on with a saved game, or with one of the records of a match
    #[arg(long, value_name = "FILE")]
    load: Option<PathBuf>,
    /// The number of the game in the file of --load
    #[arg(long, value_name = "N", default_value_t = 1, requires = "load")]
    game: u64,
    /// In games with secrets too, take back what revealed something
    #[arg(long)]
    practice: bool,
    /// The seed of the dice; 0: a new one each time
    #[arg(long, default_value_t = 0, value_name = "N")]
    seed: u64,
    /// Scores in centipawns too
    #[arg(long)]
    cp: bool,
    /// Colours; auto: at a terminal, unless NO_COLOR is set
    #[arg(long, value_enum, default_value_t = Colors::Auto, value_name = "WHEN")]
    color: Colors,
    /// Draw with ASCII alone [default: where the locale is not UTF-8]
    #[arg(long)]
    ascii: bool,
}

/// When colours are used.
#[derive(Clone, Copy, Debug, Default, ValueEnum)]
enum Colors {
    /// At a terminal, unless `NO_COLOR` is set.
    #[default]
    Auto,
    /// Always.
    Always,
    /// Never.
    Never,
}

impl Colors {
    fn choose(self) {
        match self {
            Colors::Auto => anstream::ColorChoice::Auto,
            Colors::Always => anstream::ColorChoice::AlwaysAnsi,
            Colors::Never => anstream::ColorChoice::Never,
        }
        .write_global();
    }
}

/// Whether the locale says that the terminal shows UTF-8.
fn locale_is_utf8() -> bool {
    let set = |name: &&str| std::env::var(name).is_ok_and(|value| !value.is_empty());
    let name = ["LC_ALL", "LC_CTYPE", "LANG"].into_iter().find(set);
    let value = name.and_then(|name| std::env::var(name).ok()).unwrap_or_default();
    let value = value.to_ascii_lowercase();
    value.contains("utf-8") || value.contains("utf8")
}

/// Plays one game at the terminal.
///
/// # Errors
/// When the engine does not start or fails.
pub(in crate::runner) fn run(options: &HumanOptions, built_in: &[&str]) -> Result<ExitCode> {
    interrupt::exit_when_output_closes()?;
    options.color.choose();
    let named = options.engine.as_deref().map(|text| Specification::parse(text, None, built_in));
    let named = named.transpose()?;
    let loaded = match (&options.load, named) {
        (Some(path), named) => {
            Loaded::read(path, options.game, named, built_in).context("--load")?
        }
        (None, Some(named)) => Loaded::position(&options.position, named),
        (None, None) => {
            bail!("which game? Write one of {} after play, or another engine", built_in.join(", "))
        }
    };
    let engine = loaded.engine.clone();
    let name = options.engine.clone().unwrap_or_else(|| engine.name.clone());
    let rules: Vec<String> = loaded.rules.iter().chain(&options.rules).cloned().collect();
    let (program, abilities) = examine(engine, name, rules, built_in)?;
    let mut game = HumanGame::start(program, abilities, options, loaded)?;
    let result = game.play();
    game.quit();
    result.map(|()| ExitCode::SUCCESS)
}

/// The program of an engine, and what it can be asked.
fn examine(
    engine: Specification,
    name: String,
    rules: Vec<String>,
    built_in: &[&str],
) -> Result<(Program, RefereeAbilities)> {
    let launcher = Launcher::new(&rules, PATIENCE)?;
    let title = format!("engine {}", engine.name);
    let abilities = launcher.examine(&engine, &title, RefereeAbilities::probe)?;
    ensure!(
        abilities.turn && abilities.views,
        "{name} does not answer 'query turn' and 'query view'; it can only play matches"
    );
    let has_rules_page = built_in.contains(&engine.name.as_str());
    Ok((Program { launcher, engine, text: name, rules, has_rules_page }, abilities))
}

/// The indices of seats written as `p2`, `White`, `p1,p3` or `all`; `names` are those of all seats.
fn seat_indices(text: &str, names: &[String]) -> Result<Vec<usize>> {
    if text.eq_ignore_ascii_case("all") {
        return Ok((0..names.len()).collect());
    }
    let mut seats = Vec::new();
    for word in text.split(',').map(str::trim) {
        let number = word.strip_prefix('p').and_then(|digits| digits.parse::<usize>().ok());
        let numbered = number.filter(|number| (1..=names.len()).contains(number));
        let named = names.iter().position(|name| name.eq_ignore_ascii_case(word));
        match numbered.map(|number| number - 1).or(named) {
            Some(seat) if !seats.contains(&seat) => seats.push(seat),
            Some(_) => {}
            None => {
                let known = names.iter().any(|name| !is_number(name));
                let by_name =
                    if known { format!(" or {}", names.join(", ")) } else { String::new() };
                bail!("--seat {word}: write p1 to p{}{by_name}", names.len())
            }
        }
    }
    seats.sort_unstable();
    Ok(seats)
}

/// Whether a seat is only called `p1`, `p2`, ...
fn is_number(name: &str) -> bool {
    name.strip_prefix('p').is_some_and(|digits| digits.parse::<usize>().is_ok())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn seats_are_named_by_number_or_name() {
        let names = ["White", "Black", "Blue"].map(str::to_owned);
        assert_eq!(seat_indices("p2", &names).unwrap(), [1]);
        assert_eq!(seat_indices("black, white", &names).unwrap(), [0, 1]);
        assert_eq!(seat_indices("all", &names).unwrap(), [0, 1, 2]);
        assert_eq!(seat_indices("p1,White,p1", &names).unwrap(), [0]);
        let error = seat_indices("p4", &names).unwrap_err().to_string();
        assert_eq!(error, "--seat p4: write p1 to p3 or White, Black, Blue");
    }
}
