//! Words that no lexicon has, or not the one that is dealt from: how likely an object is one of them,
//! and what is likely of them.
//!
//! Such a word is taken to be like the known words nearest to it: those that what was shown and
//! answered leaves. Where nothing was shown or answered, the letters alone say which are near.

use super::answer_table::AnswerTable;
use super::beliefs::ObjectBelief;
use super::distribution::log_sum;
use crate::game::Seat;
use crate::games::barbarossa::knowledge::lexicon::{Chances, Lexicon, Named};
use crate::games::barbarossa::knowledge::word_list::{self, WordList};
use crate::games::barbarossa::knowledge::{Answer, Knowledge, PredicateId, WordId};
use crate::games::barbarossa::rules::options::RuleOptions;
use crate::games::barbarossa::rules::position::Object;
use crate::games::barbarossa::rules::words::Word;

/// The share of words besides the list that people choose where any word may be chosen: many are not
/// among those judged by hand, few in neither lexicon.
const BESIDE_CORE: f64 = 0.15;
const BESIDE_ALL: f64 = 0.03;

/// The share of cells in which an unknown word is not as the words nearest to it.
const UNLIKE: f64 = 0.15;

/// The share of answers about words besides the list that are dontknow, where the judge answers.
const JUDGED_UNKNOWN: f64 = 0.5;

/// How many names are near by letters, and how many words those of the table count for beside them.
const NEAR: usize = 8;
const ANY: f64 = 8.0;

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

/// The features that clay can show of a word, and how likely each is true: of a word that nobody
/// judged by its chances, of a word that no lexicon has by the nearest known words.
pub(super) fn likely_features(
    word: &Word,
    object: &Object,
    rules: &RuleOptions,
) -> Vec<(PredicateId, f64)> {
    let knowledge = Knowledge::shipped();
    let near = near_words(word, object, rules);
    let features = knowledge.vocabulary().filter(|id| knowledge.is_clay_visible(*id));
    let features = features.filter(|id| word.may_show(*id));
    let total: f64 = near.iter().map(|(_, weight)| weight).sum();
    let chance = |id: PredicateId| {
        let of = |(named, weight): &(Named, f64)| weight * chance_of(*named, id);
        near.iter().map(of).sum::<f64>() / total.max(1e-12)
    };
    features.map(|id| (id, chance(id))).collect()
}

/// The known words that a word is, or is taken to be like, with weights.
fn near_words(word: &Word, object: &Object, rules: &RuleOptions) -> Vec<(Named, f64)> {
    if let Some(named) = word.named() {
        return vec![(named, 1.0)];
    }
    let told = object.answers.iter().any(|(_, answer)| *answer != Answer::DontKnow);
    if told || !object.shown.is_empty() {
        let mut belief = ObjectBelief::new(rules);
        belief.update(object, Seat::new(0), rules, &[]);
        let words = belief.public.words.iter();
        return words.map(|(id, p)| (word_list::named(WordId(*id)), *p)).collect();
    }
    let lexicon = Lexicon::shipped();
    let named = |name: &str| {
        let judged = Knowledge::shipped().find_word(name).map(Named::Judged);
        judged.or_else(|| lexicon.find(name))
    };
    let near = lexicon.nearest_names(word.text(), NEAR).into_iter().filter_map(named);
    let any = ANY / Knowledge::shipped().len() as f64;
    let any = Knowledge::shipped().words().map(|word| (Named::Judged(word), any));
    near.map(|named| (named, 1.0)).chain(any).collect()
}

/// How likely a predicate is true of a thing; half of it counts where it is possibly true.
fn chance_of(named: Named, predicate: PredicateId) -> f64 {
    let chances = match named {
        Named::Judged(word) => Chances::certain(Knowledge::shipped().answer(word, predicate)),
        Named::Derived(entry) => Lexicon::shipped().chances(entry, predicate),
    };
    chances.map_or(0.0, |chances| f64::from(chances.yes + chances.possibly / 2.0))
}
