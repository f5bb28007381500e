//! Shacru and Azacru: endings by an exact reference, matches against rivals.

mod endings;
pub mod exact;
mod playouts;
mod rivals;

use clap::Subcommand;

/// What can be made.
#[derive(Subcommand, Debug)]
pub enum Command {
    Endings(endings::Endings),
    Compare(endings::Compare),
    Rivals(rivals::Rivals),
}

impl Command {
    /// Does the work.
    pub fn run(self) -> anyhow::Result<()> {
        match self {
            Command::Endings(endings) => endings.run(),
            Command::Compare(compare) => compare.run(),
            Command::Rivals(rivals) => rivals.run(),
        }
    }
}
