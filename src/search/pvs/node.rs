//! The search of one position.

use super::list::Due;
use super::worker::{After, FREE, Node, Searched, Stopped, Worker};
use crate::game::Game;
use crate::search::SearchHints;
use crate::search::ordering::Listed;
use crate::search::value::{MATE_BOUND, MAX_PLY, Value, WIN, is_proved};

/// What a finished loop over the moves of a position knows.
pub(super) struct Best<M> {
    pub value: Value,
    pub found: Option<(M, u16)>,
    pub hangs_on: i32,
}

impl<G: Game<Move: Copy>, E: SearchHints<G>> Worker<G, E> {
    /// The value of a child for the seat of its parent. The sign comes from the seats.
    pub(super) fn child<const PV: bool>(
        &mut self,
        seat: crate::game::Seat,
        child: &Node<G>,
        depth: i32,
        alpha: Value,
        beta: Value,
    ) -> Searched {
        if child.seat == seat {
            self.node::<PV>(child, depth, alpha, beta)
        } else {
            Ok(-self.node::<PV>(child, depth, -beta, -alpha)?)
        }
    }

    /// The value of a position for its seat, searched to a depth; outside the window a bound.
    pub(super) fn node<const PV: bool>(
        &mut self,
        node: &Node<G>,
        mut depth: i32,
        mut alpha: Value,
        mut beta: Value,
    ) -> Searched {
        if PV {
            self.pv[node.ply].clear();
        }
        if self.is_extended(node) {
            depth += 1;
        }
        if depth <= 0 {
            return self.quiescence::<PV>(node, alpha, beta, 0);
        }
        self.hangs_on = FREE;
        if node.ply >= MAX_PLY {
            return Ok(self.evaluate(node));
        }
        // Nothing can be won or lost sooner than by the next move.
        alpha = alpha.max(node.ply as Value + 1 - WIN);
        beta = beta.min(WIN - node.ply as Value - 1);
        if alpha >= beta {
            return Ok(alpha);
        }
        let entry = self.probe(node);
        if let (false, Some(entry)) = (PV, &entry)
            && let Some(value) = self.cut_by_table(node, entry, depth, alpha, beta)
        {
            return Ok(value);
        }
        if let Some(value) = self.cut_by_knowledge(node, alpha, beta) {
            return Ok(value);
        }
        // A position that must answer a threat is not judged as it stands.
        let kept = entry.and_then(|entry| entry.evaluation);
        let evaluation =
            if self.is_forced(node) { None } else { kept.or_else(|| Some(self.evaluate(node))) };
        let tag = entry.map_or(0, |entry| entry.tag);
        if !PV
            && let Some(evaluation) = evaluation
            && let Some(value) = self.cut_by_evaluation(node, evaluation, depth, alpha, beta)?
        {
            return Ok(value);
        }
        let internal_iterative_reduction = self.config.internal_iterative_reduction;
        if tag == 0 && internal_iterative_reduction > 0 && depth >= internal_iterative_reduction {
            depth -= 1;
        }
        let best = self.loop_moves::<PV>(node, depth, alpha, beta, evaluation, tag)?;
        self.keep(node, &best, depth, alpha, beta, evaluation);
        self.hangs_on = if best.hangs_on >= node.ply as i32 { FREE } else { best.hangs_on };
        Ok(best.value)
    }

    /// Whether the seat to move has so few answers that they are searched deeper.
    fn is_extended(&self, node: &Node<G>) -> bool {
        let most = self.config.extensions;
        most > 0
            && (node.ply as i32) < 2 * self.root_depth
            && self.is_forced(node)
            && node.position.count_moves() <= most as u64
    }

    fn loop_moves<const PV: bool>(
        &mut self,
        node: &Node<G>,
        depth: i32,
        mut alpha: Value,
        beta: Value,
        evaluation: Option<Value>,
        tag: u16,
    ) -> Result<Best<G::Move>, Stopped> {
        let mut best = Best { value: -WIN, found: None, hangs_on: FREE };
        let first = if tag == 0 { None } else { self.evaluator.move_of_tag(&node.position, tag) };
        let start = self.moves.len();
        let mut due = Due::First;
        'moves: for index in start.. {
            let searched = (index - start) as i32;
            while index == self.moves.len() {
                let quiet = due == Due::Favourites || due == Due::Quiet;
                if due == Due::Nothing
                    || quiet
                        && !PV
                        && self.is_hopeless(0, depth, searched, evaluation, alpha, best.value)
                {
                    break 'moves;
                }
                due = self.list_more(node, tag, first, due);
            }
            let listed = self.moves.pick(index);
            if !PV
                && self.is_hopeless(listed.priority, depth, searched, evaluation, alpha, best.value)
            {
                // Those that follow are no better.
                break;
            }
            let value = match self.play(node, &listed.m, listed.slot) {
                Ok(After::End(value)) => Ok(value),
                Ok(After::Node(child)) => {
                    self.line.push(child.key);
                    let value =
                        self.value_of::<PV>(node, &child, &listed, depth, searched, alpha, beta);
                    self.line.pop();
                    value
                }
                Err(stopped) => Err(stopped),
            };
            let value = match value {
                Ok(value) => value,
                Err(stopped) => {
                    self.moves.truncate(start);
                    return Err(stopped);
                }
            };
            best.hangs_on = best.hangs_on.min(self.hangs_on);
            if value > best.value {
                best.value = value;
                if value > alpha {
                    best.found = Some((listed.m, listed.tag));
                    if PV {
                        self.extend_pv(node.ply, listed.m);
                    }
                    if value >= beta {
                        best.hangs_on = self.hangs_on;
                        self.learn(node, start, index, depth);
                        break;
                    }
                    alpha = value;
                }
            }
        }
        self.moves.truncate(start);
        Ok(best)
    }

    /// Whether a late quiet move is not worth searching; where a threat must be answered, there is
    /// no evaluation, and every move is. Never the only thing between the mover and a loss: a lost
    /// value must be a proof.
    #[inline]
    fn is_hopeless(
        &self,
        priority: i8,
        depth: i32,
        searched: i32,
        evaluation: Option<Value>,
        alpha: Value,
        best: Value,
    ) -> bool {
        let Some(evaluation) = evaluation else {
            return false;
        };
        if searched == 0
            || best <= -MATE_BOUND
            || is_proved(alpha)
            || i32::from(priority) > self.config.prune_priority
        {
            return false;
        }
        let config = &self.config;
        if depth <= config.late_move_pruning_depth
            && searched
                >= config.late_move_pruning_base
                    + depth * depth * config.late_move_pruning_slope / 4
        {
            return true;
        }
        config.futility > 0
            && depth <= config.futility_depth
            && evaluation + config.futility * (depth + 1) <= alpha
    }

    /// The value of a move that leads to a position to be searched.
    #[allow(clippy::too_many_arguments)]
    pub(super) fn value_of<const PV: bool>(
        &mut self,
        node: &Node<G>,
        child: &Node<G>,
        listed: &Listed<G::Move>,
        depth: i32,
        searched: i32,
        alpha: Value,
        beta: Value,
    ) -> Searched {
        if PV && searched == 0 {
            return self.child::<true>(node.seat, child, depth - 1, alpha, beta);
        }
        if PV {
            self.pv[child.ply].clear();
        }
        let reduction = self.reduction::<PV>(node, child, listed, depth, searched);
        let mut value =
            self.child::<false>(node.seat, child, depth - 1 - reduction, alpha, alpha + 1)?;
        if value > alpha && reduction > 0 {
            value = self.child::<false>(node.seat, child, depth - 1, alpha, alpha + 1)?;
        }
        if PV && value > alpha && value < beta {
            value = self.child::<true>(node.seat, child, depth - 1, alpha, beta)?;
        }
        Ok(value)
    }

    #[inline]
    fn reduction<const PV: bool>(
        &self,
        node: &Node<G>,
        child: &Node<G>,
        listed: &Listed<G::Move>,
        depth: i32,
        searched: i32,
    ) -> i32 {
        let late = searched >= if PV { 3 } else { 2 };
        if depth < 3 || !late || self.config.reduction_divisor == 0 {
            return 0;
        }
        let mut plies =
            i32::from(self.reductions[depth.min(63) as usize][searched.min(63) as usize]);
        if self.config.reduction_history > 0 {
            let history = self.memory.history(node.seat, listed.slot);
            plies -= history / self.config.reduction_history;
        }
        plies -= i32::from(PV);
        let forcing = self.config.reduction_noisy;
        if forcing != 0 && (listed.priority > 0 || self.is_forced(child) || self.is_forced(node)) {
            plies -= forcing;
        }
        plies.clamp(0, depth - 2)
    }

    /// A move cut the node off: it is good here, and those tried before it are not.
    fn learn(&mut self, node: &Node<G>, start: usize, index: usize, depth: i32) {
        let listed = self.moves.get(index);
        if listed.priority > 0 {
            return;
        }
        let bonus = (depth * depth * 16).min(2_000);
        self.memory.refuted(node.seat, node.ply, node.previous, listed.tag);
        self.memory.learn(node.seat, listed.slot, bonus);
        for earlier in start..index {
            let earlier = self.moves.get(earlier);
            if earlier.priority <= 0 {
                self.memory.learn(node.seat, earlier.slot, -bonus);
            }
        }
    }
}
