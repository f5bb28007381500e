//! Seats, and whose turn it is.

use std::fmt;

/// The most seats any game may have. (`p1` to `p9` are reserved by the protocol.)
pub const MAX_SEATS: usize = 6;

/// A seat: the place of one player in the order of play, written `p1`, `p2`, ...
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Seat(u8);

impl Seat {
    /// The seat with an index from 0.
    ///
    /// # Panics
    /// If the index is not below [`MAX_SEATS`].
    #[must_use]
    pub const fn new(index: usize) -> Self {
        assert!(index < MAX_SEATS, "no such seat");
        Seat(index as u8)
    }

    /// The index from 0.
    #[must_use]
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// Reads `p1` to `p6`.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        let digit = text.strip_prefix('p')?;
        let number: usize = digit.parse().ok()?;
        (digit.len() == 1 && (1..=MAX_SEATS).contains(&number)).then(|| Seat::new(number - 1))
    }

    /// All seats of a table of `count`.
    #[must_use]
    pub fn all(count: usize) -> impl DoubleEndedIterator<Item = Seat> + ExactSizeIterator {
        (0..count).map(Seat::new)
    }
}

impl fmt::Display for Seat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "p{}", self.0 + 1)
    }
}

/// Who decides the next move.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Turn {
    /// A player.
    Seat(Seat),
    /// Chance, thrown by a seat or by nobody (a deal).
    Chance {
        /// The seat that physically throws.
        thrower: Option<Seat>,
    },
    /// Nobody: the game is over.
    Over,
}

impl Turn {
    /// The seat to decide, if it is a player's turn.
    #[must_use]
    pub fn seat(self) -> Option<Seat> {
        match self {
            Turn::Seat(seat) => Some(seat),
            _ => None,
        }
    }

    /// Whether chance decides.
    #[must_use]
    pub fn is_chance(self) -> bool {
        matches!(self, Turn::Chance { .. })
    }

    /// Whether the game is over.
    #[must_use]
    pub fn is_over(self) -> bool {
        self == Turn::Over
    }
}

impl fmt::Display for Turn {
    /// As `query turn` answers it: `p3`, `chance p3`, `chance`, `none`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Turn::Seat(seat) => write!(f, "{seat}"),
            Turn::Chance { thrower: Some(seat) } => write!(f, "chance {seat}"),
            Turn::Chance { thrower: None } => f.write_str("chance"),
            Turn::Over => f.write_str("none"),
        }
    }
}
