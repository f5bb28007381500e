//! Games, by steps and tokens.

use serde_json::{Value, json};

use super::client::Board;

/// A game against the random player, to its end.
fn play_through(game: &str, rules: Value) {
    let board = Board::start(&[]);
    let mut page = board.host();
    let welcome = page.get("welcome");
    assert_eq!(welcome["menu"].as_array().unwrap().len(), 5);
    let engine = json!({"kind": "engine", "player": "random", "depth": 1});
    let about = page.ask(json!({"do": "about", "menu": game, "rules": rules}));
    let seats = about["seats"].as_u64().unwrap();
    let mut chairs = vec![json!({"kind": "here"})];
    chairs.extend((1..seats).map(|_| engine.clone()));
    page.send(&json!({"do": "new", "menu": game, "rules": rules, "seats": chairs}));
    let mut random = 7;
    loop {
        page.settled();
        if page.state["phase"] == "over" {
            break;
        }
        assert!(page.state["fault"].is_null(), "{}", page.state);
        let token = page.choose(&mut random);
        page.play(&token);
    }
    assert_eq!(page.state["result"]["places"].as_array().unwrap().len() as u64, seats);
    assert_ne!(page.state["result"]["text"], "");
}

#[test]
fn barca_is_played_to_its_end() {
    play_through("barca", json!({"MaxPlies": "60"}));
}
