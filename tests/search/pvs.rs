//! Principal variation search against plain alpha-beta, against solved games, and to its limits.

use std::collections::HashMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread::sleep;
use std::time::Duration;

use parlor::game::{Game, Notation, Seat, Situation};
use parlor::search::alpha_beta::alpha_beta;
use parlor::search::value::{MATE_BOUND, Value, outcome_value, score};
use parlor::search::{
    Bound, Control, Evaluate, Info, Limits, Player, PvsConfig, PvsPlayer, Report, Request, Score,
    SearchHints, Settings,
};

use crate::games::{Chase, Heap, Plain, Row, TicTacToe};
use crate::references::{answer, to_and_fro};
use crate::wander::wander;

fn player<G: Game<Move: Copy>>(
    config: PvsConfig,
    hash: usize,
    threads: usize,
) -> PvsPlayer<G, Plain>
where
    Plain: SearchHints<G>,
{
    PvsPlayer::new(Plain, config, &Settings { hash, threads, ..Settings::default() })
}

/// All reports of a search.
fn reports<G: Game<Move: Copy>>(
    player: &mut PvsPlayer<G, impl SearchHints<G>>,
    situation: &Situation<G>,
    request: &Request<G::Move>,
) -> (Option<G::Move>, Vec<Info<G::Move>>) {
    let mut infos = Vec::new();
    let choice = player.choose(situation, request, &mut |report| {
        if let Report::Info(info) = report {
            infos.push(info);
        }
    });
    (choice.map(|choice| choice.best), infos)
}

fn is_playable<G: Game>(situation: &Situation<G>, line: &[G::Move]) {
    let mut situation = situation.clone();
    for m in line {
        assert!(situation.position().is_legal(m), "{m:?} of {line:?} in {situation:?}");
        situation.play(m);
    }
}

fn full_width_equals_alpha_beta<G: Game<Move: Copy>>(
    start: impl Fn(u64) -> G,
    plies: u64,
    deepest: u32,
) where
    Plain: SearchHints<G>,
{
    for (hash, cases) in [(0, 40), (1, 60), (16, 10)] {
        // One player for all, so that the table holds entries of other searches.
        let mut searcher = player(PvsConfig::full_width(), hash, 1);
        for seed in 0..cases {
            let situation = wander(&start(seed), seed, plies);
            for depth in 1..=deepest {
                if situation.position().count_moves() == 1 {
                    continue;
                }
                let expected = score(alpha_beta(&situation, Plain, depth));
                let (_, info) = answer(&mut searcher, &situation, Limits::depth(depth));
                assert_eq!(info.score, expected, "{situation:?} at {depth}, {hash} MiB");
                assert_eq!(info.bound, Bound::Exact);
                is_playable(&situation, &info.pv);
            }
            searcher.new_game();
        }
    }
}

#[test]
fn full_width_is_alpha_beta_when_seats_alternate() {
    full_width_equals_alpha_beta(|seed| Heap { left: 3 + seed as u8 % 12, mover: 0 }, 2, 9);
    full_width_equals_alpha_beta(|_| TicTacToe::default(), 8, 7);
}

#[test]
fn full_width_is_alpha_beta_when_a_seat_moves_twice() {
    full_width_equals_alpha_beta(|seed| Row::new(seed, 13, 2, true), 6, 10);
}

/// The value of every move, by plain alpha-beta to one ply less.
fn values_of_moves<G: Game>(situation: &Situation<G>, depth: u32) -> Vec<(G::Move, i32)>
where
    Plain: Evaluate<G>,
{
    let value = |m: &G::Move| {
        let mut next = situation.clone();
        next.play(m);
        if let Some(end) = next.outcome() {
            let seat = situation.seat().expect("a mover");
            return outcome_value(&end, seat, 1);
        }
        let value = alpha_beta(&next, Plain, depth - 1);
        // A forced end is one ply further away from here.
        let value = if value.abs() < MATE_BOUND { value } else { value - value.signum() };
        if next.seat() == situation.seat() { value } else { -value }
    };
    situation.position().moves().into_iter().map(|m| (m.clone(), value(&m))).collect()
}

#[test]
fn full_width_is_alpha_beta_for_every_move_when_positions_repeat() {
    for hash in [0, 1] {
        let mut searcher = player(PvsConfig::full_width(), hash, 1);
        for case in 0..300 {
            let situation = if case % 15 < 4 {
                to_and_fro(4 + case % 15)
            } else {
                wander(&Chase { kings: [5, 6 + case as u8 % 5], mover: 1 }, case as u64, 40)
            };
            if situation.position().count_moves() == 1 {
                continue;
            }
            for depth in 1..=7 {
                let mut request = Request::new(Limits::depth(depth));
                request.multi_pv = 8;
                let (_, infos) = reports(&mut searcher, &situation, &request);
                for (m, value) in values_of_moves(&situation, depth) {
                    let of_move = |info: &&Info<u8>| info.depth == depth && info.pv[0] == m;
                    let info = infos.iter().rev().find(of_move).expect("a line");
                    assert_eq!(info.score, score(value), "{m} of {situation:?}, {depth}, {hash}");
                }
            }
        }
    }
}

/// All positions of the chase, and for each that is won or lost the plies to its end: positive if the
/// mover wins, negative if it loses. Found by retrograde analysis, without a search.
fn solved_chase() -> (Vec<Chase>, HashMap<Chase, i32>) {
    let mut all = Vec::new();
    for first in 0..16 {
        for second in 0..16 {
            for mover in 0..2 {
                all.push(Chase { kings: [first, second], mover });
            }
        }
    }
    all.retain(|position| position.outcome().is_none());
    let mut solved: HashMap<Chase, i32> = HashMap::new();
    for distance in 1..200 {
        let mut found = Vec::new();
        for position in all.iter().filter(|position| !solved.contains_key(position)) {
            let ends: Vec<Option<i32>> = position
                .moves()
                .iter()
                .map(|m| {
                    let mut next = position.clone();
                    next.play(m);
                    match next.outcome() {
                        Some(end) if end.place(Seat::new(position.mover as usize)) == 1 => Some(0),
                        Some(_) => Some(1),
                        None => solved.get(&next).copied(),
                    }
                })
                .collect();
            if ends.iter().flatten().any(|end| *end <= 0) {
                found.push((position.clone(), distance));
            } else if ends.iter().all(Option::is_some) {
                found.push((position.clone(), -distance));
            }
        }
        solved.extend(found);
    }
    (all, solved)
}

/// The plain evaluation, with a null move that is often wrong: the kings of the chase are
/// sometimes better off without a move.
struct Passing;

impl Evaluate<Chase> for Passing {
    type Acc = ();

    fn fresh(&self, _: &Chase) {}
    fn score(&self, acc: &(), position: &Chase, seat: Seat) -> Value {
        Plain.score(acc, position, seat)
    }
}

impl SearchHints<Chase> for Passing {
    fn null_move(&self, position: &Chase) -> Option<Chase> {
        Some(Chase { mover: 1 - position.mover, ..position.clone() })
    }
}

#[test]
fn every_forced_end_the_pruned_search_claims_is_one() {
    let (all, solved) = solved_chase();
    let configs = [
        PvsConfig::default(),
        // Only null moves, often wrong ones.
        PvsConfig { null_move: 1, ..PvsConfig::full_width() },
        // Every move of the table is tested for being the only good one, by far too wide a margin.
        PvsConfig { singular: 2, singular_margin: 30, noisy_history: true, ..PvsConfig::default() },
        // Far too much pruning.
        PvsConfig {
            late_move_pruning_base: 1,
            late_move_pruning_slope: 0,
            late_move_pruning_depth: 20,
            futility: 1,
            futility_depth: 20,
            reverse_futility: 1,
            reverse_futility_depth: 20,
            reduction_base: 300,
            null_move: 1,
            ..PvsConfig::default()
        },
    ];
    let mut claims = 0;
    for config in configs {
        for threads in [1, 2] {
            let settings = Settings { hash: 1, threads, ..Settings::default() };
            let mut searcher = PvsPlayer::new(Passing, config.clone(), &settings);
            for position in &all {
                let situation = Situation::new(position.clone());
                let (_, info) = answer(&mut searcher, &situation, Limits::depth(9));
                is_playable(&situation, &info.pv);
                if let Score::Mate(plies) = info.score {
                    claims += 1;
                    let truth = solved.get(situation.position()).copied();
                    let known = truth.unwrap_or_else(|| panic!("no end is forced: {situation:?}"));
                    assert_eq!(known > 0, plies > 0, "{situation:?}");
                    if known > 0 {
                        assert!(plies >= known, "sooner than can be: {situation:?}");
                    }
                }
            }
        }
    }
    assert!(claims > 1_000, "{claims} claims");
}

#[test]
fn the_heap_and_tic_tac_toe_have_their_known_values() {
    for threads in [1, 2] {
        let mut searcher = player(PvsConfig::default(), 1, threads);
        for left in 2..=15 {
            let situation = Situation::new(Heap { left, mover: 0 });
            let (m, info) = answer(&mut searcher, &situation, Limits::depth(20));
            let plies = i32::from(left / 4 * 2);
            if left % 4 == 0 {
                assert_eq!(info.score, Score::Mate(-plies), "{left} left");
            } else {
                assert_eq!((m, info.score), (left % 4, Score::Mate(1 + plies)), "{left} left");
            }
        }
        // The pruned search may misjudge a draw; the full-width search must not, with any number of
        // threads.
        let mut searcher = player(PvsConfig::full_width(), 1, threads);
        let (_, info) =
            answer(&mut searcher, &Situation::new(TicTacToe::default()), Limits::depth(9));
        assert_eq!(info.score, Score::Cp(0));
    }
}

#[test]
fn one_thread_is_deterministic() {
    let situation = Situation::new(Row::new(5, 16, 2, true));
    let run = || {
        let (m, info) =
            answer(&mut player(PvsConfig::default(), 1, 1), &situation, Limits::depth(11));
        (m, info.score, info.nodes, info.pv)
    };
    assert_eq!(run(), run());
}

#[test]
fn a_limit_of_nodes_is_exact() {
    let situation = Situation::new(Row::new(7, 16, 2, true));
    for nodes in [0, 1, 2, 100, 1_023, 1_024, 1_025, 5_000] {
        let mut searcher = player(PvsConfig::full_width(), 1, 1);
        let (m, info) = answer(&mut searcher, &situation, Limits::nodes(nodes));
        assert!(situation.position().is_legal(&m));
        assert_eq!(info.nodes, nodes);
        assert_eq!(info.bound, Bound::Exact);
    }
}

#[test]
fn the_nodes_of_every_thread_count() {
    const NODES: u64 = 40_000;
    let situation = Situation::new(Row::new(7, 16, 2, true));
    let mut searcher = player(PvsConfig::full_width(), 0, 2);
    let (_, info) = answer(&mut searcher, &situation, Limits::nodes(NODES));
    assert!((NODES..NODES + 3_000).contains(&info.nodes), "{}", info.nodes);
}

#[test]
fn depth_zero_answers_with_the_evaluation() {
    let situation = Situation::new(TicTacToe::default());
    let (m, info) = answer(&mut player(PvsConfig::default(), 1, 1), &situation, Limits::depth(0));
    assert!(situation.position().is_legal(&m));
    assert_eq!((info.depth, info.score), (0, Score::Cp(0)));
    // The second king has 29 to go, and the first 17 to the second.
    let situation = Situation::new(Chase { kings: [2, 4], mover: 1 });
    let (_, info) = answer(&mut player(PvsConfig::default(), 1, 1), &situation, Limits::depth(0));
    assert_eq!((info.depth, info.score), (0, Score::Cp(17 - 29)));
}

/// Entries that an earlier search of the game has left do not count.
#[test]
fn hashfull_tells_what_the_search_itself_has_written() {
    let situation = Situation::new(Row::new(7, 16, 2, true));
    let mut searcher = player(PvsConfig::full_width(), 1, 1);
    let mut hashfull = |limits| answer(&mut searcher, &situation, limits).1.hashfull;
    let long = hashfull(Limits::nodes(30_000));
    assert!((3..1_000).contains(&long), "{long}");
    // It writes one entry.
    let short = hashfull(Limits::depth(1));
    assert!(short <= 1, "{short}");
}

/// Without a table, a search is shorter or longer than the same one before it only by what was learnt
/// about the order of moves; in a new game it is the same again.
#[test]
fn what_was_learnt_about_moves_is_kept_within_a_game() {
    let mut different = 0;
    for seed in 0..6 {
        let situation = wander(&TicTacToe::default(), seed, 2);
        let mut searcher = player(PvsConfig::full_width(), 0, 0);
        let nodes = |searcher: &mut PvsPlayer<TicTacToe, Plain>| {
            answer(searcher, &situation, Limits::depth(5)).1.nodes
        };
        let first = nodes(&mut searcher);
        searcher.new_game();
        assert_eq!(nodes(&mut searcher), first, "{situation:?}");
        different += u32::from(nodes(&mut searcher) != first);
    }
    assert!(different > 0, "the history makes no difference");
}

#[test]
fn a_single_move_is_answered_after_few_nodes_and_one_info() {
    // The king in the corner has one square left; the game after it never ends.
    let situation = Situation::new(Chase { kings: [1, 0], mover: 1 });
    assert_eq!(situation.position().moves(), [4]);
    let limits = Limits::nodes(1_000_000);
    let (m, infos) = reports(
        &mut player(PvsConfig::full_width(), 0, 1),
        &situation,
        &Request::new(limits.clone()),
    );
    assert_eq!((m, infos.len()), (Some(4), 1));
    assert!(infos[0].nodes <= 10_000, "{} nodes", infos[0].nodes);
    // With a choice, the same search uses all its nodes.
    let situation = Situation::new(Chase { kings: [2, 4], mover: 1 });
    let (_, infos) =
        reports(&mut player(PvsConfig::full_width(), 0, 1), &situation, &Request::new(limits));
    assert_eq!(infos.last().map(|info| info.nodes), Some(1_000_000));
}

#[test]
fn several_lines_are_the_best_ones_in_order() {
    let situation = Situation::new(".../.../xo.".parse::<TicTacToe>().expect("a position"));
    let mut request = Request::new(Limits::depth(4));
    request.multi_pv = 4;
    let mut searcher = player(PvsConfig::full_width(), 1, 1);
    let (m, infos) = reports(&mut searcher, &situation, &request);
    let last = &infos[infos.len() - 4..];
    let mut values = values_of_moves(&situation, 4);
    values.sort_by_key(|(_, value)| std::cmp::Reverse(*value));
    for (index, info) in last.iter().enumerate() {
        assert_eq!((info.multipv, info.score), (index + 1, score(values[index].1)));
        is_playable(&situation, &info.pv);
    }
    assert_eq!(m, Some(last[0].pv[0]));
    let first: std::collections::HashSet<_> = last.iter().map(|info| info.pv[0]).collect();
    assert_eq!(first.len(), 4);
}

#[test]
fn only_search_moves_are_chosen() {
    let situation = Situation::new(TicTacToe::default());
    let mut request = Request::new(Limits::depth(3));
    let chosen = ["b3", "b1"].map(|token| situation.position().parse_move(token).expect("a move"));
    request.search_moves = Some(chosen.to_vec());
    request.multi_pv = 5;
    let (m, infos) = reports(&mut player(PvsConfig::default(), 1, 1), &situation, &request);
    assert!(m.is_some_and(|m| chosen.contains(&m)));
    assert!(infos.iter().all(|info| chosen.contains(&info.pv[0]) && info.multipv <= 2));
}

#[test]
fn a_proof_of_a_win_ends_the_search_and_so_does_its_absence() {
    let limits = |mate| Limits { mate: Some(mate), ..Limits::default() };
    let mut searcher = player(PvsConfig::default(), 1, 1);
    let won = Situation::new(Heap { left: 7, mover: 0 });
    assert_eq!(answer(&mut searcher, &won, limits(3)).1.score, Score::Mate(3));
    let lost = Situation::new(Heap { left: 8, mover: 0 });
    assert_eq!(answer(&mut searcher, &lost, limits(5)).1.score, Score::Mate(-4));
    let far = Situation::new(Heap { left: 60, mover: 0 });
    let (_, info) = answer(&mut searcher, &far, limits(5));
    assert!(!matches!(info.score, Score::Mate(1..=5)));
}

/// A search that does not end by itself.
fn endless() -> Situation<Chase> {
    Situation::new(Chase { kings: [2, 4], mover: 1 })
}

/// An evaluation that counts its calls and does something at one of them.
struct Trigger<F> {
    at: u64,
    action: F,
    evaluations: Arc<AtomicU64>,
}

impl<F: Fn() + Send + Sync + 'static> Evaluate<Chase> for Trigger<F> {
    type Acc = ();

    fn fresh(&self, _: &Chase) {}
    fn score(&self, acc: &(), position: &Chase, seat: Seat) -> Value {
        if self.evaluations.fetch_add(1, Ordering::Relaxed) + 1 == self.at {
            (self.action)();
        }
        Plain.score(acc, position, seat)
    }
}

impl<F: Fn() + Send + Sync + 'static> SearchHints<Chase> for Trigger<F> {}

/// The call at which it does so.
const TRIGGER: u64 = 20_000;

/// Far more evaluations than a search makes that stops. One that does not ends here.
const DISOBEYED: u64 = 2_000_000;

/// How many evaluations a search makes in all if `action` happens during it.
fn evaluations_of_search(
    limits: Limits,
    control: &Control,
    threads: usize,
    action: impl Fn() + Send + Sync + 'static,
) -> u64 {
    let evaluations = Arc::new(AtomicU64::new(0));
    let trigger = Trigger { at: TRIGGER, action, evaluations: evaluations.clone() };
    let settings = Settings { hash: 0, threads, ..Settings::default() };
    let mut searcher = PvsPlayer::new(trigger, PvsConfig::full_width(), &settings);
    let limits = Limits { nodes: Some(DISOBEYED), ..limits };
    let request = Request { control: control.clone(), ..Request::new(limits) };
    let (m, infos) = reports(&mut searcher, &endless(), &request);
    assert!(m.is_some() && !infos.is_empty());
    evaluations.load(Ordering::Relaxed)
}

/// Every thread checks the limits each 1,024 nodes, and a node has at most one evaluation.
fn stops_soon(evaluations: u64, threads: usize) {
    let most = TRIGGER + 1_100 * threads as u64;
    assert!((TRIGGER..=most).contains(&evaluations), "{evaluations} with {threads} threads");
}

#[test]
fn stop_ends_the_search_at_the_next_check() {
    for threads in [1, 2] {
        let control = Control::default();
        let stop = control.clone();
        let evaluations =
            evaluations_of_search(Limits::default(), &control, threads, move || stop.stop());
        stops_soon(evaluations, threads);
    }
}

#[test]
fn the_end_of_the_time_ends_the_search_at_the_next_check() {
    let time = Duration::from_millis(500);
    let limits = Limits { hard: Some(time), ..Limits::default() };
    let evaluations =
        evaluations_of_search(limits, &Control::default(), 1, move || sleep(2 * time));
    // On a slow machine the time may be over before the trigger.
    assert!(evaluations <= TRIGGER + 1_100, "{evaluations}");
}

#[test]
fn pondering_does_not_run_the_clock() {
    let control = Control::new(true);
    let hit = control.clone();
    let limits = Limits::time(Duration::ZERO);
    let evaluations = evaluations_of_search(limits, &control, 1, move || hit.ponder_hit());
    stops_soon(evaluations, 1);
}

#[test]
fn the_clock_begins_with_the_ponder_hit() {
    let control = Control::new(true);
    sleep(Duration::from_millis(20));
    let pondered = control.elapsed();
    control.ponder_hit();
    let clock = control.clock();
    // The hit is kept in whole microseconds.
    let rounding = Duration::from_micros(1);
    assert!(pondered + clock <= control.elapsed() + rounding, "{clock:?} after {pondered:?}");
}

/// An evaluation that panics when it meets a row of nine numbers.
struct Failing;

impl Evaluate<Row> for Failing {
    type Acc = ();

    fn fresh(&self, _: &Row) {}
    fn score(&self, _: &(), position: &Row, _: Seat) -> i32 {
        assert_ne!(position.to - position.from, 9, "the test expects this panic");
        0
    }
}

impl SearchHints<Row> for Failing {}

#[test]
fn a_failing_evaluation_fails_the_search_and_not_the_player() {
    for threads in [0, 1, 2] {
        let settings = Settings { hash: 1, threads, ..Settings::default() };
        let mut searcher = PvsPlayer::new(Failing, PvsConfig::full_width(), &settings);
        let long = Situation::new(Row::new(3, 14, 2, false));
        let failed = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
            reports(&mut searcher, &long, &Request::new(Limits::depth(9)))
        }));
        assert!(failed.is_err());
        let short = Situation::new(Row::new(3, 8, 2, false));
        let (m, _) = reports(&mut searcher, &short, &Request::new(Limits::depth(4)));
        assert!(m.is_some());
    }
}

#[test]
fn a_finished_game_has_no_move() {
    let situation = Situation::new(Heap { left: 0, mover: 0 });
    let (m, infos) = reports(
        &mut player(PvsConfig::default(), 1, 1),
        &situation,
        &Request::new(Limits::depth(3)),
    );
    assert!(m.is_none() && infos.is_empty());
}
