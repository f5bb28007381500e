//! The longest walk of one chevron of Shacru over neutral fields, which it fills, and filled ones.

use std::cell::RefCell;

use crate::game::splitmix64;
use crate::games::chevrons::filling::reach::{Facings, Fields, flooded, roamed, stepped, union};

/// How many positions of the chevron are tried; most walks fill all that can be reached long before.
const MOST_TRIED: u32 = 40;

/// What a chevron gains when it walks alone.
#[derive(Clone, Copy, Debug)]
pub(super) struct Walk {
    /// The fields of the longest walk that was found.
    pub(super) gained: Fields,
    /// Where it ends.
    pub(super) end: Facings,
    /// No walk gains more.
    pub(super) most: u32,
    /// The neutral fields that it could reach.
    pub(super) reached: Fields,
}

/// Where a chevron walks, of which it can reach all: the walk follows from it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Ground {
    start: Facings,
    filled: Fields,
    neutral: Fields,
    moves: usize,
}

/// Walks found before, by their ground. In a search most chevrons stand as they stood a move ago.
const KNOWN: usize = 1 << 11;

thread_local! {
    static WALKS: RefCell<Vec<Option<(Ground, Walk)>>> = RefCell::new(vec![None; KNOWN]);
}

/// The longest walk from a start over neutral fields, of at most `moves` moves from one to the next.
pub(super) fn longest_walk(start: Facings, filled: Fields, neutral: Fields, moves: usize) -> Walk {
    let around = union(&flooded(&start, filled | neutral));
    let ground = Ground { start, filled: filled & around, neutral: neutral & around, moves };
    WALKS.with_borrow_mut(|walks| match &mut walks[ground.slot()] {
        Some((known, walk)) if *known == ground => *walk,
        slot => slot.insert((ground, ground.longest_walk())).1,
    })
}

impl Ground {
    fn slot(&self) -> usize {
        let start =
            self.start.iter().fold(0, |mixed: Fields, fields| mixed.rotate_left(7) ^ fields);
        let fields = start ^ self.filled.rotate_left(29) ^ self.neutral.rotate_left(83);
        splitmix64((fields ^ fields >> 64) as u64 ^ self.moves as u64) as usize % KNOWN
    }

    fn longest_walk(&self) -> Walk {
        let Ground { start, filled, neutral, moves } = *self;
        let walk = Walk { gained: 0, end: start, most: neutral.count_ones(), reached: neutral };
        let mut search = Search { walk, filled, moves, left: MOST_TRIED };
        search.extend(&start, neutral, 0);
        if search.left > 0 {
            search.walk.most = search.walk.gained.count_ones();
        }
        search.walk
    }
}

struct Search {
    walk: Walk,
    filled: Fields,
    moves: usize,
    left: u32,
}

impl Search {
    fn extend(&mut self, from: &Facings, neutral: Fields, gained: Fields) {
        if gained.count_ones() > self.walk.gained.count_ones() {
            (self.walk.gained, self.walk.end) = (gained, *from);
        }
        if self.walk.gained.count_ones() == self.walk.most || self.left == 0 {
            return;
        }
        self.left -= 1;
        let roamed_to = roamed(from, self.filled | gained, self.moves);
        let open = self.filled | gained | neutral;
        let neutral = union(&flooded(&roamed_to, open)) & neutral;
        let next = stepped(&roamed_to, neutral);
        let mut ends = union(&next);
        while ends != 0
            && (gained | neutral).count_ones() > self.walk.gained.count_ones()
            && self.left > 0
        {
            let field = ends & ends.wrapping_neg();
            ends ^= field;
            let there = next.map(|fields| fields & field);
            self.extend(&there, neutral & !field, gained | field);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::Random;

    /// Walks on many grounds, of which some share a slot, are the same when they are found again.
    #[test]
    fn a_walk_is_that_of_its_ground() {
        let mut random = Random::new(3);
        let mut different = 0;
        let mut last = 0;
        for _ in 0..20_000 {
            let mut start = [0; 8];
            start[random.below(8) as usize] = 1 << random.below(81);
            let fields = |random: &mut Random| {
                let bits = u128::from(random.next()) << 64 | u128::from(random.next());
                bits & ((1 << 81) - 1)
            };
            let (filled, other) = (fields(&mut random), fields(&mut random));
            let neutral = other & !filled;
            let walk = longest_walk(start, filled, neutral, usize::MAX);
            let around = union(&flooded(&start, filled | neutral));
            let ground = Ground {
                start,
                filled: filled & around,
                neutral: neutral & around,
                moves: usize::MAX,
            };
            let afresh = ground.longest_walk();
            assert_eq!(
                (walk.gained, walk.end, walk.most),
                (afresh.gained, afresh.end, afresh.most)
            );
            assert_eq!(walk.reached, around & neutral);
            different += u32::from(walk.gained.count_ones() != last);
            last = walk.gained.count_ones();
        }
        assert!(different > 10_000, "{different}");
    }
}
