//! The command line of `parlor`.

use std::ffi::OsString;
use std::io::Write;
use std::process::ExitCode;

use anyhow::Result;
use clap::{Parser, Subcommand};

use super::conduct;
use super::options::MatchOptions;
use super::replay::{self, ReplayOptions};

/// Runs the built-in engine of a name with a whole command line, the program's name first.
pub type RunEngine = fn(&str, Vec<OsString>) -> Option<ExitCode>;

/// Matches, ratings and checks for engines that speak UGI or its superset, games unknown.
#[derive(Debug, Parser)]
#[command(name = "parlor", version, max_term_width = 100)]
struct CommandLine {
    #[command(subcommand)]
    word: Word,
}

#[derive(Debug, Subcommand)]
enum Word {
    /// Play matches between engine processes
    #[command(after_help = MATCH_EXAMPLES)]
    Match(Box<MatchOptions>),
    /// Show a game of the records
    #[command(after_help = "Example: parlor replay match.jsonl 17 --show")]
    Replay(ReplayOptions),
    /// Run a built-in engine
    Engine {
        /// Its name, then its own arguments; without a name: a list
        #[arg(trailing_var_arg = true, allow_hyphen_values = true, value_name = "NAME")]
        words: Vec<OsString>,
    },
}

const MATCH_EXAMPLES: &str = "\
Examples:
  parlor match barca barca --games 1 --show
  parlor match 'barca name=new option.Hash=64' './old name=old' --tc 10+0.1 --rounds 500 -c 4 \\
      --openings book.txt --records match.jsonl --sprt 'elo0=0 elo1=5'
  parlor match chowka-bhara 'cmd=\"python3 mine.py\" name=mine' --rule Players=4 --rounds 50
  parlor match --records match.jsonl --resume

Exit codes: 0 done, 1 an engine was at fault, 2 usage, 3 SPRT lost or --fail-below missed.";

/// Runs `parlor`, with the names of the built-in engines and what runs one.
pub fn main(engines: &[&str], run_engine: RunEngine) -> ExitCode {
    let words: Vec<OsString> = std::env::args_os().collect();
    // An engine's own arguments are its own: `--help` and all.
    if let [program, word, name, rest @ ..] = words.as_slice()
        && word == "engine"
        && let Some(name) = engines.iter().find(|engine| *name == **engine)
    {
        let mut line = vec![program.clone()];
        line.extend_from_slice(rest);
        return run_engine(name, line).unwrap_or(ExitCode::FAILURE);
    }
    let line = match CommandLine::try_parse_from(words) {
        Ok(line) => line,
        Err(error) => {
            // Clap's own exit codes are ours: 0 for help, 2 for usage.
            let _ = error.print();
            return ExitCode::from(if error.use_stderr() { 2 } else { 0 });
        }
    };
    match run(line.word, engines) {
        Ok(code) => code,
        Err(error) => {
            let _ = writeln!(std::io::stderr(), "parlor: {error:#}");
            ExitCode::from(2)
        }
    }
}

fn run(word: Word, engines: &[&str]) -> Result<ExitCode> {
    match word {
        Word::Match(options) => conduct::run(*options, engines),
        Word::Replay(options) => replay::run(&options, engines),
        Word::Engine { words } => list_engines(&words, engines),
    }
}

fn list_engines(words: &[OsString], engines: &[&str]) -> Result<ExitCode> {
    if let Some(name) = words.first() {
        let list = engines.join(" ");
        anyhow::bail!("no built-in engine '{}'; there are: {list}", name.to_string_lossy());
    }
    let mut out = std::io::stdout().lock();
    for engine in engines {
        let _ = writeln!(out, "{engine}");
    }
    Ok(ExitCode::SUCCESS)
}
