//! Principal variation search for two seats without chance: the strongest driver.
//!
//! Iterative deepening with aspiration windows; a transposition table shared by all threads (lazy
//! SMP); staged move ordering by table move, hints, killers, countermoves and history; null move
//! pruning where the hints permit it; late move reductions; late move, futility and reverse futility
//! pruning, never of moves that make or answer a threat; singular extensions; quiescence search as
//! the hints say.
//!
//! Two things hold whatever is switched on:
//!
//! - A forced end ([`super::value::is_proven`]) is a proof: no pruning and no repetition produces
//!   one.
//! - A path-dependent value, one that rests on a repetition of a position further up the line, is
//!   not stored in the table (graph-history interaction).
//!
//! With [`PvsConfig::full_width`] the value is that of [`super::alpha_beta`] at equal depth.
//!
//! ```
//! # use std::ops::ControlFlow;
//! # use parlor::game::{Game, Outcome, Seat, Situation, Turn};
//! # use parlor::search::{Evaluate, Limits, Player, Request, SearchHints, Settings};
//! # #[derive(Clone, PartialEq, Eq, Hash, Debug)]
//! # struct Heap(u8, usize);
//! # impl Game for Heap {
//! #     type Move = u8;
//! #     fn seats(&self) -> usize { 2 }
//! #     fn turn(&self) -> Turn {
//! #         if self.0 == 0 { Turn::Over } else { Turn::Seat(Seat::new(self.1)) }
//! #     }
//! #     fn for_each_move<B>(&self, visit: impl FnMut(u8) -> ControlFlow<B>) -> ControlFlow<B> {
//! #         (1..=self.0.min(3)).try_for_each(visit)
//! #     }
//! #     fn is_legal(&self, m: &u8) -> bool { (1..=self.0.min(3)).contains(m) }
//! #     fn play(&mut self, m: &u8) { *self = Heap(self.0 - m, 1 - self.1) }
//! #     fn outcome(&self) -> Option<Outcome> {
//! #         (self.0 == 0).then(|| Outcome::win(2, Seat::new(1 - self.1)))
//! #     }
//! #     fn reason(&self) -> Option<&'static str> { (self.0 == 0).then_some("last-taken") }
//! #     fn fresh_key(&self) -> u64 { u64::from(self.0) << 1 | self.1 as u64 }
//! # }
//! # struct Unknown;
//! # impl Evaluate<Heap> for Unknown {
//! #     type Acc = ();
//! #     fn fresh(&self, _: &Heap) {}
//! #     fn score(&self, _: &(), _: &Heap, _: Seat) -> i32 { 0 }
//! # }
//! use parlor::search::{PvsConfig, PvsPlayer};
//!
//! // `Heap` and `Unknown` as in the documentation of `parlor::search`.
//! impl SearchHints<Heap> for Unknown {}
//!
//! let mut player = PvsPlayer::new(Unknown, PvsConfig::default(), &Settings::default());
//! let request = Request::new(Limits::depth(30));
//! let choice = player.choose(&Situation::new(Heap(23, 0)), &request, &mut |_| {});
//! assert_eq!(choice.map(|c| c.best), Some(3));
//! ```

mod config;
mod cuts;
mod move_picker;
mod node;
mod player;
mod proof;
mod quiescence;
mod root;
mod root_move;
mod worker;

pub use config::PvsConfig;
pub use player::{PvsPlayer, SEARCH_STACK};
