//! Legal moves: listing them, counting them, choosing one at random, playing one.

use std::ops::ControlFlow;

use arrayvec::ArrayVec;

use super::board::{BOARD, GOALS, Set, Space, across, spaces};
use super::moves::{Move, SETUPS, is_setup, start_spaces};
use super::options::Entry;
use super::position::{Kind, Phase, Position, Side};
use crate::game::Random;
use crate::machine::dispatched;

/// The greatest number of pieces of a side.
const MAX_PIECES: usize = 6;

impl Position {
    /// The spaces on which a piece of a kind may end, wherever it starts.
    #[inline(always)]
    pub(crate) fn landing(&self, kind: Kind) -> Set {
        let (copper, serra) = (self.copper(), self.serra());
        let empty = BOARD & !(copper | serra);
        let rules = self.options();
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
    pub(crate) fn unlocked(&self, kind: Kind) -> Set {
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

    /// Visits every piece move of the side to move: kind by kind, then by index.
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
        /// How many piece moves there are.
        fn count_piece_moves / count_fast = count_walks(&self) -> u64
    }

    dispatched! {
        /// A piece move chosen uniformly; `None` where there is none.
        fn random_walk / random_fast = random_walk_body(&self, random: &mut Random) -> Option<Move>
    }

    #[inline(always)]
    fn random_walk_body(&self, random: &mut Random) -> Option<Move> {
        let mut sources = ArrayVec::<(Space, Set), MAX_PIECES>::new();
        let mut count = 0;
        for kind in kinds(self.side()) {
            let landing = self.landing(*kind);
            for from in spaces(self.unlocked(*kind)) {
                let targets = from.reach() & landing;
                count += u64::from(targets.count_ones());
                // No side has more pieces than the list holds.
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
    pub(super) fn count_legal_moves(&self) -> u64 {
        match self.phase() {
            Phase::Moving => self.count_piece_moves(),
            Phase::Passing => 1,
            Phase::Setup => SETUPS,
            Phase::Over(_) => 0,
        }
    }

    /// A legal move chosen uniformly.
    #[inline]
    pub(super) fn random_legal_move(&self, random: &mut Random) -> Option<Move> {
        if self.phase() == Phase::Moving {
            return self.random_walk(random);
        }
        let mut number = random.below(self.count_legal_moves());
        let found = self.visit_moves(|m| {
            if number == 0 {
                return ControlFlow::Break(m);
            }
            number -= 1;
            ControlFlow::Continue(())
        });
        found.break_value()
    }

    /// Plays a legal move.
    #[inline]
    pub(super) fn play_legal(&mut self, m: Move) {
        match m {
            Move::Walk { from, to } => {
                let kind = match self.side() {
                    Side::Silver => Kind::Serra,
                    Side::Copper if self.eggs() & from.bit() != 0 => Kind::Egg,
                    Side::Copper => Kind::Guardian,
                };
                self.move_piece(kind, from, to);
            }
            Move::Setup { eggs, guardians } => {
                self.place_copper(start_spaces(eggs), start_spaces(guardians))
            }
            Move::Pass => self.end_turn(),
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
