//! Arguments that commands share.

use std::path::PathBuf;

use anyhow::Context;
use clap::Args;
use parlor::files;

use crate::recording::games::{RecordFormat, RecordedGame, read_games};

// The files of recorded games that a command reads. No doc comment: it would describe the command.
#[derive(Args, Debug)]
pub struct GamesFiles {
    /// Games, one per line, as `record` prints them; may be packed with zstd. Or the directory of
    /// `record --out`
    #[arg(required = true, value_name = "FILE")]
    games: Vec<PathBuf>,
}

impl GamesFiles {
    /// The games of the files, in this order.
    pub fn read<F: RecordFormat>(&self) -> anyhow::Result<Vec<RecordedGame<F>>> {
        let mut games = Vec::new();
        for path in &self.games {
            games.extend(read_games(path)?);
        }
        Ok(games)
    }
}

// The file that a command writes. No doc comment: it would describe the command.
#[derive(Args, Debug)]
pub struct OutFile {
    /// File to write
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
}

impl OutFile {
    /// Writes the file with the bytes that `make` returns. Whether it can be written is found out
    /// before.
    pub fn write(&self, make: impl FnOnce() -> anyhow::Result<Vec<u8>>) -> anyhow::Result<()> {
        let unwritten = || format!("cannot write {}", self.out.display());
        files::ensure_writable(&self.out).with_context(unwritten)?;
        files::write(&self.out, make()?).with_context(unwritten)
    }
}
