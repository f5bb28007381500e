//! Which predicate a question in English asks for, if that is certain.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::OnceLock;

use super::grammar::{self, Unsure};
use super::lexicon::{Lexicon, Named};
use super::{Answer, Knowledge, Predicate, PredicateId, WordId, language};

/// How a question was understood.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Reading {
    /// It asks for this predicate, and for nothing else.
    Certain(PredicateId),
    /// It asks for more or for less than this predicate: only this answer follows, others are
    /// `dontknow`.
    Partly(PredicateId, Answer),
    /// It is answered `dontknow`.
    Unsure {
        /// Why.
        why: Unsure,
        /// Predicates with words in common, the most likely first.
        nearest: Vec<PredicateId>,
    },
}

/// What a question asks for.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Asked {
    /// The predicate.
    pub predicate: PredicateId,
    /// The only answer that follows from the predicate; `None` where all do. Does it have feathers:
    /// yes of a bird, and of an arrow as well.
    pub only: Option<Answer>,
}

impl Asked {
    /// The answer to the question, from the answer that the predicate has.
    #[must_use]
    pub fn answer(self, answer: Answer) -> Answer {
        match (self.only, answer) {
            (Some(Answer::Yes), Answer::No)
            | (Some(Answer::No), Answer::Yes | Answer::Possibly) => Answer::DontKnow,
            _ => answer,
        }
    }

    /// Whether the answer to the question says what the answer of the predicate is.
    #[must_use]
    pub fn tells(self, answer: Answer) -> bool {
        self.only.is_none() || answer != Answer::DontKnow && self.answer(answer) == answer
    }
}

/// How many predicates are offered instead of a question that is not understood.
const OFFERED: usize = 4;

/// What stands before the frame of a loose question: can you see it in a kitchen.
const LOOSE: &str = "loose|";

/// Frames whose loose questions have two meanings: can it smell.
const TWO_MEANINGS: [&str; 1] = ["do|smell"];

fn loose(frame: &str) -> String {
    format!("{LOOSE}{frame}")
}

/// Whether a frame asks for a kind.
fn names_a_kind(frame: &str) -> bool {
    let mass = |noun: &str| grammar::MASS_NOUNS.contains(&noun);
    frame.starts_with("be|a|") || frame.strip_prefix("be|").is_some_and(mass)
}

/// The frames of all questions that the table can answer, made at the first question.
#[derive(Clone, Default, Debug)]
pub(super) struct Frames(OnceLock<KnownFrames>);

/// What each frame asks for; `None` where two kinds that differ have one name.
type KnownFrames = BTreeMap<String, Option<Asked>>;

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
            Ok(Asked { predicate, only: None }) => Reading::Certain(predicate),
            Ok(Asked { predicate, only: Some(answer) }) => Reading::Partly(predicate, answer),
            Err(why) => {
                let wants_others = !matches!(why, Unsure::Empty | Unsure::Open | Unsure::Letters);
                let nearest = if wants_others { self.alike(free_text) } else { Vec::new() };
                Reading::Unsure { why, nearest }
            }
        }
    }

    /// The predicate that a question in plain English asks for, if that is certain and all answers
    /// follow from it. Anything else is answered `dontknow`, never `no`.
    #[must_use]
    pub fn understand(&self, free_text: &str) -> Option<PredicateId> {
        self.asked(free_text).filter(|asked| asked.only.is_none()).map(|asked| asked.predicate)
    }

    /// What a question in plain English asks for, if that is certain.
    #[must_use]
    pub fn asked(&self, free_text: &str) -> Option<Asked> {
        self.read(free_text).ok()
    }

    fn read(&self, free_text: &str) -> Result<Asked, Unsure> {
        match self.find_predicate(free_text.trim()) {
            Some(predicate) => {
                let entry = self.predicate_entry(predicate);
                let is_whole = entry.is_none_or(|entry| !entry.questions.is_empty());
                Ok(Asked { predicate, only: (!is_whole).then_some(Answer::Yes) })
            }
            None => {
                let frames = grammar::frames(free_text)?;
                if !grammar::is_loose(free_text, &frames) {
                    return self.asked_for(&frames);
                }
                let loose: Vec<String> = frames.iter().map(|frame| loose(frame)).collect();
                if loose.iter().any(|frame| self.frames().contains_key(frame)) {
                    return self.asked_for(&loose);
                }
                let asked = self.asked_for(&frames)?;
                match asked.only {
                    Some(Answer::No) => Err(Unsure::Ambiguous),
                    _ => Ok(Asked { only: Some(Answer::Yes), ..asked }),
                }
            }
        }
    }

    /// The one predicate that frames of one meaning ask for.
    fn asked_for(&self, frames: &[String]) -> Result<Asked, Unsure> {
        let known = self.frames();
        let mut found: Vec<Option<Asked>> =
            frames.iter().filter_map(|frame| known.get(frame).copied()).collect();
        // What the vocabulary asks for goes before kinds.
        let listed = |asked: &Option<Asked>| asked.is_some_and(|it| self.is_listed(it.predicate));
        if found.iter().any(listed) {
            found.retain(listed);
        }
        let predicates: BTreeSet<PredicateId> =
            found.iter().flatten().map(|asked| asked.predicate).collect();
        // Of two meanings of one predicate the whole one is first.
        match (found.iter().flatten().min(), predicates.len()) {
            (Some(asked), 1) if !found.contains(&None) => Ok(*asked),
            (Some(_), _) => Err(Unsure::Ambiguous),
            (None, _) if frames.iter().any(|frame| self.names_a_word(frame)) => Err(Unsure::Guess),
            (None, _) if found.contains(&None) => Err(Unsure::Ambiguous),
            (None, _) => Err(Unsure::Unknown),
        }
    }

    /// Whether a frame asks for a word of the lexicon, by any of its names: is it a teapot, is it a
    /// couch.
    fn names_a_word(&self, frame: &str) -> bool {
        let noun = frame.strip_prefix("be|a|").or_else(|| frame.strip_prefix("be|"));
        noun.is_some_and(|noun| {
            !self.named_by(noun).is_empty()
                || matches!(Lexicon::shipped().find(noun), Some(Named::Judged(_)))
        })
    }

    fn named_word(&self, frame: &str) -> Option<WordId> {
        let noun = frame.strip_prefix("be|a|").or_else(|| frame.strip_prefix("be|"));
        noun.and_then(|noun| self.find_word(noun))
    }

    /// The frames of all questions.
    fn frames(&self) -> &KnownFrames {
        self.frames.0.get_or_init(|| {
            let mut known = KnownFrames::new();
            for frame in TWO_MEANINGS {
                known.insert(loose(frame), None);
            }
            let frames = |question: &str| grammar::frames(question).unwrap_or_default();
            let entries = || self.vocabulary().zip(&self.predicates);
            let whole = entries().flat_map(|(predicate, entry)| {
                let asked = Asked { predicate, only: None };
                entry.questions.iter().map(move |question| (asked, question))
            });
            let partial = entries().flat_map(|(predicate, entry)| {
                let asked = move |only| Asked { predicate, only: Some(only) };
                entry.partial.iter().map(move |(only, question)| (asked(*only), question))
            });
            for (asked, question) in whole.chain(partial) {
                let found = frames(question);
                let is_loose = grammar::is_loose(question, &found);
                for frame in found {
                    let frame = if is_loose { loose(&frame) } else { frame };
                    known.entry(frame).or_insert(Some(asked));
                }
            }
            // Can it climb: does it climb asks for no more.
            let only_loose: Vec<(String, Option<Asked>)> = known
                .iter()
                .filter_map(|(frame, asked)| Some((frame.strip_prefix(LOOSE)?.into(), *asked)))
                .collect();
            for (frame, asked) in only_loose {
                known.entry(frame).or_insert(asked);
            }
            let kinds = self.predicates.iter().enumerate().skip(self.listed);
            for (index, kind) in kinds {
                let id = PredicateId(index as u16);
                let whole = kind.questions.iter().map(|question| (None, question));
                let partial = kind.partial.iter().map(|(only, question)| (Some(*only), question));
                for (only, question) in whole.chain(partial) {
                    let asked = Asked { predicate: id, only };
                    for frame in frames(question).into_iter().filter(|it| names_a_kind(it)) {
                        self.add_kind(&mut known, frame, asked);
                    }
                }
            }
            known
        })
    }

    fn add_kind(&self, known: &mut KnownFrames, frame: String, kind: Asked) {
        let (id, asked) = (kind.predicate, Some(kind));
        match known.get(&frame).copied() {
            None => {
                // A kind may have the name of a word that is no such thing: a hired hand.
                let other = self.named_word(&frame).filter(|word| !self.is(*word, id));
                known.insert(frame, if other.is_some() { None } else { asked });
            }
            // The vocabulary goes first; of two kinds the wider one, if it holds the other.
            Some(Some(Asked { predicate: other, .. })) if other != id && !self.is_listed(other) => {
                if !self.holds(other, id) {
                    known.insert(frame, asked.filter(|_| self.holds(id, other)));
                }
            }
            Some(_) => {}
        }
    }

    fn is(&self, word: WordId, predicate: PredicateId) -> bool {
        self.answer(word, predicate) == Answer::Yes
    }

    /// Whether all that is of one kind is of another.
    fn holds(&self, wider: PredicateId, narrower: PredicateId) -> bool {
        self.words().all(|word| !self.is(word, narrower) || self.is(word, wider))
    }

    /// The predicates whose questions have most words in common with a text.
    fn alike(&self, text: &str) -> Vec<PredicateId> {
        let asked = self.predicates.iter().take(self.listed).flat_map(Predicate::wordings);
        let known: BTreeSet<String> = asked.flat_map(|text| grammar::content(&text)).collect();
        // Of a word that no question has, the most similar one, if it may be misspelled.
        let spelled = |word: String| {
            let near = || known.iter().filter(|other| language::is_misspelled(&word, other)).min();
            if known.contains(&word) { word } else { near().cloned().unwrap_or(word) }
        };
        let wanted: BTreeSet<String> = grammar::content(text).into_iter().map(spelled).collect();
        let mut ranked: Vec<(usize, usize, PredicateId)> = Vec::new();
        for id in self.vocabulary() {
            let Some(entry) = self.predicate_entry(id) else { continue };
            let partial = entry.partial.iter().map(|(_, question)| question);
            let shared = entry.questions.iter().chain(partial).map(|question| {
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
