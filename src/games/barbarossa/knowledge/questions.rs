//! Which predicate a question in English asks for, if that is certain.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::OnceLock;

use super::grammar::{self, Unsure};
use super::{Knowledge, PredicateId};

/// How a question was understood.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Reading {
    /// It asks for this predicate, and for nothing else.
    Certain(PredicateId),
    /// It is answered `dontknow`.
    Unsure {
        /// Why.
        why: Unsure,
        /// Predicates with words in common, the most likely first.
        nearest: Vec<PredicateId>,
    },
}

/// How many predicates are offered instead of a question that is not understood.
const OFFERED: usize = 4;

/// Whether a frame asks for a kind.
fn names_a_kind(frame: &str) -> bool {
    let mass = |noun: &str| grammar::MASS_NOUNS.contains(&noun);
    frame.starts_with("be|a|") || frame.strip_prefix("be|").is_some_and(mass)
}

/// The frames of all questions that the table can answer, made at the first question.
#[derive(Clone, Default, Debug)]
pub(super) struct Frames(OnceLock<BTreeMap<String, Option<PredicateId>>>);

/// Frames follow from the predicates.
impl PartialEq for Frames {
    fn eq(&self, _: &Frames) -> bool {
        true
    }
}

impl Eq for Frames {}

impl Knowledge {
    /// What a question in plain English asks for. A token of a predicate is understood as well.
    #[must_use]
    pub fn read_question(&self, free_text: &str) -> Reading {
        match self.read(free_text) {
            Ok(id) => Reading::Certain(id),
            Err(why) => {
                let wants_others = !matches!(why, Unsure::Empty | Unsure::Open | Unsure::Letters);
                let nearest = if wants_others { self.alike(free_text) } else { Vec::new() };
                Reading::Unsure { why, nearest }
            }
        }
    }

    /// The predicate that a question in plain English asks for, if that is certain. Anything
    /// else is answered `dontknow`, never `no`.
    #[must_use]
    pub fn understand(&self, free_text: &str) -> Option<PredicateId> {
        self.read(free_text).ok()
    }

    fn read(&self, free_text: &str) -> Result<PredicateId, Unsure> {
        match self.find_predicate(free_text.trim()) {
            Some(id) => Ok(id),
            None => self.asked_for(&grammar::frames(free_text)?),
        }
    }

    /// The one predicate that frames of one meaning ask for.
    fn asked_for(&self, frames: &[String]) -> Result<PredicateId, Unsure> {
        let known = self.frames();
        let mut found: Vec<Option<PredicateId>> =
            frames.iter().filter_map(|frame| known.get(frame).copied()).collect();
        // What the vocabulary asks for goes before kinds.
        let listed = |id: &Option<PredicateId>| id.is_some_and(|id| self.is_listed(id));
        if found.iter().any(listed) {
            found.retain(listed);
        }
        let distinct: BTreeSet<PredicateId> = found.iter().copied().flatten().collect();
        match (distinct.first(), distinct.len()) {
            (Some(id), 1) if !found.contains(&None) => Ok(*id),
            (Some(_), _) => Err(Unsure::Ambiguous),
            (None, _) if found.contains(&None) => Err(Unsure::Ambiguous),
            (None, _) if frames.iter().any(|frame| self.names_a_word(frame)) => Err(Unsure::Guess),
            (None, _) => Err(Unsure::Unknown),
        }
    }

    /// Whether a frame asks for a word of the lexicon: is it a teapot.
    fn names_a_word(&self, frame: &str) -> bool {
        let noun = frame.strip_prefix("be|a|").or_else(|| frame.strip_prefix("be|"));
        noun.is_some_and(|noun| self.find_word(noun).is_some())
    }

    /// The frames of all questions; `None` where two kinds that differ have one name.
    fn frames(&self) -> &BTreeMap<String, Option<PredicateId>> {
        self.frames.0.get_or_init(|| {
            let mut known: BTreeMap<String, Option<PredicateId>> = BTreeMap::new();
            for (index, predicate) in self.predicates.iter().enumerate() {
                let id = PredicateId(index as u16);
                for question in &predicate.questions {
                    for frame in grammar::frames(question).unwrap_or_default() {
                        if self.is_listed(id) || names_a_kind(&frame) {
                            self.add_frame(&mut known, frame, id);
                        }
                    }
                }
            }
            known
        })
    }

    fn add_frame(
        &self,
        known: &mut BTreeMap<String, Option<PredicateId>>,
        frame: String,
        id: PredicateId,
    ) {
        match known.get(&frame).copied() {
            None => {
                known.insert(frame, Some(id));
            }
            // The vocabulary goes first; of two kinds the wider one, if it holds the other.
            Some(Some(other)) if other != id && !self.is_listed(other) => {
                if !self.holds(other, id) {
                    known.insert(frame, self.holds(id, other).then_some(id));
                }
            }
            Some(_) => {}
        }
    }

    /// Whether all that is of one kind is of another.
    fn holds(&self, wider: PredicateId, narrower: PredicateId) -> bool {
        use super::Answer::Yes;
        self.words()
            .all(|word| self.answer(word, narrower) != Yes || self.answer(word, wider) == Yes)
    }

    /// The predicates whose questions have most words in common with a text.
    fn alike(&self, text: &str) -> Vec<PredicateId> {
        let wanted: BTreeSet<String> = grammar::content(text).into_iter().collect();
        let mut ranked: Vec<(usize, usize, PredicateId)> = Vec::new();
        for id in self.vocabulary() {
            let Some(entry) = self.predicate_entry(id) else { continue };
            let shared = entry.questions.iter().map(|question| {
                let words = grammar::content(question);
                let shared = words.iter().filter(|word| wanted.contains(*word)).count();
                (shared, usize::MAX - words.len())
            });
            if let Some((shared, short)) = shared.max().filter(|(shared, _)| *shared > 0) {
                ranked.push((shared, short, id));
            }
        }
        ranked.sort_by(|a, b| b.0.cmp(&a.0).then(b.1.cmp(&a.1)).then(a.2.cmp(&b.2)));
        ranked.into_iter().take(OFFERED).map(|(.., id)| id).collect()
    }
}
