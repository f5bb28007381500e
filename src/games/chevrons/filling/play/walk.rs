//! The longest walk of one chevron of Shacru over neutral fields, which it fills, and filled ones.

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

/// The longest walk from a start over neutral fields, of at most `moves` moves from one to the next.
pub(super) fn longest_walk(start: Facings, filled: Fields, neutral: Fields, moves: usize) -> Walk {
    let reached = union(&flooded(&start, filled | neutral)) & neutral;
    let most = reached.count_ones();
    let walk = Walk { gained: 0, end: start, most, reached };
    let mut search = Search { walk, filled, moves, left: MOST_TRIED };
    search.extend(&start, reached, 0);
    if search.left > 0 {
        search.walk.most = search.walk.gained.count_ones();
    }
    search.walk
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
