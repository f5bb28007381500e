//! The command line of `parlor`.

use std::ffi::OsString;
use std::process::ExitCode;

use anyhow::Result;
use clap::error::ErrorKind;
use clap::{CommandFactory, FromArgMatches, Parser, Subcommand};

#[cfg(feature = "board")]
use super::board::{self, BoardOptions};
use super::check::{self, CheckOptions};
use super::human::{self, HumanOptions, LearnOptions, PuzzleOptions};
use super::process::sweeper;
use super::suite::{self, SuiteOptions};
use super::tournament::balance::{self, BalanceOptions};
use super::tournament::draw::{self, DrawOptions};
use super::tournament::match_loop;
use super::tournament::merge::{self, MergeOptions};
use super::tournament::openings::book::{self, BookOptions};
use super::tournament::options::MatchOptions;
use super::tournament::pgn::{self, ExportOptions, ImportOptions};
use super::tournament::plot::{self, PlotOptions};
use super::tournament::rate::{self, RateOptions};
use super::tournament::replay::{self, ReplayOptions};
use crate::manual::{Manual, PageTexts, offering, with_examples};
use crate::printing::{self, note_line};

const SUITE_EXAMPLES: &str = "\
A line of a suite:
  fen ... ; set \"Players=3\" ; bm e2e4 ; am e2e3 ; perft 4 1234 ; win 5 ; id \"name\"
bm: play one of these moves; am: play none of these; perft: depth and count;
win: the side to move wins within this number of plies; dm: within this number of moves.
Example: parlor suite examples/suites/barca.epd barca --depth 6 -j 2 --junit results.xml";

/// What `data/make-licences` has gathered.
const LICENCES: &str = include_str!("../../data/licences.txt");

/// Runs a built-in engine by its name, with a command line that begins with the program's name.
pub type RunEngine = fn(&str, Vec<OsString>) -> Option<ExitCode>;

/// Matches, ratings and checks of engine processes that speak UGI or its superset, for any game
#[derive(Debug, Parser)]
#[command(name = "parlor", version, max_term_width = 100)]
struct CommandLine {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Play matches between engine processes
    #[command(after_help = MATCH_EXAMPLES)]
    Match(Box<MatchOptions>),
    /// Show a recorded game
    #[command(after_help = "Example: parlor replay match.jsonl 17 --show")]
    Replay(ReplayOptions),
    /// Draw a position of a recorded game as SVG
    #[command(after_help = "Example: parlor svg match.jsonl --game 3 --ply 12 > position.svg")]
    Svg(DrawOptions),
    /// Draw the score over the games of a match, or the evaluations of one game, as SVG
    #[command(after_help = "Examples:\n  parlor plot match.jsonl > score.svg\n  \
                      parlor plot match.jsonl --game 3 -o game.svg")]
    Plot(PlotOptions),
    /// Rate the engines of any number of record files
    #[command(after_help = "Example: parlor rate *.jsonl --anchor barca=2000 --svg ratings.svg")]
    Rate(RateOptions),
    /// What each seat wins in recorded games, over all of them or by a move
    #[command(after_help = BALANCE_EXAMPLES)]
    Balance(BalanceOptions),
    /// Make an opening book of recorded games, or look a position up in one
    #[command(after_help = BOOK_EXAMPLES)]
    Book(BookOptions),
    /// Merge the records of the shards of one match
    #[command(after_help = "Example: parlor merge shard-*.jsonl -o match.jsonl")]
    Merge(MergeOptions),
    /// Write recorded games as PGN
    #[command(after_help = "Example: parlor export match.jsonl -o match.pgn")]
    Export(ExportOptions),
    /// Make records from games in PGN
    #[command(after_help = "Example: parlor import match.pgn -o match.jsonl")]
    Import(ImportOptions),
    /// Play against an engine at the terminal
    #[command(after_help = "Example: parlor play barca --seat p2 --movetime 500")]
    Play(HumanOptions),
    /// Learn a game at the terminal, step by step
    #[command(after_help = human::LEARN_EXAMPLES)]
    Learn(LearnOptions),
    /// Solve puzzles of a game at the terminal
    #[command(after_help = human::PUZZLE_EXAMPLES)]
    Puzzle(PuzzleOptions),
    /// Play and look at games in a browser
    #[cfg(feature = "board")]
    #[command(after_help = board::EXAMPLES)]
    Board(BoardOptions),
    /// Check that an engine follows the protocol
    #[command(after_help = "Example: parlor check ./mine --rule Players=4 --json")]
    Check(CheckOptions),
    /// Test an engine on positions with known answers
    #[command(after_help = SUITE_EXAMPLES)]
    Suite(SuiteOptions),
    /// Print the licences and notices of Parlor, its data and the crates in it
    #[command(alias = "licenses")]
    #[command(after_help = "Example: parlor licences > notices.txt")]
    Licences,
    /// Completions and man pages.
    #[command(flatten)]
    Manual(Manual),
    /// Run a built-in engine
    #[command(after_help = "Examples:\n  parlor engine\n  parlor engine barca perft 2")]
    Engine {
        /// Its name and arguments; without a name, list the built-in engines
        #[arg(trailing_var_arg = true, allow_hyphen_values = true, value_name = "NAME")]
        arguments: Vec<OsString>,
    },
}

const MATCH_EXAMPLES: &str = "\
Examples:
  parlor match barca barca --games 1 --show
  parlor match 'barca name=new option.Hash=64' './old name=old' --tc 10+0.1 --rounds 500 -c 4 \\
      --openings book.txt --records match.jsonl --sprt 'elo0=0 elo1=5'
  parlor match chowka-bhara 'cmd=\"python3 mine.py\" name=mine' --rule Players=4 --rounds 50
  parlor match pacru ./rival --rule Players=4 --seating all --rounds 25 --json result.json
  parlor match chowka-bhara 'chowka-bhara name=old option.Hash=1' --rounds 200 --nodes 200 --luck
  parlor match --resume=match.jsonl

Exit codes: 0 done, 1 a fault of an engine, 2 wrong usage, 3 SPRT lost or below --fail-below,
130 interrupted.";

const BALANCE_EXAMPLES: &str = "\
Examples:
  parlor match pacru --rule Players=3 --seating pacru,pacru,pacru --random-plies 4 \\
      --rounds 500 --nodes 2000 --records three.jsonl
  parlor balance three.jsonl --svg three.svg
  parlor balance throws.jsonl --by-move 1 --least 100";

const BOOK_EXAMPLES: &str = "\
Examples:
  parlor book match.jsonl -o barca.book --plies 12 --least 5
  parlor book barca.book --position 'startpos moves e2e4'
  parlor match barca ./mine --openings barca.book --rounds 200";

/// Exit codes, for the man pages.
const EXIT_CODES: &[(u8, &str)] = &[
    (0, "Everything was done, or nothing was found."),
    (1, "An engine was at fault, or failed a check or a position."),
    (2, "The command line is wrong, or something could not be started, read or written."),
    (3, "match: the SPRT was lost, or the score is below --fail-below."),
    (130, "Interrupted."),
];

/// The arguments that are engines, by subcommand.
const ENGINE_ARGUMENTS: [(&str, &str); 7] = [
    ("match", "engines"),
    ("play", "engine"),
    ("learn", "engine"),
    ("check", "engine"),
    ("suite", "engine"),
    ("suite", "engine_option"),
    ("engine", "arguments"),
];

fn command_line() -> clap::Command {
    with_examples(CommandLine::command(), "PROGRAM", "parlor")
}

/// The command line with the names of the games, which completions offer as engines.
fn for_completions(engines: &[&str]) -> clap::Command {
    let names: Vec<String> = engines.iter().map(|name| (*name).to_owned()).collect();
    ENGINE_ARGUMENTS.into_iter().fold(command_line(), |command, (subcommand, argument)| {
        command.mut_subcommand(subcommand, |own| {
            own.mut_arg(argument, |engine| offering(engine, &names))
        })
    })
}

/// Runs `parlor`; its name is the first argument, `engines` are the names of the built-in engines.
pub fn main(arguments: Vec<OsString>, engines: &[&str], run_engine: RunEngine) -> ExitCode {
    if let Some(code) = sweeper::run_or_enable(arguments.get(1..).unwrap_or_default()) {
        return code;
    }
    // Everything after an engine's name belongs to the engine, even `--help`.
    if let [program, subcommand, name, rest @ ..] = arguments.as_slice()
        && subcommand == "engine"
        && let Some(name) = engines.iter().find(|engine| *name == **engine)
    {
        let mut line = vec![program.clone()];
        line.extend_from_slice(rest);
        return run_engine(name, line).unwrap_or(ExitCode::FAILURE);
    }
    let tip = foreign_option(&arguments);
    let parsed = command_line().try_get_matches_from(arguments);
    let line = match parsed.and_then(|matches| CommandLine::from_arg_matches(&matches)) {
        Ok(line) => line,
        Err(error) => {
            let code = printing::answer_usage("parlor", &error, 2);
            if let Some(option) = tip.filter(|_| error.kind() == ErrorKind::UnknownArgument) {
                note_line!("\n  tip: {}", FOREIGN.replace("{}", &option));
            }
            return code;
        }
    };
    let printed = |code| match printing::take_failure() {
        Some(error) => Err(error.into()),
        None => Ok(code),
    };
    match run(line.command, engines).and_then(printed) {
        Ok(code) => code,
        Err(error) => {
            note_line!("parlor: {error:#}");
            ExitCode::from(2)
        }
    }
}

/// What users of other match runners are told.
const FOREIGN: &str = "'{}' is no option here. One engine is one argument, 'PROGRAM name=X option.Hash=64'; \
options have two dashes. docs/match.md has a table for users of fastchess and cutechess.";

/// An argument of `match` as fastchess and cutechess write it: a word behind a single dash.
fn foreign_option(arguments: &[OsString]) -> Option<String> {
    let [_, subcommand, rest @ ..] = arguments else { return None };
    let is_foreign = |word: &&str| {
        let name = word.strip_prefix('-').unwrap_or_default();
        name.len() > 2 && name.bytes().all(|byte| byte.is_ascii_lowercase())
    };
    let mut words = rest.iter().filter_map(|word| word.to_str());
    words.find(is_foreign).filter(|_| subcommand == "match").map(str::to_owned)
}

fn run(command: Command, engines: &[&str]) -> Result<ExitCode> {
    match command {
        Command::Match(options) => match_loop::run(*options, engines),
        Command::Replay(options) => replay::run(&options, engines),
        Command::Svg(options) => draw::run(&options, engines),
        Command::Plot(options) => plot::run(&options),
        Command::Balance(options) => balance::run(&options),
        Command::Rate(options) => rate::run(&options),
        Command::Book(options) => book::run(&options, engines),
        Command::Merge(options) => merge::run(&options),
        Command::Export(options) => pgn::export(&options),
        Command::Import(options) => pgn::import(&options),
        Command::Check(options) => check::run(&options, engines),
        Command::Suite(options) => suite::run(&options, engines),
        Command::Manual(manual) => {
            let texts = PageTexts { exit_codes: EXIT_CODES, see_also: engines };
            manual.run(command_line, || for_completions(engines), &texts)?;
            Ok(ExitCode::SUCCESS)
        }
        #[cfg(feature = "board")]
        Command::Board(options) => board::run(&options, engines),
        Command::Play(options) => human::run(&options, engines),
        Command::Licences => {
            printing::print_text(LICENCES);
            Ok(ExitCode::SUCCESS)
        }
        Command::Learn(options) => human::learn(&options, engines),
        Command::Puzzle(options) => human::puzzle(&options, engines),
        Command::Engine { arguments } => list_engines(&arguments, engines),
    }
}

fn list_engines(arguments: &[OsString], engines: &[&str]) -> Result<ExitCode> {
    if let Some(name) = arguments.first() {
        let list = engines.join(" ");
        anyhow::bail!(
            "no built-in engine '{}'; the built-in engines are: {list}",
            name.to_string_lossy()
        );
    }
    for engine in engines {
        printing::print(engine);
    }
    Ok(ExitCode::SUCCESS)
}
