//! Wordings whose answers follow from several predicates: does it breathe.

use super::asked::{Asked, Follows};
use super::{Knowledge, Predicate};

/// From what the answers to some wordings follow.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Wordings {
    /// Names of predicates, each with the way in which answers follow from it.
    pub follows: Vec<(Follows, String)>,
    /// The wordings.
    pub questions: Vec<String>,
}

impl Wordings {
    /// Reads `yes is_mammal, no if yes is_fish is_insect: Does it ..? | Is it ..?`.
    ///
    /// # Errors
    /// Says what is wrong.
    pub fn parse(text: &str) -> Result<Wordings, String> {
        let usage = "should be `ask yes PREDICATE .., no PREDICATE .., ..: QUESTION | QUESTION ..`";
        let (head, questions) = text.split_once(':').ok_or(usage)?;
        let mut made = Wordings::default();
        for part in head.split(',').map(str::trim) {
            let (follows, predicates) = Follows::split(part).ok_or_else(|| {
                let names = Follows::NAMES.map(|(name, _)| name).join(", ");
                format!("`{part}` should be one of {names}, and predicates")
            })?;
            let predicates = predicates.split_whitespace();
            made.follows.extend(predicates.map(|name| (follows, name.to_string())));
        }
        let questions = questions.split('|').map(str::trim).filter(|text| !text.is_empty());
        made.questions = questions.map(str::to_string).collect();
        if made.questions.is_empty() { Err(usage.to_string()) } else { Ok(made) }
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
