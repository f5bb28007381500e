//! In which portions the moves of a position are listed.

use std::ops::ControlFlow;

use super::worker::{Node, Worker};
use crate::game::Game;
use crate::search::ordering::{Listed, Place};
use crate::search::{MoveHint, SearchHints};

/// What is listed next.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Due {
    First,
    Noisy,
    Favourites,
    Quiet,
    Nothing,
}

impl<G: Game<Move: Copy>, E: SearchHints<G>> Worker<G, E> {
    /// Lists and ranks the moves of a node but one; the list begins at the returned index.
    pub(super) fn list(&mut self, node: &Node<G>, tag: u16, but: Option<G::Move>) -> usize {
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
    pub(super) fn rank_plain(&mut self, node: &Node<G>, tag: u16) -> usize {
        let start = self.moves.len();
        self.hints.clear();
        self.hints.resize(self.plain.len(), MoveHint::QUIET);
        self.evaluator.hint_moves(&node.position, &self.plain, &mut self.hints);
        let place = self.place(node, tag);
        let (moves, hints) = (&self.plain, &self.hints);
        self.memory.rank(&place, &*self.evaluator, moves, hints, &mut self.moves);
        start
    }

    fn place<'a>(&self, node: &'a Node<G>, tag: u16) -> Place<'a, G> {
        Place {
            position: &node.position,
            seat: node.seat,
            ply: node.ply,
            first: tag,
            favourites: self.memory.favourites(node.seat, node.ply, node.previous),
        }
    }

    /// Lists more moves of a node, in the order in which they are searched: the table's move, which
    /// is often enough; loud moves; favourites; the others. Games that do not tell loud moves apart
    /// have all of them at once. Returns what to list when these are searched.
    pub(super) fn list_more(
        &mut self,
        node: &Node<G>,
        tag: u16,
        first: Option<G::Move>,
        due: Due,
    ) -> Due {
        let place = self.place(node, tag);
        let evaluator = &*self.evaluator;
        match due {
            Due::First => {
                if let Some(m) = first {
                    let priority = evaluator.hint_move(&node.position, &m).priority;
                    let slot = evaluator.history_slot(&node.position, &m);
                    self.moves.push(Listed { m, tag, slot, priority }, i32::MAX);
                }
                Due::Noisy
            }
            Due::Noisy => {
                if self.memory.rank_noisy(&place, evaluator, &mut self.moves) {
                    Due::Favourites
                } else {
                    self.list(node, tag, first);
                    Due::Nothing
                }
            }
            Due::Favourites => {
                self.memory.rank_favourites(&place, evaluator, &mut self.moves);
                Due::Quiet
            }
            Due::Quiet => {
                self.memory.rank_quiet(&place, evaluator, &mut self.moves);
                Due::Nothing
            }
            Due::Nothing => Due::Nothing,
        }
    }
}
