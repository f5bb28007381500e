//! One turn in the making: the mover's pawns and, in the mover's path indices, what stands in
//! their way. Everything a step depends on is here.

use super::geometry::{Geometry, MAX_PAWNS};
use super::moves::{MAX_THROWS, Step};
use super::position::Position;
use super::rule_options::{DoubleBlock, DoubleMove, Gate, Variant};

/// The mover's view of the board during a turn.
#[derive(Clone)]
pub(super) struct Field<'a> {
    variant: &'a Variant,
    geometry: &'static Geometry,
    /// Path indices of the own pawns, sorted; those not in play are 0 beyond `count`.
    pub own: [u8; MAX_PAWNS],
    count: usize,
    /// Unsafe cells with one enemy.
    pub singles: u128,
    /// Unsafe cells with more.
    pub doubles: u128,
    /// Cells that may not be passed.
    walls: u128,
    safe: u128,
    /// Cells hit in this turn.
    pub hit: u128,
    open: bool,
}

/// Why a value cannot be played in some way.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Refusal {
    /// Fewer pawns on the start than move.
    NoPawns,
    /// Two pawns together from a safe cell.
    NoDoubleOnSafe,
    /// Doubles do not move together, or not by this value.
    DoubleMove,
    /// Beyond the centre.
    Beyond,
    /// The gate is closed.
    Gate,
    /// A double stands between.
    Wall(u8),
    /// A double stands on the target.
    Double,
    /// An own pawn stands on the target.
    OuterDouble,
}

impl<'a> Field<'a> {
    /// The field of the side to move.
    pub fn new(position: &'a Position) -> Self {
        let variant = position.variant();
        let geometry = variant.geometry();
        let count = variant.pawns as usize;
        let mover = position.side();
        let safe = geometry.safe(variant.safe_corners);
        let mut once = 0u128;
        let mut twice = 0u128;
        for further in 1..4 {
            let side = (mover + further) & 3;
            if !position.seated(side) {
                continue;
            }
            for index in position.pawns(side) {
                let bit = 1 << geometry.relative(further, *index);
                twice |= once & bit;
                once |= bit;
            }
        }
        let doubles = twice & !safe;
        let walls = match variant.double_block {
            DoubleBlock::Off => 0,
            DoubleBlock::Always => doubles & ((1 << geometry.ring) - 1),
            DoubleBlock::Turn => own_indices(geometry, mover, position.fresh()),
        };
        Field {
            variant,
            geometry,
            own: *position.raw_pawns(mover),
            count,
            singles: once & !twice & !safe,
            doubles,
            walls,
            safe,
            hit: 0,
            open: variant.gate == Gate::Off || position.gate_open(mover),
        }
    }

    /// The own pawns, sorted.
    pub fn pawns(&self) -> &[u8] {
        &self.own[..self.count]
    }

    /// How far a value moves each pawn, and where it ends.
    fn target(&self, from: u8, value: u8, together: bool) -> Result<u8, Refusal> {
        let mut distance = value;
        if together {
            match self.variant.double_move {
                DoubleMove::Full => {}
                DoubleMove::Half if value.is_multiple_of(2) => distance = value / 2,
                DoubleMove::Half | DoubleMove::None => return Err(Refusal::DoubleMove),
            }
        }
        let to = from + distance;
        let ring = self.geometry.ring;
        if !self.open && from < ring && to >= ring {
            return match self.variant.gate {
                Gate::Circle => Ok(to - ring),
                _ => Err(Refusal::Gate),
            };
        }
        if to > self.geometry.centre { Err(Refusal::Beyond) } else { Ok(to) }
    }

    /// Where a value takes a pawn (or two together) from `from`, or why it cannot. Whether enough
    /// pawns stand there is for the caller to see.
    #[inline]
    pub fn landing(&self, from: u8, value: u8, together: bool) -> Result<u8, Refusal> {
        if together && self.safe >> from & 1 != 0 {
            return Err(Refusal::NoDoubleOnSafe);
        }
        let to = self.target(from, value, together)?;
        if self.walls != 0 {
            let between = between(from, to, self.geometry.ring) & self.walls;
            if between != 0 {
                return Err(Refusal::Wall(between.trailing_zeros() as u8));
            }
        }
        let bit = 1u128 << to;
        if self.doubles & bit != 0 && !(together && self.variant.double_hits_double) {
            return Err(Refusal::Double);
        }
        let forms = !self.variant.outer_doubles
            && to < self.geometry.ring
            && self.safe & bit == 0
            && self.pawns().contains(&to);
        if forms { Err(Refusal::OuterDouble) } else { Ok(to) }
    }

    /// Whether a step is legal for a value, pawns and all.
    pub fn check(&self, step: Step, value: u8) -> Result<(), Refusal> {
        let standing = self.pawns().iter().filter(|index| **index == step.from()).count();
        if standing < 1 + usize::from(step.together()) {
            return Err(Refusal::NoPawns);
        }
        let to = self.landing(step.from(), value, step.together())?;
        if to == step.to() { Ok(()) } else { Err(Refusal::NoPawns) }
    }

    /// The value that a step would use up, by its length alone; `None` if it does not lead forward
    /// on the path.
    pub fn value_of(&self, step: Step) -> Option<u8> {
        let ring = self.geometry.ring;
        let distance = if step.to() > step.from() {
            step.to() - step.from()
        } else if self.variant.gate == Gate::Circle && step.from() < ring {
            step.to() + ring - step.from()
        } else {
            return None;
        };
        let halved = step.together() && self.variant.double_move == DoubleMove::Half;
        if halved { distance.checked_mul(2) } else { Some(distance) }
    }

    /// Makes a legal step.
    #[inline]
    pub fn make(&mut self, step: Step) {
        self.shift(step.from(), step.to());
        if step.together() {
            self.shift(step.from(), step.to());
        }
        let bit = 1u128 << step.to();
        if (self.singles | self.doubles) & bit != 0 {
            self.singles &= !bit;
            self.doubles &= !bit;
            self.walls &= !bit;
            self.hit |= bit;
            self.open = true;
        }
    }

    /// Moves one pawn and keeps the list sorted.
    #[inline]
    fn shift(&mut self, from: u8, to: u8) {
        let own = &mut self.own[..self.count];
        let Some(mut at) = own.iter().position(|index| *index == from) else {
            return;
        };
        while at + 1 < own.len() && own[at + 1] < to {
            own[at] = own[at + 1];
            at += 1;
        }
        while at > 0 && own[at - 1] > to {
            own[at] = own[at - 1];
            at -= 1;
        }
        own[at] = to;
    }

    /// Calls `visit` with every legal step for a value, by start, a single before a double.
    #[inline]
    pub fn for_each_step(&self, value: u8, mut visit: impl FnMut(Step) -> bool) -> bool {
        let pawns = self.pawns();
        for (at, from) in pawns.iter().enumerate() {
            if at > 0 && pawns[at - 1] == *from {
                continue;
            }
            if let Ok(to) = self.landing(*from, value, false)
                && !visit(Step::new(*from, to, false))
            {
                return false;
            }
            if pawns.get(at + 1) == Some(from)
                && let Ok(to) = self.landing(*from, value, true)
                && !visit(Step::new(*from, to, true))
            {
                return false;
            }
        }
        true
    }

    /// Whether a value can be played at all.
    pub fn playable(&self, value: u8) -> bool {
        !self.for_each_step(value, |_| false)
    }

    /// The own pawns as one number.
    pub fn packed(&self) -> u128 {
        let mut bytes = [0; 16];
        bytes[..MAX_PAWNS].copy_from_slice(&self.own);
        u128::from_le_bytes(bytes)
    }
}

/// Outer cells as a side's path indices.
pub(super) fn own_indices(geometry: &Geometry, side: usize, mut cells: u64) -> u128 {
    let mut indices = 0;
    while cells != 0 {
        indices |= 1 << geometry.index(side, cells.trailing_zeros() as u8);
        cells &= cells - 1;
    }
    indices
}

/// The indices strictly between two on the path; with `to` behind `from`, round the outer ring.
fn between(from: u8, to: u8, ring: u8) -> u128 {
    let below = |index: u8| (1u128 << index) - 1;
    if to > from {
        below(to) & !below(from + 1)
    } else {
        (below(ring) & !below(from + 1)) | below(to)
    }
}

/// The values of a turn that are left to play: at most three different ones.
#[derive(Clone, Copy, Debug)]
pub(super) struct Values {
    /// Ascending.
    value: [u8; 3],
    left: [u8; 3],
}

impl Values {
    /// The values of the throws. All but the last are one of two, so that three kinds suffice.
    pub fn new(throws: &[u8]) -> Self {
        let mut values = Values { value: [0; 3], left: [0; 3] };
        let mut kinds = 0;
        for throw in throws.iter().take(MAX_THROWS) {
            let at = values.value[..kinds].iter().position(|value| value >= throw).unwrap_or(kinds);
            if at == kinds || values.value[at] != *throw {
                if kinds == 3 {
                    continue;
                }
                values.value.copy_within(at..2, at + 1);
                values.left.copy_within(at..2, at + 1);
                (values.value[at], values.left[at]) = (*throw, 0);
                kinds += 1;
            }
            values.left[at] += 1;
        }
        values
    }

    /// How many are left.
    pub fn total(&self) -> u8 {
        self.left.iter().sum()
    }

    /// The kinds that are left, ascending.
    pub fn kinds(self) -> impl Iterator<Item = (usize, u8)> {
        (0..3).filter(move |kind| self.left[*kind] > 0).map(move |kind| (kind, self.value[kind]))
    }

    /// Every value that is left, ascending.
    pub fn each(self) -> impl Iterator<Item = u8> {
        (0..3).flat_map(move |kind| std::iter::repeat_n(self.value[kind], self.left[kind] as usize))
    }

    /// One value of a kind less.
    pub fn without(mut self, kind: usize) -> Self {
        self.left[kind] -= 1;
        self
    }

    /// The kind of a value that is left.
    pub fn kind(&self, value: u8) -> Option<usize> {
        self.kinds().find(|(_, known)| *known == value).map(|(kind, _)| kind)
    }

    /// How many are left of each, as one number below 2^12.
    pub fn packed(&self) -> u128 {
        u128::from(self.left[0]) | u128::from(self.left[1]) << 4 | u128::from(self.left[2]) << 8
    }
}
