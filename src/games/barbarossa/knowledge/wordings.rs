//! Wordings whose answers follow from several predicates: does it breathe.

use super::asked::{Asked, Follows};
use super::grammar::registered;
use super::{Knowledge, Predicate};

/// From what the answers to some wordings follow.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Wordings {
    /// Names of predicates, each with the way in which answers follow from it.
    pub follows: Vec<(Follows, String)>,
    /// The frames of the wordings, each once.
    pub frames: Vec<String>,
}

/// What stands between two frames in the packed table.
pub const BETWEEN_FRAMES: char = ';';

impl Wordings {
    /// Reads `yes is_mammal, no if yes is_fish is_insect: FRAME;FRAME`, as the packed table has it.
    ///
    /// # Errors
    /// Says what is wrong.
    pub fn of_frames(text: &str) -> Result<Wordings, String> {
        let usage = "should be `yes PREDICATE .., no PREDICATE .., ..: FRAME;FRAME ..`";
        let (head, frames) = text.split_once(": ").ok_or(usage)?;
        let follows = follows_of(head)?;
        let frames = frames.split(BETWEEN_FRAMES).map(str::to_string).collect();
        Ok(Wordings { follows, frames })
    }

    /// Reads `yes is_mammal, no if yes is_fish is_insect: Does it ..? | Is it ..?`, as the sources have
    /// it.
    ///
    /// # Errors
    /// Says what is wrong, also of a question that has no frame, or three or more.
    pub fn of_questions(text: &str) -> Result<Wordings, String> {
        let usage = "should be `ask yes PREDICATE .., no PREDICATE .., ..: QUESTION | QUESTION ..`";
        let (head, questions) = text.split_once(':').ok_or(usage)?;
        let mut made = Wordings { follows: follows_of(head)?, frames: Vec::new() };
        let mut bad = Vec::new();
        for question in questions.split('|').map(str::trim).filter(|text| !text.is_empty()) {
            let frames = registered(question);
            // A fragment may ask in several ways; which of them is meant is not known.
            if !(1..3).contains(&frames.len()) {
                bad.push(question);
            }
            made.frames.extend(frames);
        }
        if !bad.is_empty() {
            return Err(format!("should have one frame or two each: {}", bad.join(" | ")));
        }
        if made.frames.is_empty() {
            return Err(usage.to_string());
        }
        made.frames.sort();
        made.frames.dedup();
        Ok(made)
    }

    /// What they ask for.
    pub(super) fn asked(&self, knowledge: &Knowledge) -> Option<Asked> {
        let mut all = self.follows.iter().map(|(follows, name)| {
            knowledge.find_predicate(name).map(|predicate| Asked::of(predicate, *follows))
        });
        let mut made = all.next()??;
        for more in all {
            made.join(&more?);
        }
        Some(made)
    }
}

/// Reads `yes is_mammal, no if yes is_fish is_insect`: each way once, with its predicates.
fn follows_of(head: &str) -> Result<Vec<(Follows, String)>, String> {
    let mut made: Vec<(Follows, String)> = Vec::new();
    for part in head.split(',').map(str::trim) {
        let split = Follows::split(part);
        let (follows, predicates) =
            split.filter(|(_, predicates)| !predicates.is_empty()).ok_or_else(|| {
                let names = Follows::NAMES.map(|(name, _)| name).join(", ");
                format!("`{part}` should be one of {names}, and predicates")
            })?;
        if made.iter().any(|(known, _)| *known == follows) {
            return Err(format!("`{}` should be there once", follows.name()));
        }
        for name in predicates.split_whitespace() {
            let more = (follows, name.to_string());
            if made.contains(&more) {
                return Err(format!("`{name}` is there twice"));
            }
            made.push(more);
        }
    }
    Ok(made)
}

impl Predicate {
    /// Adds a wording as it is written in the sources: `(yes) Does it have feathers?` is wider than
    /// its predicate, `(no) Is it used at a wedding?` narrower.
    pub fn add_wording(&mut self, text: &str) {
        let marked = text.strip_prefix('(').and_then(|text| text.split_once(") "));
        match marked.and_then(|(name, question)| Some((Follows::parse(name)?, question))) {
            Some((follows, question)) => self.partial.push((follows, question.to_string())),
            None => self.questions.push(text.to_string()),
        }
    }

    /// All wordings as they are written in the sources.
    pub fn wordings(&self) -> impl Iterator<Item = String> {
        let partial = self.partial.iter();
        let partial = partial.map(|(follows, question)| format!("({}) {question}", follows.name()));
        self.questions.iter().cloned().chain(partial)
    }
}
