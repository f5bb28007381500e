//! Lines as people write moves: the tokens that they may stand for, and the choices that they name.

use std::fmt::Write as _;

use anyhow::Result;

use crate::picture::{Form, Next, Step};

/// The most words that one choice may have.
const WORDS: usize = 12;
/// How many moves are offered in place of an illegal one.
pub(super) const OFFERED: usize = 6;
/// The most choices of a move.
const CHOICES: usize = 16;

/// The step to which the words lead, choice by choice; where they lead nowhere, the choices up to the
/// one that is none.
pub(super) fn follow(
    step: &mut dyn FnMut(&[String]) -> Result<Option<Step>>,
    words: &[&str],
) -> Result<Result<Step, Vec<String>>> {
    let mut path = Vec::new();
    let mut words = words;
    while path.len() < CHOICES {
        let Some(step) = step(&path)? else { break };
        if words.is_empty() {
            return Ok(if path.is_empty() { Err(path) } else { Ok(step) });
        }
        let Some((choice, used)) = chosen(&step, words) else {
            path.push(words[0].to_owned());
            break;
        };
        path.push(choice);
        words = &words[used..];
    }
    Ok(Err(path))
}

/// The orders in which words may be choices: a verb before them may stand for a later choice, as in
/// `guess c2 teapot`, or for none, as in `ask c1 is it alive?`; cells may be joined, as in `a3-b4`.
pub(super) fn orders(words: &[&str]) -> Vec<Vec<String>> {
    let owned = |words: &[&str]| words.iter().map(|word| (*word).to_owned()).collect::<Vec<_>>();
    let mut orders = vec![owned(words)];
    if let [verb, object, rest @ ..] = words
        && verb.bytes().all(|byte| byte.is_ascii_alphabetic())
    {
        let mut swapped = vec![*object, *verb];
        swapped.extend_from_slice(rest);
        orders.push(owned(&swapped));
        orders.push(owned(&words[1..]));
    }
    let split: Vec<String> = words.iter().flat_map(|word| parts(word)).collect();
    if split.len() > words.len() {
        orders.push(split);
    }
    orders
}

/// The cells of a word that is nothing else, or the word.
fn parts(word: &str) -> Vec<String> {
    let cells = cells(&[word]);
    if cells.len() > 1 { cells } else { vec![word.to_owned()] }
}

/// How many cells a token names.
pub(super) fn cell_count(token: &str) -> usize {
    let letters = token.bytes().zip(token.bytes().skip(1));
    letters.filter(|(a, b)| a.is_ascii_lowercase() && b.is_ascii_digit()).count()
}

/// Whether a token begins with a cell; `a10b9` does not begin with `a1`.
pub(super) fn begins_with_cell(token: &str, cell: &str) -> bool {
    let rest = token.strip_prefix(cell);
    rest.is_some_and(|rest| !rest.starts_with(|next: char| next.is_ascii_digit()))
}

/// Whether a token names a cell; `a10` does not name `a1`.
pub(super) fn has_cell(token: &str, cell: &str) -> bool {
    let mut found = token.match_indices(cell).filter_map(|(at, _)| token.get(at..));
    found.any(|rest| begins_with_cell(rest, cell))
}

/// The cells that are written without blanks between them: `a3-b4`, `a3b4(c5)`. Other words give
/// none.
pub(super) fn cells(words: &[&str]) -> Vec<String> {
    let mut cells: Vec<String> = Vec::new();
    for word in words {
        let mut before = ' ';
        for letter in word.to_ascii_lowercase().chars() {
            match (before, letter) {
                ('a'..='z', '0'..='9') | ('0'..='9', '0'..='9') => {
                    if let Some(cell) = cells.last_mut() {
                        cell.push(letter);
                    }
                }
                ('0'..='9', 'x') | ('0'..='9' | ')', '-' | '(' | ')' | ',') => {}
                (_, 'a'..='z') => cells.push(letter.to_string()),
                _ => return Vec::new(),
            }
            before = letter;
        }
        // Nothing of a line is dropped.
        if !(before.is_ascii_digit() || before == ')') {
            return Vec::new();
        }
    }
    if cells.iter().all(|cell| cell.len() > 1) { cells } else { Vec::new() }
}

/// The choice that the first words name, and how many words that are.
fn chosen(step: &Step, words: &[&str]) -> Option<(String, usize)> {
    for count in (1..=words.len().min(WORDS)).rev() {
        let text = plain(&words[..count].join(" "));
        if let Some(next) = step.next.iter().find(|next| is_called(next, &text)) {
            return Some((next.choice.clone(), count));
        }
    }
    let text = plain(words.first()?);
    if let Some(next) = numbered(step, &text) {
        return Some((next.choice.clone(), 1));
    }
    let mut beginning = beginning_with(step, &text);
    if let (Some(next), None) = (beginning.next(), beginning.next()) {
        return Some((next.choice.clone(), 1));
    }
    step.form.as_ref().and_then(|form| written(form, words))
}

/// Whether a choice has this plain name.
pub(super) fn is_called(next: &Next, text: &str) -> bool {
    names(next).any(|name| plain(name) == text)
}

/// The choices of which a name begins with a plain text.
pub(super) fn beginning_with<'a>(step: &'a Step, text: &'a str) -> impl Iterator<Item = &'a Next> {
    step.next.iter().filter(move |next| names(next).any(|name| plain(name).starts_with(text)))
}

/// The only choice with a number in its label: `3` is enough for `jewels 3`.
fn numbered<'a>(step: &'a Step, text: &str) -> Option<&'a Next> {
    let is_number = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    let has = |next: &&Next| {
        let label = next.label.as_deref().unwrap_or_default();
        label.split_whitespace().any(|word| word == text)
    };
    let mut found = step.next.iter().filter(has);
    found.next().filter(|_| is_number && found.next().is_none())
}

/// What a choice may be called; `pointed` is enough for `is_pointed`, `handle` for `has_handle`.
pub(super) fn names(next: &Next) -> impl Iterator<Item = &str> {
    let names = [Some(&next.choice), next.label.as_ref(), next.cell.as_ref(), next.card.as_ref()];
    let short = ["is_", "has_"].into_iter().find_map(|verb| next.choice.strip_prefix(verb));
    names.into_iter().flatten().map(String::as_str).chain(short)
}

/// Text without what people may leave out.
pub(super) fn plain(text: &str) -> String {
    let text = text.to_lowercase().replace('_', " ");
    text.trim_end_matches(['?', '.', '!']).to_owned()
}

/// Words as the free text of a form.
fn written(form: &Form, words: &[&str]) -> Option<(String, usize)> {
    if form.kind == "word" {
        let word = words.first()?;
        let fits = word.bytes().all(|byte| byte.is_ascii_alphabetic());
        return fits.then(|| (format!("{}{}", form.prefix, word.to_ascii_lowercase()), 1));
    }
    Some((format!("{}{}", form.prefix, escape(&words.join(" "))), words.len()))
}

/// The tokens that a line may stand for, the most likely first: `e2e4`, `e2 e4`, `E2-E4`,
/// `guess c2 teapot`, `ask c1 is it alive?`.
pub(super) fn spellings(words: &[&str]) -> Vec<String> {
    let mut found: Vec<String> = Vec::new();
    let mut add = |text: String| {
        let readable = !text.is_empty() && text.len() < 4096 && text.is_ascii();
        if readable && !text.contains(char::is_whitespace) && !found.contains(&text) {
            found.push(text);
        }
    };
    if let ["throw"] = words {
        add("roll".to_owned());
    }
    let line = words.join(" ");
    if let Some((start, text)) = line.split_once('~') {
        add(format!("{}~{}", start.split_whitespace().collect::<Vec<_>>().join(":"), escape(text)));
    }
    for text in [words.concat(), words.join(":"), words.join(",")] {
        add(text.clone());
        add(text.to_ascii_lowercase());
        add(text.to_ascii_lowercase().replace('-', ""));
    }
    if let [ask, object, question @ ..] = words
        && !question.is_empty()
    {
        let start = format!("{ask}:{object}").to_ascii_lowercase();
        add(format!("{start}:{}", question.join("_").trim_end_matches('?').to_ascii_lowercase()));
        add(format!("{start}:~{}", escape(&question.join(" "))));
    }
    if found.is_empty() {
        found.push("?".to_owned());
    }
    found
}

/// Free text as a token holds it: bytes other than `a-z 0-9 _` and `%` escapes are escaped.
fn escape(text: &str) -> String {
    let bytes = text.as_bytes();
    let mut escaped = String::new();
    for (index, byte) in bytes.iter().enumerate() {
        let digits = bytes.get(index + 1..index + 3);
        let written = *byte == b'%' && digits.is_some_and(|d| d.iter().all(u8::is_ascii_hexdigit));
        if written || matches!(byte, b'a'..=b'z' | b'0'..=b'9' | b'_') {
            escaped.push(char::from(*byte));
        } else {
            let _ = write!(escaped, "%{byte:02X}");
        }
    }
    escaped
}

/// The moves that need the fewest changes to become a text, if they are few enough; among equals
/// those that begin like it.
pub(super) fn nearest(moves: &[String], text: &str) -> Vec<String> {
    let text: Vec<char> = text.to_lowercase().chars().take(60).collect();
    let limit = (text.len() / 2).max(1);
    let mut ranked: Vec<(usize, usize, &String)> = moves
        .iter()
        .map(|known| {
            let letters: Vec<char> = known.to_lowercase().chars().take(60).collect();
            let alike = letters.iter().zip(&text).take_while(|(one, other)| one == other).count();
            (distance(&letters, &text), usize::MAX - alike, known)
        })
        .filter(|(distance, ..)| *distance <= limit)
        .collect();
    ranked.sort();
    ranked.into_iter().take(OFFERED).map(|(.., known)| known.clone()).collect()
}

/// The Levenshtein distance.
fn distance(one: &[char], other: &[char]) -> usize {
    let mut row: Vec<usize> = (0..=other.len()).collect();
    for (index, letter) in one.iter().enumerate() {
        let mut diagonal = row[0];
        row[0] = index + 1;
        for (place, known) in other.iter().enumerate() {
            let replaced = diagonal + usize::from(letter != known);
            diagonal = row[place + 1];
            row[place + 1] = replaced.min(row[place] + 1).min(diagonal + 1);
        }
    }
    row.last().copied().unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn first_of(line: &str, legal: &[&str]) -> Option<String> {
        let words: Vec<&str> = line.split_whitespace().collect();
        spellings(&words).into_iter().find(|spelling| legal.contains(&spelling.as_str()))
    }

    #[test]
    fn moves_may_be_written_as_people_write_them() {
        for line in ["e2e4", "e2 e4", "E2-E4", "E2 E4", "e2 - e4"] {
            assert_eq!(first_of(line, &["e2e4"]).as_deref(), Some("e2e4"), "{line}");
        }
        assert_eq!(
            first_of("guess c2 Teapot", &["guess:c2:teapot"]).as_deref(),
            Some("guess:c2:teapot")
        );
        assert_eq!(
            first_of("ask c1 is alive?", &["ask:c1:is_alive"]).as_deref(),
            Some("ask:c1:is_alive")
        );
        let free = "ask:c1:~is%20it%20an%20elephant%3F";
        for line in ["ask:c1:~is it an elephant?", "ask c1 is it an elephant?"] {
            assert_eq!(first_of(line, &[free]).as_deref(), Some(free), "{line}");
        }
        assert_eq!(
            first_of("ask:c1:~is%20it", &["ask:c1:~is%20it"]).as_deref(),
            Some("ask:c1:~is%20it")
        );
        // The pawn that moves first comes first: c1e2,e2d5.
        assert_eq!(first_of("c1e2 e2d5", &["c1e2,e2d5"]).as_deref(), Some("c1e2,e2d5"));
        // Nothing is dropped.
        assert_eq!(first_of("e2e4 foo", &["e2e4", "foo"]), None);
    }

    #[test]
    fn what_cannot_be_a_token_becomes_none() {
        assert_eq!(spellings(&["\u{e9}\u{e9}"]), ["?"]);
        assert!(spellings(&[&"x".repeat(5000)]).iter().all(|spelling| spelling.len() < 4096));
    }

    #[test]
    fn a_choice_is_found_by_its_label_or_its_beginning() {
        let next = vec![
            Next::button("is_alive", "Is it alive?"),
            Next::button("is_flat", "Is it flat?"),
            Next::button("stop", "stop"),
        ];
        let step = Step { next, ..Step::new(&[], "Ask") };
        let choose = |line: &str| {
            let words: Vec<&str> = line.split_whitespace().collect();
            chosen(&step, &words).map(|(choice, used)| format!("{choice} {used}"))
        };
        assert_eq!(choose("is it alive").as_deref(), Some("is_alive 3"));
        assert_eq!(choose("Is it flat? now").as_deref(), Some("is_flat 3"));
        assert_eq!(choose("st").as_deref(), Some("stop 1"));
        assert_eq!(choose("alive").as_deref(), Some("is_alive 1"));
        assert_eq!(choose("i"), None, "two begin so");
    }

    #[test]
    fn cells_are_told_apart_without_blanks() {
        assert_eq!(cells(&["A3-b4(c10)"]), ["a3", "b4", "c10"]);
        assert_eq!(cells(&["a3b4", "c5"]), ["a3", "b4", "c5"]);
        assert_eq!(cells(&["c4xd4"]), ["c4", "d4"]);
        for none in ["b1nb2w", "guess", "e5>", "-a3", "c1:x", "e2e3x", "e2-"] {
            assert!(cells(&[none]).is_empty(), "{none}");
        }
        assert!(has_cell("e1a10", "a10") && !has_cell("e1a10", "a1"));
        assert!(begins_with_cell("a10b9", "a10") && !begins_with_cell("a10b9", "a1"));
    }

    #[test]
    fn a_verb_may_stand_before_the_choices() {
        let found = orders(&["guess", "c2", "teapot"]);
        assert!(found.contains(&["c2", "guess", "teapot"].map(str::to_owned).into()));
        assert!(found.contains(&["c2", "teapot"].map(str::to_owned).into()));
        assert_eq!(orders(&["e2", "e4"]).len(), 1, "no verb");
    }

    #[test]
    fn the_nearest_moves_need_the_fewest_changes() {
        let moves = ["e2e4", "e2e5", "d2d4", "a1a9"].map(str::to_owned);
        assert_eq!(nearest(&moves, "E2E9")[..2], ["e2e4", "e2e5"]);
        assert_eq!(nearest(&moves, "xxxx"), Vec::<String>::new());
        let letters = |text: &str| text.chars().collect::<Vec<_>>();
        assert_eq!(distance(&letters("kitten"), &letters("sitting")), 3);
    }
}
