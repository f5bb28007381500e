//! `parlor check`: does an engine follow the protocol?
//!
//! Every step starts a new process, sends some lines, and reads the answers. The engine is its own
//! referee: its random mover plays games, and what the engine says about them must be consistent
//! and agree with the protocol.

mod commands;
mod exit;
mod pictures;
mod random_games;
mod searching;
mod session;
mod steps;
mod views;

use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;

use anyhow::Result;
use clap::Args;
use serde_json::json;

use super::output::print;
use super::process::{ErrorOutput, Launch, Launcher, Specification, interrupt};
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
    #[arg(long, default_value_t = 10_000, value_name = "MS")]
    patience: u64,
    /// Only the steps whose name contains this
    #[arg(long, value_name = "TEXT")]
    only: Option<String>,
    /// Print JSON instead of text
    #[arg(long)]
    json: bool,
    /// Keep the engine's standard error in this file
    #[arg(long, value_name = "FILE")]
    stderr: Option<PathBuf>,
}

/// What the steps share.
struct Checker {
    launch: Launch,
    /// The `setoption` lines to send first.
    settings: String,
    patience: Duration,
    games: u64,
    /// Plies after which a random game is left unfinished.
    plies: usize,
}

/// The violations that a step found, one line each.
type Findings = Vec<String>;

/// One step: its name, its subject, and its code. An error is a finding that ends the step.
struct Step {
    name: &'static str,
    about: &'static str,
    run: fn(&Checker, &mut Findings) -> Result<(), String>,
}

const STEPS: [Step; 29] = [
    Step {
        name: "silent-start",
        about: "nothing is printed before the first command",
        run: commands::silent_start,
    },
    Step {
        name: "handshake",
        about: "ugi: id lines of three words, options, ugiok",
        run: commands::handshake,
    },
    Step { name: "uci", about: "uci is answered by uciok", run: commands::uci },
    Step {
        name: "options",
        about: "the standard options are declared; options take their defaults and refuse nonsense",
        run: commands::options,
    },
    Step {
        name: "idle",
        about: "isready is answered once; stop and unknown commands are not answered",
        run: commands::idle,
    },
    Step { name: "queries", about: "every query is one line", run: commands::queries },
    Step {
        name: "bad-queries",
        about: "bad queries are answered by an error on one line",
        run: commands::bad_queries,
    },
    Step {
        name: "bad-positions",
        about: "a refused position is reported, and queries are stale until a valid one",
        run: commands::bad_positions,
    },
    Step {
        name: "bad-lines",
        about: "lines that are too long or not ASCII do no harm",
        run: commands::bad_lines,
    },
    Step { name: "append", about: "moves appends to the position", run: commands::append },
    Step {
        name: "go",
        about: "go is answered under every limit: info with score, time, nps, then bestmove",
        run: searching::limits,
    },
    Step { name: "clocks", about: "any clocks, in any order and spelling", run: searching::clocks },
    Step {
        name: "bestmove",
        about: "bestmove is legal and nothing follows it",
        run: searching::best_move,
    },
    Step { name: "movetime", about: "movetime is respected", run: searching::move_time },
    Step {
        name: "during-search",
        about: "isready is answered during a search, stop ends it, lines have at least 8 bytes",
        run: searching::during_search,
    },
    Step {
        name: "not-to-act",
        about: "under a view only its own seat decides",
        run: searching::not_to_act,
    },
    Step {
        name: "pipe",
        about: "positions and searches in a pipe are all answered",
        run: exit::pipe,
    },
    Step { name: "end", about: "quit and end of input end with code 0", run: exit::endings },
    Step { name: "flags", about: "--game is accepted, unknown flags are not", run: exit::flags },
    Step {
        name: "games",
        about: "random games: turns, moves, throws and results are consistent",
        run: random_games::games,
    },
    Step {
        name: "views",
        about: "a view can be read back, is of the same game, and shows its seat's own decisions",
        run: views::views,
    },
    Step {
        name: "view-law",
        about: "games that a seat cannot tell apart have the same view for it",
        run: views::law,
    },
    // An engine without extension 2 has nothing to be checked here.
    Step {
        name: "pictures",
        about: "table and board are JSON, name cells and symbols that there are, and fit 64 KiB",
        run: pictures::pictures,
    },
    Step {
        name: "picture-secrets",
        about: "the same view gives the same table, board and step",
        run: pictures::secrets,
    },
    Step { name: "step-leaves", about: "the token of every leaf is legal", run: steps::leaves },
    Step {
        name: "step-paths",
        about: "path leads to the token, or to another that reaches the same position",
        run: steps::paths,
    },
    Step { name: "step-offers", about: "no choice is a dead end", run: steps::offers },
    Step {
        name: "step-limits",
        about: "at most 2,000 choices and 64 KiB, labels only where they differ",
        run: steps::limits,
    },
    Step {
        name: "step-refusals",
        about: "paths that lead nowhere, finished games and other seats are refused",
        run: pictures::refusals,
    },
];

/// Checks an engine; the exit code is 1 if anything was found.
///
/// # Errors
/// When the engine cannot be named or its options cannot be read.
pub(in crate::runner) fn run(options: &CheckOptions, built_in: &[&str]) -> Result<ExitCode> {
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
    let checker = Checker { launch, settings, patience, games, plies };
    let wanted = |step: &&Step| options.only.as_ref().is_none_or(|text| step.name.contains(text));
    let mut found = 0;
    let mut rows = Vec::new();
    for step in STEPS.iter().filter(wanted) {
        let mut findings = Findings::new();
        if let Err(finding) = (step.run)(&checker, &mut findings) {
            findings.push(finding);
        }
        found += findings.len();
        if options.json {
            rows.push(json!({
                "step": step.name, "about": step.about, "passed": findings.is_empty(),
                "findings": findings,
            }));
            continue;
        }
        let mark = if findings.is_empty() { "ok  " } else { "FAIL" };
        print(&format!("{mark} {}: {}", step.name, step.about));
        for finding in &findings {
            print(&format!("       {finding}"));
        }
    }
    if options.json {
        print(&json!(rows).to_string());
    } else {
        print(&match found {
            0 => "nothing found".to_owned(),
            count => format!("{count} found"),
        });
    }
    Ok(if found == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE })
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

    /// The same after `ugi`, with the lines that it printed.
    fn greeted(&self) -> Result<(CheckSession, Vec<String>), String> {
        let mut session = CheckSession::start(&self.launch, self.patience)?;
        session.send("ugi\n")?;
        let lines = session.until("ugiok", |line| line == "ugiok")?;
        if !self.settings.is_empty() {
            session.exchange(&self.settings)?;
        }
        Ok((session, lines))
    }
}
