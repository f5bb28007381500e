//! The search of one position.

use std::ops::ControlFlow;

use super::worker::{After, FREE, Node, Searched, Worker};
use crate::game::Game;
use crate::search::ordering::{Listed, Place};
use crate::search::table::Entry;
use crate::search::value::{self, LIMIT, MAX_PLY, PROVED, Value, WIN, is_proved};
use crate::search::{Bound, MoveHint, SearchHints};

/// What a finished loop over the moves of a position knows.
struct Best<M> {
    value: Value,
    found: Option<(M, u16)>,
    hangs_on: i32,
}

impl<G: Game<Move: Copy>, E: SearchHints<G>> Worker<G, E> {
    /// The value of a child for the seat of its parent. The sign comes from the seats.
    pub(super) fn child<const PV: bool>(
        &mut self,
        seat: crate::game::Seat,
        child: &Node<G, E::Acc>,
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
        node: &Node<G, E::Acc>,
        mut depth: i32,
        mut alpha: Value,
        mut beta: Value,
    ) -> Searched {
        if PV {
            self.pv[node.ply].clear();
        }
        if node.forced && self.is_extended(node) {
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
            if node.forced { None } else { kept.or_else(|| Some(self.evaluate(node))) };
        let tag = entry.map_or(0, |entry| entry.tag);
        if !PV
            && let Some(evaluation) = evaluation
            && let Some(value) = self.cut_by_evaluation(node, evaluation, depth, alpha, beta)?
        {
            return Ok(value);
        }
        let reduce_unknown = self.config.reduce_unknown;
        if tag == 0 && reduce_unknown > 0 && depth >= reduce_unknown {
            depth -= 1;
        }
        let best = self.loop_moves::<PV>(node, depth, alpha, beta, evaluation, tag)?;
        self.keep(node, &best, depth, alpha, beta, evaluation);
        self.hangs_on = if best.hangs_on >= node.ply as i32 { FREE } else { best.hangs_on };
        Ok(best.value)
    }

    /// Whether the seat to move has so few answers that they are searched deeper.
    fn is_extended(&self, node: &Node<G, E::Acc>) -> bool {
        let most = self.config.extensions;
        most > 0
            && (node.ply as i32) < 2 * self.root_depth
            && node.position.count_moves() <= most as u64
    }

    fn probe(&self, node: &Node<G, E::Acc>) -> Option<Entry> {
        if node.stained && !self.config.deeper_entries {
            return None;
        }
        self.shared.table.probe(node.key)
    }

    /// Keeps what was found, unless it hangs on the line above.
    fn keep(
        &self,
        node: &Node<G, E::Acc>,
        best: &Best<G::Move>,
        depth: i32,
        alpha: Value,
        beta: Value,
        evaluation: Option<Value>,
    ) {
        if node.stained && !self.config.deeper_entries {
            return;
        }
        let bound = match best.value {
            value if value >= beta => Bound::Lower,
            value if value > alpha => Bound::Exact,
            _ => Bound::Upper,
        };
        let ply = node.ply as Value;
        let from_here = match best.value {
            value if value > LIMIT => value + ply,
            value if value < -LIMIT => value - ply,
            value => value,
        };
        let tag = best.found.filter(|_| bound != Bound::Upper).map_or(0, |(_, tag)| tag);
        let value = (best.hangs_on >= node.ply as i32).then_some((from_here, bound));
        if value.is_some() || tag != 0 {
            let entry = Entry { tag, value, evaluation, depth };
            self.shared.table.store(node.key, entry);
        }
    }

    fn cut_by_table(
        &mut self,
        node: &Node<G, E::Acc>,
        entry: &Entry,
        depth: i32,
        alpha: Value,
        beta: Value,
    ) -> Option<Value> {
        let deep =
            if self.config.deeper_entries { entry.depth >= depth } else { entry.depth == depth };
        let (kept, bound) = entry.value.filter(|_| deep)?;
        let ply = node.ply as Value;
        let value = match kept {
            kept if kept > LIMIT => (kept - ply).max(PROVED),
            kept if kept < -LIMIT => (kept + ply).min(-PROVED),
            kept => kept,
        };
        let cuts = match bound {
            Bound::Exact => true,
            Bound::Lower => value >= beta,
            Bound::Upper => value <= alpha,
        };
        // A value better than a repetition may be gone if its move repeats a position here.
        let repeats = value > 0 && bound != Bound::Upper && self.tag_repeats(node, entry.tag);
        (cuts && !repeats).then_some(value)
    }

    /// Whether the move with a tag leads to a position that has stood on this line or in the game.
    fn tag_repeats(&self, node: &Node<G, E::Acc>, tag: u16) -> bool {
        let Some(m) = self.evaluator.move_of_tag(&node.position, tag) else {
            return false;
        };
        let mut next = node.position.clone();
        next.play(&m);
        let earlier = self.line.earlier(next.key());
        earlier.on_line + earlier.in_game > 0 && next.repetition().is_some()
    }

    fn cut_by_knowledge(&self, node: &Node<G, E::Acc>, alpha: Value, beta: Value) -> Option<Value> {
        if !self.config.known {
            return None;
        }
        let known = self.evaluator.known(&node.position)?;
        let value = value::value(known.score, node.ply);
        match known.bound {
            Bound::Exact => Some(value),
            Bound::Lower => (value >= beta).then_some(value),
            Bound::Upper => (value <= alpha).then_some(value),
        }
    }

    /// Reverse futility and null move: positions so good that a move will hardly spoil them.
    fn cut_by_evaluation(
        &mut self,
        node: &Node<G, E::Acc>,
        evaluation: Value,
        depth: i32,
        alpha: Value,
        beta: Value,
    ) -> Result<Option<Value>, super::worker::Stopped> {
        if is_proved(beta) || is_proved(alpha) {
            return Ok(None);
        }
        let margin = self.config.reverse_futility * depth;
        if margin > 0 && depth <= self.config.reverse_futility_depth && evaluation - margin >= beta
        {
            return Ok(Some(evaluation - margin));
        }
        if self.config.null_move == 0
            || depth < 2
            || evaluation < beta
            || self.null_ply == node.ply && node.ply > 0
        {
            return Ok(None);
        }
        let Some(position) = self.evaluator.null_move(&node.position) else {
            return Ok(None);
        };
        let Some(seat) = position.turn().seat().filter(|seat| *seat != node.seat) else {
            return Ok(None);
        };
        self.count()?;
        let key = position.key();
        self.shared.table.prefetch(key);
        let null = Node {
            acc: self.evaluator.fresh(&position),
            forced: self.evaluator.is_forced(&position),
            position,
            seat,
            ply: node.ply + 1,
            key,
            previous: 0,
            stained: node.stained,
        };
        let reduced = depth - self.config.null_move - depth / 4;
        let outer = std::mem::replace(&mut self.null_ply, null.ply);
        self.line.push(key);
        let value = self.node::<false>(&null, reduced - 1, -beta, 1 - beta);
        self.line.pop();
        self.null_ply = outer;
        let value = -value?;
        // A forced end found after giving the turn away is no proof.
        Ok((value >= beta).then_some(if is_proved(value) { beta } else { value }))
    }

    /// Lists and ranks the moves of a node but one; the list begins at the returned index.
    pub(super) fn list(&mut self, node: &Node<G, E::Acc>, tag: u16, but: Option<G::Move>) -> usize {
        self.plain.clear();
        let plain = &mut self.plain;
        let _ = node.position.for_each_move::<()>(|m| {
            if but.as_ref() != Some(&m) {
                plain.push(m);
            }
            ControlFlow::Continue(())
        });
        self.rank_plain(node, tag)
    }

    /// Ranks the moves in `plain`.
    pub(super) fn rank_plain(&mut self, node: &Node<G, E::Acc>, tag: u16) -> usize {
        let start = self.moves.len();
        self.hints.clear();
        self.hints.resize(self.plain.len(), MoveHint::QUIET);
        self.evaluator.hint_moves(&node.position, &self.plain, &mut self.hints);
        let place = Place {
            position: &node.position,
            seat: node.seat,
            ply: node.ply,
            previous: node.previous,
            first: tag,
        };
        let (moves, hints) = (&self.plain, &self.hints);
        self.memory.rank(&place, &*self.evaluator, moves, hints, &mut self.moves);
        start
    }

    fn loop_moves<const PV: bool>(
        &mut self,
        node: &Node<G, E::Acc>,
        depth: i32,
        mut alpha: Value,
        beta: Value,
        evaluation: Option<Value>,
        tag: u16,
    ) -> Result<Best<G::Move>, super::worker::Stopped> {
        let mut best = Best { value: -WIN, found: None, hangs_on: FREE };
        // The table's move is often enough: the others are listed when it is not.
        let first = if tag == 0 { None } else { self.evaluator.move_of_tag(&node.position, tag) };
        let start = match first {
            Some(m) => {
                self.plain.clear();
                self.plain.push(m);
                self.rank_plain(node, tag)
            }
            None => self.list(node, tag, None),
        };
        for index in start.. {
            let searched = (index - start) as i32;
            if index == start + 1 && first.is_some() {
                self.list(node, tag, first);
            }
            if index == self.moves.len() {
                break;
            }
            let listed = self.moves.pick(index);
            if !PV
                && self.is_hopeless(node, &listed, depth, searched, evaluation, alpha, best.value)
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

    /// Whether a late quiet move is not worth searching. Never the only thing between the mover
    /// and a loss: a lost value must be a proof.
    #[inline]
    #[allow(clippy::too_many_arguments)]
    fn is_hopeless(
        &self,
        node: &Node<G, E::Acc>,
        listed: &Listed<G::Move>,
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
            || node.forced
            || best <= -PROVED
            || is_proved(alpha)
            || i32::from(listed.stage) > self.config.prune_stage
        {
            return false;
        }
        let config = &self.config;
        if depth <= config.late_move_depth
            && searched >= config.late_moves + depth * depth * config.late_moves_slope / 4
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
        node: &Node<G, E::Acc>,
        child: &Node<G, E::Acc>,
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
        node: &Node<G, E::Acc>,
        child: &Node<G, E::Acc>,
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
        if child.forced || node.forced || listed.stage > 0 {
            plies -= self.config.reduction_forcing;
        }
        plies.clamp(0, depth - 2)
    }

    /// A move cut the node off: it is good here, and those tried before it are not.
    fn learn(&mut self, node: &Node<G, E::Acc>, start: usize, index: usize, depth: i32) {
        let listed = self.moves.get(index);
        if listed.stage > 0 {
            return;
        }
        let bonus = (depth * depth * 16).min(2_000);
        self.memory.refuted(node.seat, node.ply, node.previous, listed.tag);
        self.memory.learn(node.seat, listed.slot, bonus);
        for earlier in start..index {
            let earlier = self.moves.get(earlier);
            if earlier.stage <= 0 {
                self.memory.learn(node.seat, earlier.slot, -bonus);
            }
        }
    }
}
