//! What a stranger, another web site, or a cheating player may try.

use std::io::{Read, Write};
use std::net::TcpStream;

use serde_json::json;

use super::client::{Board, Page};
use super::games::new_game;

/// The answer to one HTTP request.
fn http(board: &Board, request: &str) -> String {
    let mut stream = TcpStream::connect(("127.0.0.1", board.port)).unwrap();
    stream.write_all(request.as_bytes()).unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).unwrap();
    answer
}

fn get(board: &Board, path: &str, host: &str) -> String {
    http(board, &format!("GET {path} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n"))
}

#[test]
fn only_known_hosts_are_served() {
    let board = Board::start(&[]);
    let own = format!("127.0.0.1:{}", board.port);
    let answer = get(&board, "/", &own);
    assert!(answer.starts_with("HTTP/1.1 200 "), "{answer}");
    let lower = answer.to_ascii_lowercase();
    for header in [
        "content-security-policy: default-src 'none'",
        "x-content-type-options: nosniff",
        "referrer-policy: no-referrer",
        "x-frame-options: deny",
    ] {
        assert!(lower.contains(header), "{header} is missing: {answer}");
    }
    assert!(!lower.contains("unsafe"), "{answer}");
    assert!(!answer.contains(&board.token));
    for host in ["evil.example", "127.0.0.1", "127.0.0.1:1", "localhost.evil.example"] {
        for path in ["/", "/main.js", "/socket"] {
            let answer = get(&board, path, host);
            assert!(answer.starts_with("HTTP/1.1 421 "), "{host}{path}: {answer}");
        }
    }
    let twice =
        format!("GET / HTTP/1.1\r\nHost: {own}\r\nHost: evil.example\r\nConnection: close\r\n\r\n");
    assert!(!http(&board, &twice).starts_with("HTTP/1.1 200"));
    let post = format!("POST / HTTP/1.1\r\nHost: {own}\r\nConnection: close\r\n\r\n");
    assert!(http(&board, &post).starts_with("HTTP/1.1 405 "));
    for path in ["/../Cargo.toml", "/%2e%2e/Cargo.toml", "//etc/passwd", "/.hidden", "/page/"] {
        assert!(get(&board, path, &own).starts_with("HTTP/1.1 404 "), "{path}");
    }
}

#[test]
fn the_socket_is_for_our_own_page_alone() {
    let board = Board::start(&["--host", "games.local"]);
    let own = format!("127.0.0.1:{}", board.port);
    let refused = |host: &str, origin: Option<&str>| board.connect_as(host, origin).err();
    assert_eq!(refused(&own, None), Some(403));
    for origin in ["http://evil.example", "null", "https://127.0.0.1", "http://127.0.0.1:1"] {
        assert_eq!(refused(&own, Some(origin)), Some(403), "{origin}");
    }
    let good = format!("http://{own}");
    assert_eq!(refused("evil.example", Some(&good)), Some(421));
    assert_eq!(refused(&own, Some(&good)), None);
    let named = format!("games.local:{}", board.port);
    assert_eq!(refused(&named, Some(&format!("http://{named}"))), None);
}

#[test]
fn nothing_is_answered_without_the_token() {
    let board = Board::start(&[]);
    for first in [
        json!({"do": "about", "menu": "barca"}),
        json!({"do": "hello", "v": 1, "token": ""}),
        json!({"do": "hello", "v": 1, "token": "0".repeat(32)}),
        json!({"do": "hello", "v": 1, "token": &board.token[..31]}),
        json!({"do": "hello", "v": 2, "token": board.token}),
        json!("hello"),
    ] {
        let mut page = board.connect();
        page.send(&first);
        assert_eq!(page.wait_for_close(), 4001, "{first}");
        assert!(page.log.is_empty(), "{:?}", page.log);
    }
}

/// A game with two people by link, and their pages.
fn linked(board: &Board, menu: &str, rules: &serde_json::Value, seats: usize) -> (Page, Vec<Page>) {
    let mut host = board.host();
    host.get("welcome");
    let chairs = vec![json!({"kind": "link"}); seats];
    host.send(&json!({"do": "new", "menu": menu, "rules": rules, "seats": chairs}));
    let state = host.get("state");
    let pages = board.links(&state);
    (host, pages)
}

#[test]
fn a_seat_may_do_nothing_for_others() {
    let board = Board::start(&[]);
    let (mut host, mut pages) = linked(&board, "barca", &json!({}), 2);
    assert!(host.position.is_null() || host.position["act"].is_null());
    let page = &mut pages[1];
    assert_eq!(page.get("welcome")["role"], "seat");
    page.get("position");
    assert!(!page.log.concat().contains("\"link\":"), "a seat reads the links of others");
    for request in [
        json!({"do": "about", "menu": "barca"}),
        json!({"do": "new", "menu": "barca"}),
        json!({"do": "open", "game": "g1"}),
        json!({"do": "close"}),
        json!({"do": "continue", "saved": "x"}),
        json!({"do": "discard", "saved": "x"}),
        json!({"do": "records"}),
        json!({"do": "load", "record": 0}),
        json!({"do": "import", "menu": "barca", "text": "e2e4"}),
        json!({"do": "goon", "node": 0}),
        json!({"do": "seat", "seat": "p2", "to": {"kind": "here"}}),
        json!({"do": "resign", "seat": "p1"}),
        json!({"do": "name", "seat": "p1", "name": "x"}),
        json!({"do": "show", "seat": "p1"}),
        json!({"do": "hint", "node": 0}),
        json!({"do": "analyse", "on": true, "node": 0}),
        json!({"do": "review", "on": true}),
    ] {
        assert_eq!(page.refusal(request.clone()), "not-allowed", "{request}");
    }
    assert_eq!(page.refusal(json!({"do": "play", "node": 0, "token": "e2e4"})), "not-to-act");
    assert_eq!(page.refusal(json!({"do": "hello", "v": 1, "token": board.token})), "bad-message");
    // Nor may the host help one of them.
    assert_eq!(host.refusal(json!({"do": "hint", "node": 0})), "not-allowed");
    pages[0].settled();
    pages[0].play("e2e4");
    pages[1].until(|value| value["type"] == "position" && value["act"] == "p2");
}

#[test]
fn who_looks_on_may_do_nothing_else() {
    let board = Board::start(&[]);
    let (mut host, mut pages) = linked(&board, "barca", &json!({}), 2);
    let mut page = board.spectator(&host.state);
    assert_eq!(page.get("welcome")["role"], "spectator");
    page.get("position");
    assert_eq!(
        (&page.state["you"]["view"], &page.state["you"]["host"]),
        (&json!("all"), &json!(false))
    );
    let log = page.log.concat();
    assert!(!log.contains("\"link\":") && !log.contains("\"watch\":"), "a spectator reads links");
    for request in [
        json!({"do": "close"}),
        json!({"do": "new", "menu": "barca"}),
        json!({"do": "open", "game": "g1"}),
        json!({"do": "play", "node": 0, "token": "e2e4"}),
        json!({"do": "undo"}),
        json!({"do": "draw"}),
        json!({"do": "resign"}),
        json!({"do": "rematch"}),
        json!({"do": "hint", "node": 0}),
        json!({"do": "analyse", "on": true, "node": 0}),
        json!({"do": "review", "on": true}),
        json!({"do": "name", "seat": "p1", "name": "x"}),
        json!({"do": "seat", "seat": "p1", "to": {"kind": "here"}}),
    ] {
        assert_eq!(page.refusal(request.clone()), "not-allowed", "{request}");
    }
    pages[0].settled();
    pages[0].play("e2e4");
    page.until(|value| value["type"] == "position" && value["ply"] == 1);
    assert_eq!(page.ask(json!({"do": "look", "node": 0}))["type"], "done");
    // Everybody hears the set phrases, and nothing else can be said.
    assert_eq!(page.ask(json!({"do": "say", "phrase": "nice"}))["type"], "done");
    assert_eq!(host.get("said")["by"], json!([]));
    pages[1].send(&json!({"do": "say", "phrase": "hello"}));
    let said = page.get("said");
    assert_eq!((&said["by"], &said["phrase"]), (&json!(["p2"]), &json!("hello")));
    assert_eq!(page.refusal(json!({"do": "say", "phrase": "<b>"})), "bad-message");
    // Nor are variations of what is over.
    pages[0].ask(json!({"do": "resign"}));
    page.until(|value| value["type"] == "state" && value["phase"] == "over");
    assert_eq!(page.state["you"]["variations"], false);
}

#[test]
fn a_draw_needs_the_other_person() {
    let board = Board::start(&[]);
    let (_host, mut pages) = linked(&board, "barca", &json!({}), 2);
    pages[0].settled();
    for yes in [false, true] {
        assert_eq!(pages[0].ask(json!({"do": "draw"}))["type"], "done");
        let asked = |value: &serde_json::Value| !value["offer"].is_null();
        let offer = pages[1].until(|value| value["type"] == "state" && asked(value));
        assert_eq!(offer["offer"], json!({"kind": "draw", "by": "p1", "wait": ["p2"]}));
        assert_eq!(pages[0].refusal(json!({"do": "answer", "yes": true})), "not-allowed");
        assert_eq!(pages[1].ask(json!({"do": "answer", "yes": yes}))["type"], "done");
        pages[0].until(|value| value["type"] == "state" && value["offer"].is_null());
    }
    let result = &pages[0].state["result"];
    assert_eq!((&result["places"], &result["reason"]), (&json!([1, 1]), &json!("agreed")));
    // An engine is not asked.
    let mut host = board.host();
    host.get("welcome");
    host.send(&json!({"do": "new", "menu": "barca"}));
    host.settled();
    assert_eq!(host.state["you"]["draw"], false);
    assert_eq!(host.refusal(json!({"do": "draw"})), "not-allowed");
}

#[test]
fn taking_back_needs_the_other_person() {
    let board = Board::start(&[]);
    let (_host, mut pages) = linked(&board, "barca", &json!({}), 2);
    pages[0].settled();
    pages[0].play("e2e4");
    pages[0].send(&json!({"do": "undo"}));
    let offer = pages[1].until(|value| value["type"] == "state" && !value["offer"].is_null());
    assert_eq!(offer["offer"], json!({"kind": "undo", "by": "p1", "wait": ["p2"]}));
    assert_eq!(pages[0].refusal(json!({"do": "answer", "yes": true})), "not-allowed");
    pages[1].send(&json!({"do": "answer", "yes": true}));
    let state = pages[0].until(|value| value["type"] == "state" && value["live"] == 0);
    assert!(state["offer"].is_null());
}

#[test]
fn a_move_ends_the_offer_to_take_the_last_one_back() {
    let board = Board::start(&[]);
    let (_host, mut pages) = linked(&board, "barca", &json!({}), 2);
    pages[0].settled();
    pages[0].play("e2e4");
    pages[0].send(&json!({"do": "undo"}));
    pages[1].until(|value| value["type"] == "state" && !value["offer"].is_null());
    pages[1].play("e9e6");
    assert!(pages[1].state["offer"].is_null(), "{}", pages[1].state);
    assert_eq!(pages[1].refusal(json!({"do": "answer", "yes": true})), "unknown");
    assert_eq!(pages[1].state["live"], 2);
}

#[test]
fn an_offer_ends_when_a_seat_is_given_to_another() {
    let board = Board::start(&[]);
    let (mut host, mut pages) = linked(&board, "barca", &json!({}), 2);
    let given_away = host.state["seats"][1].clone();
    pages[0].settled();
    pages[0].play("e2e4");
    pages[0].send(&json!({"do": "undo"}));
    pages[0].until(|value| value["type"] == "state" && !value["offer"].is_null());
    host.send(&json!({"do": "seat", "seat": "p2", "to": {"kind": "here"}}));
    assert_eq!(host.refusal(json!({"do": "answer", "yes": true})), "unknown");
    pages[0].until(|value| value["type"] == "state" && value["offer"].is_null());
    assert_eq!(pages[0].state["live"], 1);
    // Whoever had it plays no more.
    let is_here = |value: &serde_json::Value| value["seats"][1]["kind"] == "here";
    let told = pages[1].until(|value| value["type"] == "closed" || is_here(value));
    assert_eq!(told["type"], "closed");
    assert_eq!(board.by_link(&given_away).wait_for_close(), 4001);
}

#[test]
fn a_person_whose_seat_an_engine_gets_is_turned_out() {
    let board = Board::start(&[]);
    let (mut host, mut pages) = linked(&board, "barca", &json!({}), 2);
    let given_away = host.state["seats"][1].clone();
    host.send(&json!({"do": "seat", "seat": "p2", "to": {"kind": "engine", "movetime": 60_000}}));
    let is_engine = |value: &serde_json::Value| value["seats"][1]["kind"] == "engine";
    let told = pages[1].until(|value| value["type"] == "closed" || is_engine(value));
    assert_eq!(told["type"], "closed");
    assert_eq!(board.by_link(&given_away).wait_for_close(), 4001);
}

/// Whoever plays at the host's page is asked too; the end of the game ends the question.
#[test]
fn a_person_at_the_host_is_asked_until_the_game_ends() {
    let board = Board::start(&[]);
    let mut host = board.host();
    let seats = json!([{"kind": "here"}, {"kind": "link"}]);
    new_game(&mut host, "barca", &json!({}), &seats);
    let mut guest = board.by_link(&host.state["seats"][1]);
    guest.get("position");
    assert_eq!(guest.ask(json!({"do": "draw"}))["type"], "done");
    assert_eq!(guest.state["offer"], json!({"kind": "draw", "by": "p2", "wait": ["p1"]}));
    host.ask(json!({"do": "resign"}));
    assert!(host.state["offer"].is_null(), "{}", host.state);
    assert_eq!(host.refusal(json!({"do": "answer", "yes": true})), "unknown");
    assert_eq!(host.state["result"]["reason"], "resign");
}

#[test]
fn who_is_there_and_who_is_ready_is_told_at_the_seat_of_each() {
    let board = Board::start(&[]);
    let (mut host, mut pages) = linked(&board, "barca", &json!({}), 2);
    pages.iter_mut().for_each(|page| drop(page.get("position")));
    // An answer comes after all that was told before.
    let now = |host: &mut Page| {
        host.ask(json!({"do": "look", "node": "live"}));
        ["online", "ready"].map(|what| [0, 1].map(|seat| host.state["seats"][seat][what].clone()))
    };
    assert_eq!(now(&mut host), [[true, true], [false, false]]);
    assert_eq!(host.state["spectators"], 0);
    let mut onlooker = board.spectator(&host.state);
    onlooker.get("position");
    let ready = json!({"do": "say", "phrase": "ready"});
    pages[0].ask(ready.clone());
    assert_eq!(now(&mut host), [[true, true], [true, false]]);
    assert_eq!(host.state["spectators"], 1);
    // Another round: nobody is ready, and the seats have moved round.
    pages[0].ask(json!({"do": "resign"}));
    pages[1].ask(json!({"do": "rematch"}));
    assert_eq!(now(&mut host), [[true, true], [false, false]]);
    pages[0].ask(ready);
    assert_eq!(now(&mut host), [[true, true], [false, true]]);
    drop(pages.remove(0));
    let is_gone = |value: &serde_json::Value| {
        [0, 1].iter().any(|&seat| value["seats"][seat]["online"] == false)
    };
    host.until(|value| value["type"] == "state" && is_gone(value));
    assert_eq!(now(&mut host), [[true, false], [false, false]]);
}

#[test]
fn large_and_many_messages_end_the_connection() {
    let board = Board::start(&[]);
    let mut page = board.host();
    page.get("welcome");
    let long = "x".repeat(70_000);
    page.send(&json!({"do": "play", "node": 0, "token": long}));
    page.send(&json!({"do": "ping"}));
    let refused = page.until(|value| value["type"] == "error" || value["type"] == "pong");
    assert_eq!(refused["code"], "bad-message", "{refused}");
    page.send(&json!({"do": "ping", "more": long}));
    assert_eq!(page.wait_for_close(), 1009);
    let mut page = board.host();
    page.get("welcome");
    // A game from text may be longer, but not of any length.
    assert_eq!(page.refusal(json!({"do": "import", "menu": "barca", "text": long})), "bad-value");
    page.send(&json!({"do": "import", "menu": "barca", "text": "x".repeat(5 << 20)}));
    page.wait_for_close();
    let mut page = board.host();
    page.get("welcome");
    for _ in 0..1_000 {
        page.send_text(r#"{"do":"ping"}"#);
    }
    assert_eq!(page.wait_for_close(), 4003);
    assert!(page.log.iter().any(|line| line.contains("too-many")));
    // Others are not disturbed.
    board.host().get("welcome");
}

#[test]
fn nonsense_is_refused_and_the_connection_goes_on() {
    let board = Board::start(&[]);
    let mut page = board.host();
    page.get("welcome");
    for text in [
        "",
        "nonsense",
        "[]",
        "{\"do\":7}",
        "{\"do\":\"shell\",\"cmd\":\"id\"}",
        "{\"do\":\"play\",\"node\":-1,\"token\":\"x\"}",
        "{\"do\":\"new\",\"menu\":\"/bin/sh\",\"seats\":[{\"kind\":\"program\"}]}",
    ] {
        page.send_text(text);
        assert_eq!(page.get("error")["code"], "bad-message", "{text}");
    }
    let path = json!({"do": "new", "menu": "/bin/sh"});
    assert_eq!(page.refusal(path), "bad-value");
    let script = "<script>alert(1)</script>";
    let answer = page.ask(json!({"do": "import", "menu": "barca", "text": script}));
    assert_eq!(answer["type"], "error");
    page.ask(json!({"do": "ping"}));
}

#[test]
fn a_page_that_does_not_read_is_disconnected() {
    // What lies in the buffers of the system takes a while to fill.
    if !crate::support::slow_tests() {
        return;
    }
    let board = Board::start(&[]);
    let mut host = board.host();
    host.get("welcome");
    let long = "x".repeat(40);
    let mut seats = vec![json!({"kind": "link", "name": long}); 6];
    seats[0]["kind"] = json!("here");
    new_game(&mut host, "barbarossa", &json!({"Players": "6"}), &json!(seats));
    let mut slow = board.host();
    slow.get("welcome");
    slow.send(&json!({"do": "open", "game": host.state["game"]}));
    slow.settled();
    // Each change is told to both pages; only one of them reads.
    for change in 0..6_000 {
        host.send(&json!({"do": "name", "seat": "p1", "name": change.to_string()}));
        std::thread::sleep(std::time::Duration::from_millis(11));
        host.get("state");
    }
    // The reason arrives only if the page reads again within a few seconds; otherwise the connection
    // just ends.
    assert!([4004, 1006].contains(&slow.wait_for_close()));
    host.ask(json!({"do": "ping"}));
}

#[test]
fn other_devices_are_served_by_the_names_that_were_given() {
    let board = Board::start(&["--listen", "127.0.0.1", "--host", "Games.local"]);
    for (host, status) in [("games.local", 200), ("localhost", 200), ("other.local", 421)] {
        let answer = get(&board, "/", &format!("{host}:{}", board.port));
        assert!(answer.starts_with(&format!("HTTP/1.1 {status} ")), "{host}: {answer}");
    }
    // Links name the host that was given, so that they work on the other device.
    let mut page = board.host();
    let seats = json!([{"kind": "here"}, {"kind": "link"}]);
    new_game(&mut page, "barca", &json!({}), &seats);
    let link = page.state["seats"][1]["link"].as_str().unwrap();
    assert!(link.starts_with(&format!("http://Games.local:{}/#", board.port)), "{link}");
    let token = link.split_once('#').unwrap().1;
    assert_eq!(token.len(), 32);
    assert_ne!(token, board.token);
    for wrong in ["games.local:80", "", "a b", "http://x"] {
        let refusal = crate::support::refusal(&["board", "--no-open", "--host", wrong]);
        assert!(refusal.contains("--host"), "{wrong}: {refusal}");
    }
}

#[test]
fn silent_connections_keep_nobody_out() {
    let board = Board::start(&[]);
    let idle: Vec<TcpStream> = (0..450)
        .map(|index| {
            let mut stream = TcpStream::connect(("127.0.0.1", board.port)).unwrap();
            if index % 2 == 0 {
                stream.write_all(b"GET /socket HTTP/1.1\r\nHost: ").unwrap();
            }
            stream
        })
        .collect();
    let own = format!("127.0.0.1:{}", board.port);
    assert!(get(&board, "/", &own).starts_with("HTTP/1.1 200 "));
    let silent: Vec<Page> = (0..210).map(|_| board.connect()).collect();
    let mut host = board.host();
    host.get("welcome");
    // Who has said hello stays, whoever comes after.
    let more: Vec<Page> = (0..210).map(|_| board.connect()).collect();
    host.ask(json!({"do": "ping"}));
    drop((idle, silent, more));
}

#[test]
fn one_link_opened_often_keeps_nobody_out() {
    let board = Board::start(&[]);
    let (host, pages) = linked(&board, "barca", &json!({}), 2);
    let greedy: Vec<Page> = (0..210).map(|_| board.by_link(&host.state["seats"][0])).collect();
    board.host().get("welcome");
    board.by_link(&host.state["seats"][1]).get("welcome");
    drop((pages, greedy));
}

#[test]
fn a_stranger_makes_the_server_keep_little() {
    let board = Board::start(&[]);
    let mut stranger = board.connect();
    stranger.send_text(&"x".repeat(2 << 20));
    // Not read to its end and refused, but cut off.
    assert_eq!(stranger.wait_for_close(), 1006);
}

#[test]
fn a_script_in_a_name_stays_text() {
    let board = Board::start(&[]);
    let mut page = board.host();
    let seats = json!([{"kind": "here", "name": "<img src=x onerror=alert(1)>"}]);
    new_game(&mut page, "barca", &json!({}), &seats);
    assert_eq!(page.state["seats"][0]["name"], "<img src=x onerror=alert(1)>");
    let answer = page.ask(json!({"do": "text", "node": 0, "what": "svg"}));
    assert!(!answer["text"].as_str().unwrap().contains("<img"));
}
