//! Tables and results as JSON, shared by all subcommands.

use std::path::Path;

use anyhow::Result;
use comfy_table::{CellAlignment, ContentArrangement, Table, presets};
use serde_json::Value;

use super::lock;
use crate::printing::json_escaped;

/// Writes results into the file of `--json`.
///
/// # Errors
/// When it cannot be written.
pub(crate) fn write_json(path: &Path, value: &Value) -> Result<()> {
    let text = json_escaped(&serde_json::to_string_pretty(value)?).into_owned() + "\n";
    lock::write(path, "--json", text)
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
