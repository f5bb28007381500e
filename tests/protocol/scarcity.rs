//! Little of everything: stack, open files, memory, room on the disk, a home, an input.

use std::process::{Command, Output, Stdio};

use parlor::games::NAMES;

use crate::client::Client;
use crate::client_rules::BARCA;
use crate::porrika::ENDING;
use crate::programs::program;

/// A command line of a shell that sees the program as `$0`.
fn shell(script: &str, program: &str) -> Output {
    let mut command = Command::new("sh");
    command.args(["-c", script, program]).stdin(Stdio::null());
    command.output().expect("a shell")
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

#[test]
fn sessions_run_with_little_stack_few_open_files_and_a_gigabyte() {
    for limit in ["-s 4096", "-n 64", "-v 1048576"] {
        for program in NAMES.iter().map(|name| program(name)) {
            let script = format!(
                "ulimit {limit} && printf 'go nodes 500\\nsetoption name Threads value 4\\ngo nodes \
                 500\\nquery turn\\n' | exec \"$0\""
            );
            let output = shell(&script, program);
            let lines = text(&output.stdout);
            assert_eq!(output.status.code(), Some(0), "{limit} {program}");
            assert_eq!(lines.matches("bestmove ").count(), 2, "{limit} {program}: {lines}");
            assert!(lines.contains("\nresponse "), "{limit} {program}: {lines}");
        }
    }
}

#[test]
#[cfg(target_os = "linux")]
fn a_table_beyond_the_memory_is_refused_with_what_would_fit() {
    let script = "ulimit -v 1048576 && printf 'setoption name Hash value 4000\\nsetoption name Hash \
                  value 32\\ngo nodes 500\\n' | exec \"$0\"";
    let output = shell(script, BARCA);
    let lines = text(&output.stdout);
    let refused = "info string error bad-value Hash 4000 is more than the free memory; ";
    let rest = lines.strip_prefix(refused).unwrap_or_else(|| panic!("{lines}"));
    let (fitting, rest) = rest.split_once(' ').expect("a number");
    // The limit is 1,024 MiB, and the program takes some of it.
    assert!((500..1_024).contains(&fitting.parse::<u32>().expect("a number")), "{fitting}");
    assert!(rest.starts_with("MiB would fit\n"), "{lines}");
    assert_eq!(rest.matches("error").count(), 0, "{lines}");
    assert!(rest.contains("bestmove "), "{lines}");
}

/// A gigabyte has room for few stacks, and for fewer beside a table.
#[test]
#[cfg(target_os = "linux")]
fn threads_beyond_the_memory_are_refused_with_what_would_fit() {
    let fitting = |hash: u32| -> u32 {
        let script = format!(
            "ulimit -v 1048576 && printf 'setoption name Hash value {hash}\\nsetoption name Threads \
             value 64\\nsetoption name Threads value 2\\ngo nodes 500\\n' | exec \"$0\""
        );
        let output = shell(&script, BARCA);
        let lines = text(&output.stdout);
        assert_eq!(output.status.code(), Some(0), "{lines}");
        let refused = "info string error bad-value Threads 64 needs more than the free memory; ";
        let rest = lines.strip_prefix(refused).unwrap_or_else(|| panic!("{lines}"));
        let (fitting, rest) = rest.split_once(' ').expect("a number");
        assert!(rest.starts_with("would fit\n") && rest.contains("bestmove "), "{lines}");
        fitting.parse().expect("a number")
    };
    let (many, few) = (fitting(1), fitting(400));
    // A thread has a stack of 32 MiB.
    assert!(2 <= few && few < many && many < 32, "{few} {many}");
}

#[test]
#[cfg(target_os = "linux")]
fn endings_beyond_the_memory_are_refused_and_the_game_goes_on_without_them() {
    let porrika = program("porrika");
    let output = shell(&format!("ulimit -v 200000 && \"$0\" solve --fen '{ENDING}'"), porrika);
    let error = text(&output.stderr);
    assert_eq!(output.status.code(), Some(1), "{error}");
    assert!(error.contains(" of memory, and ") && error.ends_with(" are free\n"), "{error}");
    // A small search needs no table.
    let session = format!("printf 'position fen {ENDING}\ngo movetime 500\nquery turn\n'");
    let script = format!("ulimit -v 200000 && {session} | \"$0\" --set Hash=1");
    let output = shell(&script, porrika);
    let lines = text(&output.stdout);
    assert_eq!(output.status.code(), Some(0), "{lines}");
    assert!(lines.contains("\nbestmove ") && lines.contains("\nresponse "), "{lines}");
    assert!(text(&output.stderr).contains("no tablebase: it takes "));
}

#[test]
fn a_largest_table_above_the_range_is_still_a_fault_of_the_range() {
    let mut client = Client::program(BARCA, &[]);
    let line = client.ask("setoption name Hash value 70000");
    assert!(line.contains("an integer from 0 to 65536"), "{line}");
}

#[test]
fn a_closed_input_ends_a_session_and_a_missing_home_harms_none() {
    for program in NAMES.iter().map(|name| program(name)) {
        let output = shell("exec \"$0\" <&-", program);
        assert_eq!((output.status.code(), text(&output.stdout)), (Some(0), String::new()));
        let output = shell("unset HOME; printf 'isready\\n' | exec \"$0\"", program);
        assert_eq!((output.status.code(), text(&output.stdout)), (Some(0), "readyok\n".into()));
    }
}

#[test]
#[cfg(target_os = "linux")]
fn an_output_on_a_full_disk_is_reported() {
    for script in [
        "printf 'go depth 1\\n' | \"$0\" >/dev/full",
        "\"$0\" go --depth 1 --json >/dev/full",
        "\"$0\" bench 1 >/dev/full",
        "\"$0\" perft 1 >/dev/full",
    ] {
        let output = shell(script, BARCA);
        let error = text(&output.stderr);
        assert_eq!(output.status.code(), Some(1), "{script}: {error}");
        let error = error.replace("standard output: ", "");
        assert_eq!(error, "barca: No space left on device (os error 28)\n", "{script}");
    }
}

#[test]
#[cfg(target_os = "linux")]
fn files_that_cannot_be_read_are_named_byte_for_byte_as_far_as_they_are_text() {
    let output = shell("\"$0\" go --nodes 1 --positions \"$(printf 'bad\\377')\"", BARCA);
    assert_eq!(output.status.code(), Some(1));
    let error = text(&output.stderr);
    assert_eq!(error, "barca: --positions bad\u{fffd}: No such file or directory (os error 2)\n");
}

/// `println!` and `eprintln!` would panic.
#[test]
#[cfg(target_os = "linux")]
fn no_subcommand_panics_on_a_full_disk() {
    let porrika = program("porrika");
    for (program, arguments) in [
        (BARCA, "--help"),
        (BARCA, "--version"),
        (BARCA, "completions bash"),
        (porrika, "solve --fen '-,-,-,-/-,-,-,-/-,Ew,Es,-/-,-,-,-/-,-,-,-/-,-,-,-/-,-,-,- c'"),
    ] {
        let output = shell(&format!("\"$0\" {arguments} >/dev/full"), program);
        let error = text(&output.stderr);
        assert_eq!(output.status.code(), Some(1), "{arguments}: {error}");
        assert!(error.ends_with(": No space left on device (os error 28)\n"), "{error}");
        assert_eq!(error.lines().count(), 1, "{error}");
        // Where standard error is full nobody can be told, but the work is done.
        let output = shell(&format!("\"$0\" {arguments} 2>/dev/full"), program);
        assert_eq!(output.status.code(), Some(0), "{arguments}");
    }
    assert_eq!(shell("\"$0\" --nonsense 2>/dev/full", BARCA).status.code(), Some(2));
}

/// A limit on the size of a file stands for a full disk.
#[test]
fn pages_and_completions_are_written_whole_or_not_at_all() {
    for (file, command) in [
        ("barca.1", "man \"$FOLDER\""),
        ("bash-completion/completions/barca", "completions bash --install"),
    ] {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join(file);
        let beside = path.parent().expect("a folder");
        std::fs::create_dir_all(beside).expect("made");
        std::fs::write(&path, "old").expect("written");
        let folder = folder.path().display();
        let script = format!(
            "export FOLDER={folder} XDG_DATA_HOME={folder}; trap '' XFSZ; ulimit -f 1; \"$0\" {command}"
        );
        let output = shell(&script, BARCA);
        let error = text(&output.stderr);
        assert_eq!(output.status.code(), Some(1), "{command}: {error}");
        assert!(error.contains(file) && error.contains("os error"), "{command}: {error}");
        assert_eq!(std::fs::read_to_string(&path).expect("the old file"), "old", "{command}");
        let files = std::fs::read_dir(beside).expect("a folder").count();
        assert_eq!(files, 1, "{command}: something was left");
    }
}
