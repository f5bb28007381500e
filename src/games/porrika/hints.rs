//! What helps the search: what is known at sight, which moves come first, when a side is in check.

use super::board::{GOALS, Set, Space, across, spaces};
use super::distance::home;
use super::evaluation::{Evaluation, reached};
use super::moves::Move;
use super::position::{Kind, Phase, Position, Side};
use crate::search::{Bound, KnownValue, MoveHint, Quiescence, Score, SearchHints};

impl SearchHints<Position> for Evaluation {
    fn tag(&self, m: &Move) -> u16 {
        match *m {
            Move::Walk { from, to } => (from.index() << 7 | to.index()) as u16,
            Move::Pass => 0x4000,
            // Two of eight bits: the top one follows from the others.
            Move::Setup { eggs, guardians } => {
                0x8000 | u16::from(eggs & 0x7f) << 8 | u16::from(guardians)
            }
        }
    }

    fn history_slot(&self, position: &Position, m: &Move) -> u16 {
        match *m {
            Move::Walk { from, to } => {
                let kind = if position.eggs() & from.bit() != 0 { 0 } else { 1 };
                (kind << 7 | to.index()) as u16
            }
            _ => 0,
        }
    }

    fn hint_moves(&self, position: &Position, moves: &[Move], hints: &mut [MoveHint]) {
        let view = View::of(position);
        for (m, hint) in moves.iter().zip(hints) {
            if let Move::Walk { from, to } = *m {
                *hint = view.hint(from, to);
            }
        }
    }

    fn is_forced(&self, position: &Position) -> bool {
        position.phase() == Phase::Moving && position.must_answer()
    }

    fn null_move(&self, position: &Position) -> Option<Position> {
        let movers = match position.side() {
            Side::Copper => position.unlocked(Kind::Guardian),
            Side::Silver => position.unlocked(Kind::Serra),
        };
        // With a single piece left, having to move may be what is wrong.
        if position.phase() != Phase::Moving || movers.count_ones() < 2 || position.must_answer() {
            return None;
        }
        let mut next = *position;
        next.hand_over();
        Some(next)
    }

    fn known_value(&self, position: &Position) -> Option<KnownValue> {
        let at_once = match position.side() {
            Side::Copper => position.copper_wins_at_once(),
            Side::Silver => position.silver_wins_at_once(),
        };
        if at_once && position.phase() == Phase::Moving {
            return Some(KnownValue { score: Score::Mate(1), bound: Bound::Exact });
        }
        position.egg_run().or_else(|| self.shelf().known(position))
    }

    fn quiescence(&self, position: &Position, depth: u32) -> Quiescence {
        if depth < 2 && position.phase() == Phase::Moving && position.must_answer() {
            Quiescence::All
        } else {
            Quiescence::Static
        }
    }
}

impl Position {
    /// Whether the other side would win at once if it had the move.
    #[inline]
    pub(super) fn must_answer(&self) -> bool {
        match self.side() {
            Side::Copper => self.silver_wins_at_once(),
            Side::Silver => self.copper_wins_at_once(),
        }
    }

    /// Whether a Ser'ra could face an egg now.
    #[inline]
    pub(super) fn silver_wins_at_once(&self) -> bool {
        let targets = across(self.eggs()) & self.landing(Kind::Serra);
        targets != 0 && spaces(self.unlocked(Kind::Serra)).any(|serra| serra.reach() & targets != 0)
    }

    /// Whether the last egg could go home now.
    #[inline]
    pub(super) fn copper_wins_at_once(&self) -> bool {
        let targets = self.landing(Kind::Egg) & GOALS;
        self.eggs() & GOALS != 0
            && targets != 0
            && self.eggs().count_ones() == 2
            && spaces(self.unlocked(Kind::Egg)).any(|egg| egg.reach() & targets != 0)
    }
}

/// What the order of moves looks at, computed once a node.
struct View {
    side: Side,
    eggs: Set,
    /// From where a free piece of the enemy's could be faced, and locked.
    locks: Set,
    /// Where an egg could be faced.
    danger: Set,
    /// The spaces across from eggs.
    victims: Set,
}

impl View {
    fn of(position: &Position) -> Self {
        let free_serra = position.unlocked(Kind::Serra);
        View {
            side: position.side(),
            eggs: position.eggs(),
            locks: across(free_serra),
            danger: across(reached(free_serra)),
            victims: across(position.eggs() & !GOALS),
        }
    }

    fn hint(&self, from: Space, to: Space) -> MoveHint {
        match self.side {
            Side::Copper if self.eggs & from.bit() != 0 => self.hint_egg(from, to),
            Side::Copper if self.locks & to.bit() != 0 => MoveHint { priority: 1, bonus: 0 },
            Side::Silver if to.reach() & self.victims != 0 => {
                MoveHint { priority: 0, bonus: 3_000 }
            }
            _ => MoveHint::QUIET,
        }
    }

    fn hint_egg(&self, from: Space, to: Space) -> MoveHint {
        if GOALS & to.bit() != 0 {
            return MoveHint { priority: 2, bonus: 0 };
        }
        let gain = i16::from(home(from) as i8) - i16::from(home(to) as i8);
        let hanging = self.danger & to.bit() != 0;
        MoveHint { priority: if hanging { -1 } else { 0 }, bonus: gain * 1_000 }
    }
}
