//! The results of a suite as text, as JSON and as JUnit XML.

use std::process::ExitCode;

use anyhow::{Context, Result};
use comfy_table::{Table, presets};
use serde_json::json;

use super::{CaseResult, SuiteOptions};
use crate::files;
use crate::printing::print;
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
        write_json(path, &json!(rows))?;
    }
    if let Some(path) = &options.junit {
        files::write(path, junit(name, outcomes))
            .with_context(|| format!("--junit {}", path.display()))?;
    }
    Ok(if failed.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// The results as JUnit XML, for build servers.
fn junit(name: &str, outcomes: &[CaseResult]) -> String {
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
