//! Ctrl-C, and the processes that must end with a match.

use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Child, Stdio};
use std::time::{Duration, Instant};

use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;

use crate::support::{command, games, mock, scratch, slow_tests, within};

/// Whether a process exists and is not a zombie.
fn alive(number: i32) -> bool {
    let Ok(text) = std::fs::read_to_string(format!("/proc/{number}/stat")) else { return false };
    !text.rsplit(") ").next().unwrap_or("").starts_with('Z')
}

pub fn wait_until(what: &str, mut condition: impl FnMut() -> bool) {
    let deadline = Instant::now() + Duration::from_secs(60);
    while !condition() {
        assert!(Instant::now() < deadline, "{what} did not happen within a minute");
        std::thread::sleep(Duration::from_millis(20));
    }
}

/// A long match with engines that start child processes, and the file of all process ids.
fn start(directory: &tempfile::TempDir) -> (Child, String, String) {
    let path = |name: &str| within(directory, name);
    let (processes, records) = (path("processes"), path("records.jsonl"));
    // A child that holds the output of its parent makes every end of a process slow.
    let hold = if slow_tests() { "--hold-output" } else { "" };
    let think = format!("--think 0.05 --helper {processes} {hold}");
    let (one, two) = (mock(&think), format!("{} name=two", mock(&think)));
    let words = [
        "match",
        &one,
        &two,
        "--rounds",
        "10000",
        "-c",
        "2",
        "--margin",
        "5000",
        "--records",
        &records,
        "--rule",
        "Counters=12",
    ];
    let child = command(&words).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    (child, processes, records)
}

fn numbers(path: &str) -> Vec<i32> {
    let text = std::fs::read_to_string(path).unwrap_or_default();
    text.lines().filter_map(|line| line.parse().ok()).collect()
}

fn interrupt(child: &Child) {
    kill(Pid::from_raw(child.id() as i32), Signal::SIGINT).unwrap();
}

#[test]
fn the_first_interrupt_finishes_the_games_and_leaves_no_process() {
    let directory = scratch();
    let (mut child, processes, records) = start(&directory);
    let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
    assert!(lines.next().unwrap().unwrap().starts_with("game "));
    interrupt(&child);
    let rest: Vec<String> = lines.map(Result::unwrap).collect();
    assert!(rest.iter().any(|line| line.starts_with("interrupted")), "{rest:?}");
    assert_eq!(child.wait().unwrap().code(), Some(130));
    let (_, games) = games(Path::new(&records));
    assert!(!games.is_empty() && games.len() < 10_000);
    assert!(games.values().all(|game| game.reason == "last-counter"));
    let numbers = numbers(&processes);
    // Two slots with a referee and two engines each, and a child of every process.
    assert!(numbers.len() >= 12, "{numbers:?}");
    wait_until("the end of all processes", || !numbers.iter().any(|&number| alive(number)));
}

#[test]
fn the_second_interrupt_stops_at_once() {
    let directory = scratch();
    let (mut child, processes, records) = start(&directory);
    let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
    assert!(lines.next().unwrap().unwrap().starts_with("game "));
    interrupt(&child);
    let mut errors = BufReader::new(child.stderr.take().unwrap()).lines();
    assert!(errors.next().unwrap().unwrap().starts_with("finishing the games"));
    interrupt(&child);
    wait_until("the end", || child.try_wait().unwrap().is_some());
    assert_eq!(child.wait().unwrap().code(), Some(130));
    // Abandoned games are not recorded, and no recorded game has a fault.
    let (_, games) = games(Path::new(&records));
    assert!(games.values().all(|game| game.faults.is_empty()));
    let numbers = numbers(&processes);
    wait_until("the end of all processes", || !numbers.iter().any(|&number| alive(number)));
}

#[test]
fn engines_and_their_children_die_with_a_runner_that_is_killed() {
    let directory = scratch();
    let (mut child, processes, _) = start(&directory);
    let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
    assert!(lines.next().unwrap().unwrap().starts_with("game "));
    child.kill().unwrap();
    child.wait().unwrap();
    let numbers = numbers(&processes);
    // The engines die with the runner; the sweeper ends their children.
    wait_until("the end of all processes", || !numbers.iter().any(|&number| alive(number)));
}

#[test]
fn work_ends_with_its_engines_when_nobody_reads_the_output() {
    let directory = scratch();
    let (mut child, processes, records) = start(&directory);
    let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
    assert!(lines.next().unwrap().unwrap().starts_with("game "));
    drop(lines);
    assert_eq!(child.wait().unwrap().code(), Some(130));
    let (_, played) = games(Path::new(&records));
    assert!(!played.is_empty());
    let numbers = numbers(&processes);
    wait_until("the end of all processes", || !numbers.iter().any(|&number| alive(number)));
}

#[test]
fn a_suite_ends_when_nobody_reads_the_output() {
    let directory = scratch();
    let suite = within(&directory, "long.epd");
    std::fs::write(&suite, "startpos ; bm e2e4\n").unwrap();
    let words = ["suite", &suite, "--engine", "barca", "--movetime", "600000"];
    let mut child = command(&words).stdout(Stdio::piped()).spawn().unwrap();
    std::thread::sleep(Duration::from_millis(300));
    drop(child.stdout.take());
    let mut code = None;
    wait_until("the end of the suite", || {
        code = child.try_wait().unwrap();
        code.is_some()
    });
    assert_eq!(code.and_then(|status| status.code()), Some(0));
}
