//! `go mate N`: the ordinary search and a full-width search for a win within N plies, in turns.
//!
//! The ordinary search finds most wins first, because it reduces and extends: a win that it reports
//! is a proof too. Only the full-width search can rule a win out. It gets a share of the nodes, in
//! slices: a slice that ends in the middle of an iteration leaves its results in the table, and the
//! next one, which is longer, begins the iteration again.

use super::root_move::RootMove;
use super::worker::{Node, Worker};
use crate::game::Game;
use crate::search::SearchHints;
use crate::search::value::WIN;

/// The full-width search gets one node for this many nodes of the ordinary search.
const ORDINARY_NODES: u64 = 7;

/// The least nodes of a slice.
const LEAST_SLICE: u64 = 256;

/// The state of the full-width search.
pub(super) struct Proof {
    plies: u32,
    /// The deepest iteration that was completed.
    depth: u32,
    spent: u64,
}

/// What a slice of the full-width search found.
pub(super) enum ProofResult<M> {
    /// Nothing yet.
    Open,
    /// A win, with its root moves.
    Won(Vec<RootMove<M>>),
    /// No win within this number of plies.
    RuledOut,
}

impl Proof {
    pub(super) fn new(plies: u32) -> Self {
        Proof { plies, depth: 0, spent: 0 }
    }
}

impl<G: Game<Move: Copy>, E: SearchHints<G>> Worker<G, E> {
    /// Searches on for the proof until it has its share of the nodes; to the end after the last
    /// iteration of the ordinary search.
    pub(super) fn continue_proof(
        &mut self,
        proof: &mut Proof,
        root: &Node<G>,
        moves: &[RootMove<G::Move>],
        is_last: bool,
    ) -> ProofResult<G::Move> {
        let share = (self.nodes - proof.spent) / ORDINARY_NODES;
        let (start, depth) = (self.nodes, self.root_depth);
        let end = start + share.saturating_sub(proof.spent);
        let end = if is_last { u64::MAX } else { end };
        self.begin_proof(proof.plies, end);
        let result = self.deepen_proof(proof, root, moves, end);
        self.end_proof();
        self.root_depth = depth;
        proof.spent += self.nodes - start;
        result
    }

    fn deepen_proof(
        &mut self,
        proof: &mut Proof,
        root: &Node<G>,
        moves: &[RootMove<G::Move>],
        end: u64,
    ) -> ProofResult<G::Move> {
        let mut moves = moves.to_vec();
        while end.saturating_sub(self.nodes) >= LEAST_SLICE {
            self.root_depth = proof.depth as i32 + 1;
            if self.iterate(root, &mut moves, 1).is_err() {
                break;
            }
            proof.depth += 1;
            let least = WIN - proof.plies as i32;
            if moves.first().is_some_and(|best| best.found_value() >= Some(least)) {
                return ProofResult::Won(moves);
            }
            if proof.depth >= proof.plies {
                return ProofResult::RuledOut;
            }
        }
        ProofResult::Open
    }
}
