//! Objects, words and questions: what moves and positions are made of.

use std::sync::Arc;

use crate::game::Seat;
use crate::games::barbarossa::knowledge::lexicon::{Lexicon, Named};
use crate::games::barbarossa::knowledge::{Answer, Knowledge, PredicateId, WordId};

/// The shortest word, in letters.
pub(crate) const SHORTEST_WORD: usize = 2;

/// The longest word.
pub(crate) const LONGEST_WORD: usize = 14;

/// One object: seat letter and number, `b1` for the first of p2.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct ObjectName {
    /// Its maker.
    pub owner: Seat,
    /// Which of the maker's objects, from 0.
    pub number: u8,
}

/// A secret word or a guess.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Word {
    /// A word of the lexicon.
    Listed(WordId),
    /// A person's word or spelling outside the lexicon, padded with zeros.
    Foreign([u8; LONGEST_WORD]),
}

impl Word {
    /// The word as it is written.
    #[must_use]
    pub fn text(&self) -> &str {
        match self {
            Word::Listed(id) => Knowledge::shipped().word(*id),
            Word::Foreign(letters) => {
                let length = letters.iter().position(|byte| *byte == 0).unwrap_or(LONGEST_WORD);
                std::str::from_utf8(&letters[..length]).unwrap_or("")
            }
        }
    }

    /// Its letters.
    #[must_use]
    pub fn letters(&self) -> &[u8] {
        self.text().as_bytes()
    }

    /// The word of the lexicon that it is, or a form of.
    #[must_use]
    pub fn id(&self) -> Option<WordId> {
        match self {
            Word::Listed(id) => Some(*id),
            Word::Foreign(_) => Knowledge::shipped().find_word(self.text()),
        }
    }

    /// Whether a feature may be shown of it: it is true or possibly true, or the table does not know
    /// the word.
    pub(crate) fn may_show(&self, feature: PredicateId) -> bool {
        let answer = self.shipped_answer(feature);
        answer.is_none_or(|answer| matches!(answer, Answer::Yes | Answer::Possibly))
    }

    /// Whether a guess names this word: the same but for case and plural, or with `synset` another
    /// name of the same thing.
    #[must_use]
    pub fn same(&self, guess: &Word, synset: bool) -> bool {
        match (self, guess) {
            (Word::Listed(a), Word::Listed(b)) if a == b || !synset => a == b,
            _ => Knowledge::shipped().same_word(self.text(), guess.text(), synset),
        }
    }

    /// What the judge knows of a word: the shipped table, else the wider lexicon, else nothing.
    pub(crate) fn judged_answer(&self, predicate: PredicateId) -> Answer {
        self.shipped_answer(predicate).unwrap_or_else(|| {
            let lexicon = Lexicon::shipped();
            match lexicon.find(self.text()) {
                Some(Named::Judged(word)) => Knowledge::shipped().answer(word, predicate),
                Some(Named::Derived(entry)) => lexicon.answer(entry, predicate),
                None => Answer::DontKnow,
            }
        })
    }

    /// The answer of the shipped table; `None` for a word outside the lexicon.
    pub(crate) fn shipped_answer(&self, predicate: PredicateId) -> Option<Answer> {
        self.id().map(|id| Knowledge::shipped().answer(id, predicate))
    }
}

/// A question about an object.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Question {
    /// A predicate of the vocabulary.
    Predicate(PredicateId),
    /// A person's own words.
    Text(Arc<str>),
}

impl Question {
    /// The predicate it asks for; `None` if it is not understood.
    #[must_use]
    pub fn predicate(&self) -> Option<PredicateId> {
        match self {
            Question::Predicate(id) => Some(*id),
            Question::Text(text) => Knowledge::shipped().understand(text),
        }
    }
}

/// All answers, in the order in which they are listed.
pub(crate) const ANSWERS: [Answer; 4] =
    [Answer::Yes, Answer::No, Answer::Possibly, Answer::DontKnow];
