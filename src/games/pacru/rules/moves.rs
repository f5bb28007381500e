//! The types of a move: advances with what they gain, rotations with what they cost.

use crate::games::chevrons::{Direction, Field};

/// One turn: a chevron moves or captures, or it rotates.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Move {
    /// A chevron goes straight to another field.
    Advance {
        /// Where it starts.
        from: Field,
        /// Where it lands.
        to: Field,
        /// Whether it captures there by a pincer.
        pincer: bool,
        /// What border or connection bring.
        gain: Gain,
        /// The field recoloured by a meeting.
        meeting: Option<Field>,
    },
    /// A chevron turns where it stands.
    Rotate {
        /// Where it stands.
        from: Field,
        /// Which way, how far.
        rotation: Rotation,
        /// The markers given for it.
        payment: Payment,
    },
}

const _: () = assert!(size_of::<Move>() <= 8);

/// What a chevron move brings beside a meeting.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Gain {
    /// Nothing.
    Nothing,
    /// Every field between start and landing becomes own.
    Connection,
    /// One field of the borderland entered becomes own.
    Claim(Field),
}

/// A turn of a chevron on its field.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Rotation {
    /// 45 degrees clockwise, written `>`.
    Right45,
    /// 45 degrees counter-clockwise, written `<`.
    Left45,
    /// 90 degrees clockwise, written `>>`.
    Right90,
    /// 90 degrees counter-clockwise, written `<<`.
    Left90,
}

impl Rotation {
    /// All four.
    pub const ALL: [Rotation; 4] =
        [Rotation::Right45, Rotation::Left45, Rotation::Right90, Rotation::Left90];

    /// Markers to pay.
    #[must_use]
    pub const fn cost(self) -> usize {
        match self {
            Rotation::Right45 | Rotation::Left45 => 2,
            Rotation::Right90 | Rotation::Left90 => 4,
        }
    }

    /// Degrees turned.
    #[must_use]
    pub const fn degrees(self) -> u32 {
        match self {
            Rotation::Right45 | Rotation::Left45 => 45,
            Rotation::Right90 | Rotation::Left90 => 90,
        }
    }

    /// The sign in a move token.
    #[must_use]
    pub const fn sign(self) -> &'static str {
        match self {
            Rotation::Right45 => ">",
            Rotation::Left45 => "<",
            Rotation::Right90 => ">>",
            Rotation::Left90 => "<<",
        }
    }

    /// The facing after the turn.
    #[must_use]
    pub(crate) const fn applied(self, facing: Direction) -> Direction {
        match self {
            Rotation::Right45 => facing.turned(1),
            Rotation::Left45 => facing.turned(7),
            Rotation::Right90 => facing.turned(2),
            Rotation::Left90 => facing.turned(6),
        }
    }
}

/// The fields whose markers are given for a rotation, in the order a1 b1 .. i9.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Payment {
    fields: [Field; 4],
    /// As many as were named; more than four only in a payment that is refused.
    named: u8,
}

impl Payment {
    /// A payment of these fields, sorted. Of more than four, four are kept, and their number.
    #[must_use]
    pub fn new(fields: &[Field]) -> Self {
        let mut kept = [Field::new(0); 4];
        let count = fields.len().min(4);
        kept[..count].copy_from_slice(&fields[..count]);
        kept[..count].sort_unstable();
        Payment { fields: kept, named: fields.len().min(u8::MAX as usize) as u8 }
    }

    /// The fields, at most four.
    #[must_use]
    pub fn fields(&self) -> &[Field] {
        &self.fields[..self.named.min(4) as usize]
    }

    /// How many fields were named.
    #[must_use]
    pub fn named(&self) -> usize {
        self.named as usize
    }
}

/// A chevron move before its gains are chosen.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Landing {
    pub from: Field,
    pub to: Field,
    pub direction: Direction,
    /// Whether it qualifies for a connection change.
    pub connection: bool,
    pub pincer: bool,
}

impl Landing {
    /// The move with these gains.
    pub(crate) fn with(self, gain: Gain, meeting: Option<Field>) -> Move {
        Move::Advance { from: self.from, to: self.to, pincer: self.pincer, gain, meeting }
    }

    pub(crate) fn crosses(self) -> bool {
        self.from.borderland() != self.to.borderland()
    }
}
