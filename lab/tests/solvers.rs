//! The solvers from the shell: tables written, verified, killed and resumed, on a full disk.

use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

const PROGRAM: &str = env!("CARGO_BIN_EXE_parlor-lab");

fn run_of(game: &str, arguments: &[&str]) -> (bool, String, String) {
    let output = Command::new(PROGRAM).arg(game).args(arguments).output().expect("it runs");
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    (output.status.success(), text(&output.stdout), text(&output.stderr))
}

fn run(arguments: &[&str]) -> (bool, String, String) {
    run_of("chowka-bhara", arguments)
}

#[test]
fn a_game_is_solved_and_verified_from_the_shell() {
    let directory = tempfile::tempdir().expect("a directory");
    let path = directory.path().join("one.table");
    let file = path.to_str().expect("a path of text");
    let (good, output, error) = run(&["solve", "--pawns", "1", "--chain", "2", "--out", file]);
    assert!(good && output.contains("start 0.494587"), "{output}{error}");
    let (good, output, _) = run(&["verify", file]);
    assert!(good && output.contains("states 1544, with fresh doubles 1544"), "{output}");
    let bytes = std::fs::read(&path).expect("a table");
    assert!(output.contains(&*blake3::hash(&bytes).to_hex()), "{output}");
    let (good, output, _) = run(&["verify", file, "--states", "50"]);
    assert!(good && output.contains("random states          50"), "{output}");
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
    let script = "trap '' XFSZ; ulimit -f 1; exec \"$0\" chowka-bhara solve --pawns 1 --out \"$1\"";
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
        command.args(["chowka-bhara", "solve"]).args(game).args([
            "--checkpoint",
            every,
            "--out",
            file,
        ]);
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

/// One egg is home, and two Ser'ra are free.
const LAST_EGG: &str = "-,-,-,-/-,-,-,-/GnSs,-,-,GnSs/-,Ee,Sn,-/-,-,-,-/Sn,-,-,-/-,Ee,-,- c";

#[test]
fn an_ending_is_solved_verified_and_written_into_a_folder() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().to_str().expect("a name");
    let endings =
        |more: &[&str]| run_of("porrika", &[&["endings", "--fen", LAST_EGG], more].concat());
    let (good, printed, error) = endings(&["--out", path, "--verify=7"]);
    assert!(good && error.is_empty(), "{printed}{error}");
    assert!(
        printed.contains("verified: ") && printed.contains("b7e-0-a3n-d3n.ending"),
        "{printed}"
    );
    assert!(folder.path().join("b7e-0-a3n-d3n.ending").is_file());
    let (good, _, error) = endings(&["--out", "/nowhere/at/all"]);
    assert!(!good && error.contains("--out /nowhere/at/all: "), "{error}");
    let (good, _, error) = run_of("porrika", &["endings", "--verify", "--fen", "nonsense"]);
    assert!(!good && error.contains("--fen: "), "{error}");
}

#[test]
#[cfg(target_os = "linux")]
fn tables_on_a_full_disk_or_beyond_the_memory_are_refused() {
    let shell = |script: &str| {
        let output = Command::new("sh").args(["-c", script, PROGRAM]).output().expect("a shell");
        (output.status.code(), String::from_utf8_lossy(&output.stderr).into_owned())
    };
    let full = "exec \"$0\" chowka-bhara solve --pawns 1 --chain 0 --change 1e-3 --out /dev/full";
    let (code, error) = shell(full);
    assert!(code == Some(1) && error.contains("No space left on device"), "{error}");
    let (code, error) = shell(
        "ulimit -v 200000 && \"$0\" chowka-bhara solve --pawns 4 --memory 1000 --out /dev/null",
    );
    assert_eq!(code, Some(1), "{error}");
    assert!(error.contains(" of memory, and ") && error.ends_with(" are free\n"), "{error}");
}

/// What is printed may be lost; the table is not.
#[test]
#[cfg(target_os = "linux")]
fn a_table_is_written_where_nobody_reads_what_is_printed() {
    let folder = tempfile::tempdir().expect("a folder");
    for (output, code) in [("2>/dev/full", "0"), (">/dev/full", "1"), ("", "0")] {
        let path = folder.path().join("out");
        let command = format!("\"$0\" chowka-bhara solve --pawns 1 --out {}", path.display());
        let script = format!("{{ {command} {output}; echo $? >&2; }} | true");
        let ended = Command::new("sh").args(["-c", &script, PROGRAM]).output().expect("a shell");
        let error = String::from_utf8_lossy(&ended.stderr).into_owned();
        assert_eq!(error.lines().last(), Some(code), "{script}: {error}");
        std::fs::remove_file(&path).unwrap_or_else(|error| panic!("{script}: {error}"));
    }
}
