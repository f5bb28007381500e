//! Games as text: a record file, a `position` line, or a list of tokens, with or without the numbers
//! of moves and the tags that the page writes before them.

use std::collections::BTreeMap;

use anyhow::{Context, Result, bail, ensure};
use serde_json::Value;

use super::message::is_word;
use crate::reading::{self, Most};

/// The most tokens of a game.
const MAX_TOKENS: usize = 10_000;

/// What a line of a record may hold.
const LINE: Most =
    Most { bytes: 4 << 20, values: 500_000, objects: 2 * MAX_TOKENS, members: 500_000 };

/// The most seats of a game, and letters of a name.
const MAX_SEATS: usize = 6;
const MAX_NAME: usize = 40;

/// A game that was read.
#[derive(Debug)]
pub(super) struct Imported {
    /// Rule options that the file names.
    pub(super) rules: BTreeMap<String, String>,
    /// `startpos` or `fen ...`.
    pub(super) start: String,
    pub(super) moves: Vec<String>,
    /// Who played, seat by seat; empty if the text does not say.
    pub(super) names: Vec<String>,
}

/// Reads a game.
///
/// # Errors
/// Text of no known form, or several games.
pub(super) fn read(text: &str) -> Result<Imported> {
    let text = text.trim();
    if text.starts_with('{') {
        return read_record(text);
    }
    ensure!(!text.is_empty(), "there is no game in it");
    let (tags, rest): (Vec<&str>, Vec<&str>) = text.lines().partition(|line| tag(line).is_some());
    let tags: Vec<(&str, &str)> = tags.into_iter().filter_map(tag).collect();
    let words = rest.iter().flat_map(|line| line.split_whitespace()).filter_map(without_number);
    let (start, moves) = start_of(&words.collect::<Vec<_>>().join(" "))?;
    let own = tags.iter().find(|(name, _)| *name == "Start").map(|(_, value)| start_of(value));
    let (start, before) = own.transpose()?.unwrap_or((start, Vec::new()));
    let moves: Vec<String> = before.into_iter().chain(moves).collect();
    check(&moves)?;
    let rules = tags.iter().filter(|(name, _)| *name == "Rule");
    let rules = rules.filter_map(|(_, value)| value.split_once('='));
    let rules = rules.map(|(name, value)| (name.to_owned(), value.to_owned())).collect();
    let names = tags.iter().filter(|(name, _)| name.starts_with("Seat")).take(MAX_SEATS);
    let names = names.map(|(_, value)| value.chars().take(MAX_NAME).collect()).collect();
    Ok(Imported { rules, start, moves, names })
}

/// The name and the value of a line such as `[Start "fen ..."]`.
fn tag(line: &str) -> Option<(&str, &str)> {
    let (name, value) = line.trim().strip_prefix('[')?.strip_suffix("\"]")?.split_once(" \"")?;
    let plain = name.bytes().all(|byte| byte.is_ascii_alphanumeric());
    (plain && !value.contains(char::is_control)).then_some((name, value))
}

/// A word of a list of moves without the number of the move, as in `12.`, `12...` or `12.e2e4`.
fn without_number(word: &str) -> Option<&str> {
    let after = word.trim_start_matches(|c: char| c.is_ascii_digit());
    let token = after.trim_start_matches('.');
    let numbered = after.len() < word.len() && token.len() < after.len();
    match token.bytes().next() {
        None if numbered => None,
        Some(byte) if numbered && byte.is_ascii_alphabetic() => Some(token),
        _ => Some(word),
    }
}

fn read_record(text: &str) -> Result<Imported> {
    let mut rules = BTreeMap::new();
    let mut game = None;
    for line in text.lines() {
        let value: Value = reading::json(line.as_bytes(), &LINE).context("a line is no JSON")?;
        if value.get("parlor").is_some() {
            let listed = value.pointer("/config/rules").and_then(Value::as_array);
            let listed = listed.into_iter().flatten().filter_map(Value::as_str);
            rules = listed
                .filter_map(|rule| rule.split_once('='))
                .map(|(name, value)| (name.to_owned(), value.to_owned()))
                .collect();
        }
        let Some(moves) = value.get("moves").and_then(Value::as_array) else { continue };
        let token = |m: &Value| m.get("token").and_then(Value::as_str).map(str::to_owned);
        let moves: Option<Vec<String>> = moves.iter().map(token).collect();
        let moves = moves.context("a move has no token")?;
        let start = value.get("start").and_then(Value::as_str).unwrap_or("startpos");
        let (start, before) = start_of(start)?;
        let moves: Vec<String> = before.into_iter().chain(moves).collect();
        check(&moves)?;
        ensure!(game.is_none(), "several games: choose one, its header and its line");
        let names = names_of(&value);
        game = Some(Imported { rules: rules.clone(), start, moves, names });
    }
    game.context("there is no game in the record")
}

/// Who played a recorded game; names that are no line of text are left out.
fn names_of(record: &Value) -> Vec<String> {
    let seating = record.get("seating").and_then(Value::as_array);
    let name = |name: &Value| {
        let kept = name.as_str().unwrap_or_default().chars().filter(|c| !c.is_control());
        kept.take(MAX_NAME).collect()
    };
    seating.into_iter().flatten().take(MAX_SEATS).map(name).collect()
}

/// The start and the tokens of a `position` line, of its argument, or of a bare list of tokens.
///
/// # Errors
/// Characters that no line to an engine may have; a position that is a seat's view.
pub(super) fn start_of(text: &str) -> Result<(String, Vec<String>)> {
    let (start, moves) = start_or_view_of(text)?;
    ensure!(
        !start.split(' ').any(|word| word == "view"),
        "a position that hides something cannot be played on"
    );
    Ok((start, moves))
}

/// The same, also where it is what a seat may see: to try moves in, as in a puzzle.
///
/// # Errors
/// Characters that no line to an engine may have.
pub(super) fn start_or_view_of(text: &str) -> Result<(String, Vec<String>)> {
    let text = text.trim();
    ensure!(
        text.bytes().all(|byte| (b' '..=b'~').contains(&byte)),
        "a position is one line of printable ASCII"
    );
    let text = text.strip_prefix("position ").map_or(text, str::trim);
    let (start, moves) = match text.split_once(" moves ") {
        Some((start, moves)) => (start.trim(), moves),
        None => (text, ""),
    };
    let moves: Vec<String> = moves.split_whitespace().map(str::to_owned).collect();
    check(&moves)?;
    if matches!(start.split(' ').next(), Some("startpos" | "fen")) {
        return Ok((start.to_owned(), moves));
    }
    let tokens: Vec<String> = text.split_whitespace().map(str::to_owned).collect();
    check(&tokens)?;
    ensure!(!tokens.iter().any(|token| token == "moves"), "write startpos or fen before moves");
    Ok(("startpos".into(), tokens))
}

fn check(moves: &[String]) -> Result<()> {
    ensure!(moves.len() <= MAX_TOKENS, "more than {MAX_TOKENS} tokens");
    let bad = moves.iter().find(|token| !is_word(token) || token.len() > super::message::MAX_TOKEN);
    match bad {
        Some(token) => bail!("'{}' is no token", token.escape_debug()),
        None => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn positions_and_lists_are_read() {
        let owned = |words: &[&str]| words.iter().map(|&word| word.to_owned()).collect::<Vec<_>>();
        let read = |text: &str| start_of(text).unwrap();
        assert_eq!(read("startpos"), ("startpos".into(), Vec::new()));
        assert_eq!(read("position startpos moves a b"), ("startpos".into(), owned(&["a", "b"])));
        assert_eq!(read("fen x y moves a"), ("fen x y".into(), owned(&["a"])));
        assert_eq!(read("e2e4 e9e6"), ("startpos".into(), owned(&["e2e4", "e9e6"])));
        for wrong in ["a\nquit", "startpos view p1", "x moves a", "fen a view p2 moves b"] {
            assert!(start_of(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn records_are_read() {
        let text = r#"{"parlor":1,"game":0,"config":{"rules":["Players=3"]}}
{"game":1,"seating":["new","old"],"start":"startpos","moves":[{"token":"a","seat":1},{"token":"b","seat":2}]}"#;
        let game = read(text).unwrap();
        assert_eq!(game.moves, ["a", "b"]);
        assert_eq!(game.names, ["new", "old"]);
        assert_eq!(game.rules.get("Players").map(String::as_str), Some("3"));
        let twice = format!("{text}\n{}", text.lines().nth(1).unwrap());
        assert!(read(&twice).unwrap_err().to_string().contains("several games"));
        assert!(read("{").is_err());
        // Each of these members is seven bytes of text and some hundred of memory.
        let many = format!("{{\"moves\":[{}]}}", "{\"\":0},".repeat(2 * MAX_TOKENS));
        let refused = format!("{:#}", read(&many).unwrap_err());
        assert!(refused.contains("more than 20000 objects"), "{refused}");
        assert!(read(r#"{"moves":[{"seat":1}]}"#).is_err());
        assert!(read(r#"{"moves":[{"token":"a b"}]}"#).is_err());
    }

    #[test]
    fn numbered_moves_and_tags_are_read() {
        let moves = |text: &str| read(text).unwrap().moves;
        assert_eq!(moves("1. e1a1 2. d9a6"), ["e1a1", "d9a6"]);
        assert_eq!(moves("1.e1a1 d9a6 2...e1"), ["e1a1", "d9a6", "e1"]);
        // Numbers are tokens of some games.
        assert_eq!(moves("1 2 3.5"), ["1", "2", "3.5"]);
        let text = "[Game \"X\"]\n[Seat1 \"Ann B\"]\n[Seat2 \"barca\"]\n[Rule \"Players=2\"]\n\
            [Result \"p1win\"]\n[Start \"fen a b moves x\"]\n\n1. e1a1\n2. d9a6\n";
        let game = read(text).unwrap();
        assert_eq!((game.start.as_str(), game.moves.join(" ")), ("fen a b", "x e1a1 d9a6".into()));
        assert_eq!(game.names, ["Ann B", "barca"]);
        assert_eq!(game.rules.get("Players").map(String::as_str), Some("2"));
        assert_eq!(moves("[Game \"X\"]"), [""; 0]);
        assert!(read("[Start \"startpos view p1\"]\n1. a").is_err());
    }
}
