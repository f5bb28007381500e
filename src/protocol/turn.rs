//! Whose turn it is, and the names of seats.

use std::fmt;

/// The most seats that the protocol has names for.
pub const MAX_SEATS: usize = 9;

/// Whose turn it is in a game in progress, as `query turn` answers. Seats count from 0.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Turn {
    /// A seat decides: `p3`.
    Seat(usize),
    /// Something is thrown for a seat: `chance p3`.
    Chance(usize),
    /// Something is thrown for nobody: `chance`.
    Deal,
    /// The game is over: `none`.
    Over,
}

impl Turn {
    /// Reads the answer to `query turn` in a game of `seats` seats.
    ///
    /// ```
    /// use parlor::protocol::Turn;
    ///
    /// assert_eq!(Turn::read("chance p3", 4), Some(Turn::Chance(2)));
    /// assert_eq!(Turn::read("p5", 4), None);
    /// ```
    #[must_use]
    pub fn read(text: &str, seats: usize) -> Option<Self> {
        match text {
            "none" => Some(Turn::Over),
            "chance" => Some(Turn::Deal),
            _ => match text.strip_prefix("chance ") {
                Some(name) => seat_index(name.trim(), seats).map(Turn::Chance),
                None => seat_index(text, seats).map(Turn::Seat),
            },
        }
    }

    /// The seat that decides.
    #[must_use]
    pub fn decider(self) -> Option<usize> {
        match self {
            Turn::Seat(seat) => Some(seat),
            _ => None,
        }
    }

    /// The seat that decides or throws.
    #[must_use]
    pub fn seat(self) -> Option<usize> {
        match self {
            Turn::Seat(seat) | Turn::Chance(seat) => Some(seat),
            Turn::Deal | Turn::Over => None,
        }
    }

    /// Whether something is thrown.
    #[must_use]
    pub fn is_chance(self) -> bool {
        matches!(self, Turn::Chance(_) | Turn::Deal)
    }
}

impl fmt::Display for Turn {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Turn::Seat(seat) => write!(f, "p{}", seat + 1),
            Turn::Chance(seat) => write!(f, "chance p{}", seat + 1),
            Turn::Deal => f.write_str("chance"),
            Turn::Over => f.write_str("none"),
        }
    }
}

/// A seat, from 0, as the protocol names it: `p1`.
#[must_use]
pub fn seat_name(seat: usize) -> String {
    format!("p{}", seat + 1)
}

/// Parses `pN` into an index below `seats`.
#[must_use]
pub fn seat_index(name: &str, seats: usize) -> Option<usize> {
    let number: usize = name.strip_prefix('p')?.parse().ok()?;
    (1..=seats).contains(&number).then(|| number - 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_turn_is_read_as_it_is_written() {
        for turn in [Turn::Seat(0), Turn::Seat(3), Turn::Chance(2), Turn::Deal, Turn::Over] {
            assert_eq!(Turn::read(&turn.to_string(), 4), Some(turn));
        }
        for none in ["", "p0", "p5", "p", "1", "chance p5", "chance x", "chancep1", "p1 chance"] {
            assert_eq!(Turn::read(none, 4), None, "{none}");
        }
    }
}
