//! The generator of legal moves.

use std::ops::ControlFlow;

#[cfg(feature = "search")]
use arrayvec::ArrayVec;

use super::board::{Kind, SquareSet};
use super::moves::Move;
use super::position::{ANIMALS, Position};
use super::tables::{DIAGONAL_ENTRIES, DIAGONAL_REACH, FILE_REACH, RANK_REACH, at};
use crate::machine::dispatched;

/// An animal and the squares it may enter.
#[cfg(feature = "search")]
#[derive(Clone, Copy)]
pub(crate) struct Targets {
    /// Its index among the animals of its side.
    pub slot: usize,
    /// Where it stands.
    pub from: u8,
    /// The squares.
    pub squares: SquareSet,
}

impl Position {
    dispatched! {
        /// Visits every legal move: by kind, animal, and target square, in ascending order.
        pub(super) fn visit_moves<B> / visit_fast = visit_targets(
            &self, visit: impl FnMut(Move) -> ControlFlow<B>
        ) -> ControlFlow<B>
    }

    dispatched! {
        /// Counts the legal moves without listing them.
        pub(super) fn count_legal / count_fast = count_targets(&self) -> u64
    }

    /// Whether the side to move can occupy a third hole with its next move.
    #[cfg(feature = "search")]
    #[inline]
    #[must_use]
    pub fn wins_at_once(&self) -> bool {
        self.held(self.side()) == 2 && self.can_enter_hole()
    }

    #[cfg(feature = "search")]
    dispatched! {
        /// Whether an animal that holds no hole can enter one.
        fn can_enter_hole / can_enter_fast = has_entry(&self) -> bool
    }

    #[cfg(feature = "search")]
    #[inline(always)]
    fn has_entry(&self) -> bool {
        use super::board::HOLE_SET;
        self.for_each_animal(|_, from, targets| {
            if !(targets & HOLE_SET).is_empty() && !is_on(from, HOLE_SET) {
                return ControlFlow::Break(());
            }
            ControlFlow::Continue(())
        })
        .is_break()
    }

    #[inline(always)]
    fn count_targets(&self) -> u64 {
        let mut count = 0;
        let _ = self.for_each_animal::<()>(|_, _, targets| {
            count += targets.count();
            ControlFlow::Continue(())
        });
        count as u64
    }

    #[inline(always)]
    fn visit_targets<B>(&self, mut visit: impl FnMut(Move) -> ControlFlow<B>) -> ControlFlow<B> {
        self.for_each_animal(|_, from, targets| {
            for to in targets {
                visit(Move { from, to })?;
            }
            ControlFlow::Continue(())
        })
    }

    /// The animals that may move, each with the squares it may enter.
    #[cfg(feature = "search")]
    #[inline(always)]
    pub(crate) fn targets(&self) -> ArrayVec<Targets, ANIMALS> {
        let mut all = ArrayVec::new();
        let _ = self.for_each_animal::<()>(|slot, from, squares| {
            // There is room for every animal.
            let _ = all.try_push(Targets { slot, from, squares });
            ControlFlow::Continue(())
        });
        all
    }

    /// Visits every animal that may move, with the squares it may enter.
    #[inline(always)]
    pub(crate) fn for_each_animal<B>(
        &self,
        mut visit: impl FnMut(usize, u8, SquareSet) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        if self.winner().is_some() {
            return ControlFlow::Continue(());
        }
        let side = self.side();
        let vacant = !self.occupied();
        let calm = Kind::ALL.map(|kind| vacant & !self.feared(side, kind));
        let afraid = self.afraid(side);
        if afraid.is_empty() {
            for (slot, from) in self.animals(side).iter().enumerate() {
                visit(slot, *from, self.reach(slot, *from) & calm[slot / 2])?;
            }
            return ControlFlow::Continue(());
        }
        self.for_each_escape(vacant, calm, afraid, visit)
    }

    /// The same when some animal is afraid.
    #[inline(always)]
    fn for_each_escape<B>(
        &self,
        vacant: SquareSet,
        calm: [SquareSet; 3],
        afraid: SquareSet,
        mut visit: impl FnMut(usize, u8, SquareSet) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        let animals = self.animals(self.side());
        let mut reached = [SquareSet::EMPTY; ANIMALS];
        let mut escapes = SquareSet::EMPTY;
        for (slot, from) in animals.iter().enumerate() {
            if !is_on(*from, afraid) {
                continue;
            }
            reached[slot] = self.reach(slot, *from) & vacant;
            let targets = reached[slot] & calm[slot / 2];
            if !targets.is_empty() {
                escapes |= targets;
                visit(slot, *from, targets)?;
            }
        }
        if !escapes.is_empty() {
            return ControlFlow::Continue(());
        }
        for (slot, from) in animals.iter().enumerate() {
            let targets = if is_on(*from, afraid) {
                reached[slot]
            } else {
                self.reach(slot, *from) & calm[slot / 2]
            };
            visit(slot, *from, targets)?;
        }
        ControlFlow::Continue(())
    }

    /// The squares an animal reaches over vacant squares, and the occupied ones that stop it.
    #[inline(always)]
    pub(crate) fn reach(&self, slot: usize, from: u8) -> SquareSet {
        match slot / 2 {
            0 => self.straight(from),
            1 => self.diagonals(from),
            _ => self.straight(from) | self.diagonals(from),
        }
    }

    #[inline(always)]
    fn straight(&self, from: u8) -> SquareSet {
        let of = at(from);
        let index = |order: usize| {
            (self.lines[(of.word[order] & 7) as usize] >> (of.shift[order] & 63) & 255) as usize
        };
        let along_rank = (RANK_REACH[(of.file & 15) as usize][index(0)] as u64) << (of.first & 63);
        let along_file = FILE_REACH[(of.rank & 15) as usize][index(1)].0;
        // No bit leaves its word, so the two words are shifted separately.
        let high_rank = of.high as u64;
        let low = (along_file as u64) << (of.aside & 63) | along_rank & !high_rank;
        let high = ((along_file >> 64) as u64) << (of.aside & 63) | along_rank & high_rank;
        SquareSet(low as u128 | (high as u128) << 64)
    }

    #[inline(always)]
    fn diagonals(&self, from: u8) -> SquareSet {
        let of = at(from);
        let entry = |order: usize| {
            let line = self.lines[(of.word[2 + order] & 7) as usize] >> (of.shift[2 + order] & 63);
            let entry = of.base[order] as usize + (line as u8 & of.mask[order]) as usize;
            DIAGONAL_REACH[entry & (DIAGONAL_ENTRIES - 1)]
        };
        entry(0) | entry(1)
    }

    /// The vacant squares an own animal of a kind can slide to from a square.
    pub(crate) fn slides(&self, kind: Kind, from: u8) -> SquareSet {
        self.reach(2 * kind as usize, from) & !self.occupied()
    }

    /// The escapes of an animal of the side to move, wherever it stands.
    pub(super) fn calm_slides(&self, kind: Kind, from: u8) -> SquareSet {
        self.slides(kind, from) & !self.feared(self.side(), kind)
    }

    /// An afraid animal of the side to move that has an escape, if there is one.
    pub(super) fn must_escape(&self) -> Option<(Kind, u8)> {
        let side = self.side();
        Kind::ALL.into_iter().find_map(|kind| {
            let mut afraid = self.afraid_of_kind(side, kind);
            afraid.find(|from| !self.calm_slides(kind, *from).is_empty()).map(|from| (kind, from))
        })
    }

    /// Whether the side to move has no legal move.
    #[inline]
    pub(super) fn is_stuck(&self) -> bool {
        // An elephant beside a vacant square where it is not afraid can go there, unless others
        // have to escape first. In nearly every position this decides.
        let side = self.side();
        let [a, b] = self.pair(side, Kind::Elephant);
        let near = at(a).near | at(b).near;
        if !(near & !self.occupied() & !self.feared(side, Kind::Elephant)).is_empty() {
            return false;
        }
        self.visit_moves(|_| ControlFlow::Break(())).is_continue()
    }
}

/// Whether a set has a square, by the table of squares.
#[inline(always)]
pub(super) fn is_on(square: u8, set: SquareSet) -> bool {
    !(at(square).set & set).is_empty()
}
