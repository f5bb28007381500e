//! `parlor check`: does an engine follow the protocol?
//!
//! Every step starts a new process, sends some lines, and reads the answers. The engine is its own
//! referee: its random mover plays games, and what the engine says about them must be consistent
//! and agree with the protocol.

mod commands;
mod exit;
mod pictures;
mod plain;
mod random_games;
mod searching;
mod session;
mod steps;
mod teaching;
mod views;

use std::path::PathBuf;
use std::process::ExitCode;
use std::time::{Duration, Instant};

use anyhow::{Result, bail};
use clap::{Args, value_parser};
use serde_json::json;

use super::build_report::{self, BuildCase, Severity};
use super::process::{ErrorOutput, LONGEST_WAIT, Launch, Launcher, Specification, interrupt};
use crate::printing::{print, print_json};
use crate::protocol::Dialect;
use session::CheckSession;

/// Check that an engine follows the protocol.
#[derive(Clone, Debug, Args)]
pub(in crate::runner) struct CheckOptions {
    /// The engine: NAME of a built-in one, or as for `parlor match`
    #[arg(value_name = "ENGINE")]
    engine: String,
    /// A rule option, such as Players=4
    #[arg(long = "rule", value_name = "NAME=VALUE")]
    rules: Vec<String>,
    /// The number of random games
    #[arg(long, default_value_t = 3, value_name = "N")]
    games: u64,
    /// Plies after which a random game is left unfinished
    #[arg(long, default_value_t = 20_000, value_name = "N")]
    plies: usize,
    /// Time limit of an answer in milliseconds
    #[arg(long, default_value_t = 10_000, value_name = "MS", value_parser = value_parser!(u64).range(..=LONGEST_WAIT * 1000))]
    patience: u64,
    /// Only the steps whose name contains this
    #[arg(long, value_name = "TEXT")]
    only: Option<String>,
    /// Check what an engine of plain UGI needs to play; so it is with proto=uci
    #[arg(long)]
    plain: bool,
    /// Exit with 1 for what is only recommended as well
    #[arg(long)]
    strict: bool,
    /// Print JSON instead of text
    #[arg(long)]
    json: bool,
    /// Write the results as JUnit XML
    #[arg(long, value_name = "FILE")]
    junit: Option<PathBuf>,
    /// Keep the engine's standard error in this file
    #[arg(long, value_name = "FILE")]
    stderr: Option<PathBuf>,
}

/// What the steps share.
struct Checker {
    launch: Launch,
    /// Whether it is greeted by `uci`.
    is_uci: bool,
    /// The `setoption` lines to send first.
    settings: String,
    patience: Duration,
    games: u64,
    /// Plies after which a random game is left unfinished.
    plies: usize,
}

/// The violations that a step found, one line each.
type Findings = Vec<String>;

/// How much a step matters.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Level {
    /// Without it the engine is wrong in matches, as a player or as a referee.
    Required,
    /// The rest of the protocol: options, refusals and answers that people and tools expect.
    Recommended,
}

impl Level {
    fn name(self) -> &'static str {
        match self {
            Level::Required => "required",
            Level::Recommended => "recommended",
        }
    }
}

/// The code of a step. An error is a finding that ends it.
type Run = fn(&Checker, &mut Findings) -> Result<(), String>;

/// One step: its level, its name, its subject, and its code.
struct Step {
    level: Level,
    name: &'static str,
    about: &'static str,
    run: Run,
}

const fn required(name: &'static str, about: &'static str, run: Run) -> Step {
    Step { level: Level::Required, name, about, run }
}

const fn recommended(name: &'static str, about: &'static str, run: Run) -> Step {
    Step { level: Level::Recommended, name, about, run }
}

const STEPS: [Step; 35] = [
    required("silent-start", "nothing is printed before the first command", commands::silent_start),
    required("handshake", "ugi: id lines, options, ugiok", commands::handshake),
    recommended("names", "id lines have three words", commands::names),
    recommended("uci", "uci is answered by uciok", commands::uci),
    required("options", "options take their defaults and refuse nonsense", commands::options),
    recommended(
        "standard-options",
        "Hash, Threads and the other standard options are declared",
        commands::standard_options,
    ),
    required(
        "idle",
        "isready is answered once; stop and unknown commands are not answered",
        commands::idle,
    ),
    recommended(
        "dialects",
        "xboard is answered by an error line, or by feature after protover",
        commands::dialects,
    ),
    required("queries", "every query is one line", commands::queries),
    recommended(
        "bad-queries",
        "bad queries are answered by an error on one line",
        commands::bad_queries,
    ),
    required(
        "bad-positions",
        "a refused position is reported, and queries are stale until a valid one",
        commands::bad_positions,
    ),
    recommended(
        "bad-lines",
        "lines that are too long or not ASCII do no harm",
        commands::bad_lines,
    ),
    required("append", "moves appends to the position", commands::append),
    required(
        "go",
        "go is answered under every limit: info with score, time, nps, then bestmove",
        searching::limits,
    ),
    required("clocks", "any clocks, in any order and spelling", searching::clocks),
    required("bestmove", "bestmove is legal and nothing follows it", searching::best_move),
    required("movetime", "movetime is respected", searching::move_time),
    required(
        "during-search",
        "isready is answered during a search, stop ends it, lines have at least 8 bytes",
        searching::during_search,
    ),
    required("not-to-act", "under a view only its own seat decides", searching::not_to_act),
    required("pipe", "positions and searches in a pipe are all answered", exit::pipe),
    required("end", "quit and end of input end with code 0", exit::endings),
    recommended("flags", "--game is accepted, unknown flags are not", exit::flags),
    required(
        "games",
        "random games: turns, moves, throws and results are consistent",
        random_games::games,
    ),
    recommended("perft", "perft 1 counts the legal moves", random_games::perft),
    required(
        "views",
        "a view can be read back, is of the same game, and shows its seat's own decisions",
        views::views,
    ),
    required(
        "view-law",
        "games that a seat cannot tell apart have the same view for it",
        views::law,
    ),
    // An engine without extension 2 has nothing to be checked here.
    required(
        "pictures",
        "table and board are JSON, name cells and symbols that there are, and fit 64 KiB",
        pictures::pictures,
    ),
    required(
        "picture-secrets",
        "the same view gives the same table, board and step",
        pictures::secrets,
    ),
    required("step-leaves", "the token of every leaf is legal", steps::leaves),
    required(
        "step-paths",
        "path leads to the token, or to another that reaches the same position",
        steps::paths,
    ),
    required("step-offers", "no choice is a dead end", steps::offers),
    required(
        "step-limits",
        "at most 2,000 choices and 64 KiB, labels only where they differ",
        steps::limits,
    ),
    required(
        "step-refusals",
        "paths that lead nowhere, finished games and other seats are refused",
        pictures::refusals,
    ),
    // An engine without extension 3 has nothing to be checked here.
    required(
        "lessons",
        "lessons load, their tokens are legal, their texts plain and below 200 characters",
        teaching::lessons,
    ),
    required(
        "puzzles",
        "puzzles are sorted by rating; of every tenth the lines are legal and end as promised",
        teaching::puzzles,
    ),
];

/// The steps for an engine that only plays.
const PLAIN: [Step; 9] = [
    required("silent-start", "nothing is printed before the first command", commands::silent_start),
    required("handshake", "id lines, options, ugiok or uciok", commands::handshake),
    recommended("names", "id lines have three words", commands::names),
    required("idle", "isready is answered once, stop is not answered", plain::idle),
    required("go", "go is answered by a move under every limit", plain::limits),
    recommended("score", "info with a score comes before bestmove", plain::scores),
    required("movetime", "movetime is respected", plain::move_time),
    required("stop", "isready is answered during a search, stop ends it", plain::stop),
    required("end", "quit ends with code 0", plain::quit),
];

/// Checks an engine; the exit code is 1 if anything required was found, or with `--strict` anything.
///
/// # Errors
/// When the engine cannot be named or does not start, or its options cannot be read.
pub(in crate::runner) fn run(options: &CheckOptions, built_in: &[&str]) -> Result<ExitCode> {
    let subject = format!("check {}", options.engine);
    build_report::reported(options.junit.as_deref(), &subject, check(options, &subject, built_in))
}

fn check(options: &CheckOptions, subject: &str, built_in: &[&str]) -> Result<ExitCode> {
    interrupt::exit_when_output_closes()?;
    let engine = Specification::parse(&options.engine, None, built_in)?;
    let patience = Duration::from_millis(options.patience);
    let launcher = Launcher::new(&options.rules, patience)?;
    let mut launch = launcher.launch(&engine, "check", &[]);
    if let Some(path) = &options.stderr {
        launch.error_output = ErrorOutput::File(path.clone());
    }
    let settings = launcher.option_lines(&engine);
    let (games, plies) = (options.games, options.plies);
    let is_uci = engine.dialect == Dialect::Uci;
    let checker = Checker { launch, is_uci, settings, patience, games, plies };
    let steps = if options.plain || is_uci { &PLAIN[..] } else { &STEPS[..] };
    if let Err(reason) = CheckSession::start(&checker.launch, patience) {
        bail!("engine {} {reason}", engine.name);
    }
    let wanted = |step: &&Step| options.only.as_ref().is_none_or(|text| step.name.contains(text));
    let (mut rows, mut cases) = (Vec::new(), Vec::new());
    for step in steps.iter().filter(wanted) {
        let mut findings = Findings::new();
        let started = Instant::now();
        let ended = (step.run)(&checker, &mut findings);
        let severity = match (&ended, step.level) {
            (_, Level::Recommended) if !options.strict => Severity::Note,
            (Ok(()), _) => Severity::Failure,
            (Err(_), _) => Severity::Error,
        };
        findings.extend(ended.err());
        cases.push(BuildCase {
            name: step.name.to_owned(),
            seconds: started.elapsed().as_secs_f64(),
            found: (!findings.is_empty()).then(|| (severity, findings.join("; "))),
            detail: step.about.to_owned(),
            line: None,
        });
        if !options.json {
            print_step(step, &findings);
        }
        rows.push((step, findings));
    }
    if options.json {
        let rows = rows.iter().map(|(step, findings)| {
            json!({
                "step": step.name, "about": step.about, "level": step.level.name(),
                "passed": findings.is_empty(), "findings": findings,
            })
        });
        print_json(&rows.collect::<Vec<_>>());
    } else {
        print(&summary(&rows));
    }
    build_report::write(options.junit.as_deref(), subject, &cases)?;
    let fails = |(step, findings): &(&Step, Findings)| {
        !findings.is_empty() && (options.strict || step.level == Level::Required)
    };
    Ok(if rows.iter().any(fails) { ExitCode::FAILURE } else { ExitCode::SUCCESS })
}

fn print_step(step: &Step, findings: &Findings) {
    let mark = match step.level {
        _ if findings.is_empty() => "ok  ",
        Level::Required => "FAIL",
        Level::Recommended => "note",
    };
    print(&format!("{mark} {}: {}", step.name, step.about));
    for finding in findings {
        print(&format!("       {finding}"));
    }
}

fn summary(rows: &[(&Step, Findings)]) -> String {
    let count = |level| -> usize {
        rows.iter().filter(|(step, _)| step.level == level).map(|(_, found)| found.len()).sum()
    };
    match (count(Level::Required), count(Level::Recommended)) {
        (0, 0) => "nothing found".into(),
        (0, notes) => format!("everything required holds; {notes} found in what is recommended"),
        (faults, 0) => format!("{faults} found in what is required"),
        (faults, notes) => {
            format!("{faults} found in what is required, {notes} in what is recommended")
        }
    }
}

impl Checker {
    /// A new process with its options set, without a handshake.
    fn session(&self) -> Result<CheckSession, String> {
        let mut session = CheckSession::start(&self.launch, self.patience)?;
        if !self.settings.is_empty() {
            session.exchange(&self.settings)?;
        }
        Ok(session)
    }

    /// The word of its dialect.
    fn greeting(&self) -> &'static str {
        if self.is_uci { "uci" } else { "ugi" }
    }

    /// The same after `ugi` or `uci`, with the lines that it printed.
    fn greeted(&self) -> Result<(CheckSession, Vec<String>), String> {
        let mut session = CheckSession::start(&self.launch, self.patience)?;
        let greeting = self.greeting();
        session.send(&format!("{greeting}\n"))?;
        let ok = format!("{greeting}ok");
        let lines = session.until(&ok, |line| line == ok)?;
        if !self.settings.is_empty() {
            session.exchange(&self.settings)?;
        }
        Ok((session, lines))
    }
}
