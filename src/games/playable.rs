//! What a game must bring, beyond its rules and its text, to be put behind the protocol.

use crate::game::{Chance, Game, Hidden, Notation, OptionSpec, OptionValues, Rules};
use crate::search::{Player, Settings};

/// A game that can be put behind the protocol: rules, text, players, positions to measure with.
pub trait Playable: Chance + Hidden + Notation + Rules {
    /// One lower-case word: the name of the program and of the engine.
    const NAME: &'static str;

    /// The title of the game as people write it.
    const TITLE: &'static str;

    /// The players that option `Player` offers; the first is `engine`, the second `random`.
    const PLAYERS: &'static [NamedPlayer<Self>];

    /// The names in [`Playable::PLAYERS`], in their order.
    fn player_names() -> Vec<&'static str> {
        Self::PLAYERS.iter().map(|player| player.name).collect()
    }

    /// The entry of [`Playable::PLAYERS`] with that name.
    ///
    /// # Errors
    /// When the game has no player of that name.
    fn find_player(name: &str) -> Result<&'static NamedPlayer<Self>, UnknownPlayer> {
        Self::PLAYERS
            .iter()
            .find(|player| player.name == name)
            .ok_or_else(|| UnknownPlayer { name: name.into(), known: Self::player_names() })
    }

    /// A new player by its name in [`Playable::PLAYERS`].
    ///
    /// # Errors
    /// When the game has no player of that name.
    fn player(name: &str, settings: &Settings) -> Result<Box<dyn Player<Self>>, UnknownPlayer> {
        Ok(Self::find_player(name)?.make(settings))
    }

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

    /// Subcommands that only this game has (`solve`, ...).
    #[cfg(feature = "engine")]
    fn subcommands() -> Vec<Subcommand> {
        Vec::new()
    }
}

/// A player and its name: a name without a player cannot be written down.
#[derive(Debug)]
pub struct NamedPlayer<G: Game> {
    name: &'static str,
    make: fn(&Settings) -> Box<dyn Player<G>>,
}

impl<G: Game> NamedPlayer<G> {
    /// An entry of [`Playable::PLAYERS`].
    #[must_use]
    pub const fn new(name: &'static str, make: fn(&Settings) -> Box<dyn Player<G>>) -> Self {
        NamedPlayer { name, make }
    }

    /// A new player with the given settings.
    #[must_use]
    pub fn make(&self, settings: &Settings) -> Box<dyn Player<G>> {
        (self.make)(settings)
    }
}

/// The error of a name that no player of the game has.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("no player '{name}'; there are {}", known.join(" "))]
pub struct UnknownPlayer {
    name: String,
    known: Vec<&'static str>,
}

/// What is done with whichever game a name stands for.
pub trait GameVisitor {
    /// What comes of it.
    type Output;

    /// Called with the game.
    fn visit<G: Playable>(self) -> Self::Output;
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

/// A subcommand that only one game has.
#[cfg(feature = "engine")]
pub struct Subcommand {
    /// Its clap description: name, arguments, help with examples.
    pub command: clap::Command,
    /// Runs it.
    pub run: fn(&clap::ArgMatches) -> anyhow::Result<()>,
}
