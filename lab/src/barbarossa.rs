//! Barbarossa: the table of words.

mod knowledge;

use clap::Subcommand;

/// What can be made.
#[derive(Subcommand, Debug)]
pub enum Command {
    #[command(subcommand)]
    Knowledge(knowledge::Command),
}

impl Command {
    /// Does the work.
    pub fn run(self) -> anyhow::Result<()> {
        match self {
            Command::Knowledge(command) => command.run(),
        }
    }
}
