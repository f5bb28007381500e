//! The one-shot subcommands and the exit codes.

use std::io::Write;

use assert_cmd::Command;
use serde_json::Value;

use crate::client_rules::BARCA;
use crate::programs::program;

fn barca(arguments: &[&str]) -> Command {
    let mut command = Command::new(BARCA);
    command.args(arguments);
    command
}

fn output(arguments: &[&str], code: i32) -> String {
    let assert = barca(arguments).assert().code(code);
    String::from_utf8(assert.get_output().stdout.clone()).unwrap()
}

const POSITIONS: &str = "# three positions\n\
    startpos  # the first\n\
    \n\
    position fen 10/2E4e2/10/10/10/1e3m1M1L/lE8/l9/2m7/5M2L1 b\n\
    startpos moves e2e4 e9e6\n";

#[test]
fn perft_ends_with_the_sum_and_divides_by_move() {
    let text = output(&["perft", "2"], 0);
    assert!(text.ends_with("Nodes searched: 1404\n"), "{text}");
    assert_eq!(text.lines().filter(|line| line.contains(": ")).count(), 38 + 2);
    let slow = output(&["perft", "3", "--no-bulk"], 0);
    assert!(slow.ends_with("Nodes searched: 66286\n"), "{slow}");
    assert!(output(&["perft", "0"], 0).ends_with("Nodes searched: 1\n"));
}

#[test]
fn the_plies_of_a_game_against_itself_are_those_of_max_plies() {
    let players = "selfplay random random --depth 1 --openings 3 --opening-plies 2";
    let words = format!("{players} --set MaxPlies=8 --json");
    let text = output(&words.split(' ').collect::<Vec<_>>(), 0);
    assert!(text.contains("\"plies\":36"), "six games of 8 - 2 plies: {text}");
}

/// Searches everything that `bench` of a game has; returns its signature.
fn full_bench(game: &str) -> String {
    let assert = Command::new(program(game)).arg("bench").assert().code(0);
    let text = String::from_utf8(assert.get_output().stdout.clone()).unwrap();
    assert!(text.lines().count() > 4 && !text.contains("error"), "{game}: {text}");
    let (_, last) = text.trim_end().rsplit_once('\n').unwrap();
    last.split_once(" nodes").unwrap().0.to_owned()
}

#[test]
fn bench_of_every_game_has_the_signature_on_record() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/bench.txt");
    let recorded = std::fs::read_to_string(path).unwrap();
    let mut found: String = recorded
        .lines()
        .filter(|line| line.starts_with('#'))
        .map(|line| format!("{line}\n"))
        .collect();
    for game in parlor::games::NAMES {
        found += &format!("{game} {}\n", full_bench(game));
    }
    if std::env::var_os("PARLOR_UPDATE").is_some() {
        std::fs::write(path, found).unwrap();
        return;
    }
    assert_eq!(found, recorded, "a change of play is recorded with PARLOR_UPDATE=1");
}

#[test]
fn positions_come_from_a_file_or_a_pipe_one_result_each_in_order() {
    let mut file = tempfile::NamedTempFile::new().unwrap();
    file.write_all(POSITIONS.as_bytes()).unwrap();
    let path = file.path().to_str().unwrap();
    let first_two = "Nodes searched: 1404\nNodes searched: 133\n";
    let text = output(&["perft", "2", "--positions", path], 0);
    assert!(text.starts_with(first_two) && text.lines().count() == 3, "{text}");
    let piped = barca(&["legalmoves", "--positions", "-"]).write_stdin(POSITIONS).assert().code(0);
    let text = String::from_utf8(piped.get_output().stdout.clone()).unwrap();
    assert_eq!(text.lines().nth(1), Some("a3b2 a3c1"));
    assert_eq!(text.lines().count(), 3);
}

#[test]
fn a_bad_position_among_many_is_reported_in_its_place_and_costs_exit_code_1() {
    let text = "startpos\nfen nonsense w\nstartpos moves e2e4 e2e4\nstartpos moves e2e4\n";
    let assert = barca(&["legalmoves", "e", "--positions", "-"]).write_stdin(text).assert().code(1);
    let lines = String::from_utf8(assert.get_output().stdout.clone()).unwrap();
    let lines: Vec<_> = lines.lines().collect();
    assert_eq!(lines.len(), 4);
    assert!(lines[1].starts_with("error bad-position"), "{}", lines[1]);
    assert!(lines[2].starts_with("error illegal-move move 2 'e2e4'"), "{}", lines[2]);
    assert!(lines[3].starts_with('e'));
}

#[test]
fn go_prints_one_line_and_json_when_asked() {
    let text = output(&["go", "--depth", "3", "--moves", "e2e4 e9e6"], 0);
    assert!(text.starts_with("bestmove ") && text.lines().count() == 1, "{text}");
    let text = output(&["go", "--depth", "3", "--json", "--moves", "e2e4", "e9e6"], 0);
    let json: Value = serde_json::from_str(&text).unwrap();
    assert_eq!(json["position"], "startpos moves e2e4 e9e6");
    assert_eq!(json["info"]["depth"], 3);
    assert_eq!(json["bestmove"], json["info"]["pv"][0]);
    let finished = "e2e4 e9e6 e4g4 e6g6 e1e3 f10e9 e3d4 f9f10 g2c6 g6g5 c6d7";
    assert_eq!(output(&["go", "--depth", "3", "--moves", finished], 0), "bestmove 0000\n");
    let json = output(&["go", "--json", "--moves", finished], 0);
    let json: Value = serde_json::from_str(&json).unwrap();
    assert_eq!((&json["bestmove"], &json["reason"]), (&Value::Null, &"watering-holes".into()));
}

#[test]
fn go_tells_the_best_of_several_lines() {
    let text = output(&["go", "--depth", "3", "--json", "--set", "MultiPV=3"], 0);
    let json: Value = serde_json::from_str(&text).unwrap();
    assert_eq!(json["info"]["multipv"], 1);
    assert_eq!(json["bestmove"], json["info"]["pv"][0]);
}

#[test]
fn options_of_one_player_of_a_game_against_itself_are_read() {
    let players = "selfplay random random --depth 1 --openings 1 --opening-plies 2";
    for option in ["--first-set", "--second-set"] {
        let words = format!("{players} --set MaxPlies=8 {option} Nonsense=1");
        assert!(output(&words.split(' ').collect::<Vec<_>>(), 2).is_empty(), "{option}");
    }
}

#[test]
fn go_keeps_to_the_limit_that_it_is_given() {
    // A proved win in three plies.
    let won = "10/10/10/3m2L3/1m4M3/7M2/E2ee1L3/1E4l3/10/1l8 w";
    let go = |limit: &[&str]| {
        let text = output(&[&["go", "--json", "--fen", won], limit].concat(), 0);
        serde_json::from_str::<Value>(&text).expect("JSON")["info"].clone()
    };
    // Neither of these searches would end within the test without its limit.
    let patient = ["--set", "Move Time=86400000"];
    for (limit, member, most) in [
        (["--depth", "1"], "depth", 1),
        (["--nodes", "10"], "nodes", 10),
        (["--mate", "3"], "depth", 3),
    ] {
        let info = go(&[&limit[..], &patient].concat());
        assert!(info[member].as_u64().is_some_and(|told| (1..=most).contains(&told)), "{info}");
        if limit[0] == "--mate" {
            assert_eq!(info["score"], serde_json::json!({ "mate": 3 }), "{info}");
        }
    }
    let start = ["go", "--json", "--movetime", "1", "--set", "Move Time=86400000"];
    assert!(output(&start, 0).contains("\"bestmove\":\""));
}

#[test]
fn a_subcommand_works_on_the_view_that_it_is_given() {
    let deal = ["legalmoves", "--view", "p2", "--json"];
    let mut command = Command::new(program("barbarossa"));
    let output = command.args(deal).args(["--set", "Words=free"]).assert().code(0);
    let json: Value = serde_json::from_slice(&output.get_output().stdout).expect("JSON");
    assert_eq!(json["position"], "startpos view p2", "{json}");
}

#[test]
fn json_of_every_subcommand_is_one_object_a_line() {
    for word in [&["perft", "2"][..], &["legalmoves"], &["eval"], &["d"], &["go", "--nodes", "500"]]
    {
        let text = output(&[word, &["--json"]].concat(), 0);
        let json: Value = serde_json::from_str(text.trim_end()).unwrap();
        assert_eq!(json["position"], "startpos", "{word:?}");
    }
    let json: Value = serde_json::from_str(&output(&["perft", "2", "--json"], 0)).unwrap();
    assert_eq!(json["nodes"], 1404);
    assert_eq!(json["moves"].as_object().unwrap().len(), 38);
}

#[test]
fn subcommands_of_a_game_refuse_json_where_they_print_none() {
    let mut command = Command::new(env!("CARGO_BIN_EXE_porrika"));
    let refused = command.args(["solve", "--fen", "-", "--json"]).assert().code(2);
    let text = String::from_utf8_lossy(&refused.get_output().stderr).into_owned();
    assert!(text.contains("--json: solve prints no JSON"), "{text}");
}

#[test]
fn moves_that_are_not_listed_are_null_in_json() {
    let barbarossa = |options: &[&str]| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_barbarossa"));
        let output = command.args(["legalmoves", "--json"]).args(options).assert().code(0);
        serde_json::from_slice::<Value>(&output.get_output().stdout).unwrap()
    };
    let deal = barbarossa(&[]);
    assert_eq!((&deal["moves"], &deal["unlisted"]), (&Value::Null, &"many".into()));
    let words = barbarossa(&["--set", "Words=free", "word:a1:te"]);
    assert!(words["moves"].as_array().unwrap().contains(&"word:a1:teapot".into()), "{words}");
}

#[test]
fn bench_ends_with_its_signature_which_repeats() {
    let count = || {
        let text = output(&["bench", "2"], 0);
        let words: Vec<_> = text.lines().last().unwrap().split(' ').map(String::from).collect();
        assert_eq!((words.len(), words[1].as_str(), words[3].as_str()), (4, "nodes", "nps"));
        words[0].clone()
    };
    assert_eq!(count(), count());
}

#[test]
fn usage_errors_exit_with_2_and_name_the_flag() {
    for (arguments, part) in [
        (&["--frobnicate"][..], "--frobnicate"),
        (&["perft"], "DEPTH"),
        (&["perft", "x"], "x"),
        (&["--set", "Hash"], "NAME=VALUE"),
        (&["--set", "Hash=x", "perft", "1"], "an integer from 0"),
        (&["--set", "Nonsense=1", "perft", "1"], "no such option"),
        (&["d", "--fen", "x", "--positions", "y"], "--positions"),
    ] {
        let assert = barca(arguments).write_stdin("").assert().code(2);
        let stderr = String::from_utf8(assert.get_output().stderr.clone()).unwrap();
        assert!(stderr.contains(part), "{arguments:?}: {stderr}");
    }
    barca(&["d", "--positions", "/nonexistent/file"]).assert().code(1);
}

#[test]
fn strict_turns_a_refused_line_into_exit_code_3() {
    for line in [
        "position fen x",
        "frobnicate",
        "query weather",
        "go sideways depth 1",
        "xboard",
        "setoption name Hash value x",
        "setoption name Nonsense value 1",
        "perft x",
        "moves z9",
        "go depth x nodes 10",
        "go depth 1 searchmoves z9z9",
        "position startpos moves e2e4 e2e4",
    ] {
        let text = format!("{line}\nisready\n");
        barca(&["--strict"]).write_stdin(text.clone()).assert().code(3);
        barca(&[]).write_stdin(text).assert().code(0);
    }
    barca(&["--strict"]).write_stdin("position startpos\ngo depth 1\nquit\n").assert().code(0);
}

#[test]
fn a_closed_stdout_ends_the_program_quietly() {
    let mut child = std::process::Command::new(BARCA)
        .stdin(std::process::Stdio::piped())
        .stdout(std::process::Stdio::piped())
        .stderr(std::process::Stdio::piped())
        .spawn()
        .unwrap();
    drop(child.stdout.take());
    let mut input = child.stdin.take().unwrap();
    // The first line already meets a closed pipe; the rest may or may not be read.
    let _ = input.write_all(b"ugi\ngo infinite\nisready\n");
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(0));
    assert!(output.stderr.is_empty(), "{}", String::from_utf8_lossy(&output.stderr));
    drop(input);
}

#[test]
fn nothing_is_printed_before_the_first_command() {
    barca(&[]).write_stdin("").assert().code(0).stdout("");
}

#[test]
fn a_log_file_gets_both_directions() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("log");
    barca(&["--log-file", path.to_str().unwrap()])
        .write_stdin("query turn\nfrobnicate\n")
        .assert()
        .code(0)
        .stdout("response p1\n");
    let log = std::fs::read_to_string(path).unwrap();
    for part in ["< query turn", "> response p1", "frobnicate"] {
        assert!(log.contains(part), "{log}");
    }
}

#[test]
fn debug_logs_every_line() {
    let run = barca(&[]).write_stdin("isready\ndebug on\nquery turn\ndebug off\nd\n").assert();
    let log = String::from_utf8(run.get_output().stderr.clone()).unwrap();
    for part in ["< query turn", "> response p1", "< debug off"] {
        assert!(log.contains(part), "{log}");
    }
    assert!(!log.contains("isready") && !log.contains("fen: "), "{log}");
}

#[test]
fn help_documents_every_command_and_every_query() {
    let text = "help\nhelp query\nhelp go\nhelp position\nhelp nonsense\n";
    let assert = barca(&[]).write_stdin(text).assert().code(0);
    let text = String::from_utf8(assert.get_output().stdout.clone()).unwrap();
    for word in [
        "ugi",
        "uci",
        "isready",
        "stop",
        "ponderhit",
        "quit",
        "uginewgame",
        "ucinewgame",
        "debug",
        "setoption",
        "position",
        "moves",
        "go",
        "query",
        "d",
        "eval",
        "perft",
        "bench",
        "help",
        "p1turn",
        "gameover",
        "result",
        "seats",
        "turn",
        "chances",
        "throw",
        "outcome",
        "points",
        "reason",
        "legalmoves",
        "islegal",
        "random",
        "fen",
        "view",
        "rules",
        "protocol",
        "searchmoves",
        "movestogo",
        "infinite",
        "no command 'nonsense'",
    ] {
        assert!(text.contains(word), "help does not mention {word}");
    }
}

#[test]
fn a_program_typed_alone_at_a_terminal_says_in_two_lines_what_it_waits_for() {
    let mut terminal = std::process::Command::new("script");
    terminal.args(["-qec", BARCA, "/dev/null"]).stdin(std::process::Stdio::piped());
    let Ok(mut child) = terminal.stdout(std::process::Stdio::piped()).spawn() else { return };
    child.stdin.take().unwrap().write_all(b"quit\n").unwrap();
    let shown = child.wait_with_output().unwrap().stdout;
    let shown = String::from_utf8_lossy(&shown);
    // The terminal echoes what is typed.
    let said: Vec<&str> = shown.lines().map(str::trim).filter(|line| line.contains(' ')).collect();
    assert_eq!(said.len(), 2, "{shown}");
    assert!(said[0].contains("help") && said[0].contains("quit"), "{shown}");
    assert!(said[1].contains("parlor play barca") && said[1].contains("barca rules"), "{shown}");
}

#[test]
fn explore_prints_a_tree_of_best_lines_of_whole_searches() {
    let arguments = ["explore", "--plies", "2", "--width", "3", "--nodes", "2000"];
    let json: Value = serde_json::from_str(&output(&[&arguments[..], &["--json"]].concat(), 0))
        .expect("one line of JSON");
    let text = output(&arguments, 0);
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!((lines[0], lines.len()), ("startpos", 1 + 3 + 9));
    let moves = json["moves"].as_array().expect("moves");
    let mut drawn = lines[1..].iter();
    for (at, branch) in moves.iter().enumerate() {
        let token = branch["move"].as_str().expect("a token");
        let corner = if at == 2 { "└─ " } else { "├─ " };
        assert!(drawn.next().is_some_and(|line| line.starts_with(&format!("{corner}{token}"))));
        // Its answers are legal, and as good as a search of that position says.
        let answers = output(&["legalmoves", "--moves", token], 0);
        let replies = branch["replies"].as_array().expect("replies");
        assert_eq!(replies.len(), 3);
        for reply in replies {
            let reply = reply["move"].as_str().expect("a token");
            assert!(answers.split_ascii_whitespace().any(|answer| answer == reply), "{reply}");
            assert!(drawn.next().is_some_and(|line| line.contains(&format!("─ {reply}"))));
        }
        assert!(
            replies
                .windows(2)
                .all(|two| two[0]["score"]["cp"].as_i64() >= two[1]["score"]["cp"].as_i64())
        );
    }
}

#[test]
fn explore_ends_where_the_game_does() {
    // A proved win in three plies; the tree would have five.
    let won = "10/10/10/3m2L3/1m4M3/7M2/E2ee1L3/1E4l3/10/1l8 w";
    let text = output(&["explore", "--fen", won, "--plies", "5", "--width", "1"], 0);
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(lines.len(), 4, "{text}");
    assert!(lines[1].ends_with("mate 3") && lines[2].ends_with("mate -2"), "{text}");
    assert!(lines[3].ends_with("mate 1"), "{text}");
}

#[test]
fn explore_leaves_out_what_is_worse_by_more_than_the_margin() {
    let shown = |margin: &str| {
        let arguments = ["explore", "--plies", "1", "--width", "38", "--nodes", "5000", "--json"];
        let text = output(&[&arguments[..], &["--margin", margin]].concat(), 0);
        let json: Value = serde_json::from_str(&text).expect("JSON");
        let moves = json["moves"].as_array().expect("moves").iter();
        moves.map(|m| m["score"]["cp"].as_i64().expect("a score")).collect::<Vec<_>>()
    };
    let (all, near) = (shown("10000"), shown("10"));
    let expected: Vec<i64> = all.iter().copied().filter(|score| *score >= all[0] - 10).collect();
    assert!(all.len() == 38 && near == expected && near.len() < 38, "{all:?} {near:?}");
    assert!(output(&["explore", "--plies", "0"], 2).is_empty());
}

#[test]
fn explore_ends_where_dice_are_thrown() {
    let chowka_bhara = |arguments: &[&str], code: i32| {
        let assert =
            Command::new(env!("CARGO_BIN_EXE_chowka-bhara")).args(arguments).assert().code(code);
        String::from_utf8(assert.get_output().stdout.clone()).unwrap()
    };
    let text = chowka_bhara(&["explore", "--moves", "t4", "t2", "--nodes", "50"], 0);
    // Both plays of that roll, and nothing below them.
    assert_eq!(text.lines().count(), 3, "{text}");
    let refused = chowka_bhara(&["explore"], 1);
    assert!(refused.starts_with("error not-to-act explore: nobody chooses here"), "{refused}");
}
