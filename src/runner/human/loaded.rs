//! Where a game begins: a position line, or a record.

use std::path::Path;

use anyhow::Result;

use crate::runner::process::Specification;
use crate::runner::tournament::record::{self, Move};
use crate::runner::tournament::recorded_referee;

/// Where a game begins.
pub(super) struct Loaded {
    /// `startpos` or `fen ...`.
    pub(super) start: String,
    pub(super) moves: Vec<Move>,
    /// The engine that plays.
    pub(super) engine: Specification,
    /// The rule options of a file.
    pub(super) rules: Vec<String>,
}

impl Loaded {
    /// From a position line.
    pub(super) fn position(text: &str, engine: Specification) -> Self {
        let text = text.strip_prefix("position ").unwrap_or(text);
        let (start, tokens) = text.split_once(" moves ").unwrap_or((text, ""));
        let played = |token: &str| Move { token: token.to_owned(), ..Move::default() };
        Loaded {
            start: start.to_owned(),
            moves: tokens.split_whitespace().map(played).collect(),
            engine,
            rules: Vec::new(),
        }
    }

    /// From a file of records, with an engine or a game of this program.
    ///
    /// # Errors
    /// When there is no such game in the file, or no engine for it.
    pub(super) fn read(
        path: &Path,
        game: u64,
        engine: Option<Specification>,
        built_in: &[&str],
    ) -> Result<Self> {
        let (header, record) = record::find(path, game)?;
        let (engine, rules) = recorded_referee::find(&header, engine, built_in)?;
        Ok(Loaded { start: record.start, moves: record.moves, engine, rules })
    }
}
