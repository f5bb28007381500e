//! `parlor suite`: positions with known answers, for any engine.

mod cases;
mod epd;
mod report;
mod worker;

use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Mutex;
use std::sync::PoisonError;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use anyhow::{Context, Result, ensure};
use clap::{Args, value_parser};

use super::build_report;
use super::process::{LONGEST_WAIT, Launcher, Specification, interrupt, start_all};
use cases::Case;
use worker::SuiteWorker;

use crate::reading;

/// Test an engine on positions with known answers.
#[derive(Clone, Debug, Args)]
pub(in crate::runner) struct SuiteOptions {
    /// The suite; - for standard input
    #[arg(value_name = "FILE")]
    suite: PathBuf,
    /// The engine: NAME of a built-in one, or as for `parlor match`
    #[arg(value_name = "ENGINE", required_unless_present = "engine_option")]
    engine: Option<String>,
    /// The same as an option
    #[arg(short, long = "engine", value_name = "ENGINE", conflicts_with = "engine")]
    engine_option: Option<String>,
    /// Milliseconds per position [default: 1000, if there is no other limit]
    #[arg(long, value_name = "MS")]
    movetime: Option<u64>,
    /// Nodes per position
    #[arg(long, value_name = "N")]
    nodes: Option<u64>,
    /// Search depth per position
    #[arg(long, value_name = "N")]
    depth: Option<u32>,
    /// Positions at the same time
    #[arg(short = 'j', long, default_value_t = 1, value_name = "N")]
    threads: usize,
    /// Time limit of every answer in seconds
    #[arg(long, default_value_t = 600, value_name = "SECONDS", value_parser = value_parser!(u64).range(1..=LONGEST_WAIT))]
    timeout: u64,
    /// Write the results as JSON
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
    /// Write the results as JUnit XML
    #[arg(long, value_name = "FILE")]
    junit: Option<PathBuf>,
}

/// The result of one position.
#[derive(Clone, PartialEq, Debug)]
struct CaseResult {
    id: String,
    /// Its line in the suite, from 1.
    line: usize,
    position: String,
    /// Whether the engine failed, not its answer.
    is_broken: bool,
    /// What failed: expected and found.
    failures: Vec<String>,
    /// Operations that are not known here.
    unknown: Vec<String>,
    seconds: f64,
}

/// Runs a suite.
///
/// # Errors
/// When it cannot be read or the engine does not start.
pub(in crate::runner) fn run(options: &SuiteOptions, built_in: &[&str]) -> Result<ExitCode> {
    let name = options.suite.display().to_string();
    build_report::reported(options.junit.as_deref(), &name, try_all(options, &name, built_in))
}

fn try_all(options: &SuiteOptions, name: &str, built_in: &[&str]) -> Result<ExitCode> {
    if options.json.is_none() && options.junit.is_none() {
        interrupt::exit_when_output_closes()?;
    }
    let context = || format!("suite {name}");
    let text = reading::text(&options.suite).with_context(context)?;
    let cases = cases::parse(&text).with_context(context)?;
    drop(text);
    let named = options.engine.as_ref().or(options.engine_option.as_ref());
    let engine = Specification::parse(named.context("no engine")?, None, built_in)?;
    let launcher = Launcher::new(&[], Duration::from_secs(options.timeout))?;
    let title = format!("engine {}", engine.name);
    // It need not answer queries: it only plays.
    launcher.examine(&engine, &title, |_| Ok(()))?;
    let outcomes = search_all(&launcher, &engine, options, &cases)?;
    ensure!(outcomes.len() == cases.len(), "some positions were not tried");
    report::report(options, name, &outcomes)
}

/// Searches every position; the results in the order of the cases.
///
/// # Errors
/// When there are fewer threads than positions are to be searched at the same time.
fn search_all(
    launcher: &Launcher,
    engine: &Specification,
    options: &SuiteOptions,
    cases: &[Case],
) -> Result<Vec<CaseResult>> {
    let next = AtomicUsize::new(0);
    let found: Mutex<Vec<(usize, CaseResult)>> = Mutex::new(Vec::new());
    let work = |number: usize| {
        let mut worker = SuiteWorker::new(launcher, engine, options, number);
        loop {
            let index = next.fetch_add(1, Ordering::SeqCst);
            let Some(case) = cases.get(index) else { break };
            let outcome = worker.examine(case);
            found.lock().unwrap_or_else(PoisonError::into_inner).push((index, outcome));
        }
        worker.quit();
    };
    let numbers = (0..options.threads.clamp(1, cases.len().max(1))).collect();
    std::thread::scope(|scope| start_all(scope, "--threads", numbers, work))?;
    let mut found = found.into_inner().unwrap_or_else(PoisonError::into_inner);
    found.sort_by_key(|(index, _)| *index);
    Ok(found.into_iter().map(|(_, outcome)| outcome).collect())
}

/// Reads the text of a suite.
///
/// # Errors
/// What is wrong with it.
pub(in crate::runner) fn check(text: &str) -> Result<()> {
    cases::parse(text).map(drop)
}
