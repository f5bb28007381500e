//! The commands of the documents: they are run as they stand.
//!
//! A block of `sh` is a script that must end with 0, a block of `console` a program and its input,
//! with answers that must come, a block of `game` a game that must be legal and end as said. Blocks
//! after `<!-- long -->` and `<!-- example -->` are only read: their options must exist. A block after
//! `<!-- figures -->` is commands with what they print, so that a figure of a page cannot go stale.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use parlor::games::NAMES;

use crate::programs::program;

/// Whether a word is the name of one of our programs. The tests of the lab look at its own.
fn is_program(word: &str) -> bool {
    word == "parlor" || NAMES.contains(&word)
}

/// A fenced block: where it stands, the line before it, its label, its lines.
struct Block {
    place: String,
    mark: String,
    label: String,
    lines: Vec<String>,
}

impl Block {
    fn has_figures(&self) -> bool {
        self.mark == "<!-- figures -->"
    }

    /// The gate itself runs the blocks after `<!-- run -->` and `<!-- test -->`.
    fn is_only_read(&self) -> bool {
        ["<!-- long -->", "<!-- example -->", "<!-- run -->", "<!-- test -->"]
            .contains(&self.mark.as_str())
    }
}

fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
}

/// The documents whose commands are tried.
pub fn pages() -> Vec<PathBuf> {
    let mut pages: Vec<PathBuf> =
        ["README.md", "CONTRIBUTING.md", "protocol-spec.md"].map(|page| root().join(page)).into();
    for folder in ["docs", "docs/engine", "lab/notes"] {
        let found = std::fs::read_dir(root().join(folder)).unwrap();
        let found = found.map(|entry| entry.unwrap().path());
        pages.extend(found.filter(|path| path.extension().is_some_and(|e| e == "md")));
    }
    pages.sort();
    pages
}

fn blocks() -> Vec<Block> {
    let mut blocks = Vec::new();
    for page in pages() {
        let text = std::fs::read_to_string(&page).unwrap();
        let name = page.strip_prefix(root()).unwrap().display().to_string();
        let mut open: Option<Block> = None;
        let mut before = "";
        for (number, line) in text.lines().enumerate() {
            match (&mut open, line.strip_prefix("```")) {
                (None, Some(label)) => {
                    open = Some(Block {
                        place: format!("{name}:{}", number + 1),
                        mark: before.into(),
                        label: label.into(),
                        lines: Vec::new(),
                    });
                }
                (Some(_), Some("")) => blocks.extend(open.take()),
                (Some(block), _) => block.lines.push(line.into()),
                (None, None) => before = line,
            }
        }
        assert!(open.is_none(), "{name}: a block is not closed");
    }
    blocks
}

fn of_label<'a>(blocks: &'a [Block], label: &str) -> Vec<&'a Block> {
    blocks.iter().filter(|block| block.label.split(' ').next() == Some(label)).collect()
}

/// The folder of the programs.
fn programs() -> &'static Path {
    Path::new(program("barca")).parent().unwrap()
}

/// A shell in which the programs have their names, in a folder with the files of the repository.
fn shell(folder: &Path, script: &str) -> Command {
    for name in ["examples", "data", "docs", "tests"] {
        let link = folder.join(name);
        if !link.exists() {
            std::os::unix::fs::symlink(root().join(name), link).unwrap();
        }
    }
    let path = format!("{}:{}", programs().display(), std::env::var("PATH").unwrap());
    let mut command = Command::new("bash");
    command.args(["-e", "-o", "pipefail", "-c", script]).current_dir(folder).env("PATH", path);
    command.env("HOME", folder).env_remove("XDG_DATA_HOME").env_remove("XDG_CONFIG_HOME");
    command.stdin(Stdio::null());
    command
}

#[test]
fn every_block_with_commands_says_so() {
    for block in blocks() {
        let first = block.lines.iter().map(|line| line.trim_start_matches("$ "));
        let mut words = first.map(|line| line.split(' ').next().unwrap_or(""));
        let commands = words.any(|word| is_program(word) || word == "cargo");
        let labelled = ["sh", "console", "mermaid"].contains(&block.label.as_str());
        assert!(!commands || labelled, "{}: label the block sh", block.place);
    }
}

#[test]
fn the_commands_end_well() {
    let blocks = blocks();
    let mut ran = 0;
    for block in of_label(&blocks, "sh").into_iter().filter(|block| !block.is_only_read()) {
        let folder = tempfile::tempdir().unwrap();
        let output = shell(folder.path(), &block.lines.join("\n")).output().unwrap();
        let errors = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(0), "{}: {errors}", block.place);
        ran += 1;
    }
    assert!(ran > 2, "only {ran} blocks");
}

/// The words of a script that come after one of our programs, command by command.
fn commands(script: &str) -> Vec<Vec<String>> {
    let joined = script.replace("\\\n", " ");
    let parts = joined.split(['\n', ';', '|', '&']);
    let words = parts.map(|part| {
        let part = part.split(" #").next().unwrap_or("");
        part.split_whitespace().map(String::from).collect::<Vec<_>>()
    });
    words.filter(|words| words.first().is_some_and(|word| is_program(word))).collect()
}

/// Commands that nobody waits for are spelled right at least: shell and options.
#[test]
fn the_other_commands_have_options_that_exist() {
    let blocks = blocks();
    let folder = tempfile::tempdir().unwrap();
    let mut read = 0;
    for block in of_label(&blocks, "sh") {
        let script = block.lines.join("\n");
        let parsed = Command::new("bash").args(["-n", "-c", &script]).output().unwrap();
        assert!(parsed.status.success(), "{}: {parsed:?}", block.place);
        for words in commands(&script) {
            let subcommand = words.get(1).filter(|word| !word.starts_with('-'));
            let line = format!("{} {} --help", words[0], subcommand.map_or("", |word| word));
            let help = shell(folder.path(), &line).output().unwrap();
            let known = String::from_utf8_lossy(&help.stdout).into_owned();
            assert!(help.status.success(), "{}: {line}", block.place);
            for word in words.iter().filter(|word| word.starts_with("--")) {
                let option = word.split('=').next().unwrap();
                assert!(known.contains(option), "{}: {} has no {option}", block.place, line);
                read += 1;
            }
        }
    }
    assert!(read > 30, "only {read} options");
}

/// The output of a program for this input.
fn answers(command: &str, input: &str) -> String {
    let folder = tempfile::tempdir().unwrap();
    let mut shell = shell(folder.path(), command);
    let mut child = shell.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    child.stdin.take().unwrap().write_all(input.as_bytes()).unwrap();
    String::from_utf8(child.wait_with_output().unwrap().stdout).unwrap()
}

/// Whether a line of a console block is an answer: then it must come, up to an ellipsis.
fn is_answer(line: &str) -> bool {
    ["response ", "info ", "bestmove "].iter().any(|start| line.starts_with(start)) || line == "..."
}

#[test]
fn the_sessions_give_the_answers_that_stand_there() {
    let blocks = blocks();
    let mut compared = 0;
    let sessions = of_label(&blocks, "console").into_iter();
    for block in sessions.filter(|block| !block.is_only_read() && !block.has_figures()) {
        let command = block.lines[0].strip_prefix("$ ").unwrap();
        let (expected, input): (Vec<&String>, Vec<&String>) =
            block.lines[1..].iter().partition(|line| is_answer(line));
        // What follows several blanks is a remark.
        let input = input.iter().map(|line| line.split("   ").next().unwrap_or(""));
        let found = answers(command, &(input.collect::<Vec<_>>().join("\n") + "\n"));
        let mut left = found.as_str();
        for line in expected {
            let start = line.split("...").next().unwrap();
            let at = left.find(start);
            let at = at.unwrap_or_else(|| panic!("{}: no '{start}' in {found}", block.place));
            left = &left[at + start.len()..];
            compared += 1;
        }
    }
    assert!(compared > 8, "only {compared} answers");
}

/// Whether a line agrees with a quoted one, in which `...` stands for any text.
fn agrees(line: &str, quoted: &str) -> bool {
    let mut parts = quoted.split("...");
    let Some(mut left) = line.strip_prefix(parts.next().unwrap_or("")) else { return false };
    for part in parts {
        let Some((_, rest)) = left.split_once(part) else { return false };
        left = rest;
    }
    left.is_empty() || quoted.ends_with("...")
}

/// The lines of a block, command by command, each with what is quoted of its output.
fn quotations(block: &Block) -> Vec<(&str, Vec<&str>)> {
    let mut commands: Vec<(&str, Vec<&str>)> = Vec::new();
    for line in &block.lines {
        match (line.strip_prefix("$ "), commands.last_mut()) {
            (Some(command), _) => commands.push((command, Vec::new())),
            (None, Some((_, quoted))) => quoted.push(line),
            (None, None) => panic!("{}: the first line of figures is a command", block.place),
        }
    }
    commands
}

/// A line `...` stands for any number of lines; all others follow each other as they are printed.
#[test]
fn the_figures_are_what_the_commands_print() {
    let blocks = blocks();
    let mut compared = 0;
    for block in blocks.iter().filter(|block| block.has_figures()) {
        for (command, quoted) in quotations(block) {
            let found = answers(command, "");
            let mut lines = found.lines();
            let mut is_gap = false;
            for quoted in quoted {
                if quoted == "..." {
                    is_gap = true;
                    continue;
                }
                let agreed = match is_gap {
                    true => lines.any(|line| agrees(line, quoted)),
                    false => lines.next().is_some_and(|line| agrees(line, quoted)),
                };
                assert!(agreed, "{}: no '{quoted}' in\n{found}", block.place);
                (is_gap, compared) = (false, compared + 1);
            }
            assert!(is_gap || lines.next().is_none(), "{}: it goes on\n{found}", block.place);
        }
    }
    assert!(compared > 10, "only {compared} lines");
}

#[test]
fn the_games_are_legal_and_end_as_they_say() {
    let blocks = blocks();
    let games = of_label(&blocks, "game");
    assert!(games.len() >= 4, "{} games", games.len());
    for block in games {
        let mut words = block.label.split(' ').skip(1);
        let game = words.next().unwrap();
        let options: Vec<String> = words.map(|option| format!("--set {option}")).collect();
        let (end, moves): (Vec<&String>, Vec<&String>) =
            block.lines.iter().partition(|line| line.starts_with("= "));
        let tokens = moves.iter().map(|line| line.split("  ").next().unwrap_or(""));
        let position = format!("position startpos moves {}", tokens.collect::<Vec<_>>().join(" "));
        let input = format!("{position}\nquery result\nquery reason\n");
        let found = answers(&format!("{game} {}", options.join(" ")), &input);
        let expected: String = match end.as_slice() {
            [] => "response none\nresponse none\n".into(),
            [line, ..] => line[2..].split(' ').map(|word| format!("response {word}\n")).collect(),
        };
        assert_eq!(found, expected, "{}", block.place);
    }
}

/// At a terminal the demo waits for the same time after each move.
#[test]
fn the_demo_takes_as_long_as_the_readme_says() {
    let readme = std::fs::read_to_string(root().join("README.md")).unwrap();
    let seconds = readme.split(" seconds long").next().unwrap().rsplit(' ').next().unwrap();
    let promised: f64 = seconds.parse().unwrap();
    let help = answers("barca demo --help", "");
    let pace = help.split("--pace <MS>").nth(1).unwrap().split("[default: ").nth(1).unwrap();
    let pace: f64 = pace.split(']').next().unwrap().parse().unwrap();
    let demo = answers("barca demo", "");
    let moves = demo.split(" after ").nth(1).unwrap().split(' ').next().unwrap();
    let waits = moves.parse::<f64>().unwrap() * pace / 1_000.0;
    assert!((0.8 * promised..1.1 * promised).contains(&waits), "{waits} s of {promised}\n{demo}");
}
