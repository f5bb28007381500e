//! What an engine of any game can do, as an object-safe trait, so that the session is compiled once.

use std::time::Duration;

use crate::game::{OptionError, OptionSpec, OptionValues};
use crate::protocol::{Code, Dialect, GoArguments, InfoLine, PositionArgument, ProtocolError};
use crate::search::Control;

/// What sessions and subcommands ask of an engine.
pub trait Engine: Send {
    /// The name of the program: one lower-case word.
    fn name(&self) -> &'static str;

    /// The title of the game as people write it.
    fn title(&self) -> &'static str;

    /// All options and their values.
    fn options(&self) -> &OptionValues;

    /// The option that exists under `uci` only.
    fn ponder_option(&self) -> Option<OptionSpec>;

    /// Sets an option. A rule takes effect at the next position.
    fn set_option(&mut self, name: &str, value: Option<&str>) -> Result<(), SetError>;

    /// Forgets what belongs to the game so far.
    fn new_game(&mut self);

    /// Prepares the player of an engine that has searched before, so that the first search of the next
    /// game spends its time on searching.
    fn get_ready(&mut self);

    /// Loads a position; a refusal changes nothing but makes the engine stale.
    fn set_position(&mut self, argument: &PositionArgument) -> Result<(), ProtocolError>;

    /// Plays on from the present position; a refusal changes nothing but makes the engine stale.
    fn append_moves(&mut self, tokens: &[String]) -> Result<(), ProtocolError>;

    /// What the last move was understood to mean, where its text leaves that open.
    fn interpretation(&self) -> Option<String>;

    /// The last `position` was refused before its argument could be read.
    fn make_stale(&mut self);

    /// The answer to a query, without the word `response`.
    fn query(&self, name: &str, arguments: &[String]) -> Result<String, ProtocolError>;

    /// Answers `go`.
    fn search(
        &mut self,
        go: &GoArguments,
        dialect: Dialect,
        control: &Control,
        report: &mut dyn FnMut(Message),
    ) -> Answer;

    /// The board as a diagram, with position text, key and turn.
    fn draw(&self) -> String;

    /// The static evaluation, explained.
    fn evaluate(&self) -> Result<String, ProtocolError>;

    /// Perft of every move; with `bulk` the last ply is counted without being played. `None` if it
    /// was stopped.
    fn perft(
        &self,
        depth: u32,
        bulk: bool,
        control: &Control,
    ) -> Result<Option<MoveCounts>, ProtocolError>;

    /// Searches the fixed positions one after the other; reports each one's nodes. `None` if it was
    /// stopped.
    fn bench(
        &self,
        depth: Option<u32>,
        control: &Control,
        report: &mut dyn FnMut(String),
    ) -> Option<BenchResult>;
}

/// Each first move with the number of sequences that begin with it.
pub type MoveCounts = Vec<(String, u64)>;

/// Why an option was not set.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum SetError {
    /// No such option: only a warning on stderr.
    #[error("unknown option '{0}' skipped")]
    Unknown(String),
    /// A refusal that is sent to the client.
    #[error(transparent)]
    Refused(#[from] ProtocolError),
}

impl From<OptionError> for SetError {
    fn from(error: OptionError) -> Self {
        match error {
            OptionError::Unknown(name) => SetError::Unknown(name),
            OptionError::Value { .. } => {
                ProtocolError::new(Code::BadValue, error.to_string()).into()
            }
        }
    }
}

/// What an engine reports during a search.
#[derive(Clone, Debug)]
pub enum Message {
    /// An `info` line.
    Info(InfoLine),
    /// An `info string` line.
    Text(String),
    /// A refusal.
    Error(ProtocolError),
}

/// The answer to `go`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Answer {
    /// The chosen token; `None` where nothing can be searched.
    pub best: Option<String>,
    /// The answer the engine would ponder on.
    pub ponder: Option<String>,
}

impl Answer {
    pub(super) const NONE: Answer = Answer { best: None, ponder: None };
}

/// The result of `bench`.
#[derive(Clone, Copy, Debug)]
pub struct BenchResult {
    /// The signature: equal on every machine, build and run.
    pub nodes: u64,
    /// How long the searches took.
    pub time: Duration,
}
