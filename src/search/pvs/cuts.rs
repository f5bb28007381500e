//! Cutoffs before the moves of a position are searched: by the transposition table, by known
//! values, by the evaluation; and what is stored in the table.

use super::node::BestMove;
use super::worker::{Node, Stopped, Worker};
use crate::game::Game;
use crate::search::table::Entry;
use crate::search::value::{self, MATE_BOUND, MAX_EVALUATION, Value, is_proven};
use crate::search::{Bound, SearchHints};

impl<G: Game<Move: Copy>, E: SearchHints<G>> Worker<G, E> {
    pub(super) fn probe_node(&self, node: &Node<G>) -> Option<Entry> {
        if node.line_repeats && !self.config.deeper_entries {
            return None;
        }
        self.probe_table(node.key)
    }

    /// Stores what was found. A path-dependent value is left out (graph-history interaction).
    pub(super) fn store_node(
        &self,
        node: &Node<G>,
        best: &BestMove<G::Move>,
        depth: i32,
        alpha: Value,
        beta: Value,
        evaluation: Option<Value>,
    ) {
        if node.line_repeats && !self.config.deeper_entries {
            return;
        }
        let bound = match best.value {
            value if value >= beta => Bound::Lower,
            value if value > alpha => Bound::Exact,
            _ => Bound::Upper,
        };
        let ply = node.ply as Value;
        let from_here = match best.value {
            value if value > MAX_EVALUATION => value + ply,
            value if value < -MAX_EVALUATION => value - ply,
            value => value,
        };
        let tag = best.found.filter(|_| bound != Bound::Upper).map_or(0, |(_, tag)| tag);
        let value = (best.path_dependence >= node.ply as i32).then_some((from_here, bound));
        if value.is_some() || tag != 0 {
            let entry = Entry { tag, value, evaluation, depth };
            self.store_entry(node.key, entry);
        }
    }

    pub(super) fn cut_by_table(
        &mut self,
        node: &Node<G>,
        entry: &Entry,
        depth: i32,
        alpha: Value,
        beta: Value,
    ) -> Option<Value> {
        let deep =
            if self.config.deeper_entries { entry.depth >= depth } else { entry.depth == depth };
        let (stored, bound) = entry.value.filter(|_| deep)?;
        let ply = node.ply as Value;
        let value = match stored {
            stored if stored > MAX_EVALUATION => (stored - ply).max(MATE_BOUND),
            stored if stored < -MAX_EVALUATION => (stored + ply).min(-MATE_BOUND),
            stored => stored,
        };
        let cuts = match bound {
            Bound::Exact => true,
            Bound::Lower => value >= beta,
            Bound::Upper => value <= alpha,
        };
        // A table value may be wrong on this line (graph-history interaction): a value better than a
        // draw if its move repeats a position here, a worse one if any move does.
        let is_void = || match value {
            1.. => bound != Bound::Upper && self.tag_repeats(node, entry.tag),
            0 => false,
            _ => bound != Bound::Lower && self.has_upcoming_repetition(node),
        };
        (cuts && !is_void()).then_some(value)
    }

    /// Whether a move leads to a position that has occurred often enough to end the line.
    fn has_upcoming_repetition(&self, node: &Node<G>) -> bool {
        self.line.repeatable().any(|key| {
            let earlier = self.line.occurrences(key);
            let ends = earlier.total() >= 2 || self.config.second_occurrence && earlier.on_line > 0;
            ends && (self.null_ply == 0 || earlier.ply >= self.null_ply)
                && self.evaluator.upcoming_repetition(&node.position, node.key ^ key).is_some()
        })
    }

    /// Whether the move with a tag leads to a position that has occurred on this line or in the
    /// game.
    fn tag_repeats(&self, node: &Node<G>, tag: u16) -> bool {
        let Some(m) = self.evaluator.move_of_tag(&node.position, tag) else {
            return false;
        };
        let mut next = node.position.clone();
        next.play(&m);
        self.line.occurrences(next.key()).total() > 0 && next.repetition().is_some()
    }

    pub(super) fn cut_by_knowledge(
        &self,
        node: &Node<G>,
        alpha: Value,
        beta: Value,
    ) -> Option<Value> {
        if !self.config.known_values {
            return None;
        }
        let known = self.evaluator.known_value(&node.position)?;
        let value = value::value(known.score, node.ply);
        match known.bound {
            Bound::Exact => Some(value),
            // A proved win ends the search of a position, though there may be a shorter one.
            Bound::Lower => {
                (value >= beta || is_proven(value) && value > alpha.max(0)).then_some(value)
            }
            Bound::Upper => (value <= alpha).then_some(value),
        }
    }

    /// Reverse futility pruning and null move pruning: the evaluation is so good that some move
    /// almost certainly keeps it above beta.
    pub(super) fn cut_by_evaluation(
        &mut self,
        node: &Node<G>,
        evaluation: Value,
        depth: i32,
        alpha: Value,
        beta: Value,
        improving: bool,
    ) -> Result<Option<Value>, Stopped> {
        if is_proven(beta) || is_proven(alpha) {
            return Ok(None);
        }
        // With a risen evaluation, the margin of a ply less is enough.
        let eased = depth - i32::from(self.config.improving && improving);
        let margin = self.config.reverse_futility * eased;
        if self.config.reverse_futility > 0
            && depth <= self.config.reverse_futility_depth
            && evaluation - margin >= beta
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
        self.count_node()?;
        let key = position.key();
        let reduced = depth - self.config.null_move - depth / 4;
        if reduced > 1 {
            self.prefetch(key);
        }
        let null = Node {
            position,
            seat,
            ply: node.ply + 1,
            key,
            previous: 0,
            line_repeats: node.line_repeats,
        };
        self.copy_accumulator(node.ply);
        let outer = std::mem::replace(&mut self.null_ply, null.ply);
        self.line.push(key);
        let value = self.node::<false>(&null, reduced - 1, -beta, 1 - beta);
        self.line.pop();
        self.null_ply = outer;
        let value = -value?;
        // A forced end found after a null move is no proof.
        Ok((value >= beta).then_some(if is_proven(value) { beta } else { value }))
    }
}

#[cfg(test)]
mod tests;
