//! A person at a terminal of 80 by 24 who knows none of the games, played by
//! `terminal_session.py`: reads the rules, types no move, then ten turns from what `?` offers.
//! And what long work shows at a terminal.

use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};

use crate::support::{python, scratch};

/// Everything that the terminal showed, as lines without escape sequences, and the turns played.
fn session(game: &str, turns: usize) -> (Vec<String>, usize) {
    let driver = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/runner/terminal_session.py");
    // Random play: what happens does not depend on how fast the machine is.
    let engine = format!("{game} option.Player=random");
    let output = Command::new(python())
        .args(["-S", "-E", "-B"])
        .arg(driver)
        .arg(turns.to_string())
        .args([env!("CARGO_BIN_EXE_parlor"), "play", &engine, "--seed", "7", "--movetime", "10"])
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    let shown = String::from_utf8_lossy(&output.stdout).into_owned();
    let plain = anstream::adapter::strip_str(&shown).to_string().replace('\r', "");
    let lines: Vec<String> = plain.lines().map(|line| line.trim_end().to_owned()).collect();
    let played = said.trim().strip_prefix("played ").and_then(|number| number.parse().ok());
    let played = played.unwrap_or_else(|| panic!("{game}: {said}\n{}", lines.join("\n")));
    (lines, played)
}

/// The number of lines from a board to the prompt below it.
fn screens(lines: &[String], is_prompt: impl Fn(&str) -> bool) -> Vec<usize> {
    let mut sizes = Vec::new();
    let mut start = None;
    for (index, line) in lines.iter().enumerate() {
        if line.is_empty() {
            start = Some(index + 1);
        } else if is_prompt(line) {
            sizes.extend(start.take().map(|start| index - start));
        }
    }
    sizes
}

/// Plays and checks what holds in every game; the text that was shown.
fn play(game: &str, seat: &str) -> String {
    const TURNS: usize = 12;
    let (lines, played) = session(game, TURNS);
    let text = lines.join("\n");
    let over = text.contains("game over>");
    assert!(played == TURNS || over, "{game}: {played} turns\n{text}");
    assert!(played >= 10, "{game}: {played} turns\n{text}");
    // What is typed is drawn again and again on its line.
    for line in lines.iter().filter(|line| !line.contains("> ")) {
        assert!(line.chars().count() <= 80, "{game}: {line}");
    }
    let prompt = format!("{seat}> ");
    let sizes = screens(&lines, |line| line.starts_with(prompt.trim_end()));
    assert!(sizes.len() >= 10, "{game}: {} boards\n{text}", sizes.len());
    // The board, at most 22 lines, and the task; then the prompt.
    assert!(sizes.iter().all(|size| *size <= 23), "{game}: {sizes:?}\n{text}");
    assert!(text.contains("zz99zz is not a legal move"), "{game}:\n{text}");
    assert_eq!(text.matches("is not a legal move").count(), 1, "{game}:\n{text}");
    assert!(text.contains("What to type"), "{game}: the rules are missing\n{text}");
    assert!(!text.contains("startpos") && !text.contains("fen:"), "{game}:\n{text}");
    text
}

#[test]
fn a_newcomer_plays_barca() {
    let text = play("barca", "White");
    assert!(text.contains("Choose an animal"), "{text}");
}

#[test]
fn a_newcomer_plays_pacru() {
    let text = play("pacru", "White");
    assert!(text.contains("Choose a chevron"), "{text}");
}

#[test]
fn a_newcomer_plays_porrika() {
    let text = play("porrika", "Copper");
    assert!(text.contains("Choose the space of the first egg"), "{text}");
    // What was begun stands on the next line, to be continued.
    let typed = |line: &str| line.strip_prefix("Copper> ").map(|rest| rest.split(' ').count());
    assert!(text.lines().any(|line| typed(line).is_some_and(|words| words > 1)), "{text}");
}

#[test]
fn a_newcomer_plays_chowka_bhara() {
    let text = play("chowka-bhara", "South");
    assert!(text.contains("South throws") && text.contains("Thrown: "), "{text}");
}

#[test]
fn a_newcomer_plays_barbarossa() {
    let text = play("barbarossa", "Player 1");
    // The phases are explained when they begin, once.
    for explained in ["Everybody chooses secret words", "Now the object takes shape"] {
        assert_eq!(text.matches(explained).count(), 1, "{text}");
    }
}

/// What a command writes to a terminal where something is typed; `None` where no program `script` can
/// open one.
fn at_a_terminal(command: &str, directory: &Path, typed: &str) -> Option<String> {
    let mut script = Command::new("script");
    script.args(["-qec", command, "/dev/null"]).current_dir(directory);
    let script = script.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut running = script.spawn().ok()?;
    running.stdin.take().unwrap().write_all(typed.as_bytes()).unwrap();
    let output = running.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(0), "{command}: {output:?}");
    Some(String::from_utf8_lossy(&output.stdout).into_owned())
}

/// A board of 22 lines leaves no room below it: what a lesson or a puzzle asks for stands beside it.
#[test]
fn what_a_lesson_asks_for_is_seen_with_its_board() {
    for (subcommand, read) in [("learn", "Lesson 1: "), ("puzzle", " moves")] {
        let directory = scratch();
        let parlor = env!("CARGO_BIN_EXE_parlor");
        let command = format!("env XDG_STATE_HOME=state {parlor} {subcommand} porrika");
        let Some(shown) = at_a_terminal(&command, directory.path(), "quit\n") else { return };
        let plain = anstream::adapter::strip_str(&shown).to_string().replace('\r', "");
        let lines: Vec<String> = plain.lines().map(|line| line.trim_end().to_owned()).collect();
        let prompts = |line: &str| line.starts_with("Copper>") || line.starts_with("Silver>");
        let sizes = screens(&lines, prompts);
        assert!(!sizes.is_empty() && sizes.iter().all(|size| *size <= 23), "{sizes:?}\n{plain}");
        let line =
            lines.iter().find(|line| line.contains(read)).unwrap_or_else(|| panic!("{plain}"));
        assert!(line.contains(['|', '\u{2502}']), "{plain}");
    }
}

#[test]
fn long_work_shows_how_far_it_is_and_the_time_left() {
    let directory = scratch();
    let barca = env!("CARGO_BIN_EXE_barca");
    let command = format!("{barca} selfplay random random --nodes 10 --openings 4");
    let Some(shown) = at_a_terminal(&command, directory.path(), "") else { return };
    assert!(shown.contains("4/4 openings") && shown.contains(" left"), "{shown}");
}
