//! Endings that are solved while a proof is sought: where many positions are of the same ending, the
//! table of all of them costs less than the search of each.

use std::collections::HashMap;

use parlor::games::porrika::board::GOALS;
use parlor::games::porrika::solved::{Ending, FreePieces, Tablebase, Verdict};
use parlor::games::porrika::{Kind, Position};

use crate::porrika::endings::solve;

/// Visits of positions of an ending before its table is made: with two eggs on their way, seconds;
/// with one home, minutes.
const WORTH: u32 = 10_000;
const WORTH_LAST_EGG: u32 = 20_000;

/// Rooms of 100 MB that a table with one egg home takes; one with two eggs takes one.
const ROOMS_LAST_EGG: usize = 23;

/// Threads that make a table.
const THREADS: usize = 2;

/// What is known of an ending.
enum Known {
    Visited(u32),
    Solved(Box<Tablebase>),
    /// There is no memory for it.
    Refused,
}

/// The tables by their endings.
#[derive(Default)]
pub struct Endings {
    known: HashMap<Ending, Known>,
    /// Solved endings with one egg home. They have positions in which more pairs are locked as well.
    last_egg: Vec<Ending>,
    made: usize,
    /// Rooms of 100 MB that are left.
    rooms: usize,
}

impl Endings {
    /// At most so many tables of 100 MB at a time.
    pub fn new(rooms: usize) -> Self {
        Endings { rooms, ..Endings::default() }
    }

    /// How many were made.
    pub fn made(&self) -> usize {
        self.made
    }

    /// The ending of a position that has a table or may have one.
    fn ending(position: &Position) -> Option<Ending> {
        let walls = position.locked();
        let free = |kind| (position.of(kind) & !walls).count_ones();
        match [free(Kind::Egg), free(Kind::Guardian), free(Kind::Serra)] {
            [2, 1, 1] => Ending::of(position).ok(),
            [2, 2, 2] if position.eggs() & GOALS != 0 => Ending::of(position).ok(),
            _ => None,
        }
    }

    /// The value of a position if its table was made.
    pub fn probe(&self, position: &Position) -> Option<Verdict> {
        if self.made == 0 {
            return None;
        }
        let in_table = |ending: &Ending| match self.known.get(ending)? {
            Known::Solved(table) => table.probe(position),
            _ => None,
        };
        let own = Self::ending(position).and_then(|ending| in_table(&ending));
        own.or_else(|| self.last_egg.iter().find_map(in_table))
    }

    /// Counts a visit; makes the table where that has become worth it.
    pub fn visit(&mut self, position: &Position) {
        if self.rooms == 0 {
            return;
        }
        let Some(ending) = Self::ending(position) else { return };
        let (worth, rooms) = match ending.free() {
            FreePieces::TwoEggs => (WORTH, 1),
            FreePieces::LastEgg { .. } => (WORTH_LAST_EGG, ROOMS_LAST_EGG),
        };
        let known = self.known.entry(ending).or_insert(Known::Visited(0));
        let Known::Visited(visits) = known else { return };
        *visits += 1;
        if *visits < worth || rooms > self.rooms {
            return;
        }
        *known = match solve(ending, THREADS, &mut |_, _| ()) {
            Ok(table) => {
                self.made += 1;
                self.rooms -= rooms;
                if rooms == ROOMS_LAST_EGG {
                    self.last_egg.push(ending);
                }
                Known::Solved(Box::new(table))
            }
            Err(_) => Known::Refused,
        };
    }
}
