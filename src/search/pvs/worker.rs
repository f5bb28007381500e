//! One thread of the search: its buffers, its counters, and how it makes a move.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use super::config::PvsConfig;
use crate::game::{Game, Seat, Situation, Turn};
use crate::search::ordering::{Lists, Memory};
use crate::search::repetition::Line;
use crate::search::table::{Entry, Table};
use crate::search::value::{MAX_PLY, Value, clip, outcome_value};
use crate::search::{Control, Earlier, Evaluate, Limits, MoveHint, SearchHints};

/// How many nodes pass between two looks at the clock.
const POLL: u64 = 1024;

/// Any odd number.
const PROOF_SALT: u64 = 0x9E37_79B9_7F4A_7C15;

/// Nothing on the line above matters to a value.
pub(super) const FREE: i32 = i32::MAX;

/// The search was stopped; whatever it was about to find is void.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Stopped;

/// A value, or the search was stopped.
pub(super) type Searched = Result<Value, Stopped>;

/// What all threads of one search share.
pub(super) struct Shared {
    pub limits: Limits,
    pub control: Control,
    pub table: Arc<Table>,
    /// Nodes of all threads, up to the last look of each at the clock.
    pub nodes: AtomicU64,
    /// The first thread is done, or one has failed.
    pub halt: AtomicBool,
    pub threads: usize,
}

/// A thread's state. Buffers are allocated once and kept from search to search.
pub(super) struct Worker<G: Game<Move: Copy>, E: Evaluate<G>> {
    pub evaluator: Arc<E>,
    pub config: PvsConfig,
    /// What the search was made with; `config` differs while a proof is sought.
    pub settings: PvsConfig,
    pub shared: Arc<Shared>,
    pub memory: Memory,
    pub line: Line,
    /// The lists of moves of all plies, one behind the other.
    pub moves: Lists<G::Move>,
    /// What the evaluation keeps of every position of the line, by ply.
    accs: Vec<E::Acc>,
    pub plain: Vec<G::Move>,
    pub hints: Vec<MoveHint>,
    /// The best line from each ply on.
    pub pv: Vec<Vec<G::Move>>,
    /// Late-move reductions by depth and number of the move.
    pub reductions: Box<[[u8; 64]; 64]>,
    pub nodes: u64,
    counted: u64,
    poll_at: u64,
    pub deepest: usize,
    /// The least ply of the line on which the last returned value hangs, or [`FREE`].
    pub hangs_on: i32,
    /// Repetitions do not reach across a null move made at this ply.
    pub null_ply: usize,
    pub root_depth: i32,
    /// Nothing but a win within so many plies is sought.
    pub proving: Option<u32>,
    /// Changes the keys in the table: what a proof may use lies apart from what other searches
    /// think.
    salt: u64,
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
    /// The line has repeated a position.
    pub stained: bool,
}

/// What a move leads to.
pub(super) enum After<G> {
    /// A value, for the seat that moved.
    End(Value),
    /// A position to be searched.
    Node(Node<G>),
}

impl<G: Game<Move: Copy>, E: SearchHints<G>> Worker<G, E> {
    pub fn new(evaluator: Arc<E>, config: PvsConfig, shared: Arc<Shared>) -> Self {
        Worker {
            evaluator,
            reductions: reductions(&config),
            settings: config.clone(),
            config,
            shared,
            memory: Memory::default(),
            line: Line::default(),
            moves: Lists::default(),
            accs: Vec::with_capacity(MAX_PLY + 2),
            plain: Vec::with_capacity(1 << 10),
            hints: Vec::with_capacity(1 << 10),
            pv: (0..MAX_PLY + 2).map(|_| Vec::with_capacity(64)).collect(),
            nodes: 0,
            counted: 0,
            poll_at: 0,
            deepest: 0,
            hangs_on: FREE,
            null_ply: 0,
            root_depth: 0,
            proving: None,
            salt: 0,
        }
    }

    /// Gets ready for a new search.
    pub fn restart(&mut self, shared: Arc<Shared>, situation: &Situation<G>) {
        self.shared = shared;
        self.use_config(self.settings.clone());
        self.line.restart(situation);
        self.memory.fade();
        self.moves.truncate(0);
        (self.nodes, self.counted, self.poll_at) = (0, 0, 0);
        (self.deepest, self.null_ply, self.root_depth) = (0, 0, 0);
        self.proving = None;
        self.salt = 0;
    }

    pub fn use_config(&mut self, config: PvsConfig) {
        self.reductions = reductions(&config);
        self.config = config;
    }

    /// From now on everything is searched, for a win within so many plies and nothing else.
    pub fn prove(&mut self, plies: u32) {
        self.use_config(PvsConfig::full_width());
        self.proving = Some(plies);
        self.salt = PROOF_SALT;
    }

    /// What the table knows of a position.
    #[inline]
    pub fn look_up(&self, key: u64) -> Option<Entry> {
        self.shared.table.probe(key ^ self.salt)
    }

    /// Has the table keep what was found out about a position.
    pub fn note(&self, key: u64, entry: Entry) {
        self.shared.table.store(key ^ self.salt, entry);
    }

    /// Has the machine fetch what the table knows of a position.
    #[inline]
    pub fn prefetch(&self, key: u64) {
        self.shared.table.prefetch(key ^ self.salt);
    }

    /// The root of a search.
    pub fn root_node(&mut self, position: &G, seat: Seat) -> Node<G> {
        let acc = self.evaluator.fresh(position);
        self.accs.resize(MAX_PLY + 2, acc);
        self.accs[0] = acc;
        Node {
            position: position.clone(),
            seat,
            ply: 0,
            key: position.key(),
            previous: 0,
            stained: false,
        }
    }

    /// Counts a position about to be visited.
    #[inline]
    pub fn count(&mut self) -> Result<(), Stopped> {
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
        self.poll_at = self.nodes + POLL;
        if let Some(most) = limits.nodes {
            let left = most.saturating_sub(all) / self.shared.threads as u64;
            self.poll_at = self.poll_at.min(self.nodes + left.max(1));
        }
        let halted = self.shared.halt.load(Ordering::Relaxed);
        if halted || self.shared.control.must_stop(limits, all) { Err(Stopped) } else { Ok(()) }
    }

    /// Nodes of all threads.
    pub fn all_nodes(&self) -> u64 {
        self.shared.nodes.load(Ordering::Relaxed) + self.nodes - self.counted
    }

    /// Makes a move. The line does not know it yet.
    #[inline]
    pub fn play(&mut self, node: &Node<G>, m: &G::Move, slot: u16) -> Result<After<G>, Stopped> {
        self.count()?;
        self.hangs_on = FREE;
        let ply = node.ply + 1;
        let mut position = node.position.clone();
        position.play(m);
        let key = position.key();
        self.prefetch(key);
        let seat = match position.turn() {
            Turn::Seat(seat) => seat,
            Turn::Over => {
                self.pv[ply].clear();
                let value = position.outcome().map(|end| outcome_value(&end, node.seat, ply));
                return Ok(After::End(value.unwrap_or(0)));
            }
            Turn::Chance { .. } => {
                self.pv[ply].clear();
                self.update_acc(node, m, &position);
                let score = self.evaluator.score(&self.accs[ply], &position, node.seat);
                return Ok(After::End(clip(score)));
            }
        };
        let mut stained = node.stained;
        let earlier = self.line.earlier(key);
        if earlier.in_game + earlier.on_line > 0 {
            stained = true;
            if let Some(value) = self.repeated(&position, node, earlier) {
                self.pv[ply].clear();
                return Ok(After::End(value));
            }
        }
        self.deepest = self.deepest.max(ply);
        self.update_acc(node, m, &position);
        Ok(After::Node(Node { position, seat, ply, key, previous: slot, stained }))
    }

    /// The value of a position that has stood before, if that ends the line.
    #[cold]
    fn repeated(&mut self, position: &G, node: &Node<G>, earlier: Earlier) -> Option<Value> {
        let outcome = position.repetition()?;
        if self.null_ply > 0 && earlier.ply < self.null_ply {
            return None;
        }
        let value = outcome_value(&outcome, node.seat, node.ply + 1);
        if earlier.in_game + earlier.on_line >= 2 {
            // In part or wholly of the game's history: known to hold for this line only.
            self.hangs_on = -1;
            return Some(value);
        }
        let second = self.config.second_occurrence && earlier.on_line > 0 && value == 0;
        self.hangs_on = if second { earlier.ply as i32 } else { FREE };
        second.then_some(value)
    }

    /// Whether the seat to move must answer a threat. Asked only where it matters: most positions
    /// are leaves.
    #[inline]
    pub fn is_forced(&self, node: &Node<G>) -> bool {
        self.evaluator.is_forced(&node.position)
    }

    /// The evaluation for the seat to move.
    #[inline]
    pub fn evaluate(&self, node: &Node<G>) -> Value {
        clip(self.evaluator.score(&self.accs[node.ply], &node.position, node.seat))
    }

    /// Keeps the accumulator of a child on the line.
    #[inline]
    fn update_acc(&mut self, node: &Node<G>, m: &G::Move, next: &G) {
        let (line, below) = self.accs.split_at_mut(node.ply + 1);
        self.evaluator.update(&line[node.ply], &node.position, m, next, &mut below[0]);
    }

    /// The turn was given away: the accumulator stays as it is.
    pub fn pass_acc(&mut self, ply: usize) {
        self.accs[ply + 1] = self.accs[ply];
    }

    /// Writes a move and the line behind it as the best from a ply on.
    pub fn extend_pv(&mut self, ply: usize, m: G::Move) {
        let (here, below) = self.pv.split_at_mut(ply + 1);
        here[ply].clear();
        here[ply].push(m);
        here[ply].extend_from_slice(&below[0]);
    }
}

/// Reductions in plies, from the logarithms of depth and number.
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
