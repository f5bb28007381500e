//! No Ser'ra is free: copper moves alone, and whether and when the eggs come home is a matter of
//! paths.
//!
//! Locked pairs stay for ever, so the walls are fixed. Mostly one egg can go home while the other
//! waits, and the sum of their shortest ways is the answer; where they stand in each other's way,
//! all pairs of places are searched. A Guardian that is still free may have to step aside: then the
//! two bounds, with it as a wall and without it, must agree.

use super::board::{BOARD, DEAD, GOALS, Set, Space, across, spaces};
use super::position::{Kind, Phase, Position, Side, Stuck};
use crate::search::{Bound, KnownValue, Score};

/// What stands still while eggs run.
#[derive(Clone, Copy)]
struct Course {
    /// Spaces that are taken.
    walls: Set,
    /// Spaces where an egg would face a friend.
    shunned: Set,
}

impl Course {
    /// Where an egg may go from a space.
    #[inline]
    fn targets(&self, from: Space) -> Set {
        if across(self.walls) & from.bit() != 0 {
            return 0;
        }
        // A space where an egg can never move again is no way home.
        from.reach() & BOARD & !(self.walls | self.shunned) & (!DEAD | GOALS)
    }

    /// The course with one more friend standing still.
    fn with(&self, friend: Space) -> Self {
        let walls = self.walls | friend.bit();
        Course { walls, shunned: self.shunned | across(friend.bit()) }
    }

    /// The moves of one egg to each Por'rika, `b7e` first; `None` where there is no way.
    fn ways(&self, egg: Space) -> [Option<u32>; 2] {
        let mut ways = [None; 2];
        let (mut seen, mut front, mut moves) = (egg.bit(), egg.bit(), 0);
        while front != 0 {
            for (way, goal) in ways.iter_mut().zip(spaces(GOALS)) {
                if front & goal.bit() != 0 {
                    *way = Some(moves);
                }
            }
            let next = spaces(front).fold(0, |next, from| next | self.targets(from));
            front = next & !seen;
            seen |= front;
            moves += 1;
        }
        ways
    }

    /// The fewest moves that both eggs need if neither minds the other.
    fn apart(&self, [one, other]: [Space; 2]) -> Option<u32> {
        let (one, other) = (self.ways(one), self.ways(other));
        let sum = |a: Option<u32>, b: Option<u32>| Some(a? + b?);
        let straight = sum(one[0], other[1]);
        let crossed = sum(one[1], other[0]);
        straight.into_iter().chain(crossed).min()
    }

    /// The fewest moves if one egg goes home first and the other then.
    fn in_turn(&self, [first, second]: [Space; 2]) -> Option<u32> {
        let first = self.with(second).ways(first);
        let goals = [0, 1].map(|index| spaces(GOALS).nth(index));
        let sums = [0, 1].map(|index| {
            let home = goals[index]?;
            Some(first[index]? + self.with(home).ways(second)[1 - index]?)
        });
        sums.into_iter().flatten().min()
    }

    /// The fewest moves in which both eggs come home.
    fn shortest(&self, eggs: [Space; 2]) -> Option<u32> {
        let bound = self.apart(eggs)?;
        let [one, other] = eggs;
        if self.in_turn([one, other]) == Some(bound) || self.in_turn([other, one]) == Some(bound) {
            return Some(bound);
        }
        self.search_pairs(eggs)
    }

    /// The same by searching all pairs of places, breadth first.
    fn search_pairs(&self, [one, other]: [Space; 2]) -> Option<u32> {
        let mut seen = [0; 128];
        seen[one.index() & 127] = other.bit();
        let mut front = vec![(one, other)];
        let mut moves = 0;
        while !front.is_empty() {
            if front.iter().any(|(one, other)| one.bit() | other.bit() == GOALS) {
                return Some(moves);
            }
            let mut next = Vec::new();
            for (one, other) in front {
                let steps = spaces(self.with(other).targets(one)).map(|to| (to, other));
                let others = spaces(self.with(one).targets(other)).map(|to| (to, one));
                for (moved, still) in steps.chain(others) {
                    let (low, high) = (moved.min(still), moved.max(still));
                    if seen[low.index() & 127] & high.bit() == 0 {
                        seen[low.index() & 127] |= high.bit();
                        next.push((low, high));
                    }
                }
            }
            front = next;
            moves += 1;
        }
        None
    }

    /// Whether a piece can walk for ever while all others stand still.
    fn endless(&self, from: Space) -> bool {
        let mut alive = BOARD & !DEAD;
        loop {
            let stays = |space: &Space| self.targets(*space) & alive != 0;
            let left = spaces(alive).filter(stays).fold(0, |set, space| set | space.bit());
            if left == alive {
                return alive & from.bit() != 0;
            }
            alive = left;
        }
    }
}

impl Position {
    /// The exact value, or a bound, where no Ser'ra can ever move again; `None` elsewhere.
    pub(super) fn egg_run(&self) -> Option<KnownValue> {
        if self.unlocked(Kind::Serra) != 0 || self.rule_set().stuck != Stuck::Pass {
            return None;
        }
        if matches!(self.phase(), Phase::Over(_) | Phase::Setup) {
            return None;
        }
        let mut eggs = spaces(self.eggs());
        let eggs = [eggs.next()?, eggs.next()?];
        let movable = self.unlocked(Kind::Guardian);
        let fixed = self.serra() | self.guardians() & !movable;
        let open = Course { walls: fixed, shunned: 0 };
        // A Guardian that stands on a dead space has nothing across from it to be shunned.
        let closed = spaces(movable).fold(open, |course, guardian| course.with(guardian));
        let shortest = closed.shortest(eggs);
        let (score, bound) = match (shortest, self.fewest(&open, eggs, movable, shortest)) {
            (Some(moves), fewest) => {
                let exact = fewest == Some(moves);
                (self.mate_in(moves), if exact { Bound::Exact } else { Bound::Lower })
            }
            (None, Some(_)) => return None,
            (None, None) => (Score::Cp(0), self.bound_of_failure(&closed, eggs, movable)),
        };
        Some(match self.side() {
            Side::Copper => KnownValue { score, bound },
            Side::Silver => KnownValue { score: turned(score), bound: opposite(bound) },
        })
    }

    /// A lower bound of the moves: the free Guardians taken off the board.
    fn fewest(
        &self,
        open: &Course,
        eggs: [Space; 2],
        movable: Set,
        shortest: Option<u32>,
    ) -> Option<u32> {
        if movable == 0 { shortest } else { open.apart(eggs) }
    }

    /// Plies to a win in so many moves of copper's, silver passing in between.
    fn mate_in(&self, moves: u32) -> Score {
        let plies = 2 * moves as i32 - 1;
        Score::Mate(if self.side() == Side::Copper { plies } else { plies + 1 })
    }

    /// The eggs never come home: a draw if copper can move for ever, else no better than that.
    fn bound_of_failure(&self, closed: &Course, eggs: [Space; 2], movable: Set) -> Bound {
        let [one, other] = eggs;
        let draws = !self.rule_set().repetition_wins
            && movable == 0
            && (closed.with(other).endless(one) || closed.with(one).endless(other));
        if draws { Bound::Exact } else { Bound::Upper }
    }
}

/// A score seen from the other side.
fn turned(score: Score) -> Score {
    match score {
        Score::Cp(value) => Score::Cp(-value),
        Score::Mate(plies) => Score::Mate(-plies),
    }
}

fn opposite(bound: Bound) -> Bound {
    match bound {
        Bound::Exact => Bound::Exact,
        Bound::Lower => Bound::Upper,
        Bound::Upper => Bound::Lower,
    }
}
