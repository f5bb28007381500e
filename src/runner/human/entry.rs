//! What a typed line stands for: a move, the beginning of one, or none; and why it is none.

use anyhow::Result;

use super::game::HumanGame;
use super::spelling::{
    OFFERED, begins_with_cell, cells, follow, has_cell, nearest, orders, plain, spellings,
};
use crate::picture::Step;
use crate::printing::printable;

/// Longer reasons are told only of moves that break a rule.
const LONGEST_REASON: usize = 100;

/// How a reason begins that names the tokens of the turn.
const EXPECTED: &str = "expected here";

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
        Ok(self.course.referee.is_legal(token)?)
    }

    /// The step to which the words lead, choice by choice; `None` if they lead nowhere.
    fn follow(&self, words: &[&str]) -> Result<Option<Step>> {
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
        let mut near = nearest(&moves, &words.concat());
        near.splice(0..0, self.filled_in(words)?);
        let near: Vec<String> = near.iter().map(|token| self.display.words(token)).collect();
        if !near.is_empty() {
            said += &format!(" Did you mean {}?", near.join(", "));
        }
        Ok(said)
    }

    /// The move that the words are with one more choice after one of them: `b2 gate` as
    /// `b2 guess gate`.
    fn filled_in(&mut self, words: &[&str]) -> Result<Option<String>> {
        self.update_adviser()?;
        for at in 1..words.len() {
            let (begun, rest) = words.split_at(at);
            for next in self.follow(begun)?.into_iter().flat_map(|step| step.next) {
                let words = [begun, &[next.choice.as_str()], rest].concat();
                if let Some(token) = self.follow(&words)?.and_then(|step| step.token) {
                    return Ok(Some(token));
                }
            }
        }
        Ok(None)
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
        let text = if reason.starts_with(EXPECTED) && self.adviser.has_pictures() {
            // The choices that there are stand below it.
            " now".to_owned()
        } else if reason.is_empty() || !explains {
            String::new()
        } else {
            format!(": {}", self.display.named(&printable(reason, 300)))
        };
        Ok(Reason { text, breaks_rule })
    }
}

/// Why a line is refused.
struct Reason {
    /// What follows `is not a legal move`; empty where nothing explains it.
    text: String,
    /// Whether it is a move, but not a legal one.
    breaks_rule: bool,
}
