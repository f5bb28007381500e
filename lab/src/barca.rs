//! Barca: the network, the opening book.

mod book;
mod record;
mod train;

use clap::Subcommand;

/// What can be made.
#[derive(Subcommand, Debug)]
pub enum Command {
    Record(record::Record),
    Train(train::Train),
    Book(book::Book),
}

impl Command {
    /// Does the work.
    pub fn run(self) -> anyhow::Result<()> {
        match self {
            Command::Record(record) => record.run(),
            Command::Train(train) => train.run(),
            Command::Book(book) => book.run(),
        }
    }
}
