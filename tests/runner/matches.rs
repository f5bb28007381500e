//! Matches of two seats without faults.

use std::collections::BTreeSet;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use parlor::runner::record::Record;

use crate::support::{
    PARLOR, expect, games, minimal, mock, refusal, scratch, sent, sorted_lines, within,
};

#[test]
fn the_engine_of_the_examples_plays_a_match() {
    let directory = scratch();
    let records = within(&directory, "records.jsonl");
    let one = format!("{} name=one", minimal());
    let two = format!("{} name=two", minimal());
    let words = ["match", &one, &two, "--rounds", "3", "--records", &records, "--report", "2"];
    let text = expect(0, &words);
    assert!(text.contains("6 games"), "{text}");
    // At the end they stand without a heading.
    let standings: Vec<&str> = text.lines().filter(|line| line.starts_with("after ")).collect();
    assert_eq!(standings, ["after 2 games:", "after 4 games:"]);
    let (header, games) = games(Path::new(&records));
    assert_eq!((header.seats, header.rules.as_str()), (2, "Counters=21"));
    assert_eq!(games.len(), 6);
    for game in games.values() {
        // 21 is not a multiple of 4: the first player wins against any defence.
        assert_eq!(game.result, "p1win");
        assert_eq!((game.places.as_slice(), game.reason.as_str()), (&[1, 2][..], "last-counter"));
        let taken: u32 = game.moves.iter().map(|m| m.token.parse::<u32>().unwrap()).sum();
        assert_eq!(taken, 21);
        assert!(game.faults.is_empty());
    }
    assert_eq!(games[&1].seating, ["one", "two"]);
    assert_eq!(games[&2].seating, ["two", "one"]);
}

/// The value of a position is the chance of a win and half of that of a draw.
#[test]
fn the_value_of_a_move_counts_half_of_the_draws() {
    let directory = scratch();
    let records = within(&directory, "records.jsonl");
    let one = format!("{} name=one", mock("--wdl 300,400,300"));
    let two = format!("{} name=two", mock("--wdl 100,0,900"));
    expect(0, &["match", &one, &two, "--rounds", "1", "--records", &records, "-q"]);
    let (_, games) = games(Path::new(&records));
    let moves = games[&1].moves.iter();
    let values: BTreeSet<_> = moves.map(|m| (m.seat, m.win)).collect();
    assert_eq!(values, BTreeSet::from([(1, Some(500)), (2, Some(100))]));
}

/// Of the values of all seats the mover's counts; the formula of the scripted engine a second time.
#[test]
fn the_value_of_a_move_is_that_of_its_seat() {
    let directory = scratch();
    let records = within(&directory, "records.jsonl");
    let (one, two) = (mock("--vec"), format!("{} name=two", mock("--vec")));
    expect(0, &["match", &one, &two, "--games", "1", "--records", &records, "-q"]);
    let (_, games) = games(Path::new(&records));
    let mut left = 12;
    for m in &games[&1].moves {
        let value = (left * 37 + (m.seat as u32 - 1) * 59) % 900 + 50;
        assert_eq!(m.win, Some(value), "{m:?}");
        left -= m.token.parse::<u32>().unwrap();
    }
    assert_eq!(left, 0);
}

#[test]
fn rule_options_reach_every_process() {
    let directory = scratch();
    let records = within(&directory, "records.jsonl");
    let (one, two) = (minimal(), format!("{} name=two", minimal()));
    expect(0, &["match", &one, &two, "--rule", "Counters=8", "--records", &records]);
    let (header, games) = games(Path::new(&records));
    assert_eq!(header.rules, "Counters=8");
    // 8 is a multiple of 4: now the second player wins.
    assert!(games.values().all(|game| game.result == "p2win"));
}

#[test]
fn openings_and_random_plies_are_the_same_for_every_seating() {
    let directory = scratch();
    let records = within(&directory, "records.jsonl");
    let openings = within(&directory, "openings.txt");
    std::fs::write(&openings, "# two openings\nstartpos moves 1 2\nfen 17 p2 moves 3\n").unwrap();
    let (one, two) = (mock("--lose"), format!("{} name=two", mock("")));
    expect(
        0,
        &[
            "match",
            &one,
            &two,
            "--rule",
            "Counters=30",
            "--openings",
            &openings,
            "--rounds",
            "6",
            "--random-plies",
            "3",
            "--records",
            &records,
            "-q",
        ],
    );
    let (_, games) = games(Path::new(&records));
    assert_eq!(games.len(), 12);
    let opening = |game: u64| -> Vec<String> {
        let game = &games[&game];
        let tokens = game.moves.iter().filter(|m| m.from.is_some()).map(|m| m.token.clone());
        std::iter::once(game.start.clone()).chain(tokens).collect()
    };
    let mut different = BTreeSet::new();
    for round in 0..6 {
        let (first, second) = (opening(2 * round + 1), opening(2 * round + 2));
        assert_eq!(first, second);
        let expected: &[&str] =
            if round % 2 == 0 { &["startpos", "1", "2"] } else { &["fen 17 p2", "3"] };
        assert_eq!(&first[..expected.len()], expected);
        assert_eq!(first.len(), expected.len() + 3);
        different.insert(first);
    }
    assert!(different.len() > 2, "random plies are not random: {different:?}");
}

#[test]
fn openings_are_cut_and_begin_where_they_are_asked_to() {
    let directory = scratch();
    let openings = within(&directory, "openings.txt");
    std::fs::write(&openings, "1 3\n2 3 1\n3\n").unwrap();
    let (one, two) = (mock("--lose"), format!("{} name=two", mock("--lose")));
    // The opening of every round.
    let opened = |options: &[&str]| -> Vec<String> {
        let records = within(&directory, "records.jsonl");
        let _ = std::fs::remove_file(&records);
        let words = ["match", &one, &two, "--openings", &openings, "--rounds", "4"];
        expect(0, &[&words[..], &["--records", &records, "-q"], options].concat());
        let all = games(Path::new(&records)).1.into_values();
        let firsts = all.filter(|game| game.seating[1] == "two");
        let tokens = |game: Record| -> Vec<String> {
            game.moves.into_iter().filter(|m| m.from.is_some()).map(|m| m.token).collect()
        };
        firsts.map(|game| tokens(game).join(" ")).collect()
    };
    assert_eq!(opened(&[]), ["1 3", "2 3 1", "3", "1 3"]);
    assert_eq!(
        opened(&["--opening-plies", "2", "--opening-start", "2"]),
        ["2 3", "3", "1 3", "2 3"]
    );
}

#[test]
fn a_stronger_engine_wins_its_pairs() {
    let directory = scratch();
    let records = within(&directory, "records.jsonl");
    let strong = format!("{} name=strong", mock(""));
    let weak = format!("{} name=weak", mock("--lose"));
    let sprt = "elo0=0 elo1=100";
    let words = [
        "match",
        &strong,
        &weak,
        "--rule",
        "Counters=40",
        "--rounds",
        "1000",
        "--random-plies",
        "8",
        "--sprt",
        sprt,
        "-c",
        "2",
        "-q",
        "--records",
        &records,
    ];
    let text = expect(0, &words);
    assert!(text.contains("elo1 accepted"), "{text}");
    let count = games(Path::new(&records)).1.len();
    assert!(count < 2_000, "the test did not end the match");
    // The match is complete: its key is told, and nothing is left to be played.
    let text = std::fs::read_to_string(&records).unwrap();
    assert!(text.lines().last().unwrap().starts_with("{\"game\":0,\"key\":"), "{text}");
    expect(0, &["match", "-y", &format!("--resume={records}"), "-q"]);
    assert_eq!(games(Path::new(&records)).1.len(), count);
    // With the engines in the other order, the exit code is 3.
    let text = expect(
        3,
        &[
            "match",
            &weak,
            &strong,
            "--rule",
            "Counters=40",
            "--rounds",
            "1000",
            "--random-plies",
            "8",
            "--sprt",
            sprt,
            "-c",
            "2",
            "-q",
        ],
    );
    assert!(text.contains("elo0 accepted"), "{text}");
    let below = ["match", &weak, &strong, "--rounds", "3", "-q", "--fail-below", "0.9"];
    assert!(expect(3, &below).contains("is below 0.9"));
}

/// The threshold itself is reached, not missed. Two engines that always take one of two counters
/// win every game of the second seat: one half each.
#[test]
fn a_score_is_below_only_what_is_greater() {
    let (one, two) = (format!("{} name=A", mock("--lose")), format!("{} name=B", mock("--lose")));
    let below = |share| {
        let rule = ["--rule", "Counters=2", "--rounds", "1", "-q", "--fail-below", share];
        [&["match", &one, &two][..], &rule].concat()
    };
    assert!(!expect(0, &below("0.5")).contains("is below"));
    assert!(expect(3, &below("0.501")).contains("score 0.500 is below 0.501"));
}

#[test]
fn games_are_adjudicated() {
    let directory = scratch();
    let result = |extra: &[&str], one: &str, two: &str| {
        let records = within(&directory, "records.jsonl");
        let _ = std::fs::remove_file(&records);
        let (one, two) = (mock(one), format!("{} name=two", mock(two)));
        let mut words = vec![
            "match",
            &one,
            &two,
            "--rule",
            "Counters=60",
            "--games",
            "1",
            "--records",
            &records,
        ];
        words.extend(extra);
        expect(0, &words);
        let game = games(Path::new(&records)).1.remove(&1).unwrap();
        (game.reason, game.result, game.moves.len())
    };
    let words = |reason: &str, result: &str, moves| (reason.to_owned(), result.to_owned(), moves);
    assert_eq!(result(&["--ply-limit", "7"], "", ""), words("ply-limit", "draw", 7));
    // p2 says -500 at its moves 1, 2, 3: tokens 2, 4, 6.
    let resigned = result(&["--resign", "3,500"], "--score 500", "--score=-500");
    assert_eq!(resigned, words("resign", "p1win", 6));
    let drawn = result(&["--draw", "4,2,10"], "--score 10", "--score=-10");
    assert_eq!(drawn, words("draw", "draw", 10));
}

#[test]
fn clocks_are_sent_and_a_round_robin_has_all_pairs() {
    let directory = scratch();
    let log = within(&directory, "log.txt");
    let engine = |name: &str| format!("{} name={name}", mock(""));
    let (a, b, c) = (engine("a"), engine("b"), format!("{} nodes=7", engine("c")));
    let words = ["match", &a, &b, &c, "--tc", "40/60+0.5", "--margin", "5000", "--log", &log];
    let text = expect(0, &words);
    assert!(text.contains("6 games"), "{text}");
    for pair in ["a against b", "a against c", "b against c"] {
        assert!(text.contains(pair), "{text}");
    }
    let log = std::fs::read_to_string(&log).unwrap();
    let go: Vec<&str> = log.lines().filter(|line| line.contains("> go")).collect();
    let expected = "go p1time 60500 p1inc 500 p2time 60500 p2inc 500 movestogo 40";
    assert!(go.iter().any(|line| line.contains("a@1") && line.ends_with(expected)), "{go:?}");
    assert!(go.iter().filter(|line| line.contains("c@1")).all(|line| line.ends_with("go nodes 7")));
    // Of 12 counters every seat takes some three times, and each time its own clock is charged.
    let own = go.iter().filter(|line| line.contains(" a@1"));
    let left: Vec<&str> = own.map(|line| line.rsplit(' ').next().unwrap()).collect();
    assert_eq!(left, ["40", "39", "38"].repeat(4));
}

/// The tokens of a game of an engine that ponders with another one, and how often the first was sent
/// a text.
fn pondered(other: &str, options: &[&str]) -> (Vec<String>, impl Fn(&str) -> usize) {
    let directory = scratch();
    let (log, records) = (within(&directory, "log.txt"), within(&directory, "records.jsonl"));
    let ponderer = format!("{} proto=uci ponder=true name=ponderer", mock("--ponder --lose"));
    let other = format!("{} name=other", mock(other));
    let clock = ["--tc", "60", "--margin", "5000", "--games", "1"];
    let files = ["--log", &log, "--records", &records];
    expect(0, &[&["match", &ponderer, &other][..], &clock, &files, options].concat());
    let game = games(Path::new(&records)).1.remove(&1).unwrap();
    let lines = sent(&log, "ponderer@1.1");
    let sent = move |text: &str| lines.iter().filter(|line| line.contains(text)).count();
    (game.moves.into_iter().map(|m| m.token).collect(), sent)
}

#[test]
fn an_engine_ponders_under_uci() {
    let (moves, sent) = pondered("--lose", &[]);
    // Both always take one: every expected reply is played.
    assert_eq!(moves, ["1"; 12]);
    assert_eq!(sent("go ponder wtime"), 5);
    assert_eq!(sent("ponderhit"), 5);
    assert_eq!(sent("go wtime"), 1);
}

/// A search for a reply that is not played is stopped, and the position that is there searched.
#[test]
fn an_engine_that_expected_another_reply_searches_anew() {
    let (moves, sent) = pondered("", &[]);
    // One is expected of the other, which leaves a multiple of four each time.
    assert_eq!(moves, ["1", "3", "1", "3", "1", "3"]);
    assert_eq!(sent("go ponder wtime"), 3);
    assert_eq!((sent("ponderhit"), sent("stop")), (0, 3));
    assert_eq!(sent("go wtime"), 3);
}

/// After the third token the game is drawn, before the other side answers.
#[test]
fn an_engine_ponders_no_longer_than_its_game_lasts() {
    let (moves, sent) = pondered("", &["--ply-limit", "3"]);
    assert_eq!(moves, ["1", "3", "1"]);
    assert_eq!((sent("go ponder wtime"), sent("stop")), (2, 2));
}

#[test]
fn a_config_file_repeats_a_match() {
    let directory = scratch();
    let path = |name: &str| within(&directory, name);
    let (one, two) = (mock(""), format!("{} name=two", mock("--lose")));
    let (config, first, second) = (path("config.json"), path("1.jsonl"), path("2.jsonl"));
    let rules = ["--rule", "Counters=25", "--rule", "Dice=true"];
    let mut words = vec![
        "match",
        &one,
        &two,
        "--rounds",
        "4",
        "--seed",
        "9",
        "--reproducible",
        "--save-config",
        &config,
        "--records",
        &first,
    ];
    words.extend(rules);
    expect(0, &words);
    expect(0, &["match", "--config", &config, "--records", &second, "-c", "2"]);
    assert_eq!(sorted_lines(&first), sorted_lines(&second));
}

#[test]
fn games_are_shown_and_replayed() {
    let directory = scratch();
    let records = within(&directory, "records.jsonl");
    let (one, two) = (minimal(), format!("{} name=two", minimal()));
    let words = ["match", &one, &two, "--games", "1", "--show", "--records", &records];
    let text = expect(0, &words);
    let diagram = "\nooooooo 7 counters, p1 to take";
    assert!(text.contains(diagram), "{text}");
    let replayed = expect(0, &["replay", &records, "1"]);
    assert!(replayed.contains("last-counter"), "{replayed}");
    assert!(!replayed.contains(diagram));
    assert!(expect(0, &["replay", &records, "1", "--show", "--referee", &one]).contains(diagram));
    let position = expect(0, &["replay", &records, "1", "--position", "2"]);
    assert_eq!(position, "position startpos moves 1 1\n");
    expect(2, &["replay", &records, "2"]);
}

#[test]
fn text_and_standard_error_go_to_files() {
    let directory = scratch();
    let (text, errors) = (within(&directory, "games.txt"), within(&directory, "stderr"));
    let (one, two) = (format!("{} name=one", mock("")), format!("{} name=two", mock("")));
    let words = ["match", &one, &two, "--games", "2", "--text", &text, "--stderr", &errors, "-q"];
    expect(0, &words);
    let text = std::fs::read_to_string(text).unwrap();
    assert!(text.contains("Game 1, round 1\np1: one\np2: two\n"), "{text}");
    assert!(text.contains("Game 2, round 1\np1: two\np2: one\n"), "{text}");
    let said = std::fs::read_to_string(Path::new(&errors).join("one@1.1.stderr")).unwrap();
    assert_eq!(said, "mock engine speaking\n");
}

#[test]
fn plain_ugi_engines_play_under_a_plain_referee() {
    let (one, two) = (mock("--plain"), format!("{} name=two", mock("--plain --lose")));
    let text = expect(0, &["match", &one, &two, "--rounds", "2", "--rule", "Counters=13"]);
    assert!(text.contains("4 games"), "{text}");
}

#[test]
fn a_forced_win_is_shown_as_a_mate() {
    let directory = scratch();
    let (openings, records) = (within(&directory, "o.txt"), within(&directory, "r.jsonl"));
    // The shortest win of the suite, without its last move.
    let line = "startpos moves e2e4 e9e6 e4g4 e6g6 e1e3 f10e9 e3d4 f9f10 g2c6 g6g5\n";
    std::fs::write(&openings, line).unwrap();
    let words = [
        "match",
        "barca",
        "barca",
        "--games",
        "1",
        "--depth",
        "2",
        "--show",
        "--openings",
        &openings,
        "--records",
        &records,
    ];
    let text = expect(0, &words);
    assert!(text.contains("c6d7") && text.contains("mate in 1,"), "{text}");
    let game = games(Path::new(&records)).1.remove(&1).unwrap();
    let last = game.moves.last().unwrap();
    assert_eq!((last.mate, last.cp), (Some(1), Some(31_999)));
}

#[test]
fn the_scores_of_an_adjudicator_end_games() {
    let directory = scratch();
    let (records, log) = (within(&directory, "records.jsonl"), within(&directory, "log.txt"));
    // The players report nothing that would end a game; the adjudicator sees the mover lost.
    let (one, two) = (mock(""), format!("{} name=two", mock("--lose")));
    let adjudicator = format!("{} nodes=1", mock("--score -900"));
    let words = [
        "match",
        &one,
        &two,
        "--games",
        "2",
        "--records",
        &records,
        "--log",
        &log,
        "--rule",
        "Counters=40",
        "--adjudicator",
        &adjudicator,
        "--resign",
        "2,800",
    ];
    expect(0, &words);
    let mut positions = Vec::new();
    for game in games(Path::new(&records)).1.values() {
        // The first seat has its second lost move before the second seat.
        assert_eq!((game.reason.as_str(), game.places.as_slice()), ("resign", &[2, 1][..]));
        assert_eq!(game.moves.len(), 3);
        let [one, two] = [0, 1].map(|index| &game.moves[index].token);
        positions.push("position startpos".to_owned());
        positions.push(format!("position startpos moves {one}"));
        positions.push(format!("position startpos moves {one} {two}"));
    }
    // It is sent every position before the move.
    let mut told = sent(&log, "adjudicator@1");
    told.retain(|line| line.starts_with("position "));
    assert_eq!(told, positions);
    let text = refusal(&["match", &one, &two, "--adjudicator", &mock(""), "--resign", "2,800"]);
    assert!(text.contains("add nodes=, depth= or movetime="), "{text}");
}

#[test]
fn an_adjudicator_with_an_exact_table_ends_games_and_one_without_its_file_is_told() {
    let directory = scratch();
    let player = |name: &str| format!("chowka-bhara name={name} option.Player={name}");
    let (one, two) = (player("careful"), player("random"));
    let words = ["match", &one, &two, "--rule", "Pawns=1", "--depth", "1", "--games", "40", "-q"];
    let judged = |file: &str, records: &str| {
        let adjudicator = format!("chowka-bhara depth=1 option.TableFile={file}");
        let more = ["--resign", "1,300", "--seed", "5", "--adjudicator", &adjudicator];
        expect(0, &[&words[..], &more, &["--records", records]].concat())
    };
    let records = within(&directory, "records.jsonl");
    let text = judged("tests/data/chowka-bhara/one.table", &records);
    assert!(!text.contains("warning"), "{text}");
    let games = games(Path::new(&records)).1;
    assert!(games.values().any(|game| game.reason == "resign"));
    let missing = within(&directory, "no.table");
    let text = judged(&missing, &within(&directory, "again.jsonl"));
    let warnings = text.lines().filter(|line| line.starts_with("warning: ")).count();
    assert!(text.contains("warning: adjudicator: bad-value TableFile: "), "{text}");
    assert_eq!(warnings, 1, "{text}");
}

#[test]
fn games_that_end_in_their_random_plies_are_told() {
    let words = ["match", "barca", "barca name=two", "--nodes", "1", "--games", "2", "-q"];
    let told = |plies: &str| {
        let more = ["--rule", "MaxPlies=6", "--random-plies", plies];
        expect(0, &[&words[..], &more].concat()).contains("2 games were over before an engine")
    };
    assert!(told("6") && !told("5"));
}

#[test]
fn the_cores_of_a_slot_are_those_that_this_process_may_use() {
    let set = nix::sched::sched_getaffinity(nix::unistd::Pid::from_raw(0)).unwrap();
    let count = nix::sched::CpuSet::count();
    let allowed: Vec<usize> = (0..count).filter(|&core| set.is_set(core).unwrap()).collect();
    let has_taskset = Command::new("taskset").arg("--version").output().is_ok();
    let [_, .., last] = allowed.as_slice() else {
        println!("there is one core: nothing is tested");
        return;
    };
    if !has_taskset {
        println!("taskset is not installed: nothing is tested");
        return;
    }
    // The engine writes the cores that it may use.
    let directory = scratch();
    let (script, cores) = (within(&directory, "engine.sh"), within(&directory, "cores"));
    let text = format!("#!/bin/sh\ntaskset -cp $$ >> {cores}\nexec {PARLOR} engine barca\n");
    std::fs::write(&script, text).unwrap();
    let (one, two) = (format!("cmd='sh {script}' name=one"), format!("cmd='sh {script}' name=two"));
    let words = ["match", &one, &two, "--nodes", "20", "--games", "2", "--affinity", "-q"];
    let output = Command::new("taskset")
        .args(["-c", &last.to_string(), PARLOR])
        .args(words)
        .stdin(Stdio::null())
        .output()
        .unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let text = std::fs::read_to_string(&cores).unwrap();
    let wanted = format!(": {last}");
    assert!(!text.is_empty() && text.lines().all(|line| line.ends_with(&wanted)), "{text}");
}

#[test]
fn games_of_a_slot_wait_for_each_other_if_asked_to() {
    let words = ["match", "barca", "barca name=two", "--nodes", "1", "--ply-limit", "2", "-q"];
    let time = |wait: &str| {
        let started = Instant::now();
        expect(0, &[&words[..], &["--games", "3", "-c", "1", "--wait", wait]].concat());
        started.elapsed()
    };
    let waited = time("300");
    assert!(waited >= Duration::from_millis(600), "{waited:?}");
    assert!(refusal(&[&words[..], &["--wait", "soon"]].concat()).contains("soon"));
}
