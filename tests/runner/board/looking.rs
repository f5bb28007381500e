//! Analysis, hints, reviews, texts, records.

use std::path::Path;

use serde_json::json;

use super::client::Board;
use super::games::{barca_by_two, new_game};
use crate::support::{expect, mock, scratch, within};

#[test]
fn positions_are_analysed_and_hints_given() {
    let (_board, mut page) = barca_by_two();
    page.send(&json!({"do": "analyse", "on": true, "node": 0, "lines": 3}));
    let analysis = page.until(|value| {
        value["type"] == "analysis"
            && value["lines"].as_array().is_some_and(|lines| {
                lines.len() == 3 && lines.iter().all(|line| line["path"].is_array())
            })
    });
    let shares = &analysis["lines"][0]["shares"];
    assert_eq!(shares[0].as_u64().unwrap() + shares[1].as_u64().unwrap(), 1000);
    let hint = page.ask(json!({"do": "hint", "node": 0}));
    assert_eq!(hint["type"], "hint", "{hint}");
    let (token, path) = (hint["token"].as_str().unwrap(), hint["path"].as_array().unwrap());
    assert_eq!(path[0].as_str().unwrap(), &token[..2]);
    // The analysis goes on after the hint, until it is ended.
    page.until(|value| value["type"] == "analysis" && value["running"] == true);
    page.send(&json!({"do": "analyse", "on": false}));
    page.play(token);
    page.settled();
}

#[test]
fn a_game_is_reviewed_after_its_end() {
    let board = Board::start(&[]);
    let mut page = board.host();
    page.get("welcome");
    // The known short win of the specification: the last move of p1 takes the third hole.
    let text = "e2e4 e9e6 e4g4 e6g6 e1e3 f10e9 e3d4 f9f10 g2c6 g6g5 c6d7";
    page.send(&json!({"do": "import", "menu": "barca", "text": text}));
    page.settled();
    assert_eq!(page.state["phase"], "analysis");
    page.send(&json!({"do": "review", "on": true, "depth": 4}));
    page.until(|value| value["type"] == "review" && value["done"] == 11);
    let mut again = board.host();
    again.get("welcome");
    again.send(&json!({"do": "open", "game": page.state["game"]}));
    let tree = again.get("tree");
    let nodes = tree["nodes"].as_array().unwrap();
    assert!(nodes[..11].iter().all(|node| node["shares"].is_array()), "{tree}");
    // Black let the win happen with the move before the last.
    assert_eq!(nodes[10]["mark"], "blunder", "{tree}");
    assert_eq!(nodes[10]["line"][0], nodes[10]["best"], "{tree}");
    assert!(nodes[10]["loss"].as_u64().unwrap() >= 150, "{tree}");
}

/// At depth 1 the scripted engine takes one, at depth 2 it leaves a multiple of four.
#[test]
fn a_new_review_replaces_what_an_earlier_one_said() {
    let board = Board::start(&[&mock("--shallow"), "--rule", "Counters=11"]);
    let mut page = board.host();
    let menu = page.get("welcome")["menu"][0]["game"].clone();
    page.send(&json!({"do": "import", "menu": menu, "text": "3 1 2"}));
    page.settled();
    let mut review = |depth: u32| {
        page.send(&json!({"do": "review", "on": true, "depth": depth}));
        page.until(|value| value["type"] == "review" && value["running"] == false);
        let mut again = board.host();
        again.get("welcome");
        again.send(&json!({"do": "open", "game": "g1"}));
        let nodes = again.get("tree")["nodes"].clone();
        [1, 2, 3].map(|node: usize| [nodes[node]["mark"].clone(), nodes[node]["best"].clone()])
    };
    let (fine, bad) = (json!([null, null]), |best: &str| json!(["blunder", best]));
    assert_eq!(json!(review(1)), json!([bad("1"), fine, bad("1")]));
    assert_eq!(json!(review(2)), json!([fine, fine, bad("3")]));
    // Each of the three decisions is to take 50 ms.
    page.send(&json!({"do": "review", "on": true, "movetime": 50}));
    let begun = page.get("review");
    assert_eq!([&begun["done"], &begun["of"], &begun["left_ms"]], [0, 3, 150], "{begun}");
}

#[test]
fn positions_and_games_are_copied_as_text() {
    let (_board, mut page) = barca_by_two();
    let mut legal = |prefix: &str| {
        let answer = page.ask(json!({"do": "moves", "node": 0, "prefix": prefix}));
        assert_eq!(answer["many"], false, "{answer}");
        answer["tokens"].as_array().unwrap().clone()
    };
    let (mut all, of_the_mouse) = (legal(""), legal("e2"));
    all.retain(|token| token.as_str().unwrap().starts_with("e2"));
    assert!(of_the_mouse.contains(&json!("e2e4")));
    assert_eq!(of_the_mouse, all);
    page.play("e2e4");
    page.settled();
    // The name of a file has the ply of what is in it.
    let start = page.ask(json!({"do": "text", "node": 0, "what": "svg"}));
    assert_eq!(start["name"], "barca-0.svg");
    let mut text = |what: &str| {
        let answer = page.ask(json!({"do": "text", "node": 1, "what": what}));
        answer["text"].as_str().unwrap_or_else(|| panic!("{answer}")).to_owned()
    };
    assert_eq!(text("fen"), "4ee4/3lmml3/10/10/10/10/4M5/10/3L1ML3/4EE4 b");
    assert_eq!(text("moves"), "e2e4");
    assert_eq!(text("position"), "startpos moves e2e4");
    assert!(text("svg").starts_with("<svg"));
    let record = text("record");
    assert_eq!(record.lines().count(), 2);
    page.send(&json!({"do": "import", "menu": "barca", "text": record}));
    page.until(|value| value["type"] == "state" && value["phase"] == "analysis");
    assert_eq!(page.state["live"], 1);
}

#[test]
fn recorded_games_are_stepped_through() {
    let folder = scratch();
    let records = within(&folder, "match.jsonl");
    let engines = ["barca option.Player=random name=a", "barca option.Player=random name=b"];
    let options = ["--rounds", "1", "--rule", "MaxPlies=12", "--records", &records, "-q"];
    expect(0, &[&["match"], &engines[..], &options[..]].concat());
    let board = Board::start(&["--replay", &records]);
    let mut page = board.host();
    let welcome = page.get("welcome");
    assert_eq!(welcome["records"], json!({"name": "match.jsonl", "menu": "barca", "count": 2}));
    let list = page.ask(json!({"do": "records"}));
    assert_eq!(list["list"][0]["seats"], json!(["a", "b"]));
    assert_eq!(list["list"][1]["plies"], 12);
    assert!(list["list"][1]["moves"].is_null());
    let told = page.ask(json!({"do": "records", "from": 1, "moves": true}));
    assert_eq!(told["list"][0]["moves"].as_array().map(Vec::len), Some(12));
    assert_eq!(told["list"][0]["places"].as_array().map(Vec::len), Some(2));
    let one = page.ask(json!({"do": "records", "count": 1}));
    assert_eq!((&one["count"], one["list"].as_array().map(Vec::len)), (&json!(2), Some(1)));
    page.send(&json!({"do": "load", "record": 1}));
    page.settled();
    assert_eq!(page.position["ply"], 12);
    for seat in [0, 1] {
        let told = &page.state["seats"][seat];
        let played = &list["list"][1]["seats"][seat];
        assert_eq!((&told["kind"], &told["name"]), (&json!("none"), played));
    }
    page.send(&json!({"do": "look", "node": 5}));
    let position = page.until(|value| value["type"] == "position" && value["node"] == 5);
    assert_eq!(position["turn"], "p2");
    assert!(!position["step"].is_null());
    // A person sits down where p2 is to act, an engine at the other seat; under the same rules.
    page.send(&json!({"do": "goon", "node": 5, "level": 2}));
    let state = page.until(|value| value["type"] == "state" && value["phase"] == "play");
    assert_eq!((&state["menu"], &state["live"]), (&json!("barca"), &json!(5)));
    assert_eq!(
        [&state["seats"][0]["level"], &state["seats"][1]["yours"]],
        [&json!(2), &json!(true)]
    );
    let record = page.ask(json!({"do": "text", "node": 5, "what": "record"}));
    assert!(
        record["text"].as_str().is_some_and(|text| text.contains(r#""rules":["MaxPlies=12"]"#))
    );
    assert_eq!(page.refusal(json!({"do": "load", "record": 2})), "bad-value");
}

#[test]
fn finished_games_are_recorded() {
    let folder = scratch();
    let records = within(&folder, "games.jsonl");
    for count in 1..=2 {
        let board = Board::start(&["barca", "--record", &records]);
        let mut page = board.host();
        let seats = json!([{"kind": "here"}, {"kind": "here"}]);
        new_game(&mut page, "barca", &json!({}), &seats);
        page.play("e2e4");
        page.settled();
        page.send(&json!({"do": "resign", "seat": "p2"}));
        page.until(|value| value["type"] == "state" && value["phase"] == "over");
        let (_, games) = crate::support::games(Path::new(&records));
        assert_eq!(games.len(), count);
        assert_eq!(games[&(count as u64)].result, "p1win");
        // Each is a bundle of its own.
        assert_eq!(games[&(count as u64)].round, count as u64);
    }
    expect(0, &["replay", &records, "2"]);
}

#[test]
fn a_move_is_told_by_its_choices_and_their_names() {
    let board = Board::start(&[]);
    let mut page = board.host();
    page.get("welcome");
    page.ask(json!({"do": "new", "menu": "barca", "analysis": true}));
    let told = page.ask(json!({"do": "path", "node": 0, "token": "e2e4"}));
    assert_eq!((&told["path"], &told["words"]), (&json!(["e2", "e4"]), &json!(["e2", "e4"])));
    assert_eq!(told["show"][0]["move"], json!(["e2", "e4"]));
    let none = page.ask(json!({"do": "path", "node": 0, "token": "e2e9"}));
    assert_eq!((&none["path"], &none["words"]), (&json!([]), &json!([])));
    // So is one of a line that is not played.
    let after = json!({"do": "path", "node": 0, "after": ["e2e4", "e9e6"], "token": "e4f4"});
    assert_eq!(page.ask(after)["words"], json!(["e4", "f4"]));
    let wrong = json!({"do": "path", "node": 0, "after": ["e2e4", "e2e4"], "token": "e4f4"});
    assert_eq!(page.refusal(wrong), "illegal-move");
    let long = json!({"do": "path", "node": 0, "after": vec!["e2e4"; 31], "token": "e4f4"});
    assert_eq!(page.refusal(long), "bad-message");
    page.ask(json!({"do": "new", "menu": "barbarossa", "rules": {"Words": "deal"}}));
    page.until(|value| value["type"] == "position" && !value["act"].is_null());
    // Not where a line may hold secrets.
    let after = json!({"do": "path", "node": 0, "after": ["deal"], "token": "deal"});
    assert_eq!(page.refusal(after), "not-allowed");
    let node = page.position["node"].clone();
    let token = page.choose(&mut 3);
    let told = page.ask(json!({"do": "path", "node": node, "token": token}));
    assert_eq!(told["words"].as_array().unwrap().len(), told["path"].as_array().unwrap().len());
}

#[test]
fn games_are_taught() {
    let board = Board::start(&[]);
    let mut page = board.host();
    page.get("welcome");
    for menu in parlor::games::NAMES {
        let lessons = page.ask(json!({"do": "lessons", "menu": menu}));
        assert!(lessons["lessons"].as_array().unwrap().len() >= 3, "{lessons}");
        let puzzles = page.ask(json!({"do": "puzzles", "menu": menu, "from": 2, "count": 3}));
        let count = puzzles["count"].as_u64().unwrap();
        let told = puzzles["puzzles"].as_array().unwrap().len();
        assert_eq!(told, if count == 0 { 0 } else { 3 }, "{puzzles}");
    }
}

/// A puzzle of a game with secrets is what a seat may see: moves are tried in it, nobody plays on.
#[test]
fn a_view_is_a_board_to_try_moves_on_and_no_game() {
    let board = Board::start(&[]);
    let mut page = board.host();
    page.get("welcome");
    let puzzles = page.ask(json!({"do": "puzzles", "menu": "barbarossa", "count": 1}));
    let puzzle = &puzzles["puzzles"][0];
    let new = |analysis: bool| {
        json!({"do": "new", "menu": "barbarossa", "start": puzzle["position"],
            "rules": puzzle["rules"], "analysis": analysis})
    };
    assert_eq!(page.refusal(new(false)), "bad-value");
    page.ask(new(true));
    page.settled();
    assert!(!page.position["step"].is_null(), "{}", page.position);
    let token = &puzzle["solution"]["accept"][0];
    page.ask(json!({"do": "play", "node": 0, "token": token}));
    page.until(|value| value["type"] == "position" && value["ply"] == 1);
}

#[test]
fn an_engine_plays_at_a_level() {
    let board = Board::start(&[]);
    let mut page = board.host();
    page.get("welcome");
    let about = page.ask(json!({"do": "about", "menu": "barca"}));
    assert_eq!(about["engines"][0]["levels"], 10);
    let seats = json!([{"kind": "here"}, {"kind": "engine", "level": 2}]);
    page.ask(json!({"do": "new", "menu": "barca", "seats": seats}));
    page.settled();
    assert_eq!(page.state["seats"][1]["level"], 2);
    page.play("e2e4");
    page.until(|value| value["type"] == "position" && value["ply"] == 2);
    // In the next round the seats have moved round, and the level may be another one.
    page.ask(json!({"do": "resign"}));
    page.ask(json!({"do": "rematch", "level": 5}));
    let seats = &page.state["seats"];
    assert_eq!((&seats[0]["level"], &seats[1]["level"]), (&json!(5), &json!(null)));
    // What is no level is the engine's to refuse.
    let seats = json!([{"kind": "engine", "level": 99}, {"kind": "here"}]);
    page.ask(json!({"do": "new", "menu": "barca", "seats": seats}));
    page.until(|value| value["type"] == "state" && !value["fault"].is_null());
}

#[test]
fn the_rules_come_as_text() {
    let board = Board::start(&[]);
    let mut page = board.host();
    page.get("welcome");
    for menu in parlor::games::NAMES {
        let rules = page.ask(json!({"do": "rules", "menu": menu}));
        assert!(rules["markdown"].as_str().unwrap().len() > 500, "{rules}");
    }
}
