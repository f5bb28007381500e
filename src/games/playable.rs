//! What a game needs, beyond its rules and its text, to be played over the protocol.

use std::ops::ControlFlow;

use crate::game::{Chance, Check, Game, Hidden, Notation, OptionSpec, OptionValues, Rules, Spin};
use crate::search::{FULL_LEVEL, Ladder, LevelPlayer, MoveKinds, Player, Settings, Strength};

/// The option, common to all engines, of games that have an opening book.
#[cfg_attr(not(feature = "all-games"), allow(dead_code))]
pub(crate) const OWN_BOOK: Check =
    Check::new("OwnBook", false, "play from an opening book where there is one");

/// The option of games that have networks.
#[cfg_attr(not(feature = "all-games"), allow(dead_code))]
pub(crate) const PORTABLE: Check = Check::new(
    "Portable",
    false,
    "use no instructions that only some processors have; results are the same",
);

/// The option of every engine by which people choose how strong it plays.
pub(crate) const LEVEL: Spin = Spin::new(
    "Level",
    FULL_LEVEL as i64,
    1,
    FULL_LEVEL as i64,
    "how strong the engine plays: 1 for a beginner, 10 for all it can",
);

/// The options by which GUIs choose it.
pub(crate) const LIMIT_STRENGTH: Check =
    Check::new("UCI_LimitStrength", false, "play as strong as UCI_Elo says");
const ELO: Spin = Spin::new("UCI_Elo", 0, 0, 0, "strength on a scale with random play at 0");

/// `UCI_Elo` with the range that the levels of a game cover, where it was measured.
#[cfg(feature = "session")]
pub(crate) fn elo_option(ladder: &Ladder) -> Option<OptionSpec> {
    let elo = ladder.elo?.map(i64::from);
    let (min, default, max) = (elo[0], elo[2], elo[FULL_LEVEL - 2]);
    Some(OptionSpec { kind: crate::game::OptionKind::Spin { default, min, max }, ..ELO.spec() })
}

/// The strength that the options ask for; `None` for that of the whole engine.
fn strength(ladder: &Ladder, options: &OptionValues) -> Option<Strength> {
    // A library user may declare no options of strength.
    options.find("Level")?;
    if ladder.elo.is_some() && LIMIT_STRENGTH.get(options) {
        return ladder.at_elo(ELO.get(options) as u16);
    }
    ladder.level(LEVEL.get(options) as usize)
}

/// With feature `picture`, every game that can be played can be shown.
#[cfg(feature = "picture")]
pub trait Pictured: crate::game::Picture {}

#[cfg(feature = "picture")]
impl<G: crate::game::Picture> Pictured for G {}

/// With feature `picture`, every game that can be played can be shown.
#[cfg(not(feature = "picture"))]
pub trait Pictured {}

#[cfg(not(feature = "picture"))]
impl<G> Pictured for G {}

/// A game that can be played over the protocol: rules, text, players, positions to measure with.
pub trait Playable: Chance + Hidden + Notation + Rules + Pictured {
    /// One lower-case word: the name of the program and of the engine.
    const NAME: &'static str;

    /// The title of the game as people write it.
    const TITLE: &'static str;

    /// The rules as a newcomer needs them to begin, in the subset of Markdown that a terminal can show:
    /// at most 50 lines of 78 columns. The code in its section "Example" is the beginning of a game.
    const SHORT_RULES: &'static str;

    /// The course for newcomers: [`Lessons`](crate::picture::Lessons) as JSON.
    const LESSONS: Option<&'static str> = None;

    /// The puzzles from the easiest on, one [`Puzzle`](crate::picture::Puzzle) as JSON a line.
    const PUZZLES: Option<&'static str> = None;

    /// What the examples of the help add so that a seat is to move in the first position, with a blank
    /// before it.
    const EXAMPLE_OPTIONS: &'static str = "";

    /// The players that option `Player` offers; the first is `engine`, the second `random`.
    const PLAYERS: &'static [NamedPlayer<Self>];

    /// How strong the levels are; `None` where the game's own player knows levels.
    const LADDER: Option<&'static Ladder> = None;

    /// The player whose strength the levels limit.
    const LIMITED_PLAYER: &'static str = "engine";

    /// Options of the game below full strength: off is what depends on time.
    const LIMITED_OPTIONS: &'static [(&'static str, &'static str)] = &[];

    /// Whether a move is noisy: people see it before quiet ones.
    fn is_noisy(&self, m: &Self::Move) -> bool {
        let _ = m;
        false
    }

    /// Calls `visit` with every move that may win at once, with or without others. A game with many moves
    /// that cannot leaves them out.
    fn for_each_possible_win(
        &self,
        visit: &mut dyn FnMut(Self::Move) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        self.for_each_move(visit)
    }

    /// Calls a function with every move after which the mover may win with its next move, whatever the
    /// others do, and perhaps with others, until it breaks.
    fn for_each_attack(
        &self,
        visit: &mut dyn FnMut(Self::Move) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        self.for_each_move(visit)
    }

    /// Calls a function with every move after which the next seat may not win at once, and perhaps with
    /// others, until it breaks.
    fn for_each_defence(
        &self,
        visit: &mut dyn FnMut(Self::Move) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        self.for_each_move(visit)
    }

    /// The names in [`Playable::PLAYERS`], in their order.
    #[must_use]
    fn player_names() -> Vec<&'static str> {
        const { names(Self::PLAYERS) }.into_iter().flatten().collect()
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
        let player = Self::find_player(name)?;
        let limited = |ladder| Some((ladder, strength(ladder, &settings.options)?));
        match Self::LADDER.and_then(limited) {
            Some((ladder, strength)) if name == "engine" => {
                Ok(Box::new(Self::limited(ladder, strength, settings)))
            }
            _ => Ok(player.make(settings)),
        }
    }

    /// The game's [`Playable::LIMITED_PLAYER`] at a strength. It uses one thread and nothing that time decides.
    #[must_use]
    fn limited(
        ladder: &'static Ladder,
        strength: Strength,
        settings: &Settings,
    ) -> LevelPlayer<Self> {
        let mut settings = Settings {
            threads: settings.threads.min(1),
            hash: settings.hash.min(16),
            ..settings.clone()
        };
        for (name, value) in Self::LIMITED_OPTIONS {
            // Without declarations there is no option to set, and its default is off.
            let _ = settings.options.set(name, value);
        }
        let engine = const { named(Self::PLAYERS, Self::LIMITED_PLAYER) }.make(&settings);
        let kinds = MoveKinds {
            is_noisy: Self::is_noisy,
            possible_wins: Self::for_each_possible_win,
            attacks: Self::for_each_attack,
            defences: Self::for_each_defence,
        };
        LevelPlayer::new(engine, ladder, strength, settings.seed, kinds)
    }

    /// Options of the game's engine that are not rules (tables, style of play, ...).
    #[must_use]
    fn engine_options() -> Vec<OptionSpec> {
        Vec::new()
    }

    /// Applies options that concern the whole process; called whenever one was set.
    fn configure(options: &OptionValues) {
        let _ = options;
    }

    /// The static evaluation, explained in lines; the last is `score cp N`.
    fn explain_evaluation(&self) -> String;

    /// What a move of the position was understood to mean, where its text leaves that open: told to
    /// the client as `info string`.
    fn interpretation(&self, m: &Self::Move) -> Option<String> {
        let _ = m;
        None
    }

    /// What `bench` searches, in order.
    fn bench() -> Vec<BenchPosition>;
}

/// A player and its name in one entry, so that no name is without a player.
#[derive(Debug)]
pub struct NamedPlayer<G: Game> {
    name: &'static str,
    make: fn(&Settings) -> Box<dyn Player<G>>,
}

/// Their names alone, so that a referee, which offers the players, has none of them in the program.
const fn names<G: Game>(players: &[NamedPlayer<G>]) -> [Option<&'static str>; 16] {
    let (mut names, mut at) = ([None; 16], 0);
    while at < players.len() {
        names[at] = Some(players[at].name);
        at += 1;
    }
    names
}

/// The player of a name that the game has.
const fn named<G: Game>(players: &'static [NamedPlayer<G>], name: &str) -> &'static NamedPlayer<G> {
    let mut at = 0;
    while !is_same(players[at].name.as_bytes(), name.as_bytes()) {
        at += 1;
    }
    &players[at]
}

const fn is_same(one: &[u8], other: &[u8]) -> bool {
    match (one.split_first(), other.split_first()) {
        (Some((a, one)), Some((b, other))) => *a == *b && is_same(one, other),
        (None, None) => true,
        _ => false,
    }
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

/// Work that is generic over the game, for [`with_game`](super::with_game).
pub trait GameVisitor {
    /// The result.
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

/// A subcommand that only one game's program has.
#[cfg(feature = "engine")]
pub struct Subcommand {
    /// Its clap description: name, arguments, help with examples.
    pub command: clap::Command,
    /// Runs it.
    pub run: fn(&clap::ArgMatches) -> anyhow::Result<()>,
}
