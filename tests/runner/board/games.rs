//! Games, by steps and tokens, as a page plays them.

use std::cell::RefCell;
use std::path::Path;

use serde_json::{Value, json};

use super::client::{Board, Page};
use crate::support::{minimal, python, scratch, within};

/// A new game of one engine of the menu.
pub fn new_game(page: &mut Page, menu: &str, rules: &Value, seats: &Value) {
    page.send(&json!({"do": "new", "menu": menu, "rules": rules, "seats": seats}));
    page.get("position");
    page.settled();
}

/// A board, and a page of it with a game of Barca by two people at one screen.
pub fn barca_by_two() -> (Board, Page) {
    let board = Board::start(&[]);
    let mut page = board.host();
    let two = json!([{"kind": "here"}, {"kind": "here"}]);
    new_game(&mut page, "barca", &json!({}), &two);
    (board, page)
}

/// A game against random players, to its end.
fn play_through(game: &str, rules: &Value) {
    let board = Board::start(&[]);
    let mut page = board.host();
    let welcome = page.get("welcome");
    assert_eq!(welcome["menu"].as_array().unwrap().len(), parlor::games::NAMES.len());
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
    let board = Board::start(&[&format!("cmd='{} -S -E -B {plain}'", python())]);
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
    let (board, mut page) = barca_by_two();
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
    // Two pages of one host agree; who looks at the live node follows it.
    page.ask(json!({"do": "look", "node": 3}));
    again.play("d2c3");
    page.until(|value| value["type"] == "position" && value["node"] == 4);
    // Play goes on from another place, and who looked there follows it from then on.
    page.ask(json!({"do": "look", "node": 2}));
    page.send(&json!({"do": "goon", "node": 2}));
    page.until(|value| value["type"] == "state" && value["live"] == 2);
    again.until(|value| value["type"] == "position" && value["node"] == 2);
    again.play("d2c3");
    page.until(|value| value["type"] == "state" && value["live"] == 5);
    assert_eq!(page.get("position")["node"], 5);
}

#[test]
fn a_move_is_taken_back_while_the_engine_thinks() {
    let board = Board::start(&[]);
    let mut page = board.host();
    let seats = json!([{"kind": "here"}, {"kind": "engine", "movetime": 60_000}]);
    new_game(&mut page, "barca", &json!({}), &seats);
    for token in ["e2e4", "d2c3"] {
        page.play(token);
        page.until(|value| value["type"] == "state" && value["seats"][1]["thinking"] == true);
        page.ask(json!({"do": "undo"}));
        let state = &page.state;
        assert_eq!((&state["live"], &state["seats"][1]["thinking"]), (&json!(0), &json!(false)));
    }
}

/// What a game begins with nobody has decided in it; a loaded game says who did.
#[test]
fn moves_that_were_there_before_are_named_and_not_taken_back() {
    let board = Board::start(&[]);
    let mut page = board.host();
    page.get("welcome");
    let (line, two) = ("startpos moves e2e4 e9e6", json!([{"kind": "here"}, {"kind": "here"}]));
    for (message, origin) in [
        (json!({"do": "new", "menu": "barca", "start": line, "seats": two}), "opening"),
        (json!({"do": "import", "menu": "barca", "text": line}), "record"),
    ] {
        page.send(&message);
        let nodes = page.get("tree")["nodes"].clone();
        for (node, seat) in [(1, "p1"), (2, "p2")] {
            let told = [&nodes[node]["by"], &nodes[node]["origin"]];
            assert_eq!(told, [seat, origin], "{nodes}");
        }
        assert_eq!(page.get("state")["you"]["undo"], false);
    }
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
fn of_two_at_one_screen_the_one_to_move_gives_up() {
    let (_board, mut page) = barca_by_two();
    page.play("e2e4");
    page.settled();
    page.send(&json!({"do": "resign"}));
    let state = page.until(|value| value["type"] == "state" && value["phase"] == "over");
    assert_eq!(state["result"]["places"], json!([1, 2]));
}

#[test]
fn two_at_one_screen_agree_on_a_draw_which_stays() {
    let (_board, mut page) = barca_by_two();
    page.play("e2e4");
    page.settled();
    assert_eq!(page.state["you"]["draw"], true);
    assert_eq!(page.ask(json!({"do": "draw"}))["type"], "done");
    assert_eq!(page.state["result"]["places"], json!([1, 1]), "{}", page.state);
    assert_eq!(page.state["result"]["text"], "A draw: agreed");
    assert_eq!(page.state["you"]["undo"], false);
    assert_eq!(page.refusal(json!({"do": "undo"})), "not-allowed");
    assert_eq!(page.state["phase"], "over");
}

#[test]
fn a_page_hears_of_the_game_that_it_has_opened_alone() {
    let (board, mut page) = barca_by_two();
    let mut other = board.host();
    new_game(&mut other, "barca", &json!({}), &json!([{"kind": "here"}, {"kind": "here"}]));
    assert_eq!(page.ask(json!({"do": "open", "game": "g2"}))["type"], "done");
    let before = page.log.len();
    other.ask(json!({"do": "open", "game": "g1"}));
    other.play("e2e4");
    page.ask(json!({"do": "ping"}));
    let of_the_first = |line: &&String| line.contains("\"game\":\"g1\"");
    assert_eq!(page.log[before..].iter().find(of_the_first), None);
}

/// The throws of a game that two random players play to the end.
fn throws(page: &mut Page, round: u64) -> Vec<String> {
    let throws = RefCell::new(Vec::new());
    page.until(|value| {
        for node in value["nodes"].as_array().into_iter().flatten() {
            let token = node["token"].as_str().unwrap_or_default();
            throws.borrow_mut().extend(token.strip_prefix('t').map(String::from));
        }
        value["type"] == "state" && value["phase"] == "over" && value["round"] == round
    });
    throws.into_inner()
}

#[test]
fn the_dice_of_a_rematch_are_others() {
    let board = Board::start(&[]);
    let mut page = board.host();
    page.get("welcome");
    let seats = vec![json!({"kind": "engine", "player": "random", "depth": 1}); 2];
    let rules = json!({"MaxPlies": "90"});
    page.send(&json!({"do": "new", "menu": "chowka-bhara", "rules": rules, "seats": seats}));
    let first = throws(&mut page, 1);
    page.send(&json!({"do": "rematch"}));
    let second = throws(&mut page, 2);
    assert!(first.len() > 20 && second.len() > 20, "{first:?} {second:?}");
    assert_ne!(first[..12], second[..12]);
}

#[test]
fn dice_are_thrown_by_the_table_or_named() {
    let board = Board::start(&[]);
    let mut page = board.host();
    let two = json!([{"kind": "here"}, {"kind": "here"}]);
    let new = json!({"do": "new", "menu": "chowka-bhara", "seats": two, "throws": "click",
        "tc": "100+5"});
    page.send(&new);
    page.get("position");
    page.settled();
    assert_eq!(page.state["turn"], "chance p1");
    assert_eq!(page.position["step"]["chance"], "p1");
    page.play("t4");
    page.settled();
    assert_eq!(page.position["board"]["dice"]["values"], json!([4]));
    // A throw is no decision: it costs no time, and brings none.
    assert_eq!(page.state["clocks"]["left"], json!([105_000, 105_000]));
    let before = page.state["live"].clone();
    page.send(&json!({"do": "throw", "node": before}));
    page.until(|value| value["type"] == "state" && value["live"] != before);
    page.settled();
    assert_eq!(page.position["board"]["dice"]["values"].as_array().unwrap().len(), 2);
}

#[test]
fn at_a_click_people_throw_for_themselves_and_the_table_for_engines() {
    let board = Board::start(&[]);
    let mut page = board.host();
    page.get("welcome");
    let seats = json!([{"kind": "here"}, {"kind": "engine", "player": "random", "depth": 1}]);
    page.send(&json!({"do": "new", "menu": "chowka-bhara", "seats": seats, "throws": "click"}));
    page.get("position");
    page.settled();
    page.play("t1");
    page.play("c1d1");
    while page.state["turn"] == "p2" {
        page.get("state");
    }
    assert_eq!(page.state["turn"], "chance p1");
}

/// Whoever takes back and plays something else gets no other dice.
#[test]
fn what_is_thrown_does_not_hang_on_what_was_played_before() {
    let board = Board::start(&[]);
    let mut page = board.host();
    page.get("welcome");
    let two = json!([{"kind": "here"}, {"kind": "here"}]);
    page.send(&json!({"do": "new", "menu": "chowka-bhara", "seats": two, "throws": "click"}));
    page.get("position");
    let mut thrown = Vec::new();
    for (throw, played) in [
        ("t1", "c1d1,c1e3"),
        ("t1", "c1d1,d1e4"),
        ("t2", "c1e1,c1e3"),
        ("t2", "c1e1,e1e5"),
        ("t3", "c1e2,c1e3"),
        ("t3", "c1e2,e2d5"),
    ] {
        page.ask(json!({"do": "goon", "node": 0}));
        for token in ["t4", throw, played] {
            page.play(token);
        }
        assert_eq!(page.state["turn"], "chance p2");
        let node = page.state["live"].clone();
        assert_eq!(page.ask(json!({"do": "throw", "node": node}))["type"], "done");
        let node = page.state["live"].clone();
        let moves = page.ask(json!({"do": "text", "node": node, "what": "moves"}));
        thrown.push(moves["text"].as_str().unwrap().rsplit_once(' ').unwrap().1.to_owned());
    }
    assert!(thrown.iter().all(|token| *token == thrown[0]), "{thrown:?}");
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
fn what_is_taken_back_costs_no_time() {
    let board = Board::start(&["barca", "--tc", "100"]);
    let mut page = board.host();
    page.get("welcome");
    let two = json!([{"kind": "here"}, {"kind": "here"}]);
    page.send(&json!({"do": "new", "menu": "barca", "seats": two}));
    page.get("position");
    page.settled();
    std::thread::sleep(std::time::Duration::from_millis(20));
    page.play("e2e4");
    let left = |page: &Page, seat: usize| page.state["clocks"]["left"][seat].as_u64().unwrap();
    let spent = left(&page, 0);
    assert!(spent <= 99_980, "{spent}");
    page.settled();
    page.play("e9e6");
    page.send(&json!({"do": "undo"}));
    page.until(|value| value["type"] == "state" && value["live"] == 1);
    assert_eq!(left(&page, 0), spent);
    page.send(&json!({"do": "undo"}));
    page.until(|value| value["type"] == "state" && value["live"] == 0);
    assert_eq!(left(&page, 1), 100_000);
    // The clock that runs has lost what the message took, and nothing else.
    assert!(left(&page, 0) > spent, "{}", page.state);
    // In the next round the clocks are full again.
    page.play("e2e4");
    page.play("e9e6");
    assert!(left(&page, 1) < 100_000, "{}", page.state);
    page.ask(json!({"do": "resign"}));
    page.ask(json!({"do": "rematch"}));
    assert_eq!((&page.state["round"], left(&page, 1)), (&json!(2), 100_000));
    // A page may want none.
    page.ask(json!({"do": "new", "menu": "barca", "tc": null}));
    let state = page.until(|value| value["type"] == "state" && value["game"] == "g2");
    assert!(state["clocks"].is_null(), "{state}");
}

/// A ledger of the clocks: whoever moves pays what the page waited at the least, and what the node
/// says at the most, and is given the increment, after the third move also the time; the other pays
/// nothing.
#[test]
fn clocks_are_charged_by_the_move_and_topped_up() {
    let board = Board::start(&["barca"]);
    let mut page = board.host();
    page.get("welcome");
    let two = json!([{"kind": "here"}, {"kind": "here"}]);
    page.send(&json!({"do": "new", "menu": "barca", "seats": two, "tc": "3/100+2"}));
    page.get("position");
    page.settled();
    let clocks = |page: &Page| {
        let left = &page.state["clocks"]["left"];
        [0, 1].map(|seat| left[seat].as_u64().unwrap())
    };
    assert_eq!(page.state["clocks"]["tc"], "3/100+2");
    // A first increment is there from the start.
    let mut before = [102_000; 2];
    assert!(clocks(&page)[0] <= before[0] && clocks(&page)[1] == before[1]);
    let tokens = ["e2e4", "e9e6", "e4g4", "e6g6", "e1e3", "f10e9"];
    for (ply, token) in tokens.into_iter().enumerate() {
        let (mover, other) = (ply % 2, 1 - ply % 2);
        assert_eq!(page.state["clocks"]["running"], ["p1", "p2"][mover]);
        std::thread::sleep(std::time::Duration::from_millis(5));
        let node = page.state["live"].clone();
        page.send(&json!({"do": "play", "node": node, "token": token}));
        let tree =
            page.until(|value| value["type"] == "tree" && value["nodes"][0]["token"] == token);
        let spent = tree["nodes"][0]["ms"].as_u64().unwrap();
        page.until(|value| value["type"] == "state" && value["live"] == ply + 1);
        page.settled();
        let now = clocks(&page);
        let given = 2_000 + if ply >= 4 { 100_000 } else { 0 };
        let greatest = before[mover] + given;
        assert!((greatest - spent - 1..=greatest - 5).contains(&now[mover]), "{spent}: {now:?}");
        // That of the other runs already.
        assert!(now[other] <= before[other] && now[other] + 60_000 > before[other], "{now:?}");
        before[mover] = now[mover];
    }
}

#[test]
fn when_one_of_three_gives_up_the_others_share_the_first_place() {
    let board = Board::start(&["pacru", "--rule", "Players=3"]);
    let mut page = board.host();
    page.get("welcome");
    let seats = json!([
        {"kind": "here", "name": "Ann"},
        {"kind": "here"},
        {"kind": "engine", "player": "random", "depth": 1},
    ]);
    new_game(&mut page, "pacru", &json!({"Players": "3"}), &seats);
    page.send(&json!({"do": "resign", "seat": "p2"}));
    let state = page.until(|value| value["type"] == "state" && value["phase"] == "over");
    assert_eq!(state["result"]["places"], json!([1, 3, 1]));
    assert_eq!(state["result"]["reason"], "resign");
    let text = "p1 (Ann) and p3 (random) share the first place: resign";
    assert_eq!(state["result"]["text"], text);
    // Everybody moves on by one seat, each time.
    for (round, seat) in [(2, 1), (3, 2), (4, 0)] {
        page.send(&json!({"do": "rematch"}));
        page.until(|value| value["type"] == "state" && value["round"] == round);
        page.settled();
        assert_eq!(page.state["seats"][seat]["name"], "Ann", "{}", page.state);
        page.send(&json!({"do": "resign", "seat": format!("p{}", seat + 1)}));
        page.until(|value| value["type"] == "state" && value["phase"] == "over");
    }
}

#[test]
fn rules_of_the_command_line_are_those_of_its_games() {
    let board = Board::start(&["chowka-bhara", "--rule", "Players=4", "--rule", "MaxPlies=9"]);
    let mut page = board.host();
    let defaults = page.get("welcome")["defaults"].clone();
    assert_eq!(defaults["rules"], json!({"Players": "4", "MaxPlies": "9"}));
    let seats = vec![json!({"kind": "engine", "player": "random", "depth": 1}); 4];
    page.send(&json!({"do": "new", "menu": "chowka-bhara", "seats": seats}));
    let state = page.until(|value| value["type"] == "state" && value["phase"] == "over");
    assert_eq!(state["seats"].as_array().unwrap().len(), 4, "{state}");
    assert_eq!(state["live"], 9);
    // What a page says goes before.
    page.send(&json!({"do": "new", "menu": "chowka-bhara", "rules": {"Players": "3"}}));
    let state = page.until(|value| value["type"] == "state" && value["phase"] == "play");
    assert_eq!(state["seats"].as_array().unwrap().len(), 3, "{state}");
    // So do the rules under which it asks what a game is like.
    for players in [3, 2] {
        let rules = json!({"Players": players.to_string()});
        let about = page.ask(json!({"do": "about", "menu": "chowka-bhara", "rules": rules}));
        assert_eq!((&about["seats"], &about["chance"]), (&json!(players), &json!(true)));
    }
    for (words, named) in [
        (&["--rule", "Players=4"][..], "--rule needs the game"),
        (&["barca", "--rule", "Players"], "NAME=VALUE"),
        (&["barca", "--rule", "=4"], "NAME=VALUE"),
        (&["barca", "--rule", "Players=4"], "Players"),
        (&["pacru", "--rule", "Players=7"], "Players"),
    ] {
        let refusal = crate::support::refusal(&[&["board", "--no-open"], words].concat());
        assert!(refusal.contains(named), "{words:?}: {refusal}");
    }
}

#[test]
fn real_dice_are_entered_for_every_seat() {
    let board = Board::start(&[]);
    let mut page = board.host();
    page.get("welcome");
    let seats = json!([{"kind": "here"}, {"kind": "engine", "player": "random", "depth": 1}]);
    page.send(&json!({"do": "new", "menu": "chowka-bhara", "seats": seats, "throws": "real"}));
    page.get("position");
    let mut thrown = [false; 2];
    let mut random = 5;
    while thrown.contains(&false) {
        page.settled();
        let node = page.state["live"].clone();
        let seat = page.state["turn"].as_str().unwrap().strip_prefix("chance p");
        let Some(seat) = seat.map(|seat| seat.parse::<usize>().unwrap()) else {
            let token = page.choose(&mut random);
            page.play(&token);
            continue;
        };
        thrown[seat - 1] = true;
        // Nothing is thrown by itself: the page is offered what the shells may show.
        assert_eq!(page.position["step"]["chance"], format!("p{seat}"));
        let offered = &page.position["step"]["next"];
        assert!(offered.as_array().unwrap().iter().any(|next| next["choice"] == "t3"));
        assert_eq!(page.refusal(json!({"do": "play", "node": node, "token": "t7"})), "bad-move");
        page.play("t3");
    }
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

#[test]
fn every_request_is_answered() {
    let board = Board::start(&[]);
    let mut page = board.host();
    let two = json!([{"kind": "here"}, {"kind": "here"}]);
    let new = json!({"do": "new", "menu": "barca", "seats": two});
    assert_eq!(page.ask(new)["type"], "done");
    page.get("position");
    for request in [
        json!({"do": "look", "node": "live"}),
        json!({"do": "play", "node": 0, "token": "e2e4"}),
        json!({"do": "show", "seat": "p1"}),
        json!({"do": "hide"}),
        json!({"do": "undo"}),
        json!({"do": "name", "seat": "p1", "name": "Ann"}),
        json!({"do": "analyse", "on": true, "node": 0}),
        json!({"do": "analyse", "on": false}),
        json!({"do": "resign"}),
        json!({"do": "review", "on": false}),
        json!({"do": "rematch"}),
        json!({"do": "seat", "seat": "p2", "to": {"kind": "here"}}),
        json!({"do": "open", "game": "g1"}),
        json!({"do": "close"}),
    ] {
        assert_eq!(page.ask(request.clone())["type"], "done", "{request}");
    }
}

/// The engines that the board has started and that run.
fn engines(board: &Board) -> usize {
    let parent = board.id().to_string();
    let list = std::process::Command::new("ps").args(["-o", "args=", "--ppid", &parent]).output();
    String::from_utf8(list.unwrap().stdout).unwrap().matches(" engine barca").count()
}

#[test]
fn engines_end_with_their_game_and_come_back_for_who_looks() {
    let board = Board::start(&[]);
    let mut page = board.host();
    let seats = json!([{"kind": "here", "name": "Ann"}, {"kind": "engine", "depth": 1}]);
    new_game(&mut page, "barca", &json!({}), &seats);
    page.play("e2e4");
    page.settled();
    assert!(engines(&board) >= 3);
    page.ask(json!({"do": "resign"}));
    let live = page.state["live"].clone();
    drop(page);
    let deadline = std::time::Instant::now() + std::time::Duration::from_secs(30);
    while engines(&board) > 0 {
        assert!(std::time::Instant::now() < deadline, "engines of a finished game stay");
        std::thread::sleep(std::time::Duration::from_millis(5));
    }
    let mut page = board.host();
    let listed = page.get("welcome")["open"][0].clone();
    assert_eq!(listed["seats"], json!(["Ann", "barca"]));
    assert_eq!(listed["result"]["places"], json!([2, 1]), "{listed}");
    assert_eq!(listed["result"]["reason"], "resign");
    assert!(listed["when"].as_u64().unwrap() > 1_700_000_000_000);
    page.send(&json!({"do": "open", "game": listed["game"]}));
    page.settled();
    // Whoever only looks changes nothing.
    assert_eq!(board.host().get("welcome")["open"][0]["when"], listed["when"]);
    assert_eq!(page.position["node"], live);
    assert!(!page.position["board"].is_null());
    // What is over can be varied, so the referee answers too.
    page.ask(json!({"do": "goon", "node": 0}));
    page.until(|value| value["type"] == "position" && value["act"] == "p1");
}

/// There is room for a new game as long as nobody looks at one that is over, or that is saved.
#[test]
fn games_that_nobody_looks_at_give_way_to_a_new_one() {
    let board = Board::start(&[]);
    let mut page = board.host();
    page.get("welcome");
    let seats = json!([{"kind": "here"}, {"kind": "here"}]);
    let new = json!({"do": "new", "menu": "barca", "seats": seats});
    for number in 1..=40 {
        page.send(&new);
        let game = format!("g{number}");
        page.until(|value| value["type"] == "position" && value["game"] == game.as_str());
        if number == 3 {
            page.play("e2e4");
        }
        if number == 7 {
            page.ask(json!({"do": "resign", "seat": "p1"}));
        }
    }
    page.send(&new);
    page.until(|value| value["type"] == "position" && value["game"] == "g41");
    let open = board.host().get("welcome")["open"].clone();
    let open: Vec<&str> =
        open.as_array().unwrap().iter().filter_map(|g| g["game"].as_str()).collect();
    assert!(open.len() == 40 && !open.contains(&"g7"), "{open:?}");
    // Then those that wait for a person, the oldest first, but not one that somebody looks at; they
    // go on from the list.
    let mut watcher = board.host();
    watcher.send(&json!({"do": "open", "game": "g1"}));
    watcher.get("position");
    for number in 42..=44 {
        page.send(&new);
        let game = format!("g{number}");
        page.until(|value| value["type"] == "position" && value["game"] == game.as_str());
    }
    let welcome = board.host().get("welcome");
    assert!(welcome["open"].as_array().unwrap().iter().any(|open| open["game"] == "g1"));
    let saved = welcome["saved"].as_array().unwrap();
    assert_eq!(saved.iter().map(|game| &game["plies"]).collect::<Vec<_>>(), [1], "{saved:?}");
    page.send(&json!({"do": "continue", "saved": saved[0]["saved"]}));
    page.until(|value| value["type"] == "position" && value["act"] == "p2");
}

#[test]
fn games_with_clocks_do_not_give_way() {
    let board = Board::start(&[]);
    let mut page = board.host();
    page.get("welcome");
    let seats = json!([{"kind": "here"}, {"kind": "here"}]);
    let new = json!({"do": "new", "menu": "barca", "seats": seats, "tc": "600"});
    for number in 1..=40 {
        page.send(&new);
        let game = format!("g{number}");
        page.until(|value| value["type"] == "position" && value["game"] == game.as_str());
    }
    assert_eq!(page.refusal(new), "bad-value");
}

#[test]
fn games_are_ended_from_the_list() {
    let board = Board::start(&[]);
    let mut page = board.host();
    for _ in 0..2 {
        page.state = Value::Null;
        new_game(&mut page, "barca", &json!({}), &json!([{"kind": "here"}]));
    }
    let mut other = board.host();
    let open = other.get("welcome")["open"].clone();
    assert_eq!(open.as_array().unwrap().len(), 2);
    let left = other.ask(json!({"do": "end", "game": open[0]["game"]}));
    assert_eq!((&left["open"][0], left["open"][1].is_null()), (&open[1], true), "{left}");
    assert_eq!(page.get("closed")["game"], open[0]["game"]);
    assert_eq!(other.refusal(json!({"do": "end", "game": "g9"})), "engine");
}
