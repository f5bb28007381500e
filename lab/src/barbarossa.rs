//! Barbarossa: whole games in one process, with statistics.

mod bench_match;
mod match_statistics;

use clap::Subcommand;

/// What can be made or measured.
#[derive(Subcommand, Debug)]
pub enum Command {
    BenchMatch(bench_match::BenchMatch),
}

impl Command {
    /// Does the work.
    pub fn run(self) -> anyhow::Result<()> {
        match self {
            Command::BenchMatch(bench_match) => bench_match.run(),
        }
    }
}
