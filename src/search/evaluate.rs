//! What a game supplies to the drivers beyond its rules: evaluation and search hints.

use std::hash::{Hash, Hasher};
use std::ops::ControlFlow;
use std::sync::Arc;

use super::player::{Bound, Score};
use super::value::{Value, WIN};
use crate::game::{Game, MAX_SEATS, Outcome, Seat};

/// Evaluates positions that are not finished.
///
/// The accumulator holds what is cheaper to update with every move than to compute at a leaf: a few
/// sums a side, or the first layer of a network. The drivers keep one a ply. An evaluation without one
/// takes `()`.
pub trait Evaluate<G: Game>: Send + Sync + 'static {
    /// The accumulator.
    type Acc: Copy + Send + Sync + 'static;

    /// The accumulator of a position, computed from the position alone.
    fn fresh(&self, position: &G) -> Self::Acc;

    /// Writes the accumulator after a move that led from `before` to `after` to `next`; `acc` is the
    /// one before the move. The result must equal [`Evaluate::fresh`].
    fn update(&self, acc: &Self::Acc, before: &G, m: &G::Move, after: &G, next: &mut Self::Acc) {
        let _ = (acc, before, m);
        *next = self.fresh(after);
    }

    /// [`Evaluate::update`] that returns the accumulator.
    fn updated(&self, acc: &Self::Acc, before: &G, m: &G::Move, after: &G) -> Self::Acc {
        let mut next = *acc;
        self.update(acc, before, m, after, &mut next);
        next
    }

    /// The value for `seat`, in hundredths of a unit. With two seats, the values of the seats must be
    /// each other's negation. The drivers clip it to [`super::value::MAX_EVALUATION`].
    fn score(&self, acc: &Self::Acc, position: &G, seat: Seat) -> Value;

    /// The values for all seats, 0 beyond the last seat. An evaluation whose seats share expensive
    /// parts can compute them once here.
    fn scores(&self, acc: &Self::Acc, position: &G) -> [Value; MAX_SEATS] {
        let mut scores = [0; MAX_SEATS];
        for seat in Seat::all(position.seats()) {
            scores[seat.index()] = self.score(acc, position, seat);
        }
        scores
    }

    /// Whether [`Evaluate::scores_and_policy`] says which moves are likely to be the best.
    fn has_policy(&self) -> bool {
        false
    }

    /// The values for all seats, as by [`Evaluate::scores`]; to `logits` is added for every move of
    /// the position, in their order, the logit of the probability that it is the best.
    fn scores_and_policy(
        &self,
        position: &G,
        moves: &[G::Move],
        logits: &mut Vec<f32>,
    ) -> [Value; MAX_SEATS] {
        logits.resize(logits.len() + moves.len(), 0.0);
        self.scores(&self.fresh(position), position)
    }

    /// The value of a finished game for `seat` in drivers that compare or average values of every
    /// seat ([`super::maxn`]): by default the share of the first place, from `-WIN` to `WIN`.
    fn outcome_score(&self, outcome: &Outcome, seat: Seat) -> f64 {
        f64::from(WIN) * (2.0 * outcome.share(seat) - 1.0)
    }
}

/// A shared evaluation, such as a large network.
impl<G: Game, E: Evaluate<G>> Evaluate<G> for Arc<E> {
    type Acc = E::Acc;

    fn fresh(&self, position: &G) -> E::Acc {
        (**self).fresh(position)
    }

    fn update(&self, acc: &E::Acc, before: &G, m: &G::Move, after: &G, next: &mut E::Acc) {
        (**self).update(acc, before, m, after, next);
    }

    fn score(&self, acc: &E::Acc, position: &G, seat: Seat) -> Value {
        (**self).score(acc, position, seat)
    }

    fn scores(&self, acc: &E::Acc, position: &G) -> [Value; MAX_SEATS] {
        (**self).scores(acc, position)
    }

    fn has_policy(&self) -> bool {
        (**self).has_policy()
    }

    fn scores_and_policy(
        &self,
        position: &G,
        moves: &[G::Move],
        logits: &mut Vec<f32>,
    ) -> [Value; MAX_SEATS] {
        (**self).scores_and_policy(position, moves, logits)
    }

    fn outcome_score(&self, outcome: &Outcome, seat: Seat) -> f64 {
        (**self).outcome_score(outcome, seat)
    }
}

/// Hints that make the search of a game faster. Every method has a default without a hint, so that
/// `impl SearchHints<MyGame> for MyEvaluation {}` makes a complete and sound search.
pub trait SearchHints<G: Game>: Evaluate<G> {
    /// A 16-bit tag of a move, stored in the transposition table instead of the move. Equal moves
    /// have equal tags; the moves of one position should have different ones.
    fn tag(&self, m: &G::Move) -> u16 {
        hashed_tag(m)
    }

    /// The legal move of a position with a tag, if it can be found without listing all moves. The
    /// search then tries the table's move before it lists the others.
    fn move_of_tag(&self, position: &G, tag: u16) -> Option<G::Move> {
        let _ = (position, tag);
        None
    }

    /// The legal move of a position that changes its key by `difference` (exclusive or), if it can be
    /// found without listing the moves: an upcoming repetition. With it, the search sees draws by
    /// repetition that a table value does not. For games in which a repetition is a draw.
    fn upcoming_repetition(&self, position: &G, difference: u64) -> Option<G::Move> {
        let _ = (position, difference);
        None
    }

    /// The key of the position after the move with a tag, where it is cheaper than the move: the
    /// search asks memory for the entry of that position before it makes the move. Any key will do
    /// if there is no legal move with that tag.
    #[inline]
    fn key_after(&self, position: &G, tag: u16) -> Option<u64> {
        let _ = (position, tag);
        None
    }

    /// The slot of a move in the history table, for example by piece and target square.
    fn history_slot(&self, position: &G, m: &G::Move) -> u16 {
        let _ = position;
        self.tag(m)
    }

    /// What a move has in common with others that differ only in a detail, so that their values are
    /// near each other; 0 if there are none.
    #[inline]
    fn variant(&self, m: &G::Move) -> u16 {
        let _ = m;
        0
    }

    /// Writes the hints of the moves of one position. `hints` is as long as `moves` and filled with
    /// [`MoveHint::QUIET`].
    fn hint_moves(&self, position: &G, moves: &[G::Move], hints: &mut [MoveHint]) {
        let _ = (position, moves, hints);
    }

    /// The same for one move.
    fn hint_move(&self, position: &G, m: &G::Move) -> MoveHint {
        let mut hint = [MoveHint::QUIET];
        self.hint_moves(position, std::slice::from_ref(m), &mut hint);
        hint[0]
    }

    /// Staged move generation: folds `visit` over the legal moves of one kind but those with a tag of
    /// `skipped`, each with its hint; all kinds together are all legal moves. The search then lists
    /// quiet moves only where no noisy move was good enough. `None`: all moves are listed at once and
    /// passed to [`SearchHints::hint_moves`].
    #[inline]
    fn fold_kind<T>(
        &self,
        position: &G,
        kind: MoveKind,
        skipped: &[u16],
        start: T,
        visit: impl FnMut(T, G::Move, MoveHint) -> T,
    ) -> Option<T>
    where
        Self: Sized,
    {
        let _ = (position, kind, skipped, start, visit);
        None
    }

    /// Whether the seat to move must answer a threat, as in check. Such positions are searched deeper,
    /// the moves that lead to them are reduced less, and no answer is pruned.
    fn is_forced(&self, position: &G) -> bool {
        let _ = position;
        false
    }

    /// The position after a null move, for null move pruning: the turn passes, nothing else changes.
    /// `None` where passing may be better than every move (zugzwang). The accumulator of the position
    /// must be valid after it too.
    fn null_move(&self, position: &G) -> Option<G> {
        let _ = position;
        None
    }

    /// What is known of a position without search, for the seat to move: a win by the next move,
    /// an ending from a tablebase. [`KnownValue::score`] counts plies from this position.
    fn known_value(&self, position: &G) -> Option<KnownValue> {
        let _ = position;
        None
    }

    /// How a position is searched `depth` plies below the last full ply (0 at the first).
    fn quiescence(&self, position: &G, depth: u32) -> Quiescence {
        let _ = (position, depth);
        Quiescence::Static
    }

    /// The moves searched where [`SearchHints::quiescence`] answered [`Quiescence::Noisy`].
    fn for_each_noisy<B>(
        &self,
        position: &G,
        depth: u32,
        visit: impl FnMut(G::Move) -> ControlFlow<B>,
    ) -> ControlFlow<B>
    where
        Self: Sized,
    {
        let _ = (position, depth, visit);
        ControlFlow::Continue(())
    }
}

/// What is known of a move before it is searched: how it is ordered, and whether it is noisy.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct MoveHint {
    /// Moves of higher priority are searched first. Above 0 the move is noisy: it comes before
    /// killers and the countermove, and pruning leaves it alone
    /// ([`PvsConfig::prune_priority`](super::PvsConfig::prune_priority)). 0 is quiet. Below 0 comes
    /// last.
    pub priority: i8,
    /// Added to the history score of the move, which lies within 16,384.
    pub bonus: i16,
}

impl MoveHint {
    /// A quiet move of which nothing is known.
    pub const QUIET: MoveHint = MoveHint { priority: 0, bonus: 0 };
}

/// The kinds of moves that staged move generation lists one after the other.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum MoveKind {
    /// Moves of a priority above 0.
    Noisy,
    /// Moves of priority 0.
    Quiet,
    /// Moves of a priority below 0, searched after all others.
    Last,
}

/// A value that is known without search.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct KnownValue {
    /// The value for the seat to move.
    pub score: Score,
    /// Whether it is exact or a bound.
    pub bound: Bound,
}

/// How the search continues below its last full ply.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Quiescence {
    /// Not at all: the static evaluation is the value.
    Static,
    /// The moves of [`SearchHints::for_each_noisy`], with the evaluation as a lower bound (stand
    /// pat).
    Noisy,
    /// All moves: the seat to move must answer a threat and cannot stand pat.
    All,
}

/// A tag for any move: a hash, equal on all machines of one byte order.
#[must_use]
pub fn hashed_tag<M: Hash>(m: &M) -> u16 {
    let mut hasher = Fold(0);
    m.hash(&mut hasher);
    (hasher.finish() >> 48) as u16
}

/// Rotate, xor and multiply, as FxHash does: enough to tell the moves of one position apart.
struct Fold(u64);

impl Fold {
    fn add(&mut self, value: u64) {
        self.0 = (self.0.rotate_left(5) ^ value).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    }
}

impl Hasher for Fold {
    fn write(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.add(u64::from(*byte));
        }
    }
    fn write_u8(&mut self, value: u8) {
        self.add(u64::from(value));
    }
    fn write_u16(&mut self, value: u16) {
        self.add(u64::from(value));
    }
    fn write_u32(&mut self, value: u32) {
        self.add(u64::from(value));
    }
    fn write_u64(&mut self, value: u64) {
        self.add(value);
    }
    fn write_usize(&mut self, value: usize) {
        self.add(value as u64);
    }
    fn finish(&self) -> u64 {
        self.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tags_tell_most_small_moves_apart() {
        let tags: std::collections::HashSet<u16> =
            (0..100u8).flat_map(|from| (0..2u8).map(move |to| hashed_tag(&(from, to)))).collect();
        assert!(tags.len() >= 198, "{} different tags of 200", tags.len());
    }
}
