//! Full disks, places that cannot be written to, names that are not UTF-8, few open files, no home.

use std::fs;
use std::os::unix::ffi::OsStringExt;
use std::path::Path;
use std::process::Command;

use crate::support::{PARLOR, games, mock, parlor, scratch, within};

/// A match of two games with these options: exit code, standard output, standard error.
fn short_match(options: &[&str]) -> (i32, String, String) {
    let (one, two) = (mock(""), format!("{} name=two", mock("")));
    let words = ["match", &one, &two, "--rounds", "1", "--rule", "Counters=12"];
    let output = parlor(&[&words[..], options].concat());
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    (output.status.code().expect("no signal"), text(&output.stdout), text(&output.stderr))
}

#[test]
fn files_that_cannot_be_made_are_refused_before_the_first_game() {
    for option in ["--records", "--text", "--json", "--log", "--stderr"] {
        for place in ["/dev/null/below", "/proc/nothing/there"] {
            let (code, output, error) = short_match(&[option, place]);
            assert_eq!((code, output.as_str()), (2, ""), "{option} {place}: {error}");
            let name = option.trim_start_matches("--");
            assert!(error.starts_with("parlor: ") && error.contains(name), "{option}: {error}");
            assert!(error.contains("os error") && !error.contains("exists"), "{option}: {error}");
        }
    }
}

#[test]
fn records_whose_key_cannot_be_kept_are_not_begun() {
    let directory = scratch();
    let records = within(&directory, "records.jsonl");
    fs::create_dir(format!("{records}.key")).unwrap();
    let (code, _, error) = short_match(&["--records", &records]);
    assert_eq!(code, 2, "{error}");
    assert!(error.contains("records.jsonl.key"), "{error}");
    assert!(!Path::new(&records).exists(), "an empty file is in the way of the next try");
}

#[test]
#[cfg(target_os = "linux")]
fn a_full_disk_is_reported_and_the_old_files_stay() {
    for option in ["--text", "--json", "--save-config", "--log"] {
        let (code, _, error) = short_match(&[option, "/dev/full"]);
        assert_eq!(code, 2, "{option}: {error}");
        assert!(error.contains("No space left on device"), "{option}: {error}");
        assert!(error.contains(option), "{option}: {error}");
    }
    let script = format!("exec {PARLOR} engine >/dev/full");
    let output = Command::new("sh").args(["-c", &script]).output().unwrap();
    let error = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(2), "{error}");
    assert!(error.contains("standard output: No space left on device"), "{error}");
}

#[test]
fn the_text_of_a_match_replaces_an_old_one_only_when_the_match_is_over() {
    let directory = scratch();
    let text = within(&directory, "games.txt");
    fs::write(&text, "old").unwrap();
    // The records cannot be made, so no game is played.
    let (code, _, _) = short_match(&["--text", &text, "--records", "/dev/null/below"]);
    assert_eq!(code, 2);
    assert_eq!(fs::read_to_string(&text).unwrap(), "old");
    let (code, _, error) = short_match(&["--text", &text]);
    assert_eq!(code, 0, "{error}");
    assert!(fs::read_to_string(&text).unwrap().len() > 100);
    assert_eq!(fs::read_dir(directory.path()).unwrap().count(), 1);
}

#[test]
fn a_name_that_is_not_utf_8_is_refused_where_a_config_would_quote_it() {
    let directory = scratch();
    let name = std::ffi::OsString::from_vec(b"bad\xff".to_vec());
    let path = directory.path().join(name);
    let mut command = Command::new(PARLOR);
    command.args(["match", &mock(""), &mock("name=two"), "--records"]).arg(&path);
    let output = command.output().unwrap();
    let error = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(2), "{error}");
    assert!(error.contains("--records") && error.contains("must be UTF-8"), "{error}");
    // Where nothing quotes it, it is a name like any other.
    let output = Command::new(PARLOR).arg("rate").arg(&path).output().unwrap();
    let error = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(error.contains("No such file or directory"), "{error}");
}

#[test]
#[cfg(target_os = "linux")]
fn a_match_that_needs_more_open_files_than_allowed_is_refused() {
    let directory = scratch();
    let records = within(&directory, "records.jsonl");
    let run = |limit: u32, slots: u32| {
        let script = format!(
            "ulimit -n {limit} && exec {PARLOR} match barca 'barca name=two' --rounds 1 --nodes 20 \
             -c {slots} --records {records}"
        );
        let output = Command::new("sh").args(["-c", &script]).output().unwrap();
        (output.status.code(), String::from_utf8_lossy(&output.stderr).into_owned())
    };
    let (code, error) = run(64, 40);
    assert_eq!(code, Some(2), "{error}");
    assert!(error.contains("the limit of this process is 64, enough for 5"), "{error}");
    assert!(!Path::new(&records).exists());
    let (code, error) = run(64, 2);
    assert_eq!(code, Some(0), "{error}");
    assert_eq!(games(Path::new(&records)).1.len(), 2);
}

/// Threads have a stack of a gigabyte here, and eight gigabytes are to be had.
#[test]
#[cfg(target_os = "linux")]
fn more_threads_than_there_are_are_refused_with_how_many_would_fit() {
    let directory = scratch();
    let (records, suite) = (within(&directory, "records.jsonl"), within(&directory, "suite"));
    fs::write(&suite, "startpos ; perft 1 38\n".repeat(64)).unwrap();
    for (option, command) in [
        ("--concurrency", format!("match barca 'barca name=two' --nodes 9 --records {records} -c")),
        ("--threads", format!("suite {suite} barca -j")),
    ] {
        let script = format!(
            "ulimit -v 8388608 && export RUST_MIN_STACK=1073741824 && exec {PARLOR} {command} 64"
        );
        let output = Command::new("sh").args(["-c", &script]).output().unwrap();
        let error = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(2), "{error}");
        let start = format!("{option} 64 needs more threads than the system gives (");
        let (_, rest) = error.split_once(&start).unwrap_or_else(|| panic!("{error}"));
        let (_, fitting) = rest.split_once("); ").unwrap();
        let (fitting, rest) = fitting.split_once(' ').unwrap();
        assert!((1..8).contains(&fitting.parse::<u32>().unwrap()), "{error}");
        assert_eq!(rest, "would fit\n");
    }
    assert!(!Path::new(&records).exists());
}

#[test]
fn a_match_needs_no_home() {
    let script =
        format!("unset HOME; exec {PARLOR} match barca 'barca name=two' --rounds 1 --nodes 20");
    let output = Command::new("sh").args(["-c", &script]).output().unwrap();
    assert_eq!(output.status.code(), Some(0), "{output:?}");
}
