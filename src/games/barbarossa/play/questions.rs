//! The value of a question.

use super::answer_table::AnswerTable;
use super::distribution::{Reliability, WordDistribution, plogp};
use crate::games::barbarossa::knowledge::{Answer, Knowledge, PredicateId};

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

/// Sums over the words of a belief by their cell in the table.
#[derive(Clone, Copy, Default)]
struct Sums {
    mass: [f64; 4],
    entropy: [f64; 4],
    /// The highest probability.
    highest: [f64; 4],
}

/// The expected gains of all questions of the vocabulary for a belief. Most cells are No: only the
/// others are added up, and No has what they leave.
pub(super) fn gains(
    table: &AnswerTable,
    belief: &WordDistribution,
    reliability: &Reliability,
) -> Vec<Gain> {
    const NO: usize = Answer::No as usize;
    let mut sums = vec![Sums::default(); Knowledge::shipped().predicates()];
    let (mut mass, mut entropy) = (0.0, 0.0);
    for ((word, p), plogp) in belief.words.iter().zip(&belief.plogps) {
        mass += p;
        entropy += plogp;
        for (predicate, cell) in table.not_no(usize::from(*word)) {
            let Some(sums) = sums.get_mut(usize::from(*predicate)) else { continue };
            let cell = usize::from(cell & 3);
            if sums.mass[cell] == 0.0 {
                // Words are sorted by probability, highest first.
                sums.highest[cell] = *p;
            }
            sums.mass[cell] += p;
            sums.entropy[cell] += plogp;
        }
    }
    let finished = sums.iter_mut().enumerate().map(|(index, sums)| {
        let predicate = PredicateId(index as u16);
        let column = table.column(predicate);
        let is_no = |word: &u16| column.get(usize::from(*word)) == Some(&(NO as u8));
        if let Some((_, p)) = belief.words.iter().find(|(word, _)| is_no(word)) {
            sums.highest[NO] = *p;
            sums.mass[NO] = (mass - sums.mass.iter().sum::<f64>()).max(*p);
            sums.entropy[NO] = entropy - sums.entropy.iter().sum::<f64>();
        }
        weigh(belief, &reliability.about(predicate), sums)
    });
    finished.collect()
}

/// The gain from sums of probability and p log p.
fn weigh(
    belief: &WordDistribution,
    reliability: &Reliability,
    Sums { mass, entropy, highest }: &Sums,
) -> Gain {
    let mut gain = Gain::default();
    let before: f64 = -entropy.iter().sum::<f64>();
    let known: f64 = mass.iter().sum();
    let mut after = 0.0;
    let mut sureness = 0.0;
    for answer in Answer::ALL {
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
            Answer::No => gain.no = share,
            Answer::Yes => gain.yes = share,
            _ => {}
        }
    }
    gain.bits = (before + plogp(known) - after).max(0.0);
    gain.sureness = (sureness - belief.highest()).max(0.0);
    gain
}

/// How evenly a question splits a belief into yes and no, 0 to 1.
pub(super) fn evenness(
    table: &AnswerTable,
    belief: &WordDistribution,
    predicate: PredicateId,
) -> f64 {
    let column = table.column(predicate);
    let of = |answer: Answer| -> f64 {
        let fits = |word: &u16| column.get(usize::from(*word)) == Some(&(answer as u8));
        belief.words.iter().filter(|(word, _)| fits(word)).map(|(_, p)| p).sum()
    };
    2.0 * of(Answer::Yes).min(of(Answer::No))
}
