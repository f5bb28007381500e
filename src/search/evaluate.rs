//! What a game tells the drivers beyond its rules: how good a position is, and how to search it.

use std::hash::{Hash, Hasher};
use std::ops::ControlFlow;

use super::player::{Bound, Score};
use super::value::{Value, WIN};
use crate::game::{Game, MAX_SEATS, Outcome, Seat};

/// Judges positions that are not finished.
///
/// Whatever is cheaper to keep along a line than to compute at its end is the accumulator, one
/// value a ply, copied: a few sums a side, or the first layer of a network. An evaluation that
/// needs none takes `()`.
pub trait Evaluate<G: Game>: Send + Sync + 'static {
    /// What is kept along a line.
    type Acc: Copy + Send + Sync + 'static;

    /// The accumulator of a position, computed from nothing.
    fn fresh(&self, position: &G) -> Self::Acc;

    /// Writes the accumulator after a move that led from `before` to `after`, from that before it.
    /// It must equal the fresh one.
    fn update(&self, acc: &Self::Acc, before: &G, m: &G::Move, after: &G, next: &mut Self::Acc) {
        let _ = (acc, before, m);
        *next = self.fresh(after);
    }

    /// The same as a new value.
    fn updated(&self, acc: &Self::Acc, before: &G, m: &G::Move, after: &G) -> Self::Acc {
        let mut next = *acc;
        self.update(acc, before, m, after, &mut next);
        next
    }

    /// The value for `seat`, in hundredths of a unit. With two seats, what is good for one is as
    /// bad for the other. The drivers clip it to [`super::value::MAX_EVALUATION`].
    fn score(&self, acc: &Self::Acc, position: &G, seat: Seat) -> Value;

    /// The values for all seats, those beyond the last seat 0; where what they have in common costs
    /// much, it can be computed once.
    fn scores(&self, acc: &Self::Acc, position: &G) -> [Value; MAX_SEATS] {
        let mut scores = [0; MAX_SEATS];
        for seat in Seat::all(position.seats()) {
            scores[seat.index()] = self.score(acc, position, seat);
        }
        scores
    }

    /// What the end of a game is worth to `seat` where values are weighed or compared by seat
    /// ([`super::maxn`]): by default the share of the first place, from `-WIN` to `WIN`.
    fn outcome_score(&self, outcome: &Outcome, seat: Seat) -> f64 {
        f64::from(WIN) * (2.0 * outcome.share(seat) - 1.0)
    }
}

/// What helps a driver to search a game. Every hook has a default that says nothing, so that
/// `impl SearchHints<MyGame> for MyEvaluation {}` makes a complete and sound search.
pub trait SearchHints<G: Game>: Evaluate<G> {
    /// A short name of a move: equal moves have equal tags, and the moves of one position should
    /// have different ones. The table keeps it instead of the move.
    fn tag(&self, m: &G::Move) -> u16 {
        hashed_tag(m)
    }

    /// The legal move of a position with a tag, where it is found without listing them. A search
    /// that knows it can try the table's move before it lists the others.
    fn move_of_tag(&self, position: &G, tag: u16) -> Option<G::Move> {
        let _ = (position, tag);
        None
    }

    /// The legal move of a position that changes its key by `difference` (exclusive or), where that
    /// is found without listing the moves. With it, the search sees draws by repetition that the
    /// table's value of a position knows nothing of. For games in which a repetition is a draw.
    fn upcoming_repetition(&self, position: &G, difference: u64) -> Option<G::Move> {
        let _ = (position, difference);
        None
    }

    /// The slot of a move in the history of what moves were good: by piece and target, say.
    fn history_slot(&self, position: &G, m: &G::Move) -> u16 {
        let _ = position;
        self.tag(m)
    }

    /// How the moves of one position should be ordered before anything is known of them. `hints`
    /// is as long as `moves` and comes filled with [`MoveHint::QUIET`].
    fn hint_moves(&self, position: &G, moves: &[G::Move], hints: &mut [MoveHint]) {
        let _ = (position, moves, hints);
    }

    /// The same for one move.
    fn hint_move(&self, position: &G, m: &G::Move) -> MoveHint {
        let mut hint = [MoveHint::QUIET];
        self.hint_moves(position, std::slice::from_ref(m), &mut hint);
        hint[0]
    }

    /// Staged move generation: visits the legal moves of one kind, each with its hint, and returns
    /// `true`; both kinds together are all legal moves. The search then lists quiet moves only where
    /// no noisy move was good enough. `false`: all moves are listed at once and passed to
    /// [`SearchHints::hint_moves`].
    #[inline]
    fn for_each_of_kind(
        &self,
        position: &G,
        kind: MoveKind,
        visit: impl FnMut(G::Move, MoveHint),
    ) -> bool
    where
        Self: Sized,
    {
        let _ = (position, kind, visit);
        false
    }

    /// Whether the seat to move must answer a threat and has few answers, as in check: such
    /// positions are searched deeper, the moves that lead to them are not reduced, and none of the
    /// answers is pruned.
    fn is_forced(&self, position: &G) -> bool {
        let _ = position;
        false
    }

    /// The position with the turn given away, where that is hardly ever better than every move;
    /// `None` where it may be, or where the game has no such thing. The accumulator of the position
    /// must hold for it too.
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

/// The two kinds of moves that staged move generation lists one after the other.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum MoveKind {
    /// Moves of a priority above 0.
    Noisy,
    /// All other moves; their priority is 0.
    Quiet,
}

/// What is known of a position without search.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct KnownValue {
    /// The value for the seat to move.
    pub score: Score,
    /// Whether it is the value, or a bound of it.
    pub bound: Bound,
}

/// How the search goes on below its last full ply.
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

/// A tag for any move: a hash that is equal on every machine of one byte order.
pub fn hashed_tag<M: Hash>(m: &M) -> u16 {
    let mut hasher = Fold(0);
    m.hash(&mut hasher);
    (hasher.finish() >> 48) as u16
}

/// Multiply and fold, as FxHash does: good enough to tell the moves of one position apart.
struct Fold(u64);

impl Fold {
    fn add(&mut self, word: u64) {
        self.0 = (self.0.rotate_left(5) ^ word).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    }
}

impl Hasher for Fold {
    fn write(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.add(u64::from(*byte));
        }
    }
    fn write_u8(&mut self, word: u8) {
        self.add(u64::from(word));
    }
    fn write_u16(&mut self, word: u16) {
        self.add(u64::from(word));
    }
    fn write_u32(&mut self, word: u32) {
        self.add(u64::from(word));
    }
    fn write_u64(&mut self, word: u64) {
        self.add(word);
    }
    fn write_usize(&mut self, word: usize) {
        self.add(word as u64);
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
