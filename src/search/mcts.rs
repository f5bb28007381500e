//! Monte-Carlo tree search with max^n backups, for any number of seats.
//!
//! There are no playouts: the value of a leaf is the evaluation, as an expected share of the first
//! place for every seat. An evaluation with a policy gives the priors of the moves of a position, as in
//! AlphaZero (Silver et al. 2018); a move that was not visited counts as a little worse than its
//! position. Without one all moves are evaluated one ply deeper when a position is expanded, a softmax
//! of these values gives the priors, and the more often a position is visited, the more moves enter the
//! search, best first (progressive widening). Every seat maximises its own share, so no
//! seats are assumed to be allied. Results are proven as in an MCTS solver: a position is proven if its
//! mover has a proven win, or if all its moves are proven. On a tree that is small enough to be
//! searched to the end, the search finds the value of [`super::maxn`].

mod visit;

use super::difficulty::Difficulty;
use super::evaluate::Evaluate;
use super::player::{Choice, Info, Player, Report, Request, Score};
use super::repetition::Line;
use super::value::{SCALE, value};
use crate::game::{Game, MAX_SEATS, Situation};

/// The share of the first place for every seat.
pub type Shares = [f32; MAX_SEATS];

/// The parameters of the search.
#[derive(Clone, PartialEq, Debug)]
pub struct MctsConfig {
    /// The weight of exploration in the selection of a move (PUCT).
    pub exploration: f32,
    /// Without a policy, a position visited `n` times has `widening * n ^ widening_power` moves in the
    /// search, and at least two.
    pub widening: f32,
    /// See `widening`.
    pub widening_power: f32,
    /// The temperature of the softmax of priors without a policy: a move whose evaluation is worse by
    /// this many hundredths has a prior e times smaller.
    pub temperature: f32,
    /// How many visits the evaluation of a move counts for, without a policy.
    pub prior_visits: f32,
    /// How many moves of a position are kept, best first; the root keeps all.
    pub keep: usize,
    /// By how much a move that was not visited is taken to be worse than its position, as a share of
    /// the first place, where there is a policy.
    pub first_play_reduction: f32,
    /// A position visited so often keeps all its moves, where there is a policy.
    pub whole_after: u32,
    /// By how many standard deviations the lower bound of a share lies below the mean.
    pub caution: f32,
    /// The most bytes the tree may take; when it is full the search goes on without growing.
    pub bytes: usize,
}

impl Default for MctsConfig {
    fn default() -> Self {
        MctsConfig {
            exploration: 0.6,
            widening: 2.0,
            widening_power: 0.4,
            temperature: 60.0,
            prior_visits: 1.0,
            keep: 16,
            first_play_reduction: 0.1,
            whole_after: 32,
            caution: 0.5,
            bytes: 16 << 20,
        }
    }
}

/// A move of a position in the tree.
#[derive(Clone, Copy)]
struct Edge<M> {
    m: M,
    /// The prior probability of the move.
    prior: f32,
    /// The share of the mover after the move, by the evaluation, or what is assumed of it.
    evaluation: f32,
    /// The position it leads to, once it is in the tree.
    child: u32,
    /// The visits of that position, and the sum of the shares of the mover there.
    visits: u32,
    sum: f32,
    /// The share of the mover there, once it is proven; otherwise not a number.
    proven: f32,
}

impl<M> Edge<M> {
    fn new(m: M, prior: f32, evaluation: f32) -> Self {
        Edge { m, prior, evaluation, child: UNEXPANDED, visits: 0, sum: 0.0, proven: f32::NAN }
    }

    /// The number by which a move with this share is ranked: the share itself once it is proven,
    /// otherwise its lower bound, `caution` standard deviations below. Moves of much fewer visits than
    /// `most`, the most of those not proven, come after, then those without any, then lost ones.
    fn rank(&self, share: f32, most: u32, caution: f32) -> f32 {
        if !self.proven.is_nan() {
            return if share > 0.0 { share } else { -3.0 };
        }
        if self.child == UNEXPANDED {
            return if most > 0 { share - 2.0 } else { share };
        }
        if self.visits < most / 8 {
            return share - 1.0;
        }
        let deviation = (share * (1.0 - share) / self.visits.max(1) as f32).sqrt();
        (share - caution * deviation).max(0.0)
    }
}

/// The child of an edge that leads to no position of the tree yet.
const UNEXPANDED: u32 = u32::MAX;

/// A position in the tree.
struct Node<M> {
    seat: u8,
    /// The result, once it is proven.
    proven: Option<Shares>,
    visits: u32,
    sums: Shares,
    /// Best first.
    edges: Box<[Edge<M>]>,
    /// Whether all moves were kept: if not, those that were prove nothing but a win.
    whole: bool,
}

/// There are no iterations here: a search of depth n has this many visits, doubled n times.
const VISITS: u64 = 64;

/// The depth that so many visits finish or, between two depths, have begun.
fn depth_of(visits: u64) -> u32 {
    visits.div_ceil(VISITS).next_power_of_two().max(2).ilog2()
}

/// Plays by Monte-Carlo tree search.
pub struct MctsPlayer<G: Game<Move: Copy>, E: Evaluate<G>> {
    evaluator: E,
    config: MctsConfig,
    tree: Vec<Node<G::Move>>,
    line: Line,
    /// Bytes that the tree uses.
    bytes_used: usize,
    /// Positions evaluated.
    nodes: u64,
    path: Vec<(u32, u32)>,
    /// The moves of the position that is expanded, and their logits: kept for their memory.
    moves: Vec<G::Move>,
    logits: Vec<f32>,
    deepest: usize,
}

impl<G: Game<Move: Copy>, E: Evaluate<G>> MctsPlayer<G, E> {
    /// A player with this evaluation.
    pub fn new(evaluator: E, config: MctsConfig) -> Self {
        MctsPlayer {
            evaluator,
            config,
            tree: Vec::new(),
            line: Line::default(),
            bytes_used: 0,
            nodes: 0,
            path: Vec::new(),
            moves: Vec::new(),
            logits: Vec::new(),
            deepest: 0,
        }
    }

    /// The shares after a search of `visits` visits; those of the result if the game is over.
    #[must_use]
    pub fn shares_after(&mut self, situation: &Situation<G>, visits: u64) -> Shares {
        if let Some(outcome) = situation.outcome() {
            return visit::shares_of(&outcome, situation.position().seats());
        }
        self.begin(situation);
        for _ in 0..visits {
            if self.tree[0].proven.is_some() {
                break;
            }
            self.visit(situation.position());
        }
        self.mean(0)
    }

    /// The mean shares of a position in the tree.
    fn mean(&self, at: usize) -> Shares {
        let node = &self.tree[at];
        if let Some(shares) = node.proven {
            return shares;
        }
        let visits = node.visits.max(1) as f32;
        node.sums.map(|sum| sum / visits)
    }

    /// The moves of a position in the tree, best first, with visits and shares: by the lower
    /// confidence bounds of their shares, which few visits leave wide, as in KataGo (Wu 2019).
    fn ranked(&self, at: usize) -> Vec<(usize, u32, f32)> {
        let node = &self.tree[at];
        let seat = node.seat as usize;
        let open = node.edges.iter().filter(|edge| edge.proven.is_nan());
        let most = open.map(|edge| edge.visits).max().unwrap_or(0);
        let ranked = node.edges.iter().enumerate().map(|(index, edge)| {
            let share = match edge.child {
                UNEXPANDED => edge.evaluation,
                child => self.mean(child as usize)[seat],
            };
            (edge.rank(share, most, self.config.caution), (index, edge.visits, share))
        });
        let mut ranked: Vec<(f32, (usize, u32, f32))> = ranked.collect();
        ranked.sort_by(|a, b| b.0.total_cmp(&a.0).then(b.1.1.cmp(&a.1.1)));
        ranked.into_iter().map(|(_, of_move)| of_move).collect()
    }

    /// The principal variation from a root move on.
    fn principal_variation(&self, first: usize) -> Vec<G::Move> {
        let mut line = Vec::new();
        let (mut at, mut index) = (0, first);
        loop {
            let edge = &self.tree[at].edges[index];
            line.push(edge.m);
            let Some(child) = self.tree.get(edge.child as usize) else {
                return line;
            };
            let Some((next, visits, _)) = self.ranked(edge.child as usize).first().copied() else {
                return line;
            };
            if visits == 0 || child.visits < 2 && child.proven.is_none() {
                return line;
            }
            (at, index) = (edge.child as usize, next);
        }
    }

    fn report(
        &self,
        situation: &Situation<G>,
        request: &Request<G::Move>,
        allowed: &dyn Fn(&G::Move) -> bool,
        report: &mut dyn FnMut(Report<G::Move>),
    ) -> Option<Vec<G::Move>> {
        let ranked = self.ranked(0);
        let allowed = ranked.iter().filter(|(index, ..)| allowed(&self.tree[0].edges[*index].m));
        let depth = depth_of(self.tree[0].visits.into());
        let mut best = None;
        for (number, &(index, _, share)) in allowed.take(request.multi_pv.max(1)).enumerate() {
            let line = self.principal_variation(index);
            let child = self.tree[0].edges[index].child as usize;
            let shares = if child < self.tree.len() {
                self.mean(child)
            } else {
                with_share(self.mean(0), self.tree[0].seat as usize, share)
            };
            let mut info = Info::new(depth, score_of(share), line.clone());
            info.seldepth = (self.deepest as u32).max(depth);
            info.multipv = number + 1;
            info.nodes = self.nodes;
            info.time = request.control.elapsed();
            let seats = situation.position().seats();
            info.shares = Some(shares[..seats].iter().map(|s| (s * 1e3) as u16).collect());
            info.hashfull = (self.bytes_used * 1000 / self.config.bytes.max(1)).min(1000) as u16;
            report(Report::Info(info));
            best.get_or_insert(line);
        }
        best
    }

    /// The factor of the planned time, by the best move, its share and the part of the visits that it
    /// has.
    fn scale(&self, difficulty: &mut Difficulty) -> f64 {
        let ranked = self.ranked(0);
        let Some(&(index, visits, share)) = ranked.first() else {
            return 1.0;
        };
        let all = self.tree[0].visits.max(1);
        let part = f64::from(visits.min(all)) / f64::from(all);
        difficulty.after(index as u64, value(score_of(share), 0), Some(part))
    }

    /// Whether the search has reached a limit or proven its result. `single`: only one move is legal.
    fn enough(&self, request: &Request<G::Move>, visits: u64, scale: f64, single: bool) -> bool {
        let limits = &request.limits;
        let root = &self.tree[0];
        let most = limits.depth.or(limits.mate).map(|depth| VISITS << depth.min(40));
        let settled = single && visits >= 16;
        root.proven.is_some()
            || settled
            || most.is_some_and(|most| visits >= most)
            || self.nodes >= limits.nodes.unwrap_or(u64::MAX)
            || self.bytes_used >= self.config.bytes && visits > 64 * self.tree.len() as u64
            // A visit may evaluate thousands of moves.
            || visits > 0
                && (request.control.must_stop(limits, self.nodes)
                    || request.control.past_scaled_limit(limits, scale))
    }
}

impl<G: Game<Move: Copy>, E: Evaluate<G>> Player<G> for MctsPlayer<G, E> {
    fn choose(
        &mut self,
        situation: &Situation<G>,
        request: &Request<G::Move>,
        report: &mut dyn FnMut(Report<G::Move>),
    ) -> Option<Choice<G::Move>> {
        situation.seat()?;
        self.begin(situation);
        let single = self.tree[0].edges.len() == 1;
        let any = self.tree[0].edges.iter().any(|edge| request.allows(&edge.m));
        let allowed = |m: &G::Move| !any || request.allows(m);
        if any && request.search_moves.is_some() {
            let edges = std::mem::take(&mut self.tree[0].edges);
            self.tree[0].edges = edges.into_iter().filter(|edge| allowed(&edge.m)).collect();
            self.tree[0].proven = None;
        }
        let (mut visits, mut line) = (0u64, None);
        let (mut difficulty, mut scale) = (Difficulty::default(), 1.0);
        while !self.enough(request, visits, scale, single) {
            self.visit(situation.position());
            visits += 1;
            line = None;
            // Each ply doubles the visits.
            if visits.is_power_of_two() {
                scale = self.scale(&mut difficulty);
                if visits > VISITS {
                    line = self.report(situation, request, &allowed, report);
                }
            }
        }
        let line = line.or_else(|| self.report(situation, request, &allowed, report))?;
        let mut line = line.into_iter();
        Some(Choice { best: line.next()?, ponder: line.next() })
    }

    fn new_game(&mut self) {
        self.tree = Vec::new();
    }
}

/// These shares where one seat has another: what is left belongs to the others in proportion.
fn with_share(mut shares: Shares, seat: usize, share: f32) -> Shares {
    let others: f32 = shares.iter().sum::<f32>() - shares[seat];
    if others > 0.0 {
        shares.iter_mut().for_each(|other| *other *= (1.0 - share) / others);
        shares[seat] = share;
    }
    shares
}

/// A share as a score.
fn score_of(share: f32) -> Score {
    let share = f64::from(share);
    if share <= 0.0 || share >= 1.0 {
        return Score::Cp(if share <= 0.0 { -9_999 } else { 9_999 });
    }
    let logit = SCALE * libm::log(share / (1.0 - share));
    Score::Cp(libm::round(logit).clamp(-9_999.0, 9_999.0) as i32)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moves_are_ranked_by_what_their_share_is_at_least() {
        let edge = |visits, proven| Edge { child: 1, visits, proven, ..Edge::new((), 0.5, 0.3) };
        let open = |share, visits| edge(visits, f32::NAN).rank(share, 800, 0.5);
        let proven = |share| edge(3, share).rank(share, 800, 0.5);
        let unvisited = |share| Edge::new((), 0.5, share).rank(share, 800, 0.5);
        // Half of 0.4 / sqrt(100) below the mean.
        assert!((open(0.2, 100) - 0.18).abs() < 1e-6);
        let best_first = [
            proven(1.0),
            open(0.6, 400),
            proven(0.55),
            open(0.56, 100), // 0.535
            open(0.54, 800), // 0.531
            open(0.01, 100),
            open(0.9, 99), // too few visits
            open(0.8, 1),
            unvisited(0.9),
            unvisited(0.2),
            proven(0.0),
        ];
        assert!(best_first.is_sorted_by(|a, b| a > b), "{best_first:?}");
        // Where all that was visited is proven, an evaluation counts.
        let only = |share| Edge::new((), 0.5, share).rank(share, 0, 0.5);
        assert!(only(0.6) > proven(0.5) && proven(0.5) > only(0.4) && only(0.0) > proven(0.0));
    }

    #[test]
    fn a_depth_is_begun_by_the_first_visit_after_the_one_before() {
        let depths = [0, 1, 127, 128, 129, 256, 257].map(depth_of);
        assert_eq!(depths, [1, 1, 1, 1, 2, 2, 3]);
        assert!((1..20).all(|depth| depth_of(VISITS << depth) == depth));
    }
}
