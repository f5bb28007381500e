//! What the commands of `parlor-lab` print and write, run as a user would.

use std::collections::HashSet;
use std::path::Path;
use std::process::{Command, Output, Stdio};

const PROGRAM: &str = env!("CARGO_BIN_EXE_parlor-lab");

fn run(folder: &Path, line: &str) -> Output {
    let words = line.split_whitespace();
    Command::new(PROGRAM).args(words).current_dir(folder).output().expect("started")
}

/// What a command that ends well prints.
fn printed(line: &str) -> String {
    let output = run(Path::new("."), line);
    assert_eq!(output.status.code(), Some(0), "{line}: {}", errors(&output));
    String::from_utf8(output.stdout).expect("text")
}

fn errors(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

fn scratch() -> tempfile::TempDir {
    tempfile::tempdir().expect("a folder")
}

/// A small run of every game's training: equal arguments, equal bytes, other ones others.
#[test]
fn equal_arguments_give_equal_games_and_equal_weights() {
    for (game, record, train) in [
        ("barca", "--games 6 --nodes 30 --random 10", "--epochs 1 --batch 64"),
        ("chevrons", "--game pacru --games 4 --nodes 30", "--game pacru --epochs 1 --batch 64"),
        (
            "chevrons",
            "--game azacru --players 3 --games 4 --nodes 30",
            "--game azacru --seats 34 --epochs 1 --batch 64",
        ),
        ("porrika", "--games 6 --nodes 30 --tables 3", "--epochs 1 --batch 64"),
    ] {
        let folder = scratch();
        let made = |name: &str, more: &str| {
            let recorded = run(
                folder.path(),
                &format!("{game} record {record} {more} --chunk 2 --out {name}"),
            );
            assert!(recorded.status.success(), "{game}: {}", errors(&recorded));
            let train = format!("{game} train {name} {train} --out {name}.network");
            let trained = run(folder.path(), &train);
            assert!(trained.status.success(), "{game}: {}", errors(&trained));
            let read = |file: &str| std::fs::read(folder.path().join(file)).expect("written");
            let games = ["00001", "00002"].map(|part| read(&format!("{name}/games-{part}.txt")));
            (games, read(&format!("{name}.network")))
        };
        let one = made("one", "--seed 1");
        assert!(one == made("same", "--seed 1"), "{game}");
        let other = made("other", "--seed 2");
        assert!(one.0 != other.0 && one.1 != other.1, "{game}");
        // The second file made alone is that of the whole run.
        let part = run(
            folder.path(),
            &format!("{game} record {record} --seed 1 --chunk 2 --out part --shard 2/2"),
        );
        assert!(part.status.success(), "{game}: {}", errors(&part));
        let second = std::fs::read(folder.path().join("part/games-00002.txt")).expect("written");
        assert!(second == one.0[1], "{game}");
        let refused = run(folder.path(), &format!("{game} record {record} --seed 3 --out one"));
        assert!(errors(&refused).contains("holds another recording"), "{}", errors(&refused));
    }
}

/// The label of a folder names the game.
#[test]
fn a_folder_holds_the_games_of_one_game() {
    let folder = scratch();
    let record = |game: &str| {
        let line = format!("chevrons record --game {game} --games 1 --nodes 5 --out games");
        run(folder.path(), &line)
    };
    assert!(record("azacru").status.success());
    let refused = record("shacru");
    assert!(errors(&refused).contains("holds another recording"), "{}", errors(&refused));
}

#[test]
fn chowka_bharas_weights_are_equal_for_equal_arguments_and_learn_on_from_a_file() {
    let folder = scratch();
    let train = |arguments: &str, name: &str| {
        let line = format!("chowka-bhara train --games 25 {arguments} --out {name}");
        let output = run(folder.path(), &line);
        (output.status.success(), errors(&output))
    };
    let bytes = |name: &str| std::fs::read(folder.path().join(name)).expect("weights");
    for seats in ["2", "34"] {
        assert!(train(&format!("--seats {seats}"), "first").0);
        assert!(train(&format!("--seats {seats}"), "same").0);
        assert!(bytes("first") == bytes("same"));
    }
    let further = "--seats 34 --from first --rounds 2";
    let (good, notes) = train(further, "a");
    assert!(good && notes.matches("held out error").count() == 4, "{notes}");
    assert!(train(further, "b").0 && bytes("a") == bytes("b") && bytes("a") != bytes("first"));
    let (good, error) = train("--from first", "c");
    assert!(!good && error.contains("--seats 34"), "{error}");
    let (good, error) = train("--seats 34 --from none", "c");
    assert!(!good && error.contains("none"), "{error}");
    let table = concat!(env!("CARGO_MANIFEST_DIR"), "/../tests/data/chowka-bhara/one.table");
    for name in ["taught", "taught-again"] {
        let (good, error) = train(&format!("--teacher {table}"), name);
        assert!(good, "{error}");
    }
    assert!(train("--seats 2", "untaught").0);
    assert!(bytes("taught") == bytes("taught-again") && bytes("taught") != bytes("untaught"));
    let (good, error) = train("--seats 34 --teacher first", "d");
    assert!(!good && error.contains("no --teacher with 34"), "{error}");
    let (good, error) = train("--teacher first", "d");
    assert!(!good && error.contains("is no table of chowka-bhara"), "{error}");
}

#[test]
fn porrikas_weights_are_the_same_on_any_number_of_threads() {
    let tune = |threads: u64| {
        printed(&format!("porrika tune --rounds 1 --games 3 --nodes 100 --threads {threads}"))
    };
    let weights = tune(1);
    assert!(weights.starts_with("# Written by `parlor-lab porrika tune`"), "{weights}");
    assert_eq!(weights, tune(3));
}

#[test]
fn setups_values_every_set_up() {
    let table = printed("porrika setups --nodes 60");
    let rows: Vec<Vec<&str>> =
        table.lines().skip(1).map(|line| line.split_whitespace().collect()).collect();
    let tokens: HashSet<&str> = rows.iter().map(|row| row[1]).collect();
    assert_eq!((rows.len(), tokens.len()), (420, 420), "{table}");
    for token in tokens {
        let count = |letter: &str| token.matches(letter).count();
        assert_eq!((count("E"), count("G"), count(".")), (2, 4, 2), "{token}");
    }
    let scores = rows.iter().map(|row| row[2].parse::<f64>().expect("no win yet"));
    assert!(scores.is_sorted_by(|better, worse| better >= worse), "{table}");
    // A mark for every set-up, a bar for each pair of spaces of the eggs.
    let drawing = printed("porrika setups --nodes 60 --svg");
    assert!(drawing.starts_with("<svg ") && drawing.ends_with("</svg>\n"), "{drawing}");
    assert_eq!(drawing.matches("<circle ").count(), 420);
    assert_eq!(drawing.matches("stroke-width=\"2\"").count(), 28);
    assert!(drawing.contains(">a1n d1n</text>"), "{drawing}");
}

/// What a command writes to a terminal; `None` where no program `script` can open one.
fn at_a_terminal(command: &str, folder: &Path) -> Option<String> {
    let mut script = Command::new("script");
    script.args(["-qec", command, "/dev/null"]).current_dir(folder).env("TERM", "xterm");
    let output = script.stdin(Stdio::null()).output().ok()?;
    assert_eq!(output.status.code(), Some(0), "{command}: {output:?}");
    Some(String::from_utf8_lossy(&output.stdout).into_owned())
}

#[test]
fn long_work_shows_how_far_it_is_at_a_terminal_and_nothing_in_a_pipe() {
    let folder = scratch();
    for (words, last) in [
        ("barca record --games 6 --nodes 20 > games.txt", "6/6 games"),
        ("barca train games.txt --epochs 2 --out trained.network", "2/2 epochs"),
        ("chevrons record --game pacru --games 2 --nodes 20 > pacru.txt", "2/2 games"),
    ] {
        let Some(shown) = at_a_terminal(&format!("{PROGRAM} {words}"), folder.path()) else {
            return;
        };
        assert!(shown.contains(last) && shown.contains(" left"), "{words}: {shown}");
        // What is read by a program has no bar in it.
        if let Some((_, file)) = words.split_once("> ") {
            let text = std::fs::read_to_string(folder.path().join(file)).expect("a file");
            assert!(!text.contains('\u{1b}') && !text.contains("left"), "{text}");
        }
    }
    let piped = run(Path::new("."), "chevrons record --game pacru --games 2 --nodes 20");
    assert!(piped.stderr.is_empty(), "{}", errors(&piped));
}

#[test]
#[cfg(target_os = "linux")]
fn a_full_disk_is_reported_and_nothing_panics() {
    let folder = scratch();
    for line in [
        "chowka-bhara train --seats 2 --games 2 --out /dev/full",
        "porrika tune --rounds 1 --games 2 --nodes 10 --out /dev/full",
    ] {
        let output = run(folder.path(), line);
        let full = errors(&output).contains("No space left on device");
        assert!(output.status.code() == Some(1) && full, "{line}: {}", errors(&output));
    }
    let shell = |script: &str| {
        let mut shell = Command::new("sh");
        shell.args(["-c", script, PROGRAM]).current_dir(folder.path()).output().expect("a shell")
    };
    for line in [
        "--help",
        "chevrons record --game pacru --games 1 --nodes 5",
        "barca record --games 1 --nodes 5",
    ] {
        let output = shell(&format!("\"$0\" {line} > /dev/full"));
        assert_eq!(output.status.code(), Some(1), "{line}: {}", errors(&output));
        assert_eq!(errors(&output).lines().count(), 1, "{line}: {}", errors(&output));
        // Where standard error is full nobody can be told, but the work is done.
        assert_eq!(shell(&format!("\"$0\" {line} 2> /dev/full")).status.code(), Some(0), "{line}");
    }
    // A result in a file is wanted even if nobody reads what is printed.
    let tune = "porrika tune --rounds 1 --games 2 --nodes 10 --threads 1 --out weights";
    let output = shell(&format!("{{ \"$0\" {tune}; echo $? >&2; }} | true"));
    assert_eq!(errors(&output).lines().last(), Some("0"), "{}", errors(&output));
    assert!(folder.path().join("weights").exists());
}

#[test]
fn a_failed_write_leaves_the_old_file_and_no_other() {
    let folder = scratch();
    let path = folder.path().join("weights");
    std::fs::write(&path, "old").expect("writable");
    let mut permissions = std::fs::metadata(&path).expect("there").permissions();
    permissions.set_readonly(true);
    std::fs::set_permissions(&path, permissions).expect("mine");
    for out in ["weights", "/no/such/folder/x"] {
        let line = format!("porrika tune --rounds 1 --games 2 --nodes 10 --out {out}");
        let output = run(folder.path(), &line);
        let told = errors(&output).contains("--out");
        assert!(output.status.code() == Some(1) && told, "{}", errors(&output));
    }
    assert_eq!(std::fs::read(&path).expect("there"), b"old");
    assert_eq!(std::fs::read_dir(folder.path()).expect("there").count(), 1);
}

#[test]
fn a_wrong_command_line_is_refused_with_the_way_out() {
    for (line, part) in [
        ("", "Usage: parlor-lab <COMMAND>"),
        ("chess record", "unrecognized subcommand 'chess'"),
        ("barca record --random 101", "--random"),
        ("barca train", "<FILE>"),
        ("barca record --shard 3/2 --out x", "write 1/4 for the first of four"),
        ("barca record --shard 1/2", "--out <DIR>"),
    ] {
        let output = run(Path::new("."), line);
        assert_eq!(output.status.code(), Some(2), "{line}");
        assert!(errors(&output).contains(part), "{line}: {}", errors(&output));
    }
}
