//! The lists of ranked moves of all plies of a search, in one vector.

use std::mem::MaybeUninit;

use crate::machine::dispatched;

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
    ranks: Ranks,
}

/// How many ranks are compared at once.
const LANES: usize = 16;

/// The ranks of all moves, and behind the last at least [`LANES`] of the least rank.
struct Ranks(Vec<i32>);

impl Ranks {
    /// Room for some more ranks behind the first `len`.
    #[inline]
    fn reserve(&mut self, len: usize, more: usize) {
        if self.0.len() < len + more + LANES {
            self.0.resize((len + more + LANES).next_power_of_two(), i32::MIN);
        }
    }

    /// Only the first `len` ranks remain.
    #[inline]
    fn end_at(&mut self, len: usize) {
        if let Some(behind) = self.0[len..].first_chunk_mut::<LANES>() {
            *behind = [i32::MIN; LANES];
        }
    }

    dispatched! { wide
        /// The index of the first of the greatest ranks from an index on, of `len` ranks.
        fn best / best_fast / best_wide = greatest(&self, index: usize, len: usize) -> usize
    }

    #[inline(always)]
    fn greatest(&self, index: usize, len: usize) -> usize {
        // One pass over whole vectors without a branch: the rank, then the place, earlier ones
        // being greater.
        let ranks = &self.0[index..];
        let ranks = &ranks[..(len - index).next_multiple_of(LANES).min(ranks.len())];
        let last = i64::from(u32::MAX);
        let greatest = ranks.iter().enumerate().fold(i64::MIN, |most, (place, rank)| {
            most.max(i64::from(*rank) << 32 | (last - place as i64))
        });
        index + (last - (greatest & last)) as usize
    }
}

impl<M: Copy> Default for MoveLists<M> {
    fn default() -> Self {
        let mut ranks = Ranks(Vec::new());
        ranks.reserve(0, 1 << 14);
        MoveLists { moves: Vec::with_capacity(1 << 14), ranks }
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
        self.ranks.end_at(self.moves.len());
    }

    /// Appends a move.
    #[inline]
    pub(super) fn push(&mut self, ranked: RankedMove<M>, rank: i32) {
        let len = self.moves.len();
        self.moves.push(ranked);
        self.ranks.reserve(len, 1);
        self.ranks.0[len] = rank;
        self.ranks.end_at(len + 1);
    }

    /// Appends the moves that `list` pushes to the capacity it is given and returns; `false` if it
    /// returns `None`. If the moves did not fit, it is called once more with enough.
    #[inline]
    pub(super) fn append(
        &mut self,
        list: impl for<'a> Fn(SpareCapacity<'a, M>) -> Option<SpareCapacity<'a, M>>,
    ) -> bool {
        let mut wanted = LEAST_SPARE;
        loop {
            let len = self.moves.len();
            self.moves.reserve(wanted);
            self.ranks.reserve(len, wanted);
            let ranks = &mut self.ranks.0[len..];
            let room = ranks.len() - LANES;
            let spare = SpareCapacity {
                moves: self.moves.spare_capacity_mut(),
                ranks: &mut ranks[..room],
                count: 0,
            };
            let Some(spare) = list(spare) else {
                return false;
            };
            let count = spare.count;
            if count <= spare.moves.len().min(spare.ranks.len()) {
                // SAFETY: `SpareCapacity::push` has written the first `count` elements.
                unsafe { self.moves.set_len(len + count) };
                self.ranks.end_at(len + count);
                return true;
            }
            wanted = count;
        }
    }

    /// A move.
    pub(super) fn get(&self, index: usize) -> RankedMove<M> {
        self.moves[index]
    }

    /// Marks a move that was handed out as not searched.
    #[inline]
    pub(super) fn leave_out(&mut self, index: usize) {
        self.ranks.0[index] = i32::MIN;
    }

    /// Whether a move was marked.
    #[inline]
    pub(super) fn is_left_out(&self, index: usize) -> bool {
        self.ranks.0[index] == i32::MIN
    }

    /// All moves, in descending order of their ranks.
    pub(super) fn sorted(&self) -> Vec<RankedMove<M>> {
        let mut order: Vec<usize> = (0..self.moves.len()).collect();
        order.sort_by_key(|index| std::cmp::Reverse(self.ranks.0[*index]));
        order.into_iter().map(|index| self.moves[index]).collect()
    }

    /// Swaps the best of the moves from an index on with the move at that index, and returns it.
    #[inline]
    pub(super) fn pick(&mut self, index: usize) -> RankedMove<M> {
        let best = self.ranks.best(index, self.moves.len());
        self.ranks.0.swap(index, best);
        self.moves.swap(index, best);
        self.moves[index]
    }
}

/// The spare capacity that every position has at least.
const LEAST_SPARE: usize = 256;

/// The spare capacity behind the lists. It is passed by value, so that its count stays in a register.
pub(super) struct SpareCapacity<'a, M> {
    moves: &'a mut [MaybeUninit<RankedMove<M>>],
    ranks: &'a mut [i32],
    count: usize,
}

impl<M> SpareCapacity<'_, M> {
    /// Writes a move, or only counts it if there is no space.
    #[inline(always)]
    pub(super) fn push(mut self, ranked: RankedMove<M>, rank: i32) -> Self {
        let (moves, ranks) = (self.moves.get_mut(self.count), self.ranks.get_mut(self.count));
        if let (Some(place), Some(rank_place)) = (moves, ranks) {
            place.write(ranked);
            *rank_place = rank;
        }
        self.count += 1;
        self
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_list_longer_than_the_spare_capacity_is_kept_whole() {
        let mut lists: MoveLists<u16> = MoveLists::default();
        let lengths = [3, LEAST_SPARE, LEAST_SPARE + 1, 40_000];
        for count in lengths {
            let start = lists.len();
            let is_listed = lists.append(|spare| {
                Some((0..count).fold(spare, |spare, m| {
                    let ranked = RankedMove { m: m as u16, tag: 1, slot: 2, priority: 0 };
                    spare.push(ranked, m as i32 % 1_000)
                }))
            });
            assert_eq!((is_listed, lists.len()), (true, start + count));
            for m in [0, count / 2, count - 1] {
                assert_eq!(lists.get(start + m).m, m as u16);
            }
            assert_eq!(lists.pick(start).m as usize, (count - 1).min(999));
        }
    }
}
