//! Barbarossa: the table of words; whole games in one process, with statistics.

mod bench_match;
mod knowledge;
mod match_statistics;

use clap::Subcommand;

/// What can be made or measured.
#[derive(Subcommand, Debug)]
pub enum Command {
    BenchMatch(bench_match::BenchMatch),
    #[command(subcommand)]
    Knowledge(knowledge::Command),
}

impl Command {
    /// Does the work.
    pub fn run(self) -> anyhow::Result<()> {
        match self {
            Command::BenchMatch(bench_match) => bench_match.run(),
            Command::Knowledge(command) => command.run(),
        }
    }
}
