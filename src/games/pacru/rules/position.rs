//! One position: the board, the rule options, and who has won.

use std::hash::{Hash, Hasher};
use std::ops::Deref;

use super::options::RuleOptions;
use crate::games::chevrons::Board;

/// Markers that win the game, by the number of players.
#[must_use]
pub const fn winning_markers(seats: usize) -> usize {
    match seats {
        2 => 42,
        3 => 28,
        _ => 24,
    }
}

/// A position of Pacru with two, three or four players, rule options included.
#[derive(Clone, Debug)]
pub struct Position {
    pub(super) board: Board,
    /// The winner's index, or [`Position::NOBODY`].
    pub(super) winner: u8,
    pub(super) options: RuleOptions,
}

impl Position {
    const NOBODY: u8 = u8::MAX;

    /// Nobody has won yet.
    pub(crate) fn new(board: Board, options: RuleOptions) -> Self {
        Position { board, winner: Self::NOBODY, options }
    }

    /// The rule options of the game.
    #[must_use]
    pub fn options(&self) -> RuleOptions {
        self.options
    }

    /// Own markers that may be paid with: those on unoccupied fields.
    pub(crate) fn payable_count(&self, seat: usize) -> usize {
        let covered = self.chevron_fields(seat).iter();
        let covered = covered.filter(|f| self.cell(**f).is_chevron_on_marker()).count();
        self.marker_count(seat) - covered
    }

    /// The winner, if there is one.
    pub(crate) fn winner(&self) -> Option<usize> {
        (self.winner != Self::NOBODY).then_some(self.winner as usize)
    }

    pub(crate) fn is_over(&self) -> bool {
        self.winner != Self::NOBODY
    }
}

impl Deref for Position {
    type Target = Board;

    #[inline]
    fn deref(&self) -> &Board {
        &self.board
    }
}

impl PartialEq for Position {
    fn eq(&self, other: &Self) -> bool {
        self.board == other.board && self.options == other.options
    }
}

impl Eq for Position {}

impl Hash for Position {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.board.key().hash(state);
    }
}
