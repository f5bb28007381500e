//! Growing the tree: selection, expansion, backup.

use std::ops::ControlFlow;
use std::sync::LazyLock;

use super::{Edge, MctsPlayer, Node, Shares};
use crate::game::{Game, MAX_SEATS, Outcome, Seat, Situation};
use crate::search::Evaluate;
use crate::search::value::{SCALE, Value, clip};

/// The child of an edge that leads to no position of the tree yet.
const UNEXPANDED: u32 = u32::MAX;

impl<G: Game<Move: Copy>, E: Evaluate<G>> MctsPlayer<G, E> {
    pub(super) fn begin(&mut self, situation: &Situation<G>) {
        self.line.restart(situation);
        self.tree.clear();
        (self.nodes, self.deepest, self.bytes_used) = (0, 0, 0);
        let (root, _) = self.expand(situation.position(), usize::MAX);
        self.grow(root);
    }

    /// Adds a position to the tree; its number.
    fn grow(&mut self, node: Node<G::Move>) -> u32 {
        self.bytes_used += size_of::<Node<G::Move>>() + size_of_val(&*node.edges);
        self.tree.push(node);
        self.tree.len() as u32 - 1
    }

    fn estimate(&self, acc: &E::Acc, position: &G) -> Shares {
        shares_of_scores(&self.evaluator.scores(acc, position), position.seats())
    }

    /// A node for a position, and its first shares: those after its best move.
    fn expand(&mut self, position: &G, keep: usize) -> (Node<G::Move>, Shares) {
        let seat = position.turn().seat().map_or(0, Seat::index);
        let acc = self.evaluator.fresh(position);
        let mut children = self.children(position, &acc, seat);
        self.nodes += children.len() as u64;
        let all_end = children.iter().all(|child| child.ends);
        sort_children(&mut children);
        let whole = children.len() <= keep.max(2);
        children.truncate(keep.max(2));
        // Where all moves are kept, all are evaluated in full.
        let full = if keep == usize::MAX { keep } else { self.config.full_evaluations };
        let full = full.min(children.len());
        self.evaluate_fully(position, &acc, seat, &mut children[..full]);
        let Some((best, best_shares, best_ends)) =
            children.first().map(|child| (child.edge, child.shares, child.ends))
        else {
            // No move and no result: a chance node, which this driver does not search.
            let shares = self.estimate(&acc, position);
            let node = node_of(seat, Some(shares), Vec::new());
            return (node, shares);
        };
        let proven = (best_ends && best.evaluation >= 1.0 || all_end).then_some(best_shares);
        let mut edges: Vec<Edge<G::Move>> = children.into_iter().map(|child| child.edge).collect();
        self.set_priors(&mut edges);
        (Node { whole, ..node_of(seat, proven, edges) }, best_shares)
    }

    /// All moves of a position, with rough values where the evaluation has some.
    fn children(&mut self, position: &G, acc: &E::Acc, seat: usize) -> Vec<Child<G::Move>> {
        let mut children = Vec::new();
        let mut next_acc = *acc;
        let _ = position.for_each_move::<()>(|m| {
            let mut next = position.clone();
            next.play(&m);
            let end = next.outcome().or_else(|| self.line.end(&next));
            let mut rough = false;
            let shares = if let Some(outcome) = &end {
                shares_of(outcome, next.seats())
            } else if let Some(scores) = self.evaluator.rough_scores(&next) {
                rough = true;
                shares_of_scores(&scores, next.seats())
            } else {
                self.evaluator.update(acc, position, &m, &next, &mut next_acc);
                self.estimate(&next_acc, &next)
            };
            let edge = Edge { m, prior: 0.0, evaluation: shares[seat], child: UNEXPANDED };
            children.push(Child { edge, shares, ends: end.is_some(), rough });
            ControlFlow::Continue(())
        });
        children
    }

    /// Evaluates the children that have rough values in full, and sorts all again.
    fn evaluate_fully(
        &self,
        position: &G,
        acc: &E::Acc,
        seat: usize,
        children: &mut [Child<G::Move>],
    ) {
        let mut next_acc = *acc;
        let mut changed = false;
        for child in children.iter_mut().filter(|child| child.rough) {
            let mut next = position.clone();
            next.play(&child.edge.m);
            self.evaluator.update(acc, position, &child.edge.m, &next, &mut next_acc);
            child.shares = self.estimate(&next_acc, &next);
            child.edge.evaluation = child.shares[seat];
            changed = true;
        }
        if changed {
            sort_children(children);
        }
    }

    /// Sets the priors: the softmax of the logits of the evaluations.
    fn set_priors(&self, edges: &mut [Edge<G::Move>]) {
        let logit = |share: f32| {
            let share = f64::from(share).clamp(1e-6, 1.0 - 1e-6);
            SCALE * libm::log(share / (1.0 - share))
        };
        let best = edges.first().map_or(0.0, |edge| logit(edge.evaluation));
        let mut total = 0.0;
        for edge in edges.iter_mut() {
            let worse = (best - logit(edge.evaluation)) / f64::from(self.config.temperature);
            edge.prior = libm::exp(-worse) as f32;
            total += edge.prior;
        }
        for edge in edges {
            edge.prior /= total;
        }
    }

    /// One visit: selection from the root down to a new position, expansion, and backup.
    pub(super) fn visit(&mut self, root: &G) {
        let mut position = root.clone();
        self.path.clear();
        let mut at = 0;
        let shares = loop {
            if let Some(shares) = self.tree[at as usize].proven {
                // Where not all moves were kept, this may be all that is left to visit.
                self.nodes += 1;
                break shares;
            }
            let choice = self.select(at);
            let edge = self.tree[at as usize].edges[choice as usize];
            self.path.push((at, choice));
            position.play(&edge.m);
            if edge.child != UNEXPANDED {
                self.line.push(position.key());
                at = edge.child;
                continue;
            }
            let end = position.outcome().or_else(|| self.line.end(&position));
            self.line.push(position.key());
            let (node, shares) = match end {
                Some(outcome) => {
                    let shares = shares_of(&outcome, position.seats());
                    (node_of(0, Some(shares), Vec::new()), shares)
                }
                None => self.expand(&position, self.config.keep),
            };
            if self.bytes_used < self.config.bytes {
                let index = self.grow(Node { visits: 1, sums: shares, ..node });
                self.tree[at as usize].edges[choice as usize].child = index;
            }
            break shares;
        };
        self.deepest = self.deepest.max(self.path.len());
        self.back_up(&shares);
    }

    fn back_up(&mut self, shares: &Shares) {
        let mut shares = *shares;
        for step in (0..self.path.len()).rev() {
            let (at, _) = self.path[step];
            self.line.pop();
            self.prove(at as usize);
            let node = &mut self.tree[at as usize];
            shares = node.proven.unwrap_or(shares);
            node.visits = node.visits.saturating_add(1);
            for (sum, share) in node.sums.iter_mut().zip(shares) {
                *sum += share;
            }
        }
    }

    /// Marks a position as proven if its moves prove it.
    fn prove(&mut self, at: usize) {
        let node = &self.tree[at];
        if node.proven.is_some() {
            return;
        }
        let seat = node.seat as usize;
        let mut best: Option<Shares> = None;
        let mut all = node.whole;
        for edge in &node.edges {
            let known = self.tree.get(edge.child as usize).and_then(|child| child.proven);
            match known {
                Some(shares) if best.is_none_or(|best| shares[seat] > best[seat]) => {
                    best = Some(shares);
                }
                Some(_) => {}
                None => all = false,
            }
        }
        if let Some(shares) = best.filter(|shares| all || shares[seat] >= 1.0) {
            self.tree[at].proven = Some(shares);
        }
    }

    /// Selection: the move of a position with the greatest upper bound.
    fn select(&self, at: u32) -> u32 {
        let node = &self.tree[at as usize];
        let seat = node.seat as usize;
        let visits = node.visits as f32;
        let config = &self.config;
        let width = config.widening * libm::powf(visits, config.widening_power);
        let mut width = (width as usize).max(2);
        let reach = config.exploration * libm::sqrtf(visits + 1.0);
        let mut best = (f32::MIN, 0);
        let mut best_proven = best;
        for (index, edge) in node.edges.iter().enumerate() {
            if width == 0 {
                break;
            }
            let (mut value, mut visited) =
                (edge.evaluation * config.prior_visits, config.prior_visits);
            if let Some(child) = self.tree.get(edge.child as usize) {
                if let Some(shares) = child.proven {
                    // Proven moves need no visits and do not count in the width.
                    if shares[seat] >= 1.0 {
                        return index as u32;
                    }
                    if shares[seat] > best_proven.0 {
                        best_proven = (shares[seat], index as u32);
                    }
                    continue;
                }
                value += child.sums[seat];
                visited += child.visits as f32;
            }
            width -= 1;
            let bound = value / visited + reach * edge.prior / (1.0 + visited);
            if bound > best.0 {
                best = (bound, index as u32);
            }
        }
        // All that were kept are proven, and others were not.
        if best.0 == f32::MIN { best_proven.1 } else { best.1 }
    }
}

/// A move of a position that is being expanded.
struct Child<M> {
    edge: Edge<M>,
    shares: Shares,
    /// The game ends with it.
    ends: bool,
    /// Its value is a rough one.
    rough: bool,
}

/// Best first; stable, so that equal moves keep the order of the generator.
fn sort_children<M>(children: &mut [Child<M>]) {
    children.sort_by(|a, b| b.edge.evaluation.total_cmp(&a.edge.evaluation));
}

fn shares_of_scores(scores: &[Value; MAX_SEATS], seats: usize) -> Shares {
    let mut shares = [0.0; MAX_SEATS];
    let mut total = 0.0;
    for seat in Seat::all(seats) {
        let share = win_probability(clip(scores[seat.index()]));
        shares[seat.index()] = share as f32;
        total += share;
    }
    shares.map(|share| (f64::from(share) / total) as f32)
}

/// The logistic probability of a score. (The seats are normalised later.)
fn win_probability(score: Value) -> f64 {
    WIN_PROBABILITIES[(score.clamp(-MOST, MOST) + MOST) as usize]
}

/// Beyond this score the probability is that of this score.
const MOST: Value = 4_000;

static WIN_PROBABILITIES: LazyLock<Vec<f64>> = LazyLock::new(|| {
    (-MOST..=MOST).map(|score| 1.0 / (1.0 + libm::exp(-f64::from(score) / SCALE))).collect()
});

fn node_of<M>(seat: usize, proven: Option<Shares>, edges: Vec<Edge<M>>) -> Node<M> {
    Node {
        seat: seat as u8,
        proven,
        visits: 0,
        sums: [0.0; MAX_SEATS],
        edges: edges.into_boxed_slice(),
        whole: true,
    }
}

/// The shares of a result.
pub(super) fn shares_of(outcome: &Outcome, seats: usize) -> Shares {
    let mut shares = [0.0; MAX_SEATS];
    for seat in Seat::all(seats) {
        shares[seat.index()] = outcome.share(seat) as f32;
    }
    shares
}
