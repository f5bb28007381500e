//! Objects, words and questions: what moves and positions are made of.

use std::borrow::Cow;
use std::hash::{Hash, Hasher};
use std::sync::Arc;

use arrayvec::ArrayVec;

use crate::game::Seat;
use crate::games::barbarossa::knowledge::lexicon::{Lexicon, Named};
use crate::games::barbarossa::knowledge::word_list::{self, WordList};
use crate::games::barbarossa::knowledge::{Answer, Asked, Knowledge, PredicateId, WordId};

/// The shortest word, in letters.
pub(crate) const SHORTEST_WORD: usize = 2;

/// The longest word, in letters.
pub(crate) const LONGEST_WORD: usize = 14;

/// The longest word as it is written: a name of two words has `_` between them.
pub(crate) const LONGEST_NAME: usize = LONGEST_WORD + 1;

/// One object: seat letter and number, `b1` for the first of p2.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct ObjectName {
    /// Its maker.
    pub owner: Seat,
    /// Which of the maker's objects, from 0.
    pub number: u8,
}

/// Which words may be written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct AllowedWords {
    /// Any well-formed word; else only those of the list.
    pub free: bool,
    /// The words that are dealt, listed and guessed.
    pub list: WordList,
}

/// A secret word or a guess.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Word {
    /// A word that may be dealt, listed and guessed.
    Listed(WordId),
    /// A person's word or spelling besides, or a name of two words, padded with zeros.
    Foreign([u8; LONGEST_NAME]),
}

impl Word {
    /// The word as it is written.
    #[must_use]
    pub fn text(&self) -> &str {
        match self {
            Word::Listed(id) => word_list::word(*id),
            Word::Foreign(letters) => {
                let length = letters.iter().position(|byte| *byte == 0).unwrap_or(LONGEST_NAME);
                std::str::from_utf8(&letters[..length]).unwrap_or("")
            }
        }
    }

    /// Its letters; the `_` between two words is none.
    #[must_use]
    pub(crate) fn letters(&self) -> ArrayVec<u8, LONGEST_WORD> {
        self.text().bytes().filter(|byte| *byte != b'_').take(LONGEST_WORD).collect()
    }

    /// The listed word that it is, or the one judged by hand that it is a form of.
    #[must_use]
    pub fn id(&self) -> Option<WordId> {
        match self {
            Word::Listed(id) => Some(*id),
            Word::Foreign(_) => Knowledge::shipped().find_word(self.text()),
        }
    }

    /// What it stands for; `None` if no lexicon has it.
    #[must_use]
    pub(crate) fn named(&self) -> Option<Named> {
        match self {
            Word::Listed(id) => Some(word_list::named(*id)),
            Word::Foreign(_) => {
                let listed = self.id().map(Named::Judged);
                listed.or_else(|| Lexicon::shipped().find(self.text()))
            }
        }
    }

    /// Whether a sculpture of it may show a feature.
    pub(crate) fn may_show(&self, feature: PredicateId) -> bool {
        word_list::may_show(self.named(), feature)
    }

    /// The features that a sculpture of it may show, in table order.
    pub(crate) fn features(&self) -> impl Iterator<Item = PredicateId> + use<> {
        let named = self.named();
        Knowledge::shipped().vocabulary().filter(move |id| word_list::may_show(named, *id))
    }

    /// Whether a guess names this word: the same but for case and plural, or with `synset` another
    /// name of the same thing.
    #[must_use]
    pub fn same(&self, guess: &Word, synset: bool) -> bool {
        if let (Word::Listed(a), Word::Listed(b)) = (self, guess)
            && (a == b || !synset)
        {
            return a == b;
        }
        Knowledge::shipped().same_word(self.text(), guess.text(), synset)
            || synset && self.named().is_some_and(|named| guess.named() == Some(named))
    }

    /// What the judge knows of a word.
    pub(crate) fn judged_answer(&self, predicate: PredicateId) -> Answer {
        self.known_answer(predicate).unwrap_or(Answer::DontKnow)
    }

    /// What the lexicons say of a word; `None` for a word that they do not have.
    pub(crate) fn known_answer(&self, predicate: PredicateId) -> Option<Answer> {
        self.named().map(|named| word_list::answer(named, predicate))
    }
}

/// A question about an object.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Question {
    /// A predicate of the vocabulary.
    Predicate(PredicateId),
    /// A person's own words.
    Text(OwnWords),
}

/// A question in a person's own words, and what it asks for.
#[derive(Clone, Debug)]
pub struct OwnWords {
    text: Arc<str>,
    /// What follows from the text, read once: positions ask for it at every legal move.
    asked: Option<Arc<Asked>>,
}

impl OwnWords {
    /// Reads a question.
    #[must_use]
    pub fn new(text: &str) -> Self {
        OwnWords { text: text.into(), asked: Knowledge::shipped().asked(text).map(Arc::new) }
    }

    /// The words as they came.
    #[must_use]
    pub fn text(&self) -> &str {
        &self.text
    }
}

impl PartialEq for OwnWords {
    fn eq(&self, other: &OwnWords) -> bool {
        self.text == other.text
    }
}

impl Eq for OwnWords {}

impl Hash for OwnWords {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.text.hash(state);
    }
}

impl Question {
    /// The predicate it asks for, and nothing else; `None` if it asks for more or less than that, or
    /// is not understood.
    #[must_use]
    pub fn predicate(&self) -> Option<PredicateId> {
        match self {
            Question::Predicate(id) => Some(*id),
            Question::Text(words) => words.asked.as_ref()?.predicate(),
        }
    }

    /// What it asks for; `None` if it is not understood.
    #[must_use]
    pub fn asked(&self) -> Option<Cow<'_, Asked>> {
        match self {
            Question::Predicate(id) => Some(Cow::Owned(Asked::whole(*id))),
            Question::Text(words) => words.asked.as_deref().map(Cow::Borrowed),
        }
    }
}

/// All answers, in the order in which they are listed.
pub(crate) const ANSWERS: [Answer; 4] =
    [Answer::Yes, Answer::No, Answer::Possibly, Answer::DontKnow];
