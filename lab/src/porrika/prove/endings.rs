//! Endings with three locked pairs, solved while a proof is sought: where many positions have the
//! same walls, the table of all of them costs less than the search of each.

use std::collections::HashMap;

use parlor::games::porrika::board::Set;
use parlor::games::porrika::solved::{Ending, SolveError, Tablebase, Verdict};
use parlor::games::porrika::{Kind, Position};

/// Visits of positions with the same walls before their table is made.
const WORTH: u32 = 10_000;

/// Threads that make a table.
const THREADS: usize = 2;

/// Spaces of three locked pairs.
const LOCKED: u32 = 6;

/// What is known of positions with the same walls.
enum Known {
    Visited(u32),
    Solved(Box<Tablebase>),
    /// There is no memory for it.
    Refused,
}

/// The tables by their walls.
#[derive(Default)]
pub struct Endings {
    known: HashMap<Set, Known>,
    made: usize,
    /// How many tables may be made, of 100 MB each.
    most: usize,
}

impl Endings {
    /// At most so many tables at a time.
    pub fn new(most: usize) -> Self {
        Endings { most, ..Endings::default() }
    }

    /// How many were made.
    pub fn made(&self) -> usize {
        self.made
    }

    /// The walls of a position that has a table or may have one.
    fn walls(position: &Position) -> Option<Set> {
        let walls = position.locked();
        let free = |kind| (position.of(kind) & !walls).count_ones();
        let pieces = [free(Kind::Egg), free(Kind::Guardian), free(Kind::Serra)];
        (walls.count_ones() == LOCKED && pieces == [2, 1, 1]).then_some(walls)
    }

    /// The value of a position if its table was made.
    pub fn probe(&self, position: &Position) -> Option<Verdict> {
        if self.made == 0 {
            return None;
        }
        match self.known.get(&Self::walls(position)?)? {
            Known::Solved(table) => table.probe(position),
            _ => None,
        }
    }

    /// Counts a visit; makes the table where that has become worth it.
    pub fn visit(&mut self, position: &Position) {
        let Some(walls) = Self::walls(position).filter(|_| self.made < self.most) else { return };
        let known = self.known.entry(walls).or_insert(Known::Visited(0));
        let Known::Visited(visits) = known else { return };
        *visits += 1;
        if *visits < WORTH {
            return;
        }
        *known = match solved(position) {
            Some(Ok(table)) => {
                self.made += 1;
                Known::Solved(Box::new(table))
            }
            _ => Known::Refused,
        };
    }
}

fn solved(position: &Position) -> Option<Result<Tablebase, SolveError>> {
    let ending = Ending::of(position).ok()?;
    Some(Tablebase::solve(ending, THREADS, &|| false, &mut |_, _| ()))
}
