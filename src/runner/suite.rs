//! `parlor suite`: positions with known answers, put to any engine.

use std::io::Read;
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Mutex;
use std::sync::PoisonError;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, ensure};
use clap::Args;
use comfy_table::{Table, presets};
use serde_json::json;

use super::client::{Client, printable};
use super::fault::{Fault, FaultKind};
use super::options::MatchOptions;
use super::setup::Setup;
use super::show::print;
use super::suite_file::{self, Case};
use crate::protocol::engine_output::Score;

/// Put positions with known answers to an engine.
#[derive(Clone, Debug, Args)]
pub struct SuiteOptions {
    /// The suite; - for standard input
    #[arg(value_name = "FILE")]
    pub suite: PathBuf,
    /// The engine: NAME of a built-in one, or as for `parlor match`
    #[arg(short, long, value_name = "ENGINE")]
    pub engine: String,
    /// Milliseconds a position [default: 1000, if there is no other limit]
    #[arg(long, value_name = "MS")]
    pub movetime: Option<u64>,
    /// Nodes a position
    #[arg(long, value_name = "N")]
    pub nodes: Option<u64>,
    /// Depth of a position
    #[arg(long, value_name = "N")]
    pub depth: Option<u32>,
    /// Positions at the same time
    #[arg(short = 'j', long, default_value_t = 1, value_name = "N")]
    pub threads: usize,
    /// Seconds that anything may take
    #[arg(long, default_value_t = 600, value_name = "SECONDS")]
    pub timeout: u64,
    /// Write the results as JSON
    #[arg(long, value_name = "FILE")]
    pub json: Option<PathBuf>,
    /// Write the results as JUnit XML
    #[arg(long, value_name = "FILE")]
    pub junit: Option<PathBuf>,
}

/// What became of one position.
#[derive(Clone, PartialEq, Debug)]
struct Outcome {
    id: String,
    position: String,
    /// What failed: expected and found.
    failures: Vec<String>,
    seconds: f64,
}

/// Runs a suite.
///
/// # Errors
/// When it cannot be read or the engine does not start.
pub fn run(options: &SuiteOptions, built_in: &[&str]) -> Result<ExitCode> {
    let name = options.suite.display().to_string();
    let context = || format!("suite {name}");
    let text = if name == "-" {
        let mut text = String::new();
        std::io::stdin().lock().read_to_string(&mut text).with_context(context)?;
        text
    } else {
        std::fs::read_to_string(&options.suite).with_context(context)?
    };
    let cases = suite_file::parse(&text).with_context(context)?;
    let config = MatchOptions {
        engines: vec![options.engine.clone()],
        patience: Some(options.timeout.saturating_mul(1_000)),
        movetime: options.movetime,
        nodes: options.nodes,
        depth: options.depth,
        ..MatchOptions::default()
    };
    let setup = config.setup(built_in)?;
    setup.trial()?;
    let outcomes = put_all(&setup, options, &cases);
    ensure!(outcomes.len() == cases.len(), "some positions were not tried");
    report(options, &name, &outcomes)
}

/// The `go` line of a search.
fn go(options: &SuiteOptions) -> String {
    let mut line = "go".to_owned();
    for (word, value) in [
        ("movetime", options.movetime),
        ("nodes", options.nodes),
        ("depth", options.depth.map(u64::from)),
    ] {
        if let Some(value) = value {
            line += &format!(" {word} {value}");
        }
    }
    if line == "go" { "go movetime 1000".to_owned() } else { line }
}

fn put_all(setup: &Setup, options: &SuiteOptions, cases: &[Case]) -> Vec<Outcome> {
    let next = AtomicUsize::new(0);
    let found: Mutex<Vec<(usize, Outcome)>> = Mutex::new(Vec::new());
    std::thread::scope(|scope| {
        for number in 0..options.threads.clamp(1, cases.len().max(1)) {
            let (next, found) = (&next, &found);
            scope.spawn(move || {
                let mut desk = Desk { setup, options, number, client: None };
                loop {
                    let index = next.fetch_add(1, Ordering::SeqCst);
                    let Some(case) = cases.get(index) else { break };
                    let outcome = desk.put(case);
                    found.lock().unwrap_or_else(PoisonError::into_inner).push((index, outcome));
                }
                if let Some(client) = desk.client.take() {
                    client.quit();
                }
            });
        }
    });
    let mut found = found.into_inner().unwrap_or_else(PoisonError::into_inner);
    found.sort_by_key(|(index, _)| *index);
    found.into_iter().map(|(_, outcome)| outcome).collect()
}

/// One process that positions are put to.
struct Desk<'a> {
    setup: &'a Setup,
    options: &'a SuiteOptions,
    number: usize,
    client: Option<Client>,
}

impl Desk<'_> {
    fn put(&mut self, case: &Case) -> Outcome {
        let start = Instant::now();
        let mut failures = Vec::new();
        if let Err(fault) = self.examine(case, &mut failures) {
            failures.push(fault.to_string());
            self.client = None;
        }
        // Options of one position are not for the next.
        if !case.options.is_empty()
            && let Some(client) = self.client.take()
        {
            client.quit();
        }
        Outcome {
            id: case.id.clone(),
            position: case.position.clone(),
            failures,
            seconds: start.elapsed().as_secs_f64(),
        }
    }

    fn examine(&mut self, case: &Case, failures: &mut Vec<String>) -> Result<(), Fault> {
        let mut client = match self.client.take() {
            Some(client) => client,
            None => {
                let engine = self.setup.engines.first().unwrap_or(&self.setup.referee);
                self.setup.start(engine, &format!("suite-{}", self.number), &[])?
            }
        };
        let mut lines = String::new();
        for (name, value) in &case.options {
            if !client.has_option(name) {
                failures.push(format!("set {name}={value}: the engine has no such option"));
            }
            lines += &format!("setoption name {name} value {value}\n");
        }
        client.new_game(None)?;
        lines += &format!("position {}\n", case.position);
        let errors = client.tell(&lines)?;
        if errors.is_empty() {
            self.perft(&mut client, case, failures)?;
            self.search(&mut client, case, failures)?;
            self.win(&mut client, case, failures)?;
        }
        failures.extend(errors);
        self.client = Some(client);
        Ok(())
    }

    fn perft(
        &self,
        client: &mut Client,
        case: &Case,
        failures: &mut Vec<String>,
    ) -> Result<(), Fault> {
        for (depth, expected) in &case.perft {
            let found = client.perft(*depth)?;
            if found != Some(*expected) {
                let found = found.map_or("no count".to_owned(), |count| count.to_string());
                failures.push(format!("perft {depth}: {expected} expected, {found} found"));
            }
        }
        Ok(())
    }

    fn allowance(&self) -> Duration {
        Duration::from_secs(self.options.timeout)
    }

    fn search(
        &self,
        client: &mut Client,
        case: &Case,
        failures: &mut Vec<String>,
    ) -> Result<(), Fault> {
        if !case.searches() {
            return Ok(());
        }
        let position = format!("position {}", case.position);
        let thought = client.think(&position, &go(self.options), self.allowance())?;
        let token = printable(&thought.token, 60);
        if !case.best.is_empty() && !case.best.contains(&thought.token) {
            failures.push(format!("bm {}: {token} played", case.best.join(" ")));
        }
        if case.avoid.contains(&thought.token) {
            failures.push(format!("am {}: {token} played", case.avoid.join(" ")));
        }
        Ok(())
    }

    fn win(
        &self,
        client: &mut Client,
        case: &Case,
        failures: &mut Vec<String>,
    ) -> Result<(), Fault> {
        let Some(plies) = case.win else { return Ok(()) };
        let position = format!("position {}", case.position);
        let thought = client.think(&position, &format!("go mate {plies}"), self.allowance());
        let thought = match thought {
            // A mover without a move cannot win.
            Err(fault) if fault.kind == FaultKind::Disagreement => {
                failures.push(format!("win {plies}: {}", fault.detail));
                return Ok(());
            }
            thought => thought?,
        };
        let score = thought.info.and_then(|info| info.score);
        let short = |distance: i32| distance > 0 && distance.unsigned_abs() <= plies;
        match score {
            Some(Score::Mate(distance)) if short(distance) => {}
            Some(Score::Mate(distance)) => {
                failures.push(format!("win {plies}: the engine says mate {distance}"));
            }
            Some(Score::Centipawns(cp)) => {
                failures.push(format!("win {plies}: the engine says {cp:+} cp"));
            }
            None => failures.push(format!("win {plies}: the engine gives no score")),
        }
        Ok(())
    }
}

fn report(options: &SuiteOptions, name: &str, outcomes: &[Outcome]) -> Result<ExitCode> {
    let failed: Vec<&Outcome> = outcomes.iter().filter(|case| !case.failures.is_empty()).collect();
    if !failed.is_empty() {
        let mut table = Table::new();
        table.load_preset(presets::NOTHING).set_header(vec!["failed", "what", "position"]);
        for case in &failed {
            table.add_row(vec![&case.id, &case.failures.join("; "), &case.position]);
        }
        print(&table.to_string());
    }
    print(&format!("{} of {} positions passed", outcomes.len() - failed.len(), outcomes.len()));
    if let Some(path) = &options.json {
        let rows: Vec<_> = outcomes
            .iter()
            .map(|case| {
                json!({
                    "id": case.id, "position": case.position, "passed": case.failures.is_empty(),
                    "failures": case.failures, "seconds": case.seconds,
                })
            })
            .collect();
        super::show::write_json(path, &json!(rows))?;
    }
    if let Some(path) = &options.junit {
        std::fs::write(path, junit(name, outcomes))
            .with_context(|| format!("--junit {}", path.display()))?;
    }
    Ok(if failed.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// The results as build servers read them.
fn junit(name: &str, outcomes: &[Outcome]) -> String {
    let failed = outcomes.iter().filter(|case| !case.failures.is_empty()).count();
    let mut text = format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuite name=\"{}\" tests=\"{}\" \
         failures=\"{failed}\">\n",
        escaped(name),
        outcomes.len()
    );
    for case in outcomes {
        text += &format!(
            "  <testcase classname=\"{}\" name=\"{}\" time=\"{:.3}\"",
            escaped(name),
            escaped(&case.id),
            case.seconds
        );
        if case.failures.is_empty() {
            text += "/>\n";
            continue;
        }
        let what = escaped(&case.failures.join("; "));
        let position = escaped(&case.position);
        text += &format!(
            ">\n    <failure message=\"{what}\">position {position}</failure>\n  </testcase>\n"
        );
    }
    text + "</testsuite>\n"
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}
