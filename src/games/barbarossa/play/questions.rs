//! The value of a question.

use super::answer_table::AnswerTable;
use super::distribution::{Reliability, WordDistribution, plogp};
use crate::games::barbarossa::knowledge::{Answer, PredicateId};

/// The expected gain of the answer to a question.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub(super) struct Gain {
    /// The probability of NO.
    pub(super) no: f64,
    /// The probability of YES.
    pub(super) yes: f64,
    /// Expected loss of entropy, in bits.
    pub(super) bits: f64,
    /// Expected rise of the highest probability.
    pub(super) sureness: f64,
}

/// The expected gain of a question for a belief.
pub(super) fn gain(
    belief: &WordDistribution,
    reliability: &Reliability,
    predicate: PredicateId,
) -> Gain {
    let column = AnswerTable::shipped().column(predicate);
    let mut mass = [0.0; 4];
    let mut entropy = [0.0; 4];
    let mut highest = [0.0_f64; 4];
    for ((word, p), plogp) in belief.words.iter().zip(&belief.plogps) {
        let cell = usize::from(column.get(usize::from(*word)).copied().unwrap_or(3) & 3);
        if mass[cell] == 0.0 {
            // Words are sorted by probability, highest first.
            highest[cell] = *p;
        }
        mass[cell] += p;
        entropy[cell] += plogp;
    }
    weigh(belief, reliability, &mass, &entropy, &highest)
}

/// The gain from sums over the words by their cell in the table: probability, p log p, and the
/// highest probability.
fn weigh(
    belief: &WordDistribution,
    reliability: &Reliability,
    mass: &[f64; 4],
    entropy: &[f64; 4],
    highest: &[f64; 4],
) -> Gain {
    let mut gain = Gain::default();
    let before: f64 = -entropy.iter().sum::<f64>();
    let known: f64 = mass.iter().sum();
    let mut after = 0.0;
    let mut sureness = 0.0;
    for answer in 0..4 {
        let (mut total, mut inner, mut most) = (0.0, 0.0, 0.0_f64);
        for cell in 0..4 {
            let p = reliability.of_answer(cell, answer);
            total += p * mass[cell];
            if mass[cell] > 0.0 && p > 0.0 {
                inner += p * (entropy[cell] + mass[cell] * libm::log2(p));
            }
            most = most.max(p * highest[cell]);
        }
        after += plogp(total) - inner;
        sureness += most;
        let share = total / known.max(1e-12);
        match answer {
            0 => gain.no = share,
            1 => gain.yes = share,
            _ => {}
        }
    }
    gain.bits = (before + plogp(known) - after).max(0.0);
    gain.sureness = (sureness - belief.highest()).max(0.0);
    gain
}

/// How evenly a question splits a belief into yes and no, 0 to 1.
pub(super) fn evenness(belief: &WordDistribution, predicate: PredicateId) -> f64 {
    let column = AnswerTable::shipped().column(predicate);
    let of = |answer: Answer| -> f64 {
        let fits = |word: &u16| column.get(usize::from(*word)) == Some(&(answer as u8));
        belief.words.iter().filter(|(word, _)| fits(word)).map(|(_, p)| p).sum()
    };
    2.0 * of(Answer::Yes).min(of(Answer::No))
}
