//! What is known of a state with best play, as a value and as the byte that stores it.

use crate::games::porrika::rules::Side;

/// The value of a state with best play.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Verdict {
    /// Neither side can force a win.
    Drawn,
    /// Copper wins in this number of plies.
    CopperWins(u32),
    /// Silver wins in this number of plies.
    SilverWins(u32),
}

/// The greatest byte that stores a win for copper: half the plies, rounded up. Byte 0 is no state.
pub(super) const MAX_HALVES: u32 = 126;
/// The byte that stores a draw.
pub const DRAWN: u8 = 127;
/// The least byte that stores a win for silver: this plus the plies.
pub const SILVER: u8 = 128;
/// The greatest number of plies of a win for silver.
pub(super) const MAX_PLIES: u32 = 127;

impl Verdict {
    pub(super) fn from_byte(byte: u8, side: Side) -> Option<Self> {
        match byte {
            0 => None,
            DRAWN => Some(Verdict::Drawn),
            SILVER.. => Some(Verdict::SilverWins(u32::from(byte - SILVER))),
            halves if side == Side::Copper => Some(Verdict::CopperWins(2 * u32::from(halves) - 1)),
            halves => Some(Verdict::CopperWins(2 * u32::from(halves))),
        }
    }

    /// The verdict of a state one ply before.
    #[must_use]
    pub fn one_ply_before(self) -> Self {
        match self {
            Verdict::Drawn => Verdict::Drawn,
            Verdict::CopperWins(plies) => Verdict::CopperWins(plies + 1),
            Verdict::SilverWins(plies) => Verdict::SilverWins(plies + 1),
        }
    }
}

/// The number of states by verdict.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Census {
    /// Copper wins.
    pub copper: u64,
    /// Silver wins.
    pub silver: u64,
    /// Neither.
    pub drawn: u64,
    /// The longest win for copper, in plies.
    pub longest_copper: u32,
    /// The longest win for silver, in plies.
    pub longest_silver: u32,
}

impl Census {
    /// Counts the states of bytes. Few different bytes occur, so they are counted first.
    pub(super) fn of(bytes: &[u8], side: Side) -> Self {
        let mut counts = [0; 256];
        for byte in bytes {
            counts[usize::from(*byte)] += 1;
        }
        let mut census = Census::default();
        for (byte, count) in (0..=u8::MAX).zip(counts).filter(|(_, count)| *count > 0) {
            census.add(Verdict::from_byte(byte, side), count);
        }
        census
    }

    fn add(&mut self, verdict: Option<Verdict>, count: u64) {
        match verdict {
            None => {}
            Some(Verdict::Drawn) => self.drawn += count,
            Some(Verdict::CopperWins(plies)) => {
                self.copper += count;
                self.longest_copper = self.longest_copper.max(plies);
            }
            Some(Verdict::SilverWins(plies)) => {
                self.silver += count;
                self.longest_silver = self.longest_silver.max(plies);
            }
        }
    }

    /// The states of both counts, and the longest wins.
    pub(super) fn plus(self, other: Self) -> Self {
        Census {
            copper: self.copper + other.copper,
            silver: self.silver + other.silver,
            drawn: self.drawn + other.drawn,
            longest_copper: self.longest_copper.max(other.longest_copper),
            longest_silver: self.longest_silver.max(other.longest_silver),
        }
    }

    /// The number of states.
    #[must_use]
    pub fn states(&self) -> u64 {
        self.copper + self.silver + self.drawn
    }
}
