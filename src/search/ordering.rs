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
    /// Moves are taken in descending order of this.
    pub rank: i32,
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

    /// Ranks the moves of a position. `hints` is a buffer as long as `list`.
    pub fn rank<G: Game<Move: Copy>, H: SearchHints<G>>(
        &self,
        at: &Place<'_, G>,
        hints: &H,
        list: &mut [Listed<G::Move>],
        found: &[MoveHint],
    ) {
        let [killer, second] = self.killers[at.ply.min(MAX_PLY)];
        let countermove = self.countermoves[at.previous as usize][at.seat.index() & 1];
        for (listed, hint) in list.iter_mut().zip(found) {
            listed.tag = hints.tag(&listed.m);
            listed.slot = hints.history_slot(at.position, &listed.m);
            listed.stage = hint.stage;
            let learnt = match listed.tag {
                tag if tag == killer => KILLER,
                tag if tag == second => SECOND_KILLER,
                tag if tag == countermove => COUNTERMOVE,
                _ => self.history(at.seat, listed.slot),
            };
            listed.rank = i32::from(hint.stage) * STAGE + learnt + i32::from(hint.bonus);
            if listed.tag == at.first && at.first != 0 {
                listed.rank = i32::MAX;
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
    /// The history slot of the move before.
    pub previous: u16,
    /// The tag of the move to take first, from the table; 0 for none.
    pub first: u16,
}

/// Brings the best of the remaining moves to the front.
#[inline]
pub fn pick<M: Copy>(list: &mut [Listed<M>]) {
    let mut best = 0;
    for i in 1..list.len() {
        if list[i].rank > list[best].rank {
            best = i;
        }
    }
    list.swap(0, best);
}
