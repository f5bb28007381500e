//! The search below the last full ply: threats and answers, as the hints say.

use std::ops::ControlFlow;

use super::worker::{After, FREE, Node, Searched, Worker};
use crate::game::Game;
use crate::search::value::{self, MAX_PLY, Value, WIN};
use crate::search::{Bound, Quiescence, SearchHints};

impl<G: Game<Move: Copy>, E: SearchHints<G>> Worker<G, E> {
    pub(super) fn quiescence<const PV: bool>(
        &mut self,
        node: &Node<G>,
        mut alpha: Value,
        beta: Value,
        depth: u32,
    ) -> Searched {
        self.hangs_on = FREE;
        if PV {
            self.pv[node.ply].clear();
        }
        if self.config.known_values
            && let Some(known) = self.evaluator.known_value(&node.position)
        {
            let value = value::value(known.score, node.ply);
            let cuts = match known.bound {
                Bound::Exact => true,
                Bound::Lower => value >= beta,
                Bound::Upper => value <= alpha,
            };
            if cuts {
                return Ok(value);
            }
        }
        let style = if self.config.quiescence && node.ply < MAX_PLY {
            self.evaluator.quiescence(&node.position, depth)
        } else {
            Quiescence::Static
        };
        let mut best = -WIN;
        if style != Quiescence::All {
            best = self.evaluate(node);
            if style == Quiescence::Static || best >= beta {
                return Ok(best);
            }
            alpha = alpha.max(best);
        }
        let start = self.list_for(node, style, depth);
        let end = self.moves.len();
        let mut hangs_on = FREE;
        for index in start..end {
            let listed = self.moves.pick(index);
            let value = match self.play(node, &listed.m, listed.slot) {
                Ok(After::End(value)) => Ok(value),
                Ok(After::Node(child)) => {
                    self.line.push(child.key);
                    let value = if child.seat == node.seat {
                        self.quiescence::<PV>(&child, alpha, beta, depth + 1)
                    } else {
                        self.quiescence::<PV>(&child, -beta, -alpha, depth + 1).map(|v| -v)
                    };
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
            hangs_on = hangs_on.min(self.hangs_on);
            if value > best {
                best = value;
                if value > alpha {
                    alpha = value;
                    if PV {
                        self.extend_pv(node.ply, listed.m);
                    }
                    if value >= beta {
                        hangs_on = self.hangs_on;
                        break;
                    }
                }
            }
        }
        self.moves.truncate(start);
        self.hangs_on = if hangs_on >= node.ply as i32 { FREE } else { hangs_on };
        Ok(best)
    }

    fn list_for(&mut self, node: &Node<G>, style: Quiescence, depth: u32) -> usize {
        if style == Quiescence::All {
            return self.list(node, 0, None);
        }
        self.plain.clear();
        let plain = &mut self.plain;
        let _ = self.evaluator.for_each_noisy::<()>(&node.position, depth, |m| {
            plain.push(m);
            ControlFlow::Continue(())
        });
        self.rank_plain(node, 0)
    }
}
