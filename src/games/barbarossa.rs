//! Barbarossa: secret words, clay sculptures, questions, letters and guesses, for two to six seats.
//!
//! - `options`: the rule options and what follows from them alone.
//! - `words`: objects, words and questions as they are written.
//! - `moves`: the moves. `position`: the state, full or as one seat sees it.
//! - `rules`: who is to move and what a move does; `legality` and `listing`: what is legal;
//!   `scoring`: the points. `secrets`: views and masked moves.
//! - `notation`: tokens; `line`: the position line; `validate`: what it may not say; `diagram`: the
//!   table as a drawing. `key`: position keys.
//! - [`players`]: the engine and what it is measured against.
//! - [`knowledge`]: the words, and what is true of the things they name.
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

mod diagram;
mod key;
pub mod knowledge;
mod legality;
mod line;
mod listing;
mod moves;
mod notation;
mod options;
pub mod players;
mod position;
mod rules;
mod scoring;
mod secrets;
mod validate;
mod words;

pub use moves::{Gift, Move, Secret};
pub use options::{RuleSet, SecondRound, Space};
pub use position::{
    Curse, CurseKind, Ending, GivenLetter, Object, Pending, Phase, Position, SeatState, Window,
};
pub use scoring::{guesser_points, maker_points};
pub use words::{ObjectName, Question, Word};
