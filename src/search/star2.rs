//! Star2 (Ballard, *The \*-minimax search procedure for trees containing chance nodes*, 1983) for
//! two seats and dice, with a transposition table.
//!
//! Values are those of the first seat, within the known range of evaluation and outcome. At a chance
//! node the first move of every outcome is searched, which gives a bound of each outcome (the probing
//! phase). Then the outcomes are searched in turn, each with the window that can still change the
//! mean, until the mean is known or outside the window. The value is that of [`super::maxn::maxn`].

use std::ops::ControlFlow;

use super::control::Limits;
use super::deepening::Monitor;
use super::dice::{Depth, DicePlayer, DiceSearch, ExactTable, Root, THROW_LIMIT, value_limit};
use super::evaluate::{Evaluate, hashed_tag};
use super::player::Bound;
use crate::game::{Chance, Chances, MAX_SEATS, Turn};
use crate::search::Control;
use crate::search::value::clip;

/// The player for two seats and dice.
pub type Star2Player<E> = DicePlayer<Star2<E>>;

impl<E> Star2Player<E> {
    /// A player with this evaluation and a table of `hash` MiB.
    pub fn new(evaluator: E, hash: usize) -> Self {
        DicePlayer(Star2 { evaluator, table: ExactTable::new(hash), throw_limit: THROW_LIMIT })
    }
}

/// The value of a position for its first seat, searched to a fixed depth, and the number of positions
/// visited.
pub fn star2<G: Chance, E: Evaluate<G>>(
    position: &G,
    evaluator: E,
    depth: Depth,
    hash: usize,
) -> (f64, u64) {
    let mut search = Star2 { evaluator, table: ExactTable::new(hash), throw_limit: depth.throws };
    let (limits, control) = (Limits::default(), Control::default());
    let mut monitor = Monitor::new(&limits, &control);
    let most = value_limit(&search.evaluator);
    let window = Window { alpha: -most, beta: most };
    let value = match position.outcome() {
        Some(outcome) => search.evaluator.outcome_score(&outcome, FIRST),
        None => search.value(position, depth, window, &mut monitor),
    };
    (value, monitor.nodes)
}

const FIRST: crate::game::Seat = crate::game::Seat::new(0);

/// The search of [`Star2Player`].
pub struct Star2<E> {
    evaluator: E,
    table: ExactTable<f64>,
    throw_limit: u32,
}

/// Values at or below `alpha`, or at or above `beta`, need not be exact: they are bounds then.
#[derive(Clone, Copy, Debug)]
struct Window {
    alpha: f64,
    beta: f64,
}

impl Window {
    fn bound(self, value: f64) -> Bound {
        match () {
            () if value <= self.alpha => Bound::Upper,
            () if value >= self.beta => Bound::Lower,
            () => Bound::Exact,
        }
    }
}

impl<E> Star2<E> {
    /// The value of an unfinished position; void if the search was stopped.
    fn value<G: Chance>(
        &mut self,
        position: &G,
        depth: Depth,
        window: Window,
        monitor: &mut Monitor<'_>,
    ) -> f64
    where
        E: Evaluate<G>,
    {
        let turn = position.turn();
        let leaf = depth.moves == 0 || turn.is_chance() && depth.throws == 0;
        if leaf || turn.is_over() {
            let acc = self.evaluator.fresh(position);
            return f64::from(clip(self.evaluator.score(&acc, position, FIRST)));
        }
        let depth = if turn.is_chance() { depth } else { Depth { throws: 0, ..depth } };
        let mut tag = 0;
        if let Some(entry) = self.table.probe(position.key(), depth) {
            tag = entry.tag;
            match entry.bound {
                Bound::Exact => return entry.value,
                Bound::Lower if entry.value >= window.beta => return entry.value,
                Bound::Upper if entry.value <= window.alpha => return entry.value,
                _ => {}
            }
        }
        let (value, tag) = match turn {
            Turn::Seat(seat) => {
                let sign = if seat == FIRST { 1.0 } else { -1.0 };
                self.best_move(position, depth, window, sign, tag, monitor)
            }
            _ => (self.expectation(position, depth, window, monitor), 0),
        };
        if !monitor.stopped {
            self.table.store(position.key(), depth, value, window.bound(value), tag);
        }
        value
    }

    /// The value after a move.
    fn after<G: Chance>(
        &mut self,
        position: &G,
        m: &G::Move,
        depth: Depth,
        window: Window,
        monitor: &mut Monitor<'_>,
    ) -> f64
    where
        E: Evaluate<G>,
    {
        if !monitor.count() {
            return 0.0;
        }
        let mut next = position.clone();
        next.play(m);
        let depth = depth.after_ply();
        match next.outcome().or_else(|| depth.end(&next)) {
            Some(outcome) => self.evaluator.outcome_score(&outcome, FIRST),
            None => self.value(&next, depth, window, monitor),
        }
    }

    /// The best move for the seat of `sign`, the move of `tag` tried first; with its tag.
    fn best_move<G: Chance>(
        &mut self,
        position: &G,
        depth: Depth,
        window: Window,
        sign: f64,
        tag: u16,
        monitor: &mut Monitor<'_>,
    ) -> (f64, u16)
    where
        E: Evaluate<G>,
    {
        let depth = Depth { moves: depth.moves - 1, throws: self.throw_limit, ..depth };
        let mut best = Best { value: -f64::INFINITY, tag: 0, window, sign };
        for first in [true, false] {
            if first && tag == 0 {
                continue;
            }
            let done = position.for_each_move(|m| {
                let this = hashed_tag(&m);
                if tag != 0 && first != (this == tag) {
                    return ControlFlow::Continue(());
                }
                let value = self.after(position, &m, depth, best.window, monitor);
                if monitor.stopped || best.take(value, this) {
                    return ControlFlow::Break(());
                }
                ControlFlow::Continue(())
            });
            if done.is_break() {
                break;
            }
        }
        (sign * best.value, best.tag)
    }

    /// The mean over a throw.
    fn expectation<G: Chance>(
        &mut self,
        position: &G,
        depth: Depth,
        window: Window,
        monitor: &mut Monitor<'_>,
    ) -> f64
    where
        E: Evaluate<G>,
    {
        let Chances::Listed(outcomes) = position.chances() else {
            let acc = self.evaluator.fresh(position);
            return f64::from(clip(self.evaluator.score(&acc, position, FIRST)));
        };
        let depth = Depth { throws: depth.throws - 1, ..depth };
        let mut mean = Mean::new(&outcomes, value_limit(&self.evaluator));
        if depth.moves > 1 {
            for (at, (m, _)) in outcomes.iter().enumerate() {
                if let Some(bound) = self.probe(position, m, depth, monitor) {
                    mean.narrow(at, bound);
                }
                if let Some(settled) = mean.settled(window) {
                    return settled;
                }
            }
        }
        for (at, (m, _)) in outcomes.iter().enumerate() {
            let value = self.after(position, m, depth, mean.window(at, window), monitor);
            if monitor.stopped {
                return 0.0;
            }
            let within = mean.window(at, window);
            match within.bound(value) {
                Bound::Exact => mean.set(at, value),
                Bound::Lower => mean.low[at] = mean.low[at].max(value),
                Bound::Upper => mean.high[at] = mean.high[at].min(value),
            }
            if let Some(settled) = mean.settled(window) {
                return settled;
            }
        }
        mean.total(&mean.low)
    }

    /// The probing phase: the first move of an outcome gives a bound of it, a lower bound if the first
    /// seat moves, else an upper bound.
    fn probe<G: Chance>(
        &mut self,
        position: &G,
        throw: &G::Move,
        depth: Depth,
        monitor: &mut Monitor<'_>,
    ) -> Option<(f64, Bound)>
    where
        E: Evaluate<G>,
    {
        let mut next = position.clone();
        next.play(throw);
        let depth = depth.after_ply();
        if next.outcome().or_else(|| depth.end(&next)).is_some() {
            return None;
        }
        let seat = next.turn().seat()?;
        let reach = Depth { throws: 0, ..depth };
        if let Some(entry) = self.table.probe(next.key(), reach) {
            return Some((entry.value, entry.bound));
        }
        let m = next.for_each_move(ControlFlow::Break).break_value()?;
        let most = value_limit(&self.evaluator);
        let window = Window { alpha: -most, beta: most };
        let depth = Depth { moves: depth.moves - 1, throws: self.throw_limit, ..depth };
        let value = self.after(&next, &m, depth, window, monitor);
        (!monitor.stopped)
            .then_some((value, if seat == FIRST { Bound::Lower } else { Bound::Upper }))
    }
}

/// The best value so far, for the seat of `sign`.
struct Best {
    value: f64,
    tag: u16,
    window: Window,
    sign: f64,
}

impl Best {
    /// Takes a value into account; `true` if it causes a cutoff.
    fn take(&mut self, value: f64, tag: u16) -> bool {
        if self.sign * value > self.value {
            (self.value, self.tag) = (self.sign * value, tag);
        }
        if self.sign > 0.0 {
            self.window.alpha = self.window.alpha.max(value);
        } else {
            self.window.beta = self.window.beta.min(value);
        }
        self.window.alpha >= self.window.beta
    }
}

/// The bounds of every outcome and of their mean.
struct Mean {
    share: Vec<f64>,
    low: Vec<f64>,
    high: Vec<f64>,
}

impl Mean {
    fn new<M>(outcomes: &[(M, u64)], most: f64) -> Self {
        let total: u64 = outcomes.iter().map(|(_, weight)| weight).sum();
        Mean {
            share: outcomes.iter().map(|(_, weight)| *weight as f64 / total as f64).collect(),
            low: vec![-most; outcomes.len()],
            high: vec![most; outcomes.len()],
        }
    }

    fn total(&self, values: &[f64]) -> f64 {
        self.share.iter().zip(values).map(|(share, value)| share * value).sum()
    }

    fn set(&mut self, at: usize, value: f64) {
        (self.low[at], self.high[at]) = (value, value);
    }

    fn narrow(&mut self, at: usize, (value, bound): (f64, Bound)) {
        match bound {
            Bound::Exact => self.set(at, value),
            Bound::Lower => self.low[at] = self.low[at].max(value),
            Bound::Upper => self.high[at] = self.high[at].min(value),
        }
    }

    /// A bound of the mean that lies outside the window.
    fn settled(&self, window: Window) -> Option<f64> {
        let (low, high) = (self.total(&self.low), self.total(&self.high));
        match () {
            () if low >= window.beta => Some(low),
            () if high <= window.alpha => Some(high),
            () => None,
        }
    }

    /// The window in which the value of one outcome matters, the others being what they may be.
    fn window(&self, at: usize, window: Window) -> Window {
        let share = self.share[at];
        let others_low = self.total(&self.low) - share * self.low[at];
        let others_high = self.total(&self.high) - share * self.high[at];
        // Widened a little, so that rounding never turns an exact value into a bound.
        let slack = 1e-7;
        Window {
            alpha: ((window.alpha - others_high) / share - slack).max(self.low[at] - slack),
            beta: ((window.beta - others_low) / share + slack).min(self.high[at] + slack),
        }
    }
}

impl<G: Chance, E: Evaluate<G>> DiceSearch<G> for Star2<E> {
    fn search(
        &mut self,
        position: &G,
        roots: &mut [Root<G::Move>],
        depth: Depth,
        lines: usize,
        monitor: &mut Monitor<'_>,
    ) -> bool {
        let Some(seat) = position.turn().seat() else {
            return false;
        };
        let sign = if seat == FIRST { 1.0 } else { -1.0 };
        let most = value_limit(&self.evaluator);
        let depth = Depth { moves: depth.moves - 1, throws: self.throw_limit, ..depth };
        // Values of the moves searched so far, best first, for their seat.
        let mut best: Vec<f64> = Vec::new();
        for root in roots.iter_mut() {
            let floor = best.get(lines - 1).copied().unwrap_or(-most - 1.0);
            let window = if sign > 0.0 {
                Window { alpha: floor, beta: most + 1.0 }
            } else {
                Window { alpha: -most - 1.0, beta: -floor }
            };
            let value = self.after(position, &root.m, depth, window, monitor);
            if monitor.stopped {
                return false;
            }
            root.exact = sign * value > floor;
            root.values[0] = value;
            root.values[1] = -value;
            if root.exact {
                let at = best.partition_point(|known| *known >= sign * value);
                best.insert(at, sign * value);
            }
        }
        true
    }

    fn shares(&self, _: &G, values: &[f64; MAX_SEATS]) -> Vec<f64> {
        let most = self.evaluator.outcome_score(&crate::game::Outcome::win(2, FIRST), FIRST);
        let first = (0.5 + values[0] / (2.0 * most)).clamp(0.0, 1.0);
        vec![first, 1.0 - first]
    }

    fn hashfull(&self) -> u16 {
        self.table.full()
    }

    fn forget(&mut self) {
        self.table.clear();
    }
}
