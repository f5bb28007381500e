//! Which positions are possible.

use super::position::Position;
use crate::game::Seat;
use crate::games::chevrons::filling::Kind;

/// Why no game can reach a position.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub(crate) enum ImpossiblePosition {
    #[error("nobody has a chevron; in this game none leaves the board")]
    NoChevrons,
    #[error("{0} can move and so started no last round")]
    Starter(Seat),
}

impl<K: Kind> Position<K> {
    /// Refuses what no game can reach, before the turn begins.
    pub(crate) fn validate(&self) -> Result<(), ImpossiblePosition> {
        let seats = self.seats();
        if !K::POWER && (0..seats).all(|seat| self.chevron_fields(seat).is_empty()) {
            return Err(ImpossiblePosition::NoChevrons);
        }
        match self.last() {
            // Nobody has moved since.
            Some(last) if (last + 1) % seats == self.mover() && self.can_move(last) => {
                Err(ImpossiblePosition::Starter(Seat::new(last)))
            }
            _ => Ok(()),
        }
    }
}
