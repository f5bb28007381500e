//! What one field holds, and the list of one seat's chevrons.

use super::fields::{Direction, Field};

/// The most chevrons of one player.
pub(crate) const CHEVRONS: usize = 4;

/// What stands on one field. Unoccupied: 0 for neutral, 1 to 4 for a marker of seat 0 to 3.
/// Occupied: the bits of [`Cell::chevron`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Cell(u8);

impl Cell {
    /// Neither marker nor chevron.
    pub(crate) const NEUTRAL: Cell = Cell(0);
    const OCCUPIED: u8 = 0x80;
    const OWN: u8 = 0x40;

    /// A marker without a chevron.
    pub(crate) const fn marker_of(seat: usize) -> Self {
        Cell(seat as u8 + 1)
    }

    /// A chevron, on its own marker or on a neutral field.
    pub(crate) const fn chevron(seat: usize, facing: Direction, on_marker: bool) -> Self {
        let own = if on_marker { Self::OWN } else { 0 };
        Cell(Self::OCCUPIED | own | (seat as u8) << 3 | facing.index() as u8)
    }

    /// The number that stands for what is here.
    #[cfg(feature = "search")]
    pub(super) const fn code(self) -> u8 {
        self.0
    }

    /// Whether a chevron stands here.
    pub(crate) const fn is_occupied(self) -> bool {
        self.0 & Self::OCCUPIED != 0
    }

    /// Whether a chevron stands here on its own marker.
    pub(crate) const fn is_chevron_on_marker(self) -> bool {
        self.0 >= Self::OCCUPIED | Self::OWN
    }

    /// The seat of the chevron here, if the field is occupied.
    pub(crate) const fn chevron_seat(self) -> usize {
        (self.0 >> 3 & 3) as usize
    }

    /// What the chevron here faces, if the field is occupied.
    pub(crate) const fn facing(self) -> Direction {
        Direction::new(self.0)
    }

    /// The seat whose marker lies here, under a chevron or not.
    pub(crate) const fn marker(self) -> Option<usize> {
        match self.0 {
            0 => None,
            code if code < Self::OCCUPIED => Some(code as usize - 1),
            code if code & Self::OWN != 0 => Some(self.chevron_seat()),
            _ => None,
        }
    }
}

/// The chevrons of one seat, by ascending field.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Chevrons {
    fields: [Field; CHEVRONS],
    count: u8,
}

impl Chevrons {
    pub(super) const NONE: Chevrons = Chevrons { fields: [Field::new(0); CHEVRONS], count: 0 };

    pub(super) fn fields(&self) -> &[Field] {
        &self.fields[..self.count as usize & 7]
    }

    /// Adds a field; the caller knows that there is room.
    pub(super) fn insert(&mut self, field: Field) {
        let mut at = self.count as usize;
        while at > 0 && self.fields[at - 1] > field {
            self.fields[at] = self.fields[at - 1];
            at -= 1;
        }
        self.fields[at] = field;
        self.count += 1;
    }

    /// Removes a field, if it is there.
    pub(super) fn remove(&mut self, field: Field) {
        let mut found = false;
        for at in 0..CHEVRONS {
            found |= at < self.count as usize && self.fields[at] == field;
            if found && at + 1 < CHEVRONS {
                self.fields[at] = self.fields[at + 1];
            }
        }
        self.count -= found as u8;
    }
}
