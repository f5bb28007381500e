//! The words that may be dealt, listed and guessed: the everyday words judged by hand, or all single
//! names of both lexicons.
//!
//! A [`WordId`] below the size of the table is a word of the table; those above it are the other
//! names, in alphabetical order.

use super::lexicon::{Lexicon, Named};
use super::{Answer, Knowledge, PredicateId, WordId, language};

/// Which words may be dealt, listed and guessed: the option `Lexicon`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum WordList {
    /// The words that were judged by hand.
    #[default]
    Core,
    /// Those, and all single names of the wider lexicon.
    All,
}

impl WordList {
    /// How many words there are.
    #[must_use]
    pub fn len(self) -> usize {
        let core = Knowledge::shipped().len();
        match self {
            WordList::Core => core,
            WordList::All => core + Lexicon::shipped().single_names(),
        }
    }

    /// Whether there is no word.
    #[must_use]
    pub fn is_empty(self) -> bool {
        self.len() == 0
    }

    /// Whether a word is one of them.
    #[must_use]
    pub fn contains(self, id: WordId) -> bool {
        usize::from(id.0) < self.len()
    }

    /// All words: the table in alphabetical order, then the other names in alphabetical order.
    pub fn words(self) -> impl ExactSizeIterator<Item = WordId> + Clone + use<> {
        (0..self.len() as u16).map(WordId)
    }

    /// The word that a person means: case and plural do not matter.
    #[must_use]
    pub fn find(self, text: &str) -> Option<WordId> {
        let knowledge = Knowledge::shipped();
        match self {
            WordList::Core => knowledge.find_word(text),
            WordList::All => language::first_known(&language::fold(text), |form| {
                knowledge.word_ids.get(form).copied().or_else(|| single_name(form))
            }),
        }
    }

    /// The words that look most like the text, best first: for error messages.
    pub(crate) fn nearest(self, text: &str, count: usize) -> Vec<&'static str> {
        language::spelled_like(text, self.words().map(word), count)
    }
}

/// The word of an id.
#[must_use]
pub fn word(id: WordId) -> &'static str {
    let knowledge = Knowledge::shipped();
    match other_name(id) {
        Some(index) => Lexicon::shipped().single_name(index).map_or("", |(name, _)| name),
        None => knowledge.word(id),
    }
}

/// What a word stands for.
#[must_use]
pub(crate) fn named(id: WordId) -> Named {
    let other = other_name(id).and_then(|index| Lexicon::shipped().single_name(index));
    other.map_or(Named::Judged(id), |(_, named)| named)
}

/// What the judge knows of a thing.
#[must_use]
pub(crate) fn answer(named: Named, predicate: PredicateId) -> Answer {
    match named {
        Named::Judged(word) => Knowledge::shipped().answer(word, predicate),
        Named::Derived(entry) => Lexicon::shipped().answer(entry, predicate),
    }
}

/// Whether a sculpture of a thing may show a feature: clay can show it, and it is true or possibly
/// true of the thing. Of a thing that nobody judged the owner decides what is uncertain, and what is
/// certainly false may not be shown. Of what no lexicon has only the owner knows.
#[must_use]
pub(crate) fn may_show(named: Option<Named>, feature: PredicateId) -> bool {
    let knowledge = Knowledge::shipped();
    match named {
        Some(Named::Judged(word)) => knowledge.may_show(word, feature),
        Some(Named::Derived(entry)) => {
            knowledge.is_clay_visible(feature)
                && Lexicon::shipped().answer(entry, feature) != Answer::No
        }
        None => knowledge.is_clay_visible(feature),
    }
}

/// The place of an id among the names that the table does not have.
fn other_name(id: WordId) -> Option<usize> {
    usize::from(id.0).checked_sub(Knowledge::shipped().len())
}

/// The word with this very name among those that the table does not have.
fn single_name(name: &str) -> Option<WordId> {
    let index = Lexicon::shipped().find_single(name)?;
    Some(WordId((Knowledge::shipped().len() + index) as u16))
}
