//! Shortest forced wins, found by trying every move and every answer.

use std::collections::HashMap;

use crate::game::Game;
use crate::games::barca::rules::{HOLE_SET, Move, Position};

/// The plies of the shortest win that the side to move can force, if it has one within `longest`
/// plies. It tries every move and every answer.
#[must_use]
pub fn shortest_win(position: &Position, longest: u32) -> Option<u32> {
    let mut prover = Prover::default();
    (1..=longest).step_by(2).find(|plies| prover.wins_within(position, *plies))
}

/// Known answers by position and plies.
#[derive(Default)]
struct Prover(HashMap<(u64, u32), bool>);

impl Prover {
    fn wins_within(&mut self, position: &Position, plies: u32) -> bool {
        if position.wins_at_once() {
            return true;
        }
        if plies < 3 || position.outcome().is_some() {
            return false;
        }
        let key = (position.key(), plies);
        if let Some(known) = self.0.get(&key) {
            return *known;
        }
        let mut moves = position.moves();
        // The order does not change the result; moves onto holes win most often.
        moves.sort_by_key(|m| !HOLE_SET.has(m.to));
        let wins = moves.into_iter().any(|m| self.loses_within(&after(position, m), plies - 1));
        self.0.insert(key, wins);
        wins
    }

    fn loses_within(&mut self, position: &Position, plies: u32) -> bool {
        let holds_two = position.held(position.side() ^ 1) == 2;
        if plies == 2 && !holds_two || position.wins_at_once() || position.outcome().is_some() {
            return false;
        }
        let moves = position.moves();
        moves.into_iter().all(|m| self.wins_within(&after(position, m), plies - 1))
    }
}

fn after(position: &Position, m: Move) -> Position {
    let mut next = *position;
    next.play(&m);
    next
}
