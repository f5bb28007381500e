//! A human player at the terminal, simulated through a pipe.

use std::io::Write;
use std::process::Stdio;

use crate::support::{command, minimal, mock, refusal};

/// What `parlor play` prints when these lines are typed.
fn typed(words: &[&str], lines: &str) -> String {
    let mut child = command(words).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    child.stdin.take().unwrap().write_all(lines.as_bytes()).unwrap();
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(0));
    String::from_utf8(output.stdout).unwrap()
}

#[test]
fn a_human_player_wins_with_help_hints_and_undo() {
    let engine = minimal();
    // 21 counters: taking 1 leaves a multiple of four; from there on 3 after every 1 wins.
    let lines = "?\nhint\n3\nundo\n9\n1\n3\n3\n3\n3\n3\n";
    let text = typed(&["play", &engine, "--movetime", "10"], lines);
    for expected in [
        "You are p1. p2 is played by the engine. Type a move such as 1, or:",
        "1 2 3\n",
        "The engine would play 1: p1 is winning (100 %).",
        "9 is not a legal move: ",
        "Did you mean 1, 2, 3?",
        "p2 plays 1",
        "p1 wins: last counter. You win!",
    ] {
        assert!(text.contains(expected), "'{expected}' is missing in:\n{text}");
    }
    // After `undo` the board shows the whole pile again.
    assert!(text.matches("21 counters, p1 to take").count() >= 2, "{text}");
}

#[test]
fn a_human_player_never_sees_the_secrets_of_others() {
    let engine = mock("");
    let words = [
        "play",
        &engine,
        "--rule",
        "Secrets=true",
        "--rule",
        "Players=3",
        "--seat",
        "p2",
        "--rule",
        "Dice=true",
        "--movetime",
        "10",
    ];
    let text = typed(&words, "secret:mine\nmoves\n1\nmoves\nquit\n");
    assert!(text.contains("p1: secret ?\n"), "{text}");
    assert!(text.contains("view p2 moves secret:? secret:mine"), "{text}");
    for word in text.split_whitespace().filter_map(|word| word.strip_prefix("secret:")) {
        assert!(["?", "mine"].contains(&word), "{text}");
    }
}

#[test]
fn what_revealed_something_is_not_taken_back() {
    let engine = mock("");
    let words = |more: &[&'static str]| {
        let mut words = vec!["play".to_owned(), engine.clone()];
        let rules = ["--rule", "Secrets=true", "--seat", "p1", "--movetime", "10"];
        words.extend(rules.iter().chain(more).map(|word| (*word).to_owned()));
        words
    };
    let lines = "secret:mine\nundo\nmoves\nquit\n";
    let text = typed(&words(&[]).iter().map(String::as_str).collect::<Vec<_>>(), lines);
    assert!(text.contains("may have told you something that was secret"), "{text}");
    assert!(text.contains("moves secret:mine"), "{text}");
    let text = typed(&words(&["--practice"]).iter().map(String::as_str).collect::<Vec<_>>(), lines);
    assert!(!text.contains("may have told you"), "{text}");
    assert!(!text.contains("moves secret:mine"), "{text}");
}

#[test]
fn nothing_of_a_line_is_dropped() {
    let text = typed(&["play", &minimal(), "--movetime", "10"], "3 foo\nmoves\nquit\n");
    assert!(text.contains("3 foo is not a legal move"), "{text}");
    assert!(text.contains("position fen 21 p1\n"), "nothing was played: {text}");
}

#[test]
fn an_illegal_move_is_refused_with_the_reason_of_the_engine() {
    let text = typed(&["play", "barca", "--movetime", "10"], "e2e3x\nE1 - a2\nquit\n");
    assert!(
        text.contains("e2e3x is not a legal move: at character 5: 'x' after a whole move"),
        "{text}"
    );
    let text = text.replace('\n', " ");
    assert!(text.contains("E1 - a2 is not a legal move: the elephant"), "{text}");
}

#[test]
fn what_cannot_be_played_is_reported() {
    let engine = minimal();
    let text = refusal(&["play", &engine, "--seat", "p3"]);
    assert!(text.contains("--seat p3: write p1 to p2"), "{text}");
    let text = refusal(&["play", &engine, "--position", "startpos moves 7"]);
    assert!(text.contains("--position: illegal-move 7 is token 1"), "{text}");
    let text = refusal(&["play", "no-such-game"]);
    assert!(text.contains("neither a built-in engine"), "{text}");
}
