//! A recorded session of Chowka bhara, and its own words from the shell.

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

fn word(arguments: &[&str]) -> (bool, String, String) {
    let output = Command::new(PROGRAM).args(arguments).output().expect("the program runs");
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    (output.status.success(), text(&output.stdout), text(&output.stderr))
}

#[test]
fn a_game_is_solved_verified_and_played_against_from_the_shell() {
    let directory = tempfile::tempdir().expect("a directory");
    let path = directory.path().join("one.table");
    let file = path.to_str().expect("a path of text");
    let (good, told, error) = word(&["solve", "--pawns", "1", "--chain", "2", "--out", file]);
    assert!(good && told.contains("start 0.494587"), "{told}{error}");
    let (good, told, _) = word(&["verify", "--table", file]);
    assert!(good && told.contains("states 1544, with fresh doubles 1544"), "{told}");
    let (good, told, _) = word(&["equity", "--table", file, "--player", "random", "--games", "20"]);
    assert!(good && told.contains("of a win a turn with a choice"), "{told}");
    let (good, _, error) = word(&["equity", "--table", file, "--player", "nobody"]);
    assert!(!good && error.contains("no player 'nobody'"), "{error}");
    std::fs::write(&path, b"chowkaT1 and no more").expect("writable");
    let (good, _, error) = word(&["verify", "--table", file]);
    assert!(!good && error.contains("less than a header"), "{error}");
}

#[test]
fn training_gives_equal_files_for_equal_arguments() {
    let directory = tempfile::tempdir().expect("a directory");
    for seats in ["2", "34"] {
        let train = |name: &str| {
            let path = directory.path().join(name);
            let file = path.to_str().expect("a path of text");
            let (good, _, error) =
                word(&["train", "--seats", seats, "--games", "40", "--out", file]);
            assert!(good, "{error}");
            std::fs::read(path).expect("weights")
        };
        assert_eq!(train("a"), train("b"));
    }
}
