//! The type of a move.

use crate::games::chevrons::{Direction, Field};

/// A turn: a chevron goes to a field, and may turn there.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Move {
    /// Where it starts.
    pub from: Field,
    /// Where it ends.
    pub to: Field,
    /// How the chevron turns there.
    pub twist: Twist,
}

/// A turn by 45 degrees after a move into another borderland.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Twist {
    /// The chevron faces where it went.
    Straight,
    /// It turns to the left, written `<`.
    Left,
    /// It turns to the right, written `>`.
    Right,
}

impl Twist {
    /// All three, in the order of the list of moves.
    pub const ALL: [Twist; 3] = [Twist::Straight, Twist::Left, Twist::Right];

    /// The sign at the end of a token.
    #[must_use]
    pub const fn sign(self) -> &'static str {
        ["", "<", ">"][self as usize]
    }

    /// The facing after it.
    pub(crate) const fn applied(self, direction: Direction) -> Direction {
        direction.turned([0, 7, 1][self as usize])
    }
}
