//! What a typed line stands for: a move, the beginning of one, or none; and why it is none.

use anyhow::Result;

use super::game::HumanGame;
use super::spelling::{
    OFFERED, beginning_with, begins_with_cell, cell_count, cells, follow, has_cell, is_called,
    nearest, orders, plain, spellings,
};
use crate::picture::{Next, Step};
use crate::printing::printable;

/// Longer reasons are told only of moves that break a rule.
const LONGEST_REASON: usize = 100;

/// How a reason begins that names the tokens of the turn.
const EXPECTED: &str = "expected here";

/// A choice as it is listed.
fn called(next: &Next) -> String {
    plain(next.label.as_ref().unwrap_or(&next.choice))
}

/// The most moves that half of one is looked for in.
const HALVES: usize = 64;

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
            self.update_adviser()?;
            for words in orders(words) {
                let words: Vec<&str> = words.iter().map(String::as_str).collect();
                let followed = self.follow(&words)?.ok();
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
        let moves = self.legal(&first)?.unwrap_or_default();
        if let [only] = moves.as_slice() {
            return Ok(Entered::Token(only.clone()));
        }
        if step.is_none() {
            step = self.half(&first, &moves)?;
        }
        Ok(match step {
            Some(step) => Entered::Beginning(Box::new(step)),
            None => Entered::Illegal,
        })
    }

    /// The step to which all moves lead that begin with `half`, if it ends where a part of them does:
    /// `a5a1d` of `a5a1d,a1c1`.
    fn half(&self, half: &str, moves: &[String]) -> Result<Option<Step>> {
        let ends =
            |token: &String| token.strip_prefix(half).is_some_and(|rest| rest.starts_with(','));
        if moves.is_empty() || moves.len() > HALVES || !moves.iter().all(ends) {
            return Ok(None);
        }
        let paths = moves.iter().map(|token| self.adviser.path(token));
        let paths: Option<Vec<_>> = paths.collect::<Result<Vec<_>>>()?.into_iter().collect();
        let Some(paths) = paths else { return Ok(None) };
        let same = |(one, other)| if one == other { Some(one) } else { None };
        let common = paths
            .into_iter()
            .reduce(|one: Vec<String>, other| one.into_iter().zip(other).map_while(same).collect());
        // What must follow is not chosen yet.
        let mut left = cell_count(half);
        let typed = |choice: &String| {
            let typed = left > 0;
            left -= usize::from(typed && self.display.is_cell(choice));
            typed
        };
        let path: Vec<String> = common.unwrap_or_default().into_iter().take_while(typed).collect();
        if path.is_empty() { Ok(None) } else { self.adviser.step(&path) }
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
        Ok(self.course.referee.is_legal(token)?)
    }

    /// The step to which the words lead, choice by choice, or the choices up to the one that is none.
    fn follow(&self, words: &[&str]) -> Result<Result<Step, Vec<String>>> {
        follow(&mut |path| self.adviser.step(path), words)
    }

    /// The legal moves that begin with a prefix; `None` if they cannot be listed.
    pub(super) fn legal(&mut self, prefix: &str) -> Result<Option<Vec<String>>> {
        self.update_adviser()?;
        self.adviser.legal(prefix)
    }

    /// Why a line is no legal move, and the legal moves that are nearest to it.
    pub(super) fn refuse(&mut self, words: &[&str]) -> Result<String> {
        if let ["throw" | "roll"] = words
            && !self.is_legal("pass")?
        {
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
        if let Some(told) = self.ambiguous(words)? {
            return Ok(told);
        }
        let mut reason = self.reason(words)?;
        let unknown = if reason.breaks_rule { None } else { self.near_choices(words)? };
        if let Some(cell) = cells(words).first()
            && !reason.breaks_rule
            && self.display.is_cell(cell)
            && !moves.is_empty()
            && !moves.iter().any(|token| begins_with_cell(token, cell))
        {
            reason.text = format!(": you have no move from {cell}");
        }
        let near: Vec<String> = if let Some(near) = unknown {
            reason.text = ": it cannot be chosen now".to_owned();
            near
        } else {
            let mut near = nearest(&moves, &words.concat());
            if reason.breaks_rule {
                // Another word has nothing to do with the rule.
                near.retain(|token| !token.contains(':'));
            }
            near.splice(0..0, self.filled_in(words)?);
            near.iter().map(|token| self.display.words(token)).collect()
        };
        let mut said = format!("{text} is not a legal move{}.", reason.text);
        if !near.is_empty() {
            said += &format!(" Did you mean {}?", near.join(", "));
        }
        Ok(said)
    }

    /// Which choices a word may be that begins several of them.
    fn ambiguous(&mut self, words: &[&str]) -> Result<Option<String>> {
        let ([word], Some(step)) = (words, self.choices_now()?) else { return Ok(None) };
        let start = plain(word);
        let several: Vec<String> = beginning_with(&step, &start).map(called).collect();
        let text = printable(word, 60);
        let tell = || format!("{text} may be {}. Which one?", several.join(" or "));
        Ok((!start.is_empty() && (2..=OFFERED).contains(&several.len())).then(tell))
    }

    /// What is near to words that are no choice where all that can be chosen is listed, on cards: no
    /// word of what others could show or be.
    fn near_choices(&mut self, words: &[&str]) -> Result<Option<Vec<String>>> {
        let (Some(step), Some(first)) = (self.choices_now()?, words.first()) else {
            return Ok(None);
        };
        let first_name = plain(first);
        let begins = words.len() > 1 && step.next.iter().any(|next| is_called(next, &first_name));
        let on_cards = self.display.has_cards() && !self.display.is_card(first);
        if begins || step.form.is_some() || !on_cards {
            return Ok(None);
        }
        let called: Vec<String> = step.next.iter().map(called).collect();
        let filled_in = self.filled_in(words)?;
        let mut near: Vec<String> =
            filled_in.iter().map(|token| self.display.words(token)).collect();
        near.extend(nearest(&called, &words.join(" ")));
        near.truncate(OFFERED);
        Ok(Some(near))
    }

    /// The moves that the words are with one more choice before or after one of them: `b2 gate` as
    /// `b2 guess gate`, `gate` as `b2 gate`.
    fn filled_in(&mut self, words: &[&str]) -> Result<Vec<String>> {
        self.update_adviser()?;
        for at in 0..words.len() {
            let (begun, rest) = words.split_at(at);
            let step = match begun {
                [] => self.adviser.step(&[])?,
                _ => self.follow(begun)?.ok(),
            };
            let mut found = Vec::new();
            for next in step.into_iter().flat_map(|step| step.next) {
                let words = [begun, &[next.choice.as_str()], rest].concat();
                found.extend(self.follow(&words)?.ok().and_then(|step| step.token));
            }
            if !found.is_empty() && found.len() <= OFFERED {
                return Ok(found);
            }
        }
        Ok(Vec::new())
    }

    /// The words spelled as the last part of a token, as the choices that there are now: `tail` as
    /// `show:a1:has_tail`.
    fn completed(&mut self, words: &[&str]) -> Result<Vec<String>> {
        let step = self.choices_now()?;
        let mut choices = step.into_iter().flat_map(|step| step.next).map(|next| next.choice);
        // Not such as `done`, which stands beside the others.
        let Some(choice) = choices.next_back() else { return Ok(Vec::new()) };
        let path = std::slice::from_ref(&choice);
        let step = self.adviser.step(path)?;
        let token = step.and_then(|step| step.token).unwrap_or_default();
        let Some(start) = token.strip_suffix(&choice).filter(|start| start.ends_with(':')) else {
            return Ok(Vec::new());
        };
        let word = words.join("_").to_ascii_lowercase();
        Ok(["", "has_", "is_"].map(|verb| format!("{start}{verb}{word}")).into())
    }

    /// The number of choices that the words name up to one that the engine refuses, and why it does.
    fn refused_choices(&mut self, words: &[&str]) -> Result<Option<(usize, String)>> {
        self.update_adviser()?;
        for words in orders(words) {
            let words: Vec<&str> = words.iter().map(String::as_str).collect();
            if let Err(path) = self.follow(&words)?
                && let Some(refused) = self.adviser.refused(&path)?
            {
                return Ok(Some((path.len(), refused)));
            }
        }
        Ok(None)
    }

    /// Why the engine refuses a move, from what the person may see: of all spellings of the line,
    /// the first that is a move at all.
    fn reason(&mut self, words: &[&str]) -> Result<Reason> {
        let mut said: Option<String> = None;
        let mut all = self.completed(words)?;
        all.extend(spellings(words));
        for spelling in all {
            // What is refused leaves the adviser without a position.
            self.update_adviser()?;
            let Some(error) = self.adviser.objection(&spelling)? else { continue };
            let is_move = is_illegal(&error);
            if is_move || said.is_none() {
                said = Some(error);
            }
            if is_move {
                break;
            }
        }
        let breaks_rule = said.as_deref().is_some_and(is_illegal);
        let of_token = said.as_deref().and_then(explanation);
        let (choices, refused) = self.refused_choices(words)?.unzip();
        let of_choice = refused.as_deref().and_then(explanation);
        // A word that is no choice at all is better explained as a token.
        let by_choice = !breaks_rule && choices.is_some_and(|count| count > 1);
        let reason = if by_choice { of_choice.or(of_token) } else { of_token.or(of_choice) };
        let text = match reason {
            // The choices that there are stand below it.
            Some(reason) if reason.starts_with(EXPECTED) && self.adviser.has_pictures() => {
                " now".to_owned()
            }
            Some(reason) => {
                format!(": {}", self.display.named(&printable(reason, 300)).replace('_', " "))
            }
            None => String::new(),
        };
        Ok(Reason { text, breaks_rule })
    }
}

/// Whether an error is of a move that breaks a rule.
fn is_illegal(error: &str) -> bool {
    error.starts_with("illegal-move")
}

/// What an error explains: `illegal-move move 3 'e2e5': the reason`, or a code and the reason.
fn explanation(error: &str) -> Option<&str> {
    let after_code = error.split_once(' ').map_or(error, |(_, reason)| reason);
    let reason = error.split_once("': ").map_or(after_code, |(_, reason)| reason);
    let reason = reason.trim_end_matches('.');
    // A list of all tokens that there are explains nothing.
    let explains = is_illegal(error) || reason.len() <= LONGEST_REASON;
    Some(reason).filter(|reason| explains && !reason.is_empty())
}

/// Why a line is refused.
struct Reason {
    /// What follows `is not a legal move`; empty where nothing explains it.
    text: String,
    /// Whether it is a move, but not a legal one.
    breaks_rule: bool,
}
