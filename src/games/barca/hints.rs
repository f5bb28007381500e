//! What helps a search to play Barca: which moves to look at first, what needs an answer, when the
//! game is decided by the next move.

use std::ops::ControlFlow;

use super::evaluate::Terms;
use super::moves::Move;
use super::network::Network;
use super::position::Position;
use super::returns::upcoming_repetition;
use super::square::{HOLE_SET, Kind, NOWHERE, Set};
use super::tables::at;
use crate::game::Game;
use crate::machine::dispatched;
use crate::search::{
    Bound, Evaluate, KnownValue, MoveHint, MoveKind, Quiescence, Score, SearchHints,
};

/// A move that scares an animal off a hole, or out of two.
const SCARE_HOLDER: i8 = 3;
/// A move onto a hole.
const ENTER: i8 = 2;
/// A move that scares an animal elsewhere.
const SCARE: i8 = 1;
/// Added to the history of a move that gives up a hole.
const LEAVE: i16 = -4_000;

/// Quiescence ends at this depth, whatever is threatened.
const QUIESCENCE: u32 = 4;

/// An evaluation of Barca: the hints are the same whatever it says.
pub trait Judge: Evaluate<Position> {}

impl Judge for Terms {}

impl Judge for Network {}

impl<J: Judge> SearchHints<Position> for J {
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
        let aims = Aims::new(position);
        // Moves of one animal come together.
        let mut from = NOWHERE;
        let mut mover = Mover::default();
        for (m, hint) in moves.iter().zip(hints) {
            if m.from != from {
                from = m.from;
                mover = aims.mover(position, from);
            }
            *hint = mover.hint(m.to);
        }
    }

    fn hint_move(&self, position: &Position, m: &Move) -> MoveHint {
        Aims::new(position).mover(position, m.from).hint(m.to)
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
        /// Visits the moves of one part, each with its hint.
        fn for_each_of_kind / kind_fast = list_kind(&self, kind: MoveKind, visit: impl FnMut(Move, MoveHint))
    }

    #[inline(always)]
    fn list_kind(&self, kind: MoveKind, mut visit: impl FnMut(Move, MoveHint)) {
        let aims = Aims::new(self);
        let _ = self.for_each_animal::<()>(|slot, from, targets| {
            let mover = aims.mover_of(slot / 2, from);
            let loud = mover.scare_holder | mover.scare | HOLE_SET.0;
            match kind {
                MoveKind::Noisy => {
                    for to in Set(targets.0 & loud) {
                        visit(Move { from, to }, mover.hint(to));
                    }
                }
                MoveKind::Quiet => {
                    for to in Set(targets.0 & !loud) {
                        visit(Move { from, to }, MoveHint { priority: 0, bonus: mover.bonus });
                    }
                }
            }
            ControlFlow::Continue(())
        });
    }

    /// Whether the side to move takes a third hole with its next move.
    #[inline]
    pub(super) fn wins_at_once(&self) -> bool {
        self.held(self.side()) == 2 && self.can_enter_hole()
    }
}

/// What the moves of one position may aim at.
struct Aims {
    /// Where an animal of each kind scares an enemy that holds a hole.
    scare_holder: [u128; 3],
    /// Where it scares any other.
    scare: [u128; 3],
}

impl Aims {
    #[inline(always)]
    fn new(position: &Position) -> Aims {
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
        Aims { scare_holder, scare }
    }

    fn mover(&self, position: &Position, from: u8) -> Mover {
        let Some(kind) = position.kind_at(position.side(), from) else {
            return Mover::default();
        };
        self.mover_of(kind as usize, from)
    }

    #[inline(always)]
    fn mover_of(&self, kind: usize, from: u8) -> Mover {
        Mover {
            scare_holder: self.scare_holder[kind],
            scare: self.scare[kind],
            bonus: if HOLE_SET.has(from) { LEAVE } else { 0 },
        }
    }
}

/// What the moves of one animal may aim at.
#[derive(Clone, Copy, Default)]
struct Mover {
    scare_holder: u128,
    scare: u128,
    bonus: i16,
}

impl Mover {
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
    use super::*;
    use crate::game::{Notation, Random, Rules, Situation};
    use crate::games::barca::START;

    /// Every position of some random games, calm ones and forced ones.
    fn positions() -> Vec<Position> {
        let mut positions = Vec::new();
        for seed in 1..40 {
            let rules = Position::default_rules();
            let start = Position::parse(START, &rules, None).expect("the start");
            let (mut random, mut situation) = (Random::new(seed), Situation::new(start));
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
        let (mut loud, mut quiet) = (0, 0);
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
            loud += found.len();
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
            assert_eq!(found, expected, "{}", position.to_string());
        }
        assert!(loud > 10_000 && quiet > 50_000, "{loud} {quiet}");
    }
}
