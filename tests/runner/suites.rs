//! `parlor suite`: positions with known answers.

use std::io::Write;
use std::path::Path;
use std::process::Stdio;

use serde_json::Value;

use crate::support::{command, expect, python, python_script, refusal, scratch, within};

/// Positions with correct answers, and one for each kind of wrong answer.
const MIXED: &str = "\
# Three animals on holes win.
startpos ; perft 1 38 # a comment
fen 10/3l6/1L8/1EM1L5/2l4e2/1m8/3E2M3/1m8/3e6/10 w ; bm c7d7 ; win 1 ; id \"the hop\"
startpos ; perft 1 38 ; perft 2 1404 ; id \"start\"
fen 10/3l6/1L8/1EM1L5/2l4e2/1m8/3E2M3/1m8/3e6/10 w ; am c7d7 ; id \"not the hop\"
startpos ; perft 1 38 ; perft 2 1405 ; id \"miscounted\"
startpos ; win 1 ; id \"no win yet\"
fen nonsense ; bm a1a2 ; id \"no position\"
startpos ; set \"Colour=red\" ; perft 1 38 ; id \"no option\"
";

#[test]
fn correct_answers_pass_and_wrong_ones_are_reported() {
    let directory = scratch();
    let path = |name: &str| within(&directory, name);
    let (suite, json, junit) = (path("suite.epd"), path("out.json"), path("out.xml"));
    std::fs::write(&suite, MIXED).unwrap();
    let words = [
        "suite", &suite, "--engine", "barca", "--depth", "3", "-j", "2", "--json", &json,
        "--junit", &junit,
    ];
    let text = expect(1, &words);
    assert!(text.contains("3 of 8 positions passed"), "{text}");
    let rows: Vec<Value> = serde_json::from_str(&std::fs::read_to_string(&json).unwrap()).unwrap();
    let found: Vec<(&str, bool, String)> = rows
        .iter()
        .map(|row| {
            let failures = row["failures"].as_array().unwrap();
            let what = failures.iter().map(|failure| failure.as_str().unwrap());
            let what: Vec<&str> = what.collect();
            (row["id"].as_str().unwrap(), row["passed"].as_bool().unwrap(), what.join("; "))
        })
        .collect();
    for ((id, passed, what), (expected, good, says)) in found.iter().zip([
        ("line 2", true, ""),
        ("the hop", true, ""),
        ("start", true, ""),
        ("not the hop", false, "am c7d7: c7d7 played"),
        ("miscounted", false, "perft 2: 1405 expected, 1404 found"),
        ("no win yet", false, "win 1: the engine says"),
        ("no position", false, "bad-position"),
        ("no option", false, "the engine has no such option"),
    ]) {
        assert_eq!((*id, *passed), (expected, good), "{what}");
        assert!(what.contains(says), "{id}: {what}");
    }
    let xml = std::fs::read_to_string(&junit).unwrap();
    assert!(xml.contains("tests=\"8\" failures=\"5\" errors=\"0\""), "{xml}");
    assert!(xml.contains("<failure message=\"am c7d7: c7d7 played\">"), "{xml}");
    assert_eq!(xml.matches("<testcase ").count(), 8);
}

/// Pacru has 24 moves at the start with three players, and 28 with two, the default.
#[test]
fn options_of_one_position_do_not_hold_for_the_next() {
    let directory = scratch();
    let suite = within(&directory, "suite.epd");
    let lines = "startpos ; set \"Players=3\" ; perft 1 24\nstartpos ; perft 1 28\n";
    std::fs::write(&suite, lines).unwrap();
    let text = expect(0, &["suite", &suite, "--engine", "pacru", "-j", "1"]);
    assert!(text.contains("2 of 2 positions passed"), "{text}");
}

#[test]
fn positions_come_through_a_pipe() {
    let words = ["suite", "-", "barca"];
    let mut child = command(&words).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    child.stdin.take().unwrap().write_all(b"startpos ; perft 3 66286\n").unwrap();
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(0));
    assert_eq!(String::from_utf8_lossy(&output.stdout), "1 of 1 positions passed\n");
}

#[test]
fn the_ready_suites_hold() {
    let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("examples/suites");
    let built_in = expect(0, &["engine"]);
    let mut tried = 0;
    for entry in std::fs::read_dir(&directory).unwrap() {
        let path = entry.unwrap().path();
        let game = path.file_stem().unwrap().to_str().unwrap().to_owned();
        // There may be a suite for a game that is not built in.
        if built_in.split_whitespace().any(|name| name == game) {
            tried += 1;
            expect(0, &["suite", path.to_str().unwrap(), "--engine", &game, "--depth", "2"]);
        }
    }
    assert!(tried > 0);
}

#[test]
fn an_invalid_suite_is_refused() {
    let directory = scratch();
    let suite = within(&directory, "suite.epd");
    std::fs::write(&suite, "startpos ; perft 1 38\nstartpos ; find a1\n").unwrap();
    let junit = within(&directory, "out.xml");
    let text = refusal(&["suite", &suite, "--engine", "barca", "--junit", &junit]);
    assert!(text.contains("line 2: 'find' is not one of"), "{text}");
    let xml = std::fs::read_to_string(&junit).unwrap();
    assert!(xml.contains("tests=\"1\" failures=\"0\" errors=\"1\""), "{xml}");
    assert!(xml.contains("<error message=\"suite ") && xml.contains("line 2: 'find'"), "{xml}");
    let text = refusal(&["suite", "/no/such/file", "--engine", "barca"]);
    assert!(text.contains("suite /no/such/file"), "{text}");
}

/// Four fields of chess and a move in short notation, for an engine that answers no query and plays
/// another game: what counts is that the line is read and the engine asked.
#[test]
fn an_engine_that_only_plays_is_given_positions_of_epd() {
    let directory = scratch();
    let suite = within(&directory, "suite.epd");
    // The third and fourth line have the operations of the files WAC and STS.
    let lines = r#"8/8/8/8/8/4k3/4p3/4K3 b - - bm Kd3; c0 "a \"stalemate\"; or not"; id "one";
startpos
8/8/8/8/8/4k3/4p3/4K3 b - - bm Kd3 Kf3; id "WAC.001"; c0 "also Kf3+";
8/8/8/8/8/4k3/4p3/4K3 b - - bm Kd3; id "STS(v1.0) Undermine.001"; c0 "Kd3=10, Kf3=2"; c7 "Kd3 Kf3"; c8 "10 2"; c9 "e3d3 e3f3";
8/8/8/8/8/4k3/4p3/4K3 b - - am Kd4; acd 12; acs 30; ce -32750; pv Kd3 Kf2; id "STS(v1.0) Undermine.002";
"#;
    std::fs::write(&suite, lines.replace('\n', "\r\n")).unwrap();
    let script = python_script("tests/runner/plain_ugi.py");
    let engine = format!("cmd='{script}' args='--answers nothing'");
    let mut command = command(&["suite", &suite, &engine]);
    let output = command.env("GITHUB_ACTIONS", "true").output().unwrap();
    let text = String::from_utf8_lossy(&output.stdout);
    assert_eq!(output.status.code(), Some(1), "{text}");
    assert!(text.contains("2 of 5 positions passed"), "{text}");
    assert!(text.contains(&format!("::error file={suite},line=1,title=one::bm Kd3: ")), "{text}");
}

/// An engine that knows one answer to each position of chess.
const CHESS: &str = r#"
import sys
ANSWERS = dict(line.rstrip("\n").split("=") for line in open(sys.argv[1]))
for line in sys.stdin:
    words = line.split()
    if words[0] in ("uci", "ugi"):
        print("id name Chess\nid author nobody\n" + words[0] + "ok")
    elif words[0] == "isready":
        print("readyok")
    elif words[0] == "position":
        answer = ANSWERS.get(" ".join(words[2:]), "0000,cp 0").split(",")
    elif words[0] == "go":
        print("info depth 1 score", answer[1], "pv", answer[0])
        print("bestmove", answer[0])
    elif words[0] == "quit":
        break
    sys.stdout.flush()
"#;

/// Lines of EPD, the position as it is given to the engine, its answer, and what is said of it.
const EPD: [(&str, &str, &str, &str); 9] = [
    (
        "2rr3k/pp3pp1/1nnqbN1p/3pN3/2pP4/2P3Q1/PPB4P/R4RK1 w - - bm Qg6; id \"WAC.001\";",
        "2rr3k/pp3pp1/1nnqbN1p/3pN3/2pP4/2P3Q1/PPB4P/R4RK1 w - - 0 1",
        "g3g6,cp 300",
        "",
    ),
    (
        "r3k3/8/8/8/8/8/8/R3K2R w KQq -\tbm\tO-O-O;\tam\tO-O;",
        "r3k3/8/8/8/8/8/8/R3K2R w KQq - 0 1",
        "e1c1,cp 1",
        "",
    ),
    (
        "r3k3/8/8/8/8/8/8/4K2R w Kq - am O-O; id \"castles\";",
        "r3k3/8/8/8/8/8/8/4K2R w Kq - 0 1",
        "e1g1,cp 1",
        "am O-O: e1g1 played",
    ),
    ("8/1P6/8/8/8/8/k7/2K5 w - - bm b8=Q+;", "8/1P6/8/8/8/8/k7/2K5 w - - 0 1", "b7b8q,cp 1", ""),
    (
        "8/1P6/8/8/8/8/2k5/K7 w - - bm b8=N; id \"under\";",
        "8/1P6/8/8/8/8/2k5/K7 w - - 0 1",
        "b7b8q,cp 1",
        "bm b8=N: b7b8q played",
    ),
    (
        "4k3/8/8/8/4p3/2N3N1/8/4K3 w - - bm Ngxe4;",
        "4k3/8/8/8/4p3/2N3N1/8/4K3 w - - 0 1",
        "g3e4,cp 1",
        "",
    ),
    (
        "4k3/8/8/4p3/8/3N1N2/8/4K3 w - - hmvc 7; fmvn 30; bm Nfxe5; id \"which\";",
        "4k3/8/8/4p3/8/3N1N2/8/4K3 w - - 7 30",
        "d3e5,cp 1",
        "bm Nfxe5: d3e5 played",
    ),
    ("6k1/5ppp/8/8/8/8/8/R3K3 w Q - dm 1;", "6k1/5ppp/8/8/8/8/8/R3K3 w Q - 0 1", "a1a8,mate 1", ""),
    (
        "7k/5ppp/8/8/8/8/8/R3K3 w Q - dm 2; id \"late\";",
        "7k/5ppp/8/8/8/8/8/R3K3 w Q - 0 1",
        "a1a8,mate 3",
        "win 3: the engine says mate 3",
    ),
];

#[test]
fn positions_of_chess_are_asked_in_short_notation_and_mates_in_moves() {
    let directory = scratch();
    let path = |name: &str| within(&directory, name);
    let (suite, script, answers, json) =
        (path("chess.epd"), path("chess.py"), path("answers"), path("out.json"));
    std::fs::write(&script, CHESS).unwrap();
    std::fs::write(&suite, EPD.map(|(line, ..)| line).join("\n")).unwrap();
    std::fs::write(&answers, EPD.map(|(_, fen, answer, _)| format!("{fen}={answer}")).join("\n"))
        .unwrap();
    let engine = format!("cmd='{} -S -E -B {script} {answers}' proto=uci", python());
    let text = expect(1, &["suite", &suite, &engine, "--json", &json]);
    assert!(text.contains("5 of 9 positions passed"), "{text}");
    let rows: Vec<Value> = serde_json::from_str(&std::fs::read_to_string(&json).unwrap()).unwrap();
    for ((line, .., expected), row) in EPD.iter().zip(&rows) {
        let failures: Vec<&str> =
            row["failures"].as_array().unwrap().iter().map(|it| it.as_str().unwrap()).collect();
        assert_eq!(failures.join("; "), *expected, "{line}");
    }
}

/// An operation that is misspelt would else pass whatever is played.
#[test]
fn operations_that_nobody_knows_are_named() {
    let directory = scratch();
    let (suite, junit) = (within(&directory, "suite.epd"), within(&directory, "out.xml"));
    let lines =
        "8/8/8/8/8/4k3/4p3/4K3 b - -\tbm\tKd3;\n8/8/8/8/8/4k3/4p3/4K3 b - - bn Kd3; zz 1;\n";
    std::fs::write(&suite, lines).unwrap();
    let script = python_script("tests/runner/plain_ugi.py");
    let engine = format!("cmd='{script}' args='--answers nothing'");
    let mut command = command(&["suite", &suite, &engine, "--junit", &junit]);
    let output = command.env("GITHUB_ACTIONS", "true").output().unwrap();
    let text = String::from_utf8_lossy(&output.stdout);
    // The first is asked for, and wrong.
    assert_eq!(output.status.code(), Some(1), "{text}");
    let told = "nothing is asked for the unknown operations bn zz";
    assert!(text.contains(&format!("line 2: {told}\n1 of 2 positions passed")), "{text}");
    assert!(
        text.contains(&format!("::warning file={suite},line=2,title=line 2::{told}")),
        "{text}"
    );
    let xml = std::fs::read_to_string(&junit).unwrap();
    assert!(xml.contains(&format!("<system-out>{told}</system-out>")), "{xml}");
    assert!(expect(0, &["suite", "--help"]).contains("dm: within this number of moves"));
}
