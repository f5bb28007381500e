//! The move picker: lists the moves of a position in stages, and hands them out best first.

use std::ops::ControlFlow;

use super::worker::{Node, Worker};
use crate::game::Game;
use crate::search::move_list::RankedMove;
use crate::search::ordering::OrderingContext;
use crate::search::{MoveHint, MoveKind, SearchHints};

/// What a [`MovePicker`] lists next.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Stage {
    TableMove,
    Noisy,
    /// Killers and the countermove.
    Refutations,
    Quiet,
    Last,
    Done,
}

/// Hands out the moves of one node: the move of the transposition table, which is often enough;
/// noisy moves; killers and the countermove; the other moves. Games that do not list noisy moves
/// apart have all of them listed at once.
pub(super) struct MovePicker<M> {
    /// The tag of the table's move; 0 for none.
    tag: u16,
    table_move: Option<M>,
    stage: Stage,
    /// Where the moves of this node begin in the list of the worker.
    start: usize,
    /// The next move in that list.
    index: usize,
    /// The next move of that list is already the best of those that remain.
    is_prepared: bool,
    is_prefetching: bool,
}

impl<M: Copy + PartialEq> MovePicker<M> {
    /// A picker for the moves of a node. They are appended to the list of the worker, and whoever
    /// made the picker truncates it to [`MovePicker::start`] in the end.
    /// `is_prefetching`: the positions after the moves will be looked up in the table.
    pub(super) fn new<G, E>(
        worker: &Worker<G, E>,
        node: &Node<G>,
        tag: u16,
        is_prefetching: bool,
    ) -> Self
    where
        G: Game<Move = M>,
        E: SearchHints<G>,
    {
        let table_move =
            if tag == 0 { None } else { worker.evaluator.move_of_tag(&node.position, tag) };
        let start = worker.moves.len();
        MovePicker {
            tag,
            table_move,
            stage: Stage::TableMove,
            start,
            index: start,
            is_prepared: false,
            is_prefetching,
        }
    }

    /// Where the moves of this node begin in the list of the worker.
    pub(super) fn start(&self) -> usize {
        self.start
    }

    /// How many moves were handed out.
    #[inline]
    pub(super) fn picked(&self) -> usize {
        self.index - self.start
    }

    /// The next move. `skip_quiet` is asked before quiet moves are listed; if it agrees, there is no
    /// further move.
    #[inline(always)]
    pub(super) fn next<G, E>(
        &mut self,
        worker: &mut Worker<G, E>,
        node: &Node<G>,
        skip_quiet: impl Fn(&Worker<G, E>, usize) -> bool,
    ) -> Option<RankedMove<M>>
    where
        G: Game<Move = M>,
        E: SearchHints<G>,
    {
        while self.index == worker.moves.len() {
            let quiet = matches!(self.stage, Stage::Refutations | Stage::Quiet | Stage::Last);
            if self.stage == Stage::Done || quiet && skip_quiet(worker, self.picked()) {
                return None;
            }
            self.list_stage(worker, node);
        }
        if !self.is_prepared {
            worker.moves.pick(self.index);
        }
        let ranked = worker.moves.get(self.index);
        self.index += 1;
        self.is_prepared = false;
        Some(ranked)
    }

    /// Picks the move after the one handed out, if it is listed, and prefetches its table entry: memory
    /// takes as long as the search of a whole node.
    #[inline(always)]
    pub(super) fn prepare_next<G, E>(&mut self, worker: &mut Worker<G, E>, node: &Node<G>)
    where
        G: Game<Move = M>,
        E: SearchHints<G>,
    {
        if self.is_prefetching && self.index < worker.moves.len() {
            let next = worker.moves.pick(self.index);
            self.is_prepared = true;
            worker.prefetch_after(node, next.tag);
        }
    }

    /// Lists the moves of the present stage.
    fn list_stage<G, E>(&mut self, worker: &mut Worker<G, E>, node: &Node<G>)
    where
        G: Game<Move = M>,
        E: SearchHints<G>,
    {
        let context = worker.ordering_context(node, self.tag);
        let evaluator = &*worker.evaluator;
        self.stage = match self.stage {
            Stage::TableMove => {
                if let Some(m) = self.table_move {
                    let priority = evaluator.hint_move(&node.position, &m).priority;
                    let slot = evaluator.history_slot(&node.position, &m);
                    worker.moves.push(RankedMove { m, tag: self.tag, slot, priority }, i32::MAX);
                }
                Stage::Noisy
            }
            Stage::Noisy => {
                if worker.histories.rank_noisy(&context, evaluator, &mut worker.moves) {
                    if self.is_prefetching {
                        let [killer, ..] = context.refutations;
                        worker.prefetch_after(node, killer);
                    }
                    Stage::Refutations
                } else {
                    worker.list_all(node, self.tag, self.table_move);
                    Stage::Done
                }
            }
            Stage::Refutations => {
                worker.histories.rank_refutations(&context, evaluator, &mut worker.moves);
                Stage::Quiet
            }
            Stage::Quiet => {
                worker.histories.rank_quiet(
                    &context,
                    evaluator,
                    MoveKind::Quiet,
                    &mut worker.moves,
                );
                Stage::Last
            }
            Stage::Last => {
                worker.histories.rank_quiet(&context, evaluator, MoveKind::Last, &mut worker.moves);
                Stage::Done
            }
            Stage::Done => Stage::Done,
        };
    }
}

impl<G: Game<Move: Copy>, E: SearchHints<G>> Worker<G, E> {
    /// Lists and ranks all moves of a node but one; the list begins at the returned index.
    pub(super) fn list_all(
        &mut self,
        node: &Node<G>,
        tag: u16,
        excluded: Option<G::Move>,
    ) -> usize {
        self.unranked.clear();
        let unranked = &mut self.unranked;
        let _ = node.position.for_each_move::<()>(|m| {
            if excluded.as_ref() != Some(&m) {
                unranked.push(m);
            }
            ControlFlow::Continue(())
        });
        self.rank_unranked(node, tag)
    }

    /// Ranks the moves in `unranked`; the list begins at the returned index.
    pub(super) fn rank_unranked(&mut self, node: &Node<G>, tag: u16) -> usize {
        let start = self.moves.len();
        self.hints.clear();
        self.hints.resize(self.unranked.len(), MoveHint::QUIET);
        self.evaluator.hint_moves(&node.position, &self.unranked, &mut self.hints);
        let context = self.ordering_context(node, tag);
        let (moves, hints) = (&self.unranked, &self.hints);
        self.histories.rank(&context, &*self.evaluator, moves, hints, &mut self.moves);
        start
    }

    fn ordering_context<'a>(&self, node: &'a Node<G>, tag: u16) -> OrderingContext<'a, G> {
        OrderingContext {
            position: &node.position,
            seat: node.seat,
            table_move: tag,
            previous: node.previous,
            refutations: self.histories.refutations(node.seat, node.ply, node.previous),
        }
    }
}
