//! What a move is: a throw, or the play of a whole turn.

use std::fmt;

/// The most throws of one turn. The twelfth ends the throwing whatever it is.
pub const MAX_THROWS: usize = 12;

/// One value played: a pawn, or two together, from one path index of its seat to another.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Step {
    from: u8,
    to: u8,
}

const TOGETHER: u8 = 0x80;

impl Step {
    /// A step of one pawn, or of two together, between path indices.
    #[must_use]
    pub const fn new(from: u8, to: u8, together: bool) -> Self {
        Step { from: if together { from | TOGETHER } else { from }, to }
    }

    /// Path index of the start.
    #[must_use]
    pub const fn from(self) -> u8 {
        self.from & !TOGETHER
    }

    /// Path index of the end.
    #[must_use]
    pub const fn to(self) -> u8 {
        self.to
    }

    /// Whether two pawns move together.
    #[must_use]
    pub const fn together(self) -> bool {
        self.from & TOGETHER != 0
    }
}

impl fmt::Debug for Step {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let pawns = if self.together() { "d" } else { "" };
        write!(f, "{}>{}{pawns}", self.from(), self.to)
    }
}

/// The steps of a turn in the order played; none is a pass.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Play {
    steps: [Step; MAX_THROWS],
    count: u8,
}

impl Play {
    /// The steps.
    #[must_use]
    pub fn steps(&self) -> &[Step] {
        &self.steps[..self.count as usize]
    }

    /// Adds a step, unless there are [`MAX_THROWS`] already.
    pub fn push(&mut self, step: Step) -> bool {
        let Some(slot) = self.steps.get_mut(self.count as usize) else {
            return false;
        };
        *slot = step;
        self.count += 1;
        true
    }

    /// Removes the last step.
    pub(super) fn pop(&mut self) {
        if let Some(count) = self.count.checked_sub(1) {
            self.count = count;
            self.steps[count as usize] = Step::default();
        }
    }
}

impl fmt::Debug for Play {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.steps()).finish()
    }
}

/// One change of a position.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Move {
    /// A throw of the cowries.
    Throw(u8),
    /// What a seat does with the values of its turn.
    Play(Play),
}
