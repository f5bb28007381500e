//! One egg is home: the other egg and up to two Guardians against two Ser'ra.
//!
//! A *row* is a place of the egg and places of the Guardians. The states of a row are the pairs of
//! places of the Ser'ra, as a symmetric matrix of bits: for each place of one Ser'ra the set of
//! places of the other. As with two eggs, silver's moves stay inside a row, and copper's moves lead
//! from a row to others and leave the matrix as it is, but for the places that block the move. A
//! Guardian that locks a Ser'ra leads to a state of the same tablebase, in which neither moves.

mod analysis;

pub(super) use analysis::{memory, solve};

use crate::games::porrika::rules::board::{
    BOARD, DEAD, GOAL_SQUARES, GOALS, Set, Space, across, spaces,
};
use crate::games::porrika::solve::ending::Layout;

/// Where a move of copper leads.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Target {
    /// The other egg is home too.
    Win,
    /// The egg is stranded, and copper loses.
    Loss,
    /// Another row.
    Row(usize),
}

/// A move of the egg or of a Guardian, and where no Ser'ra may stand for it.
struct CopperMove {
    target: Target,
    /// Across from the piece, on its target, and for the egg also across from the target.
    blocks: Set,
}

/// What is the same for all states of a row.
struct Row {
    /// What stands on the board without the Ser'ra.
    occupied: Set,
    /// Where a Ser'ra may stand in a game that no capture has ended.
    free: Set,
    /// Where it captures the egg.
    victims: Set,
    /// Across from the Guardians, where it may not end.
    facing: Set,
    egg: Space,
    guards: Set,
}

impl Row {
    /// `None` where friends face each other or stand on one space.
    fn new(layout: &Layout, guardians: u32, number: usize) -> Option<Self> {
        let (egg, guards) = layout.row(guardians, number);
        let copper = guards | egg.bit();
        if guards & egg.bit() != 0 || across(copper) & copper != 0 {
            return None;
        }
        let occupied = layout.places.walls | copper;
        let victims = across(egg.bit()) & BOARD;
        let free = layout.places.pieces & !occupied & !victims;
        Some(Row { occupied, free, victims, facing: across(guards) & BOARD, egg, guards })
    }

    /// Copper's moves where no Ser'ra is in the way.
    fn moves(&self, layout: &Layout, guardians: u32) -> Vec<CopperMove> {
        let mut moves = Vec::with_capacity(32);
        let row = |egg, guards| Target::Row(layout.row_of(guardians, egg, guards));
        for to in spaces(self.egg.reach() & !self.occupied & !across(self.guards)) {
            let target = match to.bit() {
                goal if goal & GOALS != 0 => Target::Win,
                dead if dead & DEAD != 0 => Target::Loss,
                _ => row(to, self.guards),
            };
            let blocks = across(self.egg.bit()) | to.bit() | across(to.bit());
            moves.push(CopperMove { target, blocks });
        }
        for guard in spaces(self.guards) {
            let rest = self.guards & !guard.bit();
            let friends = across(rest | self.egg.bit());
            for to in spaces(guard.reach() & !GOALS & !self.occupied & !friends) {
                let target = row(self.egg, rest | to.bit());
                moves.push(CopperMove { target, blocks: across(guard.bit()) | to.bit() });
            }
        }
        moves
    }

    /// Where the other Ser'ra may stand in a game that no capture has ended.
    fn partners(&self, serra: Space) -> Set {
        self.free & !serra.bit() & !across(serra.bit())
    }

    /// Where the other Ser'ra may end a move, captures included.
    fn landing(&self, serra: Space) -> Set {
        let closed = self.occupied | serra.bit() | across(serra.bit()) | self.facing;
        (self.free | self.victims) & !closed
    }

    /// Where the other Ser'ra is not locked, and the space across from it is empty.
    fn able(&self, serra: Space) -> Set {
        self.partners(serra) & !across(self.occupied | serra.bit())
    }

    /// Whether `mover` has a move while the other Ser'ra stands still.
    fn can_move(&self, mover: Space, still: Space) -> bool {
        self.able(still) & mover.bit() != 0 && mover.reach() & self.landing(still) != 0
    }

    /// Whether neither Ser'ra has a move.
    fn silver_is_stuck(&self, one: Space, other: Space) -> bool {
        !self.can_move(one, other) && !self.can_move(other, one)
    }

    /// Where the other Ser'ra makes the last way into the Por'rika impossible.
    fn sealing(&self, serra: Space) -> Set {
        let open = GOAL_SQUARES & !self.occupied & !serra.bit();
        match open.count_ones() {
            0 => BOARD,
            1 => open,
            _ => 0,
        }
    }
}

/// For each place of one Ser'ra: the places of the other with which copper has no move.
fn copper_stuck(row: &Row, moves: &[CopperMove], serra: Space) -> Set {
    let open = moves.iter().filter(|m| m.blocks & serra.bit() == 0);
    open.fold(row.partners(serra), |stuck, m| stuck & m.blocks)
}
