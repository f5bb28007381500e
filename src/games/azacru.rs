//! Azacru: chevrons that fill the board, as far a move as their markers carry, for two, three or four
//! players.
//!
//! ```
//! use parlor::game::{Game, Notation, Seat};
//! use parlor::games::azacru::Position;
//!
//! // From an own marker to an own marker: the field between is replaced, and the chevron leaves.
//! let mut position: Position = "8[2W]/9/9/9/9/9/9/aa7/[1E*]ba6 1 2 - 0".parse().unwrap();
//! position.play(&position.parse_move("a1-c1").unwrap());
//! assert_eq!(position.markers(Seat::new(0)), 5);
//! assert!(position.chevrons(Seat::new(0)).is_empty());
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

/// The rules by which Azacru differs.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Azacru;

/// A position of Azacru.
pub type Position = filling::Position<Azacru>;

impl Kind for Azacru {
    const NAME: &'static str = "azacru";
    const TITLE: &'static str = "Azacru";
    const SHORT_RULES: &'static str = include_str!("azacru/rules.md");
    #[cfg(feature = "search")]
    const LESSONS: &'static str = include_str!("azacru/lessons.json");
    #[cfg(feature = "search")]
    const PUZZLES: &'static str = include_str!("azacru/puzzles.jsonl");
    const POWER: bool = true;
    #[cfg(feature = "search")]
    fn judgement() -> Judgement<Position> {
        static SHIPPED: LazyLock<Judgement<Position>> = LazyLock::new(|| {
            let two = include_bytes!("../../data/azacru-2.network");
            let more = include_bytes!("../../data/azacru-34.network");
            Judgement::shipped(two, more)
        });
        SHIPPED.clone()
    }
    #[cfg(feature = "search")]
    const LADDER: Ladder = Ladder {
        noise: 300.0,
        nodes: 20_000.0,
        strengths: [300, 440, 570, 650, 692, 735, 795, 885, 970],
        elo: None,
    };
    #[cfg(feature = "search")]
    const BENCH: &'static [(&'static str, &'static str, u32)] = &[
        ("Players=2", "startpos", 8),
        (
            "Players=2",
            "fen 9/3b4a/[2W*]bbb1[2E*]1a1/[1NW*]bb4b1/2[1NE*]2[1SW*]1b1/1aa3[2SW*]2/3a1[1SW*]aa1/1[2NE*]1a5/9 1 2 - 0",
            12,
        ),
        ("Players=3", "startpos", 6),
        ("Players=4", "startpos", 6),
    ];
}
