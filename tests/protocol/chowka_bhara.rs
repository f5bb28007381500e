//! A recorded session of Chowka bhara, and its own subcommands, killed and resumed among others.

use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

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

#[test]
fn a_game_is_solved_verified_and_played_against_from_the_shell() {
    let directory = tempfile::tempdir().expect("a directory");
    let path = directory.path().join("one.table");
    let file = path.to_str().expect("a path of text");
    let (good, output, error) = run(&["solve", "--pawns", "1", "--chain", "2", "--out", file]);
    assert!(good && output.contains("start 0.494587"), "{output}{error}");
    let (good, output, _) = run(&["verify", file]);
    assert!(good && output.contains("states 1544, with fresh doubles 1544"), "{output}");
    let (good, output, _) =
        run(&["equity", "--table", file, "--player", "random", "--games", "20"]);
    assert!(good && output.contains("worst plays, loss in % of a win:"), "{output}");
    let game = directory.path().join("game.txt");
    std::fs::write(&game, "position startpos moves t2 c1e1 t3 c5a4\n").expect("writable");
    let game = game.to_str().expect("a path of text");
    let (good, output, error) = run(&["equity", "--table", file, "--records", game, "--json"]);
    let found: serde_json::Value = serde_json::from_str(&output).expect("JSON");
    assert!(good && found["players"][0]["name"] == "North", "{output}{error}");
    let (good, output, _) = run(&["verify", file, "--states", "50", "--json"]);
    let found: serde_json::Value = serde_json::from_str(&output).expect("JSON");
    let bytes = std::fs::read(&path).expect("a table");
    assert!(good && found["random"]["states"] == 50, "{output}");
    assert_eq!(found["blake3"], blake3::hash(&bytes).to_hex().to_string());
    let (good, _, error) = run(&["equity", "--table", file, "--player", "nobody"]);
    assert!(!good && error.contains("no player 'nobody'"), "{error}");
    std::fs::write(&path, b"chowkaT3 and no more").expect("writable");
    let (good, _, error) = run(&["verify", file]);
    assert!(!good && error.contains("less than a header"), "{error}");
}

#[test]
#[cfg(target_os = "linux")]
fn a_full_disk_leaves_the_old_table_as_it_was() {
    let directory = tempfile::tempdir().expect("a directory");
    let path = directory.path().join("one.table");
    std::fs::write(&path, "old").expect("writable");
    // A file may have 512 bytes; the signal is ignored, so that the write fails.
    let script = "trap '' XFSZ; ulimit -f 1; exec \"$0\" solve --pawns 1 --out \"$1\"";
    let output = Command::new("sh").args(["-c", script, PROGRAM]).arg(&path).output();
    let output = output.expect("a shell");
    let error = String::from_utf8_lossy(&output.stderr);
    assert!(!output.status.success() && error.contains("cannot write"), "{error}");
    assert_eq!(std::fs::read(&path).expect("the old file"), b"old");
    let left = std::fs::read_dir(directory.path()).expect("a directory").count();
    assert_eq!(left, 1, "nothing else is left");
}

/// Sweeps done by the checkpoint of a table, by its header.
fn sweeps(checkpoint: &Path) -> u32 {
    let bytes = std::fs::read(checkpoint).unwrap_or_default();
    bytes.get(24..28).map_or(0, |bytes| u32::from_le_bytes(bytes.try_into().expect("four bytes")))
}

#[test]
fn a_solution_killed_again_and_again_gives_the_same_table() {
    let kills = if std::env::var_os("PARLOR_SLOW_TESTS").is_some() { 10 } else { 2 };
    let directory = tempfile::tempdir().expect("a directory");
    let solve = |name: &str, every: &str| {
        let path = directory.path().join(name);
        let file = path.to_str().expect("a path of text");
        let game = ["--pawns", "2", "--chain", "0", "--change", "1e-5", "--threads", "1"];
        let mut command = Command::new(PROGRAM);
        command.arg("solve").args(game).args(["--checkpoint", every, "--out", file]);
        command.stdout(Stdio::piped()).stderr(Stdio::null());
        command
    };
    let whole = solve("whole", "3600").output().expect("the program runs");
    let output = String::from_utf8_lossy(&whole.stdout).into_owned();
    let (_, rest) = output.split_once("sweeps ").expect("the number of sweeps");
    let all: u32 = rest.split(' ').next().and_then(|all| all.parse().ok()).expect("a number");
    assert!(all > 100, "{output}");

    let out = directory.path().join("killed");
    let checkpoint = directory.path().join("killed.checkpoint");
    let half_written = || {
        let mut entries = std::fs::read_dir(directory.path()).expect("a directory");
        entries.any(|entry| {
            let name = entry.expect("an entry").file_name();
            name.to_string_lossy().starts_with(".killed.checkpoint.")
        })
    };
    let mut in_writing = 0;
    for kill in 1..=kills {
        let mut child = solve("killed", "0").spawn().expect("the program runs");
        let limit = Instant::now() + Duration::from_secs(120);
        while sweeps(&checkpoint) < all * kill / (kills + 2) {
            assert!(
                Instant::now() < limit,
                "no checkpoint after sweep {}",
                all * kill / (kills + 2)
            );
            std::thread::yield_now();
        }
        // Every other time in the middle of writing.
        while kill % 2 == 0 && !half_written() && Instant::now() < limit {
            std::hint::spin_loop();
        }
        child.kill().expect("it still runs");
        let status = child.wait().expect("it ends");
        assert!(!status.success() && !out.exists(), "killed before its end");
        in_writing += u32::from(half_written());
        assert!(sweeps(&checkpoint) >= all * kill / (kills + 2));
    }
    // A single kill may miss the moment.
    assert!(in_writing > 0 || kills < 10, "no kill fell into the writing of a checkpoint");
    let resumed = solve("killed", "0").output().expect("the program runs");
    assert!(resumed.status.success());
    let table = |name: &str| std::fs::read(directory.path().join(name)).expect("a table");
    assert!(table("whole") == table("killed"), "tables differ");
    let summary = |output: &[u8]| {
        let text = String::from_utf8_lossy(output).into_owned();
        let same = text.lines().take(3).map(str::to_string).collect::<Vec<_>>();
        same.join(" ") + text.split("seconds").next().unwrap_or("")
    };
    assert_eq!(summary(&whole.stdout), summary(&resumed.stdout));
    assert!(!checkpoint.exists() && !half_written());
}

/// Nobody writes into the pipe, so the table is never read to its end.
#[test]
#[cfg(unix)]
fn a_table_that_takes_long_to_read_holds_up_neither_stop_nor_a_clock_nor_quit() {
    let directory = tempfile::tempdir().expect("a directory");
    let path = directory.path().join("pipe");
    let made = std::process::Command::new("mkfifo").arg(&path).status().expect("mkfifo");
    assert!(made.success());
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
    let mut client = Client::program(PROGRAM, &[]);
    client.send(&format!("setoption name TableFile value {}", path.display()));
    client.send("position startpos moves t2");
    client.send("go depth 1");
    client.send("go depth 1");
    client.close();
    let lines = client.rest();
    let count = |part: &str| lines.iter().filter(|line| line.contains(part)).count();
    assert_eq!(count("info string error bad-value TableFile: "), 1, "{lines:?}");
    assert_eq!(count("bestmove "), 2, "{lines:?}");
}
