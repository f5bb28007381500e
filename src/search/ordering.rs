//! Move ordering: what the hints know before the search, and what the history tables, killers and
//! countermoves have learnt in it. Correction history, which is learnt in the same way, is here too.

use super::evaluate::{MoveHint, MoveKind, SearchHints};
use super::move_list::{MoveLists, RankedMove};
use super::value::{MAX_PLY, Value};
use crate::game::{Game, Seat};

/// The greatest history score, of either sign.
const HISTORY_LIMIT: i32 = 16_384;

const SLOTS: usize = 1 << 16;
/// Outweighs everything that orders moves of equal priority.
const PRIORITY: i32 = 1 << 24;
const KILLER: i32 = 1 << 20;
const SECOND_KILLER: i32 = KILLER - 1;
const COUNTERMOVE: i32 = KILLER - 2;

/// Which of the history tables are used.
#[derive(Clone, Copy, Default)]
pub(super) struct Uses {
    pub noisy: bool,
    pub continuation: bool,
}

/// The history tables of one thread: history by seat and slot, killers by ply, countermoves by the
/// slot of the move before.
pub(super) struct Histories {
    history: Vec<[i16; 2]>,
    /// The same for noisy moves.
    noisy: Vec<[i16; 2]>,
    /// By the continuation slots of a move and of the moves one and two plies before it.
    continuation: [Vec<i16>; 2],
    continuation_slots: usize,
    uses: Uses,
    /// Mean errors of the evaluation, in units of 1 / [`CORRECTION_GRAIN`], by part of the position.
    corrections: [Vec<[i16; 2]>; 3],
    countermoves: Vec<[u16; 2]>,
    killers: Vec<[u16; 2]>,
}

/// Entries of each correction history; a power of two.
const CORRECTIONS: usize = 1 << 14;

/// Units of a correction in a hundredth of the evaluation.
const CORRECTION_GRAIN: i32 = 128;

/// The greatest correction of one part, in hundredths.
const CORRECTION_LIMIT: i32 = 100;

impl Histories {
    /// Empty tables; `continuation_slots` as the hints say.
    pub(super) fn new(continuation_slots: u16) -> Self {
        let slots = usize::from(continuation_slots);
        Histories {
            history: vec![[0; 2]; SLOTS],
            noisy: vec![[0; 2]; SLOTS],
            continuation: [vec![0; slots * slots], vec![0; slots * slots]],
            continuation_slots: slots,
            uses: Uses::default(),
            corrections: std::array::from_fn(|_| vec![[0; 2]; CORRECTIONS]),
            countermoves: vec![[0; 2]; SLOTS],
            killers: vec![[0; 2]; MAX_PLY + 1],
        }
    }

    /// Which tables are used.
    pub(super) fn set_uses(&mut self, uses: Uses) {
        self.uses = uses;
    }

    /// Forgets everything.
    pub(super) fn clear(&mut self) {
        self.history.fill([0; 2]);
        self.noisy.fill([0; 2]);
        self.continuation.iter_mut().for_each(|table| table.fill(0));
        self.corrections.iter_mut().for_each(|table| table.fill([0; 2]));
        self.countermoves.fill([0; 2]);
        self.killers.fill([0; 2]);
    }

    /// Gets ready for another search: halves the history scores and forgets the killers.
    pub(super) fn halve(&mut self) {
        for value in self.history.iter_mut().chain(&mut self.noisy).flatten() {
            *value /= 2;
        }
        self.killers.fill([0; 2]);
    }

    /// The history score of a move of a seat.
    #[inline]
    pub(super) fn history(&self, seat: Seat, slot: u16) -> i32 {
        i32::from(self.history[slot as usize][seat.index() & 1])
    }

    /// Adds a bonus, or a penalty, to the history score of a move. The closer the score is to its
    /// limit, the less is added (history gravity).
    #[inline]
    pub(super) fn update(&mut self, seat: Seat, slot: u16, bonus: i32) {
        gravitate(&mut self.history[slot as usize][seat.index() & 1], bonus);
    }

    /// The history score of a noisy move.
    #[inline]
    pub(super) fn noisy_history(&self, seat: Seat, slot: u16) -> i32 {
        i32::from(self.noisy[slot as usize][seat.index() & 1])
    }

    /// The same as [`Histories::update`] for a noisy move.
    pub(super) fn update_noisy(&mut self, seat: Seat, slot: u16, bonus: i32) {
        gravitate(&mut self.noisy[slot as usize][seat.index() & 1], bonus);
    }

    /// The score of a move as a continuation of the moves one and two plies before it.
    #[inline]
    pub(super) fn continuation(&self, earlier: [u16; 2], slot: u16) -> i32 {
        if self.continuation_slots == 0 || !self.uses.continuation {
            return 0;
        }
        let score = |back: usize| {
            let index = usize::from(earlier[back]) * self.continuation_slots + usize::from(slot);
            i32::from(self.continuation[back][index])
        };
        score(0) + score(1)
    }

    /// Adds a bonus, or a penalty, to a move as a continuation.
    pub(super) fn update_continuation(&mut self, earlier: [u16; 2], slot: u16, bonus: i32) {
        if self.continuation_slots == 0 || !self.uses.continuation {
            return;
        }
        for (table, earlier) in self.continuation.iter_mut().zip(earlier) {
            let index = usize::from(earlier) * self.continuation_slots + usize::from(slot);
            gravitate(&mut table[index], bonus);
        }
    }

    /// By how much the evaluation of a position with these keys errs, in hundredths.
    #[inline]
    pub(super) fn correction(&self, seat: Seat, keys: [u16; 3]) -> Value {
        let part = |index: usize| {
            let at = usize::from(keys[index]) & (CORRECTIONS - 1);
            i32::from(self.corrections[index][at][seat.index() & 1])
        };
        (part(0) + part(1) + part(2)) / CORRECTION_GRAIN
    }

    /// Learns that the evaluation of a position with these keys was too low by `error` hundredths,
    /// according to a search of a depth.
    pub(super) fn correct(&mut self, seat: Seat, keys: [u16; 3], error: Value, depth: i32) {
        let weight = (depth + 1).min(16);
        let wanted = error.clamp(-CORRECTION_LIMIT, CORRECTION_LIMIT) * CORRECTION_GRAIN;
        for (table, key) in self.corrections.iter_mut().zip(keys) {
            let value = &mut table[usize::from(key) & (CORRECTIONS - 1)][seat.index() & 1];
            let old = i32::from(*value);
            *value = (old + (wanted - old) * weight / 256) as i16;
        }
    }

    /// Makes the move with a tag a killer of the ply, and the countermove to the move before.
    pub(super) fn add_refutation(&mut self, seat: Seat, ply: usize, previous: u16, tag: u16) {
        self.countermoves[previous as usize][seat.index() & 1] = tag;
        let killers = &mut self.killers[ply.min(MAX_PLY)];
        if killers[0] != tag {
            *killers = [tag, killers[0]];
        }
    }

    /// The tags of the two killers of a ply and of the countermove, best first. Tags may be 0 or
    /// repeat.
    #[inline]
    pub(super) fn refutations(&self, seat: Seat, ply: usize, previous: u16) -> [u16; 3] {
        let [killer, second] = self.killers[ply.min(MAX_PLY)];
        [killer, second, self.countermoves[previous as usize][seat.index() & 1]]
    }

    /// Appends the moves of a position to the lists, with their ranks.
    pub(super) fn rank<G: Game<Move: Copy>, H: SearchHints<G>>(
        &self,
        context: &OrderingContext<'_, G>,
        hints: &H,
        moves: &[G::Move],
        found: &[MoveHint],
        lists: &mut MoveLists<G::Move>,
    ) {
        for (m, hint) in moves.iter().zip(found) {
            let (ranked, rank) = self.rank_move(context, hints, *m, *hint);
            lists.push(ranked, rank);
        }
    }

    #[inline(always)]
    fn rank_move<G: Game<Move: Copy>, H: SearchHints<G>>(
        &self,
        context: &OrderingContext<'_, G>,
        hints: &H,
        m: G::Move,
        hint: MoveHint,
    ) -> (RankedMove<G::Move>, i32) {
        let tag = hints.tag(&m);
        let slot = hints.history_slot(context.position, &m);
        let [killer, second, countermove] = context.refutations;
        let continuation = hints.continuation_slot(context.position, &m);
        let score = match tag {
            _ if self.uses.noisy && hint.priority > 0 => self.noisy_history(context.seat, slot),
            tag if tag == killer => KILLER,
            tag if tag == second => SECOND_KILLER,
            tag if tag == countermove => COUNTERMOVE,
            _ => {
                self.history(context.seat, slot) + self.continuation(context.earlier, continuation)
            }
        };
        let rank = i32::from(hint.priority) * PRIORITY + score + i32::from(hint.bonus);
        let rank = if tag == context.table_move && tag != 0 { i32::MAX } else { rank };
        (RankedMove { m, tag, slot, continuation, priority: hint.priority }, rank)
    }

    /// Appends the noisy moves of a position except the table's move. `false` if the game does not
    /// list them apart.
    pub(super) fn rank_noisy<G: Game<Move: Copy>, H: SearchHints<G>>(
        &self,
        context: &OrderingContext<'_, G>,
        hints: &H,
        lists: &mut MoveLists<G::Move>,
    ) -> bool {
        lists.append(|spare| {
            hints.for_each_of_kind(context.position, MoveKind::Noisy, |m, hint| {
                let (ranked, rank) = self.rank_move(context, hints, m, hint);
                if ranked.tag != context.table_move {
                    spare.push(ranked, rank);
                }
            })
        })
    }

    /// Appends the quiet moves, ranked by their history, except the table's move and the refutations.
    pub(super) fn rank_quiet<G: Game<Move: Copy>, H: SearchHints<G>>(
        &self,
        context: &OrderingContext<'_, G>,
        hints: &H,
        lists: &mut MoveLists<G::Move>,
    ) {
        let table_move = context.table_move;
        let [killer, second, countermove] = context.refutations;
        lists.append(|spare| {
            hints.for_each_of_kind(context.position, MoveKind::Quiet, |m, hint| {
                let tag = hints.tag(&m);
                if tag != table_move && tag != killer && tag != second && tag != countermove {
                    let slot = hints.history_slot(context.position, &m);
                    let continuation = hints.continuation_slot(context.position, &m);
                    let rank = self.history(context.seat, slot)
                        + self.continuation(context.earlier, continuation)
                        + i32::from(hint.bonus);
                    let priority = hint.priority;
                    spare.push(RankedMove { m, tag, slot, continuation, priority }, rank);
                }
            })
        });
    }

    /// Appends the refutations that are legal, quiet, and not the table's move.
    pub(super) fn rank_refutations<G: Game<Move: Copy>, H: SearchHints<G>>(
        &self,
        context: &OrderingContext<'_, G>,
        hints: &H,
        lists: &mut MoveLists<G::Move>,
    ) {
        for (index, tag) in context.refutations.into_iter().enumerate() {
            let repeats = context.refutations[..index].contains(&tag);
            if tag == 0 || tag == context.table_move || repeats {
                continue;
            }
            let Some(m) = hints.move_of_tag(context.position, tag) else {
                continue;
            };
            let hint = hints.hint_move(context.position, &m);
            if hint.priority <= 0 {
                let slot = hints.history_slot(context.position, &m);
                let continuation = hints.continuation_slot(context.position, &m);
                let priority = hint.priority;
                let ranked = RankedMove { m, tag, slot, continuation, priority };
                lists.push(ranked, KILLER - index as i32);
            }
        }
    }
}

/// The node whose moves are ranked.
pub(super) struct OrderingContext<'a, G> {
    pub position: &'a G,
    /// The seat to move.
    pub seat: Seat,
    /// The tag of the move from the transposition table; 0 for none.
    pub table_move: u16,
    /// See [`Histories::refutations`].
    pub refutations: [u16; 3],
    /// The continuation slots of the moves one and two plies before.
    pub earlier: [u16; 2],
}

/// Adds a bonus to a score. The closer the score is to its limit, the less is added.
#[inline]
fn gravitate(value: &mut i16, bonus: i32) {
    let old = i32::from(*value);
    *value = (old + bonus - old * bonus.abs() / HISTORY_LIMIT) as i16;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn history_scores_stay_within_their_limit() {
        let (seat, mut histories) = (Seat::new(0), Histories::new(0));
        for _ in 0..1_000 {
            histories.update(seat, 9, 2_000);
        }
        let most = histories.history(seat, 9);
        assert!((15_000..=HISTORY_LIMIT).contains(&most), "{most}");
        assert_eq!(histories.history(Seat::new(1), 9), 0, "the other seat has its own");
        histories.update(seat, 9, -2_000);
        assert!(histories.history(seat, 9) < most - 2_000, "a penalty counts more at the limit");
        histories.halve();
        assert!(histories.history(seat, 9) <= most / 2);
    }

    #[test]
    fn a_new_killer_moves_the_first_to_second_place() {
        let (seat, mut histories) = (Seat::new(0), Histories::new(0));
        for tag in [5, 6, 6] {
            histories.add_refutation(seat, 3, 77, tag);
        }
        assert_eq!(histories.refutations(seat, 3, 77), [6, 5, 6]);
        assert_eq!(histories.refutations(seat, 4, 78), [0, 0, 0]);
    }
}
