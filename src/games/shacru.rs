//! Shacru: chevrons that fill the board, one field a move, for two, three or four players.
//!
//! ```
//! use parlor::game::{Game, Notation, Seat};
//! use parlor::games::shacru::Position;
//!
//! // Over a border a chevron may turn where it arrives: here to the left.
//! let mut position = Position::default();
//! position.play(&position.parse_move("a3-b4<").unwrap());
//! assert_eq!(position.markers(Seat::new(0)), 1);
//! assert!(position.to_string().contains("/1[1N*]7/"));
//!
//! let far = position.parse_move("a7-c7").unwrap();
//! assert!(position.explain_illegal(&far).contains("exactly one"));
//! ```

#[cfg(feature = "search")]
use std::sync::LazyLock;

use super::chevrons::filling::{self, Kind};
pub use super::chevrons::filling::{IllegalMove, Move, Twist};
#[cfg(feature = "search")]
use super::chevrons::network::Judgement;
pub use super::chevrons::{Direction, Field, SEATS};
#[cfg(feature = "search")]
use crate::search::Ladder;

/// The rules by which Shacru differs.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Shacru;

/// A position of Shacru.
pub type Position = filling::Position<Shacru>;

impl Kind for Shacru {
    const NAME: &'static str = "shacru";
    const TITLE: &'static str = "Shacru";
    const SHORT_RULES: &'static str = include_str!("shacru/rules.md");
    #[cfg(feature = "search")]
    const LESSONS: &'static str = include_str!("shacru/lessons.json");
    #[cfg(feature = "search")]
    const PUZZLES: &'static str = include_str!("shacru/puzzles.jsonl");
    const POWER: bool = false;
    #[cfg(feature = "search")]
    fn judgement() -> Judgement<Position> {
        static SHIPPED: LazyLock<Judgement<Position>> = LazyLock::new(|| {
            let two = include_bytes!("../../data/shacru-2.network");
            let more = include_bytes!("../../data/shacru-34.network");
            Judgement::shipped(two, more)
        });
        SHIPPED.clone()
    }
    #[cfg(feature = "search")]
    const LADDER: Ladder = Ladder {
        noise: 300.0,
        nodes: 20_000.0,
        strengths: [0, 380, 516, 569, 643, 760, 824, 880, 965],
        elo: None,
    };
    #[cfg(feature = "search")]
    const BENCH: &'static [(&'static str, &'static str, u32)] = &[
        ("Players=2", "startpos", 8),
        (
            "Players=2",
            "fen 4[1NW*]4/1bbb1a1a1/[2SW*]aa[2NE*]1aa2/abba2bb[1NE*]/1aa2b1a[2N*]/1aaa1[1N*]bab/2a[1E*]abbb1/1bba1b1b1/3[2E*]2b2 1 2 0",
            12,
        ),
        ("Players=3", "startpos", 6),
        ("Players=4", "startpos", 6),
    ];
}
