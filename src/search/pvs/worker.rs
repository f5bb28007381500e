//! One thread of the search: its buffers, its counters, and how it makes a move.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Duration;

use super::config::PvsConfig;
use crate::game::{Game, Seat, Situation, Turn};
use crate::search::control::Pacing;
use crate::search::move_list::{MoveLists, RankedMove};
use crate::search::ordering::Histories;
use crate::search::repetition::Line;
use crate::search::repetition::Occurrences;
use crate::search::table::{Entry, TranspositionTable};
use crate::search::value::{MAX_PLY, Value, clip, outcome_value};
use crate::search::{Control, Evaluate, Limits, MoveHint, SearchHints};

/// Changes the keys of proofs; any odd number.
const PROOF_SALT: u64 = 0x9E37_79B9_7F4A_7C15;

/// How much longer than allowed the first iteration may take.
const FIRST_ITERATION: Duration = Duration::from_millis(3);

/// The first iteration may visit as many nodes whatever the time: on a busy machine the time can be
/// over before the thread has run at all.
const FIRST_NODES: u64 = 256;

/// A value that does not depend on the path to its position.
pub(super) const PATH_INDEPENDENT: i32 = i32::MAX;

/// The search was stopped before it found a value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Stopped;

/// A value, or the search was stopped.
pub(super) type Searched = Result<Value, Stopped>;

/// What all threads of one search share.
pub(super) struct Shared {
    pub limits: Limits,
    pub control: Control,
    pub table: Arc<TranspositionTable>,
    /// Nodes of all threads, up to the last check of the limits in each.
    pub nodes: AtomicU64,
    /// The first thread is done, or one has failed.
    pub halt: AtomicBool,
    pub threads: usize,
}

impl Shared {
    /// Asked at every node: a node that touches a new page of the table may take milliseconds.
    #[inline]
    fn is_stopped(&self) -> bool {
        self.control.stopped() || self.halt.load(Ordering::Relaxed)
    }
}

/// A thread's state. Buffers are allocated once and kept from search to search.
pub(super) struct Worker<G: Game<Move: Copy>, E: Evaluate<G>> {
    pub evaluator: Arc<E>,
    pub config: PvsConfig,
    /// The configuration of the player; `config` differs in helpers and while a proof is sought.
    base_config: PvsConfig,
    pub shared: Arc<Shared>,
    pub histories: Histories,
    pub line: Line,
    pub moves: MoveLists<G::Move>,
    /// By ply: the tag of the move that is left out, while the move of the table is tested for being
    /// the only good one; 0 for none.
    pub excluded: Vec<u16>,
    /// The variants and values of the moves searched so far, of all plies.
    pub variants: Vec<(u16, Value)>,
    /// The static evaluations of the line, where they are known.
    pub evaluations: Vec<Option<Value>>,
    /// The accumulators of the evaluation along the line, by ply.
    accumulators: Vec<E::Acc>,
    /// Scratch: moves before they are ranked, and their hints.
    pub unranked: Vec<G::Move>,
    pub hints: Vec<MoveHint>,
    /// The principal variation from each ply on.
    pub pv: Vec<Vec<G::Move>>,
    /// Late-move reductions by depth and number of the move.
    pub reductions: Box<[[u8; 64]; 64]>,
    pub nodes: u64,
    counted: u64,
    poll_at: u64,
    pacing: Pacing,
    pub deepest: usize,
    /// The path-dependent part of the last returned value (graph-history interaction): the least
    /// ply of the line on which it depends by a repetition, -1 for the history of the game, or
    /// [`PATH_INDEPENDENT`].
    pub path_dependence: i32,
    /// The ply of the last null move of the line; repetitions do not reach across it.
    pub null_ply: usize,
    pub root_depth: i32,
    pub mode: Mode,
    /// Changes the keys in the table, so that a proof does not see the entries of other searches.
    key_salt: u64,
}

/// What is searched for.
pub(super) enum Mode {
    /// The best move.
    Play,
    /// Only a win within so many plies.
    Proof {
        plies: u32,
        /// The nodes of this thread at which the proof is put off.
        end: u64,
        /// The configuration of the ordinary search.
        ordinary: PvsConfig,
    },
}

/// A position on the line.
#[derive(Clone)]
pub(super) struct Node<G> {
    pub position: G,
    pub seat: Seat,
    pub ply: usize,
    pub key: u64,
    /// The history slot of the move that led here.
    pub previous: u16,
    /// A position occurred for the second time on the line.
    pub line_repeats: bool,
}

/// What a move leads to.
pub(super) enum After {
    /// A value, for the seat that moved.
    End(Value),
    /// A position to be searched.
    Node,
}

impl<G: Game<Move: Copy>, E: SearchHints<G>> Worker<G, E> {
    pub(super) fn new(evaluator: Arc<E>, config: PvsConfig, shared: Arc<Shared>) -> Self {
        Worker {
            evaluator,
            reductions: reductions(&config),
            histories: Histories::new(config.noisy_history, config.continuation),
            base_config: config.clone(),
            config,
            shared,
            line: Line::default(),
            moves: MoveLists::default(),
            excluded: vec![0; MAX_PLY + 2],
            variants: Vec::with_capacity(1 << 10),
            evaluations: vec![None; MAX_PLY + 2],
            accumulators: Vec::with_capacity(MAX_PLY + 2),
            unranked: Vec::with_capacity(1 << 10),
            hints: Vec::with_capacity(1 << 10),
            pv: (0..MAX_PLY + 2).map(|_| Vec::with_capacity(64)).collect(),
            nodes: 0,
            counted: 0,
            poll_at: 0,
            pacing: Pacing::new(Duration::ZERO),
            deepest: 0,
            path_dependence: PATH_INDEPENDENT,
            null_ply: 0,
            root_depth: 0,
            mode: Mode::Play,
            key_salt: 0,
        }
    }

    /// Gets ready for another search.
    pub(super) fn restart(&mut self, shared: Arc<Shared>, situation: &Situation<G>) {
        self.shared = shared;
        self.set_config(self.base_config.clone());
        self.line.restart(situation);
        self.histories.halve();
        (self.nodes, self.counted, self.poll_at) = (0, 0, 0);
        self.pacing = Pacing::new(self.shared.control.elapsed());
        (self.deepest, self.root_depth) = (0, 0);
        (self.mode, self.key_salt) = (Mode::Play, 0);
    }

    pub(super) fn set_config(&mut self, config: PvsConfig) {
        self.histories.set_use_noisy(config.noisy_history);
        if config != self.config {
            self.reductions = reductions(&config);
            self.config = config;
        }
    }

    /// From now on a full-width search for a win within `plies` plies, until this thread has visited
    /// `end` nodes.
    pub(super) fn begin_proof(&mut self, plies: u32, end: u64) {
        self.mode = Mode::Proof { plies, end, ordinary: self.config.clone() };
        self.set_config(PvsConfig::full_width());
        (self.key_salt, self.poll_at) = (PROOF_SALT, self.nodes);
    }

    /// From now on the ordinary search.
    pub(super) fn end_proof(&mut self) {
        if let Mode::Proof { ordinary, .. } = std::mem::replace(&mut self.mode, Mode::Play) {
            self.set_config(ordinary);
        }
        self.key_salt = 0;
    }

    /// Probes the transposition table.
    #[inline]
    pub(super) fn probe_table(&self, key: u64) -> Option<Entry> {
        self.shared.table.probe(key ^ self.key_salt)
    }

    /// Stores an entry in the transposition table.
    pub(super) fn store_entry(&self, key: u64, entry: Entry) {
        self.shared.table.store(key ^ self.key_salt, entry);
    }

    /// Prefetches the table entry of a position.
    #[inline]
    pub(super) fn prefetch(&self, key: u64) {
        self.shared.table.prefetch(key ^ self.key_salt);
    }

    /// Prefetches the table entry of the position after the move with a tag, which is known before
    /// the move is made.
    #[inline(always)]
    pub(super) fn prefetch_after(&self, node: &Node<G>, tag: u16) {
        if let Some(key) = self.evaluator.key_after(&node.position, tag) {
            self.prefetch(key);
        }
    }

    /// The root of a search.
    pub(super) fn root_node(&mut self, position: &G, seat: Seat) -> Node<G> {
        let acc = self.evaluator.fresh(position);
        self.accumulators.resize(MAX_PLY + 2, acc);
        self.accumulators[0] = acc;
        Node {
            position: position.clone(),
            seat,
            ply: 0,
            key: position.key(),
            previous: 0,
            line_repeats: false,
        }
    }

    /// Counts a node about to be visited.
    #[inline]
    pub(super) fn count_node(&mut self) -> Result<(), Stopped> {
        if self.shared.is_stopped() {
            return Err(Stopped);
        }
        if self.nodes >= self.poll_at {
            self.poll()?;
        }
        self.nodes += 1;
        Ok(())
    }

    #[cold]
    fn poll(&mut self) -> Result<(), Stopped> {
        let all = self.shared.nodes.fetch_add(self.nodes - self.counted, Ordering::Relaxed)
            + (self.nodes - self.counted);
        self.counted = self.nodes;
        let limits = &self.shared.limits;
        self.poll_at = self.nodes + self.pacing.next(self.shared.control.elapsed());
        if let Some(most) = limits.nodes {
            let left = most.saturating_sub(all) / self.shared.threads as u64;
            self.poll_at = self.poll_at.min(self.nodes + left.max(1));
        }
        if let Mode::Proof { end, .. } = self.mode {
            if self.nodes >= end {
                return Err(Stopped);
            }
            self.poll_at = self.poll_at.min(end);
        }
        let control = &self.shared.control;
        if !control.must_stop(limits, all) {
            return Ok(());
        }
        // A first iteration is finished even past the deadline.
        let first = self.root_depth <= 1 && !control.stopped();
        let in_time = self.nodes < FIRST_NODES
            || limits.hard.is_none_or(|most| control.clock() < most + FIRST_ITERATION);
        let out_of_nodes = limits.nodes.is_some_and(|most| all >= most);
        if first && in_time && !out_of_nodes { Ok(()) } else { Err(Stopped) }
    }

    /// Nodes of all threads.
    pub(super) fn all_nodes(&self) -> u64 {
        self.shared.nodes.load(Ordering::Relaxed) + self.nodes - self.counted
    }

    /// Makes a move, and writes the new position, which the caller then pushes on the line, into
    /// `child`: any node, which is overwritten. `is_probed`: the table will be asked for it.
    pub(super) fn play(
        &mut self,
        node: &Node<G>,
        ranked: &RankedMove<G::Move>,
        child: &mut Node<G>,
        is_probed: bool,
    ) -> Result<After, Stopped> {
        if is_probed {
            self.prefetch_after(node, ranked.tag);
        }
        self.count_node()?;
        let m = &ranked.m;
        self.path_dependence = PATH_INDEPENDENT;
        let ply = node.ply + 1;
        child.position.clone_from(&node.position);
        let position = &mut child.position;
        position.play(m);
        let key = position.key();
        if is_probed {
            // While the accumulator is computed.
            self.prefetch(key);
        }
        let seat = match position.turn() {
            Turn::Seat(seat) => seat,
            Turn::Over => {
                self.pv[ply].clear();
                let value = position.outcome().map(|end| outcome_value(&end, node.seat, ply));
                return Ok(After::End(value.unwrap_or(0)));
            }
            Turn::Chance { .. } => {
                self.pv[ply].clear();
                self.update_accumulator(node, m, position);
                let score = self.evaluator.score(&self.accumulators[ply], position, node.seat);
                return Ok(After::End(clip(score)));
            }
        };
        let mut line_repeats = node.line_repeats;
        let earlier = self.line.occurrences(key);
        if earlier.total() > 0 {
            line_repeats = true;
            if let Some(value) = self.repeated(position, node, earlier) {
                self.pv[ply].clear();
                return Ok(After::End(value));
            }
        }
        self.deepest = self.deepest.max(ply);
        if ply >= self.line.last_ply() {
            self.pv[ply].clear();
            // Elsewhere the same position may be reached sooner.
            self.path_dependence = -1;
            return Ok(After::End(0));
        }
        self.update_accumulator(node, m, position);
        (child.seat, child.ply, child.key) = (seat, ply, key);
        (child.previous, child.line_repeats) = (ranked.slot, line_repeats);
        Ok(After::Node)
    }

    /// The value of a position that has occurred before, if that ends the line.
    #[cold]
    fn repeated(&mut self, position: &G, node: &Node<G>, earlier: Occurrences) -> Option<Value> {
        let outcome = position.repetition()?;
        if self.null_ply > 0 && earlier.ply < self.null_ply {
            return None;
        }
        let value = outcome_value(&outcome, node.seat, node.ply + 1);
        if earlier.total() >= 2 {
            // Part of it may be the history of the game, which every other line shares only by
            // chance.
            self.path_dependence = -1;
            return Some(value);
        }
        let second = self.config.second_occurrence && earlier.on_line > 0 && value == 0;
        self.path_dependence = if second { earlier.ply as i32 } else { PATH_INDEPENDENT };
        second.then_some(value)
    }

    /// Whether the seat to move must answer a threat. Not asked at leaves, which are most positions.
    #[inline]
    pub(super) fn is_forced(&self, node: &Node<G>) -> bool {
        self.evaluator.is_forced(&node.position)
    }

    /// The evaluation for the seat to move.
    #[inline]
    pub(super) fn evaluate(&self, node: &Node<G>) -> Value {
        clip(self.evaluator.score(&self.accumulators[node.ply], &node.position, node.seat))
    }

    /// Computes the accumulator of a child.
    #[inline]
    fn update_accumulator(&mut self, node: &Node<G>, m: &G::Move, next: &G) {
        let (line, below) = self.accumulators.split_at_mut(node.ply + 1);
        self.evaluator.update(&line[node.ply], &node.position, m, next, &mut below[0]);
    }

    /// A null move leaves the accumulator as it is.
    pub(super) fn copy_accumulator(&mut self, ply: usize) {
        self.accumulators[ply + 1] = self.accumulators[ply];
    }

    /// Makes a move, followed by the principal variation of the next ply, that of a ply.
    pub(super) fn extend_pv(&mut self, ply: usize, m: G::Move) {
        let (here, below) = self.pv.split_at_mut(ply + 1);
        here[ply].clear();
        here[ply].push(m);
        here[ply].extend_from_slice(&below[0]);
    }
}

/// Late move reductions in plies, by depth and number of the move.
fn reductions(config: &PvsConfig) -> Box<[[u8; 64]; 64]> {
    let mut table = Box::new([[0; 64]; 64]);
    if config.reduction_divisor == 0 {
        return table;
    }
    for (depth, row) in table.iter_mut().enumerate().skip(1) {
        for (number, plies) in row.iter_mut().enumerate().skip(1) {
            let product = libm::log(depth as f64) * libm::log(number as f64);
            let plies_wanted = f64::from(config.reduction_base) / 100.0
                + product * 100.0 / f64::from(config.reduction_divisor);
            *plies = plies_wanted.max(0.0) as u8;
        }
    }
    table
}
