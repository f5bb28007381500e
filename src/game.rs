//! What a game is: seats, turns, chance, hidden information, results.
//!
//! This module knows no protocol and no search. A game implements [`Game`] (its rules), [`Chance`]
//! (its dice; an empty `impl` for games without), [`Hidden`] (its hidden information; likewise),
//! [`Rules`] (its rule options and starting position) and [`Notation`] (its text).
//! Everything that changes a position is one *move*: a move of a piece, a set-up, a throw, a secret
//! choice, an answer, a pass.
//!
//! ```
//! use std::ops::ControlFlow;
//!
//! use parlor::game::{Game, Outcome, Random, Seat, Situation, Turn, perft};
//!
//! /// A heap: take one to three; whoever takes the last wins.
//! #[derive(Clone, PartialEq, Eq, Hash, Debug)]
//! struct Heap {
//!     left: u8,
//!     mover: usize,
//! }
//!
//! impl Game for Heap {
//!     type Move = u8;
//!     fn seats(&self) -> usize { 2 }
//!     fn turn(&self) -> Turn {
//!         if self.left == 0 { Turn::Over } else { Turn::Seat(Seat::new(self.mover)) }
//!     }
//!     fn for_each_move<B>(&self, visit: impl FnMut(u8) -> ControlFlow<B>) -> ControlFlow<B> {
//!         (1..=self.left.min(3)).try_for_each(visit)
//!     }
//!     fn is_legal(&self, m: &u8) -> bool { (1..=self.left.min(3)).contains(m) }
//!     fn play(&mut self, m: &u8) {
//!         self.left -= m;
//!         self.mover = 1 - self.mover;
//!     }
//!     fn outcome(&self) -> Option<Outcome> {
//!         (self.left == 0).then(|| Outcome::win(2, Seat::new(1 - self.mover)))
//!     }
//!     fn reason(&self) -> Option<&'static str> { (self.left == 0).then_some("last-taken") }
//!     fn fresh_key(&self) -> u64 { u64::from(self.left) << 1 | self.mover as u64 }
//! }
//!
//! let start = Heap { left: 5, mover: 0 };
//! assert_eq!(perft(&start, 2, true), Ok(8));
//! let mut game = Situation::new(start);
//! let mut random = Random::new(1);
//! while let Some(m) = game.position().random_move(&mut random) {
//!     game.play(&m);
//! }
//! assert_eq!(game.reason(), Some("last-taken"));
//! ```

mod notation;
mod options;
mod outcome;
mod perft;
#[cfg(feature = "picture")]
pub mod picture;
mod rule_checks;
mod rules;
mod seat;
mod situation;

use std::fmt::Debug;
use std::hash::Hash;
use std::ops::ControlFlow;

pub use crate::random::{Random, multiply_shift, splitmix64};
pub use notation::{LIST_LIMIT, MoveList, Notation, NotationError, quoted};
pub use options::{Check, Combo, OptionError, OptionKind, OptionSpec, OptionValues, Spin, Text};
pub use outcome::Outcome;
pub use perft::{Unlisted, divide, perft, perft_until};
#[cfg(feature = "picture")]
pub use picture::{Picture, StepError};
pub use rule_checks::{Contradiction, RuleChecks, Symmetry, Testable, rule_sets};
pub use rules::Rules;
pub use seat::{MAX_SEATS, Seat, Turn};
pub use situation::{History, KeyHasher, Situation};

/// The rules of a game and nothing else: no history, no evaluation, no text.
///
/// A value of the type is one position. It includes the values of its rule options (a few bytes), so
/// that a position alone decides its legal moves and its result.
pub trait Game: Clone + Eq + Hash + Debug + Send + Sync + 'static {
    /// One change of state. Moves for search drivers must be `Copy` and small; deals and free text
    /// need not be.
    type Move: Clone + Eq + Hash + Debug + Send + Sync + 'static;

    /// The number of seats, 2 to [`MAX_SEATS`].
    fn seats(&self) -> usize;

    /// Who decides next.
    fn turn(&self) -> Turn;

    /// Calls `visit` with every legal move once (at a chance node: with every outcome), in a fixed
    /// order, until it breaks. Of several spellings of a move that lead to the same position, only one
    /// is visited.
    fn for_each_move<B>(&self, visit: impl FnMut(Self::Move) -> ControlFlow<B>) -> ControlFlow<B>;

    /// Whether `for_each_move` visits every legal move, see [`MoveListing`].
    fn move_listing(&self) -> MoveListing {
        MoveListing::Listed
    }

    /// Whether a move is legal here. Must not list the moves.
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

    /// The move that `for_each_move` visits after `index` others.
    fn nth_move(&self, index: u64) -> Option<Self::Move> {
        let mut left = index;
        let found = self.for_each_move(|m| {
            if left == 0 {
                return ControlFlow::Break(m);
            }
            left -= 1;
            ControlFlow::Continue(())
        });
        found.break_value()
    }

    /// Makes a legal move.
    fn play(&mut self, m: &Self::Move);

    /// The result, if the position itself ends the game; else `None`.
    fn outcome(&self) -> Option<Outcome>;

    /// Why the game is over, as one hyphenated name such as `watering-holes`.
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

    /// The result if this position occurs for the third time; `None` if the rules ignore repetition.
    fn repetition(&self) -> Option<Outcome> {
        None
    }

    /// The scores of the seats as players count them, in games that have scores.
    fn points(&self) -> Option<Vec<i64>> {
        None
    }

    /// A random legal move; uniform unless the game implements it otherwise. `None` when the game is
    /// over or the moves cannot be known.
    fn random_move(&self, random: &mut Random) -> Option<Self::Move> {
        let count = self.count_moves();
        if count == 0 {
            return None;
        }
        self.nth_move(random.below(count))
    }

    /// Every legal move in a vector, where speed does not matter.
    fn moves(&self) -> Vec<Self::Move> {
        let mut moves = Vec::new();
        let _ = self.for_each_move::<()>(|m| {
            moves.push(m);
            ControlFlow::Continue(())
        });
        moves
    }
}

/// Whether the moves of a position can be listed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum MoveListing {
    /// `for_each_move` visits every move.
    Listed,
    /// There are too many moves to list (a deal of words); `is_legal` and `random_move` still work.
    Many,
    /// A secret decision of another seat, seen from a view.
    Hidden,
}

/// The outcomes of a chance node.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Chances<M> {
    /// Every outcome with its integer weight, in a fixed order; empty if chance does not decide.
    Listed(Vec<(M, u64)>),
    /// Too many to list; the game implements [`Chance::throw`] itself.
    Many,
    /// The viewer cannot know them.
    Hidden,
}

/// The dice of a game. Games without dice implement it with an empty body.
pub trait Chance: Game {
    /// Whether the game has throws or deals.
    const DICE: bool = false;

    /// The outcomes at a chance node.
    fn chances(&self) -> Chances<Self::Move> {
        Chances::Listed(Vec::new())
    }

    /// The outcome for a 64-bit seed: with `W` the sum of the weights and
    /// `r = (splitmix64(seed) * W) >> 64`, the first outcome whose running weight exceeds `r`.
    /// The outcome depends on nothing else.
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

/// The hidden information of a game. Games without secrets implement it with an empty body.
///
/// A view is the same state type with unknown fields, so that the rules are written once.
pub trait Hidden: Game {
    /// Whether the game has hidden information.
    const SECRETS: bool = false;

    /// The position as `seat` may see it.
    fn view(&self, _seat: Seat) -> Self {
        self.clone()
    }

    /// The move as `seat` may see it; `self` is the position before the move.
    fn mask(&self, m: &Self::Move, _seat: Seat) -> Self::Move {
        m.clone()
    }

    /// The seat whose view this position is; `None` if nothing is hidden.
    fn viewer(&self) -> Option<Seat> {
        None
    }
}
