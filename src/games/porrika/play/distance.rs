//! How many moves apart spaces are on an empty board.

use crate::games::porrika::rules::board::{BOARD, GOALS, SPACES, Set, Space};

/// There is no way.
const FAR: u8 = 15;

/// Moves from each space (first index) to each space; [`FAR`] where there is no way.
static STEPS: [[u8; 128]; SPACES] = {
    let mut table = [[FAR; 128]; SPACES];
    let mut from = 0;
    while from < SPACES {
        if let Some(start) = Space::from_index(from) {
            table[from] = steps_from(start);
        }
        from += 1;
    }
    table
};

const fn steps_from(start: Space) -> [u8; 128] {
    let mut row = [FAR; 128];
    row[start.index()] = 0;
    let (mut seen, mut front, mut steps) = (start.bit(), start.bit(), 0);
    while front != 0 {
        steps += 1;
        let mut next: Set = 0;
        while front != 0 {
            if let Some(space) = Space::from_index(front.trailing_zeros() as usize) {
                next |= space.reach();
            }
            front &= front - 1;
        }
        front = next & !seen;
        seen |= front;
        let mut rest = front;
        while rest != 0 {
            row[rest.trailing_zeros() as usize] = steps;
            rest &= rest - 1;
        }
    }
    row
}

/// Moves from each space to the nearer Por'rika.
static HOME: [u8; 128] = {
    let mut home = [FAR; 128];
    let mut from = 0;
    while from < SPACES {
        let mut goals = GOALS;
        while goals != 0 {
            let steps = STEPS[from][goals.trailing_zeros() as usize];
            if steps < home[from] {
                home[from] = steps;
            }
            goals &= goals - 1;
        }
        from += 1;
    }
    home
};

/// The spaces one move from each space that are nearer to the Por'rika.
static NEARER: [Set; 128] = {
    let mut nearer = [0; 128];
    let mut from = 0;
    while from < SPACES {
        if let Some(space) = Space::from_index(from) {
            let mut targets = space.reach() & BOARD;
            while targets != 0 {
                let to = targets.trailing_zeros() as usize;
                if HOME[to] < HOME[from] {
                    nearer[from] |= 1 << to;
                }
                targets &= targets - 1;
            }
        }
        from += 1;
    }
    nearer
};

/// Moves from one space to another.
#[inline]
pub(super) fn steps(from: Space, to: Space) -> u8 {
    STEPS[from.index() % SPACES][to.index() & 127]
}

/// Moves from a space to the nearer Por'rika; 0 on a Por'rika.
#[inline]
#[must_use]
pub fn home(from: Space) -> u8 {
    HOME[from.index() & 127]
}

/// The spaces one move from a space that are nearer to the Por'rika.
#[inline]
pub(super) fn nearer(from: Space) -> Set {
    NEARER[from.index() & 127]
}
