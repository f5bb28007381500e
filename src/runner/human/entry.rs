//! Moves as people write them: spellings of a token, choices one after the other, beginnings; and
//! the legal moves nearest to what is none.

use std::fmt::Write as _;

use anyhow::Result;

use super::game::HumanGame;
use crate::picture::{Form, Next, Step};
use crate::runner::process::printable;

/// The most words that one choice may have.
const WORDS: usize = 12;
/// The most choices of a move.
const CHOICES: usize = 16;
/// Longer reasons are told only of moves that break a rule.
const LONGEST_REASON: usize = 100;
/// How many moves are offered in place of an illegal one.
const OFFERED: usize = 6;

/// What a typed line stands for.
pub(super) enum Entered {
    /// A legal token.
    Token(String),
    /// The beginning of a move: what is to be chosen, and from what.
    Beginning(Box<Step>),
    /// No legal move.
    Illegal,
}

impl HumanGame {
    /// What a line stands for.
    pub(super) fn read_move(&mut self, words: &[&str]) -> Result<Entered> {
        let (free, spelled): (Vec<String>, Vec<String>) =
            spellings(words).into_iter().partition(|spelling| spelling.contains('~'));
        let typed_freely = words.iter().any(|word| word.contains('~'));
        if let Some(token) = self.first_legal(&spelled)? {
            return Ok(Entered::Token(token));
        }
        let mut step = None;
        if !typed_freely {
            self.update_helper()?;
            for words in orders(words) {
                let words: Vec<&str> = words.iter().map(String::as_str).collect();
                let followed = self.follow(&words)?;
                if let Some(token) = followed.as_ref().and_then(|step| step.token.clone()) {
                    return Ok(Entered::Token(token));
                }
                step = step.or(followed);
            }
        }
        // Free text that the engine wants to ask about first is not played at once.
        let wants_more = |step: &Step| step.path.iter().any(|choice| choice.starts_with('~'));
        if let Some(step) = step.take_if(|step| wants_more(step)) {
            return Ok(Entered::Beginning(Box::new(step)));
        }
        if let Some(token) = self.first_legal(&free)? {
            return Ok(Entered::Token(token));
        }
        let first = spellings(words).into_iter().next().unwrap_or_default();
        if let Some(moves) = self.legal(&first)?
            && let [only] = moves.as_slice()
        {
            return Ok(Entered::Token(only.clone()));
        }
        Ok(match step {
            Some(step) => Entered::Beginning(Box::new(step)),
            None => Entered::Illegal,
        })
    }

    fn first_legal(&mut self, spellings: &[String]) -> Result<Option<String>> {
        for spelling in spellings {
            if self.is_legal(spelling)? {
                return Ok(Some(spelling.clone()));
            }
        }
        Ok(None)
    }

    /// Whether the referee takes a token.
    pub(super) fn is_legal(&mut self, token: &str) -> Result<bool> {
        Ok(self.referee.query(&format!("islegal {token}"))?.is_ok_and(|answer| answer == "true"))
    }

    /// The step to which the words lead, choice by choice; `None` if they lead nowhere.
    fn follow(&mut self, words: &[&str]) -> Result<Option<Step>> {
        let mut helper = self.helper.borrow_mut();
        follow(&mut |path| self.display.step(&mut helper, path), words)
    }

    /// The legal moves that begin with a prefix; `None` if they cannot be listed.
    pub(super) fn legal(&mut self, prefix: &str) -> Result<Option<Vec<String>>> {
        self.update_helper()?;
        let query = format!("legalmoves {prefix}");
        Ok(match self.helper.borrow_mut().query(query.trim_end())? {
            Ok(text) if text == "none" => Some(Vec::new()),
            Ok(text) if text == "many" || text == "hidden" => None,
            Ok(text) => Some(text.split_whitespace().map(str::to_owned).collect()),
            Err(_) => None,
        })
    }

    /// Why a line is no legal move, and the legal moves that are nearest to it.
    pub(super) fn refuse(&mut self, words: &[&str]) -> Result<String> {
        if let ["throw" | "roll"] = words {
            return Ok("There is nothing to throw now.".to_owned());
        }
        let text = printable(&words.join(" "), 60);
        let moves = self.legal("")?.unwrap_or_default();
        if let [cell] = words
            && self.display.is_cell(cell)
            && !moves.is_empty()
        {
            let mut with = moves.into_iter().filter(|token| has_cell(token, &plain(cell)));
            let some: Vec<String> = with.by_ref().take(OFFERED).collect();
            return Ok(match some.is_empty() {
                true => format!("You have no move from {text} or to it."),
                false => {
                    let more = if with.next().is_some() { ", ..." } else { "" };
                    format!("You have no move from {text}. To it: {}{more}.", some.join(", "))
                }
            });
        }
        let mut reason = self.reason(words)?;
        if let Some(cell) = cells(words).first()
            && !reason.breaks_rule
            && self.display.is_cell(cell)
            && !moves.is_empty()
            && !moves.iter().any(|token| begins_with_cell(token, cell))
        {
            reason.text = format!(": you have no move from {cell}");
        }
        let reason = reason.text;
        let mut said = format!("{text} is not a legal move{reason}.");
        let near = nearest(&moves, &words.concat());
        if !near.is_empty() {
            said += &format!(" Did you mean {}?", near.join(", "));
        }
        Ok(said)
    }

    /// The words spelled as the last part of a token, as the choices that there are now: `tail` as
    /// `show:a1:has_tail`.
    fn completed(&mut self, words: &[&str]) -> Result<Vec<String>> {
        self.update_helper()?;
        let step = self.display.step(&mut self.helper.borrow_mut(), &[])?;
        let mut choices = step.into_iter().flat_map(|step| step.next).map(|next| next.choice);
        // Not such as `done`, which stands beside the others.
        let Some(choice) = choices.next_back() else { return Ok(Vec::new()) };
        let path = std::slice::from_ref(&choice);
        let step = self.display.step(&mut self.helper.borrow_mut(), path)?;
        let token = step.and_then(|step| step.token).unwrap_or_default();
        let Some(start) = token.strip_suffix(&choice).filter(|start| start.ends_with(':')) else {
            return Ok(Vec::new());
        };
        let word = words.join("_").to_ascii_lowercase();
        Ok(["", "has_", "is_"].map(|verb| format!("{start}{verb}{word}")).into())
    }

    /// Why the engine refuses a move, from what the person may see: of all spellings of the line,
    /// the first that is a move at all.
    fn reason(&mut self, words: &[&str]) -> Result<Reason> {
        let mut said: Option<String> = None;
        let mut all = self.completed(words)?;
        all.extend(spellings(words));
        for spelling in all {
            // What is refused leaves the helper without a position.
            self.update_helper()?;
            let errors = self.helper.borrow_mut().send_synced(&format!("moves {spelling}\n"))?;
            let Some(error) = errors.into_iter().next() else { continue };
            let is_move = error.starts_with("illegal-move");
            if is_move || said.is_none() {
                said = Some(error);
            }
            if is_move {
                break;
            }
        }
        let said = said.unwrap_or_default();
        // `illegal-move move 3 'e2e5': the reason`, or a code and the reason.
        let after_code = said.split_once(' ').map_or(said.as_str(), |(_, reason)| reason);
        let reason = said.split_once("': ").map_or(after_code, |(_, reason)| reason);
        let reason = reason.trim_end_matches('.');
        let breaks_rule = said.starts_with("illegal-move");
        // A list of all tokens that there are explains nothing.
        let explains = breaks_rule || reason.len() <= LONGEST_REASON;
        let text = if reason.is_empty() || !explains {
            String::new()
        } else {
            format!(": {}", self.display.named(&printable(reason, 300)))
        };
        Ok(Reason { text, breaks_rule })
    }
}

/// Why a line is refused.
struct Reason {
    /// After a colon; empty where nothing explains it.
    text: String,
    /// Whether it is a move, but not a legal one.
    breaks_rule: bool,
}

/// The step to which the words lead, choice by choice; `None` if they lead nowhere.
pub(super) fn follow(
    step: &mut dyn FnMut(&[String]) -> Result<Option<Step>>,
    words: &[&str],
) -> Result<Option<Step>> {
    let mut path = Vec::new();
    let mut words = words;
    while path.len() < CHOICES {
        let Some(step) = step(&path)? else { return Ok(None) };
        if words.is_empty() {
            return Ok(Some(step).filter(|_| !path.is_empty()));
        }
        let Some((choice, used)) = chosen(&step, words) else { return Ok(None) };
        path.push(choice);
        words = &words[used..];
    }
    Ok(None)
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
    let cells = cells(words);
    if cells.len() > words.len() {
        orders.push(cells);
    }
    orders
}

/// Whether a token begins with a cell; `a10b9` does not begin with `a1`.
fn begins_with_cell(token: &str, cell: &str) -> bool {
    let rest = token.strip_prefix(cell);
    rest.is_some_and(|rest| !rest.starts_with(|next: char| next.is_ascii_digit()))
}

/// Whether a token names a cell; `a10` does not name `a1`.
fn has_cell(token: &str, cell: &str) -> bool {
    let mut found = token.match_indices(cell).filter_map(|(at, _)| token.get(at..));
    found.any(|rest| begins_with_cell(rest, cell))
}

/// The cells that are written without blanks between them: `a3-b4`, `a3b4(c5)`. Other words give
/// none.
fn cells(words: &[&str]) -> Vec<String> {
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
        let found = step.next.iter().find(|next| names(next).any(|name| plain(name) == text));
        if let Some(next) = found {
            return Some((next.choice.clone(), count));
        }
    }
    let text = plain(words.first()?);
    let begins = |next: &&Next| names(next).any(|name| plain(name).starts_with(&text));
    let mut beginning = step.next.iter().filter(begins);
    if let (Some(next), None) = (beginning.next(), beginning.next()) {
        return Some((next.choice.clone(), 1));
    }
    step.form.as_ref().and_then(|form| written(form, words))
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
fn nearest(moves: &[String], text: &str) -> Vec<String> {
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
