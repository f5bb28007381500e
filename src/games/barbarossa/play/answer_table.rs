//! The words that may be dealt and guessed, laid out for counting: answers by predicate, features by word.

use std::borrow::Cow;
use std::sync::OnceLock;

use crate::games::barbarossa::knowledge::lexicon::{Chances, Lexicon, Named};
use crate::games::barbarossa::knowledge::word_list::{self, WordList};
use crate::games::barbarossa::knowledge::{Answer, Knowledge, PredicateId, WordId};
use crate::games::barbarossa::rules::position::Position;
use crate::games::barbarossa::rules::words::{ObjectName, Question};

/// Lists of several words, one after the other.
struct Lists<T> {
    starts: Vec<u32>,
    items: Vec<T>,
}

impl<T: Copy> Lists<T> {
    fn new() -> Self {
        Lists { starts: vec![0], items: Vec::new() }
    }

    /// Ends the list of a word: all items since the last one.
    fn end(&mut self) {
        self.starts.push(self.items.len() as u32);
    }

    fn get(&self, index: usize) -> &[T] {
        match self.starts.get(index..index + 2) {
            Some([start, end]) => &self.items[*start as usize..*end as usize],
            _ => &[],
        }
    }
}

/// The table, unpacked.
pub(super) struct AnswerTable {
    words: usize,
    /// What each word stands for.
    named: Vec<Named>,
    /// Answers of every word to the vocabulary, predicate after predicate.
    cells: Vec<u8>,
    /// Bits of the words of which a predicate is true or possibly true, predicate after predicate.
    fits: Vec<u64>,
    /// The clay-visible features that are true of every word, in table order.
    features: Lists<PredicateId>,
    /// The place of each of them among the features of its word, those of few words first.
    rarity: Lists<u8>,
    /// How many features of every word are only possibly true.
    possibles: Vec<u16>,
    /// How many features of every word can be expected to be true.
    true_counts: Vec<u16>,
    letters: Vec<[u8; 26]>,
    /// The answers of every word to the vocabulary that are not No.
    not_no: Lists<(u16, u8)>,
}

const NO: u8 = Answer::No as u8;

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
        let named: Vec<Named> = list.words().map(word_list::named).collect();
        let words = named.len();
        let cells = lay_out_cells(&named);
        let not_no = lay_out_not_no(&cells, words);
        let knowledge = Knowledge::shipped();
        let clay: Vec<bool> =
            knowledge.vocabulary().map(|id| knowledge.is_clay_visible(id)).collect();
        let (mut features, mut possibles) = (Lists::new(), vec![0; words]);
        for (word, possible) in possibles.iter_mut().enumerate() {
            for (id, cell) in not_no.get(word).iter().filter(|(id, _)| clay[usize::from(*id)]) {
                if *cell == Answer::Yes as u8 {
                    features.items.push(PredicateId(*id));
                } else {
                    *possible += u16::from(*cell == Answer::Possibly as u8);
                }
            }
            features.end();
        }
        let letters = list.words().map(|word| count_letters(word_list::word(word)));
        AnswerTable {
            words,
            rarity: by_rarity(&features, clay.len()),
            true_counts: true_counts(&features, &named, &clay),
            possibles,
            letters: letters.collect(),
            fits: cells.chunks(words.max(1)).flat_map(fitting_bits).collect(),
            named,
            cells,
            features,
            not_no,
        }
    }

    /// How many words there are.
    pub(super) fn words(&self) -> usize {
        self.words
    }

    /// The answers of all words to any predicate, kinds too, as numbers of [`Answer`].
    pub(super) fn answers(&self, predicate: PredicateId) -> Cow<'_, [u8]> {
        match self.column(predicate) {
            [] => {
                let answer = |named: &Named| word_list::answer(*named, predicate) as u8;
                self.named.iter().map(answer).collect()
            }
            column => column.into(),
        }
    }

    /// The answers of all words to a predicate of the vocabulary, as numbers of [`Answer`].
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

    /// Adds to every word the weight of its cell in a column: of its answer, or where nobody judged it
    /// the weight of its chances, if they are given.
    pub(super) fn add_weights(
        &self,
        predicate: PredicateId,
        of_answers: [f64; 4],
        of_chances: Option<&dyn Fn(Chances) -> f64>,
        to: &mut [f64],
    ) {
        let lexicon = of_chances.and_then(|of_chances| {
            let levels = Lexicon::shipped().levels(predicate)?;
            let weights = (0..=255).map(|level| of_chances(Chances::of_levels(level)));
            Some((levels, weights.collect::<Vec<f64>>()))
        });
        let column = self.answers(predicate);
        let Some((levels, of_levels)) = lexicon.filter(|_| self.words > Knowledge::shipped().len())
        else {
            for (weight, cell) in to.iter_mut().zip(column.iter()) {
                *weight += of_answers[usize::from(cell & 3)];
            }
            return;
        };
        for ((weight, cell), named) in to.iter_mut().zip(column.iter()).zip(&self.named) {
            *weight += match named {
                Named::Derived(entry) if usize::from(entry.0) < levels.len() => {
                    of_levels[usize::from(levels[usize::from(entry.0)])]
                }
                _ => of_answers[usize::from(cell & 3)],
            };
        }
    }

    /// The predicates of the vocabulary to which the answer about a word is not No, with the answers.
    pub(super) fn not_no(&self, word: usize) -> &[(u16, u8)] {
        self.not_no.get(word)
    }

    /// The features that clay can show and that are true of a word. Those that are possibly true may
    /// be shown as well ([`Self::may_show`]).
    pub(super) fn features(&self, word: usize) -> &[PredicateId] {
        self.features.get(word)
    }

    /// The features that clay can show and that are true or possibly true of a word.
    pub(super) fn visible(&self, word: usize) -> impl Iterator<Item = PredicateId> {
        let knowledge = Knowledge::shipped();
        let fits = |cell: u8| cell == Answer::Yes as u8 || cell == Answer::Possibly as u8;
        let listed = self.not_no.get(word).iter().filter(move |(_, cell)| fits(*cell));
        listed.map(|(id, _)| PredicateId(*id)).filter(|id| knowledge.is_clay_visible(*id))
    }

    /// Whether a sculpture of a word may show a feature.
    pub(super) fn may_show(&self, word: usize, feature: PredicateId) -> bool {
        self.named.get(word).is_some_and(|named| word_list::may_show(Some(*named), feature))
    }

    /// The place of each of [`features`](Self::features) when those of few words come first.
    pub(super) fn rarity(&self, word: usize) -> &[u8] {
        self.rarity.get(word)
    }

    /// How many features that clay can show are only possibly true of a word.
    pub(super) fn possibles(&self, word: usize) -> usize {
        self.possibles.get(word).map_or(0, |count| usize::from(*count))
    }

    /// How many features that clay can show are true of a word, of one that nobody judged by its
    /// chances: few of them are certain.
    pub(super) fn true_count(&self, word: usize) -> usize {
        self.true_counts.get(word).map_or(0, |count| usize::from(*count))
    }

    /// The most features that are true of one word.
    pub(super) fn most_features(&self) -> usize {
        (0..self.words).map(|word| self.features(word).len()).max().unwrap_or(0)
    }

    /// How often each letter occurs in a word.
    pub(super) fn letters(&self, word: usize) -> &[u8; 26] {
        const NONE: [u8; 26] = [0; 26];
        self.letters.get(word).unwrap_or(&NONE)
    }
}

/// The answers about all words to the vocabulary, predicate after predicate.
fn lay_out_cells(named: &[Named]) -> Vec<u8> {
    let knowledge = Knowledge::shipped();
    // Only where it is needed.
    let lexicon = (named.len() > knowledge.len()).then(Lexicon::shipped);
    let judge: Vec<u8> = (0..=255).map(|level| Chances::of_levels(level).answer() as u8).collect();
    let mut cells = Vec::with_capacity(named.len() * knowledge.predicates());
    for predicate in knowledge.vocabulary() {
        let judged = |word: WordId| knowledge.answer(word, predicate) as u8;
        cells.extend(knowledge.words().map(judged));
        let levels = lexicon.and_then(|lexicon| lexicon.levels(predicate)).unwrap_or(&[]);
        cells.extend(named[knowledge.len()..].iter().map(|named| {
            match named {
                Named::Judged(word) => judged(*word),
                Named::Derived(entry) => levels
                    .get(usize::from(entry.0))
                    .map_or(Answer::DontKnow as u8, |level| judge[usize::from(*level)]),
            }
        }));
    }
    cells
}

/// How many words are laid out together.
const BLOCK: usize = 64;

/// The cells that are not No, word after word.
fn lay_out_not_no(cells: &[u8], words: usize) -> Lists<(u16, u8)> {
    let listed = Knowledge::shipped().predicates();
    let mut made = Lists::new();
    let mut lists = vec![(0, NO); BLOCK * listed];
    for start in (0..words).step_by(BLOCK) {
        let mut lengths = [0; BLOCK];
        for (predicate, column) in cells.chunks_exact(words).enumerate() {
            let block =
                column[start..].iter().zip(&mut lengths).zip(lists.chunks_exact_mut(listed));
            for ((cell, length), list) in block {
                // The next cell takes the place of a No.
                list[*length] = (predicate as u16, *cell);
                *length += usize::from(*cell != NO);
            }
        }
        let block = lists.chunks_exact(listed).zip(lengths).take(words - start);
        for (list, length) in block {
            made.items.extend_from_slice(&list[..length]);
            made.end();
        }
    }
    made
}

fn true_counts(features: &Lists<PredicateId>, named: &[Named], clay: &[bool]) -> Vec<u16> {
    let certain = |word: usize| features.get(word).len() as u16;
    let judged = named.iter().take_while(|named| matches!(named, Named::Judged(_))).count();
    let mut counts: Vec<u16> = (0..judged).map(certain).collect();
    if judged == named.len() {
        return counts;
    }
    let visible = || Knowledge::shipped().vocabulary().zip(clay).filter(|(_, clay)| **clay);
    let levels: Vec<&[u8]> =
        visible().filter_map(|(id, _)| Lexicon::shipped().levels(id)).collect();
    let yes: Vec<f32> = (0..=255).map(|level| Chances::of_levels(level).yes).collect();
    counts.extend(named.iter().enumerate().skip(judged).map(|(word, named)| {
        let Named::Derived(entry) = named else { return certain(word) };
        let of = |levels: &&[u8]| levels.get(usize::from(entry.0)).map(|it| yes[usize::from(*it)]);
        let expected: f32 = levels.iter().filter_map(of).sum();
        certain(word).max(expected.round() as u16)
    }));
    counts
}

fn count_letters(word: &str) -> [u8; 26] {
    let mut counts = [0; 26];
    for letter in word.bytes() {
        if let Some(count) = counts.get_mut(usize::from(letter.wrapping_sub(b'a'))) {
            *count += 1;
        }
    }
    counts
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
fn by_rarity(features: &Lists<PredicateId>, predicates: usize) -> Lists<u8> {
    let mut words = vec![0u32; predicates];
    features.items.iter().for_each(|id| words[usize::from(id.0)] += 1);
    let mut order: Vec<usize> = (0..predicates).collect();
    order.sort_by_key(|id| (words[*id], *id));
    let mut ranks = vec![0u16; predicates];
    order.into_iter().enumerate().for_each(|(rank, id)| ranks[id] = rank as u16);
    let mut made = Lists::new();
    let mut own = Vec::new();
    for list in features.starts.windows(2) {
        own.clear();
        let list = &features.items[list[0] as usize..list[1] as usize];
        own.extend(list.iter().map(|id| ranks[usize::from(id.0)]));
        let place = |rank: &u16| own.iter().filter(|other| *other < rank).count() as u8;
        made.items.extend(own.iter().map(place));
        made.end();
    }
    made
}

/// The answer of an honest owner by the shipped table; `None` where the word is hidden.
pub(super) fn honest_answer(
    position: &Position,
    name: ObjectName,
    question: &Question,
) -> Option<Answer> {
    let word = position.object(name).known_word()?;
    Some(
        question
            .asked()
            .map_or(Answer::DontKnow, |asked| asked.answer(|it| word.judged_answer(it))),
    )
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
