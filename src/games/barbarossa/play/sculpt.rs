//! Sculpting: which word to choose and which features to show.
//!
//! Guessers weigh every word that may have the features shown. A sculpture is judged by what they think
//! before the first question:
//!
//! - The word should be about as likely as the words of most other objects, or a little less: the first
//!   arrows of the game cost the makers points, and so do objects that nobody finds. Who models first
//!   shows half of the objects, see `first_sights`. How far it is from that is
//!   drawn for every object: who knew it would see through the sculpture.
//! - Another word may seem nearly certain: simple rivals spend curse tokens on it.

use super::answer_table::AnswerTable;
use super::beliefs::ObjectBelief;
use super::first_sights::{distance, first_sights};
use super::options::PlayOptions;
use crate::game::{Game, Random, Seat, multiply_shift, splitmix64};
use crate::games::barbarossa::knowledge::lexicon::{Chances, Lexicon, Named};
use crate::games::barbarossa::knowledge::word_list;
use crate::games::barbarossa::knowledge::{Answer, Knowledge, PredicateId, WordId};
use crate::games::barbarossa::rules::moves::Move;
use crate::games::barbarossa::rules::options::{MOST_SHOWN, RuleOptions};
use crate::games::barbarossa::rules::position::{Object, Position};
use crate::games::barbarossa::rules::words::{ObjectName, Word};
use crate::search::Control;

/// Random sets of features that are tried for each number of features.
const TRIES: usize = 40;

/// How many names are near by letters, and how many words those of the table count for beside them.
const NEAR: usize = 8;
const ANY: f64 = 8.0;

/// How many features [`random_show`] shows.
const RANDOM_FEATURES: usize = 4;

/// A planned sculpture.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Sculpture {
    pub(super) features: Vec<PredicateId>,
    /// Distance from the sculpture wanted; small is good.
    pub(super) distance: f64,
}

/// The sculpture of a word, which should have these odds at first sight, as a log: a function of word,
/// rules, options and seed. A search that is stopped takes the best sculpture so far.
pub(super) fn plan(
    word: WordId,
    rules: &RuleOptions,
    style: PlayOptions,
    seed: u64,
    wanted: f64,
    control: &Control,
) -> Sculpture {
    let table = AnswerTable::of(rules.lexicon);
    let features = table.features(usize::from(word.0));
    let most = features.len().min(MOST_SHOWN);
    let fewest = rules.fewest_shown().min(most);
    if style.features > 0 {
        let count = style.features.clamp(fewest, most);
        let features = even_choice(features, count, seed ^ u64::from(word.0));
        return Sculpture { features, distance: 0.0 };
    }
    let mut random = Random::new(seed ^ splitmix64(u64::from(word.0)));
    let all: Vec<PredicateId> = table.visible(usize::from(word.0)).collect();
    let mut best: Option<Sculpture> = None;
    'tries: for count in fewest.max(1)..=most {
        for number in 0..TRIES {
            if best.is_some() && control.stopped() {
                break 'tries;
            }
            let pool = if number % 2 == 0 { features } else { &all };
            let features = even_choice(pool, count, random.next());
            // The word has every feature shown, or may have it.
            let sights = first_sights(table, &features);
            let own = sights.iter().find(|(other, _)| *other == usize::from(word.0));
            let distance = own.map_or(f64::INFINITY, |(_, sights)| distance(sights, wanted));
            if best.as_ref().is_none_or(|known| distance < known.distance) {
                best = Some(Sculpture { features, distance });
            }
        }
    }
    best.unwrap_or(Sculpture { features: features.to_vec(), distance: 0.0 })
}

/// The sculpture of a word that is not listed: some features that the lexicon is certain of. Of a
/// word that no lexicon has the fewest, and those that are likely; what has been shown stays.
pub(super) fn plan_unlisted(
    word: &Word,
    object: &Object,
    rules: &RuleOptions,
    seed: u64,
) -> Sculpture {
    let knowledge = Knowledge::shipped();
    let is_true = |id: &PredicateId| {
        knowledge.is_clay_visible(*id) && word.known_answer(*id) == Some(Answer::Yes)
    };
    let certain: Vec<PredicateId> = knowledge.vocabulary().filter(is_true).collect();
    let count = certain.len().min(RANDOM_FEATURES);
    let mut features = even_choice(&certain, count, seed);
    features.retain(|id| !object.shown.contains(id));
    features.extend_from_slice(&object.shown);
    let missing = rules.fewest_shown().saturating_sub(features.len());
    if missing > 0 {
        let mut others = likely_features(word, object, rules);
        others.retain(|(id, _)| {
            !features.contains(id) && object.shown.last().is_none_or(|last| last < id)
        });
        others.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
        features.extend(others.into_iter().take(missing).map(|(id, _)| id));
    }
    features.sort_unstable();
    Sculpture { features, distance: 0.0 }
}

/// The features that clay can show of a word, and how likely each is true: of a word that nobody
/// judged by its chances, of a word that no lexicon has by the nearest known words.
fn likely_features(word: &Word, object: &Object, rules: &RuleOptions) -> Vec<(PredicateId, f64)> {
    let near = near_words(word, object, rules);
    let total: f64 = near.iter().map(|(_, weight)| weight).sum();
    let chance = |id: PredicateId| {
        let of = |(named, weight): &(Named, f64)| weight * chance_of(*named, id);
        near.iter().map(of).sum::<f64>() / total.max(1e-12)
    };
    word.features().map(|id| (id, chance(id))).collect()
}

/// The known words that a word is, or is taken to be like, with weights. Where nothing was shown or
/// answered, the letters alone say which are near.
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

/// A random set of `count` features, all sets equally likely.
fn even_choice(features: &[PredicateId], count: usize, seed: u64) -> Vec<PredicateId> {
    let mut state = seed;
    let mut chosen = Vec::with_capacity(count);
    for (index, feature) in features.iter().enumerate() {
        state = splitmix64(state);
        let left = (features.len() - index) as u64;
        if multiply_shift(state, left) < (count - chosen.len()) as u64 {
            chosen.push(*feature);
        }
    }
    chosen
}

/// The next step of a sculpture with four random features that are true of the word, of simple
/// players; features that are only possibly true are shown where the rules need them.
pub(super) fn random_show(
    position: &Position,
    name: ObjectName,
    random: &mut Random,
) -> Option<Move> {
    let done = Move::Done(name);
    let missing = RANDOM_FEATURES.saturating_sub(position.object(name).shown.len());
    let may_stop = position.is_legal(&done);
    let object = position.object(name);
    let word = object.known_word()?;
    let unlikely = || {
        let planned = plan_unlisted(&word, object, position.options(), 0).features.into_iter();
        let mut planned = planned.map(|feature| Move::Show(name, feature));
        planned.find(|m| position.is_legal(m)).or_else(|| may_stop.then(|| done.clone()))
    };
    if word.named().is_none() {
        return unlikely();
    }
    let is_true = |m: &Move| match m {
        Move::Show(_, id) => word.known_answer(*id) == Some(Answer::Yes),
        _ => false,
    };
    let moves = position.moves();
    let mut left = moves.iter().filter(|m| is_true(m)).count();
    if may_stop && (missing == 0 || left == 0) {
        return Some(done);
    }
    // Each feature is taken with the probability that makes all sets of those left equally likely.
    for show in moves.iter().filter(|m| is_true(m)) {
        if random.below(left as u64) < missing.max(1) as u64 {
            return Some(show.clone());
        }
        left -= 1;
    }
    unlikely().or_else(|| moves.into_iter().find(|m| matches!(m, Move::Show(..))))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::barbarossa::knowledge::word_list::WordList;

    #[test]
    fn a_stopped_search_tries_one_sculpture() {
        let rules = Position::default().options().clone();
        let (stopped, running) = (Control::new(false), Control::new(false));
        stopped.stop();
        let words = WordList::Core.words().step_by(29);
        let count = |control: &Control, word| {
            plan(word, &rules, PlayOptions::default(), 1, 0.0, control).features.len()
        };
        let counts = words.clone().map(|word| count(&stopped, word));
        assert!(counts.into_iter().all(|count| count == rules.fewest_shown().max(1)));
        assert!(words.map(|word| count(&running, word)).any(|count| count > 4));
    }
}
