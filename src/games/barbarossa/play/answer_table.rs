//! The words that may be dealt and guessed, laid out for counting: answers by predicate, features by word.

use std::collections::HashMap;
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
    /// Bits of the words of which a predicate is true or possibly true, predicate after predicate.
    fits: Vec<u64>,
    /// The clay-visible features that are true of every word, in table order.
    features: Vec<Vec<PredicateId>>,
    /// The place of each of them among the features of its word, those of few words first.
    rarity: Vec<Vec<u8>>,
    /// How many features of every word are only possibly true.
    possibles: Vec<usize>,
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
        let cells: Vec<u8> = all
            .flat_map(|predicate| {
                named.iter().map(move |named| word_list::answer(*named, predicate) as u8)
            })
            .collect();
        let visible: Vec<PredicateId> =
            knowledge.vocabulary().filter(|id| knowledge.is_clay_visible(*id)).collect();
        let features = (0..words.len()).map(|word| {
            let is_true = |id: &PredicateId| answer(word, *id) == Answer::Yes;
            visible.iter().copied().filter(is_true).collect()
        });
        let features: Vec<Vec<PredicateId>> = features.collect();
        let possibles = (0..words.len()).map(|word| {
            let is_possible = |id: &&PredicateId| answer(word, **id) == Answer::Possibly;
            visible.iter().filter(is_possible).count()
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
            fits: cells.chunks(words.len()).flat_map(fitting_bits).collect(),
            cells,
            rarity: by_rarity(&features),
            possibles: possibles.collect(),
            features,
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

    /// The words of which all these predicates are true or possibly true, in order.
    pub(super) fn fitting(&self, predicates: &[PredicateId]) -> impl Iterator<Item = usize> {
        let blocks = self.words.div_ceil(64);
        let starts: Vec<usize> = predicates.iter().map(|id| usize::from(id.0) * blocks).collect();
        let last = u64::MAX >> (blocks * 64 - self.words);
        (0..blocks).flat_map(move |block| {
            let all = if block + 1 == blocks { last } else { u64::MAX };
            let bits = |start: &usize| self.fits.get(start + block).copied().unwrap_or(0);
            let left = starts.iter().fold(all, |left, start| left & bits(start));
            bit_places(left).map(move |place| block * 64 + place)
        })
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

    /// The place of each of [`features`](Self::features) when those of few words come first.
    pub(super) fn rarity(&self, word: usize) -> &[u8] {
        self.rarity.get(word).map_or(&[], Vec::as_slice)
    }

    /// How many features that clay can show are only possibly true of a word.
    pub(super) fn possibles(&self, word: usize) -> usize {
        self.possibles.get(word).copied().unwrap_or(0)
    }

    /// The most features that are true of one word.
    pub(super) fn most_features(&self) -> usize {
        self.features.iter().map(Vec::len).max().unwrap_or(0)
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

/// The answers of all words to a predicate as bits: whether it is true or possibly true.
fn fitting_bits(column: &[u8]) -> impl Iterator<Item = u64> {
    let fits = |cell: &u8| [Answer::Yes as u8, Answer::Possibly as u8].contains(cell);
    column.chunks(64).map(move |cells| {
        cells.iter().enumerate().fold(0, |bits, (at, cell)| bits | u64::from(fits(cell)) << at)
    })
}

/// The places of the bits that are set, from the lowest.
fn bit_places(mut bits: u64) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let place = (bits != 0).then(|| bits.trailing_zeros() as usize);
        bits &= bits.wrapping_sub(1);
        place
    })
}

/// The place of every feature of a word when those of few words come first; of equals the first.
fn by_rarity(features: &[Vec<PredicateId>]) -> Vec<Vec<u8>> {
    let mut words: HashMap<PredicateId, usize> = HashMap::new();
    for id in features.iter().flatten() {
        *words.entry(*id).or_default() += 1;
    }
    let places = |features: &Vec<PredicateId>| {
        let before = |a: PredicateId, b: PredicateId| (words.get(&a), a) < (words.get(&b), b);
        let place = |id: PredicateId| features.iter().filter(|other| before(**other, id)).count();
        features.iter().map(|id| place(*id) as u8).collect()
    };
    features.iter().map(places).collect()
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_fit_that_are_not_denied() {
        let table = AnswerTable::of(WordList::Core);
        let visible: Vec<PredicateId> = Knowledge::shipped()
            .vocabulary()
            .filter(|id| Knowledge::shipped().is_clay_visible(*id))
            .collect();
        for shown in visible.windows(3).chain(visible.chunks(1)).chain([&[][..]]) {
            let fits = |word: &usize| {
                let cells = shown.iter().map(|id| table.column(*id)[*word]);
                cells
                    .clone()
                    .all(|cell| [Answer::Yes as u8, Answer::Possibly as u8].contains(&cell))
            };
            let expected: Vec<usize> = (0..table.words()).filter(fits).collect();
            assert_eq!(table.fitting(shown).collect::<Vec<_>>(), expected, "{shown:?}");
        }
    }
}
