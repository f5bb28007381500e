//! Shortest forced wins, proved by a depth-first search of moves and answers.
//!
//! Only watering holes win. An animal needs no move to a hole if it stands on one, one if a hole lies
//! on a line of it, and two otherwise, whatever stands between. So the sum of the three smallest
//! numbers bounds from below how many moves a side needs, and the answers of the other side never
//! make it smaller. What cannot win in the moves that are left is cut off. Nothing else is left out.
//!
//! Results are kept in a table: for each position the shortest proved win, the longest length that
//! was refuted, and the move that did it, which is tried first.

use std::collections::HashMap;
use std::hash::BuildHasherDefault;

use arrayvec::ArrayVec;

use parlor::game::{Game, KeyHasher};
use parlor::games::barca::{HOLES, Kind, Move, NO_SQUARE, Position};

/// The plies of the shortest win that the side to move can force, if it has one within `longest`
/// plies; `None` if this cannot be decided by visiting at most `nodes` positions.
pub fn shortest_win_within(position: &Position, longest: u32, nodes: u64) -> Option<Option<u32>> {
    let mut prover = Prover { known: HashMap::default(), left: nodes };
    for plies in (1..=longest).step_by(2) {
        if prover.wins_within(position, plies)? {
            return Some(Some(plies));
        }
    }
    Some(None)
}

/// What is known of the win of the attacker in a position.
#[derive(Clone, Copy)]
struct Known {
    /// It wins within this number of plies.
    won: u32,
    /// It does not win within this number of plies.
    refuted: u32,
    /// The move that showed it.
    m: Option<Move>,
}

impl Known {
    /// Whether the attacker wins within a number of plies, if that is known.
    fn answer(&self, plies: u32) -> Option<bool> {
        let wins = self.won <= plies;
        (wins || plies <= self.refuted).then_some(wins)
    }
}

const UNKNOWN: Known = Known { won: u32::MAX, refuted: 0, m: None };

/// Room for all legal moves: six animals reach at most 2 (18 + 18 + 36) = 144 squares.
const MOVES: usize = 256;

struct Prover {
    known: HashMap<u64, Known, BuildHasherDefault<KeyHasher>>,
    /// Positions that may still be visited.
    left: u64,
}

impl Prover {
    /// Whether the side to move wins within an odd number of plies; `None` if the nodes are spent.
    fn wins_within(&mut self, position: &Position, plies: u32) -> Option<bool> {
        if position.wins_at_once() {
            return Some(true);
        }
        if plies < 3 || position.outcome().is_some() {
            return Some(false);
        }
        let key = position.key();
        let known = self.known.get(&key).copied().unwrap_or(UNKNOWN);
        if let Some(wins) = known.answer(plies) {
            return Some(wins);
        }
        self.left = self.left.checked_sub(1)?;
        // The moves that are left once this one is made.
        let left = plies / 2;
        let mut moves: ArrayVec<(u32, Move), MOVES> = ArrayVec::new();
        for m in position.moves() {
            let next = after(position, m);
            let needed = moves_needed(&next, position.side());
            if needed <= left {
                let threat = u32::from(!next.passed().wins_at_once());
                let order = if known.m == Some(m) { 0 } else { 1 + 2 * needed + threat };
                let _ = moves.try_push((order, m));
            }
        }
        moves.sort_by_key(|(order, _)| *order);
        for (_, m) in moves {
            if self.loses_within(&after(position, m), plies - 1)? {
                self.known.insert(key, Known { won: plies, m: Some(m), ..known });
                return Some(true);
            }
        }
        self.known.insert(key, Known { refuted: plies, ..known });
        Some(false)
    }

    /// Whether the other side wins within an even number of plies, whatever the side to move does.
    fn loses_within(&mut self, position: &Position, plies: u32) -> Option<bool> {
        let attacker = position.side() ^ 1;
        if position.wins_at_once() || position.outcome().is_some() {
            return Some(false);
        }
        let left = plies / 2;
        if moves_needed(position, attacker) > left {
            return Some(false);
        }
        let key = position.key();
        let known = self.known.get(&key).copied().unwrap_or(UNKNOWN);
        if let Some(wins) = known.answer(plies) {
            return Some(wins);
        }
        self.left = self.left.checked_sub(1)?;
        let mut moves: ArrayVec<(u32, Move), MOVES> = ArrayVec::new();
        for m in position.moves() {
            let next = after(position, m);
            // Answers that leave a win at once are left out: they refute nothing.
            let order = match next.wins_at_once() {
                _ if known.m == Some(m) => 0,
                false if next.is_afraid() => 1,
                false => 2,
                true => continue,
            };
            let _ = moves.try_push((order, m));
        }
        moves.sort_by_key(|(order, _)| *order);
        for (_, m) in moves {
            if !self.wins_within(&after(position, m), plies - 1)? {
                self.known.insert(key, Known { refuted: plies, m: Some(m), ..known });
                return Some(false);
            }
        }
        self.known.insert(key, Known { won: plies, ..known });
        Some(true)
    }
}

/// A lower bound of the moves that a side needs to hold three holes.
fn moves_needed(position: &Position, side: usize) -> u32 {
    let mut counts = [0; 3];
    for (slot, square) in position.animals(side).iter().enumerate() {
        if *square != NO_SQUARE {
            counts[usize::from(MOVES_TO_HOLE[slot / 2][usize::from(*square & 127)])] += 1;
        }
    }
    let (mut missing, mut needed) = (3, 0);
    for (moves, count) in (0..).zip(counts) {
        let taken = count.min(missing);
        missing -= taken;
        needed += moves * taken;
    }
    if missing > 0 { u32::MAX } else { needed }
}

/// For each kind and square: how many moves an animal needs to a hole on an empty board.
static MOVES_TO_HOLE: [[u8; 128]; 3] = {
    let mut moves = [[2; 128]; 3];
    let mut kind = 0;
    while kind < 3 {
        let mut hole = 0;
        while hole < HOLES.len() {
            let mut square = 0;
            while square < 100 {
                if square == HOLES[hole] as usize {
                    moves[kind][square] = 0;
                } else if Kind::ALL[kind].connects(square as u8, HOLES[hole])
                    && moves[kind][square] == 2
                {
                    moves[kind][square] = 1;
                }
                square += 1;
            }
            hole += 1;
        }
        kind += 1;
    }
    moves
};

fn after(position: &Position, m: Move) -> Position {
    let mut next = *position;
    next.play(&m);
    next
}

#[cfg(test)]
mod tests;
