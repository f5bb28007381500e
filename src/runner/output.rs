//! Printing, shared by all subcommands.

use std::io::{self, ErrorKind, Write};
use std::path::Path;
use std::sync::{Mutex, PoisonError};

use anyhow::{Context, Result};
use comfy_table::{CellAlignment, ContentArrangement, Table, presets};
use serde_json::Value;

use crate::files;

/// The first error of printing, for the exit code.
static FAILURE: Mutex<Option<io::Error>> = Mutex::new(None);

/// Prints a text and a line end. A reader that closed the pipe is no error; any other is kept for
/// [`take_failure`], because what is being worked on may be worth more than what is printed.
pub(crate) fn print(text: &str) {
    let mut out = io::stdout().lock();
    keep_failure(writeln!(out, "{text}").and_then(|()| out.flush()));
}

/// Prints a text with escape sequences for styles; they are left out where standard output is no
/// terminal, or shows no colours.
pub(crate) fn print_styled(text: &str) {
    let mut out = anstream::AutoStream::auto(io::stdout().lock());
    keep_failure(writeln!(out, "{text}").and_then(|()| out.flush()));
}

fn keep_failure(result: io::Result<()>) {
    if let Err(error) = result
        && error.kind() != ErrorKind::BrokenPipe
    {
        FAILURE.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(error);
    }
}

/// Why something could not be printed, as on a full disk.
pub(crate) fn take_failure() -> Option<io::Error> {
    FAILURE.lock().unwrap_or_else(PoisonError::into_inner).take()
}

/// Writes results into the file of `--json`.
///
/// # Errors
/// When it cannot be written.
pub(crate) fn write_json(path: &Path, value: &Value) -> Result<()> {
    let text = serde_json::to_string_pretty(value)? + "\n";
    files::write(path, text).with_context(|| format!("--json {}", path.display()))
}

/// A table without frames.
pub(crate) fn table() -> Table {
    let mut table = Table::new();
    table.load_preset(presets::NOTHING).set_content_arrangement(ContentArrangement::Disabled);
    table
}

/// A table as text: names to the left, figures to the right.
pub(crate) fn aligned(mut table: Table) -> String {
    for (index, column) in table.column_iter_mut().enumerate() {
        if index == 0 {
            column.set_padding((0, 1));
        } else {
            column.set_cell_alignment(CellAlignment::Right);
        }
    }
    let lines: Vec<String> =
        table.to_string().lines().map(|line| line.trim_end().to_owned()).collect();
    lines.join("\n")
}
