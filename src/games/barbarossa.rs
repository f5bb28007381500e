//! Barbarossa: secret words, clay sculptures, questions, letters and guesses, for two to six seats.
//!
//! - `rules`: positions, moves, what is legal, points, views.
//! - `notation`: position texts, tokens, why a move is illegal.
//! - [`knowledge`]: the words, and what is true of the things they name.
//! - `play` (feature `search`): the engine and the players it is measured against.
//! - `subcommands` (feature `engine`): what only this game's program has.
//!
//! ```
//! use parlor::game::{Game, Hidden, Notation, Rules, Seat};
//! use parlor::games::barbarossa::Position;
//!
//! let mut rules = Position::default_rules();
//! rules.set("Words", "free").unwrap();
//! let mut table = Position::start(&rules, None)?;
//! for token in ["word:a1:teapot", "show:a1:has_handle", "done:a1"] {
//!     let m = table.parse_move(token)?;
//!     assert!(table.is_legal(&m), "{}", table.explain_illegal(&m));
//!     table.play(&m);
//! }
//! // p2 sees the handle, not the word.
//! let view = table.view(Seat::new(1)).to_string();
//! assert!(view.contains("a1|w=?|show=has_handle|"), "{view}");
//! # Ok::<(), parlor::game::NotationError>(())
//! ```

pub mod knowledge;
mod notation;
#[cfg(feature = "search")]
pub mod play;
mod rules;

#[cfg(feature = "engine")]
pub(crate) use knowledge::recognise::subcommand as recognise_subcommand;
pub use rules::moves::{Gift, Move, Secret};
pub use rules::options::{CurseWindows, MOST_SHOWN, RuleOptions, SecondRound, Space};
pub use rules::position::{
    Curse, CurseKind, Ending, GivenLetter, Object, Pending, Phase, Position, SeatState, Window,
};
pub use rules::words::{ObjectName, Question, Word};
