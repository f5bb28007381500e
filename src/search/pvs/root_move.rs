//! The moves of the root, and what a thread is to do with them.

use crate::game::{Game, Situation};
use crate::search::move_list::RankedMove;
use crate::search::value::Value;

/// A root move and its value.
#[derive(Clone)]
pub(super) struct RootMove<M> {
    pub(super) ranked: RankedMove<M>,
    /// Its value in this iteration; `-WIN` while it has none, or for a move behind a better one.
    pub(super) value: Value,
    /// What was last found of it: an exact value, or the bound while it fails high.
    pub(super) found: Option<Found<M>>,
    /// Nodes of this thread searched behind it in this iteration.
    pub(super) nodes: u64,
}

/// The value and the line of a root move.
#[derive(Clone)]
pub(super) struct Found<M> {
    pub(super) value: Value,
    pub(super) line: Vec<M>,
    pub(super) depth: u32,
}

/// What a thread is to do at the root.
pub(super) struct Task<'a, G: Game> {
    pub situation: &'a Situation<G>,
    pub search_moves: Option<&'a [G::Move]>,
    pub multi_pv: usize,
    /// The number of the thread; 0 reports.
    pub thread: usize,
}

impl<M> RootMove<M> {
    /// Its value when it was last known.
    pub(super) fn found_value(&self) -> Option<Value> {
        self.found.as_ref().map(|found| found.value)
    }
}
