//! The engine of `examples/tic_tac_toe.rs`, made outside the crate, among all that `parlor` does.

//!
//! The test program is that engine, too, where a variable says so: nothing else has to be built.

#[path = "runner/support.rs"]
#[allow(dead_code)]
mod support;
#[path = "../examples/tic_tac_toe.rs"]
mod tic_tac_toe;

use std::io::Write;
use std::path::Path;
use std::process::{ExitCode, Stdio};

use libtest_mimic::{Arguments, Trial};

use support::{command, expect, games, scratch, within};

/// Set where this program is to be the engine.
const ENGINE: &str = "PARLOR_TEST_IS_THE_ENGINE";

/// The specification of the engine.
fn engine() -> String {
    let program = std::env::current_exe().unwrap();
    format!("cmd='env {ENGINE}=1 {}'", program.display())
}

fn main() -> ExitCode {
    if std::env::var_os(ENGINE).is_some() {
        return parlor::engine::run::<tic_tac_toe::Position>(&[]);
    }
    let tests: [(&str, fn()); 3] = [
        ("it_follows_the_protocol", it_follows_the_protocol),
        (
            "it_never_loses_a_match_against_random_play_and_draws_against_itself",
            it_never_loses_a_match_against_random_play_and_draws_against_itself,
        ),
        ("a_person_plays_it_at_the_terminal", a_person_plays_it_at_the_terminal),
    ];
    let trial = |(name, test): (&str, fn())| {
        Trial::test(name, move || {
            test();
            Ok(())
        })
    };
    let trials = tests.into_iter().map(trial).collect();
    libtest_mimic::run(&Arguments::from_args(), trials).exit_code()
}

fn it_follows_the_protocol() {
    let text = expect(0, &["check", &engine()]);
    assert!(text.ends_with("nothing found\n"), "{text}");
}

fn it_never_loses_a_match_against_random_play_and_draws_against_itself() {
    let directory = scratch();
    let program = engine();
    let engine = format!("{program} name=engine");
    let random = format!("{program} name=random option.Player=random");
    let records = within(&directory, "records.jsonl");
    expect(
        0,
        &["match", &engine, &random, "--rounds", "10", "--depth", "9", "--records", &records],
    );
    let (_, games_played) = games(Path::new(&records));
    assert_eq!(games_played.len(), 20);
    let lost = |seating: &[String], result: &str| {
        result == if seating[0] == "engine" { "p2win" } else { "p1win" }
    };
    assert!(games_played.values().all(|game| !lost(&game.seating, &game.result)));
    let won = games_played.values().filter(|game| game.result != "draw").count();
    assert!(won >= 10, "only {won} of 20 games were won");

    let twin = format!("{program} name=twin");
    let records = within(&directory, "twins.jsonl");
    expect(0, &["match", &engine, &twin, "--rounds", "1", "--depth", "9", "--records", &records]);
    let (_, games_played) = games(Path::new(&records));
    assert!(games_played.values().all(|game| game.result == "draw" && game.reason == "board-full"));
}

fn a_person_plays_it_at_the_terminal() {
    let engine = engine();
    let mut child = command(&["play", &engine, "--movetime", "10"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    // Every square in turn: whatever is taken is refused, so the game comes to its end.
    let squares = "b2\na1\nb1\nc1\na2\nc2\na3\nb3\nc3\n".repeat(2);
    child.stdin.take().unwrap().write_all(squares.as_bytes()).unwrap();
    let output = child.wait_with_output().unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    assert_eq!(output.status.code(), Some(0), "{text}");
    assert!(text.contains("three in a row") || text.contains("board full"), "{text}");
}
