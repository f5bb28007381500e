//! The one list of games, and what a game must bring to be on it.

pub mod barbarossa;
pub mod barca;
pub mod chowka_bhara;
pub mod pacru;
pub mod porrika;
mod recorded;

use crate::game::{Chance, Hidden, Notation, OptionSpec, OptionValues, Rules};
use crate::protocol::xboard::Board;
use crate::search::{Player, Settings};

/// A game that can be put behind the protocol: rules, text, players, positions to measure with.
pub trait Playable: Chance + Hidden + Notation + Rules {
    /// One lower-case word: the name of the program and of the engine.
    const NAME: &'static str;

    /// The title of the game as people write it.
    const TITLE: &'static str;

    /// The values of option `Player`; the first is `engine`, the second `random`.
    const PLAYERS: &'static [&'static str];

    /// What XBoard must be told of the game; `None` where it cannot show it.
    const XBOARD: Option<Board> = None;

    /// A player by its name in [`Playable::PLAYERS`]; any other name gives the engine.
    fn player(name: &str, settings: &Settings) -> Box<dyn Player<Self>>;

    /// Options of the engine's play that are no rules (tables, diagram style, ...).
    fn engine_options() -> Vec<OptionSpec> {
        Vec::new()
    }

    /// Puts options in force that concern the whole process; called whenever one was set.
    fn configure(options: &OptionValues) {
        let _ = options;
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

/// What is done with whichever game a name stands for.
pub trait GameVisitor {
    /// What comes of it.
    type Output;

    /// Called with the game.
    fn visit<G: Playable>(self) -> Self::Output;
}

/// Lists the games; every module has its position type under the name `Position`.
macro_rules! games {
    ($($module:ident),* $(,)?) => {
        /// The names of all games.
        pub const NAMES: &[&str] = &[$(<$module::Position as Playable>::NAME),*];

        /// Calls the visitor with the game of that name, if there is one.
        pub fn with_game<V: GameVisitor>(name: &str, visitor: V) -> Option<V::Output> {
            $(
                if name == <$module::Position as Playable>::NAME {
                    return Some(visitor.visit::<$module::Position>());
                }
            )*
            let _ = (name, visitor);
            None
        }
    };
}

// A game joins the list once it can be played.
games![barca, barbarossa, chowka_bhara, pacru, porrika];

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
