//! Every kind of fault is recognised, scored, and survived.

use std::collections::BTreeMap;
use std::path::Path;

use parlor::runner::record::Ending;

use crate::support::{command, expect, games, mock, scratch, slow_tests, within};

/// The kinds of fault that the scripted engine can commit in the middle of a game.
const KINDS: [&str; 9] = [
    "crash",
    "hang",
    "silence-after-stop",
    "closed-pipe",
    "endless-output",
    "overtime",
    "illegal-move",
    "malformed-move",
    "disagreement",
];

/// Patience and margin for a busy machine; the scripted overtime is longer than the time for a move
/// and the margin together.
const TIMES: [&str; 6] = ["--movetime", "20", "--margin", "1500", "--patience", "2500"];

#[test]
fn every_fault_is_named_scored_and_followed_by_the_next_game() {
    // How many of each kind, and in how many games: also by environment variables.
    let setting = |name: &str, default: u64| {
        std::env::var(name).ok().and_then(|text| text.parse().ok()).unwrap_or(default)
    };
    let (each, total) = if slow_tests() { (2, 30) } else { (1, 10) };
    let (each, total) = (setting("FAULTS_EACH", each), setting("FAULT_GAMES", total));
    let directory = scratch();
    let path = |name: &str| within(&directory, name);
    let (plan, records) = (path("plan"), path("records.jsonl"));
    // Spread over the match by a step that is coprime to its length.
    let mut kinds = vec!["-"; total as usize];
    for index in 0..each * KINDS.len() as u64 {
        kinds[(index * 7 % total) as usize] = KINDS[(index % KINDS.len() as u64) as usize];
    }
    std::fs::write(&plan, kinds.join("\n")).unwrap();
    let faulty = format!("{} name=faulty", mock(&format!("--faults {plan}")));
    let sound = format!("{} name=sound", mock("--lose"));
    let referee = mock("");
    let games_text = total.to_string();
    let mut words = vec![
        "match",
        &sound,
        &faulty,
        "--referee",
        &referee,
        "--games",
        &games_text,
        "-c",
        "5",
        "--records",
        &records,
        "--rule",
        "Counters=25",
    ];
    words.extend(TIMES);
    let text = expect(1, &words);
    let (_, games) = games(Path::new(&records));
    assert_eq!(games.len() as u64, total);
    let mut seen: BTreeMap<&str, u64> = BTreeMap::new();
    for game in games.values() {
        let place = game.seating.iter().position(|name| name == "faulty").unwrap();
        let Some(fault) = game.faults.first() else {
            assert_eq!((game.ending, game.reason.as_str()), (Ending::Rules, "last-counter"));
            continue;
        };
        assert_eq!(game.faults.len(), 1);
        assert_eq!((fault.engine.as_str(), fault.seat), ("faulty", place + 1));
        *seen.entry(fault.fault.kind.name()).or_default() += 1;
        assert_eq!((game.ending, game.reason.as_str()), (Ending::Fault, fault.fault.kind.name()));
        assert_eq!(game.places[place], 2);
        assert_eq!(game.places[1 - place], 1);
        assert_eq!(game.result, if place == 0 { "p2win" } else { "p1win" });
        // The lines that reproduce it: the position line and the command.
        let moves: Vec<&str> = game.moves.iter().map(|m| m.token.as_str()).collect();
        let line = format!("position startpos moves {}", moves.join(" "));
        assert_eq!(fault.fault.position, line);
        assert_eq!(fault.fault.command, "go movetime 20");
        assert!(text.contains(&line), "{text}");
    }
    let expected: BTreeMap<&str, u64> = KINDS.iter().map(|&kind| (kind, each)).collect();
    assert_eq!(seen, expected);
}

#[test]
fn faults_can_be_allowed() {
    let directory = scratch();
    let plan = within(&directory, "plan");
    std::fs::write(&plan, "crash\n").unwrap();
    let faulty = format!("{} name=faulty", mock(&format!("--faults {plan}")));
    let (sound, referee) = (mock(""), mock(""));
    let words = ["match", &sound, &faulty, "--referee", &referee, "--allow-faults", "--games", "2"];
    let text = expect(0, &words);
    assert!(text.contains("faults of faulty: crash 2"), "{text}");
}

#[test]
fn a_random_mover_takes_the_seat_if_asked_to() {
    let directory = scratch();
    let path = |name: &str| within(&directory, name);
    let (plan, records) = (path("plan"), path("records.jsonl"));
    std::fs::write(&plan, "crash\nillegal-move\n").unwrap();
    let faulty = format!("{} name=faulty", mock(&format!("--faults {plan}")));
    let (sound, referee) = (mock(""), mock(""));
    let words = [
        "match",
        &sound,
        &faulty,
        "--referee",
        &referee,
        "--on-fault",
        "random",
        "--games",
        "4",
        "--records",
        &records,
        "--rule",
        "Counters=25",
    ];
    expect(1, &words);
    for game in games(Path::new(&records)).1.values() {
        assert_eq!((game.ending, game.faults.len()), (Ending::Rules, 1));
        let place = game.faults[0].seat;
        let own: Vec<_> = game.moves.iter().filter(|m| m.seat == place).collect();
        assert!(own[0].from.is_none());
        assert!(own[1..].iter().all(|m| m.from.is_some()), "{own:?}");
    }
}

#[test]
fn a_different_result_of_an_engine_is_a_fault_and_the_referees_stands() {
    let directory = scratch();
    let records = within(&directory, "records.jsonl");
    // A plain engine knows neither views nor seats; it takes the starting pile from `startpos`,
    // and its pile is larger by one: it never sees the end.
    let odd = format!("{} name=odd", mock("--plain --version-of-rules 4 --lose"));
    let (sound, referee) = (mock("--lose"), mock(""));
    let words =
        ["match", &sound, &odd, "--referee", &referee, "--games", "2", "--records", &records];
    expect(1, &words);
    for game in games(Path::new(&records)).1.values() {
        assert_eq!((game.ending, game.result.as_str()), (Ending::Rules, "p2win"));
        assert_eq!(game.faults.len(), 1);
        assert_eq!(game.faults[0].engine, "odd");
        assert_eq!(game.faults[0].fault.kind.name(), "disagreement");
        assert!(game.faults[0].fault.detail.contains("sees gameover false"));
    }
}

#[test]
fn a_referee_that_crashes_is_replaced_and_the_game_restarted() {
    let directory = scratch();
    let records = within(&directory, "records.jsonl");
    let (one, two) = (mock(""), format!("{} name=two", mock("")));
    // A game of 12 counters, up to 3 a turn, takes about 30 queries: it crashes every few games.
    let referee = mock("--fragile 100");
    let words =
        ["match", &one, &two, "--referee", &referee, "--rounds", "10", "--records", &records];
    expect(0, &words);
    assert_eq!(games(Path::new(&records)).1.len(), 20);
    let hopeless = mock("--fragile 20");
    let words = ["match", &one, &two, "--referee", &hopeless, "--rounds", "10"];
    let output = crate::support::parlor(&words);
    assert_eq!(output.status.code(), Some(2));
    let text = String::from_utf8_lossy(&output.stderr);
    assert!(text.contains("the referee failed: crash: exited with code 4"), "{text}");
}

#[test]
fn reports_for_build_servers_tell_wrong_play_from_engines_that_fail() {
    let directory = scratch();
    let path = |name: &str| within(&directory, name);
    let (plan, junit) = (path("plan"), path("out.xml"));
    std::fs::write(&plan, "illegal-move\n-\ncrash\n-\n").unwrap();
    let faulty = format!("{} name=faulty", mock(&format!("--faults {plan}")));
    let (sound, referee) = (mock(""), mock(""));
    let run = |words: &[&str]| {
        let mut command = command(&[words, &["--junit", &junit]].concat());
        let output = command.env("GITHUB_ACTIONS", "true").output().unwrap();
        let xml = std::fs::read_to_string(&junit).unwrap();
        (output.status.code(), String::from_utf8_lossy(&output.stdout).into_owned(), xml)
    };
    let words = ["match", &faulty, &sound, "--referee", &referee, "--games", "4", "-q"];
    let (code, text, xml) = run(&words);
    assert_eq!(code, Some(1), "{text}");
    assert!(xml.contains("tests=\"4\" failures=\"1\" errors=\"1\""), "{xml}");
    assert!(xml.contains("<failure message=\"p1 faulty: illegal-move"), "{xml}");
    assert!(xml.contains("<error message=\"p1 faulty: crash"), "{xml}");
    assert!(text.contains("::error title=game 1%3A faulty - "), "{text}");
    // One that does not start.
    let (code, text, xml) = run(&["match", "cmd=/no/such/engine name=none", &sound]);
    assert_eq!(code, Some(2), "{text}");
    assert!(xml.contains("tests=\"1\" failures=\"0\" errors=\"1\""), "{xml}");
    assert!(xml.contains("<error message=\"engine ") && xml.contains("no program at"), "{xml}");
    assert!(text.contains("::error title=start::engine "), "{text}");
}
