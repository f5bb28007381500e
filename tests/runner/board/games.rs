//! Games, by steps and tokens, as a page plays them.

use std::path::Path;

use serde_json::{Value, json};

use super::client::{Board, Page};
use crate::support::{minimal, scratch, within};

/// A new game of one engine of the menu.
pub fn new_game(page: &mut Page, menu: &str, rules: &Value, seats: &Value) {
    page.send(&json!({"do": "new", "menu": menu, "rules": rules, "seats": seats}));
    page.get("position");
    page.settled();
}

/// A game against random players, to its end.
fn play_through(game: &str, rules: &Value) {
    let board = Board::start(&[]);
    let mut page = board.host();
    let welcome = page.get("welcome");
    assert_eq!(welcome["menu"].as_array().unwrap().len(), 5);
    let about = page.ask(json!({"do": "about", "menu": game, "rules": rules}));
    let seats = about["seats"].as_u64().unwrap();
    let mut chairs = vec![json!({"kind": "here"})];
    chairs.extend((1..seats).map(|_| json!({"kind": "engine", "player": "random", "depth": 1})));
    new_game(&mut page, game, rules, &json!(chairs));
    let mut random = 7;
    while page.state["phase"] == "play" {
        assert!(page.state["fault"].is_null(), "{}", page.state);
        let token = page.choose(&mut random);
        page.play(&token);
        page.settled();
    }
    assert_eq!(page.state["result"]["places"].as_array().unwrap().len() as u64, seats);
    assert_ne!(page.state["result"]["text"], "");
}

#[test]
fn every_game_is_played_to_its_end() {
    play_through("barca", &json!({"MaxPlies": "30"}));
    play_through("porrika", &json!({"MaxPlies": "30"}));
    play_through("pacru", &json!({"MaxPlies": "20", "Players": "3"}));
    play_through("chowka-bhara", &json!({"MaxPlies": "40", "Players": "4"}));
    play_through("barbarossa", &json!({"MaxPlies": "80"}));
}

#[test]
fn an_engine_without_pictures_is_played_by_its_diagram_and_its_tokens() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("examples/minimal_engine.py");
    let text = std::fs::read_to_string(path).unwrap();
    let queries = "(\"table\", \"board\", \"step\", \"path\")";
    assert!(text.contains(queries));
    let folder = scratch();
    let plain = within(&folder, "plain.py");
    std::fs::write(&plain, text.replace(queries, "()")).unwrap();
    let board = Board::start(&[&format!("cmd='python3 -S -E -B {plain}'")]);
    let mut page = board.host();
    let menu = page.get("welcome")["menu"][0]["game"].as_str().unwrap().to_owned();
    new_game(&mut page, &menu, &json!({}), &json!([{"kind": "here"}]));
    let text = page.position["board"]["text"].as_str().unwrap();
    assert!(text.ends_with("21 counters, p1 to take"), "{text}");
    let step = page.ask(json!({"do": "step", "node": 0, "path": ["2*"]}))["step"].clone();
    assert_eq!(step["next"], json!([{"choice": "2"}]));
    assert_eq!(page.refusal(json!({"do": "step", "node": 0, "path": ["4"]})), "bad-value");
    let mut random = 3;
    while page.state["phase"] == "play" {
        let token = page.choose(&mut random);
        page.play(&token);
        page.settled();
    }
    assert_eq!(page.state["result"]["reason"], "last-counter");
}

#[test]
fn the_engine_of_the_examples_shows_its_board() {
    let board = Board::start(&[&minimal()]);
    let mut page = board.host();
    let menu = page.get("welcome")["menu"][0]["game"].as_str().unwrap().to_owned();
    new_game(&mut page, &menu, &json!({}), &json!([{"kind": "here"}]));
    assert_eq!(page.position["board"]["pieces"][0]["count"], 21);
    page.play("1");
    page.settled();
    // 20 are lost for whoever is to move: the engine takes one.
    assert_eq!(page.position["board"]["pieces"][0]["count"], 19);
}

#[test]
fn moves_are_taken_back_and_played_otherwise() {
    let board = Board::start(&[]);
    let mut page = board.host();
    let two = json!([{"kind": "here"}, {"kind": "here"}]);
    new_game(&mut page, "barca", &json!({}), &two);
    assert_eq!(page.state["you"]["undo"], false);
    page.play("e2e4");
    page.settled();
    page.play("e9e6");
    page.settled();
    assert_eq!(page.state["live"], 2);
    assert_eq!(page.refusal(json!({"do": "play", "node": 1, "token": "e9e7"})), "stale");
    assert_eq!(page.refusal(json!({"do": "play", "node": 2, "token": "e9e8"})), "illegal-move");
    page.send(&json!({"do": "undo"}));
    page.until(|value| value["type"] == "state" && value["live"] == 1);
    page.settled();
    page.play("e9e7");
    page.settled();
    assert_eq!(page.state["live"], 3);
    // The tree keeps what was taken back; a reload brings it all.
    let mut again = board.host();
    again.get("welcome");
    again.send(&json!({"do": "open", "game": page.state["game"]}));
    let tree = again.get("tree");
    let tokens: Vec<&str> = tree["nodes"]
        .as_array()
        .unwrap()
        .iter()
        .filter_map(|node| node["token"].as_str())
        .collect();
    assert_eq!(tokens, ["e2e4", "e9e6", "e9e7"]);
    again.settled();
    assert_eq!(again.state["live"], 3);
    // Two pages of one host agree.
    again.play("d2c3");
    page.until(|value| value["type"] == "position" && value["node"] == 4);
    // Play goes on from another place.
    page.send(&json!({"do": "goon", "node": 2}));
    page.until(|value| value["type"] == "state" && value["live"] == 2);
    again.until(|value| value["type"] == "position" && value["node"] == 2);
}

#[test]
fn a_game_that_was_given_up_may_be_varied_and_played_again_the_other_way_round() {
    let board = Board::start(&[]);
    let mut page = board.host();
    let seats = json!([
        {"kind": "here", "name": "Ann"},
        {"kind": "engine", "player": "random", "depth": 1},
    ]);
    new_game(&mut page, "barca", &json!({}), &seats);
    page.play("e2e4");
    page.settled();
    assert_eq!(page.refusal(json!({"do": "play", "node": 0, "token": "d2c3"})), "stale");
    page.send(&json!({"do": "resign"}));
    page.until(|value| value["type"] == "state" && value["phase"] == "over");
    assert_eq!(page.state["result"]["result"], "p2win");
    assert_eq!(page.state["result"]["reason"], "resign");
    let live = page.state["live"].clone();
    page.send(&json!({"do": "play", "node": 0, "token": "d2c3"}));
    let position = page.until(|value| value["type"] == "position" && value["ply"] == 1);
    assert_eq!(page.state["live"], live);
    assert_ne!(position["node"], live);
    page.send(&json!({"do": "rematch"}));
    page.until(|value| value["type"] == "state" && value["round"] == 2);
    page.settled();
    assert_eq!(page.state["seats"][1]["name"], "Ann");
    assert_eq!(page.state["seats"][0]["kind"], "engine");
    assert_eq!(page.position["act"], "p2");
}

#[test]
fn dice_are_thrown_by_the_table_or_named() {
    let board = Board::start(&[]);
    let mut page = board.host();
    let two = json!([{"kind": "here"}, {"kind": "here"}]);
    let new = json!({"do": "new", "menu": "chowka-bhara", "seats": two, "throws": "click"});
    page.send(&new);
    page.get("position");
    page.settled();
    assert_eq!(page.state["turn"], "chance p1");
    assert_eq!(page.position["step"]["chance"], "p1");
    page.play("t4");
    page.settled();
    assert_eq!(page.position["board"]["dice"]["values"], json!([4]));
    let before = page.state["live"].clone();
    page.send(&json!({"do": "throw", "node": before}));
    page.until(|value| value["type"] == "state" && value["live"] != before);
    page.settled();
    assert_eq!(page.position["board"]["dice"]["values"].as_array().unwrap().len(), 2);
}

#[test]
fn who_runs_out_of_time_has_lost() {
    let board = Board::start(&["barca", "--tc", "0.2"]);
    let mut page = board.host();
    assert_eq!(page.get("welcome")["defaults"]["tc"], "0.2");
    let two = json!([{"kind": "here"}, {"kind": "here"}]);
    page.send(&json!({"do": "new", "menu": "barca", "seats": two}));
    let state = page.until(|value| value["type"] == "state" && value["phase"] == "over");
    assert_eq!(state["result"]["reason"], "overtime");
    assert_eq!(state["result"]["result"], "p2win");
    assert_eq!(state["clocks"]["left"][0], 0);
    assert_eq!(state["clocks"]["left"][1], 200);
}

#[test]
fn wrong_settings_are_refused_with_a_reason() {
    let board = Board::start(&[]);
    let mut page = board.host();
    page.get("welcome");
    for new in [
        json!({"do": "new", "menu": "chess"}),
        json!({"do": "new", "menu": "barca", "start": "fen nonsense"}),
        json!({"do": "new", "menu": "barca", "start": "startpos moves e2e9"}),
        json!({"do": "new", "menu": "barca", "tc": "soon"}),
        json!({"do": "new", "menu": "pacru", "rules": {"Players": "7"}}),
        json!({"do": "new", "menu": "barca", "seats": [{"kind": "engine", "engine": 7}]}),
        json!({"do": "new", "menu": "barca", "seats": [
            {"kind": "here"}, {"kind": "here"}, {"kind": "here"},
        ]}),
        // Options of the engine are not for pages.
        json!({"do": "new", "menu": "barca", "rules": {"Hash": "1"}}),
    ] {
        let answer = page.ask(new.clone());
        assert_eq!(answer["type"], "error", "{new}");
        assert_ne!(answer["text"], "", "{new}");
    }
    assert_eq!(page.refusal(json!({"do": "step", "node": 0})), "no-game");
}
