//! Where a game begins: a position line, or a record.

use std::path::Path;

use anyhow::{Context, Result};
use serde_json::Value;

use crate::runner::tournament::record::{self, Move};

/// Where a game begins.
pub(super) struct Loaded {
    /// `startpos` or `fen ...`.
    pub(super) start: String,
    pub(super) moves: Vec<Move>,
    /// The engine and the rule options, where a file tells them.
    pub(super) engine: Option<String>,
    pub(super) rules: Vec<String>,
}

impl Loaded {
    /// From a position line.
    pub(super) fn position(text: &str) -> Self {
        let text = text.strip_prefix("position ").unwrap_or(text);
        let (start, tokens) = text.split_once(" moves ").unwrap_or((text, ""));
        let played = |token: &str| Move { token: token.to_owned(), ..Move::default() };
        Loaded {
            start: start.to_owned(),
            moves: tokens.split_whitespace().map(played).collect(),
            engine: None,
            rules: Vec::new(),
        }
    }

    /// From a file of records.
    ///
    /// # Errors
    /// When there is no such game in the file.
    pub(super) fn read(path: &Path, game: u64) -> Result<Self> {
        let (header, record) = record::find(path, game).context("--load")?;
        let texts = |name: &str| -> Vec<String> {
            let list = header.config.get(name).and_then(Value::as_array);
            let texts = list.into_iter().flatten().filter_map(Value::as_str);
            texts.map(str::to_owned).collect()
        };
        Ok(Loaded {
            start: record.start,
            moves: record.moves,
            engine: texts("engines").into_iter().next(),
            rules: texts("rules"),
        })
    }
}
