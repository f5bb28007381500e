//! Clients that are rude or leave: deep work that is stopped, floods of lines, closed outputs, full
//! disks.

use std::io::Write;
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use crate::client::Client;
use crate::client_rules::BARCA;
#[cfg(target_os = "linux")]
use crate::memory::memory;

const PACRU: &str = env!("CARGO_BIN_EXE_pacru");
const PORRIKA: &str = env!("CARGO_BIN_EXE_porrika");

/// Far more than any of these answers takes, so that a loaded machine fails no test, and far less
/// than the work would take that is stopped.
const PATIENCE: Duration = Duration::from_secs(60);

/// A program with pipes.
fn start(program: &str, arguments: &[&str]) -> Child {
    Command::new(program)
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap_or_else(|error| panic!("{program}: {error}"))
}

/// The exit code of a process that ends; `None` if it had to be killed.
fn exit_code(child: &mut Child) -> Option<i32> {
    let started = Instant::now();
    while started.elapsed() < PATIENCE {
        if let Some(status) = child.try_wait().expect("a child") {
            return status.code();
        }
        thread::sleep(Duration::from_millis(5));
    }
    child.kill().expect("a child");
    child.wait().expect("its end");
    None
}

#[test]
fn stop_ends_a_deep_perft_which_tells_no_count() {
    for program in [BARCA, PACRU, PORRIKA] {
        let mut client = Client::program(program, &[]);
        client.send("perft 12");
        assert_eq!(client.line_within(Duration::from_millis(100)), None, "{program}");
        client.send("stop");
        // The client gives up waiting long before such a perft would end.
        let line = client.line();
        assert_eq!(line, "info string perft 12 was stopped; nothing is counted", "{program}");
        assert_eq!(client.query("turn"), "p1");
    }
}

#[test]
fn quit_ends_a_deep_perft_and_a_deep_bench() {
    for program in [BARCA, PACRU, PORRIKA] {
        for (work, last) in [
            ("perft 12", "info string perft 12 was stopped; nothing is counted"),
            ("bench 40", "info string bench was stopped"),
        ] {
            let mut client = Client::program(program, &[]);
            client.send(work);
            assert_eq!(client.ask("isready"), "readyok");
            client.send("quit");
            let rest = client.rest();
            assert_eq!(rest, [last], "{program}");
            assert_eq!(client.exit_code(), 0);
        }
    }
}

#[test]
fn work_ends_when_nobody_reads_its_output() {
    for arguments in [
        &["go", "--movetime", "600000"][..],
        &["perft", "12"],
        &["bench", "40"],
        &["selfplay", "engine", "engine", "--movetime", "600000"],
    ] {
        let mut child = start(BARCA, arguments);
        thread::sleep(Duration::from_millis(50));
        drop(child.stdout.take());
        assert_eq!(exit_code(&mut child), Some(0), "{arguments:?}");
    }
}

#[test]
fn a_session_ends_when_nobody_reads_its_output() {
    for work in ["", "go movetime 600000\n", "go infinite\n", "perft 12\n", "bench 40\n"] {
        let mut child = start(BARCA, &[]);
        // Its input stays open.
        let mut input = child.stdin.take().expect("piped");
        input.write_all(work.as_bytes()).expect("it reads");
        thread::sleep(Duration::from_millis(50));
        drop(child.stdout.take());
        assert_eq!(exit_code(&mut child), Some(0), "{work}");
    }
}

#[test]
#[cfg(target_os = "linux")]
fn lines_that_wait_behind_a_search_take_bounded_memory_and_none_is_lost() {
    const LINES: usize = 200;
    let mut child = start(BARCA, &[]);
    let mut input = child.stdin.take().expect("piped");
    let mut output = std::io::BufReader::new(child.stdout.take().expect("piped"));
    let mut line = String::new();
    let mut next = |line: &mut String| {
        line.clear();
        std::io::BufRead::read_line(&mut output, line).expect("a line");
    };
    // What a search takes by itself belongs to the idle program.
    input.write_all(b"go nodes 1000\n").expect("it reads");
    while !line.starts_with("bestmove") {
        next(&mut line);
    }
    let idle = memory(child.id(), "VmHWM");
    let flood = thread::spawn(move || {
        let padded = format!("{}query turn\n", " ".repeat((1 << 20) - 20));
        input.write_all(b"go movetime 2000\n").expect("it reads");
        (0..LINES).for_each(|_| input.write_all(padded.as_bytes()).expect("it reads"));
        input.write_all(b"query gameover\n").expect("it reads");
        // Open until the peak is read: a process that has ended has none.
        input
    });
    while !line.starts_with("response") {
        next(&mut line);
    }
    let mut answers = 0;
    while line == "response p1\n" {
        answers += 1;
        next(&mut line);
    }
    assert_eq!((answers, line.as_str()), (LINES, "response false\n"));
    let peak = memory(child.id(), "VmHWM");
    assert!(peak < idle + (64 << 10), "{idle} KiB idle, {peak} KiB at the peak");
    drop(flood.join().expect("no panic"));
    assert_eq!(exit_code(&mut child), Some(0));
}

#[test]
fn a_bad_line_of_a_file_of_positions_costs_only_itself() {
    let bad = "é".repeat(50).into_bytes();
    for bad in [&bad[..], b"\xff\xfe", b"startpos moves \xc3", &b"x".repeat(3 << 20)] {
        let mut text = b"# \xc3\xa9\nstartpos\n".to_vec();
        text.extend_from_slice(bad);
        text.extend_from_slice(b"\nstartpos moves e2e4\n");
        let mut command = assert_cmd::Command::new(BARCA);
        let run = command.args(["perft", "1", "--positions", "-"]).write_stdin(text).assert();
        let run = run.code(1);
        let lines = String::from_utf8(run.get_output().stdout.clone()).expect("text");
        let lines: Vec<_> = lines.lines().collect();
        assert_eq!(lines.len(), 3, "{lines:?}");
        assert_eq!(lines[0], "Nodes searched: 38");
        assert!(lines[1].starts_with("error "), "{}", lines[1]);
        assert!(lines[2].starts_with("Nodes searched: "), "{}", lines[2]);
    }
}

#[test]
#[cfg(target_os = "linux")]
fn a_log_on_a_full_disk_is_reported() {
    let mut command = assert_cmd::Command::new(BARCA);
    let run = command.args(["--log-file", "/dev/full"]).write_stdin("isready\n").assert().code(1);
    let output = run.get_output();
    assert_eq!(output.stdout, b"readyok\n");
    let error = String::from_utf8_lossy(&output.stderr);
    assert_eq!(error.matches("No space left on device").count(), 1, "{error}");
}
