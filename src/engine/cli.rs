//! The command line of a game's program.

use std::ffi::OsString;
use std::io::{self, IsTerminal};
use std::path::PathBuf;
use std::process::ExitCode;

use clap::{Args, CommandFactory, FromArgMatches, Parser, Subcommand};

use super::demo::Demo;
use super::exit::{EXIT_FAILED, EXIT_REFUSED, EXIT_USAGE, UsageError};
use super::game_engine::GameEngine;
use super::interface::{Engine, SetError};
use super::one_shot::{self, OneShot};
use super::selfplay::{self, SelfPlay};
use super::session::{self, Ending};
use super::{demo, logging};
use crate::free_memory;
use crate::games::{Playable, Subcommand as OwnSubcommand};
use crate::manual::{Manual, PageTexts, offering, with_examples};
use crate::markdown;
use crate::output_guard;
use crate::printing::{self, note_line, print_json, print_styled};

/// Without a subcommand the program runs a session on standard input: type `help` in it.
#[derive(Parser, Debug)]
#[command(version, disable_help_subcommand = true)]
pub(super) struct Cli {
    /// Flags of sessions and subcommands alike.
    #[command(flatten)]
    pub common: Common,
    /// What to do instead of a session.
    #[command(subcommand)]
    pub subcommand: Option<StandardSubcommand>,
}

/// Flags of sessions and subcommands alike.
#[derive(Args, Debug)]
pub(super) struct Common {
    /// Set an option before anything else; repeat for more
    #[arg(long = "set", value_name = "NAME=VALUE", global = true, help_heading = "Common options")]
    pub set: Vec<String>,
    /// Exit with 3 if any line of the session was refused
    #[arg(long, global = true, help_heading = "Common options")]
    pub strict: bool,
    /// Write every line of the protocol, with times, to this file
    #[arg(long, value_name = "FILE", global = true, help_heading = "Common options")]
    pub log_file: Option<PathBuf>,
    /// Subcommands print JSON, one object per line
    #[arg(long, global = true, help_heading = "Common options")]
    pub json: bool,
    /// Accepted for runners that name the game; ignored
    #[arg(long, value_name = "NAME", global = true, help_heading = "Common options", hide = true)]
    pub game: Option<String>,
}

/// What a program can do instead of a session.
#[derive(Subcommand, Debug)]
pub(super) enum StandardSubcommand {
    /// One that works on positions.
    #[command(flatten)]
    OneShot(OneShot),
    /// Let two players play a match in one process
    #[command(after_help = SELFPLAY_EXAMPLES)]
    Selfplay(SelfPlay),
    /// Explain the game: the rules in short, and what to type
    #[command(after_help = "Examples:\n  PROGRAM rules")]
    Rules,
    /// Watch the engine play a game against a weaker copy of itself
    #[command(after_help = "Examples:\n  PROGRAM demo\n  PROGRAM demo --pace 500 --nodes 50000")]
    Demo(Demo),
    /// Completions and man pages.
    #[command(flatten)]
    Manual(Manual),
}

const SELFPLAY_EXAMPLES: &str = "Examples:
  PROGRAM selfplay engine greedy --nodes 1000 --openings 10
  PROGRAM selfplay engine engine --movetime 100 --second-set Hash=0 --threads 2";

/// Exit codes, for the man pages.
const EXIT_CODES: &[(u8, &str)] = &[
    (0, "Everything was done."),
    (EXIT_FAILED, "A position could not be read, or the work failed."),
    (EXIT_USAGE, "The command line is wrong."),
    (EXIT_REFUSED, "With --strict: a line of the session was refused."),
];

fn command<G: Playable>(own: &[OwnSubcommand]) -> clap::Command {
    let examples = "Examples:
  PROGRAM rules
  PROGRAM demo
  printf 'position startpos\\ngo movetime 500\\n' | PROGRAM
  PROGRAM d
  PROGRAM perft OPTIONS 2
  PROGRAM go OPTIONS --nodes 10000 --json
  PROGRAM bench";
    let command = Cli::command()
        .name(G::NAME)
        .bin_name(G::NAME)
        .about(format!("{}: an engine that speaks UGI and UCI on standard input", G::TITLE))
        .after_help(examples)
        .subcommands(own.iter().map(|subcommand| &subcommand.command));
    let command = with_examples(command, "PROGRAM", G::NAME);
    with_examples(command, " OPTIONS", G::EXAMPLE_OPTIONS)
}

/// The command line with the names of options and players that completions offer.
fn for_completions<G: Playable>(own: &[OwnSubcommand], engine: &GameEngine<G>) -> clap::Command {
    // Bash takes a name with a blank for two.
    let names = engine.options().specs().filter(|spec| !spec.name.contains(' '));
    let options: Vec<String> = names.map(|spec| format!("{}=", spec.name)).collect();
    let players: Vec<String> = G::player_names().into_iter().map(String::from).collect();
    command::<G>(own).mut_arg("set", |set| offering(set, &options)).mut_subcommand(
        "selfplay",
        |own| {
            ["first", "second"]
                .into_iter()
                .fold(own, |own, name| own.mut_arg(name, |player| offering(player, &players)))
                .mut_arg("first_set", |set| offering(set, &options))
                .mut_arg("second_set", |set| offering(set, &options))
        },
    )
}

/// Runs the program of a game with these arguments, the program's name first. `own` are the
/// subcommands that only this game has.
pub(super) fn main<G: Playable>(own: &[OwnSubcommand], arguments: Vec<OsString>) -> ExitCode {
    // Where the allocator cannot, memory is only returned later.
    let _ = free_memory::return_when_freed();
    let matches = match command::<G>(own).try_get_matches_from(arguments) {
        Ok(matches) => matches,
        Err(error) => return printing::answer_usage(G::NAME, &error, EXIT_FAILED),
    };
    match run::<G>(own, &matches).and_then(printed) {
        Ok(0) if logging::is_incomplete() => ExitCode::from(EXIT_FAILED),
        Ok(code) => ExitCode::from(code),
        Err(error) if is_closed_pipe(&error) => ExitCode::SUCCESS,
        Err(error) => {
            note_line!("{}: {error:#}", G::NAME);
            let usage = error.downcast_ref::<UsageError>().is_some();
            ExitCode::from(if usage { EXIT_USAGE } else { EXIT_FAILED })
        }
    }
}

/// An exit code, unless something could not be printed.
fn printed(code: u8) -> anyhow::Result<u8> {
    printing::take_failure().map_or(Ok(code), |error| Err(error.into()))
}

fn is_closed_pipe(error: &anyhow::Error) -> bool {
    error
        .chain()
        .filter_map(|cause| cause.downcast_ref::<io::Error>())
        .any(|cause| cause.kind() == io::ErrorKind::BrokenPipe)
}

fn run<G: Playable>(own: &[OwnSubcommand], matches: &clap::ArgMatches) -> anyhow::Result<u8> {
    if let Some((name, arguments)) = matches.subcommand()
        && let Some(own) = own.iter().find(|own| own.command.get_name() == name)
    {
        logging::install(None)?;
        let speaks_json = own.command.get_arguments().any(|known| known.get_id() == "json");
        if !speaks_json && matches!(arguments.try_get_one::<bool>("json"), Ok(Some(true))) {
            return Err(UsageError(format!("--json: {name} prints no JSON")).into());
        }
        if !writes_file(arguments) {
            output_guard::exit_when_closed()?;
        }
        (own.run)(arguments)?;
        return Ok(0);
    }
    let cli = Cli::from_arg_matches(matches)?;
    logging::install(cli.common.log_file.as_deref())?;
    let mut engine = GameEngine::<G>::new();
    for setting in &cli.common.set {
        apply(&mut engine, setting)?;
    }
    // The rules set on the command line hold from the first position on.
    engine.set_position(&Default::default()).map_err(|error| UsageError(error.to_string()))?;
    if cli.subcommand.is_some() {
        output_guard::exit_when_closed()?;
    }
    match &cli.subcommand {
        Some(StandardSubcommand::Selfplay(arguments)) => {
            selfplay::run::<G>(arguments, engine.options(), cli.common.json)
        }
        Some(StandardSubcommand::OneShot(arguments)) => {
            one_shot::run(&mut engine, arguments, cli.common.json)
        }
        Some(StandardSubcommand::Rules) => {
            print_rules::<G>(cli.common.json);
            Ok(0)
        }
        Some(StandardSubcommand::Demo(arguments)) => demo::run(&mut engine, arguments),
        Some(StandardSubcommand::Manual(manual)) => {
            let texts = PageTexts { exit_codes: EXIT_CODES, see_also: &["parlor"] };
            manual.run(|| command::<G>(own), || for_completions(own, &engine), &texts)?;
            Ok(0)
        }
        None => Ok(run_session(engine, cli.common.strict)?),
    }
}

/// Whether the result of a subcommand of the game goes into a file: then it is wanted even if nobody
/// reads what is printed on the way.
fn writes_file(arguments: &clap::ArgMatches) -> bool {
    arguments.try_get_raw("out").is_ok_and(|value| value.is_some())
}

fn apply(engine: &mut impl Engine, setting: &str) -> Result<(), UsageError> {
    let usage = |text: String| UsageError(format!("--set {setting}: {text}"));
    let (name, value) =
        setting.split_once('=').ok_or_else(|| usage("expected NAME=VALUE".into()))?;
    engine.set_option(name.trim(), Some(value)).map_err(|error| match error {
        SetError::Unknown(_) => {
            let names: Vec<_> = engine.options().specs().map(|spec| spec.name.as_str()).collect();
            usage(format!("no such option; there are {}", names.join(", ")))
        }
        SetError::Refused(error) => usage(error.text),
    })
}

fn print_rules<G: Playable>(as_json: bool) {
    if as_json {
        let rules = serde_json::json!({ "game": G::NAME, "rules": G::SHORT_RULES });
        print_json(&rules);
    } else {
        print_styled(markdown::to_terminal(G::SHORT_RULES).trim_end());
    }
}

fn run_session<G: Playable>(engine: GameEngine<G>, strict: bool) -> io::Result<u8> {
    if io::stdin().is_terminal() {
        note_line!("{} waits for commands: help lists them, quit leaves.", G::TITLE);
        note_line!("To play: parlor play {name}. The rules: {name} rules.", name = G::NAME);
    }
    let ending = session::run_on_standard_streams(Box::new(engine))?;
    Ok(if strict && ending == Ending::Refusals { EXIT_REFUSED } else { 0 })
}
