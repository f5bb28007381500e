//! Quiescence search: noisy moves and answers to threats below the last full ply, as the hints say.

use std::ops::ControlFlow;

use super::worker::{After, Node, PATH_INDEPENDENT, Searched, Worker};
use crate::game::Game;
use crate::search::move_list::RankedMove;
use crate::search::value::{MAX_PLY, Value, WIN};
use crate::search::{Quiescence, SearchHints};

impl<G: Game<Move: Copy>, E: SearchHints<G>> Worker<G, E> {
    pub(super) fn quiescence<const PV: bool>(
        &mut self,
        node: &Node<G>,
        mut alpha: Value,
        beta: Value,
        depth: u32,
    ) -> Searched {
        self.path_dependence = PATH_INDEPENDENT;
        if PV {
            self.pv[node.ply].clear();
        }
        if let Some(value) = self.cut_by_knowledge(node, alpha, beta) {
            return Ok(value);
        }
        let kind = if self.config.quiescence && node.ply < MAX_PLY {
            self.evaluator.quiescence(&node.position, depth)
        } else {
            Quiescence::Static
        };
        let mut best = -WIN;
        if kind != Quiescence::All {
            best = self.evaluate(node);
            if kind == Quiescence::Static || best >= beta {
                return Ok(best);
            }
            alpha = alpha.max(best);
        }
        let start = self.list_quiescence(node, kind, depth);
        let end = self.moves.len();
        let mut path_dependence = PATH_INDEPENDENT;
        for index in start..end {
            let ranked = self.moves.pick(index);
            let value = match self.quiescence_after::<PV>(node, &ranked, alpha, beta, depth) {
                Ok(value) => value,
                Err(stopped) => {
                    self.moves.truncate(start);
                    return Err(stopped);
                }
            };
            path_dependence = path_dependence.min(self.path_dependence);
            if value > best {
                best = value;
                if value > alpha {
                    alpha = value;
                    if PV {
                        self.extend_pv(node.ply, ranked.m);
                    }
                    if value >= beta {
                        path_dependence = self.path_dependence;
                        break;
                    }
                }
            }
        }
        self.moves.truncate(start);
        self.path_dependence =
            if path_dependence >= node.ply as i32 { PATH_INDEPENDENT } else { path_dependence };
        Ok(best)
    }

    /// The value of one move, for the seat of `node`.
    #[inline]
    fn quiescence_after<const PV: bool>(
        &mut self,
        node: &Node<G>,
        ranked: &RankedMove<G::Move>,
        alpha: Value,
        beta: Value,
        depth: u32,
    ) -> Searched {
        let mut child = node.clone();
        if let After::End(value) = self.play(node, ranked, &mut child, false)? {
            return Ok(value);
        }
        self.line.push(child.key);
        let value = if child.seat == node.seat {
            self.quiescence::<PV>(&child, alpha, beta, depth + 1)
        } else {
            self.quiescence::<PV>(&child, -beta, -alpha, depth + 1).map(|v| -v)
        };
        self.line.pop();
        value
    }

    fn list_quiescence(&mut self, node: &Node<G>, kind: Quiescence, depth: u32) -> usize {
        if kind == Quiescence::All {
            return self.list_all(node, 0, None);
        }
        self.unranked.clear();
        let unranked = &mut self.unranked;
        let _ = self.evaluator.for_each_noisy::<()>(&node.position, depth, |m| {
            unranked.push(m);
            ControlFlow::Continue(())
        });
        self.rank_unranked(node, 0)
    }
}
