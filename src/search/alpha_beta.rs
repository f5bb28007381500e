//! Plain alpha-beta for two seats without chance: the reference for every faster search.
//!
//! Every move of every position is searched to the same depth, without a table, reductions or
//! extensions; leaves have the value of the evaluation. A third occurrence of a position has the
//! result that [`Game::repetition`] gives it.

use std::ops::ControlFlow;

use super::Limits;
use super::control::Control;
use super::deepening::{DepthResult, FixedDepthSearch, IterativeDeepening, Monitor};
use super::evaluate::Evaluate;
use super::player::{Choice, Player, Report, Request};
use super::repetition::Line;
use super::value::{MAX_PLY, Value, WIN, clip, outcome_value, score};
use crate::game::{Game, Seat, Situation, Turn};

/// The value of a situation for the seat to move, searched to a fixed depth; 0 if the game is over
/// or chance decides.
pub fn alpha_beta<G: Game, E: Evaluate<G>>(
    situation: &Situation<G>,
    evaluator: E,
    depth: u32,
) -> Value {
    let Some(seat) = situation.seat() else {
        return 0;
    };
    let mut search = AlphaBeta::new(evaluator);
    search.restart(situation);
    let (limits, control) = (Limits::default(), Control::default());
    let mut monitor = Monitor::new(&limits, &control);
    let position = situation.position();
    let node = Node { position, acc: search.evaluator.fresh(position), seat, ply: 0 };
    search.search_node(&node, depth, -WIN, WIN, &mut monitor).unwrap_or(0)
}

/// The player `alphabeta`: plain alpha-beta by iterative deepening, without a table.
pub struct AlphaBetaPlayer<G: Game, E: Evaluate<G>>(IterativeDeepening<AlphaBeta<G, E>>);

impl<G: Game, E: Evaluate<G>> AlphaBetaPlayer<G, E> {
    /// A player with this evaluation.
    pub fn new(evaluator: E) -> Self {
        AlphaBetaPlayer(IterativeDeepening {
            search: AlphaBeta::new(evaluator),
            deepest: MAX_PLY as u32,
        })
    }
}

impl<G: Game, E: Evaluate<G>> Player<G> for AlphaBetaPlayer<G, E> {
    fn choose(
        &mut self,
        situation: &Situation<G>,
        request: &Request<G::Move>,
        report: &mut dyn FnMut(Report<G::Move>),
    ) -> Option<Choice<G::Move>> {
        self.0.choose(situation, request, report)
    }
}

struct AlphaBeta<G: Game, E> {
    evaluator: E,
    line: Line,
    /// The principal variation from each ply on.
    pv: Vec<Vec<G::Move>>,
}

struct Node<'a, G, A> {
    position: &'a G,
    acc: A,
    seat: Seat,
    ply: usize,
}

impl<G: Game, E: Evaluate<G>> AlphaBeta<G, E> {
    fn new(evaluator: E) -> Self {
        AlphaBeta { evaluator, line: Line::default(), pv: Vec::new() }
    }

    /// The value of a node for its own seat; `None` if the search was stopped.
    fn search_node(
        &mut self,
        node: &Node<'_, G, E::Acc>,
        depth: u32,
        mut alpha: Value,
        beta: Value,
        monitor: &mut Monitor<'_>,
    ) -> Option<Value> {
        self.clear_pv(node.ply);
        if depth == 0 {
            return Some(clip(self.evaluator.score(&node.acc, node.position, node.seat)));
        }
        let mut best = -WIN;
        let stopped = node.position.for_each_move(|m| {
            let Some(value) = self.value_of_move(node, &m, depth, alpha, beta, monitor) else {
                return ControlFlow::Break(true);
            };
            if value > best {
                best = value;
                if value > alpha {
                    alpha = value;
                    self.extend_pv(node.ply, m);
                }
            }
            if alpha >= beta { ControlFlow::Break(false) } else { ControlFlow::Continue(()) }
        });
        (stopped.break_value() != Some(true)).then_some(best)
    }

    /// The value of a move for the seat that makes it.
    fn value_of_move(
        &mut self,
        node: &Node<'_, G, E::Acc>,
        m: &G::Move,
        depth: u32,
        alpha: Value,
        beta: Value,
        monitor: &mut Monitor<'_>,
    ) -> Option<Value> {
        if !monitor.count() {
            return None;
        }
        let ply = node.ply + 1;
        self.clear_pv(ply);
        let mut next = node.position.clone();
        next.play(m);
        let end = next.outcome().or_else(|| self.line.end(&next));
        if let Some(outcome) = end {
            return Some(outcome_value(&outcome, node.seat, ply));
        }
        let acc = self.evaluator.updated(&node.acc, node.position, m, &next);
        let Turn::Seat(seat) = next.turn() else {
            return Some(clip(self.evaluator.score(&acc, &next, node.seat)));
        };
        self.line.push(next.key());
        let child = Node { position: &next, acc, seat, ply };
        let value = if seat == node.seat {
            self.search_node(&child, depth - 1, alpha, beta, monitor)
        } else {
            self.search_node(&child, depth - 1, -beta, -alpha, monitor).map(|value| -value)
        };
        self.line.pop();
        value
    }

    fn clear_pv(&mut self, ply: usize) {
        if self.pv.len() <= ply {
            self.pv.resize(ply + 1, Vec::new());
        }
        self.pv[ply].clear();
    }

    fn extend_pv(&mut self, ply: usize, m: G::Move) {
        let mut line = std::mem::take(&mut self.pv[ply]);
        line.clear();
        line.push(m);
        if let Some(rest) = self.pv.get(ply + 1) {
            line.extend_from_slice(rest);
        }
        self.pv[ply] = line;
    }
}

impl<G: Game, E: Evaluate<G>> FixedDepthSearch<G> for AlphaBeta<G, E> {
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
        let node = Node { position, acc: self.evaluator.fresh(position), seat, ply: 0 };
        let mut best: Option<(Value, Vec<G::Move>)> = None;
        for m in moves {
            let alpha = best.as_ref().map_or(-WIN, |(value, _)| *value);
            let Some(value) = self.value_of_move(&node, m, depth, alpha, WIN, monitor) else {
                // A stopped iteration counts if it has searched at least the best move so far.
                break;
            };
            if best.is_none() || value > alpha {
                self.clear_pv(0);
                self.extend_pv(0, m.clone());
                best = Some((value, self.pv[0].clone()));
            }
        }
        best.map(|(value, pv)| DepthResult { score: score(value), pv })
    }
}
