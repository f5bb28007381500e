//! Growing the tree: selection, expansion, backup.

use std::ops::ControlFlow;
use std::sync::LazyLock;

use super::{Edge, MctsPlayer, Node, Shares, UNEXPANDED};
use crate::game::{Game, MAX_SEATS, Outcome, Seat, Situation};
use crate::search::Evaluate;
use crate::search::value::{SCALE, Value, clip};

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

    /// A node for a position, and its first shares.
    fn expand(&mut self, position: &G, keep: usize) -> (Node<G::Move>, Shares) {
        let seat = position.turn().seat().map_or(0, Seat::index);
        let keep = keep.max(2);
        let expanded = match self.evaluator.has_policy() {
            true => self.expand_by_policy(position, seat, keep),
            false => self.expand_by_values(position, seat, keep),
        };
        expanded.unwrap_or_else(|| {
            // No move and no result: a chance node, which this driver does not search.
            let shares = self.estimate(&self.evaluator.fresh(position), position);
            (node_of(seat, Some(shares), Vec::new()), shares)
        })
    }

    /// A node whose moves have priors by the policy; its shares are those of the evaluation. `None`
    /// without moves.
    fn expand_by_policy(
        &mut self,
        position: &G,
        seat: usize,
        keep: usize,
    ) -> Option<(Node<G::Move>, Shares)> {
        let (edges, shares) = self.edges_by_policy(position, seat, keep);
        let whole = edges.len() == self.moves.len();
        let node = Node { whole, ..node_of(seat, None, edges) };
        (!node.edges.is_empty()).then_some((node, shares))
    }

    /// The likeliest moves of a position, and its shares by the evaluation.
    fn edges_by_policy(
        &mut self,
        position: &G,
        seat: usize,
        keep: usize,
    ) -> (Vec<Edge<G::Move>>, Shares) {
        let (moves, logits) = (&mut self.moves, &mut self.logits);
        moves.clear();
        logits.clear();
        let _ = position.for_each_move::<()>(|m| {
            moves.push(m);
            ControlFlow::Continue(())
        });
        let scores = self.evaluator.scores_and_policy(position, moves, logits);
        let shares = shares_of_scores(&scores, position.seats());
        self.nodes += 1;
        let order = best_first(logits, keep);
        let best = order.first().map_or(0.0, |best| best.0);
        let evaluation = shares[seat] - self.config.first_play_reduction;
        let mut edges: Vec<Edge<G::Move>> = order
            .iter()
            .map(|&(logit, at)| Edge::new(moves[at as usize], libm::expf(logit - best), evaluation))
            .collect();
        let total: f32 = edges.iter().map(|edge| edge.prior).sum();
        edges.iter_mut().for_each(|edge| edge.prior /= total);
        (edges, shares)
    }

    /// Gives a position in the tree that is visited often the moves that were not kept, where there is
    /// a policy. Those that were are the first of them.
    fn widen(&mut self, at: u32, position: &G) {
        let node = &self.tree[at as usize];
        let often = node.visits >= self.config.whole_after && self.bytes_used < self.config.bytes;
        if node.whole || !often || !self.evaluator.has_policy() {
            return;
        }
        let (mut edges, _) = self.edges_by_policy(position, node.seat as usize, usize::MAX);
        let node = &mut self.tree[at as usize];
        for (known, edge) in node.edges.iter().zip(&mut edges) {
            *edge = Edge { prior: edge.prior, ..*known };
        }
        self.bytes_used += (edges.len() - node.edges.len()) * size_of::<Edge<G::Move>>();
        node.edges = edges.into_boxed_slice();
        node.whole = true;
    }

    /// A node whose moves have priors by the values after them; its shares are those after its best
    /// move. `None` without moves.
    fn expand_by_values(
        &mut self,
        position: &G,
        seat: usize,
        keep: usize,
    ) -> Option<(Node<G::Move>, Shares)> {
        let mut children = self.children(position, seat);
        self.nodes += children.len() as u64;
        let all_end = children.iter().all(|child| child.ends);
        // Stable, so that equal moves keep the order of the generator.
        children.sort_by(|a, b| b.edge.evaluation.total_cmp(&a.edge.evaluation));
        let whole = children.len() <= keep;
        children.truncate(keep);
        let best = children.first()?;
        let shares = best.shares;
        let wins = best.ends && best.edge.evaluation >= 1.0;
        let proven = (wins || all_end).then_some(shares);
        let mut edges: Vec<Edge<G::Move>> = children.into_iter().map(|child| child.edge).collect();
        self.set_priors(&mut edges);
        Some((Node { whole, ..node_of(seat, proven, edges) }, shares))
    }

    /// All moves of a position with the values after them.
    fn children(&mut self, position: &G, seat: usize) -> Vec<Child<G::Move>> {
        let mut children = Vec::new();
        let acc = self.evaluator.fresh(position);
        let mut next_acc = acc;
        let _ = position.for_each_move::<()>(|m| {
            let mut next = position.clone();
            next.play(&m);
            let end = next.outcome().or_else(|| self.line.end(&next));
            let shares = if let Some(outcome) = &end {
                shares_of(outcome, next.seats())
            } else {
                self.evaluator.update(&acc, position, &m, &next, &mut next_acc);
                self.estimate(&next_acc, &next)
            };
            let edge = Edge::new(m, 0.0, shares[seat]);
            children.push(Child { edge, shares, ends: end.is_some() });
            ControlFlow::Continue(())
        });
        children
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
            self.widen(at, &position);
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
            let (at, choice) = self.path[step];
            self.line.pop();
            if self.tell_edge(at as usize, choice as usize) {
                self.prove(at as usize);
            }
            let node = &mut self.tree[at as usize];
            shares = node.proven.unwrap_or(shares);
            node.visits = node.visits.saturating_add(1);
            for (sum, share) in node.sums.iter_mut().zip(shares) {
                *sum += share;
            }
        }
    }

    /// Copies to an edge what is known of the position it leads to; whether that is proven.
    fn tell_edge(&mut self, at: usize, choice: usize) -> bool {
        let node = &self.tree[at];
        let seat = node.seat as usize;
        let Some(child) = self.tree.get(node.edges[choice].child as usize) else {
            return false;
        };
        let proven = child.proven.map_or(f32::NAN, |shares| shares[seat]);
        let (visits, sum) = (child.visits, child.sums[seat]);
        let edge = &mut self.tree[at].edges[choice];
        (edge.visits, edge.sum, edge.proven) = (visits, sum, proven);
        !proven.is_nan()
    }

    /// Marks a position as proven if its moves prove it.
    fn prove(&mut self, at: usize) {
        let node = &self.tree[at];
        if node.proven.is_some() {
            return;
        }
        let mut best: Option<&Edge<G::Move>> = None;
        let mut all = node.whole;
        for edge in &node.edges {
            all &= !edge.proven.is_nan();
            if edge.proven > best.map_or(f32::MIN, |best| best.proven) {
                best = Some(edge);
            }
        }
        if let Some(best) = best.filter(|best| all || best.proven >= 1.0) {
            self.tree[at].proven = self.tree[best.child as usize].proven;
        }
    }

    /// Selection: the move of a position with the greatest upper bound.
    fn select(&self, at: u32) -> u32 {
        let node = &self.tree[at as usize];
        let visits = node.visits as f32;
        let config = &self.config;
        let policy = self.evaluator.has_policy();
        let mut width = match policy {
            true => usize::MAX,
            false => {
                let width = config.widening * libm::powf(visits, config.widening_power);
                (width as usize).max(2)
            }
        };
        let reach = config.exploration * (visits + 1.0).sqrt();
        let mut best = (f32::MIN, 0);
        let mut best_proven = best;
        for (index, edge) in node.edges.iter().enumerate() {
            if width == 0 {
                break;
            }
            let (mut value, mut visited) =
                (edge.evaluation * config.prior_visits, config.prior_visits);
            if edge.child != UNEXPANDED {
                if !edge.proven.is_nan() {
                    // Proven moves need no visits and do not count in the width.
                    if edge.proven >= 1.0 {
                        return index as u32;
                    }
                    if edge.proven > best_proven.0 {
                        best_proven = (edge.proven, index as u32);
                    }
                    continue;
                }
                value += edge.sum;
                visited += edge.visits as f32;
            }
            width -= 1;
            if policy && edge.child != UNEXPANDED {
                (value, visited) = (edge.sum, edge.visits as f32);
            }
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
}

/// The greatest `keep` logits with their places, best first; of equal ones the first is better.
fn best_first(logits: &[f32], keep: usize) -> Vec<(f32, u32)> {
    let all = logits.iter().copied().zip(0..);
    if logits.len() <= keep {
        let mut order: Vec<(f32, u32)> = all.collect();
        order.sort_by(|a, b| b.0.total_cmp(&a.0));
        return order;
    }
    let mut order: Vec<(f32, u32)> = Vec::with_capacity(keep + 1);
    for (logit, at) in all {
        if order.len() < keep || order.last().is_some_and(|worst| worst.0 < logit) {
            let place = order.partition_point(|better| better.0 >= logit);
            order.insert(place, (logit, at));
            order.truncate(keep);
        }
    }
    order
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::Random;

    #[test]
    fn the_likeliest_moves_are_kept_and_of_equal_ones_the_first() {
        let mut random = Random::new(1);
        for _ in 0..300 {
            let logits: Vec<f32> =
                (0..random.below(30)).map(|_| random.below(12) as f32 - 6.0).collect();
            let mut sorted: Vec<(f32, u32)> = logits.iter().copied().zip(0..).collect();
            sorted.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
            for keep in [2, 8, 29, usize::MAX] {
                let expected = &sorted[..keep.min(sorted.len())];
                assert_eq!(best_first(&logits, keep), expected, "{logits:?}");
            }
        }
    }
}
