//! The root: iterative deepening, aspiration windows, several best lines, reports.

use super::node::Standing;
use super::proof::{Proof, ProofResult};
use super::root_move::{Found, RootMove, Task};
use super::worker::{After, Mode, Node, Searched, Stopped, Worker};
use crate::game::Game;
use crate::search::difficulty::Difficulty;
use crate::search::move_list::RankedMove;
use crate::search::table::Entry;
use crate::search::value::{MAX_PLY, Value, WIN, is_proven, score};
use crate::search::{Bound, Info, Score, SearchHints};

/// The greatest depth of an iteration.
const DEEPEST: u32 = MAX_PLY as u32 - 40;

/// A single legal move is searched for at most this many nodes, to report a score.
const SINGLE_NODES: u64 = 4_096;

/// How much more helper threads reduce late moves, in hundredths of a ply. Two threads were
/// measured; further helpers only have to differ.
const HELPER_REDUCTIONS: [i32; 3] = [30, 15, 45];

impl<G: Game<Move: Copy>, E: SearchHints<G>> Worker<G, E> {
    /// Searches until a limit is reached, and returns the best line.
    pub(super) fn deepen(
        &mut self,
        task: &Task<'_, G>,
        report: &mut dyn FnMut(Info<G::Move>),
    ) -> Vec<G::Move> {
        let position = task.situation.position();
        let Some(seat) = task.situation.seat() else {
            return Vec::new();
        };
        let root = self.root_node(position, seat);
        let (mut moves, single) = self.root_moves(&root, task.search_moves);
        let lines = task.multi_pv.clamp(1, moves.len().max(1));
        let limits = self.shared.limits.clone();
        let mut proof = limits.mate.filter(|_| limits.depth.is_none()).map(Proof::new);
        if task.thread > 0 {
            self.diversify(task.thread);
        }
        // Helpers search until the first thread is done, also beyond its last depth.
        let depth_limit = limits.depth.filter(|_| task.thread == 0);
        let last = depth_limit.unwrap_or(DEEPEST).min(DEEPEST);
        let keeps_lines = lines > 1 && task.multi_pv < usize::MAX;
        let mut finished = Vec::new();
        let mut reported = false;
        let mut difficulty = Difficulty::default();
        for depth in 1..=last {
            self.root_depth = depth as i32;
            reported = false;
            if self.iterate(&root, &mut moves, lines).is_err() {
                moves = after_a_cut(moves, finished, keeps_lines);
                break;
            }
            if keeps_lines {
                finished = moves[..lines].to_vec();
            }
            let mut ruled_out = false;
            if let Some(proof) = &mut proof {
                match self.continue_proof(proof, &root, &moves, depth == last) {
                    ProofResult::Won(won) => moves = won,
                    ProofResult::RuledOut => ruled_out = true,
                    ProofResult::Open => {}
                }
            }
            if task.thread > 0 {
                continue;
            }
            let scale = difficulty_of(&mut difficulty, &moves);
            let enough =
                moves.is_empty() || self.is_enough(&moves[0], depth == last, depth, single, scale);
            let enough = enough || ruled_out;
            if !single || enough {
                self.report(&moves[..lines], report);
                reported = true;
            }
            if enough {
                break;
            }
        }
        if task.thread == 0 && !reported {
            self.report_last(&root, &moves[..lines], report);
        }
        let Some(best) = moves.first() else {
            return Vec::new();
        };
        best.found.as_ref().map_or_else(|| vec![best.ranked.m], |found| found.line.clone())
    }

    /// Lazy SMP: a helper reduces late moves more than the first thread, so that it searches ahead
    /// of it in a slightly different tree and fills the table with entries that the first will need.
    fn diversify(&mut self, thread: usize) {
        let more = HELPER_REDUCTIONS[(thread - 1) % HELPER_REDUCTIONS.len()];
        let mut config = self.config.clone();
        config.reduction_base += more;
        self.set_config(config);
    }

    /// The moves of the root in the order they are first searched, and whether only one is legal.
    fn root_moves(
        &mut self,
        root: &Node<G>,
        allowed: Option<&[G::Move]>,
    ) -> (Vec<RootMove<G::Move>>, bool) {
        let tag = self.probe_table(root.key).map_or(0, |entry| entry.tag);
        self.moves.truncate(0);
        self.list_all(root, tag, None);
        let single = self.moves.len() == 1;
        let ranked = self.moves.sorted();
        self.moves.truncate(0);
        let chosen = |m: &RankedMove<G::Move>| allowed.is_none_or(|list| list.contains(&m.m));
        let any = ranked.iter().any(chosen);
        let moves = ranked
            .iter()
            .filter(|m| !any || chosen(m))
            .map(|m| RootMove { ranked: *m, value: -WIN, found: None, nodes: 0 })
            .collect();
        (moves, single)
    }

    /// One iteration: the best `lines` moves, each the best of those that remain.
    pub(super) fn iterate(
        &mut self,
        root: &Node<G>,
        moves: &mut [RootMove<G::Move>],
        lines: usize,
    ) -> Result<(), Stopped> {
        for m in moves.iter_mut() {
            m.nodes = 0;
        }
        // Where every move is a line, none has to be shown worse than another: each is searched alone.
        let alone = lines == moves.len();
        for index in 0..lines {
            let end = if alone { index + 1 } else { moves.len() };
            let last = moves[index].found_value();
            let mut delta = self.config.aspiration;
            let (mut alpha, mut beta) = match (&self.mode, last) {
                (Mode::Proof { plies, .. }, _) => (WIN - *plies as Value - 1, WIN),
                (Mode::Play, Some(last))
                    if delta > 0 && self.root_depth > 3 && !is_proven(last) =>
                {
                    (last - delta, last + delta)
                }
                (Mode::Play, _) => (-WIN, WIN),
            };
            loop {
                let value = self.search_root(root, &mut moves[index..end], alpha, beta)?;
                moves[index..end].sort_by_key(|m| std::cmp::Reverse(m.value));
                delta = delta.saturating_mul(2);
                if value <= alpha && alpha > -WIN && matches!(self.mode, Mode::Play) {
                    beta = (alpha + beta) / 2;
                    alpha = if delta > 1_000 || is_proven(value) { -WIN } else { value - delta };
                } else if value >= beta && beta < WIN {
                    beta = if delta > 1_000 || is_proven(value) { WIN } else { value + delta };
                } else {
                    break;
                }
            }
            if index == 0 && moves.len() > 1 {
                self.store_root_move(root, &moves[0]);
            }
        }
        moves[..lines].sort_by_key(|m| std::cmp::Reverse(m.value));
        Ok(())
    }

    fn store_root_move(&self, root: &Node<G>, best: &RootMove<G::Move>) {
        // Only the move: the value may leave out root moves, or depend on the game so far.
        let entry = Entry { tag: best.ranked.tag, value: None, evaluation: None, depth: 0 };
        self.store_entry(root.key, entry);
    }

    fn search_root(
        &mut self,
        root: &Node<G>,
        moves: &mut [RootMove<G::Move>],
        mut alpha: Value,
        beta: Value,
    ) -> Searched {
        let mut best = -WIN;
        for m in moves.iter_mut() {
            m.value = -WIN;
        }
        let mut child = root.clone();
        for (number, m) in moves.iter_mut().enumerate() {
            let before = self.nodes;
            let value = match self.play(root, &m.ranked, &mut child, true)? {
                After::End(value) => value,
                After::Node => {
                    self.line.push(child.key);
                    let depth = self.root_depth;
                    let standing =
                        Standing { searched: number as i32, variants: 0, improving: true };
                    let value = self
                        .search_move::<true>(root, &child, &m.ranked, depth, standing, alpha, beta);
                    self.line.pop();
                    value?
                }
            };
            m.nodes += self.nodes - before;
            best = best.max(value);
            if number == 0 || value > alpha {
                m.value = value;
            }
            if value > alpha {
                let mut line = vec![m.ranked.m];
                if value < beta {
                    line.extend_from_slice(&self.pv[1]);
                }
                m.found = Some(Found { value, line, depth: self.root_depth as u32 });
                alpha = value;
                if value >= beta {
                    break;
                }
            }
        }
        Ok(best)
    }

    /// Whether this iteration is the last. On a clock, the planned time is multiplied by `scale`.
    fn is_enough(
        &self,
        best: &RootMove<G::Move>,
        is_last: bool,
        depth: u32,
        single: bool,
        scale: f64,
    ) -> bool {
        let (limits, control) = (&self.shared.limits, &self.shared.control);
        let value = best.found_value().unwrap_or(0);
        let Score::Mate(plies) = score(value) else {
            return is_last
                || control.past_scaled_limit(limits, scale)
                || single && self.nodes > SINGLE_NODES;
        };
        let found = limits.mate.is_some_and(|most| plies > 0 && plies as u32 <= most);
        // With a clock: once the depth has reached the length of a proven win, no win is shorter.
        let timed = limits.soft.is_some() && !control.pondering();
        let settled = timed && depth >= plies.unsigned_abs();
        is_last || found || settled || single || control.past_scaled_limit(limits, scale)
    }

    fn info(&self, found: &Found<G::Move>) -> Info<G::Move> {
        let mut info = Info::new(found.depth, score(found.value), found.line.clone());
        info.seldepth = (self.deepest as u32).max(found.depth);
        info.nodes = self.all_nodes();
        info.hashfull = self.shared.table.permille_full();
        info.time = self.shared.control.elapsed();
        info.bound = Bound::Exact;
        info
    }

    fn report(&self, moves: &[RootMove<G::Move>], report: &mut dyn FnMut(Info<G::Move>)) {
        for (index, found) in moves.iter().filter_map(|m| m.found.as_ref()).enumerate() {
            report(Info { multipv: index + 1, ..self.info(found) });
        }
    }

    /// Reports when the search ended in the middle of an iteration, or before the first.
    fn report_last(
        &self,
        root: &Node<G>,
        moves: &[RootMove<G::Move>],
        report: &mut dyn FnMut(Info<G::Move>),
    ) {
        match moves.first() {
            Some(best) if best.found.is_none() => {
                let line = vec![best.ranked.m];
                report(self.info(&Found { value: self.evaluate(root), line, depth: 0 }));
            }
            _ => self.report(moves, report),
        }
    }
}

/// The root moves, best first, after an iteration that was cut.
fn after_a_cut<M>(
    mut moves: Vec<RootMove<M>>,
    finished: Vec<RootMove<M>>,
    keeps_lines: bool,
) -> Vec<RootMove<M>> {
    // The lines of a cut iteration are of two depths and do not compare. In the first there is one.
    if keeps_lines && !finished.is_empty() {
        return finished;
    }
    let value = |m: &RootMove<M>| if keeps_lines { m.found_value() } else { Some(m.value) };
    moves.sort_by_key(|m| std::cmp::Reverse(value(m)));
    moves
}

/// The factor of the planned time after an iteration.
fn difficulty_of<M>(difficulty: &mut Difficulty, moves: &[RootMove<M>]) -> f64 {
    let Some(best) = moves.first() else {
        return 1.0;
    };
    let all: u64 = moves.iter().map(|m| m.nodes).sum();
    let share = best.nodes as f64 / all.max(1) as f64;
    difficulty.after(u64::from(best.ranked.tag), best.value, Some(share))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The factor of the time after iterations of two moves, the best first: the tag of the best, and
    /// the nodes of both.
    fn factor_after(iterations: &[(u16, [u64; 2])]) -> f64 {
        let (mut difficulty, mut factor) = (Difficulty::default(), 0.0);
        for (tag, [best, other]) in iterations {
            let moves = [(*tag, *best), (*tag + 1, *other)].map(|(tag, nodes)| {
                let ranked = RankedMove { m: tag, tag, slot: 0, priority: 0 };
                RootMove { ranked, value: 30, found: None, nodes }
            });
            factor = difficulty_of(&mut difficulty, &moves);
        }
        factor
    }

    #[test]
    fn the_more_nodes_the_best_move_took_the_less_time_it_takes() {
        let factors = [100, 500, 900].map(|nodes| factor_after(&[(5, [nodes, 1_000 - nodes])]));
        assert!(factors.is_sorted_by(|a, b| a > b), "{factors:?}");
    }

    #[test]
    fn another_best_move_takes_more_time() {
        let nodes = [500, 500];
        let [same, other] = [5, 7].map(|tag| factor_after(&[(5, nodes), (tag, nodes)]));
        assert!(other > same, "{other} {same}");
    }
}
