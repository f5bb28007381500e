//! Greedy play: the move with the best evaluation after it.

use super::evaluate::Evaluate;
use super::player::{Choice, Info, Player, Report, Request, Score};
use super::repetition::Line;
use super::value::{clip, outcome_value, score};
use crate::game::{Game, Random, Situation};

/// The player `greedy`: the move after which the evaluation is best for it; of equal moves a random
/// one.
pub struct Greedy<E> {
    evaluator: E,
    random: Random,
}

impl<E> Greedy<E> {
    /// A player with this evaluation, whose choices among equal moves follow from the seed.
    pub fn new(evaluator: E, seed: u64) -> Self {
        Greedy { evaluator, random: Random::new(seed) }
    }
}

impl<G: Game, E: Evaluate<G>> Player<G> for Greedy<E> {
    fn choose(
        &mut self,
        situation: &Situation<G>,
        request: &Request<G::Move>,
        report: &mut dyn FnMut(Report<G::Move>),
    ) -> Option<Choice<G::Move>> {
        let seat = situation.seat()?;
        let position = situation.position();
        let acc = self.evaluator.fresh(position);
        let line = Line::new(situation);
        let mut best: Option<(i32, G::Move)> = None;
        let (mut ties, mut nodes) = (0, 0);
        let all = position.moves();
        let allowed = all.iter().any(|m| request.allows(m));
        for m in all.into_iter().filter(|m| !allowed || request.allows(m)) {
            let mut next = position.clone();
            next.play(&m);
            nodes += 1;
            let value = match next.outcome().or_else(|| line.end(&next)) {
                Some(outcome) => outcome_value(&outcome, seat, 1),
                None => {
                    let acc = self.evaluator.updated(&acc, position, &m, &next);
                    clip(self.evaluator.score(&acc, &next, seat))
                }
            };
            let known = best.as_ref().map(|(known, _)| *known);
            let better = known.is_none_or(|known| value > known);
            let equal = known == Some(value);
            if better {
                ties = 1;
            } else if equal {
                ties += 1;
            }
            if better || equal && self.random.below(ties) == 0 {
                best = Some((value, m));
            }
        }
        let (value, m) = best?;
        let depth = u32::from(request.limits.depth != Some(0));
        let mut info = Info::new(depth, Score::Cp(0), vec![m.clone()]);
        info.score = score(value);
        info.nodes = nodes;
        info.time = request.control.elapsed();
        report(Report::Info(info));
        Some(Choice { best: m, ponder: None })
    }
}
