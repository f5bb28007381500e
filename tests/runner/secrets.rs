//! No secret ever reaches the wrong process.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::process::{Child, Stdio};
use std::time::{Duration, Instant};

use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;
use parlor::runner::record::Origin;

use crate::support::{
    command, expect, games, mock, parlor, python_script, refusal, scratch, within,
};

#[test]
fn the_traffic_holds_no_secret_of_another_seat() {
    let directory = scratch();
    let path = |name: &str| within(&directory, name);
    let (log, records) = (path("log.txt"), path("records.jsonl"));
    let (one, two) = (format!("{} name=one", mock("")), format!("{} name=two", mock("")));
    let words = [
        "match",
        &one,
        &two,
        "--rule",
        "Secrets=true",
        "--rule",
        "Players=3",
        "--rule",
        "Dice=true",
        "--rounds",
        "3",
        "--log",
        &log,
        "--records",
        &records,
        "-q",
        "--rule",
        "Counters=9",
    ];
    expect(0, &words);
    let (_, games) = games(Path::new(&records));
    assert_eq!(games.len(), 18);
    // Every secret of the match; only the process that chose it may know it.
    let secrets: BTreeSet<&str> = games
        .values()
        .flat_map(|game| &game.moves)
        .filter_map(|m| m.token.strip_prefix("secret:"))
        .collect();
    assert!(secrets.len() > 40, "{secrets:?}");
    let text = std::fs::read_to_string(&log).unwrap();
    let mut known_by: BTreeMap<(&str, &str), usize> = BTreeMap::new();
    let mut masked = 0;
    for line in text.lines() {
        let mut words = line.splitn(4, ' ');
        let (_, process, direction, said) =
            (words.next(), words.next().unwrap(), words.next().unwrap(), words.next().unwrap());
        if process.starts_with("referee") {
            continue;
        }
        masked += said.matches("secret:?").count();
        for token in said.split_whitespace().filter_map(|word| word.strip_prefix("secret:")) {
            if direction == "<" {
                *known_by.entry((process, token)).or_default() += 1;
            } else if token != "?" {
                assert!(
                    known_by.contains_key(&(process, token)),
                    "{process} was sent '{token}', which it never chose: {said}"
                );
            }
        }
    }
    assert!(masked > 100, "only {masked} masked tokens: nothing was hidden");
    let known: BTreeSet<&str> = known_by.keys().map(|(_, token)| *token).collect();
    assert_eq!(known, secrets);
}

/// Waits until something is so; a program that ended early is no reason to wait for ever.
fn wait_until(mut is_so: impl FnMut() -> bool) {
    let start = Instant::now();
    while !is_so() {
        assert!(start.elapsed() < Duration::from_secs(60), "in vain");
        std::thread::sleep(Duration::from_millis(5));
    }
}

fn lines(path: &str) -> usize {
    std::fs::read_to_string(path).map_or(0, |text| text.lines().count())
}

/// A match with dice and secrets of three seats, of rounds of six games, that has recorded a number
/// of games. Its engines keep every key that they find beside the records.
fn started(directory: &tempfile::TempDir, least: usize) -> (Child, String) {
    let [records, spy] = ["records.jsonl", "spy"].map(|name| within(directory, name));
    let engine = python_script("tests/runner/mock_engine.py");
    let found = "cat records.jsonl.key >>found 2>/dev/null";
    std::fs::write(&spy, format!("{found}\nexec {engine} \"$@\"\n")).unwrap();
    let spy = format!("cmd='sh {spy}' dir='{}' args='--think 0.01'", directory.path().display());
    let (one, two) = (format!("{spy} name=one"), format!("{spy} name=two"));
    let mut words = vec!["match", &one, &two, "--rounds", "4", "-q", "--records", &records];
    for rule in ["Secrets=true", "Players=3", "Dice=true", "Counters=9"] {
        words.extend(["--rule", rule]);
    }
    let child = command(&words).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    wait_until(|| lines(&records) > least);
    (child, records)
}

/// The throws of every game by its round, in the order of the games.
fn throws(records: &str) -> BTreeMap<u64, Vec<Vec<(usize, String)>>> {
    let mut rounds: BTreeMap<u64, Vec<Vec<(usize, String)>>> = BTreeMap::new();
    for game in games(Path::new(records)).1.values() {
        let thrown = game.moves.iter().filter(|m| m.from == Some(Origin::Chance));
        let thrown = thrown.map(|m| (m.seat, m.token.clone())).collect();
        rounds.entry(game.round).or_default().push(thrown);
    }
    rounds
}

/// The throws that a seat had first in each game of a round.
fn first_throws(round: &[Vec<(usize, String)>], seat: usize) -> BTreeSet<&str> {
    let first = |game: &'_ Vec<(usize, String)>| game.iter().position(|(of, _)| *of == seat);
    round.iter().filter_map(|game| Some(game[first(game)?].1.as_str())).collect()
}

#[test]
fn while_seats_with_secrets_play_the_key_is_in_no_file() {
    let directory = scratch();
    let (child, records) = started(&directory, 2);
    let key = format!("{records}.key");
    assert!(!Path::new(&key).exists());
    kill(Pid::from_raw(child.id() as i32), Signal::SIGINT).unwrap();
    assert_eq!(child.wait_with_output().unwrap().status.code(), Some(130));
    let found = games(Path::new(&records)).1.len();
    assert!(found < 24);
    // No seat is at work; whoever goes on needs it, and takes it away.
    assert_eq!(std::fs::read_to_string(&key).unwrap().len(), 65);
    let mut again = command(&["match", "-y", "-q", &format!("--resume={records}")]);
    let mut again = again.stdout(Stdio::null()).spawn().unwrap();
    wait_until(|| lines(&records) > found + 1);
    assert!(!Path::new(&key).exists());
    assert!(again.wait().unwrap().success());
    assert!(std::fs::read(directory.path().join("found")).unwrap().is_empty());
    let rounds = throws(&records);
    assert_eq!(rounds.values().map(Vec::len).collect::<Vec<_>>(), [6; 4]);
    for (round, games) in &rounds {
        let first = (1..=3).map(|seat| first_throws(games, seat).len());
        assert_eq!(first.collect::<Vec<_>>(), [1; 3], "round {round}: {games:?}");
    }
    let text = std::fs::read_to_string(&records).unwrap();
    assert!(text.lines().last().unwrap().contains("\"key\""), "{text}");
}

#[test]
fn a_key_in_memory_is_lost_with_it_and_comes_back_after_a_start_that_fails() {
    let directory = scratch();
    let (child, records) = started(&directory, 2);
    let key = format!("{records}.key");
    kill(Pid::from_raw(child.id() as i32), Signal::SIGINT).unwrap();
    child.wait_with_output().unwrap();
    let kept = std::fs::read_to_string(&key).unwrap();
    let resume = format!("--resume={records}");
    // The engine does not start any more.
    let spy = within(&directory, "spy");
    let before = std::fs::read_to_string(&spy).unwrap();
    std::fs::write(&spy, "exit 1\n").unwrap();
    refusal(&["match", "-y", "-q", &resume]);
    assert_eq!(std::fs::read_to_string(&key).unwrap(), kept);
    std::fs::write(&spy, before).unwrap();
    let mut again = command(&["match", "-y", "-q", &resume]);
    let mut again = again.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    let found = lines(&records);
    wait_until(|| lines(&records) > found);
    again.kill().unwrap();
    again.wait().unwrap();
    let text = refusal(&["match", "-y", "-q", &resume]);
    assert!(text.contains("only in memory while seats play"), "{text}");
}

#[test]
fn a_given_key_is_given_again_and_a_small_seed_is_warned_of() {
    let directory = scratch();
    let [records, key] = ["records.jsonl", "own"].map(|name| within(&directory, name));
    std::fs::write(&key, [7; 32]).unwrap();
    let engine = mock("");
    let play = |given: [&str; 2], secrets: &str| {
        let two = format!("{engine} name=two");
        let rule = format!("Secrets={secrets}");
        let _ = std::fs::remove_file(&records);
        let words = ["match", &engine, &two, "--games", "2", "-q", "--rule", &rule];
        let output = parlor(&[&words[..], &["--records", &records], &given[..]].concat());
        assert!(output.status.success(), "{output:?}");
        String::from_utf8(output.stderr).unwrap()
    };
    assert!(!play(["--key-file", &key], "true").contains("warning"));
    assert!(!Path::new(&format!("{records}.key")).exists());
    let again = ["match", "-y", "-q", &format!("--resume={records}"), "--games", "4"];
    expect(0, &[&again[..], &["--key-file", &key]].concat());
    assert!(play(["--seed", "7"], "true").contains("--seed 7 in a game with secrets"));
    assert!(!play(["--seed", "7"], "false").contains("warning"));
}
