//! Barbarossa: the table of words, and matches with statistics.

mod bench_match;
mod knowledge;

use clap::Subcommand;

/// What can be made.
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
            Command::BenchMatch(command) => command.run(),
            Command::Knowledge(command) => command.run(),
        }
    }
}
