//! Hints to the search: move ordering, forced positions, wins in one move.

use super::network::Network;
use super::upcoming_repetition::upcoming_repetition;
use crate::game::Game;
use crate::games::barca::rules::{
    HOLE_SET, Kind, Move, NO_SQUARE, Position, SquareSet, Targets, at,
};
use crate::machine::dispatched;
use crate::search::{Bound, KnownValue, MoveHint, MoveKind, Quiescence, Score, SearchHints};

/// A move that scares an animal off a hole, or out of two.
const SCARE_HOLDER: i8 = 3;
/// A move onto a hole.
const ENTER: i8 = 2;
/// A move that scares an animal elsewhere.
const SCARE: i8 = 1;
/// The history bonus of a move that gives up a hole.
const LEAVE: i16 = -4_000;

/// The depth at which quiescence search ends.
const QUIESCENCE: u32 = 4;

/// Whether the search takes a move for noisy.
pub(super) fn is_noisy(position: &Position, m: &Move) -> bool {
    AnimalHints::new(position, m.from).hint(m.to).priority > 0
}

impl SearchHints<Position> for Network {
    fn tag(&self, m: &Move) -> u16 {
        u16::from(m.from) << 7 | u16::from(m.to)
    }

    fn move_of_tag(&self, position: &Position, tag: u16) -> Option<Move> {
        let m = move_of(tag);
        position.is_legal(&m).then_some(m)
    }

    #[inline]
    fn key_after(&self, position: &Position, tag: u16) -> Option<u64> {
        Some(position.key_after(move_of(tag)))
    }

    fn upcoming_repetition(&self, position: &Position, difference: u64) -> Option<Move> {
        upcoming_repetition(position, difference)
    }

    fn history_slot(&self, position: &Position, m: &Move) -> u16 {
        let _ = position;
        self.tag(m)
    }

    fn hint_moves(&self, position: &Position, moves: &[Move], hints: &mut [MoveHint]) {
        // Moves of one animal come together.
        let mut from = NO_SQUARE;
        let mut animal = AnimalHints::default();
        for (m, hint) in moves.iter().zip(hints) {
            if m.from != from {
                from = m.from;
                animal = AnimalHints::new(position, from);
            }
            *hint = animal.hint(m.to);
        }
    }

    fn hint_move(&self, position: &Position, m: &Move) -> MoveHint {
        AnimalHints::new(position, m.from).hint(m.to)
    }

    #[inline]
    fn fold_kind<T>(
        &self,
        position: &Position,
        kind: MoveKind,
        skipped: &[u16],
        start: T,
        visit: impl FnMut(T, Move, MoveHint) -> T,
    ) -> Option<T> {
        if kind == MoveKind::Last {
            return Some(start);
        }
        Some(position.fold_kind(kind, skipped, start, visit))
    }

    fn is_forced(&self, position: &Position) -> bool {
        position.is_afraid()
    }

    fn null_move(&self, position: &Position) -> Option<Position> {
        let side = position.side();
        let quiet = !position.is_afraid() && position.held(side ^ 1) < 2;
        quiet.then(|| position.passed())
    }

    fn known_value(&self, position: &Position) -> Option<KnownValue> {
        position.wins_at_once().then_some(KnownValue { score: Score::Mate(1), bound: Bound::Exact })
    }

    fn quiescence(&self, position: &Position, depth: u32) -> Quiescence {
        let threatened = depth < QUIESCENCE && position.held(position.side() ^ 1) == 2;
        if threatened && position.passed().wins_at_once() {
            Quiescence::All
        } else {
            Quiescence::Static
        }
    }
}

impl Position {
    dispatched! {
        /// Folds over the noisy or the quiet moves but some, each with its hint.
        fn fold_kind<T> / fold_kind_fast = list_kind(
            &self,
            kind: MoveKind,
            skipped: &[u16],
            start: T,
            visit: impl FnMut(T, Move, MoveHint) -> T
        ) -> T
    }

    #[inline(always)]
    fn list_kind<T>(
        &self,
        kind: MoveKind,
        skipped: &[u16],
        start: T,
        mut visit: impl FnMut(T, Move, MoveHint) -> T,
    ) -> T {
        let mut folded = start;
        let scares = Kind::ALL.map(|kind| ScareSquares::new(self, kind));
        for Targets { slot, from, squares } in self.targets() {
            let animal = AnimalHints { scares: scares[slot / 2], bonus: bonus_from(from) };
            let mut targets = squares;
            for tag in skipped {
                let m = move_of(*tag);
                if m.from == from {
                    targets = targets & !at(m.to).set;
                }
            }
            let noisy = animal.scares.holder | animal.scares.other | HOLE_SET;
            match kind {
                MoveKind::Noisy => {
                    folded = (targets & noisy).fold(folded, |folded, to| {
                        visit(folded, Move { from, to }, animal.hint(to))
                    });
                }
                MoveKind::Quiet => {
                    let hint = MoveHint { priority: 0, bonus: animal.bonus };
                    folded = (targets & !noisy)
                        .fold(folded, |folded, to| visit(folded, Move { from, to }, hint));
                }
                MoveKind::Last => {}
            }
        }
        folded
    }
}

/// The move with a tag, legal or not.
#[inline(always)]
fn move_of(tag: u16) -> Move {
    Move { from: (tag >> 7) as u8, to: tag as u8 & 127 }
}

/// The squares from which an animal of the side to move scares enemies.
#[derive(Clone, Copy, Default)]
struct ScareSquares {
    /// Squares that scare an enemy off a hole.
    holder: SquareSet,
    /// Squares that scare any other enemy.
    other: SquareSet,
}

impl ScareSquares {
    /// For an animal of a kind.
    #[inline(always)]
    fn new(position: &Position, kind: Kind) -> ScareSquares {
        let mut squares = ScareSquares::default();
        for square in position.pair(position.side() ^ 1, kind.scared()) {
            let of = at(square);
            let holds = SquareSet(u128::from(of.holes).wrapping_neg());
            squares.holder |= of.near & holds;
            squares.other |= of.near & !holds;
        }
        squares
    }
}

/// The history bonus of the moves from a square.
#[inline(always)]
fn bonus_from(square: u8) -> i16 {
    i16::from(at(square).holes) * LEAVE
}

/// What the hints of one animal's moves depend on.
#[derive(Clone, Copy, Default)]
struct AnimalHints {
    scares: ScareSquares,
    bonus: i16,
}

impl AnimalHints {
    /// For the animal of the side to move on a square.
    fn new(position: &Position, from: u8) -> AnimalHints {
        let kind = position.kind_at(position.side(), from);
        kind.map_or_else(AnimalHints::default, |kind| AnimalHints {
            scares: ScareSquares::new(position, kind),
            bonus: bonus_from(from),
        })
    }

    #[inline(always)]
    fn hint(&self, to: u8) -> MoveHint {
        let to = at(to).set;
        let priority = if !(to & self.scares.holder).is_empty() {
            SCARE_HOLDER
        } else if !(to & HOLE_SET).is_empty() {
            ENTER
        } else if !(to & self.scares.other).is_empty() {
            SCARE
        } else {
            0
        };
        MoveHint { priority, bonus: self.bonus }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::{Random, Situation};

    /// Every position of some random games, with and without forced escapes.
    fn positions() -> Vec<Position> {
        let mut positions = Vec::new();
        for seed in 1..40 {
            let mut situation = Situation::new(Position::default());
            let mut random = Random::new(seed);
            for _ in 0..80 {
                let Some(m) = situation.position().random_move(&mut random) else { break };
                situation.play(&m);
                positions.push(*situation.position());
            }
        }
        positions
    }

    /// Whether the side to move has a move that wins.
    fn can_win(position: &Position) -> bool {
        position.moves().iter().any(|m| {
            let mut next = *position;
            next.play(m);
            next.winner() == Some(position.side())
        })
    }

    #[test]
    fn quiescence_looks_on_where_the_opponent_threatens_to_win() {
        let evaluation = Network::default();
        let mut threats = 0;
        for position in positions() {
            let threat = can_win(&position.passed());
            let expected = if threat { Quiescence::All } else { Quiescence::Static };
            assert_eq!(evaluation.quiescence(&position, 0), expected, "{position}");
            assert_eq!(evaluation.quiescence(&position, QUIESCENCE), Quiescence::Static);
            threats += u32::from(threat);
        }
        assert!(threats > 20, "{threats}");
    }

    #[test]
    fn the_two_parts_are_all_moves_with_their_hints() {
        let evaluation = Network::default();
        let (mut noisy, mut quiet) = (0, 0);
        for position in positions() {
            let moves = position.moves();
            let mut hints = vec![MoveHint::QUIET; moves.len()];
            evaluation.hint_moves(&position, &moves, &mut hints);
            let mut expected: Vec<_> = moves.into_iter().zip(hints).collect();
            let of_kind = |kind, skipped: &[u16]| {
                let all = evaluation.fold_kind(
                    &position,
                    kind,
                    skipped,
                    Vec::new(),
                    |mut all, m, hint| {
                        all.push((m, hint));
                        all
                    },
                );
                all.unwrap_or_default()
            };
            let mut found = of_kind(MoveKind::Noisy, &[]);
            assert!(found.iter().all(|(_, hint)| hint.priority > 0), "{found:?}");
            noisy += found.len();
            let rest = of_kind(MoveKind::Quiet, &[]);
            assert!(rest.iter().all(|(_, hint)| hint.priority == 0), "{rest:?}");
            quiet += rest.len();
            if let [first, .., last] = rest[..] {
                let skipped = [0, evaluation.tag(&last.0), evaluation.tag(&first.0)];
                assert_eq!(of_kind(MoveKind::Quiet, &skipped), rest[1..rest.len() - 1]);
            }
            found.extend(rest);
            for (m, hint) in &expected {
                assert_eq!(evaluation.hint_move(&position, m), *hint, "{m}");
            }
            expected.sort_unstable();
            found.sort_unstable();
            assert_eq!(found, expected, "{}", position);
        }
        assert!(noisy > 10_000 && quiet > 50_000, "{noisy} {quiet}");
    }
}
