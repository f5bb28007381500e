//! Moves: what they are, how they are generated, counted, judged and made.

use std::ops::ControlFlow;

use arrayvec::ArrayVec;

use super::board::{BOARD, COPPER_STARTS, GOALS, Set, Space, across, spaces};
use super::position::{Entry, Kind, Phase, Position, Side};
use crate::game::Random;
use crate::machine::dispatched;

/// One move.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Move {
    /// Copper's set-up: bit `i` of a mask is the `i`-th of [`COPPER_STARTS`]. Two eggs, four
    /// Guardians, none on the same space.
    Setup {
        /// Where the Egg-Carriers go.
        eggs: u8,
        /// Where the Guardians go.
        guardians: u8,
    },
    /// A piece goes from one space to another.
    Walk {
        /// Where it stands.
        from: Space,
        /// Where it ends.
        to: Space,
    },
    /// The forced pass.
    Pass,
}

/// The most pieces of a side.
const MOST_PIECES: usize = 6;

/// How many ways there are to set up.
pub(super) const SETUPS: u64 = 420;

impl Position {
    /// The spaces on which a piece of a kind may end, wherever it comes from.
    #[inline(always)]
    pub(super) fn landing(&self, kind: Kind) -> Set {
        let (copper, serra) = (self.copper(), self.serra());
        let empty = BOARD & !(copper | serra);
        let rules = &self.rules;
        let banned = match kind {
            Kind::Egg if rules.egg_suicide => across(copper),
            Kind::Egg => across(copper | serra),
            Kind::Guardian if rules.entry == Entry::Eggs => across(copper) | GOALS,
            Kind::Guardian => across(copper),
            Kind::Serra => {
                let goals = if rules.entry == Entry::Any { 0 } else { GOALS };
                let locks = if rules.serra_lock { serra } else { serra | self.guardians() };
                across(locks) | goals
            }
        };
        empty & !banned
    }

    /// The pieces of a kind that can make their first step.
    #[inline(always)]
    pub(super) fn unlocked(&self, kind: Kind) -> Set {
        self.of(kind) & across(BOARD & !self.occupied())
    }

    /// Whether a side has a move of a piece.
    #[inline]
    pub(super) fn can_move(&self, side: Side) -> bool {
        let some = |kind: Kind| {
            let landing = self.landing(kind);
            spaces(self.unlocked(kind)).any(|from| from.reach() & landing != 0)
        };
        match side {
            Side::Copper => some(Kind::Guardian) || some(Kind::Egg),
            Side::Silver => some(Kind::Serra),
        }
    }

    /// Visits every move of a piece of the side to move: kind by kind, then by index.
    #[inline(always)]
    fn for_each_walk<B>(&self, mut visit: impl FnMut(Move) -> ControlFlow<B>) -> ControlFlow<B> {
        for kind in kinds(self.side()) {
            let landing = self.landing(*kind);
            for from in spaces(self.unlocked(*kind)) {
                for to in spaces(from.reach() & landing) {
                    visit(Move::Walk { from, to })?;
                }
            }
        }
        ControlFlow::Continue(())
    }

    #[inline(always)]
    fn count_walks(&self) -> u64 {
        let mut count = 0;
        for kind in kinds(self.side()) {
            let landing = self.landing(*kind);
            for from in spaces(self.unlocked(*kind)) {
                count += u64::from((from.reach() & landing).count_ones());
            }
        }
        count
    }

    dispatched! {
        /// How many moves of a piece there are.
        fn count_pieces_moves / count_fast = count_walks(&self) -> u64
    }

    dispatched! {
        /// A move of a piece, each as likely as the others; `None` where there is none.
        fn random_walk / random_fast = random_walk_body(&self, random: &mut Random) -> Option<Move>
    }

    #[inline(always)]
    fn random_walk_body(&self, random: &mut Random) -> Option<Move> {
        let mut sources = ArrayVec::<(Space, Set), MOST_PIECES>::new();
        let mut count = 0;
        for kind in kinds(self.side()) {
            let landing = self.landing(*kind);
            for from in spaces(self.unlocked(*kind)) {
                let targets = from.reach() & landing;
                count += u64::from(targets.count_ones());
                // A side never has more pieces than there is room for.
                let _ = sources.try_push((from, targets));
            }
        }
        let mut number = random.below(count) as u32;
        for (from, targets) in &sources {
            let count = targets.count_ones();
            if number < count {
                let to = spaces(*targets).nth(number as usize)?;
                return Some(Move::Walk { from: *from, to });
            }
            number -= count;
        }
        None
    }

    /// Visits every legal move once, in a fixed order.
    #[inline]
    pub(super) fn visit_moves<B>(
        &self,
        mut visit: impl FnMut(Move) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        match self.phase() {
            Phase::Moving => self.for_each_walk(visit),
            Phase::Passing => visit(Move::Pass),
            Phase::Setup => for_each_setup(visit),
            Phase::Over(_) => ControlFlow::Continue(()),
        }
    }

    /// How many moves there are.
    #[inline]
    pub(super) fn number_of_moves(&self) -> u64 {
        match self.phase() {
            Phase::Moving => self.count_pieces_moves(),
            Phase::Passing => 1,
            Phase::Setup => SETUPS,
            Phase::Over(_) => 0,
        }
    }

    /// A legal move, each as likely as the others.
    #[inline]
    pub(super) fn any_move(&self, random: &mut Random) -> Option<Move> {
        if self.phase() == Phase::Moving {
            return self.random_walk(random);
        }
        let mut number = random.below(self.number_of_moves());
        let found = self.visit_moves(|m| {
            if number == 0 {
                return ControlFlow::Break(m);
            }
            number -= 1;
            ControlFlow::Continue(())
        });
        found.break_value()
    }

    /// Whether a move is legal.
    #[inline]
    pub(super) fn allows(&self, m: Move) -> bool {
        match (m, self.phase()) {
            (Move::Pass, Phase::Passing) => true,
            (Move::Setup { eggs, guardians }, Phase::Setup) => is_setup(eggs, guardians),
            (Move::Walk { from, to }, Phase::Moving) => self.allows_walk(from, to),
            _ => false,
        }
    }

    fn allows_walk(&self, from: Space, to: Space) -> bool {
        self.piece_at(from).is_some_and(|kind| {
            kind.side() == self.side()
                && self.unlocked(kind) & from.bit() != 0
                && from.reach() & self.landing(kind) & to.bit() != 0
        })
    }

    /// Makes a legal move.
    #[inline]
    pub(super) fn make(&mut self, m: Move) {
        match m {
            Move::Walk { from, to } => {
                let kind = match self.side() {
                    Side::Silver => Kind::Serra,
                    Side::Copper if self.eggs() & from.bit() != 0 => Kind::Egg,
                    Side::Copper => Kind::Guardian,
                };
                self.shift(kind, from, to);
            }
            Move::Setup { eggs, guardians } => self.place(starts(eggs), starts(guardians)),
            Move::Pass => self.hand_over(),
        }
    }
}

/// The kinds that a side moves, in the order of generation.
#[inline(always)]
const fn kinds(side: Side) -> &'static [Kind] {
    match side {
        Side::Copper => &[Kind::Egg, Kind::Guardian],
        Side::Silver => &[Kind::Serra],
    }
}

/// Whether two masks are a set-up.
pub(super) const fn is_setup(eggs: u8, guardians: u8) -> bool {
    eggs & guardians == 0
        && eggs.count_ones() == Kind::Egg.limit()
        && guardians.count_ones() == Kind::Guardian.limit()
}

/// The spaces that a mask over the start spaces means.
pub(super) fn starts(mask: u8) -> Set {
    COPPER_STARTS
        .iter()
        .enumerate()
        .filter(|(bit, _)| mask >> bit & 1 == 1)
        .fold(0, |set, (_, space)| set | space.bit())
}

fn for_each_setup<B>(mut visit: impl FnMut(Move) -> ControlFlow<B>) -> ControlFlow<B> {
    for eggs in 0..=u8::MAX {
        for guardians in 0..=u8::MAX {
            if is_setup(eggs, guardians) {
                visit(Move::Setup { eggs, guardians })?;
            }
        }
    }
    ControlFlow::Continue(())
}
