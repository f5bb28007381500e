//! The solved game: known counts and values, every backup checked against the rules of the game,
//! kills, damaged files, play by a table.

use std::path::Path;
use std::sync::LazyLock;
use std::time::Duration;

use parlor::game::{Chance, Chances, Game, Random, Situation};
use parlor::games::Playable;
use parlor::games::chowka_bhara::solve::{
    Header, Progress, Ranking, Solution, SolvedTable, Solver, TablePlayer, Tail, Task, ValueTable,
    allowed, analyse, bounds, check_block, check_random, checkpoint_path, equity, plays, solve,
};
use parlor::games::chowka_bhara::{Move, Position};
use parlor::search::{Limits, Player, Report, Request, Settings};

use super::{position, slow};
use crate::damaged;

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

pub fn solved(directory: &Path, pawns: u8, chain: u32) -> Solution {
    let task = Task { every: Duration::from_secs(3600), ..task(directory, pawns, chain) };
    solve(&task, |_, _, _| true).expect("no error").expect("a solution")
}

#[test]
fn states_are_ranked_without_gaps_or_collisions() {
    assert_eq!(Ranking::new(1).count().0, 1_544);
    assert_eq!(Ranking::new(2).count(), (186_816, 196_872));
    assert_eq!(Ranking::new(3).count(), (10_778_994, 12_252_582));
    for pawns in 1..=2 {
        let ranking = Ranking::new(pawns);
        let mut random = Random::new(3);
        let options = format!("Pawns={pawns}");
        let mut seen = std::collections::HashMap::new();
        for _ in 0..3000 {
            let state = to_throw(super::random_position(&options, &mut random));
            if state.outcome().is_some() {
                continue;
            }
            let index = ranking.index(&state).expect("a state");
            assert!(index < ranking.numbers());
            // South and North see the same state; compare the mover's view.
            let view = seen.entry(index).or_insert_with(|| view(&state));
            assert_eq!(*view, self::view(&state));
        }
    }
}

/// Pawns, gates and fresh doubles as the side to move sees them.
fn view(state: &Position) -> (Vec<u8>, Vec<u8>, bool, bool, u32) {
    let (own, other) = (state.side(), 2 - state.side());
    let fresh = (0..16).filter(|cell| state.fresh() >> cell & 1 != 0).fold(0, |set, cell| {
        let index = if other == 0 { cell } else { (cell + 8) % 16 };
        set | 1 << index
    });
    let pawns = |side| state.pawns(side).to_vec();
    (pawns(own), pawns(other), state.gate_open(own), state.gate_open(other), fresh)
}

/// The position with its throws taken back.
fn to_throw(position: Position) -> Position {
    use parlor::game::{Notation, Rules};
    let text = position.to_string();
    let (rest, _) = text.rsplit_once(' ').expect("throws");
    let mut rules = Position::default_rules();
    rules.set("Pawns", &position.options().pawns.to_string()).expect("an option");
    Position::parse(&format!("{rest} -"), &rules, None).expect("a position")
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

/// A state's value by the rules of the game and the values of what follows it.
fn by_the_rules(ranking: &Ranking, values: &ValueTable, state: &Position, chain: usize) -> f64 {
    fn mean(
        state: &Position,
        chain: usize,
        chance: f64,
        total: &mut f64,
        best: &dyn Fn(&Position) -> f64,
    ) -> f64 {
        if state.turn().seat().is_some() {
            *total += chance;
            return chance * best(state);
        }
        let Chances::Listed(list) = state.chances() else { panic!("listed") };
        let mut sum = 0.0;
        for (m, weight) in list {
            let mut next = state.clone();
            next.play(&m);
            if next.turn().seat().is_some() || chain > 0 {
                let left = chain.saturating_sub(1);
                sum += mean(&next, left, chance * weight as f64 / 16.0, total, best);
            }
        }
        sum
    }
    let best = |state: &Position| {
        let seat = state.turn().seat().expect("a seat");
        let worth = |m: &Move| {
            let mut next = state.clone();
            next.play(m);
            match next.outcome() {
                Some(outcome) => outcome.share(seat),
                None => 1.0 - f64::from(values.get(ranking.index(&next).expect("a state"))),
            }
        };
        state.moves().iter().map(worth).fold(0.0, f64::max)
    };
    let mut total = 0.0;
    mean(state, chain, 1.0, &mut total, &best) / total
}

#[test]
fn every_value_follows_from_those_after_it_by_the_rules_of_the_game() {
    let directory = tempfile::tempdir().expect("a directory");
    let one = solved(directory.path(), 1, 2);
    for (pawns, chain, solution) in [(1, 2, &one), (2, 1, &TWO.1)] {
        assert!(solution.residual < 1e-5, "{}", solution.residual);
        let ranking = Ranking::new(pawns);
        let mut random = Random::new(11);
        for _ in 0..800 {
            let options = format!("Pawns={pawns}");
            let state = to_throw(super::random_position(&options, &mut random));
            if state.outcome().is_some() {
                continue;
            }
            let expected = by_the_rules(&ranking, &solution.values, &state, chain as usize);
            let found = f64::from(solution.values.get(ranking.index(&state).expect("a state")));
            assert!((found - expected).abs() < 1e-5, "{found} {expected} {state:?}");
        }
    }
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
        let solver = Solver::new(pawns, chain, Tail::Shared);
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
fn the_chains_left_out_change_little_and_the_bounds_hold() {
    let directory = tempfile::tempdir().expect("a directory");
    let one = solved(directory.path(), 1, 4);
    let mut games = vec![(1, 2, &one, 0.05)];
    if slow() {
        games.push((2, 1, &TWO.1, 0.45));
    }
    for (pawns, chain, better, most) in games {
        let solver = Solver::new(pawns, chain, Tail::Bounds);
        let mut tables = solver.start();
        assert!(solver.solve(&mut tables, &mut Progress::default(), 1e-6, |_, _, _| true));
        let [high, low] = [0, 1].map(|which| all(&solver.ranking, &tables[which]));
        let between = all(&solver.ranking, &better.values);
        for (low, (value, high)) in low.iter().zip(between.iter().zip(&high)) {
            assert!(*low <= value + 1e-5 && *value <= high + 1e-5, "{low} {value} {high}");
            assert!(high - low < most, "{low} {high}");
        }
        // One more bonus throw leaves an eighth of the chance out.
        let header = Header { pawns, chain, change: 1e-5, bracket: false };
        let wide = bounds(&header).expect("bounds");
        let narrow = bounds(&Header { chain: chain + 1, ..header }).expect("bounds");
        let [wide_low, wide_high] = wide.0;
        let [low, high] = narrow.0;
        assert!(wide_low < low && low < better.start, "{wide:?} {narrow:?}");
        assert!(better.start < high && high < wide_high, "{wide:?} {narrow:?}");
        assert!(narrow.1 < 0.3 * wide.1, "{wide:?} {narrow:?}");
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
fn tables_and_checkpoints_with_any_damage_are_refused() {
    let directory = tempfile::tempdir().expect("a directory");
    let task = task(directory.path(), 1, 0);
    solve(&task, |_, progress, _| progress.sweeps < 3).expect("no error");
    let checkpoint = checkpoint_path(&task.out);
    let good = std::fs::read(&checkpoint).expect("a checkpoint");
    damaged::each(&good, damaged::copies(20), |what, bytes| {
        std::fs::write(&checkpoint, bytes).expect("writable");
        let continued = solve(&task, |_, _, _| false);
        assert!(continued.is_err(), "checkpoint: {what}");
    });
    std::fs::remove_file(&checkpoint).expect("mine");
    solve(&task, |_, _, _| true).expect("no error");
    let good = std::fs::read(&task.out).expect("a table");
    damaged::each(&good, damaged::copies(60), |what, bytes| {
        std::fs::write(&task.out, bytes).expect("writable");
        assert!(SolvedTable::read(&task.out).is_err(), "table: {what}");
    });
}

#[test]
fn damaged_tables_and_checkpoints_are_refused_with_reasons() {
    let directory = tempfile::tempdir().expect("a directory");
    let task = task(directory.path(), 1, 0);
    solve(&task, |_, _, _| true).expect("no error");
    let good = std::fs::read(&task.out).expect("a table");
    let refused = |bytes: &[u8]| {
        std::fs::write(&task.out, bytes).expect("writable");
        let error = SolvedTable::read(&task.out).expect_err("refused");
        format!("{error:#}")
    };
    assert!(refused(&good[..20]).contains("less than a header"));
    assert!(refused(&good[..good.len() - 2]).contains("the checksum is wrong"));
    assert!(refused(&[b"chowkaC3", &good[8..]].concat()).contains("does not begin with chowkaT3"));
    for at in [9, 33, 100, good.len() - 1] {
        let mut bytes = good.clone();
        bytes[at] ^= 0x10;
        assert!(refused(&bytes).contains("damaged"), "byte {at}");
    }
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
fn a_table_is_played_perfectly_and_covers_games_with_more_pawns() {
    let path = TWO.0.path().join("2.table");
    let table = SolvedTable::read(&path).expect("a table");
    let covered = position("3.9.24.24/-/5.14.24.24/- S SN - 2", "");
    let list = plays(&table, &covered).expect("covered");
    assert_eq!(list.len(), covered.moves().len());
    let same = position("3.9/-/5.14/- S SN - 2", "Pawns=2");
    for (m, value) in plays(&table, &same).expect("covered") {
        assert!(list.contains(&(m, value)), "{m:?} {value}");
    }
    let mut settings = Settings { hash: 1, ..Settings::default() };
    settings.options = parlor::game::OptionValues::new(Position::engine_options());
    settings.options.set("TableFile", path.to_str().expect("text")).expect("an option");
    let mut player = Position::player("engine", &settings).unwrap();
    let request = Request::new(Limits::depth(1));
    let choice = player.choose(&Situation::new(covered), &request, &mut |_| {}).expect("a play");
    assert_eq!(choice.best, list[0].0);
    // Too many pawns out, or a closed gate with pawns that cannot be inside: not in the table.
    for text in ["3.9.10.24/-/5.14.24.24/- S SN - 2", "0.1.2.3/-/0.0.5.6/- S - - 2"] {
        assert!(plays(&table, &position(text, "")).is_none(), "{text}");
    }
}

/// The engine with the 2-pawn table.
fn engine_with_table() -> Box<dyn Player<Position>> {
    let path = TWO.0.path().join("2.table");
    let mut settings = Settings { hash: 1, ..Settings::default() };
    settings.options = parlor::game::OptionValues::new(Position::engine_options());
    settings.options.set("TableFile", path.to_str().expect("text")).expect("an option");
    Position::player("engine", &settings).expect("a player")
}

#[test]
fn a_search_takes_the_tables_values_where_the_root_is_not_known() {
    let table = SolvedTable::read(&TWO.0.path().join("2.table")).expect("a table");
    // A pawn that goes home leaves two; the other plays leave three.
    let root = position("3.5.22.24/-/5.14.24.24/- S SN - 2", "");
    assert!(plays(&table, &root).is_none());
    let mut request = Request::new(Limits::depth(1));
    request.multi_pv = 9;
    let mut known = 0;
    engine_with_table().choose(&Situation::new(root.clone()), &request, &mut |report| {
        let Report::Info(info) = report else { return };
        let mut next = root.clone();
        next.play(&info.pv[0]);
        let Some(value) = table.value_of(&next) else { return };
        known += 1;
        let [won, _, _] = info.wdl.expect("chances");
        assert!((f32::from(won) / 1000.0 - (1.0 - value)).abs() < 0.001, "{info:?} {value}");
    });
    assert_eq!(known, 1, "the pawn that goes home");
}

#[test]
fn a_game_of_other_rules_is_played_without_the_table_and_reported_once() {
    let mut player = engine_with_table();
    for (options, expected) in [("Safe=corners", 1), ("Pawns=2", 0)] {
        let pawns = if expected == 1 { "0.0.0.0/-/0.0.0.0/-" } else { "0.0/-/0.0/-" };
        let situation = Situation::new(position(&format!("{pawns} S - - 2"), options));
        let mut reports = Vec::new();
        player.new_game();
        for _ in 0..2 {
            let choice =
                player.choose(&situation, &Request::new(Limits::depth(1)), &mut |report| {
                    if let Report::BadOption(text) = report {
                        reports.push(text);
                    }
                });
            assert!(choice.is_some());
        }
        assert_eq!(reports.len(), expected, "{options}: {reports:?}");
        assert!(reports.iter().all(|text| text.contains("tables are of the default rules")));
    }
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
    let two = SolvedTable::read(&TWO.0.path().join("2.table")).expect("a table");
    let checked = check_random(&two, if slow() { 100_000 } else { 300 }, 5, || ()).expect("known");
    // Rounding alone makes errors.
    assert!(checked.largest > 1e-6 && checked.largest < allowed(&two), "{checked:?}");
    let block = check_block(&two, 5, || ()).expect("known");
    assert!(block.states > 100 && block.largest < allowed(&two), "{block:?}");
}

#[test]
fn luck_and_losses_add_up_to_the_result_of_a_game() {
    let table = SolvedTable::read(&TWO.0.path().join("2.table")).expect("a table");
    let mut random = Random::new(9);
    for _ in 0..10 {
        let mut state = position("0.0/-/0.0/- S - - -", "Pawns=2");
        let start = table.value_of(&state).expect("the start");
        let mut line = "position startpos moves".to_string();
        while let Some(m) = state.random_move(&mut random) {
            use parlor::game::Notation;
            line += &format!(" {}", state.token(&m));
            state.play(&m);
        }
        let share = state.outcome().expect("it ended").share(parlor::game::Seat::new(0));
        let found = analyse(&table, &line).expect("a game");
        let [south, north] = ["South", "North"].map(|name| found.players[name]);
        assert!(south.unknown + north.unknown == 0 && south.lost >= 0.0 && north.lost >= 0.0);
        let sum = f64::from(start) + south.luck - south.lost - north.luck + north.lost;
        assert!((sum - share).abs() < 1e-3, "{sum} {share} {found:?}");
        assert!(found.worst[0].lost >= found.worst[found.worst.len() - 1].lost);
        assert_ne!(found.worst[0].played, found.worst[0].best);
    }
    for (text, why) in [
        ("", "no game in it"),
        ("position startpos moves t2 c1e9", "line 1: at character"),
        ("\nposition startpos moves t2 c1d1", "line 2: c1d1 is not legal in"),
        ("position startpos moves c1d1", "is not legal"),
        ("position here moves t2", "it begins with 'here', not with startpos or fen"),
        ("{\"moves\":[]}", "no seating"),
        ("{\"moves\"", "it is no JSON"),
    ] {
        let error = format!("{:#}", analyse(&table, text).expect_err(text));
        assert!(error.contains(why), "{text}: {error}");
    }
}

#[test]
fn the_engine_without_a_table_loses_little_to_perfect_play() {
    let table = SolvedTable::read(&TWO.0.path().join("2.table")).expect("a table");
    let start = position("0.0/-/0.0/- S - - -", "Pawns=2");
    let settings = Settings { hash: 1, ..Settings::default() };
    let mut players = ["engine", "careful"].map(|name| Position::player(name, &settings).unwrap());
    let loss = equity(&table, &start, &mut players, &Limits::depth(1), 100, 1);
    assert!(loss.mean(0) < 0.005, "the engine loses {}", loss.mean(0));
    assert!(loss.mean(1) > loss.mean(0), "careful loses {}", loss.mean(1));
    assert!(loss.adjusted() > 0.5);
    let table = std::sync::Arc::new(table);
    let perfect = || -> Box<dyn Player<Position>> {
        let other = Position::player("random", &settings).unwrap();
        Box::new(TablePlayer::new(table.clone(), other))
    };
    let mut players = [perfect(), perfect()];
    let loss = equity(&table, &start, &mut players, &Limits::depth(1), 20, 1);
    assert_eq!(loss.lost, [0.0, 0.0]);
}
