//! The engine of `examples/tic_tac_toe.rs`, made outside the crate, among all that `parlor` does.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use crate::support::{PARLOR, command, expect, games, scratch, within};

/// The program of an example; built if only some of the tests were.
fn example(name: &str) -> String {
    let folder = Path::new(PARLOR).parent().unwrap();
    let program: PathBuf = folder.join("examples").join(name);
    if !program.exists() {
        let built = Command::new(env!("CARGO"))
            .args(["build", "--quiet", "--example", name, "--target-dir"])
            .arg(folder.parent().unwrap())
            .current_dir(env!("CARGO_MANIFEST_DIR"))
            .status();
        assert!(built.unwrap().success() && program.exists(), "{} is missing", program.display());
    }
    program.display().to_string()
}

#[test]
fn it_follows_the_protocol() {
    let text = expect(0, &["check", &format!("cmd={}", example("tic_tac_toe"))]);
    assert!(text.ends_with("nothing found\n"), "{text}");
}

#[test]
fn it_never_loses_a_match_against_random_play_and_draws_against_itself() {
    let directory = scratch();
    let program = example("tic_tac_toe");
    let engine = format!("cmd={program} name=engine");
    let random = format!("cmd={program} name=random option.Player=random");
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

    let twin = format!("cmd={program} name=twin");
    let records = within(&directory, "twins.jsonl");
    expect(0, &["match", &engine, &twin, "--rounds", "1", "--depth", "9", "--records", &records]);
    let (_, games_played) = games(Path::new(&records));
    assert!(games_played.values().all(|game| game.result == "draw" && game.reason == "board-full"));
}

#[test]
fn a_person_plays_it_at_the_terminal() {
    let engine = format!("cmd={}", example("tic_tac_toe"));
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
