//! Moves, and the landings they are made of: where a chevron can go, and what it gains there.

use std::ops::ControlFlow;

use arrayvec::ArrayVec;

use super::board::{Direction, Field, WHOLE, count};
use super::position::{CHEVRONS, Cell, Position};

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
    pub const fn cost(self) -> usize {
        match self {
            Rotation::Right45 | Rotation::Left45 => 2,
            Rotation::Right90 | Rotation::Left90 => 4,
        }
    }

    /// Degrees turned.
    pub const fn degrees(self) -> u32 {
        match self {
            Rotation::Right45 | Rotation::Left45 => 45,
            Rotation::Right90 | Rotation::Left90 => 90,
        }
    }

    /// The sign in a move token.
    pub const fn sign(self) -> &'static str {
        match self {
            Rotation::Right45 => ">",
            Rotation::Left45 => "<",
            Rotation::Right90 => ">>",
            Rotation::Left90 => "<<",
        }
    }

    /// The facing after the turn.
    pub const fn applied(self, facing: Direction) -> Direction {
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
    pub fn new(fields: &[Field]) -> Self {
        let mut kept = [Field::new(0); 4];
        let count = fields.len().min(4);
        kept[..count].copy_from_slice(&fields[..count]);
        kept[..count].sort_unstable();
        Payment { fields: kept, named: fields.len().min(u8::MAX as usize) as u8 }
    }

    /// The fields, at most four.
    pub fn fields(&self) -> &[Field] {
        &self.fields[..self.named.min(4) as usize]
    }

    /// How many fields were named.
    pub fn named(&self) -> usize {
        self.named as usize
    }
}

/// A chevron move before its gains are chosen.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Landing {
    pub from: Field,
    pub to: Field,
    pub direction: Direction,
    /// Whether it qualifies for a connection change.
    pub connection: bool,
    pub pincer: bool,
}

impl Landing {
    /// The move with these gains.
    pub fn with(self, gain: Gain, meeting: Option<Field>) -> Move {
        Move::Advance { from: self.from, to: self.to, pincer: self.pincer, gain, meeting }
    }

    pub fn crosses(self) -> bool {
        self.from.borderland() != self.to.borderland()
    }
}

/// Landings of one seat: each of at most four chevrons has three rays of at most eight fields.
pub(super) type Landings<T> = ArrayVec<T, { CHEVRONS * 3 * 8 }>;

/// Attacks of one seat on enemy chevrons, one a ray at most.
type Attacks = ArrayVec<Landing, { CHEVRONS * 3 }>;

/// The attacks that have a second attacker.
#[inline]
fn pincers<B>(
    attacks: &Attacks,
    mut visit: impl FnMut(Landing) -> ControlFlow<B>,
) -> ControlFlow<B> {
    for attack in attacks {
        if attacks.iter().filter(|other| other.to == attack.to).count() > 1 {
            visit(*attack)?;
        }
    }
    ControlFlow::Continue(())
}

/// The fields a set of bits in one borderland stands for.
pub(super) fn fields_in(borderland: usize, mut bits: u16) -> impl Iterator<Item = Field> {
    std::iter::from_fn(move || {
        let bit = (bits != 0).then(|| bits.trailing_zeros())?;
        bits &= bits - 1;
        Some(Field::of_bit(borderland, bit))
    })
}

impl Position {
    /// Calls `visit` with every move and pincer of a seat, gains not yet chosen.
    #[inline]
    pub(super) fn for_each_landing<B>(
        &self,
        seat: usize,
        mut visit: impl FnMut(Landing) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        let mut attacks = Attacks::new();
        for &from in self.fields_of(seat) {
            self.scan(seat, from, &mut attacks, &mut visit)?;
        }
        pincers(&attacks, visit)
    }

    /// Calls `visit` with every pincer of a seat.
    pub(super) fn for_each_pincer<B>(
        &self,
        seat: usize,
        visit: impl FnMut(Landing) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        let mut attacks = Attacks::new();
        for &from in self.fields_of(seat) {
            self.scan::<B>(seat, from, &mut attacks, &mut |_| ControlFlow::Continue(()))?;
        }
        pincers(&attacks, visit)
    }

    /// The landings of one chevron; what it attacks is collected.
    #[inline]
    fn scan<B>(
        &self,
        seat: usize,
        from: Field,
        attacks: &mut Attacks,
        visit: &mut impl FnMut(Landing) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        let start = self.cells[from.index()];
        let own = Cell::marker_of(seat);
        let power = self.power_of(seat, from.borderland());
        for direction in start.facing().forward() {
            let mut jumps = false;
            for steps in 1..=from.room(direction).min(power) {
                let to = from.ahead(direction, steps);
                let there = self.cells[to.index()];
                if there.is_occupied() {
                    if !jumps && there.chevron_seat() != seat && !attacks.is_full() {
                        let connection = false;
                        attacks.push(Landing { from, to, direction, connection, pincer: true });
                    }
                    if !start.is_chevron_on_marker() {
                        break;
                    }
                    jumps = true;
                } else if there == own || there == Cell::NEUTRAL && !jumps {
                    let linked = start.is_chevron_on_marker() && there == own;
                    let connection = linked && steps > 1 && !jumps;
                    visit(Landing { from, to, direction, connection, pincer: false })?;
                }
            }
        }
        ControlFlow::Continue(())
    }

    /// Whether a seat has any move or pincer.
    pub(super) fn can_move(&self, seat: usize) -> bool {
        self.for_each_landing(seat, |_| ControlFlow::Break(())).is_break()
    }

    /// The fields of the borderland entered that may be claimed; none if no claim is due.
    #[inline]
    pub(super) fn claims(&self, seat: usize, landing: Landing) -> u16 {
        if !landing.crosses() {
            return 0;
        }
        let entered = landing.to.borderland();
        let here = landing.to.bit();
        let occupied = self.occupied(entered);
        if landing.pincer {
            // The captured chevron's field is own and occupied by now.
            let neutral = self.neutral(entered) & !here;
            let open = if neutral != 0 { neutral } else { WHOLE & !self.marked(seat, entered) };
            return open & !(occupied | here);
        }
        match self.neutral(entered) {
            0 => WHOLE & !self.marked(seat, entered) & !occupied,
            neutral if self.variant.landing_marker => neutral & !occupied,
            neutral => neutral & !(occupied | here),
        }
    }

    /// Whether another own chevron on an own marker looks back at the landing chevron.
    #[inline]
    pub(super) fn faces_partner(&self, seat: usize, landing: Landing) -> bool {
        let partner = Cell::chevron(seat, landing.direction.back(), true);
        let ahead = landing.to.next(landing.direction);
        ahead.is_some_and(|field| self.cells[field.index()] == partner)
    }

    /// How many moves a landing stands for.
    #[inline]
    pub(super) fn forms(&self, seat: usize, landing: Landing) -> u64 {
        if self.faces_partner(seat, landing) {
            return self.forms_with_meeting(seat, landing);
        }
        let claims = count(self.claims(seat, landing)) as u64;
        (claims + landing.connection as u64).max(1)
    }

    #[cold]
    fn forms_with_meeting(&self, seat: usize, landing: Landing) -> u64 {
        let mut count = 0;
        let _ = self.for_each_gain::<()>(seat, landing, |gain| {
            count += (self.meeting_fields(landing, gain).count() as u64).max(1);
            ControlFlow::Continue(())
        });
        count
    }

    /// The choices a landing leaves by border and connection.
    #[inline]
    pub(super) fn for_each_gain<B>(
        &self,
        seat: usize,
        landing: Landing,
        mut visit: impl FnMut(Gain) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        let claims = self.claims(seat, landing);
        if landing.connection {
            visit(Gain::Connection)?;
        } else if claims == 0 {
            return visit(Gain::Nothing);
        }
        for field in fields_in(landing.to.borderland(), claims) {
            visit(Gain::Claim(field))?;
        }
        ControlFlow::Continue(())
    }

    /// Every move of a landing.
    #[inline]
    pub(super) fn for_each_form<B>(
        &self,
        seat: usize,
        landing: Landing,
        mut visit: impl FnMut(Move) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        let partner = self.faces_partner(seat, landing);
        self.for_each_gain(seat, landing, |gain| {
            let mut met = false;
            if partner {
                for field in self.meeting_fields(landing, gain) {
                    met = true;
                    visit(landing.with(gain, Some(field)))?;
                }
            }
            if met { ControlFlow::Continue(()) } else { visit(landing.with(gain, None)) }
        })
    }

    /// The fields a meeting may recolour, none if there is no meeting.
    pub(super) fn meeting_fields(
        &self,
        landing: Landing,
        gain: Gain,
    ) -> impl Iterator<Item = Field> {
        let seat = self.mover();
        let mut after = self.clone();
        after.advance(landing.from, landing.to, landing.pincer, gain);
        let due = after.meeting_due(landing.to);
        Field::all().filter(move |field| {
            let cell = after.cells[field.index()];
            due && !cell.is_occupied() && cell.marker() != Some(seat)
        })
    }

    /// Whether the chevron that has just landed on a field is in a meeting.
    pub(super) fn meeting_due(&self, to: Field) -> bool {
        let cell = self.cells[to.index()];
        let seat = cell.chevron_seat();
        let landing =
            Landing { from: to, to, direction: cell.facing(), connection: false, pincer: false };
        let threshold = self.variant.meeting_threshold as usize;
        cell.is_chevron_on_marker()
            && self.faces_partner(seat, landing)
            && (0..self.seats as usize).any(|other| other != seat && self.total(other) >= threshold)
    }

    /// The own markers a rotation may be paid with, in the order a1 b1 .. i9.
    pub(super) fn payable(&self, seat: usize) -> ArrayVec<Field, 81> {
        let own = Cell::marker_of(seat);
        Field::all().filter(|field| self.cells[field.index()] == own).collect()
    }

    /// Every rotation of the seat to move.
    pub(super) fn for_each_rotation<B>(
        &self,
        seat: usize,
        mut visit: impl FnMut(Move) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        if !self.variant.rotations || self.purse(seat) < 2 {
            return ControlFlow::Continue(());
        }
        let payable = self.payable(seat);
        for &from in self.fields_of(seat) {
            for rotation in Rotation::ALL {
                for_each_choice(&payable, rotation.cost(), |fields| {
                    visit(Move::Rotate { from, rotation, payment: Payment::new(fields) })
                })?;
            }
        }
        ControlFlow::Continue(())
    }

    /// How many rotations each chevron has.
    pub(super) fn rotations_each(&self, seat: usize) -> u64 {
        if !self.variant.rotations {
            return 0;
        }
        let purse = self.purse(seat) as u64;
        2 * (choices(purse, 2) + choices(purse, 4))
    }

    /// A chevron moves or captures, and gains what border or connection bring.
    pub(super) fn advance(&mut self, from: Field, to: Field, pincer: bool, gain: Gain) {
        let seat = self.mover();
        let Some((direction, steps)) = from.line_to(to) else {
            return;
        };
        self.lift(from);
        if pincer {
            self.lift(to);
            self.mark(to, Some(seat));
        }
        self.put(seat, to, direction);
        match gain {
            Gain::Nothing => {}
            Gain::Claim(field) => self.mark(field, Some(seat)),
            Gain::Connection => {
                for step in 1..steps {
                    self.mark(from.ahead(direction, step), Some(seat));
                }
            }
        }
    }
}

/// Calls `visit` with every choice of two or four fields, in order.
fn for_each_choice<B>(
    fields: &[Field],
    count: usize,
    mut visit: impl FnMut(&[Field]) -> ControlFlow<B>,
) -> ControlFlow<B> {
    for (i, &a) in fields.iter().enumerate() {
        for (j, &b) in fields.iter().enumerate().skip(i + 1) {
            if count == 2 {
                visit(&[a, b])?;
                continue;
            }
            for (k, &c) in fields.iter().enumerate().skip(j + 1) {
                for &d in &fields[k + 1..] {
                    visit(&[a, b, c, d])?;
                }
            }
        }
    }
    ControlFlow::Continue(())
}

/// The number of choices of `count` things among `of`.
pub(super) fn choices(of: u64, count: u64) -> u64 {
    (0..count).fold(1, |product, i| product * of.saturating_sub(i) / (i + 1))
}
