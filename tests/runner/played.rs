//! Games that people played at the terminal, typed again: `tests/data/played`. A file begins with
//! the arguments of `parlor play`, with `|` between them; then `>` is a line that was typed, `<` a text that was shown after
//! the text before it. Random opponents and people alone decide, so that no engine's play matters.

use std::io::Write;
use std::path::Path;
use std::process::Stdio;

use crate::support::{command, games, scratch, within};

/// The fewest moves that a person makes in a session.
const TURNS: usize = 10;

/// Types the session of a game and compares what was shown; the number of moves that people made.
fn play_again(game: &str) -> usize {
    let path = format!("tests/data/played/{game}.txt");
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(path);
    let session = std::fs::read_to_string(&path).unwrap();
    let (arguments, lines) = session.split_once('\n').unwrap();
    let mut words = vec!["play".to_owned()];
    words.extend(arguments.split('|').map(|word| word.trim().to_owned()));
    let words: Vec<&str> = words.iter().map(String::as_str).collect();

    let directory = scratch();
    let file = within(&directory, "game.jsonl");
    let typed: Vec<&str> = lines.lines().filter_map(|line| line.strip_prefix('>')).collect();
    let mut input: String = typed.iter().map(|line| format!("{}\n", line.trim())).collect();
    input += &format!("save {file}\nquit\n");
    let mut command = command(&words);
    command.env("LC_ALL", "C.UTF-8").stdin(Stdio::piped()).stdout(Stdio::piped());
    let mut child = command.spawn().unwrap();
    child.stdin.take().unwrap().write_all(input.as_bytes()).unwrap();
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(0), "{game}");
    // Lines are wrapped where they happen to end.
    let shown = String::from_utf8(output.stdout).unwrap();
    let joined = shown.split_whitespace().collect::<Vec<_>>().join(" ");

    let mut rest = joined.as_str();
    let mut refusals = 0;
    for text in lines.lines().filter_map(|line| line.strip_prefix('<')) {
        let text = text.trim();
        refusals += usize::from(text.contains("not a legal move"));
        let Some((_, after)) = rest.split_once(text) else {
            panic!("{game}: '{text}' is missing or in another place:\n{shown}")
        };
        rest = after;
    }
    assert_eq!(joined.matches("is not a legal move").count(), refusals, "{game}:\n{shown}");
    let (_, records) = games(Path::new(&file));
    let people = |seat: usize| {
        records[&1].seating.get(seat.wrapping_sub(1)).is_some_and(|name| name == "person")
    };
    let moves = records[&1].moves.iter();
    moves.filter(|played| played.from.is_none() && people(played.seat)).count()
}

#[test]
fn a_game_of_barca_is_won() {
    assert!(play_again("barca") >= TURNS);
}

#[test]
fn a_game_of_pacru_is_resigned() {
    assert!(play_again("pacru") >= TURNS);
}

#[test]
fn two_people_and_two_engines_play_pacru() {
    assert!(play_again("pacru-four") >= 7);
}

#[test]
fn a_game_of_porrika_is_resigned() {
    assert!(play_again("porrika") >= TURNS);
}

#[test]
fn a_game_of_chowka_bhara_with_four_seats() {
    assert!(play_again("chowka-bhara") >= TURNS);
}

#[test]
fn a_game_of_barbarossa_with_words_of_their_own_at_one_keyboard() {
    assert!(play_again("barbarossa") >= TURNS);
}
