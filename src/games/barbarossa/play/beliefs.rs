//! Beliefs about objects: a probability for every word of the lexicon, and for a word outside it.
//!
//! Log-weights are kept per kind of evidence and added in a fixed order, so that a belief updated
//! during the game equals one computed from the position alone.

use super::answer_table::AnswerTable;
use super::distribution::{Reliability, WordDistribution, log_sum, plogp};
use super::makers::{
    ByStyle, CONTRADICTED, MadeObject, ONLY_LOOSE, Style, makers_styles, weigh_shown,
};
use super::rivals::{Leader, weigh_guesses};
use super::unknown;
use crate::game::{Game, Seat};
use crate::games::barbarossa::knowledge::lexicon::Chances;
use crate::games::barbarossa::knowledge::people::EVERYDAY;
use crate::games::barbarossa::knowledge::{Answer, Knowledge, PredicateId, WordId, word_list};
use crate::games::barbarossa::rules::moves::{Gift, Secret};
use crate::games::barbarossa::rules::options::RuleOptions;
use crate::games::barbarossa::rules::position::{GivenLetter, Object, Position};
use crate::games::barbarossa::rules::words::{ObjectName, Question, Word};

/// Who stuck an arrow into an object, guessed wrong, asked for a letter of it.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
struct Activity {
    arrows: Vec<Seat>,
    wrong: Vec<Seat>,
    letters: Vec<Seat>,
}

impl Activity {
    fn of(object: &Object) -> Self {
        Activity {
            arrows: object.arrows.iter().map(|arrow| arrow.guesser).collect(),
            wrong: object.wrong.iter().map(|(guesser, _)| *guesser).collect(),
            letters: object.letters.iter().map(|letter| letter.asker).collect(),
        }
    }
}

/// The belief of one seat about one object, and the belief that follows from public evidence alone.
#[derive(Clone, Debug)]
pub struct ObjectBelief {
    /// The words that it may be.
    table: &'static AnswerTable,
    reliability: Reliability,
    deal: bool,
    shown: Vec<PredicateId>,
    answers: Vec<(Question, Answer)>,
    letters: Vec<GivenLetter>,
    wrong: Vec<Word>,
    /// P(shown | word, style), and the log of it for makers of whom nothing is known.
    by_shown: ByStyle<Vec<f64>>,
    by_loose: Vec<f64>,
    by_answers: Vec<f64>,
    by_private: Vec<f64>,
    /// Log-weights of any other word: before and with the features shown, of answers, of letters.
    other_shown: f64,
    other_answers: f64,
    other_private: f64,
    excluded: Vec<Word>,
    /// The word itself, where the position shows it, or a right guess that names it.
    known: Option<Word>,
    /// All evidence but the features shown.
    rest: Vec<f64>,
    /// What the object tells of its maker.
    made: Option<MadeObject>,
    /// Log-weights of the styles of its maker, from everything but this object.
    styles: ByStyle<f64>,
    /// Whether the habits of makers and the guesses of others count as evidence.
    reads_players: bool,
    /// The word that led the public belief after each number of answers.
    leaders: Vec<Leader>,
    /// What all seats had done with the object at the last update.
    activity: Activity,
    /// The belief of the seat.
    pub own: WordDistribution,
    /// The belief that follows from public evidence alone.
    pub public: WordDistribution,
}

impl ObjectBelief {
    /// A belief without evidence.
    #[must_use]
    pub fn new(rules: &RuleOptions) -> Self {
        let table = AnswerTable::of(rules.lexicon);
        let words = table.words();
        ObjectBelief {
            table,
            reliability: Reliability::of(rules),
            deal: !rules.free_words,
            shown: Vec::new(),
            answers: Vec::new(),
            letters: Vec::new(),
            wrong: Vec::new(),
            by_shown: weigh_shown(table, &[]).map(probabilities),
            by_loose: vec![0.0; words],
            by_answers: prior(rules, words),
            by_private: vec![0.0; words],
            other_shown: unknown::prior(rules, words),
            other_answers: 0.0,
            other_private: 0.0,
            excluded: Vec::new(),
            known: None,
            rest: Vec::new(),
            made: None,
            styles: ONLY_LOOSE,
            reads_players: false,
            leaders: Vec::new(),
            activity: Activity::default(),
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
        let changed = self.take(object, seat, rules, excluded);
        if changed {
            self.conclude();
        }
        changed
    }

    /// Takes the evidence that came since the last call; returns whether there was any.
    fn take(
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
            && object.named_word() == self.known
            && self.deal != rules.free_words
            && std::ptr::eq(self.table, AnswerTable::of(rules.lexicon))
            && self.reliability == Reliability::of(rules);
        if !grown {
            let reads_players = self.reads_players;
            *self = ObjectBelief::new(rules);
            self.reads_players = reads_players;
            self.excluded = excluded.to_vec();
            self.known = object.named_word();
            for word in excluded.iter().filter_map(Word::id) {
                self.exclude(word);
            }
            if let Some(known) = self.known.and_then(|word| word.id()) {
                let others = (0..self.table.words() as u16).map(WordId).filter(|id| *id != known);
                others.for_each(|word| self.exclude(word));
            }
        }
        let public = self.shown.len() < object.shown.len()
            || self.answers.len() < object.answers.len()
            || self.public.words.is_empty();
        let activity = Activity::of(object);
        let private = self.letters.len() < letters.len()
            || self.wrong.len() < wrong.len()
            || self.reads_players && self.activity != activity;
        self.activity = activity;
        if !public && !private {
            return false;
        }
        if self.shown.len() != object.shown.len() || self.public.words.is_empty() {
            self.take_shown(object, rules);
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
                self.exclude(id);
            }
            self.wrong.push(*word);
        }
        self.weigh(object, seat);
        true
    }

    fn exclude(&mut self, word: WordId) {
        if let Some(weight) = self.by_private.get_mut(usize::from(word.0)) {
            *weight = f64::NEG_INFINITY;
        }
    }

    /// The public belief, and the weight of all evidence but the features shown.
    fn weigh(&mut self, object: &Object, seat: Seat) {
        let shown = self.by_loose.iter().zip(&self.by_answers);
        let public: Vec<f64> = shown.map(|(a, b)| a + b).collect();
        self.public = WordDistribution::from_weights(&public, self.other_public());
        self.rest = self.by_answers.iter().zip(&self.by_private).map(|(a, b)| a + b).collect();
        if self.reads_players {
            weigh_guesses(object, seat, &self.leaders, &self.public, &mut self.rest);
            self.made = self.evidence();
        }
    }

    /// What the object tells of its maker; nothing where no word is left.
    fn evidence(&self) -> Option<MadeObject> {
        let most = self.rest.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        if self.shown.is_empty() || !most.is_finite() {
            return None;
        }
        let rest: Vec<f64> = self.rest.iter().map(|weight| libm::exp(weight - most)).collect();
        let evidence = self.by_shown.each_ref().map(|shown| {
            most + libm::log(shown.iter().zip(&rest).map(|(a, b)| a * b).sum::<f64>())
        });
        Some(MadeObject { shown: self.shown.len(), evidence })
    }

    /// The belief of the seat.
    fn conclude(&mut self) {
        if let Some(word) = self.known {
            self.own = word
                .id()
                .map_or_else(WordDistribution::other, |id| WordDistribution::certain(id.0));
            return;
        }
        let mut mixed = vec![0.0; self.rest.len()];
        for (style, shown) in self.styles.iter().zip(&self.by_shown) {
            let style = libm::exp(*style);
            if style > FAINT {
                mixed.iter_mut().zip(shown).for_each(|(mixed, shown)| *mixed += style * shown);
            }
        }
        let weights = self.rest.iter().zip(&mixed).map(|(rest, mixed)| rest + libm::log(*mixed));
        let weights: Vec<f64> = weights.collect();
        let other = self.other_public() + self.other_private + self.other_styles(&mixed);
        self.own = WordDistribution::from_weights(&weights, other);
    }

    /// What the habits of the maker add to the weight of any other word: what they add to the words of
    /// the list.
    fn other_styles(&self, mixed: &[f64]) -> f64 {
        if !self.may_be_other() {
            return 0.0;
        }
        let loose: f64 = self.by_shown[Style::Loose as usize].iter().sum();
        libm::log(mixed.iter().sum::<f64>() / loose)
    }

    /// Notes which word leads the public belief now.
    fn note_leader(&mut self) {
        if self.reads_players {
            let weights = self.by_loose.iter().zip(&self.by_answers);
            self.leaders.push(Leader::of(weights.map(|(a, b)| a + b)));
        }
    }

    fn take_shown(&mut self, object: &Object, rules: &RuleOptions) {
        let weights = weigh_shown(self.table, &object.shown);
        self.by_loose = weights[Style::Loose as usize].clone();
        self.by_shown = weights.map(probabilities);
        if self.may_be_other() && !object.shown.is_empty() {
            let shown = unknown::of_shown(self.table, &object.shown, &self.by_loose);
            self.other_shown = unknown::prior(rules, self.table.words()) + shown;
        }
        self.shown = object.shown.to_vec();
    }

    fn take_answer(&mut self, question: &Question, answer: Answer) {
        let evidence = question.asked().and_then(|asked| asked.evidence(answer));
        let Some((predicate, answer)) = evidence else { return };
        let before = self.public_weight();
        let reliability = self.reliability.about(predicate);
        let of_answers = [0, 1, 2, 3].map(|cell| libm::log(reliability.of_answer(cell, answer)));
        // The judge answers what is certain; people know what is only likely.
        let of_chances = |chances| libm::log(reliability.of_chances(chances, answer));
        let of_chances: Option<&dyn Fn(Chances) -> f64> =
            if self.reliability.is_of_people() { Some(&of_chances) } else { None };
        self.table.add_weights(predicate, of_answers, of_chances, &mut self.by_answers);
        if let (Some(before), Some(after)) = (before, self.public_weight()) {
            let of_people = self.reliability.is_of_people();
            self.other_answers += unknown::of_answer(after - before, answer, of_people);
        }
    }

    /// Whether it may be another word.
    fn may_be_other(&self) -> bool {
        self.other_shown > f64::NEG_INFINITY
    }

    /// The log-weight of any other word in the public belief.
    fn other_public(&self) -> f64 {
        self.other_shown + self.other_answers
    }

    /// The log of the weight of all words of the list together; nothing where there are no others.
    fn public_weight(&self) -> Option<f64> {
        let weights = || self.by_loose.iter().zip(&self.by_answers).map(|(a, b)| a + b);
        self.may_be_other().then(|| log_sum(weights()))
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
            let text = word_list::word(WordId(word as u16)).as_bytes();
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
        let mut left = *self.table.letters(word);
        for given in &self.letters {
            if let Secret::Known(Gift::Letter(letter)) = given.gift
                && let Some(count) = left.get_mut(usize::from(letter.wrapping_sub(b'a')))
            {
                *count = count.saturating_sub(1);
            }
        }
        left
    }

    /// The words that it may be, laid out for counting.
    pub(super) fn table(&self) -> &'static AnswerTable {
        self.table
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
                let text = word_list::word(WordId(word as u16)).as_bytes();
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
        let table = self.table;
        let slot = usize::from(letter.wrapping_sub(b'a')).min(25);
        let words = self.public.words.iter();
        words.filter(|(word, _)| table.letters(usize::from(*word))[slot] > 0).map(|(_, p)| p).sum()
    }
}

/// Log-weights of words before anything is known, of mean weight 1.
fn prior(rules: &RuleOptions, words: usize) -> Vec<f64> {
    let judged = Knowledge::shipped().len();
    if words <= judged || !(rules.free_words || rules.owner_answers) {
        return vec![0.0; words];
    }
    let mean = 1.0 + (EVERYDAY - 1.0) * judged as f64 / words as f64;
    let weights = [EVERYDAY, 1.0].map(|weight| libm::log(weight / mean));
    (0..words).map(|word| weights[usize::from(word >= judged)]).collect()
}

/// Styles below this weight are left out.
const FAINT: f64 = 1e-13;

/// What these are the logs of.
fn probabilities(mut weights: Vec<f64>) -> Vec<f64> {
    weights.iter_mut().for_each(|weight| *weight = libm::exp(*weight));
    weights
}

/// The beliefs of all objects by one seat.
#[derive(Clone, Debug, Default)]
pub struct Beliefs {
    objects: Vec<ObjectBelief>,
    seat: Option<Seat>,
    /// Whether the habits of makers and the guesses of others count as evidence.
    reads_players: bool,
}

impl Beliefs {
    /// Beliefs that take the habits of makers and the guesses of others as evidence.
    #[must_use]
    pub fn with_players() -> Self {
        Beliefs { reads_players: true, ..Beliefs::default() }
    }

    /// Updates with everything that this seat may see of a position.
    pub fn update(&mut self, position: &Position, seat: Seat) {
        let rules = position.options();
        if self.objects.len() != rules.objects() || self.seat != Some(seat) {
            let mut belief = ObjectBelief::new(rules);
            belief.reads_players = self.reads_players;
            self.objects = vec![belief; rules.objects()];
            self.seat = Some(seat);
        }
        // Dealt words are distinct: no other object has one of this seat's words, or one that it has
        // guessed.
        let known: Vec<(ObjectName, Word)> = position
            .objects()
            .filter(|_| !rules.free_words)
            .filter_map(|(name, object)| Some((name, object.named_word()?)))
            .collect();
        let mut changed = vec![false; rules.objects()];
        for (index, (name, object)) in position.objects().enumerate() {
            let others = known.iter().filter(|(other, _)| name.owner != seat && *other != name);
            let excluded: Vec<Word> = others.map(|(_, word)| *word).collect();
            let belief = &mut self.objects[index];
            changed[index] = object.word.is_some() && belief.take(object, seat, rules, &excluded);
        }
        if changed.contains(&true) && self.reads_players {
            self.weigh_makers(position, seat, &mut changed);
        }
        for (belief, changed) in self.objects.iter_mut().zip(changed) {
            if changed {
                belief.conclude();
            }
        }
    }

    /// Learns the habits of the makers, which all objects of others tell of; their beliefs change.
    fn weigh_makers(&mut self, position: &Position, seat: Seat, changed: &mut [bool]) {
        let owners: Vec<Seat> =
            Seat::all(position.seats()).filter(|owner| *owner != seat).collect();
        let made = |owner: &Seat| {
            let objects = position.objects().zip(&self.objects);
            let mine = objects.filter(|((name, _), _)| name.owner == *owner);
            mine.filter_map(|(_, belief)| belief.made).collect()
        };
        let makers: Vec<Vec<MadeObject>> = owners.iter().map(made).collect();
        for (owner, styles) in owners.iter().zip(makers_styles(&makers)) {
            let objects = position.objects().zip(&mut self.objects).zip(&mut *changed);
            let mine = objects
                .filter(|(((name, _), belief), _)| name.owner == *owner && belief.made.is_some());
            for (((_, belief), changed), styles) in mine.zip(styles) {
                belief.styles = styles;
                *changed = true;
            }
        }
    }

    /// The belief of the object with this index.
    #[must_use]
    pub fn get(&self, index: usize) -> Option<&ObjectBelief> {
        self.objects.get(index)
    }
}
