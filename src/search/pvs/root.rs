//! The root: depth after depth, windows, several best lines, what is reported.

use super::worker::{After, Node, Searched, Stopped, Worker};
use crate::game::{Game, Situation};
use crate::search::ordering::Listed;
use crate::search::table::Entry;
use crate::search::value::{MAX_PLY, Value, WIN, is_proved, score};
use crate::search::{Bound, Info, Score, SearchHints};

/// Iterations end here at the latest.
const DEEPEST: u32 = MAX_PLY as u32 - 40;

/// A single legal move is looked at no longer than this, to have a score to show.
const SINGLE_NODES: u64 = 4_096;

/// How much more helpers reduce late moves, in hundredths of a ply: the first was measured, those
/// beyond differ from it.
const HELPERS_REDUCE: [i32; 3] = [30, 15, 45];

/// A move of the root and what is known of it.
#[derive(Clone)]
pub(super) struct RootMove<M> {
    listed: Listed<M>,
    /// Its value in this iteration; `-WIN` while it has none, or for a move behind a better one.
    value: Value,
    /// Its value and line when last both were exact.
    exact: Option<(Value, Vec<M>)>,
}

/// What a thread is to do at the root.
pub(super) struct Task<'a, G: Game> {
    pub situation: &'a Situation<G>,
    pub search_moves: Option<&'a [G::Move]>,
    pub multi_pv: usize,
    /// The number of the thread; 0 reports.
    pub thread: usize,
}

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
        // A proof is first sought the quick way, then by searching everything.
        let proof = limits.mate.filter(|_| limits.depth.is_none());
        if task.thread > 0 {
            self.help(task.thread);
        }
        // Helpers work until the first thread is done, beyond its last depth if they come so far.
        let depth_limit = limits.depth.filter(|_| task.thread == 0);
        let last = depth_limit.or(proof.map(|plies| 2 * plies)).unwrap_or(DEEPEST).min(DEEPEST);
        let mut completed = 0;
        let mut reported = false;
        for step in 1..=last {
            let mut depth = step;
            if let Some(plies) = proof.filter(|plies| step > *plies) {
                depth -= plies;
                self.prove(plies);
            }
            self.root_depth = depth as i32;
            reported = false;
            if self.iterate(&root, &mut moves, lines).is_err() {
                break;
            }
            completed = depth;
            if task.thread > 0 {
                continue;
            }
            let enough = moves.is_empty() || self.is_enough(&moves[0], step == last, depth, single);
            if !single || enough {
                self.report(&moves[..lines], depth, report);
                reported = true;
            }
            if enough {
                break;
            }
        }
        moves.sort_by_key(|m| std::cmp::Reverse(m.value));
        if task.thread == 0 && !reported {
            self.report_last(&root, &moves[..lines], completed.max(1), report);
        }
        let Some(best) = moves.first() else {
            return Vec::new();
        };
        let line = best.exact.as_ref().map(|(_, line)| line.clone());
        line.unwrap_or_else(|| vec![best.listed.m])
    }

    /// A helper reduces late moves more than the first thread: it works ahead of it, in a tree a
    /// little different, and fills the table with what that will need.
    fn help(&mut self, thread: usize) {
        let more = HELPERS_REDUCE[(thread - 1) % HELPERS_REDUCE.len()];
        let mut config = self.config.clone();
        config.reduction_base += more;
        self.use_config(config);
    }

    /// The moves of the root in the order they are first searched, and whether only one is legal.
    fn root_moves(
        &mut self,
        root: &Node<G>,
        allowed: Option<&[G::Move]>,
    ) -> (Vec<RootMove<G::Move>>, bool) {
        let tag = self.look_up(root.key).map_or(0, |entry| entry.tag);
        self.moves.truncate(0);
        self.list(root, tag, None);
        let single = self.moves.len() == 1;
        let listed = self.moves.sorted();
        self.moves.truncate(0);
        let chosen = |m: &Listed<G::Move>| allowed.is_none_or(|list| list.contains(&m.m));
        let any = listed.iter().any(chosen);
        let moves = listed
            .iter()
            .filter(|m| !any || chosen(m))
            .map(|m| RootMove { listed: *m, value: -WIN, exact: None })
            .collect();
        (moves, single)
    }

    /// One iteration: the best `lines` moves, each the best of those that remain.
    fn iterate(
        &mut self,
        root: &Node<G>,
        moves: &mut [RootMove<G::Move>],
        lines: usize,
    ) -> Result<(), Stopped> {
        for index in 0..lines {
            let last = moves[index].exact.as_ref().map(|(value, _)| *value);
            let mut delta = self.config.aspiration;
            let (mut alpha, mut beta) = match last {
                _ if self.proving.is_some() => (WIN - self.proving.unwrap_or(0) as Value - 1, WIN),
                Some(last) if delta > 0 && self.root_depth > 3 && !is_proved(last) => {
                    (last - delta, last + delta)
                }
                _ => (-WIN, WIN),
            };
            loop {
                let value = self.search_root(root, &mut moves[index..], alpha, beta)?;
                moves[index..].sort_by_key(|m| std::cmp::Reverse(m.value));
                delta = delta.saturating_mul(2);
                if value <= alpha && alpha > -WIN && self.proving.is_none() {
                    beta = (alpha + beta) / 2;
                    alpha = if delta > 1_000 || is_proved(value) { -WIN } else { value - delta };
                } else if value >= beta && beta < WIN {
                    beta = if delta > 1_000 || is_proved(value) { WIN } else { value + delta };
                } else {
                    break;
                }
            }
            if index == 0 && moves.len() > 1 {
                self.keep_root(root, &moves[0]);
            }
        }
        moves[..lines].sort_by_key(|m| std::cmp::Reverse(m.value));
        Ok(())
    }

    fn keep_root(&self, root: &Node<G>, best: &RootMove<G::Move>) {
        // Only the move: the value may rest on some moves alone, or on the game so far.
        let entry = Entry { tag: best.listed.tag, value: None, evaluation: None, depth: 0 };
        self.note(root.key, entry);
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
        for (number, m) in moves.iter_mut().enumerate() {
            let value = match self.play(root, &m.listed.m, m.listed.slot)? {
                After::End(value) => value,
                After::Node(child) => {
                    self.line.push(child.key);
                    let (depth, number) = (self.root_depth, number as i32);
                    let value =
                        self.value_of::<true>(root, &child, &m.listed, depth, number, alpha, beta);
                    self.line.pop();
                    value?
                }
            };
            best = best.max(value);
            if number == 0 || value > alpha {
                m.value = value;
            }
            if value > alpha {
                if value < beta {
                    let mut line = vec![m.listed.m];
                    line.extend_from_slice(&self.pv[1]);
                    m.exact = Some((value, line));
                }
                alpha = value;
                if value >= beta {
                    break;
                }
            }
        }
        Ok(best)
    }

    /// Whether no further iteration is wanted.
    fn is_enough(&self, best: &RootMove<G::Move>, is_last: bool, depth: u32, single: bool) -> bool {
        let (limits, control) = (&self.shared.limits, &self.shared.control);
        let value = best.exact.as_ref().map_or(0, |(value, _)| *value);
        let Score::Mate(plies) = score(value) else {
            return is_last || control.enough(limits) || single && self.nodes > SINGLE_NODES;
        };
        let sought = limits.mate.is_some_and(|most| plies > 0 && plies as u32 <= most);
        // With a clock, a proof as deep as it is long will not become shorter.
        let timed = limits.soft.is_some() && !control.pondering();
        let settled = timed && depth >= plies.unsigned_abs();
        is_last || sought || settled || single || control.enough(limits)
    }

    fn info(&self, depth: u32, value: Value, pv: Vec<G::Move>) -> Info<G::Move> {
        let mut info = Info::new(depth, score(value), pv);
        info.seldepth = (self.deepest as u32).max(depth);
        info.nodes = self.all_nodes();
        info.hashfull = self.shared.table.permille_full();
        info.time = self.shared.control.elapsed();
        info.bound = Bound::Exact;
        info
    }

    fn report(
        &self,
        moves: &[RootMove<G::Move>],
        depth: u32,
        report: &mut dyn FnMut(Info<G::Move>),
    ) {
        for (index, m) in moves.iter().enumerate() {
            if let Some((value, line)) = &m.exact {
                let mut info = self.info(depth, *value, line.clone());
                info.multipv = index + 1;
                report(info);
            }
        }
    }

    /// What is known when the search has ended in the middle of an iteration, or before one.
    fn report_last(
        &self,
        root: &Node<G>,
        moves: &[RootMove<G::Move>],
        depth: u32,
        report: &mut dyn FnMut(Info<G::Move>),
    ) {
        match moves.first() {
            Some(best) if best.exact.is_none() => {
                report(self.info(0, self.evaluate(root), vec![best.listed.m]));
            }
            _ => self.report(moves, depth, report),
        }
    }
}
