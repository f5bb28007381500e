//! Barca: the network, the opening book, proved wins.

mod book;
mod record;
mod shortest_win;
mod train;
mod wins;

use clap::Subcommand;

/// What can be made.
#[derive(Subcommand, Debug)]
pub enum Command {
    Record(record::Record),
    Train(train::Train),
    Book(book::Book),
    Wins(wins::Wins),
}

impl Command {
    /// Does the work.
    pub fn run(self) -> anyhow::Result<()> {
        match self {
            Command::Record(record) => record.run(),
            Command::Train(train) => train.run(),
            Command::Book(book) => book.run(),
            Command::Wins(wins) => wins.run(),
        }
    }
}
