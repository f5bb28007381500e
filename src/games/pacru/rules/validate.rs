//! Which positions are possible.

use super::position::{Position, winning_markers};

/// Why no game can reach a position.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub(crate) enum ImpossiblePosition {
    #[error("nobody has a chevron; at least one player must")]
    NoChevrons,
    #[error("two players have {0} markers; the first to have them has won")]
    TwoWinners(usize),
}

impl Position {
    /// Refuses what no game can reach.
    pub(crate) fn validate(&self) -> Result<(), ImpossiblePosition> {
        let seats = self.seats();
        if (0..seats).all(|seat| self.chevron_fields(seat).is_empty()) {
            return Err(ImpossiblePosition::NoChevrons);
        }
        let goal = winning_markers(seats);
        if (0..seats).filter(|seat| self.marker_count(*seat) >= goal).count() > 1 {
            return Err(ImpossiblePosition::TwoWinners(goal));
        }
        Ok(())
    }
}
