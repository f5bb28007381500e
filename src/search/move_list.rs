//! The lists of ranked moves of all plies of a search, in one vector.

use std::mem::MaybeUninit;

/// A move of the list being searched.
#[derive(Clone, Copy, Debug)]
pub(super) struct RankedMove<M> {
    pub m: M,
    /// Its tag, see [`SearchHints::tag`](super::SearchHints::tag).
    pub tag: u16,
    /// Its slot in the history table.
    pub slot: u16,
    /// See [`MoveHint::priority`](super::MoveHint::priority).
    pub priority: i8,
}

/// Lists of moves, one behind the other, each move with its rank. Ranks are stored apart, because
/// picking the best move reads all of them.
pub(super) struct MoveLists<M> {
    moves: Vec<RankedMove<M>>,
    ranks: Vec<i32>,
}

impl<M: Copy> Default for MoveLists<M> {
    fn default() -> Self {
        MoveLists { moves: Vec::with_capacity(1 << 14), ranks: Vec::with_capacity(1 << 14) }
    }
}

impl<M: Copy> MoveLists<M> {
    /// How many moves all lists have.
    pub(super) fn len(&self) -> usize {
        self.moves.len()
    }

    /// Removes the moves from an index on.
    pub(super) fn truncate(&mut self, len: usize) {
        self.moves.truncate(len);
        self.ranks.truncate(len);
    }

    /// Appends a move.
    #[inline]
    pub(super) fn push(&mut self, ranked: RankedMove<M>, rank: i32) {
        self.moves.push(ranked);
        self.ranks.push(rank);
    }

    /// Appends the moves that `list` pushes, and returns what it returns. If they did not fit into
    /// the spare capacity, it is called once more with enough.
    #[inline]
    pub(super) fn append<R>(&mut self, list: impl Fn(&mut SpareCapacity<'_, M>) -> R) -> R {
        let mut wanted = LEAST_SPARE;
        loop {
            self.moves.reserve(wanted);
            self.ranks.reserve(wanted);
            let mut spare = SpareCapacity {
                moves: self.moves.spare_capacity_mut(),
                ranks: self.ranks.spare_capacity_mut(),
                count: 0,
            };
            let result = list(&mut spare);
            let count = spare.count;
            if count <= spare.moves.len().min(spare.ranks.len()) {
                let len = self.moves.len() + count;
                // SAFETY: `SpareCapacity::push` has written the first `count` elements of both.
                unsafe {
                    self.moves.set_len(len);
                    self.ranks.set_len(len);
                }
                return result;
            }
            wanted = count;
        }
    }

    /// A move.
    pub(super) fn get(&self, index: usize) -> RankedMove<M> {
        self.moves[index]
    }

    /// All moves, in descending order of their ranks.
    pub(super) fn sorted(&self) -> Vec<RankedMove<M>> {
        let mut order: Vec<usize> = (0..self.moves.len()).collect();
        order.sort_by_key(|index| std::cmp::Reverse(self.ranks[*index]));
        order.into_iter().map(|index| self.moves[index]).collect()
    }

    /// Swaps the best of the moves from an index on with the move at that index, and returns it.
    #[inline]
    pub(super) fn pick(&mut self, index: usize) -> RankedMove<M> {
        let ranks = &mut self.ranks[index..];
        // Two passes, each without a branch that depends on the last: the greatest, then where.
        let greatest = ranks.iter().fold(i32::MIN, |most, rank| most.max(*rank));
        if let Some(best) = ranks.iter().position(|rank| *rank == greatest) {
            ranks.swap(0, best);
            self.moves.swap(index, index + best);
        }
        self.moves[index]
    }
}

/// The spare capacity that every position has at least.
const LEAST_SPARE: usize = 256;

/// The spare capacity behind the lists. Its count stays in a register, as the length of a vector
/// that may grow does not.
pub(super) struct SpareCapacity<'a, M> {
    moves: &'a mut [MaybeUninit<RankedMove<M>>],
    ranks: &'a mut [MaybeUninit<i32>],
    count: usize,
}

impl<M> SpareCapacity<'_, M> {
    /// Writes a move, or only counts it if there is no space.
    #[inline(always)]
    pub(super) fn push(&mut self, ranked: RankedMove<M>, rank: i32) {
        let (moves, ranks) = (self.moves.get_mut(self.count), self.ranks.get_mut(self.count));
        if let (Some(place), Some(rank_place)) = (moves, ranks) {
            place.write(ranked);
            rank_place.write(rank);
        }
        self.count += 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_list_longer_than_the_spare_capacity_is_kept_whole() {
        let mut lists: MoveLists<u16> = MoveLists::default();
        let lengths = [3, LEAST_SPARE, LEAST_SPARE + 1, 40_000];
        for (round, count) in lengths.into_iter().enumerate() {
            let start = lists.len();
            let returned = lists.append(|spare| {
                for m in 0..count {
                    let ranked = RankedMove { m: m as u16, tag: 1, slot: 2, priority: 0 };
                    spare.push(ranked, m as i32 % 1_000);
                }
                round
            });
            assert_eq!((returned, lists.len()), (round, start + count));
            for m in [0, count / 2, count - 1] {
                assert_eq!(lists.get(start + m).m, m as u16);
            }
            assert_eq!(lists.pick(start).m as usize, (count - 1).min(999));
        }
    }
}
