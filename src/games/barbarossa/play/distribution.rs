//! Probabilities of words, and how far answers can be trusted.

use crate::games::barbarossa::knowledge::lexicon::Chances;
use crate::games::barbarossa::knowledge::people::{People, Rates};
use crate::games::barbarossa::knowledge::{Answer, PredicateId, WordId, word_list};
use crate::games::barbarossa::rules::options::RuleOptions;

/// Words below this share of the highest probability are left out of the support.
const FAINT: f64 = 1e-6;

/// P(answer | cell), both in the order of [`Answer`](crate::games::barbarossa::knowledge::Answer).
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Reliability {
    rates: Rates,
    /// Whether people answer, some questions better than others.
    by_people: bool,
}

impl Reliability {
    /// The reliability of answers under these rules.
    #[must_use]
    pub fn of(rules: &RuleOptions) -> Self {
        if rules.owner_answers {
            return Reliability { rates: *People::shipped().pooled(), by_people: true };
        }
        let noise = (f64::from(rules.judge_noise) / 100.0).max(1e-6);
        let mut rates = [[noise / 3.0; 4]; 4];
        for (cell, row) in rates.iter_mut().enumerate() {
            row[cell] = 1.0 - noise;
        }
        Reliability { rates, by_people: false }
    }

    /// The reliability of answers to one question.
    #[must_use]
    pub fn about(&self, predicate: PredicateId) -> Self {
        match self.by_people {
            true => Reliability { rates: *People::shipped().rates(predicate), ..*self },
            false => *self,
        }
    }

    /// Whether people answer.
    pub(super) fn is_of_people(&self) -> bool {
        self.by_people
    }

    /// P(answer | cell).
    #[must_use]
    pub fn of_answer(&self, cell: usize, answer: Answer) -> f64 {
        self.rates[cell & 3][answer as usize]
    }

    /// P(answer) where the cell has only chances.
    #[must_use]
    pub fn of_chances(&self, chances: Chances, answer: Answer) -> f64 {
        let cells = [
            (Answer::No, chances.no),
            (Answer::Yes, chances.yes),
            (Answer::Possibly, chances.possibly),
        ];
        let share = |(cell, p): (Answer, f32)| f64::from(p) * self.of_answer(cell as usize, answer);
        cells.into_iter().map(share).sum()
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
    pub(super) fn from_weights(weights: &[f64], other: f64) -> Self {
        let greatest = weights.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let (most, floor) = (greatest.max(other), greatest + libm::log(FAINT));
        if most == f64::NEG_INFINITY {
            return Self::other();
        }
        let mut words: Vec<(u16, f64)> = weights
            .iter()
            .enumerate()
            .filter(|(_, weight)| **weight > floor)
            .map(|(word, weight)| (word as u16, libm::exp(weight - most)))
            .collect();
        let other = libm::exp(other - most);
        let total = words.iter().map(|(_, weight)| weight).sum::<f64>() + other;
        words.iter_mut().for_each(|(_, weight)| *weight /= total);
        words.sort_unstable_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
        let plogps: Vec<f64> = words.iter().map(|(_, p)| plogp(*p)).collect();
        let other = other / total;
        let bits = -plogps.iter().sum::<f64>() - plogp(other);
        WordDistribution { words, plogps, other, bits }
    }

    /// Certainly none of the words.
    pub(super) fn other() -> Self {
        WordDistribution { other: 1.0, ..WordDistribution::default() }
    }

    pub(super) fn certain(word: u16) -> Self {
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
        let words: Vec<String> = self
            .words
            .iter()
            .take(count)
            .map(|(word, p)| format!("{} {p:.3}", word_list::word(WordId(*word))))
            .collect();
        format!("{:.2} bits: {} (other {:.3})", self.bits, words.join(" "), self.other)
    }
}

/// p log2 p, 0 at 0.
pub(super) fn plogp(p: f64) -> f64 {
    if p > 0.0 { p * libm::log2(p) } else { 0.0 }
}

/// The log of the sum of what these are the logs of.
pub(super) fn log_sum(weights: impl Iterator<Item = f64> + Clone) -> f64 {
    let most = weights.clone().fold(f64::NEG_INFINITY, f64::max);
    if most == f64::NEG_INFINITY {
        return most;
    }
    most + libm::log(weights.map(|weight| libm::exp(weight - most)).sum())
}
