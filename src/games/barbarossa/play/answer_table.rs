//! The shipped table laid out for counting: answers by predicate, features by word.

use std::sync::OnceLock;

use crate::games::barbarossa::knowledge::{Answer, Knowledge, PredicateId, WordId};
use crate::games::barbarossa::rules::position::Position;
use crate::games::barbarossa::rules::words::{ObjectName, Question};

/// The table, unpacked.
pub(super) struct AnswerTable {
    words: usize,
    /// Answers of every word, predicate after predicate.
    cells: Vec<u8>,
    /// The clay-visible features that are true of every word, in table order.
    features: Vec<Vec<PredicateId>>,
    letters: Vec<[u8; 26]>,
}

impl AnswerTable {
    /// The shipped table.
    pub(super) fn shipped() -> &'static AnswerTable {
        static TABLE: OnceLock<AnswerTable> = OnceLock::new();
        TABLE.get_or_init(|| AnswerTable::of(Knowledge::shipped()))
    }

    fn of(knowledge: &Knowledge) -> AnswerTable {
        let words: Vec<WordId> = knowledge.words().collect();
        let all = (0..knowledge.predicates_with_kinds() as u16).map(PredicateId);
        let cells = all
            .flat_map(|predicate| {
                words.iter().map(move |word| knowledge.answer(*word, predicate) as u8)
            })
            .collect();
        let features = words.iter().map(|word| {
            let visible = knowledge.vocabulary().filter(|id| {
                knowledge.is_clay_visible(*id) && knowledge.answer(*word, *id) == Answer::Yes
            });
            visible.collect()
        });
        let letters = words.iter().map(|word| {
            let mut counts = [0; 26];
            for letter in knowledge.word(*word).bytes() {
                if let Some(count) = counts.get_mut(usize::from(letter.wrapping_sub(b'a'))) {
                    *count += 1;
                }
            }
            counts
        });
        AnswerTable {
            words: words.len(),
            cells,
            features: features.collect(),
            letters: letters.collect(),
        }
    }

    /// How many words there are.
    pub(super) fn words(&self) -> usize {
        self.words
    }

    /// The answers of all words to a predicate, as numbers of [`Answer`].
    pub(super) fn column(&self, predicate: PredicateId) -> &[u8] {
        let start = usize::from(predicate.0) * self.words;
        self.cells.get(start..start + self.words).unwrap_or(&[])
    }

    /// The features that clay can show and that are true of a word. Those that are possibly true may
    /// be shown as well ([`Knowledge::may_show`]).
    pub(super) fn features(&self, word: usize) -> &[PredicateId] {
        self.features.get(word).map_or(&[], Vec::as_slice)
    }

    /// How often each letter occurs in a word.
    pub(super) fn letters(&self, word: usize) -> &[u8; 26] {
        const NONE: [u8; 26] = [0; 26];
        self.letters.get(word).unwrap_or(&NONE)
    }
}

/// The answer of an honest owner by the shipped table; `None` where the word is hidden.
pub(super) fn honest_answer(
    position: &Position,
    name: ObjectName,
    question: &Question,
) -> Option<Answer> {
    let word = position.object(name).known_word()?;
    let shipped = question.predicate().and_then(|predicate| word.shipped_answer(predicate));
    Some(shipped.unwrap_or(Answer::DontKnow))
}
