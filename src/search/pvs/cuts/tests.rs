//! When a table value is used and when not, on a small game in which positions repeat.

use std::ops::ControlFlow;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64};

use super::super::config::PvsConfig;
use super::super::root_move::RootMove;
use super::super::worker::{After, Shared};
use super::*;
use crate::game::{Outcome, Seat, Situation, Turn, splitmix64};
use crate::search::move_list::RankedMove;
use crate::search::table::TranspositionTable;
use crate::search::value::WIN;
use crate::search::{Control, Evaluate, Limits, Quiescence};

/// Two counters, each on a track of nine squares. The seats step in turn, one square up or down.
/// Nobody wins; a third occurrence is a draw.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
struct Tracks {
    squares: [u8; 2],
    mover: usize,
}

impl Tracks {
    const START: Tracks = Tracks { squares: [4, 4], mover: 0 };
}

impl Game for Tracks {
    type Move = u8;

    fn seats(&self) -> usize {
        2
    }
    fn turn(&self) -> Turn {
        Turn::Seat(Seat::new(self.mover))
    }
    fn for_each_move<B>(&self, visit: impl FnMut(u8) -> ControlFlow<B>) -> ControlFlow<B> {
        (0..9).filter(|to| self.is_legal(to)).try_for_each(visit)
    }
    fn is_legal(&self, to: &u8) -> bool {
        *to < 9 && self.squares[self.mover].abs_diff(*to) == 1
    }
    fn play(&mut self, to: &u8) {
        self.squares[self.mover] = *to;
        self.mover = 1 - self.mover;
    }
    fn outcome(&self) -> Option<Outcome> {
        None
    }
    fn reason(&self) -> Option<&'static str> {
        None
    }
    fn fresh_key(&self) -> u64 {
        let [first, second] = self.squares.map(u64::from);
        splitmix64(first) ^ splitmix64(100 + second) ^ splitmix64(200 + self.mover as u64)
    }
    fn repetition(&self) -> Option<Outcome> {
        Some(Outcome::draw(2))
    }
}

/// The first seat always has the worse position.
struct Uneven;

impl Evaluate<Tracks> for Uneven {
    type Acc = ();

    fn fresh(&self, _: &Tracks) {}
    fn score(&self, _: &(), _: &Tracks, seat: Seat) -> Value {
        if seat.index() == 0 { -50 } else { 50 }
    }
}

impl SearchHints<Tracks> for Uneven {
    fn tag(&self, to: &u8) -> u16 {
        u16::from(*to) + 1
    }
    fn move_of_tag(&self, position: &Tracks, tag: u16) -> Option<u8> {
        let to = (tag as u8).checked_sub(1)?;
        position.is_legal(&to).then_some(to)
    }
    fn null_move(&self, position: &Tracks) -> Option<Tracks> {
        Some(Tracks { mover: 1 - position.mover, ..position.clone() })
    }
    fn upcoming_repetition(&self, position: &Tracks, difference: u64) -> Option<u8> {
        position.moves().into_iter().find(|to| {
            let mut next = position.clone();
            next.play(to);
            next.key() ^ position.key() == difference
        })
    }
    fn quiescence(&self, _: &Tracks, depth: u32) -> Quiescence {
        if depth == 0 { Quiescence::All } else { Quiescence::Static }
    }
}

fn worker() -> Worker<Tracks, Uneven> {
    let config =
        PvsConfig { second_occurrence: true, deeper_entries: true, ..PvsConfig::full_width() };
    limited_worker(config, Limits::default(), 1)
}

/// A worker of a search with limits in so many threads.
fn limited_worker(config: PvsConfig, limits: Limits, threads: usize) -> Worker<Tracks, Uneven> {
    let shared = Shared {
        limits,
        control: Control::default(),
        table: Arc::new(TranspositionTable::new(1)),
        nodes: AtomicU64::new(0),
        halt: AtomicBool::new(false),
        threads,
    };
    Worker::new(Arc::new(Uneven), config, Arc::new(shared))
}

/// A worker, and the node after `line`, searched from the position after `game`.
fn worker_at(game: &[u8], line: &[u8]) -> (Worker<Tracks, Uneven>, Node<Tracks>) {
    let mut situation = Situation::new(Tracks::START);
    game.iter().for_each(|to| situation.play(to));
    let mut worker = worker();
    worker.restart(worker.shared.clone(), &situation);
    let mut node = worker.root_node(situation.position(), Seat::new(game.len() % 2));
    for to in line {
        let ranked = RankedMove { m: *to, tag: 0, slot: 0, priority: 0 };
        let mut child = node.clone();
        match worker.play(&node, &ranked, &mut child, true) {
            Ok(After::Node) => node = child,
            _ => panic!("the game ends on {line:?}"),
        }
        worker.line.push(node.key);
    }
    (worker, node)
}

/// The value of the position after `line`, searched from the position after `game`, where the table
/// holds the exact value `stored` with the best move `best`.
fn value_where(game: &[u8], line: &[u8], stored: Value, best: u8) -> Value {
    let (mut worker, node) = worker_at(game, line);
    let tag = worker.evaluator.tag(&best);
    let value = Some((stored, Bound::Exact));
    worker.store_entry(node.key, Entry { tag, value, evaluation: None, depth: 40 });
    worker.node::<false>(&node, 3, -1, 0).expect("not stopped")
}

/// The value that the table holds of the position after `line` once it was searched one ply deep.
fn value_stored(game: &[u8], line: &[u8]) -> Option<(Value, Bound)> {
    value_stored_by(false, game, line)
}

/// The same where one ply more is searched in quiescence.
fn value_stored_by(quiescence: bool, game: &[u8], line: &[u8]) -> Option<(Value, Bound)> {
    let (mut worker, node) = worker_at(game, line);
    worker.set_config(PvsConfig { quiescence, ..worker.config.clone() });
    worker.node::<true>(&node, 1, -1_000, 1_000).expect("not stopped");
    worker.probe_table(node.key).and_then(|entry| entry.value)
}

/// Wherever a search is stopped, it takes back what it has done on the line.
#[test]
fn a_search_that_is_stopped_leaves_no_trace_on_its_line() {
    let config = PvsConfig { null_move: 1, singular: 2, variant_depth: 9, ..PvsConfig::default() };
    let mut stops = 0;
    for nodes in 1..400 {
        let mut worker = limited_worker(config.clone(), Limits::nodes(nodes), 1);
        let situation = Situation::new(Tracks::START);
        worker.restart(worker.shared.clone(), &situation);
        worker.root_depth = 14;
        let root = worker.root_node(situation.position(), Seat::new(0));
        let before = format!("{:?}", worker.line);
        let searched = (1..=14).try_for_each(|depth| {
            worker.node::<true>(&root, depth, -100, 100)?;
            worker.node::<false>(&root, depth, -51, -50).map(drop)
        });
        stops += u64::from(searched.is_err());
        assert_eq!((worker.null_ply, worker.moves.len(), worker.variants.len()), (0, 0, 0));
        assert!(worker.excluded.iter().all(|tag| *tag == 0), "{nodes} nodes");
        assert_eq!(format!("{:?}", worker.line), before, "{nodes} nodes");
    }
    assert!(stops > 300, "only {stops} searches were stopped");
}

/// Between two looks at the nodes of all, a thread visits no more than its share of what is left.
#[test]
fn a_thread_takes_no_more_than_its_share_of_the_nodes_that_are_left() {
    const MOST: u64 = 10_000;
    let mut worker = limited_worker(PvsConfig::full_width(), Limits::nodes(MOST), 4);
    let (mut looked_at, mut share) = (0, MOST / 4);
    while worker.count_node().is_ok() {
        let all = worker.shared.nodes.load(std::sync::atomic::Ordering::Relaxed);
        if all != looked_at {
            let visited = all - looked_at;
            assert!(visited <= share, "{visited} nodes of {share} after {looked_at}");
            (looked_at, share) = (all, ((MOST - all) / 4).max(1));
        }
    }
    assert_eq!(worker.all_nodes(), MOST);
}

#[test]
fn the_nodes_of_a_root_move_are_those_of_the_last_iteration() {
    let (mut worker, root) = worker_at(&[], &[]);
    worker.list_all(&root, 0, None);
    let ranked = worker.moves.sorted();
    worker.moves.truncate(0);
    let unsearched = |ranked| RootMove { ranked, value: -WIN, found: None, nodes: 0 };
    let mut moves: Vec<RootMove<u8>> = ranked.into_iter().map(unsearched).collect();
    for depth in 1..=5 {
        let before = worker.nodes;
        worker.root_depth = depth;
        worker.iterate(&root, &mut moves, 1).expect("not stopped");
        let behind_moves: u64 = moves.iter().map(|m| m.nodes).sum();
        assert_eq!(behind_moves, worker.nodes - before, "depth {depth}");
    }
}

#[test]
fn what_a_search_has_learnt_counts_half_in_the_next() {
    let (mut worker, node) = worker_at(&[], &[]);
    worker.histories.update(node.seat, 9, 1_000, 0);
    let before = worker.histories.history(node.seat, 9, 0);
    worker.restart(worker.shared.clone(), &Situation::new(Tracks::START));
    assert_eq!(worker.histories.history(node.seat, 9, 0), before / 2);
}

#[test]
fn a_search_without_one_move_neither_uses_nor_stores_it() {
    // The step back to 5 is a draw; the other step is worse.
    let (mut worker, node) = worker_at(&[], &[5, 5, 6, 4]);
    let tag = worker.evaluator.tag(&5);
    worker.excluded[node.ply] = tag;
    assert_eq!(worker.node::<false>(&node, 1, -10, -9), Ok(-50));
    assert_eq!(worker.probe_table(node.key), None);
    worker.excluded[node.ply] = 0;
    assert_eq!(worker.node::<false>(&node, 1, -10, -9), Ok(0));
}

#[test]
fn positions_before_a_null_move_repeat_again_once_it_is_taken_back() {
    let (mut worker, node) = worker_at(&[], &[5, 5, 6, 4]);
    worker.config.null_move = 1;
    // The second seat, with two steps in a row, has the better position still.
    assert_eq!(worker.cut_by_evaluation(&node, -50, 3, -61, -60, false), Ok(Some(-50)));
    // The step back to 5 is a draw.
    assert_eq!(worker.node::<false>(&node, 1, -10, -9), Ok(0));
}

#[test]
fn a_value_that_depends_on_the_path_is_not_stored() {
    // The first seat has the worse position: it steps back from 6 to 5, where it was before.
    assert_eq!(value_stored(&[], &[5, 5, 6, 4]), None);
    // The same position in a game without that line; with the line as a part of the game.
    assert_eq!(value_stored(&[5, 5, 6, 4], &[]), Some((-50, Bound::Exact)));
    assert_eq!(value_stored(&[5, 5], &[6, 4]), Some((-50, Bound::Exact)));
    // It steps back to 5 from a position that the game has never seen, for the third time.
    assert_eq!(value_stored(&[5, 5, 4, 4, 5, 3], &[6, 4]), None);
    // The second seat is better off elsewhere.
    assert_eq!(value_stored(&[], &[5, 5, 6]), Some((50, Bound::Exact)));
    // Below the step to 4, the first seat can step back in quiescence, and elsewhere after that.
    assert_eq!(value_stored_by(true, &[], &[5, 5, 6]), None);
    assert_eq!(value_stored_by(true, &[5, 5, 6], &[]), Some((50, Bound::Exact)));
}

#[test]
fn a_bad_table_value_is_not_used_where_a_move_repeats_a_position() {
    // The first seat can step back from 6 to 5: the position after the first move of the line.
    assert!(value_where(&[], &[5, 5, 6, 4], -90, 7) >= 0);
    // The second seat can step to 4: the start, for the third time.
    assert!(value_where(&[5, 5, 4, 4, 5, 5], &[4], -90, 6) >= 0);
    // A second occurrence in the game is not enough, and without any the table is used.
    assert_eq!(value_where(&[5, 5], &[4], -90, 6), -90);
    assert_eq!(value_where(&[5], &[5], -90, 6), -90);
}

#[test]
fn a_good_table_value_is_not_used_if_its_move_repeats_a_position() {
    let line = [5, 6, 4, 5];
    assert_eq!(value_where(&[5], &line, 90, 3), 90);
    // The position after this move is that after the first move of the line.
    assert_ne!(value_where(&[5], &line, 90, 5), 90);
}

#[test]
fn a_proof_does_not_see_the_entries_of_other_searches() {
    let situation = Situation::new(Tracks::START);
    let key = situation.position().key();
    let entry = |value| {
        let value = Some((value, Bound::Exact));
        Entry { tag: 5, value, evaluation: None, depth: 3 }
    };
    let mut worker = worker();
    worker.store_entry(key, entry(10));
    worker.begin_proof(3, 100);
    assert_eq!(worker.probe_table(key), None);
    worker.store_entry(key, entry(20));
    assert_eq!(worker.probe_table(key), Some(entry(20)));
    worker.end_proof();
    assert_eq!(worker.probe_table(key), Some(entry(10)));
    worker.begin_proof(3, 100);
    assert_eq!(worker.probe_table(key), Some(entry(20)));
    worker.restart(worker.shared.clone(), &situation);
    assert_eq!(worker.probe_table(key), Some(entry(10)));
}

/// What a search of a node at `ply` with this value and window leaves in the table.
fn stored_at(ply: usize, found: Value, window: (Value, Value)) -> Option<(Value, Bound)> {
    let (worker, mut node) = worker_at(&[], &[]);
    node.ply = ply;
    let best = BestMove { value: found, found: Some((5, 6)), path_dependence: i32::MAX };
    worker.store_node(&node, &best, 3, window.0, window.1, None);
    worker.probe_table(node.key)?.value
}

/// Whether an entry of depth 3 with this value ends the search of a node at `ply`, and with which
/// value.
fn cut_at(ply: usize, stored: (Value, Bound), depth: i32, window: (Value, Value)) -> Option<Value> {
    let (mut worker, mut node) = worker_at(&[], &[]);
    node.ply = ply;
    let entry = Entry { tag: 0, value: Some(stored), evaluation: None, depth: 3 };
    worker.cut_by_table(&node, &entry, depth, window.0, window.1)
}

#[test]
fn the_table_holds_forced_ends_counted_from_their_position() {
    let open = (-WIN, WIN);
    assert_eq!(stored_at(4, WIN - 7, open), Some((WIN - 3, Bound::Exact)));
    assert_eq!(stored_at(4, 7 - WIN, open), Some((3 - WIN, Bound::Exact)));
    assert_eq!(stored_at(4, MAX_EVALUATION, open), Some((MAX_EVALUATION, Bound::Exact)));
    assert_eq!(cut_at(6, (WIN - 3, Bound::Exact), 3, open), Some(WIN - 9));
    assert_eq!(cut_at(6, (3 - WIN, Bound::Exact), 3, open), Some(9 - WIN));
    assert_eq!(cut_at(6, (-MAX_EVALUATION, Bound::Exact), 3, open), Some(-MAX_EVALUATION));
}

#[test]
fn a_value_outside_the_window_is_a_bound() {
    assert_eq!(stored_at(1, 10, (0, 20)), Some((10, Bound::Exact)));
    assert_eq!(stored_at(1, 20, (0, 20)), Some((20, Bound::Lower)));
    assert_eq!(stored_at(1, 0, (0, 20)), Some((0, Bound::Upper)));
    for (value, bound, cuts) in [
        (20, Bound::Lower, true),
        (19, Bound::Lower, false),
        (1, Bound::Upper, false),
        (0, Bound::Upper, true),
        (10, Bound::Exact, true),
    ] {
        assert_eq!(cut_at(1, (value, bound), 3, (0, 20)), cuts.then_some(value), "{value}");
        assert_eq!(cut_at(1, (value, bound), 2, (0, 20)), cuts.then_some(value), "{value}");
        assert_eq!(cut_at(1, (value, bound), 4, (0, 20)), None, "not deep enough");
    }
}
