//! The solver: known values, every backup checked against the rules of the game, kills, damaged
//! files.

use std::path::Path;
use std::sync::LazyLock;
use std::time::Duration;

use parlor::game::Random;
use parlor::games::chowka_bhara::solved::{Header, Ranking, SolvedTable};

use super::files::checkpoint_path;
use super::run::{Solution, Task, solve};
use super::value_iteration::{Progress, Solver};
use super::value_table::ValueTable;
use super::verify::{allowed, check_block, check_random};

#[path = "../../../../tests/common/damage.rs"]
mod damaged;
mod reference;

/// Whether the slow tests run, too: the variable `PARLOR_SLOW_TESTS` is set.
fn slow() -> bool {
    std::env::var_os("PARLOR_SLOW_TESTS").is_some()
}

fn task(directory: &Path, pawns: u8, chain: u32) -> Task {
    Task {
        header: Header { pawns, chain, change: 1e-6, bracket: false },
        out: directory.join(format!("{pawns}.table")),
        every: Duration::ZERO,
        memory: 1,
    }
}

/// The values of all states.
fn all(ranking: &Ranking, values: &ValueTable) -> Vec<f32> {
    let mut list = Vec::new();
    ranking.for_each_run(|run| list.extend(run.map(|index| values.get(index))));
    list
}

/// The game of two pawns with chains of one bonus throw, solved once for all tests.
static TWO: LazyLock<(tempfile::TempDir, Solution)> = LazyLock::new(|| {
    let directory = tempfile::tempdir().expect("a directory");
    let solution = solved(directory.path(), 2, 1);
    (directory, solution)
});

/// Its table.
pub(super) fn two_pawns() -> SolvedTable {
    SolvedTable::read(&TWO.0.path().join("2.table")).expect("a table")
}

/// Solves a game and writes its table `PAWNS.table` into a directory.
pub(super) fn solved(directory: &Path, pawns: u8, chain: u32) -> Solution {
    let task = Task { every: Duration::from_secs(3600), ..task(directory, pawns, chain) };
    solve(&task, |_, _, _| true).expect("no error").expect("a solution")
}

#[test]
fn the_first_players_score_is_that_of_the_rules_file() {
    let directory = tempfile::tempdir().expect("a directory");
    assert_eq!(format!("{:.6}", solved(directory.path(), 1, 2).start), "0.494587");
    assert_eq!(format!("{:.4}", TWO.1.start), "0.5031");
    if !slow() {
        return;
    }
    let mut exact = Task { every: Duration::from_secs(3600), ..task(directory.path(), 2, 0) };
    exact.header.change = 1e-7;
    let two = solve(&exact, |_, _, _| true).expect("no error").expect("a solution");
    assert!((two.start - 0.500_322).abs() < 1.5e-6, "{:.8}", two.start);
}

/// Values that have nothing to do with the game, so that no play is as good as another.
fn noise(ranking: &Ranking, values: &mut ValueTable) {
    let mut random = Random::new(5);
    ranking.for_each_run(|run| run.for_each(|index| values.set(index, random.unit() as f32)));
}

#[test]
fn a_sweep_finds_the_values_that_following_every_play_finds() {
    let quick = [(1, 0, 1), (1, 3, 1), (2, 1, 7)];
    let thorough = [(1, 0, 1), (1, 3, 1), (2, 1, 1), (2, 2, 7), (3, 1, 211)];
    let games = if slow() { &thorough[..] } else { &quick };
    for (pawns, chain, every) in games.iter().copied() {
        let solver = Solver::new(pawns, chain);
        let ranking = &solver.ranking;
        let mut tables = solver.start();
        noise(ranking, &mut tables[0]);
        let mut states = 0;
        solver.for_each_new_value(&tables[0], |mover, there, flags, value| {
            states += 1;
            if states % every == 0 {
                let expected = solver.value(&tables[0], mover, there, ranking.fresh(there, flags));
                assert_eq!(value, expected, "{pawns} {chain}: {mover} {there} {flags}");
            }
        });
        assert_eq!(states, ranking.count().1, "every state once");
    }
}

#[test]
fn the_values_from_zero_and_from_one_meet_at_those_of_one_table() {
    let directory = tempfile::tempdir().expect("a directory");
    for (pawns, chain) in if slow() { &[(1, 2), (2, 1)][..] } else { &[(1, 2)] } {
        let solver = Solver::bracketing(*pawns, *chain);
        let mut tables = solver.start();
        let mut sweeps = 0;
        let mut before = solver.start();
        solver.solve(&mut tables, &mut Progress::default(), 1e-7, |tables, _, _| {
            sweeps += 1;
            // The lower values never fall, the upper never rise, and they never cross.
            let [high, low] = [0, 1].map(|which| all(&solver.ranking, &tables[which]));
            let [old_high, old_low] = [0, 1].map(|which| all(&solver.ranking, &before[which]));
            for state in 0..low.len() {
                assert!(old_low[state] <= low[state] + 1e-7, "{sweeps}");
                assert!(low[state] <= high[state] + 1e-7, "{sweeps}");
                assert!(high[state] <= old_high[state] + 1e-7, "{sweeps}");
            }
            before = tables.clone();
            true
        });
        let one =
            Task { every: Duration::from_secs(3600), ..task(directory.path(), *pawns, *chain) };
        let header = Header { change: 1e-7, bracket: true, ..one.header };
        let bracketed = solve(&Task { header, ..one }, |_, _, _| true);
        let bracketed = bracketed.expect("no error").expect("a solution");
        let ([low, high], widest) = bracketed.bracket.expect("a bracket");
        assert!(low <= high && widest < 1e-4 && high - low <= widest, "{low} {high} {widest}");
        let single = solved(directory.path(), *pawns, *chain);
        for (state, (one, middle)) in all(&solver.ranking, &single.values)
            .iter()
            .zip(all(&solver.ranking, &bracketed.values))
            .enumerate()
        {
            assert!((one - middle).abs() < 1e-4, "{state}: {one} {middle}");
        }
    }
}

#[test]
fn a_killed_solution_continues_to_the_same_table() {
    let whole = tempfile::tempdir().expect("a directory");
    let one = Task { every: Duration::from_secs(3600), ..task(whole.path(), 1, 1) };
    let mut sweeps = 0;
    let expected = solve(&one, |_, progress, _| {
        sweeps = progress.sweeps;
        true
    });
    let expected = expected.expect("no error").expect("a solution");
    let file = std::fs::read(&one.out).expect("a table");
    assert!(sweeps >= 20, "{sweeps} sweeps");
    for kill in (1..=10).step_by(if slow() { 1 } else { 4 }) {
        let directory = tempfile::tempdir().expect("a directory");
        let task = task(directory.path(), 1, 1);
        let moment = sweeps * kill / 11;
        let stopped = solve(&task, |_, progress, _| progress.sweeps < moment);
        assert!(stopped.expect("no error").is_none());
        assert!(!task.out.exists() && checkpoint_path(&task.out).exists());
        let mut first = None;
        let found = solve(&task, |_, progress, _| {
            first.get_or_insert(progress.sweeps);
            true
        });
        assert_eq!(first, Some(moment + 1), "it continues where it stopped");
        let found = found.expect("no error").expect("a solution");
        let ranking = Ranking::new(1);
        assert_eq!(all(&ranking, &found.values), all(&ranking, &expected.values));
        assert_eq!(std::fs::read(&task.out).expect("a table"), file);
        assert!(!checkpoint_path(&task.out).exists());
    }
}

#[test]
fn the_values_do_not_depend_on_the_threads() {
    let directory = tempfile::tempdir().expect("a directory");
    let pawns = if slow() { 2 } else { 1 };
    let with = |threads| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("threads");
        pool.install(|| all(&Ranking::new(pawns), &solved(directory.path(), pawns, 0).values))
    };
    assert_eq!(with(1), with(3));
}

#[test]
fn checkpoints_with_any_damage_are_refused() {
    let directory = tempfile::tempdir().expect("a directory");
    let task = task(directory.path(), 1, 0);
    solve(&task, |_, progress, _| progress.sweeps < 3).expect("no error");
    let checkpoint = checkpoint_path(&task.out);
    let good = std::fs::read(&checkpoint).expect("a checkpoint");
    damaged::each(&good, damaged::copies(20), |what, bytes| {
        std::fs::write(&checkpoint, bytes).expect("writable");
        let continued = solve(&task, |_, _, _| false);
        assert!(continued.is_err(), "{what}");
    });
}

#[test]
fn checkpoints_of_another_game_are_refused_with_reasons() {
    let directory = tempfile::tempdir().expect("a directory");
    let task = task(directory.path(), 1, 0);
    solve(&task, |_, _, _| true).expect("no error");
    let other = self::task(directory.path(), 1, 1);
    solve(&other, |_, progress, _| progress.sweeps < 3).expect("no error");
    let checkpoint = checkpoint_path(&task.out);
    let bytes = std::fs::read(&checkpoint).expect("a checkpoint");
    let table = std::fs::read(&task.out).expect("a table");
    let error = solve(&task, |_, _, _| true).expect_err("another chain");
    assert!(format!("{error:#}").contains("it is of --pawns 1 --chain 1"), "{error:#}");
    // Nothing was overwritten.
    assert!(std::fs::read(&checkpoint).expect("a checkpoint") == bytes);
    assert!(std::fs::read(&task.out).expect("a table") == table);
    std::fs::write(&checkpoint, &bytes[..bytes.len() / 2]).expect("writable");
    let error = solve(&other, |_, _, _| true).expect_err("truncated");
    assert!(format!("{error:#}").contains("checksum"), "{error:#}");
}

#[test]
fn more_memory_than_allowed_is_not_taken() {
    let directory = tempfile::tempdir().expect("a directory");
    // Four pawns: 24,351 half-states and 29,391 flagged states, four bytes each, are 2.7 GiB.
    let error = solve(&task(directory.path(), 4, 1), |_, _, _| false).expect_err("too much");
    let message = format!("{error:#}");
    assert!(message.contains("GiB, and --memory allows 1"), "{message}");
}

#[test]
fn the_tables_of_one_and_two_pawns_agree_with_the_rules() {
    let directory = tempfile::tempdir().expect("a directory");
    for (pawns, chain) in [(1, 0), (1, 3)] {
        solved(directory.path(), pawns, chain);
        let table = SolvedTable::read(&directory.path().join("1.table")).expect("a table");
        let checked = check_random(&table, 300, 5, || ()).expect("known");
        assert!(checked.states == 300 && checked.largest < allowed(&table), "{checked:?}");
    }
    let two = two_pawns();
    assert!(TWO.1.residual < 1e-5, "{}", TWO.1.residual);
    let checked = check_random(&two, if slow() { 100_000 } else { 300 }, 5, || ()).expect("known");
    // Rounding alone makes errors.
    assert!(checked.largest > 1e-6 && checked.largest < allowed(&two), "{checked:?}");
    let block = check_block(&two, 5, || ()).expect("known");
    assert!(block.states > 100 && block.largest < allowed(&two), "{block:?}");
}

/// The tables of the product's tests are those that the solver makes.
#[test]
fn the_tables_of_the_tests_are_those_that_are_solved() {
    let directory = tempfile::tempdir().expect("a directory");
    solved(directory.path(), 1, 1);
    let one = SolvedTable::read(&directory.path().join("1.table")).expect("a table");
    for (name, expected) in [("one", one), ("two", two_pawns())] {
        let path = format!("../tests/data/chowka-bhara/{name}.table");
        let shipped = SolvedTable::read(Path::new(&path)).expect("a table");
        assert_eq!(shipped.header(), expected.header());
        expected.ranking().for_each_run(|run| {
            for state in run {
                assert_eq!(shipped.value(state), expected.value(state), "{name}: {state}");
            }
        });
    }
}
