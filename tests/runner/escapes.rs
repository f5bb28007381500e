//! Escape sequences and other control characters in what strangers wrote or their engines say: no
//! command lets them through to a terminal, or into a file that people read.

use std::io::Write;
use std::process::{Output, Stdio};

use serde_json::{Value, json};

use crate::support::{command, mock, scratch, with_checksum, within};

/// A title, a cleared screen in two ways, a deleted character, a return, and a turned direction of
/// writing.
const ESCAPES: &str = "\u{1b}]0;title\u{7}\u{1b}[2J\u{9b}2J\u{8}\u{7f}\r\u{202e}\u{2066}";

/// A text that ends in [`ESCAPES`].
fn hostile(text: &str) -> String {
    format!("{text}{ESCAPES}")
}

/// Asserts that a terminal may be given a text.
fn assert_plain(text: &[u8], what: &str) {
    let text = String::from_utf8_lossy(text);
    let obeyed = |c: &char| {
        c.is_control() && !"\n\t".contains(*c)
            || ('\u{202a}'..='\u{202e}').contains(c)
            || ('\u{2066}'..='\u{2069}').contains(c)
    };
    assert_eq!(text.chars().find(obeyed), None, "{what}: {text:?}");
}

/// Runs `parlor` with lines to type; what it prints is plain, and as it says.
fn printed(words: &[&str], typed: &str, told: &str) -> Output {
    let mut command = command(words);
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    // It may end before it has read all.
    let _ = child.stdin.take().unwrap().write_all(typed.as_bytes());
    let output = child.wait_with_output().unwrap();
    let what = words.join(" ");
    assert_plain(&output.stdout, &what);
    assert_plain(&output.stderr, &what);
    let text = [output.stdout.clone(), output.stderr.clone()].concat();
    let text = String::from_utf8_lossy(&text);
    assert!(text.contains(told), "{what}: '{told}' is missing in\n{text}");
    output
}

#[test]
fn a_name_of_several_lines_tells_nothing_of_its_own() {
    let directory = scratch();
    let file = within(&directory, "sent");
    for (text, forged) in [("one", "one\\nResult: two wins"), ("reason", "reason\\nResult: draw")] {
        let records = records(|line| {
            line.replace(&json!(hostile(text)).to_string(), &format!("\"{forged}\""))
        });
        std::fs::write(&file, records).unwrap();
        for words in [&["replay", &file, "1"][..], &["rate", &file], &["export", &file]] {
            let output = printed(words, "", &format!("'{forged}' is more than one line"));
            assert_eq!(output.status.code(), Some(2), "{words:?}");
        }
    }
    printed(&["match", "porrika 'name=a\nb'", "barca"], "", "a name of one line");
}

/// Two games of a pile of counters in which every text is hostile but those that may go to an engine,
/// which would be refused; each line is edited.
fn records(edit: impl Fn(String) -> String) -> String {
    let names = [hostile("one"), hostile("two")];
    let header = json!({
        "parlor": 2, "seats": 2, "engines": names, "identities": names, "variant": hostile("game"),
        "rules": hostile("rules"), "bundles": [1], "run": {},
        "config": {"engines": ["one", "two"], "referee": "./engine", "tc": "1+1"},
    });
    let game = |number: u64, places: [u32; 2], result: &str, ending: &str| {
        json!({
            "game": number, "round": number, "pairing": 1, "seating": names, "start": "fen 3 p1",
            "moves": [{"token": "1", "seat": 1, "cp": 7}, {"token": "2", "seat": 2, "ms": 1.5}],
            "result": result, "places": places, "shares": [2 - places[0], 2 - places[1]],
            "points": hostile("points"), "reason": hostile("reason"), "ending": ending,
            "faults": [{
                "seat": 1, "engine": names[0], "kind": "crash", "detail": hostile("detail"),
                "position": hostile("position"), "command": hostile("command"),
            }],
        })
    };
    let line = |value: &Value| with_checksum(edit(value.to_string()).strip_suffix('}').unwrap());
    let games = [game(1, [1, 2], "p1win", "rules"), game(2, [2, 1], "p2win", "fault")];
    line(&header) + &games.each_ref().map(line).concat()
}

#[test]
fn nothing_of_a_record_file_reaches_a_terminal_as_an_escape_sequence() {
    let directory = scratch();
    let path = |name: &str| within(&directory, name);
    let (file, merged, pgn, svg) = (path("sent"), path("merged"), path("pgn"), path("svg"));
    std::fs::write(&file, records(|line| line)).unwrap();
    let referee = mock("--escapes pile");
    for (words, told) in [
        (&["replay", &file, "1"][..], "one\\u{1b}]0;title\\u{7}"),
        (&["replay", &file, "2"], "of p1: detail\\u{1b}"),
        (&["replay", &file, "1", "--position", "1"], "position fen 3 p1 moves 1"),
        (&["replay", &file, "1", "--show", "--referee", &referee], "pile: oo\\u{1b}"),
        (&["replay", &file, "1", "--show"], "a file starts no program"),
        (&["replay", &file, "9"], "9"),
        (&["svg", &file, "--game", "1"], "a file starts no program"),
        (&["rate", &file], "two\\u{1b}"),
        (&["rate", &file, "--json"], "two\\u001b]0;title\\u0007\\u001b[2J\\u009b2J"),
        (&["rate", &file, "--anchor", "nobody=1"], "nobody"),
        (&["balance", &file], "all games"),
        (&["balance", &file, "--json"], "\"games\""),
        (&["merge", &file, "-o", &merged], "one\\u{1b}"),
        (&["merge", &file, &file, "-o", &merged], "game 1 is in"),
        (&["export", &file], "[White \"one\\\\u{1b}"),
        (&["export", &file, "-o", &pgn], ""),
        (&["plot", &file], "one"),
        (&["plot", &file, "--game", "1", "-o", &svg], ""),
        (&["match", &format!("--resume={file}")], ""),
    ] {
        printed(words, "", told);
    }
    for file in [pgn, svg] {
        assert_plain(&std::fs::read(&file).unwrap(), &file);
    }
    let output = printed(&["rate", &file, "--json"], "", "");
    let rows: Value = serde_json::from_slice(&output.stdout).expect("JSON");
    let name = rows[0]["engine"].as_str().unwrap();
    assert!([hostile("one"), hostile("two")].iter().any(|known| known == name), "{name:?}");
}

#[test]
fn nothing_that_an_engine_says_reaches_a_terminal_as_an_escape_sequence() {
    let directory = scratch();
    let path = |name: &str| within(&directory, name);
    let (log, text, suite) = (path("log"), path("text"), path("suite"));
    std::fs::write(&suite, "startpos ; bm 2\n").unwrap();
    for (says, step) in
        [("id,info,option", "handshake"), ("response", "queries"), ("bestmove", "bestmove")]
    {
        let engine = mock(&format!("--escapes {says}"));
        let (two, honest) = (format!("{engine} name=two"), mock("--lose"));
        let engines = ["match", &two, &honest, "--referee", &honest, "--games", "1"];
        let files = ["--allow-faults", "--log", &log, "--text", &text];
        printed(&[&engines[..], &files].concat(), "", "");
        let said = std::fs::read(&log).unwrap();
        assert_plain(&said, &log);
        assert!(String::from_utf8_lossy(&said).contains("\\u{1b}]0;title\\u{7}"), "{says}");
        assert_plain(&std::fs::read(&text).unwrap_or_default(), &text);
        printed(&["check", &engine, "--only", step], "", step);
        printed(&["check", &engine, "--only", step, "--json"], "", step);
        printed(&["suite", &suite, "--engine", &engine], "", "");
        printed(&["play", &engine, "--movetime", "10"], "?\nboard\n1\nhint\nmoves\nquit\n", "");
    }
}

#[test]
fn nothing_of_a_file_that_is_refused_reaches_a_terminal_as_an_escape_sequence() {
    let directory = scratch();
    let (file, out) = (within(&directory, "sent"), within(&directory, "out"));
    let line = hostile("what is this");
    let tag = format!("[White \"{line}\"]\n[Variant \"{line}\"]\n\n1. {line} *\n");
    let config = json!({ line.as_str(): line, "engines": [line] }).to_string();
    let suite = format!("startpos ; {line}\nfen {line} ; bm 1\nstartpos ; bm 1 ; id \"{line}\"\n");
    let honest = mock("");
    for text in [&line, &tag, &config, &suite] {
        std::fs::write(&file, text).unwrap();
        for words in [
            &["import", &file, "-o", &out][..],
            &["rate", &file],
            &["suite", &file, "--engine", &honest],
            &["match", "porrika", "porrika name=b", "--openings", &file, "--games", "1"],
            &["match", "--config", &file],
            &["engine", "porrika", "perft", "1", "--positions", &file],
            &["engine", "porrika", "perft", "1", "--positions", &file, "--json"],
        ] {
            printed(words, "", "");
        }
    }
    // A name on the command line may have been copied from somewhere.
    let option = format!("--{line}");
    for words in [
        &["rate", &line][..],
        &["match", &line, &line],
        &["engine", &line],
        &[&line],
        &["rate", "x", &option],
        &["engine", "porrika", "perft", &option],
    ] {
        printed(words, "", "what is this");
    }
}
