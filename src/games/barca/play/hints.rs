//! Hints to the search: move ordering, forced positions, wins in one move.

use std::ops::ControlFlow;

use super::evaluation::Evaluation;
use super::upcoming_repetition::upcoming_repetition;
use crate::game::Game;
use crate::games::barca::rules::{HOLE_SET, Kind, Move, NO_SQUARE, Position, SquareSet, at};
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

impl<E: Evaluation> SearchHints<Position> for E {
    fn tag(&self, m: &Move) -> u16 {
        u16::from(m.from) << 7 | u16::from(m.to)
    }

    fn move_of_tag(&self, position: &Position, tag: u16) -> Option<Move> {
        let m = Move { from: (tag >> 7) as u8, to: tag as u8 & 127 };
        position.is_legal(&m).then_some(m)
    }

    fn upcoming_repetition(&self, position: &Position, difference: u64) -> Option<Move> {
        upcoming_repetition(position, difference)
    }

    fn history_slot(&self, position: &Position, m: &Move) -> u16 {
        let _ = position;
        self.tag(m)
    }

    fn hint_moves(&self, position: &Position, moves: &[Move], hints: &mut [MoveHint]) {
        let scares = ScareSquares::new(position);
        // Moves of one animal come together.
        let mut from = NO_SQUARE;
        let mut animal = AnimalHints::default();
        for (m, hint) in moves.iter().zip(hints) {
            if m.from != from {
                from = m.from;
                animal = scares.of_animal(position, from);
            }
            *hint = animal.hint(m.to);
        }
    }

    fn hint_move(&self, position: &Position, m: &Move) -> MoveHint {
        ScareSquares::new(position).of_animal(position, m.from).hint(m.to)
    }

    #[inline]
    fn for_each_of_kind(
        &self,
        position: &Position,
        kind: MoveKind,
        visit: impl FnMut(Move, MoveHint),
    ) -> bool {
        position.for_each_of_kind(kind, visit);
        true
    }

    fn is_forced(&self, position: &Position) -> bool {
        !position.afraid(position.side()).is_empty()
    }

    fn null_move(&self, position: &Position) -> Option<Position> {
        let side = position.side();
        let quiet = position.afraid(side).is_empty() && position.held(side ^ 1) < 2;
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
        /// Visits the noisy or the quiet moves, each with its hint.
        fn for_each_of_kind / kind_fast = list_kind(
            &self, kind: MoveKind, visit: impl FnMut(Move, MoveHint)
        )
    }

    #[inline(always)]
    fn list_kind(&self, kind: MoveKind, mut visit: impl FnMut(Move, MoveHint)) {
        let scares = ScareSquares::new(self);
        let _ = self.for_each_animal::<()>(|slot, from, targets| {
            let animal = scares.of_kind(slot / 2, from);
            let noisy = animal.scare_holder | animal.scare | HOLE_SET.0;
            match kind {
                MoveKind::Noisy => {
                    for to in SquareSet(targets.0 & noisy) {
                        visit(Move { from, to }, animal.hint(to));
                    }
                }
                MoveKind::Quiet => {
                    for to in SquareSet(targets.0 & !noisy) {
                        visit(Move { from, to }, MoveHint { priority: 0, bonus: animal.bonus });
                    }
                }
            }
            ControlFlow::Continue(())
        });
    }
}

/// The squares from which animals of the side to move scare enemies, by kind.
struct ScareSquares {
    /// Squares that scare an enemy off a hole.
    scare_holder: [u128; 3],
    /// Squares that scare any other enemy.
    scare: [u128; 3],
}

impl ScareSquares {
    #[inline(always)]
    fn new(position: &Position) -> ScareSquares {
        let enemy = position.side() ^ 1;
        let (mut scare_holder, mut scare) = ([0; 3], [0; 3]);
        for kind in Kind::ALL {
            let scarer = kind.feared() as usize;
            for square in position.pair(enemy, kind) {
                let near = at(square).near.0;
                if HOLE_SET.has(square) {
                    scare_holder[scarer] |= near;
                } else {
                    scare[scarer] |= near;
                }
            }
        }
        ScareSquares { scare_holder, scare }
    }

    fn of_animal(&self, position: &Position, from: u8) -> AnimalHints {
        let Some(kind) = position.kind_at(position.side(), from) else {
            return AnimalHints::default();
        };
        self.of_kind(kind as usize, from)
    }

    #[inline(always)]
    fn of_kind(&self, kind: usize, from: u8) -> AnimalHints {
        AnimalHints {
            scare_holder: self.scare_holder[kind],
            scare: self.scare[kind],
            bonus: if HOLE_SET.has(from) { LEAVE } else { 0 },
        }
    }
}

/// The same for one animal, and the history bonus of its moves.
#[derive(Clone, Copy, Default)]
struct AnimalHints {
    scare_holder: u128,
    scare: u128,
    bonus: i16,
}

impl AnimalHints {
    #[inline(always)]
    fn hint(&self, to: u8) -> MoveHint {
        let to = at(to).set.0;
        let priority = if to & self.scare_holder != 0 {
            SCARE_HOLDER
        } else if to & HOLE_SET.0 != 0 {
            ENTER
        } else if to & self.scare != 0 {
            SCARE
        } else {
            0
        };
        MoveHint { priority, bonus: self.bonus }
    }
}

#[cfg(test)]
mod tests {
    use super::super::terms::Terms;
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

    #[test]
    fn the_two_parts_are_all_moves_with_their_hints() {
        let evaluation = Terms::default();
        let (mut noisy, mut quiet) = (0, 0);
        for position in positions() {
            let moves = position.moves();
            let mut hints = vec![MoveHint::QUIET; moves.len()];
            evaluation.hint_moves(&position, &moves, &mut hints);
            let mut expected: Vec<_> = moves.into_iter().zip(hints).collect();
            let mut found = Vec::new();
            assert!(evaluation.for_each_of_kind(&position, MoveKind::Noisy, |m, hint| {
                assert!(hint.priority > 0, "{m} {hint:?}");
                found.push((m, hint));
            }));
            noisy += found.len();
            let before = found.len();
            assert!(evaluation.for_each_of_kind(&position, MoveKind::Quiet, |m, hint| {
                assert_eq!(hint.priority, 0, "{m}");
                found.push((m, hint));
            }));
            quiet += found.len() - before;
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
