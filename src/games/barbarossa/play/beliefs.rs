//! Beliefs about objects: a probability for every word of the lexicon, and for a word outside it.
//!
//! Log-weights are kept per kind of evidence and added in a fixed order, so that a belief updated
//! during the game equals one computed from the position alone.

use super::answer_table::AnswerTable;
use super::rivals::{Leader, weigh_guesses};
use crate::game::Seat;
use crate::games::barbarossa::knowledge::{Answer, Knowledge, PredicateId, WordId};
use crate::games::barbarossa::rules::moves::{Gift, Secret};
use crate::games::barbarossa::rules::options::RuleOptions;
use crate::games::barbarossa::rules::position::{GivenLetter, Object, Position};
use crate::games::barbarossa::rules::words::{Question, Word};

/// Words below this share of the highest probability are left out of the support.
const FAINT: f64 = 1e-6;

/// The log-weight of evidence that a word contradicts; finite, because people err.
const CONTRADICTED: f64 = -12.0;

/// The log-weight of a shown feature that is only possibly true of a word: makers hardly ever choose one.
const POSSIBLE_SHOWN: f64 = -2.5;

/// P(answer | cell), both in the order of [`Answer`].
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Reliability([[f64; 4]; 4]);

impl Reliability {
    /// The reliability of answers under these rules.
    #[must_use]
    pub fn of(rules: &RuleOptions) -> Self {
        if rules.owner_answers {
            // A person: no, yes, possibly, dontknow.
            return Reliability([
                [0.86, 0.04, 0.06, 0.04],
                [0.05, 0.84, 0.08, 0.03],
                [0.25, 0.30, 0.35, 0.10],
                [0.30, 0.25, 0.20, 0.25],
            ]);
        }
        let noise = (f64::from(rules.judge_noise) / 100.0).max(1e-6);
        let mut rows = [[noise / 3.0; 4]; 4];
        for (cell, row) in rows.iter_mut().enumerate() {
            row[cell] = 1.0 - noise;
        }
        Reliability(rows)
    }

    /// P(answer | cell).
    #[must_use]
    pub fn of_answer(&self, cell: usize, answer: usize) -> f64 {
        self.0[cell & 3][answer & 3]
    }
}

/// A probability distribution over words.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct WordDistribution {
    /// Words with their probabilities, the most likely first.
    pub words: Vec<(u16, f64)>,
    /// p log2 p of each word, which every question asks for.
    pub(super) plogps: Vec<f64>,
    /// The probability that it is no word of the lexicon.
    pub other: f64,
    /// Entropy in bits.
    pub bits: f64,
}

impl WordDistribution {
    fn from_weights(weights: &[f64], other: f64) -> Self {
        let greatest = weights.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let (most, floor) = (greatest.max(other), greatest + libm::log(FAINT));
        let mut words: Vec<(u16, f64)> = weights
            .iter()
            .enumerate()
            .filter(|(_, weight)| **weight > floor)
            .map(|(word, weight)| (word as u16, libm::exp(weight - most)))
            .collect();
        let other = libm::exp(other - most);
        let total = words.iter().map(|(_, weight)| weight).sum::<f64>() + other;
        words.iter_mut().for_each(|(_, weight)| *weight /= total);
        words.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
        let plogps: Vec<f64> = words.iter().map(|(_, p)| plogp(*p)).collect();
        let other = other / total;
        let bits = -plogps.iter().sum::<f64>() - plogp(other);
        WordDistribution { words, plogps, other, bits }
    }

    fn certain(word: u16) -> Self {
        WordDistribution { words: vec![(word, 1.0)], plogps: vec![0.0], other: 0.0, bits: 0.0 }
    }

    /// The most likely word and its probability.
    #[must_use]
    pub fn top(&self) -> Option<(WordId, f64)> {
        self.words.first().map(|(word, p)| (WordId(*word), *p))
    }

    /// The probability of the most likely word; 0 if no word fits.
    pub(super) fn highest(&self) -> f64 {
        self.words.first().map_or(0.0, |(_, p)| *p)
    }

    /// The probability of one word.
    #[must_use]
    pub fn of(&self, word: WordId) -> f64 {
        self.words.iter().find(|(id, _)| *id == word.0).map_or(0.0, |(_, p)| *p)
    }

    /// A line for people: entropy and the leading words.
    pub(super) fn summary(&self, count: usize) -> String {
        let knowledge = Knowledge::shipped();
        let words: Vec<String> = self
            .words
            .iter()
            .take(count)
            .map(|(word, p)| format!("{} {p:.3}", knowledge.word(WordId(*word))))
            .collect();
        format!("{:.2} bits: {} (other {:.3})", self.bits, words.join(" "), self.other)
    }
}

/// p log2 p, 0 at 0.
pub(super) fn plogp(p: f64) -> f64 {
    if p > 0.0 { p * libm::log2(p) } else { 0.0 }
}

/// The belief of one seat about one object, and the belief that follows from public evidence alone.
#[derive(Clone, Debug)]
pub struct ObjectBelief {
    reliability: Reliability,
    deal: bool,
    shown: Vec<PredicateId>,
    answers: Vec<(Question, Answer)>,
    letters: Vec<GivenLetter>,
    wrong: Vec<Word>,
    by_shown: Vec<f64>,
    by_answers: Vec<f64>,
    by_private: Vec<f64>,
    other_public: f64,
    other_private: f64,
    excluded: Vec<Word>,
    /// The word itself, where the position shows it.
    known: Option<Word>,
    /// Whether the guesses of others count as evidence.
    reads_rivals: bool,
    /// The word that led the public belief after each number of answers.
    leaders: Vec<Leader>,
    /// How many arrows and wrong guesses were known at the last update.
    verdicts: (usize, usize),
    /// The belief of the seat.
    pub own: WordDistribution,
    /// The belief that follows from public evidence alone.
    pub public: WordDistribution,
}

impl ObjectBelief {
    /// A belief without evidence.
    #[must_use]
    pub fn new(rules: &RuleOptions) -> Self {
        let words = AnswerTable::shipped().words();
        ObjectBelief {
            reliability: Reliability::of(rules),
            deal: !rules.free_words,
            shown: Vec::new(),
            answers: Vec::new(),
            letters: Vec::new(),
            wrong: Vec::new(),
            by_shown: vec![0.0; words],
            by_answers: vec![0.0; words],
            by_private: vec![0.0; words],
            other_public: if rules.free_words { 2.0 } else { -6.0 },
            other_private: 0.0,
            excluded: Vec::new(),
            known: None,
            reads_rivals: false,
            leaders: Vec::new(),
            verdicts: (0, 0),
            own: WordDistribution::default(),
            public: WordDistribution::default(),
        }
    }

    /// Updates with what has become known of the object since the last call. `excluded` are words
    /// that it cannot be for this seat. Returns whether anything changed.
    pub fn update(
        &mut self,
        object: &Object,
        seat: Seat,
        rules: &RuleOptions,
        excluded: &[Word],
    ) -> bool {
        let letters: Vec<GivenLetter> =
            object.letters.iter().filter(|letter| letter.asker == seat).copied().collect();
        let wrong: Vec<Word> = object
            .wrong
            .iter()
            .filter(|(guesser, _)| *guesser == seat)
            .filter_map(|(_, word)| word.known())
            .collect();
        let grown = object.shown.starts_with(&self.shown)
            && object.answers.starts_with(&self.answers)
            && letters.starts_with(&self.letters)
            && wrong.starts_with(&self.wrong)
            && excluded == self.excluded
            && object.known_word() == self.known
            && self.deal != rules.free_words
            && self.reliability == Reliability::of(rules);
        if !grown {
            let reads_rivals = self.reads_rivals;
            *self = ObjectBelief::new(rules);
            self.reads_rivals = reads_rivals;
            self.excluded = excluded.to_vec();
            self.known = object.known_word();
            for word in excluded.iter().filter_map(Word::id) {
                self.by_private[usize::from(word.0)] = f64::NEG_INFINITY;
            }
        }
        let public = self.shown.len() < object.shown.len()
            || self.answers.len() < object.answers.len()
            || self.public.words.is_empty();
        let verdicts = (object.arrows.len(), object.wrong.len());
        let private = self.letters.len() < letters.len()
            || self.wrong.len() < wrong.len()
            || self.reads_rivals && self.verdicts != verdicts;
        self.verdicts = verdicts;
        if !public && !private {
            return false;
        }
        if self.shown.len() != object.shown.len() || self.public.words.is_empty() {
            self.take_shown(object);
            self.leaders.clear();
            self.note_leader();
        }
        for (question, answer) in &object.answers[self.answers.len()..] {
            self.take_answer(question, *answer);
            self.answers.push((question.clone(), *answer));
            self.note_leader();
        }
        for letter in &letters[self.letters.len()..] {
            self.take_letter(letter);
            self.letters.push(*letter);
        }
        for word in &wrong[self.wrong.len()..] {
            if let Some(id) = word.id() {
                self.by_private[usize::from(id.0)] = f64::NEG_INFINITY;
            }
            self.wrong.push(*word);
        }
        self.conclude(object, seat);
        true
    }

    fn conclude(&mut self, object: &Object, seat: Seat) {
        let mut weights: Vec<f64> =
            self.by_shown.iter().zip(&self.by_answers).map(|(a, b)| a + b).collect();
        self.public = WordDistribution::from_weights(&weights, self.other_public);
        weights.iter_mut().zip(&self.by_private).for_each(|(weight, own)| *weight += own);
        if self.reads_rivals {
            weigh_guesses(object, seat, &self.leaders, &self.public, &mut weights);
        }
        self.own = match object.known_word().and_then(|word| word.id()) {
            Some(word) => WordDistribution::certain(word.0),
            None => {
                WordDistribution::from_weights(&weights, self.other_public + self.other_private)
            }
        };
    }

    /// Notes which word leads the public belief now.
    fn note_leader(&mut self) {
        if self.reads_rivals {
            let weights = self.by_shown.iter().zip(&self.by_answers);
            self.leaders.push(Leader::of(weights.map(|(a, b)| a + b)));
        }
    }

    /// P(shown | word): the features shown are true of the word, seldom only possibly true, and were
    /// chosen among those that are true. Words with few features besides are likelier.
    fn take_shown(&mut self, object: &Object) {
        let (table, knowledge) = (AnswerTable::shipped(), Knowledge::shipped());
        let shown = &object.shown;
        for word in 0..table.words() {
            let features = table.features(word);
            let choices = ln_choose(features.len().max(shown.len()), shown.len());
            let doubts = shown.iter().filter(|id| features.binary_search(id).is_err());
            let doubts = doubts.map(|id| match knowledge.may_show(WordId(word as u16), *id) {
                true => POSSIBLE_SHOWN,
                false => CONTRADICTED,
            });
            self.by_shown[word] = doubts.sum::<f64>() - choices;
        }
        self.other_public += (shown.len() - self.shown.len()) as f64 * libm::log(0.35);
        self.shown = shown.to_vec();
    }

    fn take_answer(&mut self, question: &Question, answer: Answer) {
        self.other_public += libm::log(0.3);
        let Some(predicate) = question.predicate() else {
            return;
        };
        let weights = self.log_row(answer);
        let column = AnswerTable::shipped().column(predicate);
        for (weight, cell) in self.by_answers.iter_mut().zip(column) {
            *weight += weights[usize::from(cell & 3)];
        }
    }

    fn log_row(&self, answer: Answer) -> [f64; 4] {
        [0, 1, 2, 3].map(|cell| libm::log(self.reliability.of_answer(cell, answer as usize)))
    }

    fn take_letter(&mut self, letter: &GivenLetter) {
        let Some(gift) = letter.gift.known() else {
            return;
        };
        self.other_private += libm::log(0.1);
        for word in 0..self.by_private.len() {
            self.by_private[word] += self.letter_weight(word, letter.place, gift);
        }
    }

    /// log P(gift | word and what was given before).
    fn letter_weight(&self, word: usize, place: Option<u8>, gift: Gift) -> f64 {
        let fits = |fits: bool| if fits { 0.0 } else { CONTRADICTED };
        if let Some(place) = place {
            let text = Knowledge::shipped().word(WordId(word as u16)).as_bytes();
            let there =
                text.get(usize::from(place).wrapping_sub(1)).map(|byte| Gift::Letter(*byte));
            return fits(there.unwrap_or(Gift::Nothing) == gift);
        }
        let left = self.letters_left(word);
        let kinds = left.iter().filter(|count| **count > 0).count();
        match gift {
            Gift::Nothing => fits(kinds == 0),
            Gift::Letter(letter) => {
                let count = left.get(usize::from(letter.wrapping_sub(b'a')));
                let even = -libm::log(kinds.max(1) as f64);
                if count.is_some_and(|count| *count > 0) { even } else { CONTRADICTED }
            }
        }
    }

    /// The letters of a word that have not been given.
    fn letters_left(&self, word: usize) -> [u8; 26] {
        let mut left = *AnswerTable::shipped().letters(word);
        for given in &self.letters {
            if let Secret::Known(Gift::Letter(letter)) = given.gift
                && let Some(count) = left.get_mut(usize::from(letter.wrapping_sub(b'a')))
            {
                *count = count.saturating_sub(1);
            }
        }
        left
    }

    /// The reliability of answers.
    #[must_use]
    pub fn reliability(&self) -> &Reliability {
        &self.reliability
    }

    /// The expected gain of one more letter: bits, and the rise of the highest probability.
    pub(super) fn letter_gain(&self, place: Option<u8>) -> (f64, f64) {
        let mut mass = [0.0; 27];
        let mut entropy = [0.0; 27];
        let mut highest = [0.0_f64; 27];
        for (word, p) in &self.own.words {
            let word = usize::from(*word);
            let mut add = |slot: usize, p: f64| {
                mass[slot] += p;
                entropy[slot] += plogp(p);
                highest[slot] = highest[slot].max(p);
            };
            if let Some(place) = place {
                let text = Knowledge::shipped().word(WordId(word as u16)).as_bytes();
                let letter = text.get(usize::from(place).wrapping_sub(1));
                add(letter.map_or(26, |letter| usize::from(letter - b'a').min(26)), *p);
                continue;
            }
            let left = self.letters_left(word);
            let kinds = left.iter().filter(|count| **count > 0).count();
            if kinds == 0 {
                add(26, *p);
                continue;
            }
            for (slot, _) in left.iter().enumerate().filter(|(_, count)| **count > 0) {
                add(slot, p / kinds as f64);
            }
        }
        let after: f64 = (0..27)
            .filter(|slot| mass[*slot] > 0.0)
            .map(|slot| mass[slot] * libm::log2(mass[slot]) - entropy[slot])
            .sum();
        let highest: f64 = highest.iter().sum();
        let before = -self.own.plogps.iter().sum::<f64>();
        ((before - after).max(0.0), (highest - self.own.highest()).max(0.0))
    }

    /// The public probability that the word has this letter: the higher, the less the letter
    /// reveals.
    pub(super) fn share_with(&self, letter: u8) -> f64 {
        let table = AnswerTable::shipped();
        let slot = usize::from(letter.wrapping_sub(b'a')).min(25);
        let words = self.public.words.iter();
        words.filter(|(word, _)| table.letters(usize::from(*word))[slot] > 0).map(|(_, p)| p).sum()
    }
}

/// ln of n over k.
fn ln_choose(n: usize, k: usize) -> f64 {
    (0..k).map(|i| libm::log((n - i) as f64 / (i + 1) as f64)).sum()
}

/// The beliefs of all objects by one seat.
#[derive(Clone, Debug, Default)]
pub struct Beliefs {
    objects: Vec<ObjectBelief>,
    seat: Option<Seat>,
    /// Whether the guesses of others count as evidence.
    reads_rivals: bool,
}

impl Beliefs {
    /// Beliefs that take the guesses of others as evidence.
    pub(super) fn with_rivals() -> Self {
        Beliefs { reads_rivals: true, ..Beliefs::default() }
    }

    /// Updates with everything that this seat may see of a position.
    pub fn update(&mut self, position: &Position, seat: Seat) {
        let rules = position.options();
        if self.objects.len() != rules.objects() || self.seat != Some(seat) {
            let mut belief = ObjectBelief::new(rules);
            belief.reads_rivals = self.reads_rivals;
            self.objects = vec![belief; rules.objects()];
            self.seat = Some(seat);
        }
        // Dealt words are distinct: no other object has one of this seat's words.
        let mine: Vec<Word> = position
            .objects()
            .filter(|(name, _)| name.owner == seat && !rules.free_words)
            .filter_map(|(_, object)| object.known_word())
            .collect();
        for (index, (name, object)) in position.objects().enumerate() {
            let excluded: &[Word] = if name.owner == seat { &[] } else { &mine };
            if object.word.is_some() {
                self.objects[index].update(object, seat, rules, excluded);
            }
        }
    }

    /// The belief of the object with this index.
    #[must_use]
    pub fn get(&self, index: usize) -> Option<&ObjectBelief> {
        self.objects.get(index)
    }
}
