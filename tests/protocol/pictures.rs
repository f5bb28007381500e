//! Extension 2 on the wire: what is refused, and the drawings of the subcommand `svg`.

use assert_cmd::Command;
use parlor::engine::GameEngine;
use parlor::games::{NAMES, Playable, short_rules};
use parlor::games::{barbarossa, barca, chowka_bhara, pacru, porrika};

use crate::client::Client;
use crate::programs::program;

/// Everything that is told about the position of a session.
fn told(client: &mut Client) -> Vec<String> {
    ["fen", "table", "board", "step", "turn"].map(|query| client.query(query)).into()
}

/// Plays random moves and throws to the end of the game.
fn finish(client: &mut Client) {
    for seed in 1..20_000 {
        let turn = client.query("turn");
        if turn == "none" {
            return;
        }
        let query = if turn.starts_with("chance") { "throw" } else { "random" };
        let token = client.query(&format!("{query} {}", seed * 7919));
        client.send(&format!("moves {token}"));
    }
    panic!("the game does not end");
}

/// Bad paths, a viewer who does not decide, and a finished game. `start` leads to a position where
/// p1 decides; the paths in `bad` fail at the choice whose number from 1 is given.
fn refuses<G: Playable>(start: &str, end: &str, bad: &[(&str, usize)]) {
    let mut client = Client::session(GameEngine::<G>::new());
    client.send(start);
    let before = told(&mut client);
    let refused = |client: &mut Client, query: &str, code: &str, named: &str| {
        let answer = client.query(query);
        let shown = &query[..query.len().min(60)];
        assert!(answer.starts_with(&format!("error {code} ")), "{shown}: {answer}");
        assert!(answer.contains(named), "{shown}: {answer}");
    };
    for (path, number) in bad {
        let choice = path.split(' ').nth(number - 1).unwrap();
        let named = format!("choice {number} '{choice}'");
        refused(&mut client, &format!("step {path}"), "bad-value", &named);
    }
    for escape in ["%", "%z", "%zz", "~%2", "%e", "a%0gb"] {
        refused(&mut client, &format!("step {escape}"), "bad-value", "choice 1");
    }
    let long = " nowhere".repeat(10_000);
    refused(&mut client, &format!("step{long}"), "bad-value", " 'nowhere'");
    refused(&mut client, "path nowhere!", "bad-move", "");
    assert_eq!(told(&mut client), before, "a refused query changed the state");
    // As p2 sits, p1 decides.
    client.send(&start.replacen("startpos", "startpos view p2", 1));
    refused(&mut client, "step", "not-to-act", "p1");
    client.send(if end.is_empty() { start } else { end });
    finish(&mut client);
    let before = ["fen", "table", "board"].map(|query| client.query(query));
    refused(&mut client, "step", "game-over", "");
    refused(&mut client, "step nowhere", "game-over", "");
    refused(&mut client, "path nowhere", "game-over", "");
    assert_eq!(["fen", "table", "board"].map(|query| client.query(query)), before);
}

/// A game of Barca that is over.
const FINISHED: &str = "e2e4 e9e6 e4g4 e6g6 e1e3 f10e9 e3d4 f9f10 g2c6 g6g5 c6d7";

#[test]
fn barca_refuses_bad_paths() {
    let end = format!("position startpos moves {FINISHED}");
    let bad = [("zz", 1), ("e9", 1), ("e2 e9", 2), ("e2 e4 e5", 3)];
    refuses::<barca::Position>("position startpos", &end, &bad);
}

#[test]
fn porrika_refuses_bad_paths() {
    let bad = [("zz", 1), ("a1n a1n", 2), ("a1n b1e c1w d4n", 4), ("a1n b1e c1w d1e a1w", 5)];
    refuses::<porrika::Position>("position startpos", "", &bad);
}

#[test]
fn pacru_refuses_bad_paths() {
    let bad = [("zz", 1), ("a1", 1), ("e1 e9", 2), ("e1 >", 2), ("e1 e2 e2 e2", 3)];
    refuses::<pacru::Position>("position startpos", "", &bad);
}

#[test]
fn chowka_bhara_refuses_bad_paths() {
    let bad = [("zz", 1), ("c5", 1), ("c1 a1", 2), ("c1 e3 c1 d1 c1", 5)];
    refuses::<chowka_bhara::Position>("position startpos moves t4 t1", "", &bad);
}

#[test]
fn barbarossa_refuses_bad_paths() {
    let start = "setoption name Words value free\nposition startpos";
    let bad = [("a!", 1), ("anvil x", 2), ("an*vil", 1)];
    refuses::<barbarossa::Position>(start, "", &bad);
}

/// What a program draws.
fn svg(name: &str, arguments: &[&str]) -> String {
    let mut command = Command::new(program(name));
    let assert = command.arg("svg").args(arguments).assert().code(0);
    String::from_utf8(assert.get_output().stdout.clone()).unwrap()
}

/// The corners of a cell, sorted; cells are named by their titles.
fn corners(svg: &str, cell: &str) -> Vec<String> {
    let line = svg.lines().find(|line| line.contains(&format!("<title>{cell},"))).unwrap();
    let points = line.split('\'').nth(1).unwrap();
    let mut points: Vec<String> = points.split(' ').map(str::to_owned).collect();
    points.sort();
    points
}

/// The colours of the best move and of the last one.
const BEST: &str = "#009e73";
const LAST: &str = "#e69f00";

#[test]
fn every_program_draws_its_board_in_both_themes() {
    for name in NAMES {
        let heading = short_rules(name).unwrap().lines().next().unwrap();
        let title = heading.trim_start_matches("# ").replace('\'', "&#39;");
        let (light, dark) = (svg(name, &[]), svg(name, &["--theme", "dark"]));
        for (drawn, ground) in [(&light, "#fbfaf7"), (&dark, "#1d1f21")] {
            assert!(drawn.starts_with("<svg ") && drawn.ends_with("</svg>\n"), "{name}");
            assert!(drawn.contains(&format!("<title>{title}</title>")), "{name}");
            assert!(drawn.contains(&format!("fill='{ground}'/>")), "{name}");
        }
        // The themes differ in colours alone.
        let bare = |text: &str| {
            let mut parts = text.split('#');
            let first = parts.next().unwrap().to_owned();
            let rest = parts.map(|part| match part.get(..6) {
                Some(color) if color.bytes().all(|byte| byte.is_ascii_hexdigit()) => &part[6..],
                _ => part,
            });
            first + &rest.collect::<String>()
        };
        assert_eq!(bare(&light), bare(&dark), "{name}");
    }
}

#[test]
fn coordinates_can_be_left_out() {
    assert!(svg("barca", &[]).contains(">j</text>"));
    assert!(!svg("barca", &["--no-coordinates"]).contains(">j</text>"));
}

#[test]
fn the_board_is_turned_for_a_seat() {
    let (own, other) = (svg("barca", &[]), svg("barca", &["--seat", "p2"]));
    for (cell, opposite) in [("a1", "j10"), ("d4", "g7"), ("c9", "h2")] {
        assert_eq!(corners(&own, cell), corners(&other, opposite));
    }
    assert_ne!(corners(&own, "a1"), corners(&other, "a1"));
    // East of four seats: its home, in the middle of the right side, comes to the bottom.
    let four = ["--set", "Players=4"];
    let south = svg("chowka-bhara", &four);
    let east = svg("chowka-bhara", &[&four[..], &["--seat", "p2"]].concat());
    let [home, turned] = ["c1", "e3"].map(|cell| format!("{cell}, home of"));
    let place = |drawn: &str, title: &str| {
        let line = drawn.lines().find(|line| line.contains(title)).unwrap();
        let mut points: Vec<&str> = line.split('\'').nth(1).unwrap().split(' ').collect();
        points.sort_unstable();
        points.join(" ")
    };
    assert_eq!(place(&south, &home), place(&east, &turned));
    Command::new(program("barca")).args(["svg", "--seat", "p9"]).assert().code(2);
}

#[test]
fn the_last_move_is_framed_and_absent_after_a_bare_position() {
    let frames = |drawn: &str| drawn.matches(&format!("stroke='{LAST}'")).count();
    assert_eq!(frames(&svg("barca", &[])), 0);
    let fen = "10/2E4e2/10/10/10/1e3m1M1L/lE8/l9/2m7/5M2L1 b";
    assert_eq!(frames(&svg("barca", &["--fen", fen])), 0);
    let moved = svg("barca", &["--fen", fen, "--moves", "a3b2"]);
    // Both cells, filled and framed.
    assert_eq!(frames(&moved), 4);
    assert!(moved.contains(">Last: a3 b2</text>"));
}

#[test]
fn a_move_is_drawn_as_an_arrow() {
    let best = |arguments: &[&str]| {
        let drawn = svg(arguments[0], &arguments[1..]);
        drawn.lines().filter(|line| line.contains(&format!("fill='{BEST}'"))).count()
    };
    assert_eq!(best(&["barca"]), 0);
    assert_eq!(best(&["barca", "--arrow", "e2e5"]), 1);
    // An arrow and the field that is claimed.
    let moves = "i3-h4(i5) e9-e8 a3-b3 a1-a2 h4-g4 i7-h6(h4) g4-f5(f4) a7-b6(b4)";
    assert_eq!(best(&["pacru", "--moves", moves, "--arrow", "b3-c4(a4)"]), 2);
    // The chevron that turns, and the markers that pay for it.
    assert_eq!(best(&["pacru", "--moves", moves, "--arrow", "b3<(f4,i5)"]), 3);
    assert_eq!(best(&["chowka-bhara", "--moves", "t4 t1", "--arrow", "c1e3,c1d1"]), 2);
    let refused = Command::new(program("barca")).args(["svg", "--arrow", "e2e9"]).assert().code(1);
    let text = String::from_utf8(refused.get_output().stdout.clone()).unwrap();
    assert!(text.starts_with("error illegal-move"), "{text}");
}
