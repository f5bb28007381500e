//! Engines that fail, servers that die, Ctrl-C.

use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::Command;
use std::sync::Arc;
use std::time::{Duration, Instant};

use serde_json::json;

use super::client::{Board, Page};
use super::games::new_game;
use crate::support::{mock, scratch, within};

/// Whether a process is there.
fn is_running(id: &str) -> bool {
    Path::new("/proc").join(id).exists()
}

/// A game against an engine that commits a fault, as far as the fault.
fn faulty_game(arguments: &str) -> (Board, Page) {
    let faulty = format!("{} name=faulty", mock(arguments));
    let board = Board::start(&[&mock(""), &faulty, "--rule", "Counters=30"]);
    let mut page = board.host();
    let menu = page.get("welcome")["menu"][0]["game"].as_str().unwrap().to_owned();
    let seats = json!([{"kind": "here"}, {"kind": "engine", "engine": 1, "movetime": 200}]);
    new_game(&mut page, &menu, &json!({}), &seats);
    play_until_fault(&mut page);
    (board, page)
}

fn play_until_fault(page: &mut Page) {
    while page.state["fault"].is_null() {
        page.play("1");
        page.settled();
    }
}

/// An engine commits a fault in the game; another one takes its seat and ends it.
fn fault(kind: &str) {
    let folder = scratch();
    let faults = within(&folder, "faults");
    std::fs::write(&faults, kind).unwrap();
    let (_board, mut page) = faulty_game(&format!("--faults {faults}"));
    assert_eq!(page.state["fault"]["seat"], "p2");
    assert_eq!(page.state["fault"]["engine"], "faulty");
    assert_eq!(page.state["fault"]["kind"], kind);
    let to = json!({"kind": "engine", "engine": 0});
    page.send(&json!({"do": "seat", "seat": "p2", "to": to}));
    page.until(|value| value["type"] == "state" && value["fault"].is_null());
    while page.state["phase"] == "play" {
        page.settled();
        if page.state["phase"] == "play" {
            page.play("1");
        }
    }
    assert_eq!(page.state["result"]["ending"], "rules");
}

#[test]
fn an_engine_that_plays_nonsense_is_named_and_replaced() {
    fault("illegal-move");
}

#[test]
fn an_engine_that_hangs_is_named_and_replaced() {
    fault("hang");
}

#[test]
fn an_engine_that_crashes_is_named_and_replaced() {
    let (board, mut page) = faulty_game("--die 3");
    assert_eq!(page.state["fault"]["kind"], "crash");
    // After taking back it is started anew, and crashes again at its second move.
    page.ask(json!({"do": "undo"}));
    assert!(page.state["fault"].is_null(), "{}", page.state);
    play_until_fault(&mut page);
    // A person by link takes the seat.
    page.send(&json!({"do": "seat", "seat": "p2", "to": {"kind": "link"}}));
    let state = page.until(|value| value["type"] == "state" && value["fault"].is_null());
    let mut other = board.by_link(&state["seats"][1]);
    other.settled();
    assert_eq!(other.position["act"], "p2");
}

#[test]
fn a_player_that_the_engine_does_not_offer_is_refused() {
    let board = Board::start(&[]);
    let mut page = board.host();
    let seats = json!([{"kind": "engine", "player": "/etc/passwd"}, {"kind": "here"}]);
    new_game(&mut page, "barca", &json!({}), &seats);
    assert_eq!(page.state["fault"]["text"], "it has no player '/etc/passwd'");
    // Nothing waits for a decision any more when the game is given up.
    page.ask(json!({"do": "resign"}));
    assert_eq!((&page.state["phase"], &page.state["fault"]), (&json!("over"), &json!(null)));
}

/// The weak engine always takes one; the other one leaves a multiple of four.
#[test]
fn an_engine_that_is_given_a_seat_plays_from_then_on() {
    let weak = format!("{} name=weak", mock("--lose"));
    let board = Board::start(&[&mock(""), &weak, "--rule", "Counters=12"]);
    let mut page = board.host();
    let menu = page.get("welcome")["menu"][0]["game"].as_str().unwrap().to_owned();
    let engine = |engine: usize| json!({"kind": "engine", "engine": engine, "movetime": 50});
    new_game(&mut page, &menu, &json!({}), &json!([{"kind": "here"}, engine(1)]));
    page.play("1");
    page.settled();
    page.ask(json!({"do": "seat", "seat": "p2", "to": engine(0)}));
    page.play("3");
    page.settled();
    let moves = page.ask(json!({"do": "text", "node": page.state["live"], "what": "moves"}));
    assert_eq!(moves["text"], "1 1 3 3");
}

#[test]
fn referees_and_views_that_crash_are_started_again_unseen() {
    let board = Board::start(&[&mock("--fragile 40"), "--rule", "Counters=40"]);
    let mut page = board.host();
    let menu = page.get("welcome")["menu"][0]["game"].as_str().unwrap().to_owned();
    let seats = json!([{"kind": "here"}, {"kind": "engine", "movetime": 50}]);
    new_game(&mut page, &menu, &json!({}), &seats);
    while page.state["phase"] == "play" {
        page.play("1");
        page.settled();
    }
    assert_eq!(page.state["result"]["ending"], "rules");
}

#[test]
fn a_game_survives_the_death_of_the_server() {
    let board = Board::start(&[]);
    let mut page = board.host();
    let seats = json!([{"kind": "here", "name": "Ann"}, {"kind": "engine", "depth": 1}]);
    let new = json!({"do": "new", "menu": "porrika", "seats": seats, "tc": "100+60",
        "rules": {"Stuck": "draw"}});
    page.send(&new);
    page.get("position");
    page.settled();
    page.play("EGGEG.G.");
    page.settled();
    page.play("b1nb2w");
    page.settled();
    // Whoever has moved, person or engine, has been given a minute more than it took.
    let left =
        |page: &Page| [0, 1].map(|seat| page.state["clocks"]["left"][seat].as_u64().unwrap());
    assert!(left(&page).iter().all(|&left| left > 160_000), "{}", page.state);
    let (live, tokens) = (
        page.state["live"].clone(),
        page.ask(json!(
        {"do": "text", "node": page.state["live"], "what": "moves"}))["text"]
            .clone(),
    );
    // The file is written beside the game.
    let folder = board.games();
    let deadline = Instant::now() + Duration::from_secs(30);
    let file = loop {
        let files: Vec<_> = std::fs::read_dir(&folder).unwrap().flatten().collect();
        // One that is being written has another name.
        let named =
            files.iter().filter(|file| file.path().extension().is_some_and(|e| e == "jsonl"));
        let whole = named.clone().find(|file| {
            let text = std::fs::read_to_string(file.path()).unwrap_or_default();
            text.matches("\"token\"").count() as u64 == live.as_u64().unwrap()
        });
        if let Some(file) = whole {
            break file.path();
        }
        assert!(Instant::now() < deadline, "the game is not saved");
        std::thread::sleep(Duration::from_millis(10));
    };
    assert_eq!(std::fs::metadata(&file).unwrap().permissions().mode() & 0o777, 0o600);
    assert!(std::fs::read_to_string(&file).unwrap().contains("\"unfinished\":true"));
    let data = board.kill();

    let board = Board::start_in(data, &[]);
    let mut page = board.host();
    let welcome = page.get("welcome");
    assert_eq!(welcome["saved"][0]["menu"], "porrika");
    assert_eq!(welcome["saved"][0]["plies"], live);
    page.send(&json!({"do": "continue", "saved": welcome["saved"][0]["saved"]}));
    page.settled();
    let again = page.ask(json!({"do": "text", "node": page.state["live"], "what": "moves"}));
    assert_eq!(again["text"], tokens);
    assert_eq!(page.state["seats"][0]["name"], "Ann");
    assert!(left(&page).iter().all(|&left| left > 160_000), "{}", page.state);
    assert!(left(&page)[0] < 280_000, "{}", page.state);
    let record = page.ask(json!({"do": "text", "node": 0, "what": "record"}));
    assert!(record["text"].as_str().unwrap().contains(r#""rules":["Stuck=draw"]"#), "{record}");
    assert_eq!(page.state["you"]["undo"], true);
    // A second page sees that it is open, and a finished game is not offered any more.
    let mut other = board.host();
    assert_eq!(other.get("welcome")["saved"], json!([]));
    page.send(&json!({"do": "resign"}));
    page.until(|value| value["type"] == "state" && value["phase"] == "over");
    let deadline = Instant::now() + Duration::from_secs(30);
    while file.exists() {
        assert!(Instant::now() < deadline, "the file of a finished game stays");
        std::thread::sleep(Duration::from_millis(10));
    }
}

/// A saved game opens again for whoever comes back by the link of a seat.
#[test]
fn links_lead_to_their_seats_after_a_restart() {
    let board = Board::start(&[]);
    let mut host = board.host();
    host.get("welcome");
    let chairs = json!([{"kind": "link"}, {"kind": "link"}]);
    host.send(&json!({"do": "new", "menu": "barca", "seats": chairs}));
    host.get("position");
    let seats = host.state["seats"].clone();
    // Which links lead to saved games is looked up for a stranger, and anew once a game is closed.
    assert_eq!(board.page(&"0".repeat(32)).wait_for_close(), 4001);
    let mut white = board.by_link(&seats[0]);
    white.settled();
    white.play("e2e4");
    host.until(|value| value["type"] == "state" && value["live"] == 1 && value["saved"] == true);
    let deadline = Instant::now() + Duration::from_secs(30);
    let is_saved = |folder: &std::path::Path| {
        let files = std::fs::read_dir(folder).into_iter().flatten().flatten();
        files.map(|file| file.path()).any(|path| path.extension().is_some_and(|e| e == "jsonl"))
    };
    while !is_saved(&board.games()) {
        assert!(Instant::now() < deadline, "the game is not saved");
        std::thread::sleep(Duration::from_millis(5));
    }
    host.ask(json!({"do": "end", "game": host.state["game"]}));
    assert_eq!(board.by_link(&seats[1]).get("welcome")["role"], "seat");
    let board = Board::start_in(board.kill(), &[]);
    let mut black = board.by_link(&seats[1]);
    assert_eq!(black.get("welcome")["role"], "seat");
    black.settled();
    assert_eq!((&black.state["live"], &black.position["act"]), (&json!(1), &json!("p2")));
    // The other link leads to the same game, and it is open once.
    let mut white = board.by_link(&seats[0]);
    white.get("state");
    assert_eq!(white.state["game"], black.state["game"]);
    // So does that of those who look on.
    assert_eq!(board.spectator(&host.state).get("welcome")["role"], "spectator");
    assert_eq!(board.host().get("welcome")["open"].as_array().unwrap().len(), 1);
    // They open it as well, if nobody has.
    let board = Board::start_in(board.kill(), &[]);
    assert_eq!(board.spectator(&host.state).get("welcome")["role"], "spectator");
}

#[test]
fn ctrl_c_ends_the_server_and_its_engines() {
    let mut board = Board::start(&[]);
    let mut page = board.host();
    let seats = json!([{"kind": "here"}, {"kind": "engine", "movetime": 60_000}]);
    page.send(&json!({"do": "new", "menu": "barca", "seats": seats}));
    page.get("position");
    page.settled();
    page.send(&json!({"do": "play", "node": 0, "token": "e2e4"}));
    page.until(|value| value["type"] == "state" && value["seats"][1]["thinking"] == true);
    let parent = board.id().to_string();
    let output = Command::new("ps").args(["-o", "pid=", "--ppid", &parent]).output().unwrap();
    let children = String::from_utf8(output.stdout).unwrap();
    let engines: Vec<&str> = children.split_whitespace().collect();
    assert!(engines.len() >= 3, "{children}");
    Command::new("kill").args(["-INT", &parent]).status().unwrap();
    assert_eq!(board.wait(), Some(0));
    let deadline = Instant::now() + Duration::from_secs(10);
    while engines.iter().any(|id| is_running(id)) {
        assert!(Instant::now() < deadline, "engines outlive the board");
        std::thread::sleep(Duration::from_millis(10));
    }
}

/// What needs a thread is refused where the system gives none, and the board goes on.
#[test]
#[cfg(target_os = "linux")]
fn a_shortage_of_threads_is_told_and_outlived() {
    let mut command = Command::new(crate::support::PARLOR);
    command.env("RUST_MIN_STACK", (1 << 30).to_string());
    let board = Board::start_by(command, Arc::new(tempfile::tempdir().unwrap()), &[]);
    let status = std::fs::read_to_string(format!("/proc/{}/status", board.id())).unwrap();
    let size = status.lines().find_map(|line| line.strip_prefix("VmSize:")).unwrap();
    let size: u64 = size.split_whitespace().next().unwrap().parse().unwrap();
    let limit = |bytes: &str| {
        let mut prlimit = Command::new("prlimit");
        prlimit.args(["--pid", &board.id().to_string(), &format!("--as={bytes}:unlimited")]);
        assert!(prlimit.status().unwrap().success());
    };
    // Less than a stack is left.
    limit(&((size << 10) + (512 << 20)).to_string());
    let refused = board.host().get("error");
    assert_eq!(refused["code"], "busy", "{refused}");
    limit("unlimited");
    board.host().get("welcome");
}
