//! The move type.

use super::board::{COPPER_STARTS, Set, Space};
use super::position::Kind;

/// One move.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Move {
    /// Copper's set-up: bit `i` of a mask stands for entry `i` of [`COPPER_STARTS`]. Two
    /// Egg-Carriers and four Guardians, each on a different space.
    Setup {
        /// Where the Egg-Carriers go.
        eggs: u8,
        /// Where the Guardians go.
        guardians: u8,
    },
    /// A piece moves from one space to another.
    Walk {
        /// Where it stands.
        from: Space,
        /// Where it ends.
        to: Space,
    },
    /// The forced pass.
    Pass,
}

/// How many set-ups there are.
pub(super) const SETUPS: u64 = 420;

/// Whether two masks over the start spaces are a set-up.
pub(super) const fn is_setup(eggs: u8, guardians: u8) -> bool {
    eggs & guardians == 0
        && eggs.count_ones() == Kind::Egg.limit()
        && guardians.count_ones() == Kind::Guardian.limit()
}

/// The spaces that a mask over the start spaces selects.
pub(super) fn start_spaces(mask: u8) -> Set {
    COPPER_STARTS
        .iter()
        .enumerate()
        .filter(|(bit, _)| mask >> bit & 1 == 1)
        .fold(0, |set, (_, space)| set | space.bit())
}
