//! In which order moves are searched: what is known before the search (hints), and what turned out
//! well elsewhere in it (killers, countermoves, history).

use std::mem::MaybeUninit;

use super::evaluate::{MoveHint, MoveKind, SearchHints};
use super::value::MAX_PLY;
use crate::game::{Game, Seat};

/// The greatest history, either way.
pub const HISTORY_LIMIT: i32 = 16_384;

const SLOTS: usize = 1 << 16;
const STAGE: i32 = 1 << 24;
const KILLER: i32 = 1 << 20;
const SECOND_KILLER: i32 = KILLER - 1;
const COUNTERMOVE: i32 = KILLER - 2;

/// A move of the list being searched.
#[derive(Clone, Copy, Debug)]
pub struct Listed<M> {
    /// The move.
    pub m: M,
    /// Its tag.
    pub tag: u16,
    /// Its slot in the history.
    pub slot: u16,
    /// What is thought of it.
    pub priority: i8,
}

/// Lists of moves, one behind the other, each move with its rank. Ranks lie apart: they are what
/// is looked through again and again.
pub struct Lists<M> {
    moves: Vec<Listed<M>>,
    ranks: Vec<i32>,
}

impl<M: Copy> Default for Lists<M> {
    fn default() -> Self {
        Lists { moves: Vec::with_capacity(1 << 14), ranks: Vec::with_capacity(1 << 14) }
    }
}

impl<M: Copy> Lists<M> {
    /// How many moves all lists have.
    pub fn len(&self) -> usize {
        self.moves.len()
    }

    /// Whether there is no move.
    pub fn is_empty(&self) -> bool {
        self.moves.is_empty()
    }

    /// Takes the moves from an index on off.
    pub fn truncate(&mut self, len: usize) {
        self.moves.truncate(len);
        self.ranks.truncate(len);
    }

    /// Appends a move.
    #[inline]
    pub fn push(&mut self, listed: Listed<M>, rank: i32) {
        self.moves.push(listed);
        self.ranks.push(rank);
    }

    /// Appends the moves that `list` puts into the room it is given, and returns what it returns.
    /// If the room was too small, it is called once more.
    #[inline]
    fn append<R>(&mut self, list: impl Fn(&mut Room<'_, M>) -> R) -> R {
        let mut wanted = ROOM;
        loop {
            self.moves.reserve(wanted);
            self.ranks.reserve(wanted);
            let mut room = Room {
                moves: self.moves.spare_capacity_mut(),
                ranks: self.ranks.spare_capacity_mut(),
                count: 0,
            };
            let result = list(&mut room);
            let count = room.count;
            if count <= room.moves.len().min(room.ranks.len()) {
                let len = self.moves.len() + count;
                // SAFETY: `Room::push` has written the first `count` elements of both.
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
    pub fn get(&self, index: usize) -> Listed<M> {
        self.moves[index]
    }

    /// All moves, in descending order of their ranks.
    pub fn sorted(&self) -> Vec<Listed<M>> {
        let mut order: Vec<usize> = (0..self.moves.len()).collect();
        order.sort_by_key(|index| std::cmp::Reverse(self.ranks[*index]));
        order.into_iter().map(|index| self.moves[index]).collect()
    }

    /// Brings the best of the moves from an index on to that index, and returns it.
    #[inline]
    pub fn pick(&mut self, index: usize) -> Listed<M> {
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

/// Moves of a position for which there is always room.
const ROOM: usize = 256;

/// Where moves are written behind the lists. The count stays in a register, as the length of a
/// vector that may grow does not.
struct Room<'a, M> {
    moves: &'a mut [MaybeUninit<Listed<M>>],
    ranks: &'a mut [MaybeUninit<i32>],
    count: usize,
}

impl<M> Room<'_, M> {
    /// Writes a move, or only counts it if there is no room.
    #[inline(always)]
    fn push(&mut self, listed: Listed<M>, rank: i32) {
        let (moves, ranks) = (self.moves.get_mut(self.count), self.ranks.get_mut(self.count));
        if let (Some(place), Some(rank_place)) = (moves, ranks) {
            place.write(listed);
            rank_place.write(rank);
        }
        self.count += 1;
    }
}

/// What was learnt of moves in one thread's search.
pub struct Memory {
    history: Vec<[i16; 2]>,
    countermoves: Vec<[u16; 2]>,
    killers: Vec<[u16; 2]>,
}

impl Default for Memory {
    fn default() -> Self {
        Memory {
            history: vec![[0; 2]; SLOTS],
            countermoves: vec![[0; 2]; SLOTS],
            killers: vec![[0; 2]; MAX_PLY + 1],
        }
    }
}

impl Memory {
    /// Forgets everything.
    pub fn clear(&mut self) {
        self.history.fill([0; 2]);
        self.countermoves.fill([0; 2]);
        self.killers.fill([0; 2]);
    }

    /// Lets what was learnt in the search before count half.
    pub fn fade(&mut self) {
        for value in self.history.iter_mut().flatten() {
            *value /= 2;
        }
        self.killers.fill([0; 2]);
    }

    /// How good a move was for a seat.
    #[inline]
    pub fn history(&self, seat: Seat, slot: u16) -> i32 {
        i32::from(self.history[slot as usize][seat.index() & 1])
    }

    /// A move turned out well or badly: the more is known already, the less it adds.
    #[inline]
    pub fn learn(&mut self, seat: Seat, slot: u16, bonus: i32) {
        let value = &mut self.history[slot as usize][seat.index() & 1];
        let old = i32::from(*value);
        *value = (old + bonus - old * bonus.abs() / HISTORY_LIMIT) as i16;
    }

    /// A move refuted the one before it.
    pub fn refuted(&mut self, seat: Seat, ply: usize, previous: u16, tag: u16) {
        self.countermoves[previous as usize][seat.index() & 1] = tag;
        let killers = &mut self.killers[ply.min(MAX_PLY)];
        if killers[0] != tag {
            *killers = [tag, killers[0]];
        }
    }

    /// The moves that were good where the list stands, best first: the killers, then what refuted
    /// the move before. Tags may be 0 or repeat.
    #[inline]
    pub fn favourites(&self, seat: Seat, ply: usize, previous: u16) -> [u16; 3] {
        let [killer, second] = self.killers[ply.min(MAX_PLY)];
        [killer, second, self.countermoves[previous as usize][seat.index() & 1]]
    }

    /// Appends the moves of a position to the lists, ranked by what is known of them.
    pub fn rank<G: Game<Move: Copy>, H: SearchHints<G>>(
        &self,
        at: &Place<'_, G>,
        hints: &H,
        moves: &[G::Move],
        found: &[MoveHint],
        lists: &mut Lists<G::Move>,
    ) {
        for (m, hint) in moves.iter().zip(found) {
            let (listed, rank) = self.rank_move(at, hints, *m, *hint);
            lists.push(listed, rank);
        }
    }

    #[inline(always)]
    fn rank_move<G: Game<Move: Copy>, H: SearchHints<G>>(
        &self,
        at: &Place<'_, G>,
        hints: &H,
        m: G::Move,
        hint: MoveHint,
    ) -> (Listed<G::Move>, i32) {
        let tag = hints.tag(&m);
        let slot = hints.history_slot(at.position, &m);
        let [killer, second, countermove] = at.favourites;
        let learnt = match tag {
            tag if tag == killer => KILLER,
            tag if tag == second => SECOND_KILLER,
            tag if tag == countermove => COUNTERMOVE,
            _ => self.history(at.seat, slot),
        };
        let rank = i32::from(hint.priority) * STAGE + learnt + i32::from(hint.bonus);
        let rank = if tag == at.first && tag != 0 { i32::MAX } else { rank };
        (Listed { m, tag, slot, priority: hint.priority }, rank)
    }

    /// Appends the loud moves of a position, ranked, but the one to take first. `false` if the
    /// game does not list them apart.
    pub fn rank_noisy<G: Game<Move: Copy>, H: SearchHints<G>>(
        &self,
        at: &Place<'_, G>,
        hints: &H,
        lists: &mut Lists<G::Move>,
    ) -> bool {
        lists.append(|room| {
            hints.for_each_of_kind(at.position, MoveKind::Noisy, |m, hint| {
                let (listed, rank) = self.rank_move(at, hints, m, hint);
                if listed.tag != at.first {
                    room.push(listed, rank);
                }
            })
        })
    }

    /// Appends the quiet moves, ranked by their history, but the one to take first and the
    /// favourites.
    pub fn rank_quiet<G: Game<Move: Copy>, H: SearchHints<G>>(
        &self,
        at: &Place<'_, G>,
        hints: &H,
        lists: &mut Lists<G::Move>,
    ) {
        let [killer, second, countermove] = at.favourites;
        lists.append(|room| {
            hints.for_each_of_kind(at.position, MoveKind::Quiet, |m, hint| {
                let tag = hints.tag(&m);
                if tag != at.first && tag != killer && tag != second && tag != countermove {
                    let slot = hints.history_slot(at.position, &m);
                    let rank = self.history(at.seat, slot) + i32::from(hint.bonus);
                    room.push(Listed { m, tag, slot, priority: hint.priority }, rank);
                }
            })
        });
    }

    /// Appends the favourites that are legal, quiet, and not the move to take first.
    pub fn rank_favourites<G: Game<Move: Copy>, H: SearchHints<G>>(
        &self,
        at: &Place<'_, G>,
        hints: &H,
        lists: &mut Lists<G::Move>,
    ) {
        for (index, tag) in at.favourites.into_iter().enumerate() {
            if tag == 0 || tag == at.first || at.favourites[..index].contains(&tag) {
                continue;
            }
            let Some(m) = hints.move_of_tag(at.position, tag) else {
                continue;
            };
            let hint = hints.hint_move(at.position, &m);
            if hint.priority <= 0 {
                let slot = hints.history_slot(at.position, &m);
                lists.push(Listed { m, tag, slot, priority: hint.priority }, KILLER - index as i32);
            }
        }
    }
}

/// Where moves are ranked.
pub struct Place<'a, G> {
    /// The position.
    pub position: &'a G,
    /// The seat to move.
    pub seat: Seat,
    /// Plies from the root.
    pub ply: usize,
    /// The tag of the move to take first, from the table; 0 for none.
    pub first: u16,
    /// See [`Memory::favourites`].
    pub favourites: [u16; 3],
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_list_longer_than_its_room_is_kept_whole() {
        let mut lists: Lists<u16> = Lists::default();
        for (round, count) in [3, ROOM, ROOM + 1, 40_000].into_iter().enumerate() {
            let start = lists.len();
            let told = lists.append(|room| {
                for m in 0..count {
                    let listed = Listed { m: m as u16, tag: 1, slot: 2, priority: 0 };
                    room.push(listed, m as i32 % 1_000);
                }
                round
            });
            assert_eq!((told, lists.len()), (round, start + count));
            for m in [0, count / 2, count - 1] {
                assert_eq!(lists.get(start + m).m, m as u16);
            }
            assert_eq!(lists.pick(start).m as usize, (count - 1).min(999));
        }
    }
}
