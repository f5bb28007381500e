//! Games in PGN as records.

use std::collections::BTreeMap;

use anyhow::{Context, Result, bail, ensure};

use super::token;
use crate::protocol::{GameResult, Outcome, Score, places};
use crate::runner::tournament::record::{Ending, Move, Origin, Record};

/// A game with what a record does not hold.
pub(super) struct ReadGame {
    /// The tag `Variant`.
    pub(super) variant: String,
    /// The tag `Rules`.
    pub(super) rules: String,
    /// The rest.
    pub(super) record: Record,
}

/// The most tags and tokens of a game.
const MOST_TAGS: usize = 1000;
const MOST_TOKENS: usize = 100_000;

/// Calls a function with each game of a text; `None` is one without a result (`*`).
///
/// # Errors
/// Names the line that is no PGN, or the game without players or result; what the function returns.
pub(super) fn games(
    text: &str,
    mut seen: impl FnMut(Option<ReadGame>) -> Result<()>,
) -> Result<()> {
    parts(text, |number, tags, moves| match tags.get("Result").map(String::as_str) {
        Some("*") => seen(None),
        _ => seen(Some(game(tags, moves, number)?)),
    })
}

/// Whether a text begins with a tag.
pub(in crate::runner::tournament) fn is_pgn(text: &str) -> bool {
    text.lines().find(|line| !line.trim().is_empty()).is_some_and(|line| tag(line).is_some())
}

/// Calls a function with the number of each game of a text, where it begins, and its tokens, whoever
/// played and however it ended.
///
/// # Errors
/// Names the line that is no PGN, or the game whose moves are none; what the function returns.
pub(in crate::runner::tournament) fn openings(
    text: &str,
    mut seen: impl FnMut(u64, String, &[&str]) -> Result<()>,
) -> Result<()> {
    parts(text, |number, tags, text| {
        let moves = moves(text, 2).with_context(|| format!("game {number}"))?;
        let tokens: Vec<&str> = moves.iter().map(|played| played.token.as_str()).collect();
        seen(number, start(tags), &tokens).with_context(|| format!("game {number}"))
    })
}

type Tags = BTreeMap<String, String>;

/// Calls a function with the number, the tags and the move text of every game.
fn parts(text: &str, mut seen: impl FnMut(u64, &Tags, &str) -> Result<()>) -> Result<()> {
    let mut number = 0;
    let mut part = |tags: &Tags, moves: &str| {
        number += 1;
        seen(number, tags, moves)
    };
    let (mut tags, mut moves) = (Tags::new(), String::new());
    // Braces that are open.
    let mut depth = 0;
    for (index, line) in text.lines().enumerate() {
        let is_tag = line.starts_with('[') && depth == 0;
        if is_tag && !moves.trim().is_empty() {
            part(&std::mem::take(&mut tags), &std::mem::take(&mut moves))?;
        }
        if is_tag {
            let (name, value) =
                tag(line).with_context(|| format!("line {}: not a tag: {line}", index + 1))?;
            tags.insert(name, value);
            ensure!(tags.len() <= MOST_TAGS, "line {}: more than {MOST_TAGS} tags", index + 1);
        } else if !line.starts_with('%') {
            moves.push_str(without_line_comment(&mut depth, line));
            moves.push('\n');
        }
    }
    if !tags.is_empty() {
        part(&tags, &moves)?;
    }
    Ok(())
}

/// `startpos`, or `fen` with the position of the tag.
fn start(tags: &Tags) -> String {
    tags.get("FEN").map_or("startpos".to_owned(), |fen| format!("fen {fen}"))
}

/// A line up to a semicolon outside braces, of which so many are open before it.
fn without_line_comment<'a>(depth: &mut usize, line: &'a str) -> &'a str {
    for (index, character) in line.char_indices() {
        match character {
            '{' => *depth += 1,
            '}' => *depth = depth.saturating_sub(1),
            ';' if *depth == 0 => return line.get(..index).unwrap_or(line),
            _ => {}
        }
    }
    line
}

/// `[Name "value"]`.
fn tag(line: &str) -> Option<(String, String)> {
    let inner = line.trim_end().strip_prefix('[')?.strip_suffix(']')?;
    let (name, value) = inner.split_once(char::is_whitespace)?;
    let value = value.trim().strip_prefix('"')?.strip_suffix('"')?;
    let value = value.replace("\\\"", "\"").replace("\\\\", "\\");
    Some((name.to_owned(), value))
}

fn game(tags: &BTreeMap<String, String>, text: &str, number: u64) -> Result<ReadGame> {
    let context = || format!("game {number}");
    let get = |name: &str| tags.get(name).cloned();
    let mut seating = Vec::new();
    for name in ["White".to_owned(), "Black".to_owned()]
        .into_iter()
        .chain((3..=9).map(|seat| format!("Seat{seat}")))
    {
        match get(&name) {
            Some(player) => seating.push(player),
            None => break,
        }
    }
    ensure!(seating.len() >= 2, "{}: the tags White and Black are missing", context());
    let moves = moves(text, seating.len()).with_context(context)?;
    let result = get("Result").unwrap_or_default();
    let Some(result) = GameResult::read_score(&result) else {
        bail!("{}: the result is '{result}'", context());
    };
    let places = match get("Places") {
        Some(ranks) => places(&ranks, seating.len()),
        None => Some(result.places()).filter(|_| seating.len() == 2),
    };
    let places = places.with_context(|| format!("{}: no place for every seat", context()))?;
    let ending = match get("Ending").as_deref() {
        Some("adjudication") => Ending::Adjudication,
        Some("fault") => Ending::Fault,
        _ => Ending::Rules,
    };
    let parsed = |name: &str| get(name).and_then(|text| text.parse().ok());
    let outcome = Outcome {
        result: result.name().to_owned(),
        places,
        reason: get("Termination").unwrap_or("rules".to_owned()),
        points: get("Points"),
    };
    let record = Record {
        game: parsed("Game").filter(|&game| game > 0).unwrap_or(number),
        round: parsed("Round").unwrap_or(number),
        pairing: 1,
        seating,
        start: start(tags),
        moves,
        ..Record::of(outcome, ending)
    };
    let (variant, rules) = (get("Variant").unwrap_or("chess".to_owned()), get("Rules"));
    Ok(ReadGame { variant, rules: rules.unwrap_or_default(), record })
}

/// The moves of a move text: numbers, variations, annotations and the result are left out.
fn moves(text: &str, seats: usize) -> Result<Vec<Move>> {
    let mut moves: Vec<Move> = Vec::new();
    let mut rest = text;
    let mut depth = 0;
    loop {
        rest = rest.trim_start();
        let Some(first) = rest.chars().next() else { break };
        if let Some(after) = rest.strip_prefix('{') {
            let (comment, after) = after.split_once('}').context("a comment is not closed")?;
            if let Some(last) = moves.last_mut().filter(|_| depth == 0) {
                note(last, comment);
            }
            rest = after;
            continue;
        }
        if first == '(' || first == ')' {
            depth = if first == '(' { depth + 1 } else { i32::max(depth - 1, 0) };
            rest = rest.get(1..).unwrap_or("");
            continue;
        }
        let end = rest
            .find(|c: char| c.is_whitespace() || "{}()".contains(c))
            .unwrap_or(rest.len())
            .max(first.len_utf8());
        let (word, after) = rest.split_at(end);
        rest = after;
        let is_result = word == "*" || GameResult::read_score(word).is_some();
        // `1.e4` and `1...e5` are a number and a move.
        let word = word.trim_start_matches(|c: char| c.is_ascii_digit() || c == '.');
        let word = word.trim_end_matches(['!', '?']);
        if depth > 0 || is_result || word.is_empty() || word.starts_with('$') {
            continue;
        }
        let token = token(word).with_context(|| format!("'{word}' is no move"))?;
        let seat = moves.len() % seats + 1;
        ensure!(moves.len() < MOST_TOKENS, "more than {MOST_TOKENS} moves");
        moves.push(Move { token, seat, ..Move::default() });
    }
    Ok(moves)
}

/// What a comment says of its move.
fn note(m: &mut Move, comment: &str) {
    for word in comment.split(|c: char| c.is_whitespace() || c == ',').filter(|w| !w.is_empty()) {
        let seat = word.strip_prefix('p').and_then(|digits| digits.parse().ok());
        if let Some(seat) = seat.filter(|&seat: &usize| seat <= 9) {
            m.seat = seat;
        } else if let Some(seconds) = word.strip_suffix('s').and_then(|text| text.parse().ok()) {
            let seconds: f64 = seconds;
            m.ms = Some((seconds * 1e4).round() / 10.0);
        } else if word.starts_with(['+', '-']) {
            let (score, depth) = word.split_once('/').unwrap_or((word, ""));
            match mate(score) {
                Some((cp, distance)) => (m.cp, m.mate) = (Some(cp), Some(distance)),
                None => m.cp = score.parse().ok().map(|score: f64| (score * 100.0).round() as i32),
            }
            m.depth = depth.parse().ok();
        } else {
            m.from = match word {
                "opening" | "book" => Some(Origin::Opening),
                "chance" => Some(Origin::Chance),
                "substitute" => Some(Origin::Substitute),
                _ => m.from,
            };
        }
    }
}

/// `+M5` or `-M5`: the score and the distance.
fn mate(text: &str) -> Option<(i32, i32)> {
    let (sign, digits) = text.split_once('M')?;
    let distance: i32 = digits.parse().ok().filter(|distance| *distance >= 0)?;
    let distance = if sign == "-" { -distance } else { distance };
    Some((Score::Mate(distance).centipawns(), distance))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The games with a result, and how many have none.
    fn read(text: &str) -> Result<(Vec<ReadGame>, usize)> {
        let (mut found, mut unfinished) = (Vec::new(), 0);
        games(text, |game| {
            unfinished += usize::from(game.is_none());
            found.extend(game);
            Ok(())
        })?;
        Ok((found, unfinished))
    }

    #[test]
    fn the_games_of_other_programs_are_read() {
        let text = "[Event \"x\"]\n[White \"A \\\"the first\\\"\"]\n[Black \"B\"]\n[Result \"1-0\"]\n\n\
                    1. e4 {a comment; long\n[not a tag]} e5 (1... c5 2. Nf3 {inner}) 2.Nf3! $1 Nc6 ; rest\n\
                    3. Bb5 1-0\n\n[White \"B\"]\n[Black \"A\"]\n[Result \"1/2-1/2\"]\n\n1/2-1/2\n";
        let text = format!("{text}\n[White \"A\"]\n[Black \"B\"]\n[Result \"*\"]\n\n1. e4 *\n");
        let (games, unfinished) = read(&text).unwrap();
        assert_eq!((games.len(), unfinished), (2, 1));
        let tokens: Vec<&str> = games[0].record.moves.iter().map(|m| m.token.as_str()).collect();
        assert_eq!(tokens, ["e4", "e5", "Nf3", "Nc6", "Bb5"]);
        assert_eq!(games[0].record.seating, ["A \"the first\"", "B"]);
        assert_eq!((games[0].record.places.as_slice(), games[1].record.game), (&[1, 2][..], 2));
        assert_eq!(games[1].record.result, "draw");
    }

    #[test]
    fn comments_of_match_runners_are_read() {
        let text = "[White \"A\"]\n[Black \"B\"]\n[Result \"1-0\"]\n\n1. e4 {book} e5 {book} \
                    2. Nf3 {+0.35/12 0.104s} Nc6 {-M4/9 1.5s, White mates} 3. d4 {+M3/7 0.001s, p1} \
                    d5 {-1.20 0.5s, p2} 1-0\n";
        let (games, _) = read(text).unwrap();
        let moves = &games[0].record.moves;
        let told = |index: usize| {
            let m = &moves[index];
            (m.cp, m.mate, m.depth, m.ms)
        };
        assert_eq!((moves[0].from, moves[1].from), (Some(Origin::Opening), Some(Origin::Opening)));
        assert_eq!(told(2), (Some(35), None, Some(12), Some(104.0)));
        assert_eq!(told(3), (Some(-31_996), Some(-4), Some(9), Some(1500.0)));
        assert_eq!(told(4), (Some(31_997), Some(3), Some(7), Some(1.0)));
        assert_eq!(told(5), (Some(-120), None, None, Some(500.0)));
        assert!(moves.iter().enumerate().all(|(index, m)| m.seat == index % 2 + 1));
    }

    #[test]
    fn what_is_no_game_is_refused_by_number() {
        for (text, why) in [
            ("[White \"A\"]\n\n1. e4 1-0\n", "game 1: the tags"),
            ("[White \"A\"]\n[Black \"B\"]\n\n1. e4 *\n", "game 1: the result"),
            ("[White A]\n", "line 1: not a tag"),
            ("[White \"A\"]\n[Black \"B\"]\n[Result \"1-0\"]\n\n1. e4 {open", "game 1"),
        ] {
            let error = read(text).err().map(|error| format!("{error:#}")).unwrap_or_default();
            assert!(error.starts_with(why), "{error}");
        }
    }
}
