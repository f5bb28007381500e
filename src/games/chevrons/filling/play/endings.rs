//! Endings of two players, solved: proof-number search, depth first, over wins, draws and losses, with a
//! memory of positions that lasts from search to search.

use std::collections::HashMap;
use std::hash::BuildHasherDefault;
use std::ops::ControlFlow;

use super::bounds::final_lead;
use super::hints::gained;
use crate::game::{Game, KeyHasher, Situation};
use crate::games::chevrons::Board;
use crate::games::chevrons::filling::rules::longest_idle;
use crate::games::chevrons::filling::{Kind, Move, Position};
use crate::search::{Limits, Request};

/// How much work two proofs seem to be: that the seat to move gets what it wants, and that it does not.
/// Nothing is left to do for what is proved, and [`NEVER`] for what is refuted.
type Work = [u32; 2];

/// The work of a proof that there is not.
const NEVER: u32 = 1 << 30;

/// What is known of a position and a lead of the first seat, whatever the turns without a gain. Who is
/// content with the lead as it is may wait for the end by the cap; the other must change it before, and
/// what it can do in time it can also do with more time left.
#[derive(Clone, Copy)]
struct Known {
    /// With so many turns left until the cap, or more, the lead changes.
    enough: u8,
    /// With so many, or fewer, it does not.
    too_few: u8,
    /// Of what is open.
    work: Work,
}

/// By the keys of boards and leads.
type Memory = HashMap<u64, Known, BuildHasherDefault<KeyHasher>>;

/// The most positions that are remembered.
const MEMORY: usize = 1 << 20;

/// The most positions of one attempt, where no limit is nearer.
const MOST: u64 = 400_000;

/// No attempt is made where more markers may be gained: where bounds are known the distance of the two,
/// else the neutral fields.
const FEW: i32 = 24;

/// After so many positions the first of two proofs is put aside for the other, later after more.
const FIRST_PAUSE: u64 = 500;

/// The longest line.
const DEEPEST: u32 = 200;

/// Solves endings.
#[derive(Default)]
pub(super) struct Endings {
    known: Memory,
}

/// The result of an ending of two players for the first seat, -1 to 1; `None` if that needs more than so many
/// positions or a line beyond 200 plies, or with more players. It takes up to 100 bytes a position.
#[must_use]
pub fn ending_result<K: Kind>(position: &Position<K>, most: u64) -> Option<i8> {
    if position.seats() != 2 {
        return None;
    }
    let request = Request::new(Limits::default());
    let known = &mut Memory::default();
    let mut attempt = Attempt { known, visited: 0, pause: 0, most, request: &request };
    attempt.result(position).ok()
}

/// The position after a move.
pub(super) fn after<K: Kind>(position: &Position<K>, m: &Move) -> Position<K> {
    let mut next = position.clone();
    next.play(m);
    next
}

/// Moves with their results, and the number of positions visited.
pub(super) type Solved = (Vec<(Move, i8)>, u64);

/// An attempt was given up.
struct TooLarge;

impl Endings {
    /// Forgets everything.
    pub(super) fn clear(&mut self) {
        self.known = HashMap::default();
    }

    /// The moves that may be chosen, if several best lines are asked for all and else the best, with their
    /// results for the mover, -1 to 1; and how many positions were visited. `None` if the ending is too
    /// large for a part of the limits.
    pub(super) fn solve<K: Kind>(
        &mut self,
        situation: &Situation<Position<K>>,
        request: &Request<Move>,
    ) -> Option<Solved> {
        let position = situation.position();
        let Limits { depth, mate, nodes, .. } = request.limits;
        let neutral = || position.neutral_fields().count_ones() as i32;
        let open = || final_lead(position).map_or_else(neutral, |lead| lead.end() - lead.start());
        let bounded = depth.is_some() || mate.is_some() || situation.plies_left().is_some();
        if position.seats() != 2 || bounded || open() > FEW {
            return None;
        }
        if self.known.len() > MEMORY {
            self.clear();
        }
        let most = nodes.map_or(MOST, |nodes| nodes / 2);
        let mut attempt = Attempt { known: &mut self.known, visited: 0, pause: 0, most, request };
        let solved = attempt.root(position).ok();
        let visited = attempt.visited;
        solved.map(|moves| (moves, visited))
    }
}

struct Attempt<'a> {
    known: &'a mut Memory,
    visited: u64,
    /// Where the proof at hand is put aside for the other.
    pause: u64,
    most: u64,
    request: &'a Request<Move>,
}

/// What the seat to move wants of a position: to change the lead to the other side of a target, or that it
/// stays as it is.
#[derive(Clone, Copy)]
struct Goal {
    /// The lead of the first seat that is asked for.
    target: i8,
    /// Of the board and the target, without the turns that passed. Of positions of the last round nothing
    /// is remembered.
    key: u64,
    /// Whether it is the first seat's.
    of_first: bool,
    is_change: bool,
    /// The turns left until the cap.
    left: u8,
}

/// A position with its goal, and its work by a guess.
struct Node<K> {
    position: Position<K>,
    goal: Goal,
    work: Work,
}

impl Attempt<'_> {
    fn root<K: Kind>(&mut self, position: &Position<K>) -> Result<Vec<(Move, i8)>, TooLarge> {
        let mut moves = position.moves();
        let all = moves.len();
        if moves.iter().any(|m| self.request.allows(m)) {
            moves.retain(|m| self.request.allows(m));
        }
        let sign = if position.mover() == 0 { 1 } else { -1 };
        let every = self.request.multi_pv > 1;
        if !every && moves.len() == all {
            // Of the whole position's result some moves are proofs; of the others nothing is asked.
            let result = sign * self.result(position)?;
            let proofs = moves.iter().filter(|m| self.is_proved(&after(position, m), result, sign));
            let proofs: Vec<_> = proofs.map(|m| (*m, result)).collect();
            if !proofs.is_empty() {
                return Ok(proofs);
            }
        }
        let mut results = Vec::new();
        for m in moves {
            let result = sign * self.result(&after(position, &m))?;
            results.push((m, result));
        }
        let best = results.iter().map(|(_, result)| *result).max();
        results.retain(|(_, result)| every || Some(*result) == best);
        results.sort_by_key(|(_, result)| -result);
        Ok(results)
    }

    /// Whether a move is known to give the mover, to whom leads count by the sign, a result or a better.
    fn is_proved<K: Kind>(&self, next: &Position<K>, result: i8, sign: i8) -> bool {
        let reached = |target| self.reached(next, Goal::of(next, target));
        match (result, sign) {
            (-1, _) => true,
            (_, 1) => reached(result) == Some(true),
            _ => reached(1 - result) == Some(false),
        }
    }

    /// The result of the first seat. Both proofs go on by turns: which is the easier one is not known.
    fn result<K: Kind>(&mut self, position: &Position<K>) -> Result<i8, TooLarge> {
        let mut pause = FIRST_PAUSE;
        loop {
            let won = self.proved(position, 1, pause)?;
            if won == Some(true) {
                return Ok(1);
            }
            match (won, self.proved(position, 0, pause)?) {
                (_, Some(false)) => return Ok(-1),
                (Some(_), Some(true)) => return Ok(0),
                // Neither was put aside, so their work is beyond what is counted.
                _ if pause > self.most => return Err(TooLarge),
                _ => pause = pause.saturating_add(pause / 2),
            }
        }
    }

    /// Whether the first seat leads by at least `target` at the end, if that needs no more positions.
    fn proved<K: Kind>(
        &mut self,
        position: &Position<K>,
        target: i8,
        positions: u64,
    ) -> Result<Option<bool>, TooLarge> {
        let goal = Goal::of(position, target);
        let known = self.reached(position, goal);
        if known.is_some() {
            return Ok(known);
        }
        self.pause = self.visited.saturating_add(positions);
        let node = Node { position: position.clone(), goal, work: [1, 1] };
        Ok(match self.search(&node, [NEVER; 2], 0)? {
            [0, _] => Some(goal.of_first),
            [_, 0] => Some(!goal.of_first),
            _ => None,
        })
    }

    /// Proves or refutes that the seat to move gets what it wants of the target, until either seems to be
    /// as much work as the limits.
    fn search<K: Kind>(
        &mut self,
        Node { position, goal, .. }: &Node<K>,
        limits: Work,
        depth: u32,
    ) -> Result<Work, TooLarge> {
        self.count(depth)?;
        let mut children: Vec<Node<K>> = Vec::new();
        let won = position.for_each_move(|m| {
            let mut next = position.clone();
            next.play(&m);
            let after = Goal::of(&next, goal.target);
            match self.reached(&next, after) {
                Some(reached) if reached == goal.of_first => return ControlFlow::Break(()),
                Some(_) => {}
                None => {
                    let work = guess(&next, goal.target);
                    children.push(Node { position: next, goal: after, work });
                }
            }
            ControlFlow::Continue(())
        });
        if won.is_break() {
            return Ok(self.keep(*goal, [0, NEVER]));
        }
        loop {
            // The mover needs one move; the other needs all.
            let (mut best, mut least, mut second) = (None, NEVER, NEVER);
            let mut sum = 0;
            for child in &children {
                let work = seen(self.work(child), child.goal, *goal);
                sum = (sum + work[0]).min(NEVER);
                if work[1] < least {
                    (second, least) = (least, work[1]);
                    best = Some((child, work[0]));
                } else {
                    second = second.min(work[1]);
                }
            }
            let work = match (least, sum) {
                (0, _) => [0, NEVER],
                (_, 0) => [NEVER, 0],
                work => work.into(),
            };
            let open = work[0] > 0 && work[1] > 0 && self.visited < self.pause;
            let Some((child, of_child)) = best else {
                return Ok(self.keep(*goal, work));
            };
            if !open || work[0] >= limits[0] || work[1] >= limits[1] {
                return Ok(self.keep(*goal, work));
            }
            // A little more than the second best would cost, lest the two take turns.
            let proof = limits[0].min(second + second / 8 + 1);
            let limits = [limits[1] - (sum - of_child), proof];
            self.search(child, seen(limits, child.goal, *goal), depth + 1)?;
        }
    }

    /// The work of a position after a move, from the view of its mover.
    fn work<K: Kind>(&self, child: &Node<K>) -> Work {
        let Some(known) = self.known.get(&child.goal.key) else { return child.work };
        match child.goal.is_met(known) {
            Some(true) => [0, NEVER],
            Some(false) => [NEVER, 0],
            None => known.work,
        }
    }

    /// Remembers a work that was found.
    fn keep(&mut self, goal: Goal, work: Work) -> Work {
        let open = Known { enough: u8::MAX, too_few: 0, work };
        let known = self.known.entry(goal.key).or_insert(open);
        match work {
            [0, _] | [_, 0] if (work[0] == 0) == goal.is_change => {
                known.enough = known.enough.min(goal.left);
            }
            [0, _] | [_, 0] => known.too_few = known.too_few.max(goal.left),
            _ => known.work = work,
        }
        work
    }

    /// Whether the first seat leads by at least the target at the end, where that is known without search.
    fn reached<K: Kind>(&self, position: &Position<K>, goal: Goal) -> Option<bool> {
        let enough = |lead: i32| lead >= i32::from(goal.target);
        if position.is_over() {
            return Some(enough(lead(position)));
        }
        if position.last().is_some() {
            // One turn is left.
            let gained = gained(position, position.mover());
            return Some(enough(lead(position) + if goal.of_first { gained } else { -gained }));
        }
        if let Some(known) = self.known.get(&goal.key) {
            return goal.is_met(known).map(|met| met == goal.of_first);
        }
        let bounds = final_lead(position)?;
        let (low, high) = (*bounds.start(), *bounds.end());
        let (low, high) = if goal.of_first { (low, high) } else { (-high, -low) };
        if enough(low) == enough(high) { Some(enough(low)) } else { None }
    }

    fn count(&mut self, depth: u32) -> Result<(), TooLarge> {
        self.visited += 1;
        let stopped = || {
            let limits = &self.request.limits;
            let control = &self.request.control;
            let time = [limits.least, limits.soft, limits.hard].into_iter().flatten().min();
            control.stopped() || time.is_some_and(|time| control.clock() > time * 2 / 5)
        };
        let is_over = depth > DEEPEST || self.visited > self.most;
        if is_over || self.visited.is_multiple_of(32) && stopped() { Err(TooLarge) } else { Ok(()) }
    }
}

impl Goal {
    fn of<K: Kind>(position: &Position<K>, target: i8) -> Goal {
        Goal {
            target,
            key: Board::key(position).rotate_left(target as u32),
            of_first: position.mover() == 0,
            is_change: need(position, target) > 0,
            left: longest_idle(2) - position.idle(),
        }
    }

    /// Whether it is reached, as far as known.
    fn is_met(self, known: &Known) -> Option<bool> {
        match self.left {
            left if left >= known.enough => Some(self.is_change),
            left if left <= known.too_few => Some(!self.is_change),
            _ => None,
        }
    }
}

/// The work of a position after a move as the seat that did not move sees it, from that of the goal there,
/// and the other way round: the turn may have come back.
fn seen(work: Work, there: Goal, here: Goal) -> Work {
    if there.of_first == here.of_first { [work[1], work[0]] } else { work }
}

/// By how many markers the first seat leads.
fn lead<K: Kind>(position: &Position<K>) -> i32 {
    position.marker_count(0) as i32 - position.marker_count(1) as i32
}

/// By how many markers the lead must change for what the seat to move wants: none, or less, if it has it.
fn need<K: Kind>(position: &Position<K>, target: i8) -> i32 {
    let short = i32::from(target) - lead(position);
    if position.mover() == 0 { short } else { 1 - short }
}

/// The work of a position that was not searched: by what the seat to move needs, and where markers can be
/// lost by the most that each seat wins with one move. Weights by the number of positions that solving
/// took.
fn guess<K: Kind>(position: &Position<K>, target: i8) -> Work {
    let need = need(position, target);
    let behind = match final_lead(position) {
        Some(lead) => 2 * need - lead.start() - lead.end(),
        None => {
            let seat = position.mover();
            2 * need - gained(position, seat) + 3 * gained(position, 1 - seat)
        }
    };
    [1 + behind.max(0) as u32, 1 + (-behind).max(0) as u32]
}

#[cfg(test)]
#[cfg(feature = "shacru")]
mod tests {
    use super::*;
    use crate::games::shacru::Shacru;

    /// The first player gains a1 and so draws; from b2 it gains nothing and loses.
    #[test]
    fn moves_worse_than_the_best_and_moves_that_are_not_allowed_are_left_out() {
        let text = "aaaaaaaa1/aaaaaaaaa/aaaaaaaaa/aaaaaaaaa/bbbbbbbbb/bbbbbbbbb/[1S*]bbbbbbbb/aabbbbbb[2W*]/1abbbbbbb 1 2 0";
        let position: Position<Shacru> = text.parse().unwrap();
        let situation = Situation::new(position);
        let worse = situation.position().moves().into_iter().find(|m| m.to_string() == "a3-b2");
        for (multi_pv, search_moves, expected) in [
            (1, None, "a3-a2 0"),
            (2, None, "a3-a2 0, a3-b2 -1"),
            (1, Some(Vec::from_iter(worse)), "a3-b2 -1"),
        ] {
            let request = Request { multi_pv, search_moves, ..Request::new(Limits::nodes(1_000)) };
            let (moves, _) = Endings::default().solve(&situation, &request).unwrap();
            let told: Vec<_> = moves.iter().map(|(m, result)| format!("{m} {result}")).collect();
            assert_eq!(told.join(", "), expected);
        }
    }
}
