//! What the engine knows of things: a lexicon of words, a vocabulary of predicates, and for each
//! pair one of four answers.
//!
//! The table is written by hand as text (`data/barbarossa/*.txt`) and packed into the program.
//! `docs/barbarossa-knowledge.md` describes how it is made and reviewed.
//!
//! ```
//! use parlor::games::barbarossa::knowledge::{Answer, Knowledge};
//!
//! let knowledge = Knowledge::shipped();
//! let teapot = knowledge.find_word("Teapots").unwrap();
//! let question = knowledge.understand("Does it have a spout?").unwrap();
//! assert_eq!(knowledge.answer(teapot, question), Answer::Yes);
//! ```

mod asked;
mod domains;
mod grammar;
mod language;
pub mod lexicon;
#[cfg(feature = "engine")]
pub mod matrix;
pub mod pack;
pub mod people;
mod questions;
#[cfg(feature = "engine")]
pub mod recognise;
mod sizes;
pub mod word_list;
pub mod wordings;

use std::collections::BTreeMap;
use std::fmt;
use std::sync::OnceLock;

pub use asked::{Asked, Follows};
pub use grammar::Unsure;
pub use language::lemmas;
pub use questions::Reading;
use wordings::Wordings;

/// The four answers a question may get.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[repr(u8)]
pub enum Answer {
    /// No, or hardly ever.
    No = 0,
    /// Yes, or nearly always.
    Yes = 1,
    /// Some are, some are not.
    Possibly = 2,
    /// Unknown.
    DontKnow = 3,
}

impl Answer {
    /// All answers, in the order of their two bits.
    pub const ALL: [Answer; 4] = [Answer::No, Answer::Yes, Answer::Possibly, Answer::DontKnow];

    /// The answer of two bits.
    const fn from_bits(bits: u64) -> Answer {
        Self::ALL[(bits & 3) as usize]
    }

    /// The token of the protocol: `yes`, `no`, `possibly`, `dontknow`.
    #[must_use]
    pub const fn token(self) -> &'static str {
        match self {
            Answer::No => "no",
            Answer::Yes => "yes",
            Answer::Possibly => "possibly",
            Answer::DontKnow => "dontknow",
        }
    }

    /// The letter used in tables: `n`, `y`, `p`, `d`.
    #[must_use]
    pub const fn letter(self) -> char {
        match self {
            Answer::No => 'n',
            Answer::Yes => 'y',
            Answer::Possibly => 'p',
            Answer::DontKnow => 'd',
        }
    }

    /// The answer of a letter or token.
    #[must_use]
    pub fn parse(text: &str) -> Option<Answer> {
        Self::ALL.into_iter().find(|answer| {
            text == answer.token() || (text.len() == 1 && text.starts_with(answer.letter()))
        })
    }
}

impl fmt::Display for Answer {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(self.token())
    }
}

/// A word of the lexicon, numbered in alphabetical order.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct WordId(pub u16);

/// A predicate: below [`Knowledge::predicates`] one of the vocabulary, above it a kind.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct PredicateId(pub u16);

/// A predicate and how people ask it.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Predicate {
    /// Its token, `[a-z][a-z0-9_]*`.
    pub name: String,
    /// Whether a sculpture of clay can show it: form, parts, pose.
    pub clay: bool,
    /// The ways to ask it; the first is the one that the program uses.
    pub questions: Vec<String>,
    /// Wordings of which other answers follow than those of the predicate.
    pub partial: Vec<(Follows, String)>,
}

/// A word and its synonyms.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Word {
    /// The word itself, `[a-z]{3,14}`.
    pub name: String,
    /// Single words that name the same thing.
    pub synonyms: Vec<String>,
}

/// The lexicon, the vocabulary and the table of answers.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Knowledge {
    words: Vec<Word>,
    predicates: Vec<Predicate>,
    /// How many predicates are in the vocabulary; the rest are kinds.
    listed: usize,
    /// `u64`s to a row, 32 cells of two bits in each.
    stride: usize,
    rows: Vec<u64>,
    word_ids: BTreeMap<String, WordId>,
    /// The words that each synonym is another name of.
    synonym_ids: BTreeMap<String, Vec<WordId>>,
    predicate_ids: BTreeMap<String, PredicateId>,
    /// Wordings that ask for more than one predicate.
    wordings: Vec<Wordings>,
    frames: questions::Frames,
}

impl Knowledge {
    /// The table shipped with the program, unpacked at the first call.
    #[must_use]
    pub fn shipped() -> &'static Knowledge {
        static SHIPPED: OnceLock<Knowledge> = OnceLock::new();
        SHIPPED.get_or_init(|| {
            let packed = include_bytes!("../../../data/barbarossa/knowledge.bin");
            pack::unpack(packed).unwrap_or_else(|error| {
                log::error!("the shipped table of Barbarossa does not unpack: {error}");
                Knowledge::default()
            })
        })
    }

    /// An empty table of these words and predicates, every cell No. The first `listed`
    /// predicates are the vocabulary; `wordings` ask for more than one predicate. Words are sorted
    /// by name.
    #[must_use]
    pub fn new(
        mut words: Vec<Word>,
        predicates: Vec<Predicate>,
        listed: usize,
        wordings: Vec<Wordings>,
    ) -> Knowledge {
        words.sort_by(|a, b| a.name.cmp(&b.name));
        let stride = predicates.len().div_ceil(32);
        let mut made = Knowledge {
            rows: vec![0; stride * words.len()],
            listed: listed.min(predicates.len()),
            stride,
            wordings,
            ..Knowledge::default()
        };
        for (index, word) in words.iter().enumerate() {
            made.word_ids.insert(word.name.clone(), WordId(index as u16));
        }
        for (index, word) in words.iter().enumerate() {
            for synonym in &word.synonyms {
                made.synonym_ids.entry(synonym.clone()).or_default().push(WordId(index as u16));
            }
        }
        for (index, predicate) in predicates.iter().enumerate() {
            let id = PredicateId(index as u16);
            made.predicate_ids.insert(predicate.name.clone(), id);
        }
        made.words = words;
        made.predicates = predicates;
        made
    }

    /// How many words the lexicon has.
    #[must_use]
    pub fn len(&self) -> usize {
        self.words.len()
    }

    /// Whether the lexicon has no word.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.words.is_empty()
    }

    /// All words, in alphabetical order.
    pub fn words(&self) -> impl ExactSizeIterator<Item = WordId> + use<> {
        (0..self.words.len() as u16).map(WordId)
    }

    /// How many predicates the vocabulary has: the questions an engine may list.
    #[must_use]
    pub fn predicates(&self) -> usize {
        self.listed
    }

    /// How many predicates there are, kinds included: `kind_rodent` and its like, which answer
    /// free text and are never listed.
    #[must_use]
    pub fn predicates_with_kinds(&self) -> usize {
        self.predicates.len()
    }

    /// The predicates of the vocabulary, in table order.
    pub fn vocabulary(&self) -> impl ExactSizeIterator<Item = PredicateId> + use<> {
        (0..self.listed as u16).map(PredicateId)
    }

    /// Whether a predicate is one of the vocabulary; the kinds answer free text alone.
    pub(crate) fn is_listed(&self, predicate: PredicateId) -> bool {
        usize::from(predicate.0) < self.listed
    }

    /// The word, `[a-z]{3,14}`; empty for an id of another table.
    #[must_use]
    pub fn word(&self, word: WordId) -> &str {
        self.words.get(word.0 as usize).map_or("", |word| &word.name)
    }

    /// The token of a predicate; empty for an id of another table.
    #[must_use]
    pub fn predicate(&self, predicate: PredicateId) -> &str {
        self.predicates.get(predicate.0 as usize).map_or("", |predicate| &predicate.name)
    }

    /// The word with its synonyms.
    #[must_use]
    pub fn word_entry(&self, word: WordId) -> Option<&Word> {
        self.words.get(word.0 as usize)
    }

    /// The wordings that ask for more than one predicate.
    #[must_use]
    pub fn wordings(&self) -> &[Wordings] {
        &self.wordings
    }

    /// The predicate with the ways to ask it.
    #[must_use]
    pub fn predicate_entry(&self, predicate: PredicateId) -> Option<&Predicate> {
        self.predicates.get(predicate.0 as usize)
    }

    /// The predicate as a question for people: `Does it have a spout?`
    #[must_use]
    pub fn question(&self, predicate: PredicateId) -> &str {
        let Some(entry) = self.predicates.get(predicate.0 as usize) else { return "" };
        let partial = entry.partial.iter().map(|(_, question)| question);
        entry.questions.iter().chain(partial).next().map_or("", String::as_str)
    }

    /// Whether a sculpture of clay can show it.
    #[must_use]
    pub fn is_clay_visible(&self, predicate: PredicateId) -> bool {
        self.predicates.get(predicate.0 as usize).is_some_and(|predicate| predicate.clay)
    }

    /// Whether a sculpture of the word may show the feature: clay can show it, and it is true or
    /// possibly true of the thing.
    #[must_use]
    pub fn may_show(&self, word: WordId, predicate: PredicateId) -> bool {
        self.is_clay_visible(predicate)
            && matches!(self.answer(word, predicate), Answer::Yes | Answer::Possibly)
    }

    /// The answer of the table; `DontKnow` for ids of another table.
    #[must_use]
    pub fn answer(&self, word: WordId, predicate: PredicateId) -> Answer {
        let (row, column) = (word.0 as usize, predicate.0 as usize);
        if column >= self.predicates.len() {
            return Answer::DontKnow;
        }
        match self.rows.get(row * self.stride + column / 32) {
            Some(&cells) => Answer::from_bits(cells >> (column % 32 * 2)),
            None => Answer::DontKnow,
        }
    }

    /// Writes one cell; ids of another table are ignored.
    pub fn set_answer(&mut self, word: WordId, predicate: PredicateId, answer: Answer) {
        let (row, column) = (word.0 as usize, predicate.0 as usize);
        if column >= self.predicates.len() {
            return;
        }
        if let Some(cells) = self.rows.get_mut(row * self.stride + column / 32) {
            let shift = column % 32 * 2;
            *cells = *cells & !(3 << shift) | (answer as u64) << shift;
        }
    }

    /// The cells of a word, two bits each, 32 to a `u64`, the lowest first.
    #[must_use]
    pub fn row(&self, word: WordId) -> &[u64] {
        let start = word.0 as usize * self.stride;
        self.rows.get(start..start + self.stride).unwrap_or(&[])
    }

    /// The word of the lexicon that a person means: case and plural do not matter.
    #[must_use]
    pub fn find_word(&self, text: &str) -> Option<WordId> {
        language::first_known(&language::fold(text), |form| self.word_ids.get(form).copied())
    }

    /// The predicate of a token.
    #[must_use]
    pub fn find_predicate(&self, name: &str) -> Option<PredicateId> {
        self.predicate_ids.get(name).copied()
    }

    /// Whether two words count as the same: equal but for case and plural, or, with `synset`,
    /// also names of one thing. Words outside the lexicon are compared by form.
    #[must_use]
    pub fn same_word(&self, first: &str, second: &str, synset: bool) -> bool {
        let same = match (self.find_word(first), self.find_word(second)) {
            (Some(first), Some(second)) => first == second,
            (None, None) => language::same_lemma(&language::fold(first), &language::fold(second)),
            _ => false,
        };
        same || synset && {
            let named = self.named_by(first);
            self.named_by(second).iter().any(|id| named.contains(id))
        }
    }

    /// The words of the lexicon that the text is a name of: the word itself, and every word with
    /// this synonym. A bike is a bicycle and a motorcycle, which are not one thing themselves.
    fn named_by(&self, text: &str) -> Vec<WordId> {
        let names = |form: &str| {
            let itself = self.word_ids.get(form).copied();
            let others = self.synonym_ids.get(form).into_iter().flatten().copied();
            let ids: Vec<WordId> = itself.into_iter().chain(others).collect();
            (!ids.is_empty()).then_some(ids)
        };
        language::first_known(&language::fold(text), names).unwrap_or_default()
    }

    /// The predicates of the vocabulary that look most like the text, best first.
    pub(crate) fn nearest_predicates(&self, text: &str, count: usize) -> Vec<&str> {
        let names = self.predicates.iter().take(self.listed);
        language::nearest(text, names.map(|predicate| predicate.name.as_str()), count)
    }
}
