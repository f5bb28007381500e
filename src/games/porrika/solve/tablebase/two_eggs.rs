//! Two eggs and one Guardian against one Ser'ra.
//!
//! A state is a pair of egg places, a place of the Guardian (together a *triple*), a place of the
//! Ser'ra, and the side to move. For each triple the places of the Ser'ra are a set of 128 bits, and
//! the analysis works on whole sets:
//!
//! - silver's moves stay inside a triple, so its step is local;
//! - copper's moves lead from a triple to others and leave the Ser'ra where it is, so its step is a
//!   union (copper wins) or an intersection (copper loses) over the triples it can move to.

mod analysis;

pub(super) use analysis::{memory, solve};

use crate::games::porrika::rules::board::{
    BOARD, DEAD, GOAL_SQUARES, GOALS, Set, Space, across, spaces,
};
use crate::games::porrika::solve::places::Places;

/// A move of an egg from one pair of places to another, and the places that forbid it.
struct EggMove {
    /// The pair it leads to; `None` where the egg is stranded and copper loses.
    pair: Option<usize>,
    /// Where no Guardian may stand: across from the egg, on the target, across from the target.
    guardian_blocks: Set,
    /// Where the Ser'ra may not stand: on the target, across from the target.
    serra_blocks: Set,
}

/// What is the same for all states with one pair of egg places.
struct Row {
    eggs: Set,
    moves: Vec<EggMove>,
}

impl Row {
    fn new(places: &Places, pair: usize) -> Self {
        let eggs = places.eggs_of(pair);
        let mut moves = Vec::new();
        for egg in spaces(eggs) {
            let still = eggs & !egg.bit();
            let occupied = places.walls | still;
            if across(occupied) & egg.bit() != 0 {
                continue;
            }
            for to in spaces(egg.reach() & !occupied & !across(still)) {
                let stranded = DEAD & !GOALS & to.bit() != 0;
                let facing = across(to.bit()) & BOARD;
                moves.push(EggMove {
                    pair: (!stranded).then(|| places.pair(to.bit() | still)),
                    guardian_blocks: across(egg.bit()) | to.bit() | facing,
                    serra_blocks: to.bit() | facing,
                });
            }
        }
        Row { eggs, moves }
    }

    /// Whether the eggs face each other, which is impossible.
    fn is_void(&self) -> bool {
        self.eggs & across(self.eggs) != 0
    }

    fn is_home(&self) -> bool {
        self.eggs == GOALS
    }
}

/// What is the same for all states of a triple.
struct Triple {
    occupied: Set,
    /// Where the Ser'ra may stand in a game that no capture has ended.
    valid: Set,
    /// Where the Guardian can move unless the Ser'ra is across from it.
    steps: Set,
    /// The space across from the Guardian.
    facing: Set,
    /// Where a Ser'ra may end, captures included.
    landing: Set,
    /// Where it captures an egg.
    captures: Set,
}

impl Triple {
    fn new(places: &Places, row: &Row, guardian: Space) -> Option<Self> {
        let guard = guardian.bit();
        if row.is_void() || (row.eggs | across(row.eggs)) & guard != 0 {
            return None;
        }
        let occupied = places.walls | row.eggs | guard;
        let facing = across(guard) & BOARD;
        let free = BOARD & !GOALS & !occupied;
        let victims = across(row.eggs) & BOARD;
        let steps = if across(occupied & !guard) & guard == 0 {
            guardian.reach() & free & !victims
        } else {
            0
        };
        let landing = free & !facing;
        let valid = free & !victims;
        Some(Triple { occupied, valid, steps, facing, landing, captures: victims & landing })
    }

    /// Where a Ser'ra closes the last way into the Por'rika.
    fn sealing(&self) -> Set {
        let open = GOAL_SQUARES & !self.occupied;
        if open.count_ones() == 1 { open & self.valid } else { 0 }
    }

    /// The places from which the Ser'ra can move.
    fn movers(&self) -> Set {
        let able = self.valid & !across(self.occupied);
        spaces(able)
            .filter(|serra| serra.reach() & self.landing != 0)
            .fold(0, |set, serra| set | serra.bit())
    }
}
