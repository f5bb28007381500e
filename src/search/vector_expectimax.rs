//! Expectimax with a value for every seat, for three and more seats and dice, with a transposition
//! table.
//!
//! Every seat takes the move that is best for itself, the first of equal moves. Nothing is pruned, so
//! that the values are those of [`super::maxn::maxn`].

use std::ops::ControlFlow;

use super::control::Limits;
use super::deepening::Monitor;
use super::dice::{Depth, DicePlayer, DiceSearch, ExactTable, Root, THROW_LIMIT};
use super::evaluate::Evaluate;
use super::player::Bound;
use crate::game::{Chance, Chances, MAX_SEATS, Outcome, Seat, Turn};
use crate::search::Control;
use crate::search::value::clip;

type Values = [f64; MAX_SEATS];

/// The player for any number of seats and dice.
pub type VectorExpectimaxPlayer<E> = DicePlayer<VectorExpectimax<E>>;

impl<E> VectorExpectimaxPlayer<E> {
    /// A player with this evaluation and a table of `hash` MiB.
    pub fn new(evaluator: E, hash: usize) -> Self {
        DicePlayer(VectorExpectimax {
            evaluator,
            table: ExactTable::new(hash),
            throw_limit: THROW_LIMIT,
        })
    }
}

/// The values of a position for every seat, searched to a fixed depth.
pub fn vector_expectimax<G: Chance, E: Evaluate<G>>(
    position: &G,
    evaluator: E,
    depth: Depth,
    hash: usize,
) -> Values {
    let mut search =
        VectorExpectimax { evaluator, table: ExactTable::new(hash), throw_limit: depth.throws };
    let (limits, control) = (Limits::default(), Control::default());
    let mut monitor = Monitor::new(&limits, &control);
    match position.outcome() {
        Some(outcome) => search.finished(position, &outcome),
        None => search.values(position, depth, &mut monitor),
    }
}

/// The search of [`VectorExpectimaxPlayer`].
pub struct VectorExpectimax<E> {
    evaluator: E,
    table: ExactTable<Values>,
    throw_limit: u32,
}

impl<E> VectorExpectimax<E> {
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

    fn evaluated<G: Chance>(&self, position: &G) -> Values
    where
        E: Evaluate<G>,
    {
        let acc = self.evaluator.fresh(position);
        self.evaluator.scores(&acc, position).map(|score| f64::from(clip(score)))
    }

    /// The values of an unfinished position; void if the search was stopped.
    fn values<G: Chance>(&mut self, position: &G, depth: Depth, monitor: &mut Monitor<'_>) -> Values
    where
        E: Evaluate<G>,
    {
        let turn = position.turn();
        if depth.moves == 0 || turn.is_over() || turn.is_chance() && depth.throws == 0 {
            return self.evaluated(position);
        }
        let depth = if turn.is_chance() { depth } else { Depth { throws: 0, ..depth } };
        if let Some(entry) = self.table.probe(position.key(), depth) {
            return entry.value;
        }
        let values = match turn {
            Turn::Seat(seat) => self.best_move(position, depth, seat, monitor),
            _ => self.expectation(position, depth, monitor),
        };
        if !monitor.stopped {
            self.table.store(position.key(), depth, values, Bound::Exact, 0);
        }
        values
    }

    fn after<G: Chance>(
        &mut self,
        position: &G,
        m: &G::Move,
        depth: Depth,
        monitor: &mut Monitor<'_>,
    ) -> Values
    where
        E: Evaluate<G>,
    {
        if !monitor.count() {
            return Values::default();
        }
        let mut next = position.clone();
        next.play(m);
        let depth = depth.after_ply();
        match next.outcome().or_else(|| depth.end(&next)) {
            Some(outcome) => self.finished(&next, &outcome),
            None => self.values(&next, depth, monitor),
        }
    }

    fn best_move<G: Chance>(
        &mut self,
        position: &G,
        depth: Depth,
        seat: Seat,
        monitor: &mut Monitor<'_>,
    ) -> Values
    where
        E: Evaluate<G>,
    {
        let depth = Depth { moves: depth.moves - 1, throws: self.throw_limit, ..depth };
        let mut best: Option<Values> = None;
        let _ = position.for_each_move(|m| {
            let values = self.after(position, &m, depth, monitor);
            if monitor.stopped {
                return ControlFlow::Break(());
            }
            if best.is_none_or(|best| values[seat.index()] > best[seat.index()]) {
                best = Some(values);
            }
            ControlFlow::Continue(())
        });
        best.unwrap_or_default()
    }

    fn expectation<G: Chance>(
        &mut self,
        position: &G,
        depth: Depth,
        monitor: &mut Monitor<'_>,
    ) -> Values
    where
        E: Evaluate<G>,
    {
        let Chances::Listed(outcomes) = position.chances() else {
            return self.evaluated(position);
        };
        let depth = Depth { throws: depth.throws - 1, ..depth };
        let total: u64 = outcomes.iter().map(|(_, weight)| weight).sum();
        let mut mean = Values::default();
        for (m, weight) in &outcomes {
            let values = self.after(position, m, depth, monitor);
            for (sum, value) in mean.iter_mut().zip(values) {
                *sum += value * *weight as f64;
            }
        }
        mean.map(|sum| sum / total as f64)
    }
}

impl<G: Chance, E: Evaluate<G>> DiceSearch<G> for VectorExpectimax<E> {
    fn search(
        &mut self,
        position: &G,
        roots: &mut [Root<G::Move>],
        depth: Depth,
        _lines: usize,
        monitor: &mut Monitor<'_>,
    ) -> bool {
        let depth = Depth { moves: depth.moves - 1, throws: self.throw_limit, ..depth };
        for root in roots.iter_mut() {
            root.values = self.after(position, &root.m, depth, monitor);
            root.exact = true;
            if monitor.stopped {
                return false;
            }
        }
        true
    }

    fn shares(&self, position: &G, values: &Values) -> Vec<f64> {
        let seats = position.seats();
        let best = self.evaluator.outcome_score(&Outcome::win(seats, Seat::new(0)), Seat::new(0));
        let shares =
            values[..seats].iter().map(|value| (0.5 + value / (2.0 * best)).clamp(0.0, 1.0));
        let shares: Vec<f64> = shares.collect();
        let total: f64 = shares.iter().sum();
        // Values are rounded and clipped one by one: normalise them to probabilities.
        if total > 0.0 { shares.iter().map(|share| share / total).collect() } else { shares }
    }

    fn hashfull(&self) -> u16 {
        self.table.full()
    }

    fn forget(&mut self) {
        self.table.clear();
    }
}
