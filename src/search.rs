//! Search drivers, generic over the traits of [`crate::game`], and players.
//!
//! A driver knows no game and no protocol. It gets a [`crate::game::Situation`] and a [`Request`],
//! reports [`Info`] while it searches, and returns a [`Choice`]. A game supplies an [`Evaluate`] and,
//! for speed, [`SearchHints`].
//!
//! ```
//! use std::ops::ControlFlow;
//!
//! use parlor::game::{Game, Outcome, Seat, Situation, Turn};
//! use parlor::search::{AlphaBetaPlayer, Evaluate, Limits, Player, Report, Request, Score};
//!
//! /// Take one to three; whoever takes the last wins.
//! #[derive(Clone, PartialEq, Eq, Hash, Debug)]
//! struct Heap(u8, usize);
//!
//! impl Game for Heap {
//!     type Move = u8;
//!     fn seats(&self) -> usize { 2 }
//!     fn turn(&self) -> Turn {
//!         if self.0 == 0 { Turn::Over } else { Turn::Seat(Seat::new(self.1)) }
//!     }
//!     fn for_each_move<B>(&self, visit: impl FnMut(u8) -> ControlFlow<B>) -> ControlFlow<B> {
//!         (1..=self.0.min(3)).try_for_each(visit)
//!     }
//!     fn is_legal(&self, m: &u8) -> bool { (1..=self.0.min(3)).contains(m) }
//!     fn play(&mut self, m: &u8) { *self = Heap(self.0 - m, 1 - self.1) }
//!     fn outcome(&self) -> Option<Outcome> {
//!         (self.0 == 0).then(|| Outcome::win(2, Seat::new(1 - self.1)))
//!     }
//!     fn reason(&self) -> Option<&'static str> { (self.0 == 0).then_some("last-taken") }
//!     fn fresh_key(&self) -> u64 { u64::from(self.0) << 1 | self.1 as u64 }
//! }
//!
//! struct Unknown;
//!
//! impl Evaluate<Heap> for Unknown {
//!     type Acc = ();
//!     fn fresh(&self, _: &Heap) {}
//!     fn score(&self, _: &(), _: &Heap, _: Seat) -> i32 { 0 }
//! }
//!
//! let mut scores = Vec::new();
//! let choice = AlphaBetaPlayer::new(Unknown).choose(
//!     &Situation::new(Heap(7, 0)),
//!     &Request::new(Limits::depth(9)),
//!     &mut |report| if let Report::Info(info) = report { scores.push(info.score) },
//! );
//! assert_eq!(choice.map(|c| c.best), Some(3));
//! assert_eq!(scores.last(), Some(&Score::Mate(3)));
//! ```

pub mod alpha_beta;
pub mod brs;
mod control;
mod deepening;
pub mod dice;
mod difficulty;
mod evaluate;
mod greedy;
mod level;
pub mod maxn;
pub mod mcts;
mod move_list;
pub mod network;
mod ordering;
mod player;
pub mod policy_network;
pub mod pvs;
mod repetition;
pub mod seat_network;
pub mod selfplay;
pub mod star2;
pub mod table;
pub mod value;
pub mod vector_expectimax;
pub mod weight_file;
pub mod weight_text;

pub use alpha_beta::AlphaBetaPlayer;
pub use brs::{BestReply, BestReplyPlayer, LikelyMove};
pub use control::{Control, Limits};
pub use evaluate::{Evaluate, KnownValue, MoveHint, MoveKind, Quiescence, SearchHints, hashed_tag};
pub use greedy::Greedy;
pub use level::{FULL_LEVEL, Ladder, LevelPlayer, MoveKinds, Strength, Visits, first_visited};
#[cfg(feature = "barbarossa")]
pub(crate) use level::{gumbel, probability};
pub use maxn::MaxNPlayer;
pub use mcts::{MctsConfig, MctsPlayer};
pub use player::{
    Bound, Choice, DEFAULT_HASH, Info, Player, RandomPlayer, Report, Request, Score, Settings,
};
pub use pvs::{PvsConfig, PvsPlayer, SEARCH_STACK};
pub use star2::Star2Player;
pub use vector_expectimax::VectorExpectimaxPlayer;
