//! Endings of two players, solved: alpha-beta over wins, draws and losses, with a memory of positions
//! that lasts from search to search.

use std::collections::HashMap;
use std::hash::BuildHasherDefault;
use std::ops::ControlFlow;

use super::bounds::final_lead;
use crate::game::{Game, KeyHasher, Situation};
use crate::games::chevrons::filling::{Kind, Move, Position};
use crate::search::{Limits, Request};

/// What is known of a result for the first seat, between two of -1 for lost, 0 for drawn, 1 for won.
type Known = (i8, i8);

/// The most positions that are remembered.
const MEMORY: usize = 1 << 20;

/// The most positions of one attempt, where no limit is nearer.
const MOST: u64 = 400_000;

/// No attempt is made where more markers may be gained: where bounds are known the distance of the two,
/// else the neutral fields.
const FEW: i32 = 24;

/// The longest line.
const DEEPEST: u32 = 200;

/// Solves endings.
#[derive(Default)]
pub(super) struct Endings {
    known: HashMap<u64, Known, BuildHasherDefault<KeyHasher>>,
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
        let mut attempt = Attempt { known: &mut self.known, visited: 0, most, request };
        let solved = attempt.root(position).ok();
        let visited = attempt.visited;
        solved.map(|moves| (moves, visited))
    }
}

struct Attempt<'a> {
    known: &'a mut HashMap<u64, Known, BuildHasherDefault<KeyHasher>>,
    visited: u64,
    most: u64,
    request: &'a Request<Move>,
}

impl Attempt<'_> {
    fn root<K: Kind>(&mut self, position: &Position<K>) -> Result<Vec<(Move, i8)>, TooLarge> {
        let mut moves = position.moves();
        if moves.iter().any(|m| self.request.allows(m)) {
            moves.retain(|m| self.request.allows(m));
        }
        let sign = if position.mover() == 0 { 1 } else { -1 };
        let all = self.request.multi_pv > 1;
        let (mut results, mut best) = (Vec::new(), -1);
        for m in moves {
            let mut next = position.clone();
            next.play(&m);
            let result = sign * self.result(&next, 0)?;
            best = best.max(result);
            results.push((m, result));
        }
        results.retain(|(_, result)| all || *result == best);
        results.sort_by_key(|(_, result)| -result);
        Ok(results)
    }

    fn result<K: Kind>(&mut self, position: &Position<K>, depth: u32) -> Result<i8, TooLarge> {
        if self.reaches(position, 1, depth)? {
            return Ok(1);
        }
        Ok(if self.reaches(position, 0, depth)? { 0 } else { -1 })
    }

    /// Whether the first seat gets at least `target`, 0 or 1.
    fn reaches<K: Kind>(
        &mut self,
        position: &Position<K>,
        target: i8,
        depth: u32,
    ) -> Result<bool, TooLarge> {
        if position.is_over() {
            return Ok(lead(position).signum() >= i32::from(target));
        }
        let key = position.key();
        let (low, high) = self.known.get(&key).copied().unwrap_or_else(|| limits(position));
        if low >= target || high < target {
            return Ok(low >= target);
        }
        self.count(depth)?;
        let first = position.mover() == 0;
        let found = self.any_reaches(position, target, depth, first)?;
        let reached = found == first;
        self.known.insert(key, if reached { (target, high) } else { (low, target - 1) });
        Ok(reached)
    }

    /// Whether some move leads where the first seat gets at least `target`, or does not.
    fn any_reaches<K: Kind>(
        &mut self,
        position: &Position<K>,
        target: i8,
        depth: u32,
        wanted: bool,
    ) -> Result<bool, TooLarge> {
        let mut moves: Vec<(i32, Position<K>)> = Vec::new();
        let _ = position.for_each_move::<()>(|m| {
            let mut next = position.clone();
            next.play(&m);
            moves.push((if wanted { -lead(&next) } else { lead(&next) }, next));
            ControlFlow::Continue(())
        });
        moves.sort_by_key(|(worse, _)| *worse);
        for (_, next) in &moves {
            if self.reaches(next, target, depth + 1)? == wanted {
                return Ok(true);
            }
        }
        Ok(false)
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

/// By how many markers the first seat leads.
fn lead<K: Kind>(position: &Position<K>) -> i32 {
    position.marker_count(0) as i32 - position.marker_count(1) as i32
}

/// What is known without search.
fn limits<K: Kind>(position: &Position<K>) -> Known {
    let Some(lead) = final_lead(position) else {
        return (-1, 1);
    };
    let (low, high) = (lead.start().signum() as i8, lead.end().signum() as i8);
    if position.mover() == 0 { (low, high) } else { (-high, -low) }
}
