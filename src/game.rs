//! What a game is: seats, turns, chance, secrets, results.
//!
//! This module knows no protocol and no search. A game implements [`Game`] (its rules), [`Chance`]
//! (its dice, an empty `impl` for games without), [`Hidden`] (its secrets, likewise), [`Rules`]
//! (its options and starting position) and [`Notation`] (its text).
//! Everything that changes a position is one *move*: a move of a piece, a set-up, a throw, a secret
//! choice, an answer, a pass.

mod battery;
mod notation;
mod options;
mod outcome;
mod perft;
mod random;
mod seat;
mod situation;

use std::fmt::Debug;
use std::hash::Hash;
use std::ops::ControlFlow;

pub use battery::{Battery, Contradiction, Symmetry, Testable, rule_sets};
pub use notation::{DiagramStyle, LIST_LIMIT, MoveList, Notation, NotationError};
pub use options::{OptionError, OptionKind, OptionSpec, OptionValues, Rules};
pub use outcome::Outcome;
pub use perft::{Unlisted, divide, perft};
pub use random::{Random, multiply_shift, splitmix64};
pub use seat::{MAX_SEATS, Seat, Turn};
pub use situation::{History, Situation};

/// The rules of a game and nothing else: no history, no evaluation, no text.
///
/// A value of the type is one position. Whatever rule options are in force are part of it (a few
/// bytes), so that a position alone decides its moves and its result.
pub trait Game: Clone + Eq + Hash + Debug + Send + Sync + 'static {
    /// One change of state. What a search driver searches is `Copy` and small; deals and free text
    /// need not be.
    type Move: Clone + Eq + Hash + Debug + Send + Sync + 'static;

    /// The number of seats, 2 to [`MAX_SEATS`].
    fn seats(&self) -> usize;

    /// Who decides next.
    fn turn(&self) -> Turn;

    /// Calls `visit` with every legal move once (at a chance node: with every outcome), in a fixed
    /// order, and stops as soon as it breaks. Moves that lead to the same position by another
    /// spelling are visited once.
    fn for_each_move<B>(&self, visit: impl FnMut(Self::Move) -> ControlFlow<B>) -> ControlFlow<B>;

    /// Whether `for_each_move` tells every legal move, see [`Extent`].
    fn extent(&self) -> Extent {
        Extent::Listed
    }

    /// Whether a move is legal here; never by listing the moves.
    fn is_legal(&self, m: &Self::Move) -> bool;

    /// How many moves `for_each_move` visits.
    fn count_moves(&self) -> u64 {
        let mut count = 0;
        let _ = self.for_each_move::<()>(|_| {
            count += 1;
            ControlFlow::Continue(())
        });
        count
    }

    /// Makes a legal move.
    fn play(&mut self, m: &Self::Move);

    /// The result, once the position itself ends the game; `None` while it goes on.
    fn outcome(&self) -> Option<Outcome>;

    /// One hyphenated word that says why the game is over, such as `watering-holes`.
    fn reason(&self) -> Option<&'static str>;

    /// A 64-bit key of everything that decides how the game can continue: equal positions have
    /// equal keys, and different ones almost always different keys. A game that updates its key
    /// with every move returns it here; the default computes it each time.
    fn key(&self) -> u64 {
        self.fresh_key()
    }

    /// The same key, computed from the contents of the position alone. Tests compare it with
    /// [`Game::key`], so it must not use a key that moves update.
    fn fresh_key(&self) -> u64;

    /// The result if this position stands for the third time; `None` where repetition means nothing.
    fn repetition(&self) -> Option<Outcome> {
        None
    }

    /// Scores as the players count them, one a seat, in games that have any.
    fn points(&self) -> Option<Vec<i64>> {
        None
    }

    /// A legal move as the game's own random player chooses it: uniform unless the game says
    /// otherwise. `None` when the game is over or the moves cannot be known.
    fn random_move(&self, random: &mut Random) -> Option<Self::Move> {
        let count = self.count_moves();
        if count == 0 {
            return None;
        }
        let mut left = random.below(count);
        let found = self.for_each_move(|m| {
            if left == 0 {
                return ControlFlow::Break(m);
            }
            left -= 1;
            ControlFlow::Continue(())
        });
        found.break_value()
    }

    /// Every legal move in a vector, for callers that are in no hurry.
    fn moves(&self) -> Vec<Self::Move> {
        let mut moves = Vec::new();
        let _ = self.for_each_move::<()>(|m| {
            moves.push(m);
            ControlFlow::Continue(())
        });
        moves
    }
}

/// Whether the moves of a position can be told one by one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Extent {
    /// `for_each_move` visits every move.
    Listed,
    /// Far too many to list (a deal of words); `is_legal` and `random_move` still work.
    Many,
    /// Another seat's secret decision, seen from a view.
    Hidden,
}

/// The outcomes of a chance node.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Chances<M> {
    /// Every outcome with its integer weight, in a fixed order; empty where nothing is thrown.
    Listed(Vec<(M, u64)>),
    /// Too many to list; [`Chance::throw`] is the game's own function.
    Many,
    /// The viewer cannot know them.
    Hidden,
}

/// The dice of a game. Games without dice implement it with an empty body.
pub trait Chance: Game {
    /// Whether anything is ever thrown or dealt.
    const DICE: bool = false;

    /// The outcomes at a chance node.
    fn chances(&self) -> Chances<Self::Move> {
        Chances::Listed(Vec::new())
    }

    /// The outcome for a 64-bit seed: with `W` the sum of the weights and
    /// `r = (splitmix64(seed) * W) >> 64`, the first outcome whose running weight exceeds `r`.
    /// Nothing else of the position matters.
    fn throw(&self, seed: u64) -> Option<Self::Move> {
        let Chances::Listed(outcomes) = self.chances() else {
            return None;
        };
        let total = outcomes.iter().map(|(_, weight)| weight).sum();
        let mut left = multiply_shift(splitmix64(seed), total);
        for (m, weight) in outcomes {
            if left < weight {
                return Some(m);
            }
            left -= weight;
        }
        None
    }
}

/// The secrets of a game. Games without secrets implement it with an empty body.
///
/// A view is the same state type with unknown fields, so that the rules are written once.
pub trait Hidden: Game {
    /// Whether the game has secrets at all.
    const SECRETS: bool = false;

    /// The position as `seat` may see it.
    fn view(&self, _seat: Seat) -> Self {
        self.clone()
    }

    /// The move as `seat` may see it; `self` is the position before the move.
    fn mask(&self, m: &Self::Move, _seat: Seat) -> Self::Move {
        m.clone()
    }

    /// Whose view this position is; `None` if it sees everything.
    fn viewer(&self) -> Option<Seat> {
        None
    }
}
