//! The one list of games, and what a game must bring to be on it.

pub mod barbarossa;
pub mod barca;
pub mod chowka_bhara;
pub mod pacru;
pub mod porrika;

use crate::game::{Chance, Hidden, Notation, OptionSpec, Rules};
use crate::search::{Player, Settings};

/// A game that can be put behind the protocol: rules, text, players, positions to measure with.
pub trait Playable: Chance + Hidden + Notation + Rules {
    /// One lower-case word: the name of the program and of the engine.
    const NAME: &'static str;

    /// The title of the game as people write it.
    const TITLE: &'static str;

    /// The values of option `Player`; the first is `engine`, the second `random`.
    const PLAYERS: &'static [&'static str];

    /// A player by its name in [`Playable::PLAYERS`]; any other name gives the engine.
    fn player(name: &str, settings: &Settings) -> Box<dyn Player<Self>>;

    /// Options of the engine's play that are no rules (tables, diagram style, ...).
    fn engine_options() -> Vec<OptionSpec> {
        Vec::new()
    }

    /// The static evaluation, explained in lines for people; the last is `score cp N`.
    fn explain_evaluation(&self) -> String;

    /// What `bench` searches, in order.
    fn bench() -> Vec<BenchPosition>;

    /// Words of the game's own for the command line (`solve`, ...).
    fn words() -> Vec<Word> {
        Vec::new()
    }
}

/// One search of `bench`.
#[derive(Clone, Debug)]
pub struct BenchPosition {
    /// Rule options as `Name=value`, separated by spaces.
    pub rules: &'static str,
    /// What follows `position`: `startpos moves ...` or `fen ...`.
    pub position: &'static str,
    /// Depth searched by default.
    pub depth: u32,
}

/// A word of a game's own for the command line.
pub struct Word {
    /// Its clap description: name, arguments, help with examples.
    pub command: clap::Command,
    /// Runs it.
    pub run: fn(&clap::ArgMatches) -> anyhow::Result<()>,
}
