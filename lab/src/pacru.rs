//! Pacru.

mod playouts;

use clap::Subcommand;

/// What can be made or measured.
#[derive(Subcommand, Debug)]
pub enum Command {
    /// Play random games, by rotation class, and print moves per second of processor time
    Playouts(playouts::Playouts),
}

impl Command {
    /// Does the work.
    pub fn run(self) -> anyhow::Result<()> {
        match self {
            Command::Playouts(playouts) => playouts.run(),
        }
    }
}
