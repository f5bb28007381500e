//! Players by rules: the play whose immediate result is best, without search.

use super::heuristic::worth;
use crate::game::{Game, Random, Situation};
use crate::games::chowka_bhara::rules::{Move, Position};
use crate::search::{Choice, Info, Player, Report, Request, Score};

/// What a player by rules looks for in a play.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Goal {
    /// The most steps, with those that hits take from the others; else move the furthest.
    Steps,
    /// Hit as many as possible, else move the furthest.
    Hits,
    /// Progress and little exposure, and the opposite for the others.
    Careful,
}

/// Takes the play whose immediate result is best; among equals a random one.
pub(super) struct RulePlayer {
    goal: Goal,
    random: Random,
}

impl RulePlayer {
    /// A player whose choices among equals follow from the seed.
    pub(super) fn new(goal: Goal, seed: u64) -> Self {
        RulePlayer { goal, random: Random::new(seed) }
    }
}

/// How good a play from `before` to `after` is; compared part by part.
fn preference(goal: Goal, before: &Position, after: &Position) -> [f64; 2] {
    let side = before.side();
    if after.is_home(side) {
        return [f64::INFINITY, 0.0];
    }
    let furthest = || {
        // Squares, so that one pawn ahead counts for more than the same steps shared.
        let square = |index: &u8| f64::from(*index) * f64::from(*index);
        after.pawns(side).iter().map(square).sum()
    };
    let others = || before.sides().iter().filter(|other| **other != side);
    let taken = |lost: fn(&u8) -> f64| {
        let sum = |position: &Position| -> f64 {
            others().flat_map(|other| position.pawns(*other)).map(lost).sum()
        };
        sum(before) - sum(after)
    };
    match goal {
        Goal::Steps => {
            let steps = |position: &Position| -> f64 {
                position.pawns(side).iter().map(|index| f64::from(*index)).sum()
            };
            [steps(after) - steps(before) + taken(|index| f64::from(*index)), furthest()]
        }
        Goal::Hits => [taken(|index| f64::from(u8::from(*index > 0))), furthest()],
        Goal::Careful => {
            let rivals: f64 = others().map(|other| worth(after, *other)).sum();
            let count = others().count().max(1) as f64;
            [worth(after, side) - rivals / count, furthest()]
        }
    }
}

impl Player<Position> for RulePlayer {
    fn choose(
        &mut self,
        situation: &Situation<Position>,
        request: &Request<Move>,
        report: &mut dyn FnMut(Report<Move>),
    ) -> Option<Choice<Move>> {
        situation.seat()?;
        let position = situation.position();
        let all = position.moves();
        let nodes = all.len() as u64;
        let allowed = all.iter().any(|m| request.allows(m));
        let mut best = None;
        let mut equals = 0;
        for m in all.into_iter().filter(|m| !allowed || request.allows(m)) {
            let mut next = position.clone();
            next.play(&m);
            let preference = preference(self.goal, position, &next);
            let (better, equal) = match &best {
                None => (true, false),
                Some((known, _)) => (preference > *known, preference == *known),
            };
            equals = if better { 1 } else { equals + u64::from(equal) };
            if better || equal && self.random.below(equals) == 0 {
                best = Some((preference, m));
            }
        }
        let (_, best) = best?;
        let mut info = Info::new(1, Score::Cp(0), vec![best]);
        info.nodes = nodes;
        info.time = request.control.elapsed();
        report(Report::Info(info));
        Some(Choice { best, ponder: None })
    }
}
