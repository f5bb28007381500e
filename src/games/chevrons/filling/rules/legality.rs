//! Whether a move is legal, decided from the move itself; if not, which rule it breaks.

use super::moves::{Move, Twist};
use super::position::Position;
use crate::games::chevrons::filling::Kind;
use crate::games::chevrons::{Field, LandingError};

/// The rule that a move breaks. `Display` explains it in a line.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum IllegalMove {
    /// The game is over.
    #[error("the game is over")]
    GameOver,
    /// A chevron does not go there.
    #[error(transparent)]
    Landing(#[from] LandingError),
    /// More than one field in Shacru.
    #[error("{0} to {1} is more than one field; a chevron moves exactly one")]
    MoreThanOneField(Field, Field),
    /// An enemy chevron stands where the move ends.
    #[error("{0} is occupied by an enemy chevron; nothing is captured in this game")]
    EnemyChevron(Field),
    /// A twist after a move inside one borderland.
    #[error("{0} and {1} are in one borderland; a chevron twists only on entering another one")]
    TwistInside(Field, Field),
    /// A twist in the last round.
    #[error("the last round has no twists")]
    TwistInLastRound,
    /// A twist of a chevron that leaves the board.
    #[error("the chevron leaves the board, as it replaces an enemy marker; it cannot twist")]
    TwistOfLeaver,
}

impl<K: Kind> Position<K> {
    /// Whether a move is legal, and if not, which rule it breaks.
    pub fn check(&self, m: &Move) -> Result<(), IllegalMove> {
        if self.is_over() {
            return Err(IllegalMove::GameOver);
        }
        let Move { from, to, twist } = *m;
        self.own_chevron(from)?;
        let range = if K::POWER { self.range(from) } else { usize::MAX };
        let ray = self.check_ray(from, to, range)?;
        if !K::POWER && from.distance(to) > 1 {
            return Err(IllegalMove::MoreThanOneField(from, to));
        }
        match self.cell(to) {
            there if !there.is_occupied() => {}
            there if there.chevron_seat() == self.mover() => {
                return Err(LandingError::OwnChevron(to).into());
            }
            _ => return Err(IllegalMove::EnemyChevron(to)),
        }
        self.check_marker(to)?;
        let ray = ray.unobstructed()?;
        let leaves = || ray.connection && self.connected(from, to, ray.direction).1;
        match twist {
            Twist::Straight => Ok(()),
            _ if from.borderland() == to.borderland() => Err(IllegalMove::TwistInside(from, to)),
            _ if self.last().is_some() => Err(IllegalMove::TwistInLastRound),
            _ if leaves() => Err(IllegalMove::TwistOfLeaver),
            _ => Ok(()),
        }
    }
}
