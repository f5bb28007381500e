//! One turn in progress: the mover's pawns and what stands in their way, in the mover's path
//! indices. Everything that a step depends on is here.

use super::board::{Geometry, MAX_PAWNS};
use super::moves::Step;
use super::options::{DoubleBlock, DoubleMove, Gate, RuleOptions};
use super::position::Position;

/// The board during a turn as the mover counts it.
#[derive(Clone)]
pub(in crate::games::chowka_bhara) struct TurnState<'a> {
    options: &'a RuleOptions,
    geometry: &'static Geometry,
    /// Path indices of the own pawns, sorted; those not in play are 0 beyond `count`.
    pub own: [u8; MAX_PAWNS],
    count: usize,
    /// Unsafe cells with one enemy.
    pub singles: u128,
    /// Unsafe cells with more.
    pub doubles: u128,
    /// Cells that may not be passed.
    blocks: u128,
    safe: u128,
    /// Cells hit in this turn.
    pub hit: u128,
    open: bool,
}

/// Why a step is illegal.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum StepError {
    /// Fewer pawns on the start than move.
    NoPawns,
    /// Two pawns together from a safe cell.
    NoDoubleOnSafe,
    /// Doubles do not move together, or not by this value.
    DoubleMove,
    /// Beyond the centre.
    BeyondCentre,
    /// The gate is closed.
    ClosedGate,
    /// An enemy double on this path index may not be passed.
    Blocked(u8),
    /// A double stands on the target and is not hit.
    EnemyDouble,
    /// An own pawn stands on the target.
    OuterDouble,
}

impl<'a> TurnState<'a> {
    /// The state of the side to move.
    pub(crate) fn new(position: &'a Position) -> Self {
        let options = position.options();
        let geometry = options.geometry();
        let count = options.pawns as usize;
        let mover = position.side();
        let safe = geometry.safe(options.safe_corners);
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
        let blocks = match options.double_block {
            DoubleBlock::Off => 0,
            DoubleBlock::Always => doubles & ((1 << geometry.ring) - 1),
            DoubleBlock::Turn => own_indices(geometry, mover, position.fresh()),
        };
        TurnState {
            options,
            geometry,
            own: *position.padded_pawns(mover),
            count,
            singles: once & !twice & !safe,
            doubles,
            blocks,
            safe,
            hit: 0,
            open: options.gate == Gate::Off || position.gate_open(mover),
        }
    }

    /// The own pawns, sorted.
    pub(crate) fn pawns(&self) -> &[u8] {
        &self.own[..self.count]
    }

    /// How far a value moves each pawn, and where it ends.
    fn target(&self, from: u8, value: u8, together: bool) -> Result<u8, StepError> {
        let mut distance = value;
        if together {
            match self.options.double_move {
                DoubleMove::Full => {}
                DoubleMove::Half if value.is_multiple_of(2) => distance = value / 2,
                DoubleMove::Half | DoubleMove::None => return Err(StepError::DoubleMove),
            }
        }
        let to = from + distance;
        let ring = self.geometry.ring;
        if !self.open && from < ring && to >= ring {
            return match self.options.gate {
                Gate::Circle => Ok(to - ring),
                _ => Err(StepError::ClosedGate),
            };
        }
        if to > self.geometry.centre { Err(StepError::BeyondCentre) } else { Ok(to) }
    }

    /// Where a value takes a pawn (or two together) from `from`, or why it cannot. Whether enough
    /// pawns stand there is for the caller to check.
    #[inline]
    pub(crate) fn landing(&self, from: u8, value: u8, together: bool) -> Result<u8, StepError> {
        if together && self.safe >> from & 1 != 0 {
            return Err(StepError::NoDoubleOnSafe);
        }
        let to = self.target(from, value, together)?;
        if self.blocks != 0 {
            let between = between(from, to, self.geometry.ring) & self.blocks;
            if between != 0 {
                return Err(StepError::Blocked(between.trailing_zeros() as u8));
            }
        }
        let bit = 1u128 << to;
        if self.doubles & bit != 0 && !(together && self.options.double_hits_double) {
            return Err(StepError::EnemyDouble);
        }
        let forms = !self.options.outer_doubles
            && to < self.geometry.ring
            && self.safe & bit == 0
            && self.pawns().contains(&to);
        if forms { Err(StepError::OuterDouble) } else { Ok(to) }
    }

    /// Whether a step is legal for a value, pawns and all.
    pub(crate) fn check(&self, step: Step, value: u8) -> Result<(), StepError> {
        let standing = self.pawns().iter().filter(|index| **index == step.from()).count();
        if standing < 1 + usize::from(step.together()) {
            return Err(StepError::NoPawns);
        }
        let to = self.landing(step.from(), value, step.together())?;
        if to == step.to() { Ok(()) } else { Err(StepError::NoPawns) }
    }

    /// The value that a step would use up, by its length alone; `None` if it does not lead forward
    /// on the path.
    pub(crate) fn value_of(&self, step: Step) -> Option<u8> {
        let ring = self.geometry.ring;
        let distance = if step.to() > step.from() {
            step.to() - step.from()
        } else if self.options.gate == Gate::Circle && step.from() < ring {
            step.to() + ring - step.from()
        } else {
            return None;
        };
        let halved = step.together() && self.options.double_move == DoubleMove::Half;
        if halved { distance.checked_mul(2) } else { Some(distance) }
    }

    /// Makes a legal step.
    #[inline]
    pub(crate) fn make(&mut self, step: Step) {
        self.shift(step.from(), step.to());
        if step.together() {
            self.shift(step.from(), step.to());
        }
        let bit = 1u128 << step.to();
        if (self.singles | self.doubles) & bit != 0 {
            self.singles &= !bit;
            self.doubles &= !bit;
            self.blocks &= !bit;
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
    pub(crate) fn for_each_step(&self, value: u8, mut visit: impl FnMut(Step) -> bool) -> bool {
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
    pub(crate) fn playable(&self, value: u8) -> bool {
        !self.for_each_step(value, |_| false)
    }

    /// The own pawns as one number.
    pub(crate) fn packed(&self) -> u128 {
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
