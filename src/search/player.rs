//! Players: what they are asked, what they report, and what they answer.

use std::ops::ControlFlow;
use std::time::Duration;

use super::control::{Control, Limits};
use crate::game::{Game, OptionValues, Random, Situation};

/// Chooses moves: an engine, or one of the simple reference players.
pub trait Player<G: Game>: Send {
    /// Chooses a move for the seat whose turn it is. `report` may be called any number of times;
    /// the last [`Info`] before the return has an exact score. `None` only if there is no move.
    ///
    /// The search is deterministic with one thread and a limit of depth or nodes.
    fn choose(
        &mut self,
        situation: &Situation<G>,
        request: &Request<G::Move>,
        report: &mut dyn FnMut(Report<G::Move>),
    ) -> Option<Choice<G::Move>>;

    /// Forgets everything learnt in the game so far.
    fn new_game(&mut self) {}

    /// Does what the first search of a game would otherwise do on its clock: starts threads, touches
    /// memory. The game has as many seats as `position`. Takes a quarter of a second at most, and
    /// next to nothing if it was asked before.
    fn get_ready(&mut self, position: &G) {
        let _ = position;
    }
}

/// What a player is asked.
#[derive(Clone, Debug)]
pub struct Request<M> {
    /// What bounds the search.
    pub limits: Limits,
    /// Only these moves may be chosen; `None` allows all.
    pub search_moves: Option<Vec<M>>,
    /// How many best lines to report, at least 1. All are of one depth, but with `usize::MAX` every
    /// move is reported with the last value that was found, also by a depth that was not finished.
    pub multi_pv: usize,
    /// Stops the search from outside.
    pub control: Control,
}

impl<M: PartialEq> Request<M> {
    /// A request with only limits, starting now.
    #[must_use]
    pub fn new(limits: Limits) -> Self {
        Request { limits, search_moves: None, multi_pv: 1, control: Control::default() }
    }

    /// Whether a root move may be chosen.
    #[must_use]
    pub fn allows(&self, m: &M) -> bool {
        self.search_moves.as_ref().is_none_or(|list| list.contains(m))
    }
}

/// A message of a player while it searches.
#[derive(Clone, Debug)]
pub enum Report<M> {
    /// An `info` line.
    Info(Info<M>),
    /// An `info string` line.
    Text(String),
    /// An option that cannot be used: the player goes on without it.
    BadOption(String),
}

/// The result of an iteration, as an `info` line reports it.
#[derive(Clone, Debug)]
pub struct Info<M> {
    /// Depth in plies.
    pub depth: u32,
    /// Greatest depth reached.
    pub seldepth: u32,
    /// 1 for the best line, 2 for the second, ...
    pub multipv: usize,
    /// The value for the seat to move.
    pub score: Score,
    /// Whether the value is exact.
    pub bound: Bound,
    /// Win, draw and loss of the seat to move in permille.
    pub wdl: Option<[u16; 3]>,
    /// Permille of first place for every seat, ties shared.
    pub shares: Option<Vec<u16>>,
    /// Nodes so far.
    pub nodes: u64,
    /// Permille of the transposition table in use.
    pub hashfull: u16,
    /// Time so far.
    pub time: Duration,
    /// The expected moves, the chosen one first.
    pub pv: Vec<M>,
}

impl<M> Info<M> {
    /// An exact value for one line; the rest zero or absent.
    #[must_use]
    pub fn new(depth: u32, score: Score, pv: Vec<M>) -> Self {
        Info {
            depth,
            seldepth: depth,
            multipv: 1,
            score,
            bound: Bound::Exact,
            wdl: None,
            shares: None,
            nodes: 0,
            hashfull: 0,
            time: Duration::ZERO,
            pv,
        }
    }
}

/// A value for the seat to move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Score {
    /// Hundredths of a unit of evaluation.
    Cp(i32),
    /// A forced result in this many plies; negative when the seat to move loses. `Mate(0)`: lost.
    Mate(i32),
}

impl Score {
    /// The score of a game that is drawn after so many plies: a result beyond them is never reached.
    #[must_use]
    pub fn within(self, plies_left: Option<usize>) -> Self {
        match (self, plies_left) {
            (Score::Mate(plies), Some(left)) if plies.unsigned_abs() as usize > left => {
                Score::Cp(0)
            }
            _ => self,
        }
    }
}

/// Whether a value is exact or a bound.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Bound {
    /// The value itself.
    Exact,
    /// At least this.
    Lower,
    /// At most this.
    Upper,
}

/// A chosen move, and the answer the player expects to it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Choice<M> {
    /// The move to play.
    pub best: M,
    /// The move to ponder on.
    pub ponder: Option<M>,
}

/// What a player is built with. A change of any of these builds a new player.
#[derive(Clone, Debug)]
pub struct Settings {
    /// MiB for tables; 0 for none.
    pub hash: usize,
    /// Search threads; 0 to search on the calling thread ([`PvsPlayer::new`](super::PvsPlayer::new)).
    pub threads: usize,
    /// Seed of everything random; never 0.
    pub seed: u64,
    /// All option values, the game's own among them.
    pub options: OptionValues,
}

/// MiB for tables where nothing else is asked for; in a web page memory is short.
pub const DEFAULT_HASH: usize = if cfg!(target_arch = "wasm32") { 16 } else { 64 };

impl Default for Settings {
    fn default() -> Self {
        Settings { hash: DEFAULT_HASH, threads: 1, seed: 1, options: OptionValues::default() }
    }
}

/// Plays random moves, by [`Game::random_move`].
#[derive(Clone, Debug)]
pub struct RandomPlayer {
    random: Random,
}

impl RandomPlayer {
    /// A player whose choices follow from the seed.
    #[must_use]
    pub fn new(seed: u64) -> Self {
        RandomPlayer { random: Random::new(seed) }
    }
}

impl<G: Game> Player<G> for RandomPlayer {
    fn choose(
        &mut self,
        situation: &Situation<G>,
        request: &Request<G::Move>,
        report: &mut dyn FnMut(Report<G::Move>),
    ) -> Option<Choice<G::Move>> {
        let best = match &request.search_moves {
            None => situation.position().random_move(&mut self.random)?,
            Some(list) => {
                let index = self.random.below(list.len() as u64) as usize;
                list.get(index).cloned().or_else(|| first_move(situation.position()))?
            }
        };
        report(Report::Info(Info::new(1, Score::Cp(0), vec![best.clone()])));
        Some(Choice { best, ponder: None })
    }
}

fn first_move<G: Game>(position: &G) -> Option<G::Move> {
    position.for_each_move(ControlFlow::Break).break_value()
}
