//! What is said of an engine that died, talks too much, or leaves processes behind.

use std::path::Path;
use std::time::{Duration, Instant};

use parlor::runner::record::{Ending, Record};

use crate::support::{games, mock, parlor, scratch, within};

/// A match without a limit of time, in which a move may take two minutes.
fn play(faulty: &str, count: &str) -> (Vec<Record>, String) {
    let directory = scratch();
    let records = within(&directory, "records.jsonl");
    let (sound, referee) = (mock("--lose"), mock(""));
    let faulty = format!("{faulty} name=faulty");
    let words = [
        "match",
        &sound,
        &faulty,
        "--referee",
        &referee,
        "--games",
        count,
        "--nodes",
        "1",
        "--records",
        &records,
        "--rule",
        "Counters=25",
        "--allow-faults",
    ];
    let output = parlor(&words);
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    (games(Path::new(&records)).1.into_values().collect(), text)
}

fn end(processes: &str) {
    for number in std::fs::read_to_string(processes).unwrap_or_default().split_whitespace() {
        let number = number.parse().unwrap();
        let _ =
            nix::sys::signal::kill(nix::unistd::Pid::from_raw(number), nix::sys::signal::SIGKILL);
    }
}

/// Whether a process exists and is not a zombie.
fn alive(number: &str) -> bool {
    let Ok(text) = std::fs::read_to_string(format!("/proc/{number}/stat")) else { return false };
    !text.rsplit(") ").next().unwrap_or("").starts_with('Z')
}

#[test]
fn a_dead_engine_is_diagnosed_though_its_child_holds_the_pipe() {
    for (death, kind, detail) in [
        ("-11", "crash", "ended by SIGSEGV at 'go nodes 1'"),
        ("-9", "crash", "ended by SIGKILL at 'go nodes 1'"),
        ("7", "crash", "exited with code 7 at 'go nodes 1'"),
        ("0", "closed-pipe", "exited with code 0 at 'go nodes 1'"),
    ] {
        let directory = scratch();
        let helper = within(&directory, "processes");
        let started = Instant::now();
        let flags = format!("--die {death} --helper {helper} --hold-output --escape");
        let (games, _) = play(&mock(&flags), "2");
        assert_eq!(games.len(), 2);
        for game in &games {
            assert_eq!((game.ending, game.reason.as_str()), (Ending::Fault, kind));
            let found = &game.faults[0].fault.detail;
            assert!(found.starts_with(detail), "{found}");
            assert!(found.ends_with("a process that it started holds its output"), "{found}");
        }
        assert!(started.elapsed() < Duration::from_secs(60), "the end was not noticed");
        end(&helper);
    }
}

#[test]
fn processes_that_leave_the_group_end_with_their_engine() {
    if !cfg!(target_os = "linux") {
        return;
    }
    let bare = ["--escape --bare", "--escape --orphan --bare"];
    for flag in ["--escape", "--escape --orphan"].into_iter().chain(bare) {
        let directory = scratch();
        let helper = within(&directory, "processes");
        let (games, _) = play(&mock(&format!("{flag} --helper {helper}")), "2");
        assert!(games.iter().all(|game| game.ending == Ending::Rules));
        let text = std::fs::read_to_string(&helper).unwrap();
        let left: Vec<&str> = text.split_whitespace().filter(|number| alive(number)).collect();
        assert!(text.lines().count() > 1 && left.is_empty(), "{flag}: {left:?} still run");
    }
}

#[test]
fn processes_of_engines_end_also_when_parlor_is_killed() {
    if !cfg!(target_os = "linux") {
        return;
    }
    let bare = ["--escape --bare", "--escape --orphan --bare"];
    for flag in ["", "--escape", "--escape --orphan"].into_iter().chain(bare) {
        let directory = scratch();
        let helper = within(&directory, "processes");
        let (one, two) = (mock(&format!("--helper {helper} {flag}")), mock("--think 60 --lose"));
        let words = ["match", &one, &two, "--move-timeout", "600", "--nodes", "1"];
        let mut command = crate::support::command(&words);
        let mut runner = command.stdout(std::process::Stdio::null()).spawn().unwrap();
        let started = Instant::now();
        let limit = Duration::from_secs(60);
        // One in the trial, one in the game.
        let count = if flag.contains("orphan") { 2 } else { 4 };
        let listed = || std::fs::read_to_string(&helper).unwrap_or_default();
        while listed().lines().count() < count && started.elapsed() < limit {
            std::thread::sleep(Duration::from_millis(20));
        }
        if flag.contains("bare") {
            // What tells nothing of itself is known only after one of the looks, a second apart.
            std::thread::sleep(Duration::from_millis(3000));
        }
        runner.kill().unwrap();
        runner.wait().unwrap();
        let text = listed();
        let left = || text.split_whitespace().filter(|number| alive(number)).count();
        assert!(text.lines().count() >= count, "no engine was started: {text}");
        while left() > 0 && started.elapsed() < limit {
            std::thread::sleep(Duration::from_millis(20));
        }
        let still = left();
        end(&helper);
        assert_eq!(still, 0, "'{flag}': processes outlive parlor");
    }
}

#[test]
fn an_engine_that_dies_at_a_query_is_said_to_have_died_there() {
    // The trial takes four queries of a player; the fifth comes at the end of a game.
    let (games, _) = play(&mock("--fragile 5"), "6");
    let faults: Vec<_> = games.iter().flat_map(|game| &game.faults).collect();
    assert!(!faults.is_empty());
    for fault in faults {
        assert_eq!(fault.fault.kind.name(), "crash");
        assert!(fault.fault.detail.starts_with("exited with code 4 at 'query "), "{fault:?}");
    }
}

#[test]
fn a_second_bestmove_is_counted_and_told() {
    let (games, text) = play(&mock("--twice"), "2");
    let mut all = 0;
    for game in &games {
        assert_eq!((game.ending, game.faults.len()), (Ending::Rules, 0));
        let seat = game.seating.iter().position(|name| name == "faulty").unwrap();
        let decided = game.moves.iter().filter(|m| m.seat == seat + 1).count() as u64;
        assert_eq!((game.strays[seat], game.strays[1 - seat]), (decided, 0));
        all += decided;
    }
    let told =
        format!("\nfaulty: {all} stray lines (moves and search reports outside of a search)");
    assert!(text.contains(&told), "{text}");
}
