//! Who owns a file: games that two pages or two servers want, records that two boards write, and
//! files in the folder of saved games that the board did not write.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Arc;
use std::time::{Duration, Instant};

use nix::sys::stat::Mode;
use serde_json::{Value, json};

use super::client::{Board, Page};
use super::games::{barca_by_two, new_game};
use crate::support::{PARLOR, expect, games, refusal, scratch, with_checksum, within};

/// Waits for what another thread of the board does.
fn wait_for(what: &str, done: impl Fn() -> bool) {
    let deadline = Instant::now() + Duration::from_secs(30);
    while !done() {
        assert!(Instant::now() < deadline, "{what}");
        std::thread::sleep(Duration::from_millis(5));
    }
}

/// The files of saved games in a folder.
fn saved_files(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).unwrap().flatten().map(|entry| entry.path());
    entries.filter(|path| path.extension().is_some_and(|end| end == "jsonl")).collect()
}

/// A game of Barca after one move, saved by a server that has died; its name.
fn saved_game() -> (Arc<tempfile::TempDir>, String, PathBuf) {
    let (board, mut page) = barca_by_two();
    page.play("e2e4");
    wait_for("the game is not saved", || !saved_files(&board.games()).is_empty());
    let file = saved_files(&board.games()).remove(0);
    let name = file.file_stem().unwrap().to_str().unwrap().to_owned();
    (board.kill(), name, file)
}

/// What a page reads when it asks for something that it does not get.
fn refused(page: &mut Page, message: Value) -> String {
    let answer = page.ask(message);
    assert_eq!(answer["type"], "error", "{answer}");
    answer["text"].as_str().unwrap().to_owned()
}

#[test]
fn the_key_of_the_host_and_the_time_of_the_last_move_stay_over_a_restart() {
    let (board, mut page) = barca_by_two();
    page.play("e2e4");
    wait_for("the game is not saved", || !saved_files(&board.games()).is_empty());
    let when = board.host().get("welcome")["open"][0]["when"].clone();
    let token = board.token.clone();
    let data = board.kill();
    let board = Board::start_in(Arc::clone(&data), &[]);
    assert_eq!(board.token, token);
    let mut page = board.host();
    let saved = page.get("welcome")["saved"][0].clone();
    assert_eq!(saved["when"], when);
    page.send(&json!({"do": "continue", "saved": saved["saved"]}));
    page.settled();
    assert_eq!(board.host().get("welcome")["open"][0]["when"], when);
    // Another key is given only where somebody asks for it.
    drop(board);
    let board = Board::start_in(data, &["--new-key"]);
    assert_ne!(board.token, token);
    assert_eq!(board.page(&token).wait_for_close(), 4001);
}

#[test]
fn a_saved_game_has_one_owner() {
    let (data, name, file) = saved_game();
    let (first, second) = (Board::start_in(Arc::clone(&data), &[]), Board::start_in(data, &[]));
    let go_on = json!({"do": "continue", "saved": name});
    let mut owner = first.host();
    assert_eq!(owner.get("welcome")["saved"][0]["saved"], name.as_str());
    owner.send(&go_on);
    owner.settled();
    // Neither another page nor another server has it too, or removes it.
    let mut page = first.host();
    assert_eq!(page.get("welcome")["saved"], json!([]));
    let mut other = second.host();
    assert_eq!(other.get("welcome")["saved"], json!([]));
    for (page, words) in [(&mut page, "open already"), (&mut other, "process ")] {
        for message in [go_on.clone(), json!({"do": "discard", "saved": name})] {
            let text = refused(page, message);
            assert!(text.contains(words), "{text}");
        }
    }
    owner.play("e9e6");
    owner.send(&json!({"do": "close"}));
    owner.get("closed");
    // Then whoever comes first has it, with all that was played.
    other.send(&go_on);
    other.settled();
    assert_eq!(other.state["live"], 2);
    assert!(refused(&mut page, go_on).contains("process "));
    other.send(&json!({"do": "resign"}));
    wait_for("the file of a finished game stays", || !file.exists());
    other.send(&json!({"do": "close"}));
    other.get("closed");
    let left: Vec<_> = std::fs::read_dir(first.games()).unwrap().flatten().collect();
    assert!(left.is_empty(), "{left:?}");
}

#[test]
fn the_next_round_of_a_game_is_open_too() {
    let (board, mut page) = barca_by_two();
    page.ask(json!({"do": "name", "seat": "p1", "name": "Ann"}));
    page.play("e2e4");
    page.send(&json!({"do": "resign"}));
    page.until(|value| value["type"] == "state" && value["phase"] == "over");
    page.send(&json!({"do": "rematch"}));
    page.until(|value| value["type"] == "state" && value["phase"] == "play");
    page.play("e2e4");
    let round = || {
        let ends = |file: &PathBuf| file.to_string_lossy().ends_with("-2.jsonl");
        saved_files(&board.games()).into_iter().find(ends)
    };
    wait_for("the second round is not saved", || round().is_some());
    let name = round().unwrap().file_stem().unwrap().to_str().unwrap().to_owned();
    let mut other = board.host();
    assert_eq!(other.get("welcome")["saved"], json!([]));
    assert!(refused(&mut other, json!({"do": "continue", "saved": name})).contains("open"));
    // After a restart the players sit where they sat.
    let board = Board::start_in(board.kill(), &[]);
    let mut page = board.host();
    page.send(&json!({"do": "continue", "saved": name}));
    page.settled();
    let names = [0, 1].map(|seat| page.state["seats"][seat]["name"].clone());
    assert_eq!(names, ["", "Ann"]);
}

#[test]
fn two_boards_do_not_write_one_record_file() {
    let folder = scratch();
    let records = within(&folder, "games.jsonl");
    let board = Board::start(&["--record", &records]);
    let text = refusal(&["board", "--no-open", "--port", "0", "--record", &records]);
    let process = format!("process {}", board.id());
    assert!(text.contains(&process) && text.contains("--record"), "{text}");
    drop(board);
    let _free = Board::start(&["--record", &records]);
}

/// Plays a game of one move, which the second seat gives up.
fn short_game(page: &mut Page, menu: &str, rules: &Value, names: [&str; 2]) {
    let seats = names.map(|name| json!({"kind": "here", "name": name}));
    // What is known is of the game before.
    (page.state, page.position) = (Value::Null, Value::Null);
    new_game(page, menu, rules, &json!(seats));
    let token = page.choose(&mut 7);
    page.play(&token);
    page.settled();
    page.send(&json!({"do": "resign", "seat": "p2"}));
    page.until(|value| value["type"] == "state" && value["phase"] == "over");
}

#[test]
fn every_reader_takes_the_records_of_a_board() {
    let folder = scratch();
    let records = within(&folder, "games.jsonl");
    for _ in 0..2 {
        let board = Board::start(&["--record", &records]);
        let mut page = board.host();
        short_game(&mut page, "barca", &json!({}), ["Ann", "Bob"]);
        // Games of another kind have a file of their own.
        short_game(&mut page, "porrika", &json!({}), ["Ann", "Bob"]);
        short_game(&mut page, "barca", &json!({"MaxPlies": "30"}), ["Cid", "Bob"]);
        short_game(&mut page, "barca", &json!({}), ["Bob", "Cid"]);
    }
    let number = |number: &str| within(&folder, &format!("games{number}.jsonl"));
    for (file, count) in [(number(""), 4), (number("-2"), 2), (number("-3"), 2)] {
        let (header, read) = games(Path::new(&file));
        assert_eq!(read.len(), count, "{file}");
        assert!(read.keys().copied().eq(1..=count as u64), "{file}");
        assert!(read.values().all(|game| game.seating.len() == header.seats));
        for words in [&["rate", &file][..], &["balance", &file], &["export", &file]] {
            expect(0, words);
        }
        expect(0, &["replay", &file, "2"]);
        expect(0, &["replay", &file, "1", "--show"]);
        expect(0, &["svg", &file, "--game", "1"]);
        drop(Board::start(&["--replay", &file]).host().get("welcome"));
    }
}

#[test]
fn a_full_disk_leaves_whole_games_and_the_next_goes_on() {
    let folder = scratch();
    let records = within(&folder, "games.jsonl");
    // Blocks of 512 bytes: the file has room for the first games, and not for all.
    let mut limited = Command::new("sh");
    limited.args(["-c", &format!("trap '' XFSZ; ulimit -f 4; exec {PARLOR} \"$@\""), "sh"]);
    let data = Arc::new(scratch());
    let board = Board::start_by(limited, Arc::clone(&data), &["barca", "--record", &records]);
    let mut page = board.host();
    let mut written = 0;
    let problem = loop {
        short_game(&mut page, "barca", &json!({}), ["Ann", "Bob"]);
        let told = |line: &&String| line.contains("\"error\"") && line.contains("--record");
        if let Some(line) = page.log.iter().find(told) {
            break line.clone();
        }
        written += 1;
        assert!(written < 20, "the disk is not full");
    };
    assert!(written > 0 && problem.contains("too large"), "{problem}");
    drop(board);
    assert!(std::fs::read(&records).unwrap().ends_with(b"\n"), "half a line");
    let board = Board::start_in(data, &["barca", "--record", &records]);
    short_game(&mut board.host(), "barca", &json!({}), ["Ann", "Bob"]);
    assert!(games(Path::new(&records)).1.keys().copied().eq(1..=written + 1));
}

#[test]
fn records_that_were_removed_meanwhile_go_on_in_a_new_file() {
    let folder = scratch();
    let records = within(&folder, "games.jsonl");
    let board = Board::start(&["barca", "--record", &records]);
    let mut page = board.host();
    short_game(&mut page, "barca", &json!({}), ["Ann", "Bob"]);
    std::fs::remove_file(&records).unwrap();
    short_game(&mut page, "barca", &json!({}), ["Ann", "Bob"]);
    let told = page.log.iter().find(|line| line.contains("\"error\"")).unwrap();
    assert!(told.contains("rescued"), "{told}");
    let rescued = within(&folder, &format!("games.jsonl.{}.rescued", board.id()));
    short_game(&mut page, "barca", &json!({}), ["Ann", "Bob"]);
    for (file, count) in [(rescued, 2), (records, 1)] {
        assert_eq!(games(Path::new(&file)).1.len(), count, "{file}");
    }
}

#[test]
fn what_is_no_file_in_the_folder_of_games_is_passed_over() {
    let (data, name, file) = saved_game();
    let folder = file.parent().unwrap();
    for pipe in ["a.jsonl", "b.lock", "b.jsonl"] {
        nix::unistd::mkfifo(&folder.join(pipe), Mode::S_IRWXU).unwrap();
    }
    std::os::unix::fs::symlink("/dev/zero", folder.join("c.jsonl")).unwrap();
    std::os::unix::fs::symlink("/dev/tty", folder.join("d.jsonl")).unwrap();
    std::fs::create_dir(folder.join("e.jsonl")).unwrap();
    let mut board = Board::start_in(data, &[]);
    let mut page = board.host();
    let saved = page.get("welcome")["saved"].clone();
    assert_eq!(saved.as_array().unwrap().len(), 1, "{saved}");
    assert_eq!(saved[0]["saved"], name.as_str());
    for name in ["a", "b", "c", "d", "e"] {
        refused(&mut page, json!({"do": "continue", "saved": name}));
    }
    let id = board.id().to_string();
    Command::new("kill").args(["-INT", &id]).status().unwrap();
    assert_eq!(board.wait(), Some(0));
}

/// A saved game that somebody has changed, with a checksum that fits.
fn forged(honest: &str, edit: impl Fn(&mut Value)) -> String {
    let (header, line) = honest.split_once('\n').unwrap();
    let mut game: Value = serde_json::from_str(line).unwrap();
    game.as_object_mut().unwrap().remove("check");
    edit(&mut game);
    format!("{header}\n{}", with_checksum(game.to_string().strip_suffix('}').unwrap()))
}

/// What is changed, and how.
type Edit = (&'static str, fn(&mut Value));

#[test]
fn saved_games_that_somebody_changed_are_refused() {
    let (data, name, file) = saved_game();
    let honest = std::fs::read_to_string(&file).unwrap();
    let edits: [Edit; 16] = [
        ("start", |game| game["start"] = json!("startpos\nquit")),
        ("view", |game| game["start"] = json!("startpos view p1")),
        ("token", |game| game["moves"][0]["token"] = json!("e2e4\nsetoption name Hash value 1")),
        ("words", |game| game["moves"][0]["token"] = json!("e2e4 e9e6")),
        ("seat", |game| game["moves"][0]["seat"] = json!(3)),
        ("places", |game| game["places"] = json!(vec![1; 99])),
        ("count", |game| game["moves"] = json!(vec![game["moves"][0].clone(); 20_001])),
        ("option", |game| game["board"]["rules"] = json!({"MaxPlies\nquit": "30"})),
        ("value", |game| game["board"]["rules"] = json!({"MaxPlies": "30\nquit"})),
        ("player", |game| game["board"]["chairs"][1]["player"] = json!("x\nquit")),
        ("person", |game| game["board"]["chairs"][0]["name"] = json!("x\u{1b}[2J")),
        ("chairs", |game| {
            game["board"]["chairs"] = json!(vec![game["board"]["chairs"][0].clone(); 99])
        }),
        ("seating", |game| game["board"]["seating"] = json!([7, 7])),
        ("title", |game| game["board"]["title"] = json!("Barca\u{1b}[2J")),
        ("values", |game| game["board"]["more"] = json!(vec![0; 100_001])),
        ("size", |game| game["board"]["more"] = json!("x".repeat(5 << 20))),
    ];
    let folder = file.parent().unwrap();
    for (what, edit) in edits {
        std::fs::write(folder.join(format!("{what}.jsonl")), forged(&honest, edit)).unwrap();
    }
    for (what, when) in [("older", 1), ("newer", 9_999_999_999_999_u64)] {
        let edited = forged(&honest, |game| game["board"]["when"] = json!(when));
        std::fs::write(folder.join(format!("{what}.jsonl")), edited).unwrap();
    }
    let board = Board::start_in(data, &[]);
    let mut page = board.host();
    let listed = page.get("welcome")["saved"].as_array().unwrap().clone();
    // The newest first.
    let ends = [listed.first(), listed.last()].map(|game| game.unwrap()["saved"].clone());
    assert_eq!(ends, ["newer", "older"]);
    for (what, _) in edits {
        let text = refused(&mut page, json!({"do": "continue", "saved": what}));
        assert!(text.chars().all(|c| !c.is_control()), "{what}: {text:?}");
    }
    for name in ["newer", &name] {
        page.send(&json!({"do": "continue", "saved": name}));
        page.settled();
        page.state = Value::Null;
    }
}
