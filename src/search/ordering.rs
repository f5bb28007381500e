//! In which order moves are searched: what is known before the search (hints), and what turned out
//! well elsewhere in it (killers, countermoves, history).

use super::evaluate::{MoveHint, SearchHints};
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
    pub stage: i8,
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

    /// Appends the moves of a position to the lists, ranked by what is known of them.
    pub fn rank<G: Game<Move: Copy>, H: SearchHints<G>>(
        &self,
        at: &Place<'_, G>,
        hints: &H,
        moves: &[G::Move],
        found: &[MoveHint],
        lists: &mut Lists<G::Move>,
    ) {
        let [killer, second] = self.killers[at.ply.min(MAX_PLY)];
        let countermove = self.countermoves[at.previous as usize][at.seat.index() & 1];
        let rank_of = |m: &G::Move, hint: &MoveHint| {
            let tag = hints.tag(m);
            let slot = hints.history_slot(at.position, m);
            let learnt = match tag {
                tag if tag == killer => KILLER,
                tag if tag == second => SECOND_KILLER,
                tag if tag == countermove => COUNTERMOVE,
                _ => self.history(at.seat, slot),
            };
            let rank = i32::from(hint.stage) * STAGE + learnt + i32::from(hint.bonus);
            let rank = if tag == at.first && tag != 0 { i32::MAX } else { rank };
            (Listed { m: *m, tag, slot, stage: hint.stage }, rank)
        };
        for (m, hint) in moves.iter().zip(found) {
            let (listed, rank) = rank_of(m, hint);
            lists.moves.push(listed);
            lists.ranks.push(rank);
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
    /// The history slot of the move before.
    pub previous: u16,
    /// The tag of the move to take first, from the table; 0 for none.
    pub first: u16,
}
