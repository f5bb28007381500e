//! `parlor merge`: one match from the records of its shards.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Context, Result, bail, ensure};
use clap::Args;

use super::record::{self, Record};
use super::standings::Standings;
use crate::runner::output;

/// Merge the records of the shards of one match.
#[derive(Clone, Debug, Args)]
pub(in crate::runner) struct MergeOptions {
    /// The records of the shards
    #[arg(value_name = "FILE", required = true)]
    records: Vec<PathBuf>,
    /// The file for the whole match, sorted by game
    #[arg(short, long, value_name = "FILE")]
    output: PathBuf,
    /// Write the results as JSON
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
}

/// Merges record files.
///
/// # Errors
/// When they are not of one match, or contradict each other about a game.
pub(in crate::runner) fn run(options: &MergeOptions) -> Result<ExitCode> {
    let first = options.records.first().context("no records given")?;
    let header = record::header(first)?;
    let mut games: BTreeMap<u64, Record> = BTreeMap::new();
    for path in &options.records {
        ensure!(
            record::header(path)? == header,
            "{}: of another match than {}",
            path.display(),
            first.display()
        );
        record::read(path, |record| {
            let number = record.game;
            match games.get(&number) {
                Some(known) if *known != record => {
                    bail!("{}: game {number} differs from one read before", path.display())
                }
                _ => games.insert(number, record),
            };
            Ok(())
        })?;
    }
    let mut standings = Standings::new(&header.engines, header.seats, header.bundles.clone());
    record::write(&options.output, &header, games.values())?;
    games.values().for_each(|record| standings.add(record));
    if let Some(path) = &options.json {
        output::write_json(path, &standings.json())?;
    }
    output::print(&format!("{} games\n{}", standings.games(), standings.table()));
    Ok(ExitCode::SUCCESS)
}
