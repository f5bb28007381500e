//! Pacru through the session: two, three and four seats, options, refusals.

use std::fmt::Write;

use parlor::engine::GameEngine;
use parlor::games::pacru::Position;

use crate::client::Client;

fn client() -> Client {
    Client::session(GameEngine::<Position>::new())
}

/// The answers to some queries, a line each.
fn answers(client: &mut Client, queries: &[&str]) -> String {
    let mut text = String::new();
    for query in queries {
        writeln!(text, "{query}: {}", client.query(query)).expect("a string");
    }
    text
}

const STATE: [&str; 9] =
    ["seats", "turn", "gameover", "result", "outcome", "points", "reason", "fen", "rules"];

#[test]
fn a_game_of_two_that_ends_by_a_pincer() {
    let mut client = client();
    client.send("position fen 9/9/9/9/9/2[1E][2S*]5/3[1N]5/9/9 1 2");
    assert_eq!(
        client.query("legalmoves c4x"),
        "c4xd4(d5) c4xd4(d6) c4xd4(e4) c4xd4(e5) c4xd4(e6) c4xd4(f4) c4xd4(f5) c4xd4(f6)"
    );
    client.send("moves c4xd4(d6)");
    let expected = "\
seats: 2
turn: none
gameover: true
result: p1win
outcome: rank 1 2
points: 2 0
reason: last-chevrons
fen: 9/9/9/3a5/9/3[1E*]5/3[1N]5/9/9 1 2
rules: Players=2 MeetingThreshold=9 Order=standard LandingMarker=true Rotations=true
";
    assert_eq!(answers(&mut client, &STATE), expected);
    assert_eq!(client.query("legalmoves"), "none");
}

#[test]
fn four_seats_by_option_and_three_by_position() {
    let mut client = client();
    client.send("setoption name Players value 4");
    client.send("position startpos moves g1-f2(f2) c9-d8(d8)");
    let expected = "\
seats: 4
turn: p3
gameover: false
result: none
outcome: none
points: 1 1 0 0
reason: none
";
    assert_eq!(answers(&mut client, &STATE[..7]), expected);
    client.send("position fen 2[2S]1[3S]1[1S]2/9/[3E]7[3W]/9/[2E]7[1W]/9/9/9/2[2N]3[1N]2 1 3");
    assert_eq!(client.query("seats"), "3");
    client.send("setoption name Order value traditional");
    client.send("setoption name Players value 3");
    client.send("position startpos");
    assert_eq!(client.query("turn"), "p3");
}

#[test]
fn lists_random_moves_and_prefixes() {
    let mut client = client();
    client.send("position startpos");
    assert_eq!(client.query("legalmoves e1-"), "e1-d2 e1-e2 e1-f2");
    assert_eq!(client.query("legalmoves e1>"), "none");
    assert_eq!(client.query("islegal e1>(a1,a2)"), "false");
    let random = client.query("random 7");
    assert_eq!(client.query(&format!("islegal {random}")), "true");
    assert_eq!(client.query("random 7"), random);
    // 40 markers to pay with: far more rotations than are listed.
    client
        .send("position fen 1[2SW]7/9/aaaaaaaaa/aaaaaaaaa/aaaaaaaaa/aaaaaaaaa/aaaa5/5[1N]3/9 1 2");
    assert_eq!(client.query("legalmoves"), "many");
    assert_eq!(client.query("legalmoves f2>>(a3,b3,c3,"), {
        let payable = (4..=7).flat_map(|rank| (b'a'..=b'i').map(move |f| (f as char, rank)));
        let all = std::iter::once(('d', 3)).chain(payable);
        let mut list: Vec<String> =
            all.map(|(file, rank)| format!("f2>>(a3,b3,c3,{file}{rank})")).collect();
        list.sort();
        list.join(" ")
    });
}

/// Every error names the rule that is broken.
#[test]
fn refusals_name_the_rule() {
    let mut client = client();
    for (line, code, part) in [
        ("position startpos moves a3-b4", "illegal-move", "a gain is compulsory here"),
        ("position startpos moves a3-b3(b4)", "illegal-move", "neither crosses into another"),
        ("position startpos moves a3-b4(b4", "bad-move", "the bracket is not finished"),
        ("position startpos moves e1>(a1,a2)", "illegal-move", "no own marker"),
        ("position startpos moves e1>(a1)", "illegal-move", "the payment is too small"),
        ("position startpos moves e1>(a1,a2,a3)", "illegal-move", "the payment is too large"),
        ("position fen 9/9/9/9/4[1Nb]4/9/9/9/9 1 2", "bad-position", "stands on a marker"),
        ("position fen 9/9/9/9/4[1X]4/9/9/9/9 1 2", "bad-position", "is no facing"),
        ("position fen 9/9/9/9/4[1N4/9/9/9/9 1 2", "bad-position", "bracket is not finished"),
        (
            "position fen [1N][1N][1N][1N][1N]4/9/9/9/9/9/9/9/9 1 2",
            "bad-position",
            "too many chevrons",
        ),
        ("setoption name Players value 5", "bad-value", "2 3 4"),
    ] {
        client.send(line);
        let said = client.line();
        assert!(said.starts_with(&format!("info string error {code} ")), "{line}: {said}");
        assert!(said.contains(part), "{line}: {said}");
    }
}

#[test]
fn diagrams_in_ascii_and_with_arrows() {
    let mut client = client();
    client.send("position startpos moves a3-b4(b4)");
    for (style, sign) in [("ascii", "WNEw"), ("unicode", "W\u{2197}w")] {
        client.send(&format!("setoption name Diagram value {style}"));
        client.send("d");
        client.send("isready");
        let mut lines = Vec::new();
        loop {
            match client.line() {
                line if line == "readyok" => break,
                line => lines.push(line),
            }
        }
        assert!(lines.iter().any(|line| line.contains(sign)), "{style}: {lines:?}");
        assert!(lines.iter().any(|line| line.contains("Black to move.")), "{lines:?}");
    }
}

#[test]
fn a_search_with_four_seats_prints_the_shares_of_all() {
    let mut client = client();
    client.send("setoption name Players value 4");
    client.send("position startpos");
    client.send("go nodes 3000");
    let mut last = String::new();
    let best = loop {
        let line = client.line();
        if let Some(best) = line.strip_prefix("bestmove ") {
            break best.to_string();
        }
        last = line;
    };
    let words: Vec<&str> = last.split(' ').collect();
    let at = words.iter().position(|word| *word == "vec").expect("vec");
    let total: i32 = words[at + 1..at + 5].iter().map(|w| w.parse::<i32>().unwrap()).sum();
    assert!((990..=1000).contains(&total), "{last}");
    assert_eq!(client.query(&format!("islegal {best}")), "true");
}
