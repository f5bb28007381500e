//! A match that was killed continues where it stopped.

use std::path::Path;
use std::time::Duration;

use crate::support::{command, expect, games, mock, refusal, scratch, slow_tests, within};

#[test]
fn after_a_kill_no_game_is_lost_and_none_is_played_twice() {
    let directory = scratch();
    let path = |name: &str| within(&directory, name);
    let (records, text) = (path("records.jsonl"), path("games.txt"));
    let (one, two) = (mock("--think 0.002"), format!("{} name=two", mock("--lose")));
    let (kills, rounds) = if slow_tests() { (10, 60) } else { (3, 15) };
    let rounds_text = rounds.to_string();
    let words = [
        "match",
        &one,
        &two,
        "--rule",
        "Dice=true",
        "--rounds",
        &rounds_text,
        "--reproducible",
        "-q",
        "--rule",
        "Counters=30",
        "-c",
        "2",
        "--margin",
        "5000",
        "--records",
        &records,
        "--text",
        &text,
        "--resume",
    ];
    // Kills at moments spread over the match; then to the end.
    for moment in 0..kills {
        let mut child = command(&words).stdout(std::process::Stdio::null()).spawn().unwrap();
        std::thread::sleep(Duration::from_millis(350 + 90 * moment));
        child.kill().unwrap();
        child.wait().unwrap();
    }
    // A line cut off by a kill, as a full buffer would leave it.
    if Path::new(&records).exists() {
        let mut bytes = std::fs::read(&records).unwrap();
        bytes.extend_from_slice(b"{\"game\":7,\"rou");
        std::fs::write(&records, bytes).unwrap();
    }
    expect(0, &words);
    let (_, resumed) = games(Path::new(&records));
    assert_eq!(
        resumed.keys().copied().collect::<Vec<u64>>(),
        (1..=2 * rounds).collect::<Vec<u64>>()
    );
    let (straight, other_text) = (path("straight.jsonl"), path("other.txt"));
    let replaced = words.iter().filter(|word| **word != "--resume").map(|word| match word {
        word if *word == records => straight.as_str(),
        word if *word == text => other_text.as_str(),
        word => word,
    });
    let words: Vec<&str> = replaced.collect();
    expect(0, &words);
    assert_eq!(games(Path::new(&straight)).1, resumed);
    let count = std::fs::read_to_string(&text).unwrap().matches("\nPlaces: ").count();
    assert_eq!(count as u64, 2 * rounds);
}

#[test]
fn records_alone_are_enough_to_continue() {
    let directory = scratch();
    let records = within(&directory, "records.jsonl");
    let (one, two) = (mock(""), format!("{} name=two", mock("--lose")));
    expect(0, &["match", &one, &two, "--rounds", "2", "--records", &records, "--seed", "5"]);
    // The same match, with more rounds.
    expect(0, &["match", "--resume", "--records", &records, "--rounds", "5"]);
    let (header, games) = games(Path::new(&records));
    assert_eq!((header.seed, games.len()), (5, 10));
}

#[test]
fn another_match_is_not_mixed_in() {
    let directory = scratch();
    let records = within(&directory, "records.jsonl");
    let (one, two) = (mock(""), format!("{} name=two", mock("--lose")));
    expect(0, &["match", &one, &two, "--records", &records]);
    let text = refusal(&["match", &one, &two, "--records", &records, "--seed", "2", "--resume"]);
    assert!(text.contains("the records are of another match"), "{text}");
    let text = refusal(&["match", &one, &two, "--records", &records]);
    assert!(text.contains("add --resume"), "{text}");
}
