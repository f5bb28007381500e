//! A search of all plays of a value set, step by step. It defines what a sweep computes; sweeps
//! share most of this work and come back to it for a few plays.

use parlor::games::chowka_bhara::solved::{Ranking, across};

use super::transitions::{Transition, Transitions};
use super::value_sets::{distinct, without};
use super::value_table::ValueTable;

/// What a search reads.
#[derive(Clone, Copy)]
pub(super) struct PlaySearch<'a> {
    pub(super) ranking: &'a Ranking,
    pub(super) transitions: &'a Transitions,
    pub(super) table: &'a ValueTable,
}

/// The opponent as the mover sees it; cells are the mover's path indices.
#[derive(Clone, Copy, Debug)]
pub(super) struct Opponent {
    /// Its half-state.
    pub(super) half_state: usize,
    /// Unsafe cells with one pawn.
    pub(super) singles: u32,
    /// Unsafe cells with more.
    pub(super) doubles: u32,
    /// Fresh doubles, which cannot be passed.
    pub(super) blocks: u16,
}

impl Opponent {
    /// A half-state with fresh doubles at these path indices, by its own count.
    pub(super) fn new(ranking: &Ranking, half_state: usize, fresh: u32) -> Self {
        let placement = ranking.placement(half_state);
        let fresh = (0..16).filter(|index| fresh >> index & 1 != 0);
        let blocks = fresh.fold(0u32, |set, index| set | 1 << across(index)) as u16;
        Opponent { half_state, singles: placement.singles, doubles: placement.doubles, blocks }
    }

    /// Whether a step may be made.
    #[inline]
    pub(super) fn allows(&self, step: &Transition) -> bool {
        step.path & self.blocks == 0 && (self.doubles >> step.to & 1 == 0 || step.together)
    }

    /// Whether somebody is hit on a cell.
    #[inline]
    pub(super) fn is_hit(&self, to: u8) -> bool {
        (self.singles | self.doubles) >> to & 1 != 0
    }

    /// After everybody on a cell is sent home.
    pub(super) fn after_hit(&self, ranking: &Ranking, to: u8) -> Opponent {
        let keep = !(1u32 << to);
        Opponent {
            half_state: ranking.sent(self.half_state, across(to)),
            singles: self.singles & keep,
            doubles: self.doubles & keep,
            blocks: self.blocks & keep as u16,
        }
    }
}

/// The mover during a turn: its half-state, and its outer doubles when the turn began.
#[derive(Clone, Copy, Debug)]
pub(super) struct Mover {
    pub(super) half_state: usize,
    pub(super) before: u32,
}

impl PlaySearch<'_> {
    /// The least value for the opponent that the mover can leave with a value set.
    pub(super) fn least(self, mover: Mover, opponent: &Opponent, values: &[u8]) -> f32 {
        let (_, flagged_state) = self.transitions.doubles(mover.half_state);
        let mut least = f32::INFINITY;
        for kind in distinct(values) {
            let rest = without(values, kind);
            for step in self.transitions.of(flagged_state, kind as usize) {
                if opponent.allows(step) {
                    least = least.min(self.after(mover.before, opponent, step, &rest));
                }
            }
        }
        if least == f32::INFINITY { self.leaf(mover, opponent) } else { least }
    }

    /// The least value after a step, with what remains of the value set.
    pub(super) fn after(
        self,
        before: u32,
        opponent: &Opponent,
        step: &Transition,
        rest: &[u8],
    ) -> f32 {
        let (mover, opponent) = self.moved(before, opponent, step);
        if rest.is_empty() {
            self.leaf(mover, &opponent)
        } else {
            self.least(mover, &opponent, rest)
        }
    }

    /// Both players after a step.
    #[inline]
    pub(super) fn moved(
        self,
        before: u32,
        opponent: &Opponent,
        step: &Transition,
    ) -> (Mover, Opponent) {
        let hit = opponent.is_hit(step.to);
        let flagged_state = if hit { step.opened } else { step.target };
        let mover =
            Mover { half_state: self.transitions.half_state(flagged_state as usize), before };
        (mover, if hit { opponent.after_hit(self.ranking, step.to) } else { *opponent })
    }

    /// The value for the opponent once the turn is over.
    #[inline]
    fn leaf(self, mover: Mover, opponent: &Opponent) -> f32 {
        let (doubles, first) = self.transitions.doubles(mover.half_state);
        let flagged_state = match doubles & !mover.before {
            0 => first,
            fresh => self.ranking.flagged_state(mover.half_state, fresh),
        };
        self.table.row(flagged_state)[opponent.half_state]
    }
}
