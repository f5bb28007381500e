//! One engine process that is given the positions of a suite.

use std::time::{Duration, Instant};

use super::cases::Case;
use super::{CaseResult, SuiteOptions, epd};
use crate::printing::printable;
use crate::protocol::{Dialect, Score};
use crate::runner::process::{Client, Fault, FaultKind, Launcher, Specification};

/// One process that searches positions; it is started when it is needed.
pub(super) struct SuiteWorker<'a> {
    launcher: &'a Launcher,
    engine: &'a Specification,
    options: &'a SuiteOptions,
    number: usize,
    client: Option<Client>,
}

impl<'a> SuiteWorker<'a> {
    pub(super) fn new(
        launcher: &'a Launcher,
        engine: &'a Specification,
        options: &'a SuiteOptions,
        number: usize,
    ) -> Self {
        SuiteWorker { launcher, engine, options, number, client: None }
    }

    /// Ends the process.
    pub(super) fn quit(self) {
        if let Some(client) = self.client {
            client.quit();
        }
    }

    /// Gives one case to the engine.
    pub(super) fn examine(&mut self, case: &Case) -> CaseResult {
        let start = Instant::now();
        let mut failures = Vec::new();
        let fault = self.find_failures(case, &mut failures).err();
        if let Some(fault) = &fault {
            failures.push(fault.to_string());
            self.client = None;
        }
        // Options of one position do not hold for the next.
        if !case.options.is_empty()
            && let Some(client) = self.client.take()
        {
            client.quit();
        }
        CaseResult {
            id: case.id.clone(),
            line: case.line,
            is_broken: fault.is_some(),
            position: case.position.clone(),
            failures,
            unknown: case.unknown.clone(),
            seconds: start.elapsed().as_secs_f64(),
        }
    }

    fn find_failures(&mut self, case: &Case, failures: &mut Vec<String>) -> Result<(), Fault> {
        let mut client = match self.client.take() {
            Some(client) => client,
            None => self.launcher.start(self.engine, &format!("suite-{}", self.number), &[])?,
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
        let errors = client.send_synced(&lines)?;
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
        let found = client.search(&position, &go(self.options, BY_TIME), self.allowance())?;
        let token = printable(&found.token, 60);
        let is_one_of = |moves: &[String]| {
            moves.iter().any(|named| epd::is_move(&case.position, &found.token, named))
        };
        if !case.best.is_empty() && !is_one_of(&case.best) {
            failures.push(format!("bm {}: {token} played", case.best.join(" ")));
        }
        if is_one_of(&case.avoid) {
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
        // Under UCI distances are in moves, and a search for a mate may look for one without end.
        let (distance, default) = match self.engine.dialect {
            Dialect::Ugi => (plies, ""),
            Dialect::Uci => (plies.div_ceil(2), BY_TIME),
        };
        let go = format!("{} mate {distance}", go(self.options, default));
        let found = client.search(&position, &go, self.allowance());
        let found = match found {
            // A side without a move cannot win.
            Err(fault) if fault.kind == FaultKind::Disagreement => {
                failures.push(format!("win {plies}: {}", fault.detail));
                return Ok(());
            }
            found => found?,
        };
        let score = found.info.and_then(|info| info.score);
        let short = |found: i32| found > 0 && found.unsigned_abs() <= distance;
        match score {
            Some(Score::Mate(found)) if short(found) => {}
            Some(Score::Mate(found)) => {
                failures.push(format!("win {plies}: the engine says mate {found}"));
            }
            Some(Score::Centipawns(cp)) => {
                failures.push(format!("win {plies}: the engine says {cp:+} cp"));
            }
            None => failures.push(format!("win {plies}: the engine gives no score")),
        }
        Ok(())
    }
}

/// The limit of a search, if the command line has none.
const BY_TIME: &str = " movetime 1000";

/// The `go` line of a search: the limits of the command line, or `default`.
fn go(options: &SuiteOptions, default: &str) -> String {
    let mut line = "go".to_owned();
    for (limit, value) in [
        ("movetime", options.movetime),
        ("nodes", options.nodes),
        ("depth", options.depth.map(u64::from)),
    ] {
        if let Some(value) = value {
            line += &format!(" {limit} {value}");
        }
    }
    if line == "go" { line + default } else { line }
}
