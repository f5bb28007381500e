//! Which positions are possible.

use super::board::{BOARD, Set, Space, across, spaces};
use super::options::RuleOptions;
use super::position::{Kind, Position, Side};

/// Why no such position exists.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum PositionError {
    /// A piece on a triangle that is not part of the board.
    #[error("a piece stands off the board")]
    OffTheBoard,
    /// Two pieces on one space.
    #[error("two pieces stand on one space")]
    Overlap,
    /// More pieces of a kind than the game has.
    #[error("{count} pieces {}; at most {} are allowed", kind.letter(), kind.limit())]
    TooMany {
        /// The kind.
        kind: Kind,
        /// How many there are.
        count: u32,
    },
    /// Two pieces of one side face each other.
    #[error("friends face each other on {one} and {other}")]
    FacingFriends {
        /// Where one of them stands.
        one: Space,
        /// Where the other stands.
        other: Space,
    },
}

impl Position {
    /// A position from its pieces: Egg-Carriers, Guardians, Ser'ra.
    pub fn new(pieces: [Set; 3], side: Side, rules: RuleOptions) -> Result<Self, PositionError> {
        let position = Position::from_pieces(pieces, side, rules);
        position.validate()?;
        Ok(position)
    }

    /// Checks that the pieces are on the board, apart, few enough, and face no friends.
    ///
    /// # Errors
    /// The first rule that is broken.
    pub fn validate(&self) -> Result<(), PositionError> {
        let (eggs, guardians, serra) = (self.eggs(), self.guardians(), self.serra());
        if self.occupied() & !BOARD != 0 {
            return Err(PositionError::OffTheBoard);
        }
        if eggs & guardians | (eggs | guardians) & serra != 0 {
            return Err(PositionError::Overlap);
        }
        for friends in [eggs | guardians, serra] {
            for one in spaces(friends & across(friends)) {
                if let Some(other) = one.across() {
                    return Err(PositionError::FacingFriends { one, other });
                }
            }
        }
        for kind in Kind::ALL {
            let count = self.of(kind).count_ones();
            if count > kind.limit() {
                return Err(PositionError::TooMany { kind, count });
            }
        }
        Ok(())
    }
}
