//! A match that was killed continues where it stopped.

use std::path::Path;
use std::process::{Child, Stdio};
use std::time::Duration;

use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;

use crate::support::{command, expect, games, mock, refusal, scratch, slow_tests, within};

#[test]
fn after_a_kill_no_game_is_lost_and_none_is_played_twice() {
    let directory = scratch();
    let path = |name: &str| within(&directory, name);
    let (records, text) = (path("records.jsonl"), path("games.txt"));
    let (one, two) = (mock("--think 0.002"), format!("{} name=two", mock("--lose")));
    let (kills, rounds) = if slow_tests() { (10, 60) } else { (3, 15) };
    let rounds_text = rounds.to_string();
    let words = [
        "match",
        &one,
        &two,
        "--rule",
        "Dice=true",
        "--rounds",
        &rounds_text,
        "--reproducible",
        "--seed",
        "1",
        "-q",
        "--rule",
        "Counters=30",
        "-c",
        "2",
        "--margin",
        "5000",
        "--records",
        &records,
        "--text",
        &text,
        "--resume",
    ];
    // Kills at moments spread over the match; then to the end.
    for moment in 0..kills {
        let mut child = command(&words).stdout(std::process::Stdio::null()).spawn().unwrap();
        std::thread::sleep(Duration::from_millis(350 + 90 * moment));
        child.kill().unwrap();
        child.wait().unwrap();
    }
    // A line cut off by a kill, as a full buffer would leave it.
    if Path::new(&records).exists() {
        let mut bytes = std::fs::read(&records).unwrap();
        bytes.extend_from_slice(b"{\"game\":7,\"rou");
        std::fs::write(&records, bytes).unwrap();
    }
    expect(0, &words);
    let (_, resumed) = games(Path::new(&records));
    assert_eq!(
        resumed.keys().copied().collect::<Vec<u64>>(),
        (1..=2 * rounds).collect::<Vec<u64>>()
    );
    let (straight, other_text) = (path("straight.jsonl"), path("other.txt"));
    let replaced = words.iter().filter(|word| **word != "--resume").map(|word| match word {
        word if *word == records => straight.as_str(),
        word if *word == text => other_text.as_str(),
        word => word,
    });
    let words: Vec<&str> = replaced.collect();
    expect(0, &words);
    assert_eq!(games(Path::new(&straight)).1, resumed);
    let count = std::fs::read_to_string(&text).unwrap().matches("\nPlaces: ").count();
    assert_eq!(count as u64, 2 * rounds);
}

#[test]
fn records_alone_are_enough_to_continue() {
    let directory = scratch();
    let records = within(&directory, "records.jsonl");
    let (one, two) = (mock(""), format!("{} name=two", mock("--lose")));
    expect(0, &["match", &one, &two, "--rounds", "2", "--records", &records, "--seed", "5"]);
    // The same match, with more rounds.
    expect(0, &["match", "--yes", "--resume", "--records", &records, "--rounds", "5"]);
    assert_eq!(games(Path::new(&records)).1.len(), 10);
}

#[test]
fn the_length_of_the_match_and_all_options_are_recorded() {
    let directory = scratch();
    let records = within(&directory, "records.jsonl");
    let (one, two) = (mock(""), format!("{} name=two", mock("--lose")));
    let words =
        ["match", &one, &two, "--games", "12", "--rule", "Counters=9", "--records", &records];
    expect(0, &words);
    // As after a kill in the third game: the header, two games, and half of the next line.
    let text = std::fs::read_to_string(&records).unwrap();
    let mut lines: Vec<&str> = text.split_inclusive('\n').take(4).collect();
    let half = &lines[3][..40];
    lines[3] = half;
    std::fs::write(&records, lines.concat()).unwrap();
    expect(0, &["match", "-y", &format!("--resume={records}")]);
    assert_eq!(games(Path::new(&records)).1.len(), 12);
    // A longer match is recorded as such: again the file alone is enough.
    expect(0, &["match", "-y", "--records", &records, "--resume", "--rounds", "7"]);
    let text = std::fs::read_to_string(&records).unwrap();
    // Header, games, the new length, games, key.
    assert_eq!(text.lines().count(), 1 + 12 + 1 + 2 + 1);
    let cut: Vec<&str> = text.split_inclusive('\n').take(14).collect();
    std::fs::write(&records, cut.concat()).unwrap();
    expect(0, &["match", "-y", "--records", &records, "--resume"]);
    assert_eq!(games(Path::new(&records)).1.len(), 14);
}

#[test]
fn a_damaged_line_is_named_and_nothing_is_continued_over_it() {
    let directory = scratch();
    let path = |name: &str| within(&directory, name);
    let records = path("records.jsonl");
    let (one, two) = (mock(""), format!("{} name=two", mock("--lose")));
    expect(0, &["match", &one, &two, "--games", "6", "--records", &records]);
    let text = std::fs::read_to_string(&records).unwrap();
    let lines: Vec<&str> = text.lines().collect();
    let damaged = |change: &dyn Fn(&str) -> String| {
        let mut lines: Vec<String> = lines.iter().map(|&line| line.to_owned()).collect();
        lines[2] = change(&lines[2]);
        std::fs::write(path("damaged.jsonl"), lines.join("\n") + "\n").unwrap();
    };
    let resume = format!("--resume={}", path("damaged.jsonl"));
    let places = |line: &str| line.replacen("\"places\":[1,2]", "\"places\":[2,1]", 1);
    let swapped = |line: &str| match places(line) {
        same if same == line => line.replacen("\"places\":[2,1]", "\"places\":[1,2]", 1),
        other => other,
    };
    let cut = |line: &str| line[..line.len() / 2].to_owned();
    let unchecked = |line: &str| line.split(",\"check\"").next().unwrap().to_owned() + "}";
    let twice = |_: &str| lines[1].to_owned();
    let changes: [&dyn Fn(&str) -> String; 4] = [&swapped, &cut, &unchecked, &twice];
    for change in changes {
        damaged(change);
        for words in [
            vec!["rate", &path("damaged.jsonl")],
            vec!["merge", &path("damaged.jsonl"), "-o", &path("never.jsonl")],
            vec!["replay", &path("damaged.jsonl"), "1"],
            vec!["match", &resume],
        ] {
            let text = refusal(&words);
            assert!(text.contains("damaged.jsonl, line 3"), "{words:?}: {text}");
        }
    }
    assert!(!Path::new(&path("never.jsonl")).exists());
    // Files of format 1 may have no checksums and stay readable; those of format 2 have them.
    let old: Vec<String> = lines.iter().map(|line| unchecked(line)).collect();
    std::fs::write(path("old.jsonl"), old.join("\n") + "\n").unwrap();
    let text = refusal(&["rate", &path("old.jsonl")]);
    assert!(text.contains("line 1: damaged: the checksum is missing"), "{text}");
    let old: Vec<String> =
        old.iter().map(|line| line.replacen("{\"parlor\":2", "{\"parlor\":1", 1)).collect();
    std::fs::write(path("old.jsonl"), old.join("\n") + "\n").unwrap();
    expect(0, &["rate", &path("old.jsonl")]);
    expect(0, &["merge", &path("old.jsonl"), "-o", &path("new.jsonl")]);
    assert_eq!(games(Path::new(&path("new.jsonl"))).1, games(Path::new(&records)).1);
}

#[test]
fn a_second_writer_is_refused_with_the_process_that_writes() {
    let directory = scratch();
    let records = within(&directory, "records.jsonl");
    let (one, two) = (mock("--think 0.05"), format!("{} name=two", mock("--think 0.05")));
    let words = ["match", &one, &two, "--games", "1000", "--records", &records];
    let mut first = command(&words).stdout(std::process::Stdio::null()).spawn().unwrap();
    while std::fs::metadata(&records).map_or(0, |file| file.len()) == 0 {
        std::thread::sleep(Duration::from_millis(20));
    }
    let text = refusal(&["match", "-y", "--records", &records, "--resume"]);
    first.kill().unwrap();
    first.wait().unwrap();
    assert!(text.contains("records.jsonl: ") && text.contains("is writing this file"), "{text}");
    if cfg!(target_os = "linux") {
        assert!(text.contains(&format!("process {}", first.id())), "{text}");
    }
    // The lock ends with the process.
    expect(0, &["match", "-y", "--records", &records, "--resume", "--games", "2"]);
}

#[test]
fn another_match_is_not_mixed_in() {
    let directory = scratch();
    let records = within(&directory, "records.jsonl");
    let (one, two) = (mock(""), format!("{} name=two", mock("--lose")));
    expect(0, &["match", &one, &two, "--records", &records]);
    let text = refusal(&["match", &one, &two, "--records", &records, "--seed", "2", "--resume"]);
    assert!(text.contains("another key than that of the match"), "{text}");
    let text = refusal(&["match", &two, &one, "--records", &records, "--resume"]);
    assert!(text.contains("the records are of another match"), "{text}");
    let text = refusal(&["match", &one, &two, "--records", &records]);
    assert!(text.contains("add --resume"), "{text}");
}

#[test]
fn an_edited_file_of_openings_is_refused_by_name() {
    let directory = scratch();
    let path = |name: &str| within(&directory, name);
    let (records, openings) = (path("records.jsonl"), path("book.txt"));
    let (one, two) = (mock(""), format!("{} name=two", mock("--lose")));
    std::fs::write(&openings, "startpos moves 1\nstartpos moves 2\n").unwrap();
    let words = ["match", &one, &two, "--openings", &openings, "--games", "2"];
    expect(0, &[&words[..], &["--records", &records]].concat());
    // The BLAKE3 hash of these bytes, by another implementation.
    let text = std::fs::read_to_string(&records).unwrap();
    let hash = "1d5754b2d57d184143905ed4ba73f1bc3da239a79abdd97753d95fdf70d939b8";
    assert!(text.lines().next().unwrap().contains(&format!("\"openings\":\"{hash}\"")), "{text}");
    std::fs::write(&openings, "startpos moves 1\nstartpos moves 3\n").unwrap();
    let resume = format!("--resume={records}");
    let text = refusal(&["match", "-y", &resume, "--games", "4"]);
    assert!(text.contains(&format!("{openings}, has changed since the match began")), "{text}");
    std::fs::write(&openings, "startpos moves 1\nstartpos moves 2\n").unwrap();
    expect(0, &["match", "-y", &resume, "--games", "4"]);
    assert_eq!(games(Path::new(&records)).1.len(), 4);
}

#[test]
fn records_that_are_being_written_are_replaced_by_no_program() {
    let directory = scratch();
    let path = |name: &str| within(&directory, name);
    let (records, pgn, plain) = (path("records.jsonl"), path("g.pgn"), path("other.jsonl"));
    let merged = path("merged.jsonl");
    let other = ["match", "barca", "barca", "--games", "2", "--nodes", "20", "--ply-limit", "6"];
    expect(0, &[&other[..], &["--records", &plain, "--pgn", &pgn]].concat());
    let mut child = start_long(&records, "0.02");
    for words in [
        &["merge", &records, "-o", &records][..],
        &["import", &pgn, "-o", &records],
        &["export", &plain, "-o", &records],
        &["book", &plain, "-o", &records],
        &["plot", &plain, "-o", &records],
        &["rate", &plain, "--svg", &records],
        &["merge", &plain, "-o", &merged, "--json", &records],
        &[&other[..], &["--text", &records]].concat(),
        &[&other[..], &["--pgn", &records]].concat(),
        &[&other[..], &["--save-config", &records]].concat(),
    ] {
        let text = refusal(words);
        let holder = format!("process {} is writing this file", child.id());
        assert!(text.contains(&holder), "{words:?}: {text}");
    }
    child.kill().unwrap();
    child.wait().unwrap();
    assert!(!games(Path::new(&records)).1.is_empty());
    expect(0, &["merge", &records, "-o", &records]);
}

/// A long match that has recorded a game.
fn start_long(records: &str, think: &str) -> Child {
    let engine = mock(&format!("--think {think}"));
    let (one, two) = (&engine, format!("{engine} name=two"));
    let mut words = vec!["match", one, &two, "--games", "1000", "-q", "--records", records];
    words.extend(["--margin", "5000"]);
    let child = command(&words).stderr(Stdio::piped()).spawn().unwrap();
    while std::fs::read_to_string(records).map_or(0, |text| text.lines().count()) < 2 {
        std::thread::sleep(Duration::from_millis(5));
    }
    child
}

#[test]
fn removed_and_replaced_records_are_rescued_by_every_end_of_a_match() {
    let interrupt = |child: &Child| {
        kill(Pid::from_raw(child.id() as i32), Signal::SIGINT).unwrap();
    };
    let remove = |_: &Path, records: &str| std::fs::remove_file(records).unwrap();
    let replace = |other: &Path, records: &str| {
        std::fs::write(other, "other\n").unwrap();
        std::fs::rename(other, records).unwrap();
    };
    // The next game, the end of the games in progress, and the end at once.
    type Loss = dyn Fn(&Path, &str);
    let cases: [(&Loss, usize); 4] = [(&remove, 0), (&replace, 1), (&remove, 2), (&replace, 2)];
    for (lose, interrupts) in cases {
        let directory = scratch();
        let records = within(&directory, "records.jsonl");
        // At once: no game ends any more.
        let child = start_long(&records, if interrupts == 2 { "0.1" } else { "0.02" });
        let kept = games(Path::new(&records)).1.len();
        lose(&directory.path().join("other"), &records);
        for _ in 0..interrupts {
            interrupt(&child);
            std::thread::sleep(Duration::from_millis(50));
        }
        let rescued = format!("{records}.{}.rescued", child.id());
        let output = child.wait_with_output().unwrap();
        let text = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{interrupts} interrupts: {text}");
        assert!(text.contains("removed or replaced") && text.contains(&rescued), "{text}");
        let found = games(Path::new(&rescued)).1.len();
        assert!(found >= kept, "{found} of {kept} games");
        let all = (found + 1).to_string();
        expect(0, &["match", "--yes", &format!("--resume={rescued}"), "--games", &all, "-q"]);
        assert_eq!(games(Path::new(&rescued)).1.len(), found + 1);
    }
}
