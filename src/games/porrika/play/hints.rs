//! Hints to the search: exact values, move ordering, forced replies.

use super::distance::home;
use super::evaluation::Evaluation;
use super::features::reached;
use crate::games::porrika::rules::board::{GOALS, Set, Space, across, spaces};
use crate::games::porrika::rules::{Kind, Move, Phase, Position, Side};
use crate::search::{Bound, KnownValue, MoveHint, Quiescence, Score, SearchHints};

/// The null move is tried only while at least this number of Ser'ra are not locked.
const FREE_SERRA_FOR_NULL_MOVE: u32 = 3;

impl SearchHints<Position> for Evaluation {
    fn tag(&self, m: &Move) -> u16 {
        match *m {
            Move::Walk { from, to } => (from.index() << 7 | to.index()) as u16,
            Move::Pass => 0x4000,
            // Two of the eight bits are set, so the top bit follows from the others.
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
        let context = OrderingContext::new(position);
        for (m, hint) in moves.iter().zip(hints) {
            if let Move::Walk { from, to } = *m {
                *hint = context.hint(from, to);
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
        // With a single free piece zugzwang is likely. Near the end copper makes progress by it: a
        // silver that could pass would seem to hold positions that it loses.
        let zugzwang = movers.count_ones() < 2
            || position.eggs() & GOALS != 0
            || position.unlocked(Kind::Serra).count_ones() < FREE_SERRA_FOR_NULL_MOVE;
        if position.phase() != Phase::Moving || zugzwang || position.must_answer() {
            return None;
        }
        let mut next = *position;
        next.end_turn();
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
        let known = position.egg_run();
        #[cfg(feature = "engine")]
        let known = known.or_else(|| self.tablebases().probe(position));
        known
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
    /// Whether the other side threatens to win with its next move.
    #[inline]
    #[must_use]
    pub fn must_answer(&self) -> bool {
        match self.side() {
            Side::Copper => self.silver_wins_at_once(),
            Side::Silver => self.copper_wins_at_once(),
        }
    }

    /// Whether a Ser'ra could face an egg now.
    #[inline]
    fn silver_wins_at_once(&self) -> bool {
        let targets = across(self.eggs()) & self.landing(Kind::Serra);
        targets != 0 && spaces(self.unlocked(Kind::Serra)).any(|serra| serra.reach() & targets != 0)
    }

    /// Whether the second egg could enter the Por'rika now.
    #[inline]
    fn copper_wins_at_once(&self) -> bool {
        let targets = self.landing(Kind::Egg) & GOALS;
        self.eggs() & GOALS != 0
            && targets != 0
            && self.eggs().count_ones() == 2
            && spaces(self.unlocked(Kind::Egg)).any(|egg| egg.reach() & targets != 0)
    }
}

/// What move ordering needs, computed once per node.
struct OrderingContext {
    side: Side,
    eggs: Set,
    /// The spaces across from free Ser'ra: a Guardian there locks one.
    locks: Set,
    /// The spaces on which a Ser'ra could face an egg next.
    danger: Set,
    /// The spaces across from eggs.
    victims: Set,
}

impl OrderingContext {
    fn new(position: &Position) -> Self {
        let free_serra = position.unlocked(Kind::Serra);
        OrderingContext {
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
