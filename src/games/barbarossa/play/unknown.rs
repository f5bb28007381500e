//! Words that no lexicon has, or not the one that is dealt from: how likely an object is one of them.
//!
//! Such a word is taken to be like the known words nearest to it: those that what was shown and
//! answered leaves.

use super::answer_table::AnswerTable;
use super::distribution::log_sum;
use crate::games::barbarossa::knowledge::word_list::WordList;
use crate::games::barbarossa::knowledge::{Answer, PredicateId};
use crate::games::barbarossa::rules::options::RuleOptions;

/// The share of words besides the list that people choose where any word may be chosen: many are not
/// among those judged by hand, few in neither lexicon.
const BESIDE_CORE: f64 = 0.15;
const BESIDE_ALL: f64 = 0.03;

/// The share of cells in which an unknown word is not as the words nearest to it.
const UNLIKE: f64 = 0.15;

/// The share of answers about words besides the list that are dontknow, where the judge answers.
const JUDGED_UNKNOWN: f64 = 0.5;

/// The log-weight of any other word before anything is known, beside words of weight 1.
pub(super) fn prior(rules: &RuleOptions, words: usize) -> f64 {
    let share = if rules.lexicon == WordList::All { BESIDE_ALL } else { BESIDE_CORE };
    if rules.free_words {
        libm::log(words as f64 * share / (1.0 - share))
    } else {
        f64::NEG_INFINITY
    }
}

/// The log-probability of the features shown, of another word: as of the words of these log-weights,
/// or each as of any word.
pub(super) fn of_shown(table: &AnswerTable, shown: &[PredicateId], weights: &[f64]) -> f64 {
    let words = table.words() as f64;
    let like = log_sum(weights.iter().copied()) - libm::log(words);
    let features: usize = (0..table.words()).map(|word| table.features(word).len()).sum();
    let any = shown.iter().map(|id| {
        let has = table.column(*id).iter().filter(|cell| **cell == Answer::Yes as u8).count();
        libm::log((has as f64).max(1.0) / (features as f64).max(1.0))
    });
    let alike = shown.len() as f64 * libm::log(1.0 - UNLIKE);
    let unlike = libm::log(-libm::expm1(alike));
    log_sum([alike + like, unlike + any.sum::<f64>()].into_iter())
}

/// The log-probability of an answer, of another word: the known words gave it the probability of
/// which `like` is the log.
pub(super) fn of_answer(like: f64, answer: Answer, of_people: bool) -> f64 {
    let alike = (1.0 - UNLIKE) * libm::exp(like);
    let p = match answer {
        Answer::DontKnow if of_people => alike + UNLIKE * 0.04,
        Answer::DontKnow => JUDGED_UNKNOWN,
        _ if of_people => alike + UNLIKE * 0.32,
        _ => (1.0 - JUDGED_UNKNOWN) * (alike + UNLIKE / 3.0),
    };
    libm::log(p)
}
