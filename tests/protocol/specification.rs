//! What the specification shows, as it stands there: positions, seats, subcommands.

use std::path::Path;

use assert_cmd::Command;
use parlor::engine::Engine;
use parlor::games::{GameVisitor, NAMES, Playable, with_game};

use crate::client::Client;
use crate::laws::engines;
use crate::programs::program;

/// The text of a section.
fn section(number: usize) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("protocol-spec.md");
    let text = std::fs::read_to_string(path).expect("the specification");
    let start = text.find(&format!("\n## {number}. ")).expect("the section") + 1;
    let rest = &text[start..];
    rest[..rest[1..].find("\n## ").map_or(rest.len(), |end| end + 1)].to_owned()
}

#[test]
fn the_positions_of_section_1_are_read() {
    let text = section(1);
    let lines: Vec<_> = text.lines().filter_map(|line| line.split_once(" position ")).collect();
    assert_eq!(lines.len(), 6, "{text}");
    let mut read = 0;
    for (game, position) in lines {
        let name = game.trim().to_lowercase().replace('\'', "").replace(' ', "-");
        let position = position.split("   ").next().expect("a position");
        let mut client = Client::program(program(&name), &[]);
        client.send(&format!("position {position}\nisready"));
        let lines = client.until("readyok");
        // Only the line that leaves tokens out is refused.
        assert_eq!(lines.len() > 1, position.contains(" ... "), "{name}: {lines:?}");
        read += usize::from(lines.len() == 1);
    }
    assert_eq!(read, 5);
}

#[test]
fn the_seats_of_section_17_are_those_of_the_programs() {
    #[derive(Clone, Copy)]
    struct Count;
    impl GameVisitor for Count {
        type Output = [usize; 2];
        fn visit<G: Playable>(self) -> [usize; 2] {
            let seats = |engine: &parlor::engine::GameEngine<G>| {
                let start = G::start(engine.options(), None).expect("a start");
                start.seats()
            };
            let all: Vec<usize> = engines::<G>().iter().map(seats).collect();
            let least = *all.iter().min().expect("one");
            [least, *all.iter().max().expect("one")]
        }
    }
    let text = section(17);
    for name in NAMES {
        let found = with_game(name, Count).expect("a game of the list");
        let row =
            text.lines().find(|line| line.starts_with('|') && line.contains(&format!("`{name}`")));
        let row = row.unwrap_or_else(|| panic!("{name} is not in section 17"));
        let seats = row.split('|').nth(2).expect("seats").trim();
        let numbers: Vec<usize> = seats
            .split(|letter: char| !letter.is_ascii_digit())
            .filter_map(|word| word.parse().ok())
            .collect();
        // `p1` and `p2` name seats.
        let numbers = if seats.contains("p1") { &numbers[..1] } else { &numbers[..] };
        let [least, most] = [numbers.iter().min(), numbers.iter().max()];
        assert_eq!([least, most], [Some(&found[0]), Some(&found[1])], "{row}");
    }
}

#[test]
fn help_describes_every_subcommand_of_section_15() {
    let words = [
        "go",
        "perft",
        "legalmoves",
        "eval",
        "d",
        "svg",
        "bench",
        "selfplay",
        "completions",
        "man",
    ];
    let text = section(15);
    for name in NAMES {
        let help = |arguments: &[&str]| {
            let assert = Command::new(program(name)).args(arguments).assert().success();
            String::from_utf8(assert.get_output().stdout.clone()).expect("text")
        };
        let all = help(&["--help"]);
        for word in words {
            assert!(text.contains(&format!("`{word}")), "{word} is not in section 15");
            let line = all.lines().map(str::trim).find(|line| line.split(' ').next() == Some(word));
            assert!(line.is_some_and(|line| line.split_whitespace().count() > 2), "{name} {word}");
        }
        assert!(help(&["perft", "--help"]).contains("--positions"), "{name}");
    }
}

#[test]
fn the_expected_answer_is_named_under_uci_alone() {
    let mut client = Client::program(program("barca"), &[]);
    for (word, count) in [("ugi", 2), ("uci", 4), ("ugi", 2)] {
        client.send(word);
        client.until(&format!("{word}ok"));
        client.send("position startpos\ngo depth 4");
        let last = client.until("bestmove").pop().expect("a line");
        assert_eq!(last.split(' ').count(), count, "{word}: {last}");
    }
}
