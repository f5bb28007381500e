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
    /// The answers of every word to the vocabulary that are not No.
    not_no: Vec<Vec<(u16, u8)>>,
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
        let not_no = words.iter().map(|word| {
            let answers =
                knowledge.vocabulary().map(|id| (id.0, knowledge.answer(*word, id) as u8));
            answers.filter(|(_, answer)| *answer != Answer::No as u8).collect()
        });
        AnswerTable {
            not_no: not_no.collect(),
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

    /// The predicates of the vocabulary to which the answer about a word is not No, with the answers.
    pub(super) fn not_no(&self, word: usize) -> &[(u16, u8)] {
        self.not_no.get(word).map_or(&[], Vec::as_slice)
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
    Some(question.predicate().map_or(Answer::DontKnow, |asked| word.judged_answer(asked)))
}
