//! Max^n for any number of seats, with expectation at chance nodes: the reference for games of
//! three and more seats and of dice. With two seats and dice it is plain expectimax.
//!
//! Every seat takes the move that is best for itself, the first of equal moves; no seats are assumed
//! to be allied. Every move is searched to the same [`Depth`].

use std::ops::ControlFlow;

use super::control::{Control, Limits};
use super::deepening::{DepthResult, FixedDepthSearch, IterativeDeepening, Monitor};
use super::dice::{Depth, THROW_LIMIT};
use super::evaluate::Evaluate;
use super::player::{Choice, Player, Report, Request};
use super::repetition::Line;
use super::value::{MAX_PLY, Value, clip, score};
use crate::game::{Chance, Chances, MAX_SEATS, Outcome, Seat, Situation, Turn};

/// A value for every seat.
pub type Values = [f64; MAX_SEATS];

/// The value of a situation for every seat, searched to a fixed depth.
pub fn maxn<G: Chance, E: Evaluate<G>>(
    situation: &Situation<G>,
    evaluator: E,
    depth: Depth,
) -> Values {
    let mut search = MaxN::new(evaluator, depth.throws);
    search.line.restart(situation);
    let (limits, control) = (Limits::default(), Control::default());
    let mut monitor = Monitor::new(&limits, &control);
    let position = situation.position();
    if let Some(outcome) = situation.outcome() {
        return search.finished(position, &outcome);
    }
    let acc = search.evaluator.fresh(position);
    search.values(position, &acc, depth, &mut monitor).unwrap_or_default()
}

/// The players `maxn` and `expectimax`: max^n by iterative deepening, without a table.
pub struct MaxNPlayer<E>(IterativeDeepening<MaxN<E>>);

impl<E> MaxNPlayer<E> {
    /// A player with this evaluation.
    pub fn new(evaluator: E) -> Self {
        MaxNPlayer(IterativeDeepening {
            search: MaxN::new(evaluator, THROW_LIMIT),
            deepest: MAX_PLY as u32,
        })
    }
}

impl<G: Chance, E: Evaluate<G>> Player<G> for MaxNPlayer<E> {
    fn choose(
        &mut self,
        situation: &Situation<G>,
        request: &Request<G::Move>,
        report: &mut dyn FnMut(Report<G::Move>),
    ) -> Option<Choice<G::Move>> {
        self.0.choose(situation, request, report)
    }
}

struct MaxN<E> {
    evaluator: E,
    line: Line,
    throw_limit: u32,
}

impl<E> MaxN<E> {
    fn new(evaluator: E, throw_limit: u32) -> Self {
        MaxN { evaluator, line: Line::default(), throw_limit }
    }

    fn finished<G: Chance>(&self, position: &G, outcome: &Outcome) -> Values
    where
        E: Evaluate<G>,
    {
        let mut values = Values::default();
        for seat in Seat::all(position.seats()) {
            values[seat.index()] = self.evaluator.outcome_score(outcome, seat);
        }
        values
    }

    fn evaluated<G: Chance>(&self, position: &G, acc: &E::Acc) -> Values
    where
        E: Evaluate<G>,
    {
        self.evaluator.scores(acc, position).map(|score| f64::from(clip(score)))
    }

    /// The values of an unfinished position; `None` if the search was stopped.
    fn values<G: Chance>(
        &mut self,
        position: &G,
        acc: &E::Acc,
        depth: Depth,
        monitor: &mut Monitor<'_>,
    ) -> Option<Values>
    where
        E: Evaluate<G>,
    {
        match position.turn() {
            Turn::Seat(seat) if depth.moves > 0 => {
                let depth = Depth { moves: depth.moves - 1, throws: self.throw_limit, ..depth };
                self.best_move(position, acc, seat, depth, monitor)
            }
            Turn::Chance { .. } if depth.moves > 0 && depth.throws > 0 => {
                let depth = Depth { throws: depth.throws - 1, ..depth };
                self.expectation(position, acc, depth, monitor)
            }
            _ => Some(self.evaluated(position, acc)),
        }
    }

    fn best_move<G: Chance>(
        &mut self,
        position: &G,
        acc: &E::Acc,
        seat: Seat,
        depth: Depth,
        monitor: &mut Monitor<'_>,
    ) -> Option<Values>
    where
        E: Evaluate<G>,
    {
        let mut best: Option<Values> = None;
        let stopped = position.for_each_move(|m| {
            let Some(values) = self.after(position, acc, &m, depth, monitor) else {
                return ControlFlow::Break(());
            };
            if best.is_none_or(|best| values[seat.index()] > best[seat.index()]) {
                best = Some(values);
            }
            ControlFlow::Continue(())
        });
        if stopped.is_break() { None } else { best }
    }

    fn expectation<G: Chance>(
        &mut self,
        position: &G,
        acc: &E::Acc,
        depth: Depth,
        monitor: &mut Monitor<'_>,
    ) -> Option<Values>
    where
        E: Evaluate<G>,
    {
        let Chances::Listed(outcomes) = position.chances() else {
            return Some(self.evaluated(position, acc));
        };
        let total: u64 = outcomes.iter().map(|(_, weight)| weight).sum();
        let mut mean = Values::default();
        for (m, weight) in outcomes {
            let values = self.after(position, acc, &m, depth, monitor)?;
            for (sum, value) in mean.iter_mut().zip(values) {
                *sum += value * weight as f64;
            }
        }
        Some(mean.map(|sum| sum / total as f64))
    }

    /// The values after one move.
    fn after<G: Chance>(
        &mut self,
        position: &G,
        acc: &E::Acc,
        m: &G::Move,
        depth: Depth,
        monitor: &mut Monitor<'_>,
    ) -> Option<Values>
    where
        E: Evaluate<G>,
    {
        if !monitor.count() {
            return None;
        }
        let mut next = position.clone();
        next.play(m);
        if let Some(outcome) = next.outcome().or_else(|| self.line.end(&next)) {
            return Some(self.finished(&next, &outcome));
        }
        let acc = self.evaluator.updated(acc, position, m, &next);
        self.line.push(next.key());
        let values = self.values(&next, &acc, depth, monitor);
        self.line.pop();
        values
    }
}

impl<G: Chance, E: Evaluate<G>> FixedDepthSearch<G> for MaxN<E> {
    fn restart(&mut self, situation: &Situation<G>) {
        self.line.restart(situation);
    }

    fn search(
        &mut self,
        position: &G,
        moves: &[G::Move],
        depth: u32,
        monitor: &mut Monitor<'_>,
    ) -> Option<DepthResult<G::Move>> {
        let seat = position.turn().seat()?;
        let acc = self.evaluator.fresh(position);
        let depth = Depth::new(depth - 1, self.throw_limit);
        let mut best: Option<(f64, &G::Move)> = None;
        for m in moves {
            let Some(values) = self.after(position, &acc, m, depth, monitor) else {
                break;
            };
            let value = values[seat.index()];
            if best.is_none_or(|(best, _)| value > best) {
                best = Some((value, m));
            }
        }
        let (value, m) = best?;
        let score = score(clip(value.round() as Value));
        Some(DepthResult { score, pv: vec![m.clone()] })
    }
}
