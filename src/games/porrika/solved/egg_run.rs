//! Positions without a free Ser'ra: copper moves alone, so the value follows from shortest paths.
//!
//! Locked pairs never move, so the walls are fixed. Usually one egg can run to the Por'rika while
//! the other waits, and the win takes the sum of both shortest paths. Where the eggs block each
//! other, all pairs of places are searched. A Guardian that is still free may have to step aside:
//! the value is exact if it is the same with the Guardian as a wall and without it, otherwise it is
//! a bound.

use crate::games::porrika::rules::board::{BOARD, DEAD, GOALS, Set, Space, across, spaces};
use crate::games::porrika::rules::{Kind, Phase, Position, Side, Stuck};
use crate::search::{Bound, KnownValue, Score};

/// The pieces that stand still while an egg moves.
#[derive(Clone, Copy)]
struct Obstacles {
    /// Occupied spaces.
    walls: Set,
    /// Spaces on which an egg would face a friend.
    forbidden: Set,
}

impl Obstacles {
    /// Where an egg may move from a space.
    #[inline]
    fn targets(&self, from: Space) -> Set {
        if across(self.walls) & from.bit() != 0 {
            return 0;
        }
        // From a dead space an egg never moves again.
        from.reach() & BOARD & !(self.walls | self.forbidden) & (!DEAD | GOALS)
    }

    /// The same with one more friend.
    fn with(&self, friend: Space) -> Self {
        let walls = self.walls | friend.bit();
        Obstacles { walls, forbidden: self.forbidden | across(friend.bit()) }
    }

    /// The moves that one egg needs to each Por'rika, `b7e` first; `None` where there is no path.
    fn distances(&self, egg: Space) -> [Option<u32>; 2] {
        let mut distances = [None; 2];
        let (mut seen, mut front, mut moves) = (egg.bit(), egg.bit(), 0);
        while front != 0 {
            for (distance, goal) in distances.iter_mut().zip(spaces(GOALS)) {
                if front & goal.bit() != 0 {
                    *distance = Some(moves);
                }
            }
            let next = spaces(front).fold(0, |next, from| next | self.targets(from));
            front = next & !seen;
            seen |= front;
            moves += 1;
        }
        distances
    }

    /// A lower bound of the moves: the eggs ignore each other.
    fn independent(&self, [one, other]: [Space; 2]) -> Option<u32> {
        let (one, other) = (self.distances(one), self.distances(other));
        let sum = |a: Option<u32>, b: Option<u32>| Some(a? + b?);
        let straight = sum(one[0], other[1]);
        let crossed = sum(one[1], other[0]);
        straight.into_iter().chain(crossed).min()
    }

    /// The fewest moves if the first egg completes its path before the second starts.
    fn in_turn(&self, [first, second]: [Space; 2]) -> Option<u32> {
        let first = self.with(second).distances(first);
        let goals = [0, 1].map(|index| spaces(GOALS).nth(index));
        let sums = [0, 1].map(|index| {
            let home = goals[index]?;
            Some(first[index]? + self.with(home).distances(second)[1 - index]?)
        });
        sums.into_iter().flatten().min()
    }

    /// The fewest moves that bring both eggs to the Por'rika.
    fn shortest(&self, eggs: [Space; 2]) -> Option<u32> {
        let bound = self.independent(eggs)?;
        let [one, other] = eggs;
        if self.in_turn([one, other]) == Some(bound) || self.in_turn([other, one]) == Some(bound) {
            return Some(bound);
        }
        self.search_pairs(eggs)
    }

    /// The same by a breadth-first search of all pairs of places.
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

    /// Whether an egg can keep moving while all other pieces stand still.
    fn moves_forever(&self, from: Space) -> bool {
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
    /// The exact value, or a bound, if no Ser'ra can ever move again; `None` otherwise.
    pub(in crate::games::porrika) fn egg_run(&self) -> Option<KnownValue> {
        if self.unlocked(Kind::Serra) != 0 || self.options().stuck != Stuck::Pass {
            return None;
        }
        if matches!(self.phase(), Phase::Over(_) | Phase::Setup) {
            return None;
        }
        let mut eggs = spaces(self.eggs());
        let eggs = [eggs.next()?, eggs.next()?];
        let movable = self.unlocked(Kind::Guardian);
        let fixed = self.serra() | self.guardians() & !movable;
        let open = Obstacles { walls: fixed, forbidden: 0 };
        // `movable` leaves out Guardians on dead spaces: no egg can face those.
        let closed = spaces(movable).fold(open, |course, guardian| course.with(guardian));
        let shortest = closed.shortest(eggs);
        let (score, bound) = match (shortest, self.lower_bound(&open, eggs, movable, shortest)) {
            (Some(moves), fewest) => {
                let exact = fewest == Some(moves);
                (self.mate_in(moves), if exact { Bound::Exact } else { Bound::Lower })
            }
            (None, Some(_)) => return None,
            (None, None) => (Score::Cp(0), self.bound_of_failure(&closed, eggs, movable)),
        };
        Some(match self.side() {
            Side::Copper => KnownValue { score, bound },
            Side::Silver => KnownValue { score: negated(score), bound: opposite(bound) },
        })
    }

    /// Where no Ser'ra can ever move again: the plies within which copper brings its eggs home, and
    /// `None` if it cannot. `None` where that is not known.
    #[must_use]
    pub fn copper_runs_home(&self) -> Option<Option<u32>> {
        let known = self.egg_run()?;
        let copper = match self.side() {
            Side::Copper => known,
            Side::Silver => {
                KnownValue { score: negated(known.score), bound: opposite(known.bound) }
            }
        };
        match copper.score {
            Score::Mate(plies) if plies > 0 => Some(Some(plies.unsigned_abs())),
            _ if copper.bound == Bound::Lower => None,
            _ => Some(None),
        }
    }

    /// A lower bound of the moves: as if free Guardians were not on the board.
    fn lower_bound(
        &self,
        open: &Obstacles,
        eggs: [Space; 2],
        movable: Set,
        shortest: Option<u32>,
    ) -> Option<u32> {
        if movable == 0 { shortest } else { open.independent(eggs) }
    }

    /// The score if copper wins in this number of moves while silver passes.
    fn mate_in(&self, moves: u32) -> Score {
        let plies = 2 * moves as i32 - 1;
        Score::Mate(if self.side() == Side::Copper { plies } else { plies + 1 })
    }

    /// What is known if the eggs cannot reach the Por'rika: a draw if copper can move forever,
    /// otherwise an upper bound.
    fn bound_of_failure(&self, closed: &Obstacles, eggs: [Space; 2], movable: Set) -> Bound {
        let [one, other] = eggs;
        let draws = !self.options().repetition_wins
            && movable == 0
            && (closed.with(other).moves_forever(one) || closed.with(one).moves_forever(other));
        if draws { Bound::Exact } else { Bound::Upper }
    }
}

/// The score for the other side.
fn negated(score: Score) -> Score {
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
