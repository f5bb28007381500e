//! What a move is.

/// An animal goes from one square to another.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Move {
    /// The square it leaves.
    pub from: u8,
    /// The square it enters.
    pub to: u8,
}
