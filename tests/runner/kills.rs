//! Random kills of runner, engines and referees: no game is lost, none is played twice.

use std::path::Path;
use std::process::{Child, Stdio};
use std::time::Duration;

use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;
use parlor::runner::record::Ending;

use crate::support::{command, expect, games, mock, scratch, within};

/// The processes that a process has started.
pub fn children(process: u32) -> Vec<i32> {
    let Ok(threads) = std::fs::read_dir(format!("/proc/{process}/task")) else { return Vec::new() };
    let lists = threads
        .flatten()
        .filter_map(|thread| std::fs::read_to_string(thread.path().join("children")).ok());
    lists
        .flat_map(|list| {
            list.split_whitespace().filter_map(|word| word.parse().ok()).collect::<Vec<i32>>()
        })
        .collect()
}

/// Numbers below a bound, the same in every run.
pub fn random_numbers() -> impl FnMut(u64) -> u64 {
    let mut random = 0x9E37_79B9_7F4A_7C15_u64;
    move |below| {
        random =
            random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (random >> 33) % below
    }
}

fn start(words: &[&str]) -> Child {
    command(words).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap()
}

/// How many kills: also by an environment variable, with ten games for each.
fn wanted() -> u64 {
    let default = if crate::support::slow_tests() { 100 } else { 9 };
    std::env::var("KILLS").ok().and_then(|text| text.parse().ok()).unwrap_or(default)
}

#[test]
fn random_kills_lose_no_game_and_repeat_none() {
    if !cfg!(target_os = "linux") {
        return;
    }
    let directory = scratch();
    let records = within(&directory, "records.jsonl");
    let (one, two) = (mock("--think 0.004"), format!("{} name=two", mock("--lose --think 0.004")));
    let kills = wanted();
    let count = (10 * kills).to_string();
    let first = [
        "match",
        &one,
        &two,
        "--games",
        &count,
        "-c",
        "2",
        "-q",
        "--allow-faults",
        "--rule",
        "Dice=true",
        "--rule",
        "Counters=20",
        "--margin",
        "5000",
        "--records",
        &records,
        "--resume",
    ];
    let resume = format!("--resume={records}");
    let again = ["match", "-y", &resume];
    let begun = || std::fs::metadata(&records).is_ok_and(|file| file.len() > 0);
    let mut runner = start(&first);
    let mut next = random_numbers();
    let mut done = 0;
    while done < kills {
        std::thread::sleep(Duration::from_millis(100 + next(400)));
        if runner.try_wait().unwrap().is_some() {
            // Finished, or stopped by a referee that was killed in every attempt.
            if begun() && games(Path::new(&records)).1.len() as u64 == 10 * kills {
                break;
            }
            runner = start(if begun() { &again } else { &first });
            continue;
        }
        done += 1;
        let started = children(runner.id());
        if next(3) == 0 || started.is_empty() {
            runner.kill().unwrap();
            runner.wait().unwrap();
            runner = start(if begun() { &again } else { &first });
        } else {
            // Two slots, each with a referee and two engines.
            let victim = started[next(started.len() as u64) as usize];
            let _ = kill(Pid::from_raw(victim), Signal::SIGKILL);
        }
    }
    assert!(done * 2 > kills, "the match was over after {done} of {kills} kills");
    let _ = runner.kill();
    runner.wait().unwrap();
    expect(0, if begun() { &again } else { &first });
    let (_, games) = games(Path::new(&records));
    let numbers: Vec<u64> = games.keys().copied().collect();
    assert_eq!(numbers, (1..=10 * kills).collect::<Vec<u64>>());
    for game in games.values() {
        // A killed engine lost its game and is named; all other games are whole.
        if game.ending == Ending::Fault {
            let fault = &game.faults[0].fault;
            assert!(["crash", "no-handshake"].contains(&fault.kind.name()), "{fault:?}");
            assert!(fault.detail.contains("SIGKILL"), "{fault:?}");
            continue;
        }
        let taken = game.moves.iter().filter_map(|m| m.token.parse::<u32>().ok());
        assert_eq!(taken.sum::<u32>(), 20, "game {}", game.game);
        assert_eq!(game.places[game.moves.last().unwrap().seat - 1], 1, "game {}", game.game);
    }
}
