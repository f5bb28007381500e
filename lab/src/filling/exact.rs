//! The exact result of an ending of two players, and by how many markers: plain alpha-beta with a memory
//! of positions. It shares the rules with the engine and nothing of its search.

use std::collections::HashMap;

use parlor::game::{Game, Seat, Turn};
use parlor::games::chevrons::Field;
use parlor::games::chevrons::filling::{Kind, Move, Position};

/// What is known of the markers by which the first seat leads at the end: between these.
type Known = (i64, i64);

/// Fields of the board.
const FIELDS: i64 = 81;

/// Finds results.
pub struct Exact {
    known: HashMap<u64, Known>,
    most: u64,
    visited: u64,
}

impl Exact {
    /// At most so many positions are visited.
    pub fn new(most: u64) -> Self {
        Exact { known: HashMap::new(), most, visited: 0 }
    }

    /// The result for the first seat; `None` if too many positions would have to be visited.
    pub fn result<K: Kind>(&mut self, position: &Position<K>) -> Option<i8> {
        if self.at_least(position, 1)? {
            return Some(1);
        }
        Some(if self.at_least(position, 0)? { 0 } else { -1 })
    }

    /// By how many markers the first seat leads at the end; `None` as above.
    pub fn final_lead<K: Kind>(&mut self, position: &Position<K>) -> Option<i64> {
        let mut found = 0;
        while self.at_least(position, found + 1)? {
            found += 1;
        }
        while !self.at_least(position, found)? {
            found -= 1;
        }
        Some(found)
    }

    /// How many positions were visited.
    pub fn visited(&self) -> u64 {
        self.visited
    }

    /// Whether the first seat leads by at least `target` markers at the end, with best play by both.
    pub fn at_least<K: Kind>(&mut self, position: &Position<K>, target: i64) -> Option<bool> {
        if position.is_over() {
            return Some(lead(position) >= target);
        }
        let key = position.key();
        let (low, high) = self.known.get(&key).copied().unwrap_or_else(|| limits(position));
        if low >= target || high < target {
            return Some(low >= target);
        }
        self.visited += 1;
        if self.visited > self.most {
            return None;
        }
        let first = position.turn() == Turn::Seat(Seat::new(0));
        let mut moves: Vec<(i64, Move, Position<K>)> = Vec::new();
        for m in position.moves() {
            let mut next = position.clone();
            next.play(&m);
            let gain = lead(&next) * if first { -1 } else { 1 };
            moves.push((gain, m, next));
        }
        moves.sort_by_key(|(gain, ..)| *gain);
        let mut reached = !first;
        for (_, _, next) in &moves {
            if self.at_least(next, target)? == first {
                reached = first;
                break;
            }
        }
        let known = if reached { (target, high) } else { (low, target - 1) };
        self.known.insert(key, known);
        Some(reached)
    }
}

/// By how many markers the first seat leads.
fn lead<K: Kind>(position: &Position<K>) -> i64 {
    let points = position.points().unwrap_or_default();
    points[0] - points[1]
}

/// Limits without search: in Shacru markers stay, and a seat gains at most the neutral fields that its
/// chevrons reach if nobody is in their way.
fn limits<K: Kind>(position: &Position<K>) -> Known {
    if K::POWER {
        return (-FIELDS, FIELDS);
    }
    let lead = lead(position);
    let reached = [0, 1].map(|seat| reach(position, Seat::new(seat)));
    let count = |fields: &dyn Fn(usize) -> bool| (0..81).filter(|at| fields(*at)).count() as i64;
    (lead - count(&|at| reached[1][at]), lead + count(&|at| reached[0][at]))
}

/// The neutral fields that a seat reaches, by depth-first search over fields and facings.
fn reach<K: Kind>(position: &Position<K>, seat: Seat) -> [bool; 81] {
    let number = |field: Field| 9 * field.rank() + field.file();
    let mut seen = [[false; 8]; 81];
    let mut neutral = [false; 81];
    let mut open: Vec<_> = position
        .chevrons(seat)
        .iter()
        .filter_map(|field| Some((*field, position.chevron(*field)?.1)))
        .collect();
    while let Some((at, facing)) = open.pop() {
        for direction in facing.forward() {
            let Some(to) = at.next(direction) else { continue };
            match position.marker(to) {
                Some(owner) if owner != seat => continue,
                Some(_) => {}
                None => neutral[number(to)] = true,
            }
            let twists: &[u8] = if at.borderland() == to.borderland() { &[0] } else { &[0, 1, 7] };
            for turn in twists {
                let facing = direction.turned(*turn);
                let index = parlor::games::chevrons::Direction::all().position(|d| d == facing);
                let slot = &mut seen[number(to)][index.unwrap_or(0)];
                if !std::mem::replace(slot, true) {
                    open.push((to, facing));
                }
            }
        }
    }
    neutral
}
