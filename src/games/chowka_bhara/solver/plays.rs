//! All plays of a hand, followed one by one. This is what a value means; the sweep takes it apart
//! so that most of it is shared, and comes back to it after a hit.

use super::hands::{distinct, without};
use super::ranking::{Ranking, across};
use super::steps::{Step, Steps};
use super::values::Values;

/// What plays are followed with.
#[derive(Clone, Copy)]
pub struct Rules<'a> {
    pub ranking: &'a Ranking,
    pub steps: &'a Steps,
    pub values: &'a Values,
}

/// Another player as seen by the one whose turn it is; cells are the mover's path indices.
#[derive(Clone, Copy, Debug)]
pub struct Front {
    /// The standing.
    pub there: usize,
    /// Unsafe cells with one pawn.
    pub singles: u32,
    /// Unsafe cells with more.
    pub doubles: u32,
    /// Fresh doubles, which cannot be passed.
    pub walls: u16,
}

impl Front {
    /// A standing with fresh doubles at these path indices of its own.
    pub fn new(ranking: &Ranking, there: usize, fresh: u32) -> Self {
        let placement = ranking.placement(there);
        let fresh = (0..16).filter(|index| fresh >> index & 1 != 0);
        let walls = fresh.fold(0u32, |set, index| set | 1 << across(index)) as u16;
        Front { there, singles: placement.singles, doubles: placement.doubles, walls }
    }

    /// Whether a step may be made.
    #[inline]
    pub fn allows(&self, step: &Step) -> bool {
        step.path & self.walls == 0 && (self.doubles >> step.to & 1 == 0 || step.together)
    }

    /// Whether somebody is hit on a cell.
    #[inline]
    pub fn is_hit(&self, to: u8) -> bool {
        (self.singles | self.doubles) >> to & 1 != 0
    }

    /// After everybody on a cell is sent home.
    pub fn after_hit(&self, ranking: &Ranking, to: u8) -> Front {
        let keep = !(1u32 << to);
        Front {
            there: ranking.sent(self.there, across(to)),
            singles: self.singles & keep,
            doubles: self.doubles & keep,
            walls: self.walls & keep as u16,
        }
    }
}

/// The mover in a turn: the standing now, and the outer doubles when the turn began.
#[derive(Clone, Copy, Debug)]
pub struct Mover {
    pub standing: usize,
    pub before: u32,
}

impl Rules<'_> {
    /// The least value for the other player that the mover can leave with a hand.
    pub fn least(self, mover: Mover, front: &Front, kinds: &[u8]) -> f32 {
        let (_, aspect) = self.steps.doubles(mover.standing);
        let mut least = f32::INFINITY;
        for kind in distinct(kinds) {
            let rest = without(kinds, kind);
            for step in self.steps.of(aspect, kind as usize) {
                if front.allows(step) {
                    least = least.min(self.after(mover.before, front, step, &rest));
                }
            }
        }
        if least == f32::INFINITY { self.leaf(mover, front) } else { least }
    }

    /// The least value after a step, with what is left of the hand.
    pub fn after(self, before: u32, front: &Front, step: &Step, rest: &[u8]) -> f32 {
        let (mover, front) = self.moved(before, front, step);
        match rest {
            [] => self.leaf(mover, &front),
            [kind] => self.least_of_one(mover, &front, *kind),
            _ => self.least(mover, &front, rest),
        }
    }

    /// What [`Rules::least`] finds for a single value, faster.
    fn least_of_one(self, mover: Mover, front: &Front, kind: u8) -> f32 {
        let (_, aspect) = self.steps.doubles(mover.standing);
        let mut least = f32::INFINITY;
        for step in self.steps.of(aspect, kind as usize) {
            if front.allows(step) {
                let (mover, front) = self.moved(mover.before, front, step);
                least = least.min(self.leaf(mover, &front));
            }
        }
        if least == f32::INFINITY { self.leaf(mover, front) } else { least }
    }

    /// Both players after a step.
    #[inline]
    pub fn moved(self, before: u32, front: &Front, step: &Step) -> (Mover, Front) {
        let hit = front.is_hit(step.to);
        let aspect = if hit { step.opened } else { step.target };
        let mover = Mover { standing: self.steps.standing(aspect as usize), before };
        (mover, if hit { front.after_hit(self.ranking, step.to) } else { *front })
    }

    /// The value for the other player once the turn is over.
    #[inline]
    fn leaf(self, mover: Mover, front: &Front) -> f32 {
        let (doubles, first) = self.steps.doubles(mover.standing);
        let aspect = match doubles & !mover.before {
            0 => first,
            fresh => self.ranking.aspect(mover.standing, fresh),
        };
        self.values.get(front.there * self.ranking.row() + aspect)
    }
}
