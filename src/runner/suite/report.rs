//! The results of a suite as text, as JSON and for build servers.

use std::process::ExitCode;

use anyhow::Result;
use comfy_table::{Table, presets};
use serde_json::json;

use super::{CaseResult, SuiteOptions};
use crate::printing::print;
use crate::runner::build_report::{self, BuildCase, Severity};
use crate::runner::output::write_json;

/// Prints and writes the results; the exit code is 1 if any position failed.
pub(super) fn report(
    options: &SuiteOptions,
    name: &str,
    outcomes: &[CaseResult],
) -> Result<ExitCode> {
    let failed: Vec<&CaseResult> =
        outcomes.iter().filter(|case| !case.failures.is_empty()).collect();
    if !failed.is_empty() {
        let mut table = Table::new();
        table.load_preset(presets::NOTHING).set_header(vec!["failed", "what", "position"]);
        for case in &failed {
            table.add_row(vec![&case.id, &case.failures.join("; "), &case.position]);
        }
        print(&table.to_string());
    }
    for case in outcomes {
        if let Some(note) = unknown(case) {
            print(&format!("line {}: {note}", case.line));
        }
    }
    print(&format!("{} of {} positions passed", outcomes.len() - failed.len(), outcomes.len()));
    if let Some(path) = &options.json {
        let rows: Vec<_> = outcomes
            .iter()
            .map(|case| {
                json!({
                    "id": case.id, "position": case.position, "passed": case.failures.is_empty(),
                    "failures": case.failures, "unknown": case.unknown, "seconds": case.seconds,
                })
            })
            .collect();
        write_json(path, &json!(rows))?;
    }
    let cases: Vec<BuildCase> = outcomes.iter().map(build_case).collect();
    build_report::write(options.junit.as_deref(), name, &cases)?;
    Ok(if failed.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// What was left out of a line.
fn unknown(case: &CaseResult) -> Option<String> {
    let opcodes = case.unknown.join(" ");
    (!opcodes.is_empty()).then(|| format!("nothing is asked for the unknown operations {opcodes}"))
}

fn build_case(case: &CaseResult) -> BuildCase {
    let severity = if case.is_broken { Severity::Error } else { Severity::Failure };
    BuildCase {
        name: case.id.clone(),
        seconds: case.seconds,
        found: match case.failures.as_slice() {
            [] => unknown(case).map(|note| (Severity::Note, note)),
            failures => Some((severity, failures.join("; "))),
        },
        detail: format!("position {}", case.position),
        line: Some(case.line),
    }
}
