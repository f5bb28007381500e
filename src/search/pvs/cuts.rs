//! What ends the search of a position before its moves are searched: the table, what the hints
//! know, the evaluation; and what is kept in the table for the next time.

use super::node::Best;
use super::worker::{Node, Stopped, Worker};
use crate::game::Game;
use crate::search::table::Entry;
use crate::search::value::{self, MATE_BOUND, MAX_EVALUATION, Value, is_proved};
use crate::search::{Bound, SearchHints};

impl<G: Game<Move: Copy>, E: SearchHints<G>> Worker<G, E> {
    pub(super) fn probe(&self, node: &Node<G>) -> Option<Entry> {
        if node.stained && !self.config.deeper_entries {
            return None;
        }
        self.look_up(node.key)
    }

    /// Keeps what was found, unless it hangs on the line above.
    pub(super) fn keep(
        &self,
        node: &Node<G>,
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
            value if value > MAX_EVALUATION => value + ply,
            value if value < -MAX_EVALUATION => value - ply,
            value => value,
        };
        let tag = best.found.filter(|_| bound != Bound::Upper).map_or(0, |(_, tag)| tag);
        let value = (best.hangs_on >= node.ply as i32).then_some((from_here, bound));
        if value.is_some() || tag != 0 {
            let entry = Entry { tag, value, evaluation, depth };
            self.note(node.key, entry);
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
        let (kept, bound) = entry.value.filter(|_| deep)?;
        let ply = node.ply as Value;
        let value = match kept {
            kept if kept > MAX_EVALUATION => (kept - ply).max(MATE_BOUND),
            kept if kept < -MAX_EVALUATION => (kept + ply).min(-MATE_BOUND),
            kept => kept,
        };
        let cuts = match bound {
            Bound::Exact => true,
            Bound::Lower => value >= beta,
            Bound::Upper => value <= alpha,
        };
        // What the table says may be wrong on this line: a value better than a repetition if its
        // move repeats a position here, a worse one if another move does.
        let is_void = || match value {
            1.. => bound != Bound::Upper && self.tag_repeats(node, entry.tag),
            0 => false,
            _ => bound != Bound::Lower && self.can_repeat(node),
        };
        (cuts && !is_void()).then_some(value)
    }

    /// Whether a move leads to a position that has stood often enough to end the line.
    fn can_repeat(&self, node: &Node<G>) -> bool {
        self.line.returns().any(|key| {
            let earlier = self.line.earlier(key);
            let ends = earlier.in_game + earlier.on_line >= 2
                || self.config.second_occurrence && earlier.on_line > 0;
            ends && (self.null_ply == 0 || earlier.ply >= self.null_ply)
                && self.evaluator.upcoming_repetition(&node.position, node.key ^ key).is_some()
        })
    }

    /// Whether the move with a tag leads to a position that has stood on this line or in the game.
    fn tag_repeats(&self, node: &Node<G>, tag: u16) -> bool {
        let Some(m) = self.evaluator.move_of_tag(&node.position, tag) else {
            return false;
        };
        let mut next = node.position.clone();
        next.play(&m);
        let earlier = self.line.earlier(next.key());
        earlier.on_line + earlier.in_game > 0 && next.repetition().is_some()
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
            Bound::Lower => (value >= beta).then_some(value),
            Bound::Upper => (value <= alpha).then_some(value),
        }
    }

    /// Reverse futility and null move: positions so good that a move will hardly spoil them.
    pub(super) fn cut_by_evaluation(
        &mut self,
        node: &Node<G>,
        evaluation: Value,
        depth: i32,
        alpha: Value,
        beta: Value,
    ) -> Result<Option<Value>, Stopped> {
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
        self.prefetch(key);
        let null =
            Node { position, seat, ply: node.ply + 1, key, previous: 0, stained: node.stained };
        self.pass_acc(node.ply);
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
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;
    use std::sync::atomic::{AtomicBool, AtomicU64};

    use super::super::worker::{After, Shared};
    use super::*;
    use crate::game::{Notation, OptionValues, Rules, Seat, Situation};
    use crate::games::barca::{Move, Network, Position};
    use crate::search::table::Table;
    use crate::search::{Control, Limits};

    fn worker() -> Worker<Position, Network> {
        let shared = Shared {
            limits: Limits::default(),
            control: Control::default(),
            table: Arc::new(Table::new(1)),
            nodes: AtomicU64::new(0),
            halt: AtomicBool::new(false),
            threads: 1,
        };
        let config = Position::search_config();
        Worker::new(Arc::new(Network::default()), config, Arc::new(shared))
    }

    fn played(moves: &str) -> (Situation<Position>, Vec<Move>) {
        let start = Position::start(&OptionValues::default(), None).expect("the start");
        let mut situation = Situation::new(start);
        let mut made = Vec::new();
        for text in moves.split_whitespace() {
            made.push(situation.position().parse_move(text).expect("a move"));
            situation.play(&made[made.len() - 1]);
        }
        (situation, made)
    }

    /// The value of the position after `line`, searched from the position after `game`, where the
    /// table is sure that it is `kept` and `best` the best move.
    fn value_where(game: &str, line: &str, kept: Value, best: &str) -> Value {
        let (situation, made) = played(game);
        let (_, all) = played(&format!("{game} {line}"));
        let mut worker = worker();
        worker.restart(worker.shared.clone(), &situation);
        let mut node = worker.root_node(situation.position(), Seat::new(made.len() % 2));
        for m in &all[made.len()..] {
            match worker.play(&node, m, 0) {
                Ok(After::Node(child)) => node = child,
                _ => panic!("{game} + {line} is over"),
            }
            worker.line.push(node.key);
        }
        let m = node.position.parse_move(best).expect("a move");
        let tag = worker.evaluator.tag(&m);
        let value = Some((kept, Bound::Exact));
        worker.shared.table.store(node.key, Entry { tag, value, evaluation: None, depth: 40 });
        worker.node::<false>(&node, 3, -1, 0).expect("not stopped")
    }

    #[test]
    fn the_table_cannot_hide_that_a_bad_position_can_repeat_another() {
        // White returns to a position of the line, Black for the third time to the start.
        assert!(value_where("", "e2e4 e10a10 e1a1 a10e10", -90, "d2c3") >= 0);
        let twice = "e1a1 e10a10 a1e1 a10e10 e1a1 e10a10";
        assert!(value_where(twice, "a1e1", -90, "e9e8") >= 0);
        // Once is not often enough, and elsewhere the table is believed.
        assert_eq!(value_where("e1a1 e10a10", "a1e1", -90, "e9e8"), -90);
        assert_eq!(value_where("e2e4", "e10a10", -90, "e4e5"), -90);
    }

    #[test]
    fn a_proof_does_not_believe_what_was_thought_before() {
        let (situation, _) = played("");
        let key = situation.position().key();
        let entry = |value| {
            let value = Some((value, Bound::Exact));
            Entry { tag: 5, value, evaluation: None, depth: 3 }
        };
        let mut worker = worker();
        worker.note(key, entry(10));
        worker.prove(3);
        assert_eq!(worker.look_up(key), None);
        worker.note(key, entry(20));
        assert_eq!(worker.look_up(key), Some(entry(20)));
        worker.restart(worker.shared.clone(), &situation);
        assert_eq!(worker.look_up(key), Some(entry(10)));
    }

    #[test]
    fn the_table_cannot_promise_more_than_a_repetition_by_a_repeating_move() {
        let line = "e10a10 e1a1 a10e10 a1e1";
        assert_eq!(value_where("e2e4", line, 90, "e9e8"), 90);
        // Here the move that the table praises is a draw.
        assert_ne!(value_where("e2e4", line, 90, "e10a10"), 90);
    }
}
