//! What real clients force: the sixteen promises of the specification, each a test by its number,
//! on a real program.

use std::process::{Command, Stdio};
use std::time::Duration;

use parlor::protocol::engine_output::{Line, read};

use crate::client::Client;

pub const BARCA: &str = env!("CARGO_BIN_EXE_barca");

fn barca() -> Client {
    Client::program(BARCA, &[])
}

#[test]
fn rule_01_under_ugi_nothing_follows_the_bestmove_token() {
    let mut client = barca();
    client.send("ugi");
    client.until("ugiok");
    for _ in 0..3 {
        client.send("go depth 4");
        let lines = client.until("bestmove");
        assert_eq!(lines.last().unwrap().split(' ').count(), 2);
    }
    client.send("uci");
    client.until("uciok");
    client.send("go depth 4");
    let lines = client.until("bestmove");
    let words: Vec<_> = lines.last().unwrap().split(' ').collect();
    assert!(words.len() == 2 || words.len() == 4 && words[2] == "ponder", "{words:?}");
}

#[test]
fn rule_02_one_line_per_query_and_isready_and_nothing_between() {
    let mut client = barca();
    for _ in 0..20 {
        for query in ["p1turn", "gameover", "result", "legalmoves", "fen", "nonsense", "throw"] {
            let line = client.ask(&format!("query {query}"));
            assert!(line.starts_with("response ") && line.len() > 9, "{query}: {line}");
        }
        assert_eq!(client.ask("isready"), "readyok");
    }
    assert_eq!(client.line_within(Duration::from_millis(50)), None);
}

#[test]
fn rule_03_lines_during_a_search_have_at_least_eight_bytes() {
    let mut client = barca();
    client.send("setoption name MultiPV value 3");
    client.send("go movetime 200\nisready");
    for line in client.until("bestmove") {
        assert!(line.len() >= 8 || line == "readyok", "{line:?}");
    }
}

#[test]
fn rule_04_moves_appends() {
    let mut client = barca();
    client.send("position startpos\nmoves e2e4\nmoves e9e6");
    let appended = client.query("fen");
    client.send("position startpos moves e2e4 e9e6");
    assert_eq!(client.query("fen"), appended);
    assert_eq!(appended, "4ee4/3l1ml3/10/10/4m5/10/4M5/10/3L1ML3/4EE4 w");
}

#[test]
fn rule_05_clocks_in_any_subset_and_order() {
    let mut client = barca();
    for clocks in [
        "p1time 100",
        "p2time 100",
        "p2time 60000 p1time 60",
        "p1inc 5 p1time 40 p2inc 5 p2time 40",
        "btime 50 wtime 50",
        "binc 2 winc 2 btime 50 wtime 50.5",
        "p1time -250 p2time -1.5",
        "p1time 0.25",
        "p3time 10 p9inc 3 movetime 20",
        "wtime 100 movestogo 1",
        "wtime 100 movestogo 0",
    ] {
        client.send("setoption name Move Time value 50");
        assert_ne!(client.go(&format!("go {clocks}")), "0000", "{clocks}");
    }
}

#[test]
fn rule_06_go_alone_gives_info_and_bestmove() {
    let mut client = barca();
    client.send("setoption name Move Time value 40");
    client.send("go");
    let lines = client.until("bestmove");
    assert!(lines.len() >= 2 && lines[0].starts_with("info depth"), "{lines:?}");
}

#[test]
fn rule_07_an_info_with_score_time_and_nps_comes_before_bestmove() {
    let mut client = barca();
    let single = "position fen 5EM1e1/3m6/1L8/10/10/5e3l/8E1/1L8/M2l6/1m8 b";
    for position in ["position startpos", single] {
        for go in ["go depth 1", "go depth 0", "go nodes 0", "go nodes 1", "go movetime 0"] {
            client.send(position);
            client.send(go);
            let lines = client.until("bestmove");
            let last = &lines[lines.len() - 2];
            let Line::Info(info) = read(last) else { panic!("{go}: {last}") };
            assert!(info.score.is_some() && info.bound.is_exact(), "{go}: {last}");
            assert!(info.time.is_some() && info.nps.is_some(), "{go}: {last}");
            for word in [" time ", " nps ", " score "] {
                assert!(last.contains(word), "{go}: {last}");
            }
        }
    }
}

#[test]
fn rule_08_gameover_and_result_agree_without_any_go() {
    let mut client = barca();
    let shortest = "e2e4 e9e6 e4g4 e6g6 e1e3 f10e9 e3d4 f9f10 g2c6 g6g5 c6d7";
    let shuffle = "e1a1 e10a10 a1e1 a10e10 e1a1 e10a10 a1e1 a10e10";
    for (line, over, result, reason) in [
        ("startpos".into(), "false", "none", "none"),
        (format!("startpos moves {shortest}"), "true", "p1win", "watering-holes"),
        (format!("startpos moves {shuffle}"), "true", "draw", "repetition"),
        ("fen 6lLEM/6eLEM/6melm/10/10/10/10/10/10/10 w".into(), "true", "draw", "no-moves"),
    ] {
        client.send(&format!("position {line}"));
        assert_eq!(client.query("gameover"), over, "{line}");
        assert_eq!(client.query("result"), result, "{line}");
        assert_eq!(client.query("reason"), reason, "{line}");
    }
}

#[test]
fn rule_09_result_is_one_of_four_words() {
    let mut client = barca();
    for seed in 0..6 {
        client.send("position startpos");
        for ply in 0..20 {
            let random = client.query(&format!("random {}", seed * 100 + ply));
            assert_eq!(client.query(&format!("islegal {random}")), "true");
            client.send(&format!("moves {random}"));
            let result = client.query("result");
            assert!(["none", "p1win", "p2win", "draw"].contains(&result.as_str()), "{result}");
        }
    }
}

#[test]
fn rule_10_unknown_words_and_options_go_to_stderr_only() {
    let mut command = Command::new(BARCA);
    let mut child = command
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program");
    let text = "frobnicate\nsetoption name Nonsense value 1\nregister later\nisready\n";
    std::io::Write::write_all(&mut child.stdin.take().unwrap(), text.as_bytes()).unwrap();
    let output = child.wait_with_output().unwrap();
    assert_eq!(String::from_utf8(output.stdout).unwrap(), "readyok\n");
    let stderr = String::from_utf8(output.stderr).unwrap();
    for word in ["frobnicate", "Nonsense", "register"] {
        assert!(stderr.contains(word), "{stderr}");
    }
    assert_eq!(output.status.code(), Some(0));
}

#[test]
fn rule_11_stop_when_idle_is_silent() {
    let mut client = barca();
    client.send("stop\nstop");
    assert_eq!(client.ask("isready"), "readyok");
    client.go("go depth 2");
    client.send("stop");
    assert_eq!(client.ask("isready"), "readyok");
}

#[test]
fn rule_12_isready_is_answered_during_a_search() {
    let mut client = barca();
    client.send("go infinite");
    client.until("info depth 2");
    client.send("isready");
    client.until("readyok");
    client.send("stop");
    client.until("bestmove");
}

#[test]
fn rule_13_the_end_of_the_input_lets_bounded_searches_finish() {
    let mut client = barca();
    client.send(
        "position startpos\ngo depth 3\nposition startpos moves e2e4\ngo nodes 3000\ngo infinite",
    );
    client.close();
    let lines = client.rest();
    assert_eq!(lines.iter().filter(|line| line.starts_with("bestmove")).count(), 3);
    assert!(lines.iter().any(|line| line.starts_with("info depth 3 ")), "{lines:?}");
    assert_eq!(client.exit_code(), 0);
}

#[test]
fn rule_14_hash_and_threads_are_declared() {
    for word in ["ugi", "uci"] {
        let mut client = barca();
        client.send(word);
        let lines = client.until(&format!("{word}ok"));
        for option in ["Hash", "Threads"] {
            let start = format!("option name {option} type spin default ");
            assert!(lines.iter().any(|line| line.starts_with(&start)), "{lines:?}");
        }
        let ponder = lines.iter().any(|line| line.starts_with("option name Ponder "));
        assert_eq!(ponder, word == "uci");
    }
}

#[test]
fn rule_15_id_lines_have_exactly_three_words() {
    let mut client = barca();
    client.send("uci");
    let lines = client.until("uciok");
    let ids: Vec<_> = lines.iter().filter(|line| line.starts_with("id ")).collect();
    assert_eq!(ids.len(), 2);
    assert!(ids.iter().all(|line| line.split(' ').count() == 3), "{ids:?}");
}

#[test]
fn rule_16_game_is_accepted_and_ignored_and_other_flags_are_usage_errors() {
    let mut client = Client::program(BARCA, &["--game", "ataxx"]);
    assert_eq!(client.ask("isready"), "readyok");
    assert_eq!(client.exit_code(), 0);
    let client = Client::program(BARCA, &["--frobnicate"]);
    assert_eq!(client.exit_code(), 2);
}
