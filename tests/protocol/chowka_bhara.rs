//! A recorded session of Chowka bhara, and its own subcommands.

use std::process::Command;

use crate::client::Client;

const PROGRAM: &str = env!("CARGO_BIN_EXE_chowka-bhara");

#[test]
fn a_session_with_throws_and_whole_turns() {
    let mut client = Client::program(PROGRAM, &[]);
    client.replay("chowka-bhara.txt", include_str!("../data/sessions/chowka-bhara.txt"));
    client.close();
    assert_eq!(client.rest(), [""; 0]);
    assert_eq!(client.exit_code(), 0);
}

fn run(arguments: &[&str]) -> (bool, String, String) {
    let output = Command::new(PROGRAM).args(arguments).output().expect("the program runs");
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    (output.status.success(), text(&output.stdout), text(&output.stderr))
}

/// The table of `parlor-lab chowka-bhara solve --pawns 1`.
const TABLE: &str = "tests/data/chowka-bhara/one.table";

#[test]
fn what_players_lose_to_a_table_is_measured_from_the_shell() {
    let (good, output, _) =
        run(&["equity", "--table", TABLE, "--player", "random", "--games", "20"]);
    assert!(good && output.contains("worst plays, loss in % of a win:"), "{output}");
    let directory = tempfile::tempdir().expect("a directory");
    let game = directory.path().join("game.txt");
    std::fs::write(&game, "position startpos moves t2 c1e1 t3 c5a4\n").expect("writable");
    let game = game.to_str().expect("a path of text");
    let (good, output, error) = run(&["equity", "--table", TABLE, "--records", game, "--json"]);
    let found: serde_json::Value = serde_json::from_str(&output).expect("JSON");
    assert!(good && found["players"][0]["name"] == "North", "{output}{error}");
    let (good, _, error) = run(&["equity", "--table", TABLE, "--player", "nobody"]);
    assert!(!good && error.contains("no player 'nobody'"), "{error}");
    let (good, _, error) = run(&["equity", "--table", game]);
    assert!(!good && error.contains("it does not begin with chowkaT3"), "{error}");
}

/// The engine loses less than a hundredth of a win a turn, who plays at random more.
#[test]
fn what_is_lost_is_told_of_the_player_who_lost_it() {
    let table = "tests/data/chowka-bhara/two.table";
    let players = ["--player", "random", "--against", "engine", "--games", "10", "--json"];
    let (good, output, error) = run(&[&["equity", "--table", table][..], &players[..]].concat());
    let found: serde_json::Value = serde_json::from_str(&output).expect("JSON");
    let player = |at: usize| {
        let player = &found["players"][at];
        (player["name"].as_str(), player["loss"].as_f64().map(|loss| loss < 0.01))
    };
    assert!(good, "{error}");
    assert_eq!(player(0), (Some("random"), Some(false)), "{output}");
    assert_eq!(player(1), (Some("engine"), Some(true)), "{output}");
}

/// Checking a file of so many zeroes takes longer than the test.
#[test]
fn a_table_that_takes_long_to_read_holds_up_neither_stop_nor_a_clock_nor_quit() {
    let directory = tempfile::tempdir().expect("a directory");
    let path = directory.path().join("long.table");
    std::fs::write(&path, [&b"chowkaT3"[..], &[0; 32]].concat()).expect("writable");
    let file = std::fs::File::options().write(true).open(&path).expect("a file");
    file.set_len(1 << 38).expect("a sparse file");
    let mut client = Client::program(PROGRAM, &[]);
    client.send(&format!("setoption name TableFile value {}", path.display()));
    client.send("position startpos moves t2");
    client.send("go infinite");
    assert_eq!(client.ask("isready"), "readyok");
    client.send("stop");
    client.until("bestmove");
    client.send("go movetime 10");
    client.until("bestmove");
    client.send("uginewgame");
    client.send("go infinite");
    client.send("quit");
    assert_eq!(client.exit_code(), 0);
}

#[test]
fn a_table_that_cannot_be_used_is_reported_at_the_first_move_and_costs_no_move() {
    let directory = tempfile::tempdir().expect("a directory");
    let path = directory.path().join("damaged.table");
    std::fs::write(&path, b"chowkaT3 and no more").expect("writable");
    // Nobody writes into the pipe: whoever opens it waits for ever.
    let pipe = directory.path().join("pipe");
    nix::unistd::mkfifo(&pipe, nix::sys::stat::Mode::S_IRWXU).expect("a pipe");
    for (path, why) in [(path, "less than a header"), (pipe, "it is no regular file")] {
        let mut client = Client::program(PROGRAM, &[]);
        client.send(&format!("setoption name TableFile value {}", path.display()));
        client.send("position startpos moves t2");
        client.send("go depth 1");
        client.send("go depth 1");
        client.close();
        let lines = client.rest();
        let count = |part: &str| lines.iter().filter(|line| line.contains(part)).count();
        assert_eq!(count("info string error bad-value TableFile: "), 1, "{lines:?}");
        assert_eq!(count(why), 1, "{lines:?}");
        assert_eq!(count("bestmove "), 2, "{lines:?}");
    }
}
