//! Move ordering: what the hints know before the search, and what the history tables, killers and
//! countermoves have learnt in it.

use super::evaluate::{MoveHint, MoveKind, SearchHints};
use super::move_list::{MoveLists, RankedMove};
use super::value::MAX_PLY;
use crate::game::{Game, Seat};

/// The greatest history score, of either sign.
const HISTORY_LIMIT: i32 = 16_384;

const SLOTS: usize = 1 << 16;
/// Outweighs everything that orders moves of equal priority.
const PRIORITY: i32 = 1 << 24;
const KILLER: i32 = 1 << 20;
const SECOND_KILLER: i32 = KILLER - 1;
const COUNTERMOVE: i32 = KILLER - 2;

/// The history scores of one seat by slot.
type History = Box<[i16; SLOTS]>;

/// The history tables of one thread: history by seat and slot, killers by ply, countermoves by the
/// slot of the move before.
pub(super) struct Histories {
    history: [History; 2],
    /// The same for noisy moves.
    noisy: [History; 2],
    /// Whether it is used.
    use_noisy: bool,
    /// Continuation history, if it is used: by the hash of the slots of the move before and of the move.
    continuation: Option<[History; 2]>,
    countermoves: Vec<[u16; 2]>,
    killers: Vec<[u16; 2]>,
}

impl Histories {
    /// Empty tables. `use_noisy`: noisy moves are ordered by a history of their own.
    /// `use_continuation`: others also by one after the move before.
    pub(super) fn new(use_noisy: bool, use_continuation: bool) -> Self {
        Histories {
            history: [(); 2].map(|()| empty_history()),
            noisy: [(); 2].map(|()| empty_history()),
            use_noisy,
            continuation: use_continuation.then(|| [(); 2].map(|()| empty_history())),
            countermoves: vec![[0; 2]; SLOTS],
            killers: vec![[0; 2]; MAX_PLY + 1],
        }
    }

    /// See [`Histories::new`].
    pub(super) fn set_use_noisy(&mut self, use_noisy: bool) {
        self.use_noisy = use_noisy;
    }

    /// All tables of scores.
    fn tables(&mut self) -> impl Iterator<Item = &mut History> {
        let continuation = self.continuation.iter_mut().flatten();
        self.history.iter_mut().chain(&mut self.noisy).chain(continuation)
    }

    /// Forgets everything.
    pub(super) fn clear(&mut self) {
        self.tables().for_each(|scores| scores.fill(0));
        self.countermoves.fill([0; 2]);
        self.killers.fill([0; 2]);
    }

    /// Gets ready for another search: halves the history scores and forgets the killers.
    pub(super) fn halve(&mut self) {
        for scores in self.tables() {
            // One loop a table: the compiler halves several scores in one instruction.
            scores.iter_mut().for_each(|score| *score /= 2);
        }
        self.killers.fill([0; 2]);
    }

    /// The history score of a move of a seat, after a move with the slot `previous`.
    #[inline]
    pub(super) fn history(&self, seat: Seat, slot: u16, previous: u16) -> i32 {
        let own = i32::from(self.history_of(seat)[slot as usize]);
        self.continuation_of(seat)
            .map_or(own, |scores| own + i32::from(scores[after(previous, slot)]))
    }

    #[inline]
    fn continuation_of(&self, seat: Seat) -> Option<&[i16; SLOTS]> {
        self.continuation.as_ref().map(|tables| &*tables[seat.index() & 1])
    }

    #[inline]
    fn history_of(&self, seat: Seat) -> &[i16; SLOTS] {
        &self.history[seat.index() & 1]
    }

    /// Adds a bonus, or a penalty, to the history score of a move. The closer the score is to its
    /// limit, the less is added (history gravity).
    #[inline]
    pub(super) fn update(&mut self, seat: Seat, slot: u16, bonus: i32, previous: u16) {
        if let Some(tables) = &mut self.continuation {
            gravitate(&mut tables[seat.index() & 1][after(previous, slot)], bonus);
        }
        gravitate(&mut self.history[seat.index() & 1][slot as usize], bonus);
    }

    /// The history score of a noisy move.
    #[inline]
    fn noisy_history(&self, seat: Seat, slot: u16) -> i32 {
        i32::from(self.noisy[seat.index() & 1][slot as usize])
    }

    /// The history score of a move of this priority: noisy moves have their own where it is used.
    #[inline]
    pub(super) fn of_move(&self, seat: Seat, slot: u16, priority: i8, previous: u16) -> i32 {
        if self.use_noisy && priority > 0 {
            self.noisy_history(seat, slot)
        } else {
            self.history(seat, slot, previous)
        }
    }

    /// The same as [`Histories::update`] for a noisy move.
    pub(super) fn update_noisy(&mut self, seat: Seat, slot: u16, bonus: i32) {
        gravitate(&mut self.noisy[seat.index() & 1][slot as usize], bonus);
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
        lists.append(|spare| {
            let listed = moves.iter().zip(found).fold(spare, |spare, (m, hint)| {
                let (ranked, rank) = self.rank_move(context, hints, *m, *hint);
                spare.push(ranked, rank)
            });
            Some(listed)
        });
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
        let score = match tag {
            _ if self.use_noisy && hint.priority > 0 => self.noisy_history(context.seat, slot),
            tag if tag == killer => KILLER,
            tag if tag == second => SECOND_KILLER,
            tag if tag == countermove => COUNTERMOVE,
            _ => self.history(context.seat, slot, context.previous),
        };
        let rank = i32::from(hint.priority) * PRIORITY + score + i32::from(hint.bonus);
        let rank = if tag == context.table_move && tag != 0 { i32::MAX } else { rank };
        (RankedMove { m, tag, slot, priority: hint.priority }, rank)
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
            let skipped = [context.table_move];
            hints.fold_kind(context.position, MoveKind::Noisy, &skipped, spare, |spare, m, hint| {
                let (ranked, rank) = self.rank_move(context, hints, m, hint);
                spare.push(ranked, rank)
            })
        })
    }

    /// Appends the quiet or the last moves, ranked by their history, except the table's move and the
    /// refutations.
    pub(super) fn rank_quiet<G: Game<Move: Copy>, H: SearchHints<G>>(
        &self,
        context: &OrderingContext<'_, G>,
        hints: &H,
        kind: MoveKind,
        lists: &mut MoveLists<G::Move>,
    ) {
        let [killer, second, countermove] = context.refutations;
        let skipped = [context.table_move, killer, second, countermove];
        lists.append(|spare| {
            hints.fold_kind(context.position, kind, &skipped, spare, |spare, m, hint| {
                let tag = hints.tag(&m);
                let slot = hints.history_slot(context.position, &m);
                let rank =
                    self.history(context.seat, slot, context.previous) + i32::from(hint.bonus);
                spare.push(RankedMove { m, tag, slot, priority: hint.priority }, rank)
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
                let ranked = RankedMove { m, tag, slot, priority: hint.priority };
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
    /// The slot of the move before.
    pub previous: u16,
}

/// Where the continuation history of a slot is: moves that share a place are rare enough.
#[inline]
fn after(previous: u16, slot: u16) -> usize {
    (previous.wrapping_mul(0x9E35).rotate_left(7) ^ slot.wrapping_mul(0x6A2D)) as usize
}

fn empty_history() -> History {
    // From a vector: an array would be built on the stack first.
    vec![0; SLOTS].try_into().unwrap_or_else(|_| unreachable!("the length is that of the array"))
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
        let (seat, mut histories) = (Seat::new(0), Histories::new(true, false));
        for _ in 0..1_000 {
            histories.update(seat, 9, 2_000, 0);
        }
        let most = histories.history(seat, 9, 0);
        assert!((15_000..=HISTORY_LIMIT).contains(&most), "{most}");
        assert_eq!(histories.history(Seat::new(1), 9, 0), 0, "the other seat has its own");
        histories.update(seat, 9, -2_000, 0);
        assert!(histories.history(seat, 9, 0) < most - 2_000, "a penalty counts more at the limit");
        histories.halve();
        assert!(histories.history(seat, 9, 0) <= most / 2);
    }

    #[test]
    fn noisy_moves_have_a_history_of_their_own() {
        let (seat, mut histories) = (Seat::new(0), Histories::new(true, false));
        histories.update_noisy(seat, 9, 1_000);
        assert_eq!((histories.noisy_history(seat, 9), histories.history(seat, 9, 0)), (1_000, 0));
        assert_eq!(histories.noisy_history(Seat::new(1), 9), 0, "the other seat has its own");
        histories.clear();
        assert_eq!(histories.noisy_history(seat, 9), 0);
    }

    #[test]
    fn continuation_history_tells_the_moves_before_apart() {
        let (seat, mut histories) = (Seat::new(0), Histories::new(false, true));
        histories.update(seat, 9, 1_000, 4);
        assert_eq!(histories.history(seat, 9, 4), 2_000);
        assert_eq!(histories.history(seat, 9, 5), 1_000);
        histories.halve();
        assert_eq!(histories.history(seat, 9, 4), 1_000);
        histories.clear();
        assert_eq!(histories.history(seat, 9, 4), 0);
    }

    #[test]
    fn a_new_killer_moves_the_first_to_second_place() {
        let (seat, mut histories) = (Seat::new(0), Histories::new(true, false));
        for tag in [5, 6, 6] {
            histories.add_refutation(seat, 3, 77, tag);
        }
        assert_eq!(histories.refutations(seat, 3, 77), [6, 5, 6]);
        assert_eq!(histories.refutations(seat, 4, 78), [0, 0, 0]);
        // Plies mean other positions in the next search; the answer to a move is still one.
        histories.halve();
        assert_eq!(histories.refutations(seat, 3, 77), [0, 0, 6]);
    }
}
