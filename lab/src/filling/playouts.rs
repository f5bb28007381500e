//! A rival that knows only the rules: tree search by PUCT with random playouts, all priors equal, for
//! two players.

use parlor::game::{Game, Random, Situation};
use parlor::games::chevrons::filling::{Kind, Move, Position};
use parlor::search::{Choice, Player, Report, Request};

/// The weight of exploration.
const EXPLORATION: f64 = 1.5;

struct Node<K> {
    position: Position<K>,
    moves: Vec<Move>,
    /// The position after each move, 0 where it was not visited.
    children: Vec<usize>,
    visits: f64,
    /// Points of the first seat.
    points: f64,
}

/// The rival.
pub struct Playouts<K> {
    random: Random,
    tree: Vec<Node<K>>,
}

impl<K: Kind> Playouts<K> {
    /// With random numbers from a seed.
    pub fn new(seed: u64) -> Self {
        Playouts { random: Random::new(seed), tree: Vec::new() }
    }

    fn add(&mut self, position: Position<K>) -> usize {
        let moves = position.moves();
        let children = vec![0; moves.len()];
        self.tree.push(Node { position, moves, children, visits: 0.0, points: 0.0 });
        self.tree.len() - 1
    }

    fn visit(&mut self) {
        let (mut at, mut path) = (0, vec![0]);
        while let Some(choice) = self.select(at) {
            let known = self.tree[at].children[choice];
            if known == 0 {
                let mut next = self.tree[at].position.clone();
                next.play(&self.tree[at].moves[choice]);
                let child = self.add(next);
                self.tree[at].children[choice] = child;
                path.push(child);
                break;
            }
            at = known;
            path.push(at);
        }
        let last = path.last().copied().unwrap_or(0);
        let points = self.playout(last);
        for at in path {
            self.tree[at].visits += 1.0;
            self.tree[at].points += points;
        }
    }

    /// The move with the greatest upper bound.
    fn select(&self, at: usize) -> Option<usize> {
        let node = &self.tree[at];
        let first = node.position.turn().seat()?.index() == 0;
        let prior = 1.0 / node.moves.len() as f64;
        let bound = |child: usize| {
            let known = Some(&self.tree[child]).filter(|_| child != 0);
            let visits = known.map_or(0.0, |child| child.visits);
            let mean = known.map_or(0.5, |child| child.points / child.visits.max(1.0));
            let value = if first { mean } else { 1.0 - mean };
            value + EXPLORATION * prior * (node.visits + 1.0).sqrt() / (1.0 + visits)
        };
        let bounds = node.children.iter().map(|child| bound(*child)).enumerate();
        bounds.max_by(|a, b| a.1.total_cmp(&b.1)).map(|(index, _)| index)
    }

    fn playout(&mut self, at: usize) -> f64 {
        let mut position = self.tree[at].position.clone();
        while let Some(m) = position.random_move(&mut self.random) {
            position.play(&m);
        }
        let points = position.points().unwrap_or_default();
        (1.0 + (points[0] - points[1]).signum() as f64) / 2.0
    }
}

impl<K: Kind> Player<Position<K>> for Playouts<K> {
    fn choose(
        &mut self,
        situation: &Situation<Position<K>>,
        request: &Request<Move>,
        _: &mut dyn FnMut(Report<Move>),
    ) -> Option<Choice<Move>> {
        self.tree.clear();
        self.add(situation.position().clone());
        let mut visits = 0;
        while visits < 2 || !request.control.must_stop(&request.limits, visits) {
            self.visit();
            visits += 1;
        }
        let root = self.tree.first()?;
        let visits = |child: &usize| if *child == 0 { 0.0 } else { self.tree[*child].visits };
        let best = root.children.iter().map(visits).enumerate();
        let (best, _) = best.max_by(|a, b| a.1.total_cmp(&b.1))?;
        Some(Choice { best: root.moves[best], ponder: None })
    }
}
