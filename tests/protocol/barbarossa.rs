//! Barbarossa through the session: one whole game as referee and seats see it, and secrets.

use std::fmt::Write;

use parlor::engine::{Engine, GameEngine};
use parlor::games::barbarossa::Position;

use crate::client::Client;

fn client() -> Client {
    Client::session(GameEngine::<Position>::new())
}

fn client_with(options: &[(&str, &str)]) -> Client {
    let mut engine = GameEngine::<Position>::new();
    for (name, value) in options {
        engine.set_option(name, Some(value)).expect("an option");
    }
    Client::session(engine)
}

/// A short game of three to 12: p1 guesses the kettle and, by a curse, the dog; Ghosts end it.
const GAME: &str = "\
    word:a1:anchor show:a1:is_pointed done:a1 word:a2:bowl show:a2:is_round done:a2 \
    word:a3:snail show:a3:is_spiral done:a3 \
    word:b1:kettle show:b1:has_spout done:b1 word:b2:teapot show:b2:has_handle done:b2 \
    word:b3:dog show:b3:has_ears done:b3 \
    word:c1:fork show:c1:is_pointed done:c1 word:c2:knife show:c2:has_blade done:c2 \
    word:c3:horse show:c3:has_ears done:c3 \
    first:p1 pass pass pass roll r3 ask:b1:is_alive no pass pass pass guess:b1:kettle right \
    pass pass pass jewels:12 letter:a1 give:n pass pass pass \
    pass curse:letter:b3 give:d pass curse:guess:b3:dog right pass pass pass jewels:8";

fn told(client: &mut Client, query: &str) -> String {
    format!("{query}: {}\n", client.query(query))
}

/// The referee at every step that is not a window, and at the end.
#[test]
fn the_referee_of_one_whole_game() {
    let mut client = client_with(&[("Words", "free"), ("Goal", "12"), ("CurseWindows", "all")]);
    let mut transcript = String::new();
    client.send("position startpos");
    for token in GAME.split_whitespace() {
        let turn = client.query("turn");
        let list = client.query("legalmoves");
        assert_eq!(client.query(&format!("islegal {token}")), "true", "{token} after {transcript}");
        let count = list.split(' ').count();
        let short = count <= 8 && !list.contains("show:") && !list.contains("done:");
        let shown = if short { list } else { format!("({count} moves)") };
        writeln!(transcript, "{turn}: {token} of {shown}").expect("a string");
        client.send(&format!("moves {token}"));
    }
    for query in ["turn", "gameover", "result", "outcome", "points", "reason", "fen"] {
        transcript.push_str(&told(&mut client, query));
    }
    // The lengths of lists of words and features change with the table.
    insta::assert_snapshot!("barbarossa_referee", settled_lists(&transcript));
}

/// Long lists without their lengths.
fn settled_lists(text: &str) -> String {
    let lines = text.lines().map(|line| match line.split_once(" of (") {
        Some((start, _)) => format!("{start} of (a long list)"),
        None => line.to_string(),
    });
    lines.collect::<Vec<_>>().join("\n")
}

/// The whole argument of each seat's view, and the position it stands for.
#[test]
fn each_seat_of_one_whole_game() {
    for seat in ["p1", "p2", "p3"] {
        let mut referee =
            client_with(&[("Words", "free"), ("Goal", "12"), ("CurseWindows", "all")]);
        referee.send(&format!("position startpos moves {GAME}"));
        let view = referee.query(&format!("view {seat}"));
        let mut client = client_with(&[("Words", "free"), ("Goal", "12"), ("CurseWindows", "all")]);
        client.send(&format!("position {view}"));
        let mut transcript = format!("position {view}\n");
        for query in ["turn", "outcome", "points", "reason", "fen"] {
            let answer = client.query(query);
            if query != "fen" {
                assert_eq!(answer, referee.query(query), "{query} of {seat}");
            }
            writeln!(transcript, "{query}: {answer}").expect("a string");
        }
        insta::assert_snapshot!(format!("barbarossa_{seat}"), transcript);
    }
}

#[test]
fn views_decide_for_their_own_seat_alone() {
    let mut client = client_with(&[("Words", "free")]);
    client.send("position startpos view p2");
    assert_eq!(client.query("turn"), "p1");
    assert_eq!(client.query("legalmoves"), "hidden");
    client.send("go");
    assert!(client.line().starts_with("info string error not-to-act"));
    let mut client = client_with(&[("Words", "free")]);
    client.send("position startpos view p2 moves word:a1:anchor");
    assert!(client.line().starts_with("info string error illegal-move move 1 'word:a1:anchor'"));
    client.send("position startpos view p2 moves word:a1:?");
    assert_eq!(client.query("turn"), "p1");
}

#[test]
fn deals_are_many_and_hidden_from_views() {
    let mut client = client();
    client.send("position startpos");
    assert_eq!(client.query("turn"), "chance");
    assert_eq!(client.query("chances"), "many");
    assert_eq!(client.query("legalmoves"), "many");
    assert!(client.query("throw 1").starts_with("deal:a1:"));
    client.send("position startpos view p1");
    assert_eq!(client.query("chances"), "hidden");
    assert!(client.query("throw 1").starts_with("error not-to-act"));
}

/// Four engines play a whole game, each seeing nothing but its own view.
#[test]
fn a_game_of_engines_that_see_their_views_alone() {
    let rules = [("Players", "4"), ("JudgeNoise", "8"), ("Goal", "15")];
    let mut referee = client_with(&rules);
    let mut seats: Vec<Client> = ["engine", "plain", "random", "engine"]
        .iter()
        .map(|player| {
            let mut options = rules.to_vec();
            options.push(("Player", player));
            client_with(&options)
        })
        .collect();
    referee.send("position startpos");
    let mut step = 0;
    while referee.query("gameover") == "false" {
        step += 1;
        let turn = referee.query("turn");
        let token = match turn.strip_prefix('p').and_then(|number| number.parse::<usize>().ok()) {
            Some(number) => {
                let view = referee.query(&format!("view p{number}"));
                seats[number - 1].send(&format!("position {view}"));
                seats[number - 1].go("go depth 1")
            }
            None => match referee.query("chances").as_str() {
                "many" => referee.query(&format!("throw {step}")),
                listed if listed.split(' ').count() == 1 => {
                    listed.rsplit_once(':').expect("a weight").0.to_string()
                }
                _ => referee.query(&format!("throw {step}")),
            },
        };
        assert_eq!(referee.query(&format!("islegal {token}")), "true", "{turn} {token}");
        referee.send(&format!("moves {token}"));
        assert!(step < 5_000, "the game does not end");
    }
    assert_ne!(referee.query("outcome"), "none");
}
