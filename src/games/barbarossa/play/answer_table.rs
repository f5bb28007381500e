//! The words that may be dealt and guessed, laid out for counting: answers by predicate, features by word.

use std::sync::OnceLock;

use crate::games::barbarossa::knowledge::lexicon::Named;
use crate::games::barbarossa::knowledge::word_list::{self, WordList};
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
    /// The table of the words that may be dealt and guessed. Of words that nobody judged it has what
    /// the judge would answer.
    pub(super) fn of(list: WordList) -> &'static AnswerTable {
        static CORE: OnceLock<AnswerTable> = OnceLock::new();
        static ALL: OnceLock<AnswerTable> = OnceLock::new();
        let table = if list == WordList::All { &ALL } else { &CORE };
        table.get_or_init(|| AnswerTable::lay_out(list))
    }

    fn lay_out(list: WordList) -> AnswerTable {
        let knowledge = Knowledge::shipped();
        let words: Vec<WordId> = list.words().collect();
        let named: Vec<Named> = words.iter().map(|word| word_list::named(*word)).collect();
        let answer = |word: usize, id: PredicateId| word_list::answer(named[word], id);
        let all = (0..knowledge.predicates_with_kinds() as u16).map(PredicateId);
        let cells = all
            .flat_map(|predicate| {
                named.iter().map(move |named| word_list::answer(*named, predicate) as u8)
            })
            .collect();
        let features = (0..words.len()).map(|word| {
            let visible = knowledge
                .vocabulary()
                .filter(|id| knowledge.is_clay_visible(*id) && answer(word, *id) == Answer::Yes);
            visible.collect()
        });
        let letters = words.iter().map(|word| {
            let mut counts = [0; 26];
            for letter in word_list::word(*word).bytes() {
                if let Some(count) = counts.get_mut(usize::from(letter.wrapping_sub(b'a'))) {
                    *count += 1;
                }
            }
            counts
        });
        let not_no = (0..words.len()).map(|word| {
            let answers = knowledge.vocabulary().map(|id| (id.0, answer(word, id) as u8));
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
    /// be shown as well ([`Self::may_show`]).
    pub(super) fn features(&self, word: usize) -> &[PredicateId] {
        self.features.get(word).map_or(&[], Vec::as_slice)
    }

    /// Whether a sculpture of a word may show a feature.
    pub(super) fn may_show(&self, word: usize, feature: PredicateId) -> bool {
        word_list::may_show(word_list::named(WordId(word as u16)), feature)
    }

    /// How often each letter occurs in a word.
    pub(super) fn letters(&self, word: usize) -> &[u8; 26] {
        const NONE: [u8; 26] = [0; 26];
        self.letters.get(word).unwrap_or(&NONE)
    }
}

impl std::fmt::Debug for AnswerTable {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "AnswerTable({} words)", self.words)
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
