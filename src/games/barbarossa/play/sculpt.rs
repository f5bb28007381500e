//! Sculpting: which word to choose and which features to show.
//!
//! Guessers weigh every word that has the features shown. A sculpture is judged by what they think
//! before the first question:
//!
//! - The word itself should be about as likely as not. Words that are nearly certain at once take
//!   the first arrows of the game, which cost the maker points; words that nobody finds cost more at
//!   the end. In between come the arrows that earn points. Beside objects of others that are harder
//!   or easier to guess, the word should be harder or easier too: the first arrows go into the
//!   easiest objects of all.
//! - Another word should seem nearly certain, if the word permits: rivals spend curse tokens on it.

use std::sync::LazyLock;

use super::answer_table::AnswerTable;
use super::options::PlayOptions;
use super::unknown::likely_features;
use crate::game::{Game, Random, multiply_shift, splitmix64};
use crate::games::barbarossa::knowledge::{Answer, Knowledge, PredicateId, WordId};
use crate::games::barbarossa::rules::moves::Move;
use crate::games::barbarossa::rules::options::{MOST_SHOWN, RuleOptions};
use crate::games::barbarossa::rules::position::{Object, Position};
use crate::games::barbarossa::rules::words::{ObjectName, Word};
use crate::search::Control;

/// Random sets of features that are tried for each number of features.
const TRIES: usize = 40;

/// The probability that the word should have at first sight, where nothing is known of the others'.
pub(super) const WANTED: f64 = 0.5;

/// The mean logit of what guessers find of others' objects at first sight, taken to have been seen of
/// so many objects ...
const USUAL: f64 = -0.8;
const USUAL_OBJECTS: f64 = 2.0;

/// ... and how far the probability wanted follows it, in logits.
const FOLLOWED: f64 = 0.7;

/// Another word above this probability attracts curse guesses, ...
const DECOY: f64 = 0.72;

/// ... which is good as long as the word itself is at least this likely, ...
const BESIDE_DECOY: f64 = 0.05;

/// ... and outweighs this distance from the wanted probability, in logits.
const DECOY_BONUS: f64 = 3.0;

/// What a feature that is only possibly true weighs, against one that is true, for guessers who think
/// that such are seldom shown.
const SELDOM: f64 = 0.2;

/// The weight of guessers who take possible features for as usual as true ones.
const ALIKE: f64 = 0.5;

/// How many features [`random_show`] shows.
const RANDOM_FEATURES: usize = 4;

/// A planned sculpture.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Sculpture {
    pub(super) features: Vec<PredicateId>,
    /// Distance from the sculpture wanted; small is good.
    pub(super) distance: f64,
}

/// The sculpture of a word, which should have this probability at first sight: a function of word,
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
    let mut best: Option<Sculpture> = None;
    'tries: for count in fewest.max(1)..=most {
        for _ in 0..TRIES {
            if best.is_some() && control.stopped() {
                break 'tries;
            }
            let features = even_choice(features, count, random.next());
            // The word itself has every feature shown.
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

/// What the two kinds of guessers think, see [`first_sights`].
pub(super) type FirstSights = [FirstSight; 2];

/// What guessers think of a sculpture before the first question.
#[derive(Clone, Copy, Debug)]
pub(super) struct FirstSight {
    /// The probability of the word.
    p: f64,
    /// The probability of the most likely other word.
    other: f64,
}

/// What guessers think of every word of which all features shown are true: those who take each
/// feature for a random one of those that are true of the word, seldom one that is only possibly
/// true, and those who take it for a random one of all that clay can show of the word.
pub(super) fn first_sights(
    table: &AnswerTable,
    shown: &[PredicateId],
) -> Vec<(usize, FirstSights)> {
    let columns: Vec<&[u8]> = shown.iter().map(|id| table.column(*id)).collect();
    let possible = |word: usize| {
        columns.iter().filter(|column| column[word] == Answer::Possibly as u8).count()
    };
    let fitting: Vec<(usize, usize)> =
        table.fitting(shown).map(|word| (word, possible(word))).collect();
    let powers = &POWERS[shown.len().min(MOST_SHOWN)];
    let weights = |(word, possible): &(usize, usize)| {
        let features = table.features(*word).len();
        let drawn = |of: usize| powers.drawn[of];
        [
            drawn(features.max(1)) * powers.seldom[*possible],
            drawn(features + table.possibles(*word)),
        ]
    };
    let weights: Vec<[f64; 2]> = fitting.iter().map(weights).collect();
    let by_reader = [0, 1].map(|reader| sights(weights.iter().map(|weights| weights[reader])));
    let all_true = fitting.iter().enumerate().filter(|(_, (_, possible))| *possible == 0);
    all_true.map(|(index, (word, _))| (*word, [0, 1].map(|r| by_reader[r][index]))).collect()
}

/// The powers that weigh words, by the number of features shown.
static POWERS: LazyLock<Vec<Powers>> = LazyLock::new(|| {
    let knowledge = Knowledge::shipped();
    let visible = knowledge.vocabulary().filter(|id| knowledge.is_clay_visible(*id)).count();
    (0..=MOST_SHOWN).map(|shown| Powers::new(visible, shown)).collect()
});

struct Powers {
    /// n to the power of minus the number of features shown.
    drawn: Vec<f64>,
    /// [`SELDOM`] to the power of n.
    seldom: Vec<f64>,
}

impl Powers {
    fn new(visible: usize, shown: usize) -> Self {
        let power = |n: usize| libm::pow(n as f64, -(shown as f64));
        Powers {
            drawn: (0..=visible).map(power).collect(),
            seldom: (0..=shown).map(|n| libm::pow(SELDOM, n as f64)).collect(),
        }
    }
}

/// The first sights of words with these weights.
fn sights(weights: impl Iterator<Item = f64> + Clone) -> Vec<FirstSight> {
    let total: f64 = weights.clone().sum();
    let (mut first, mut second) = ((0, 0.0), 0.0);
    for (index, weight) in weights.clone().enumerate() {
        if weight > first.1 {
            (first, second) = ((index, weight), first.1);
        } else if weight > second {
            second = weight;
        }
    }
    let other = |index| if index == first.0 { second } else { first.1 };
    let sight = |(index, p)| FirstSight { p: p / total, other: other(index) / total };
    weights.enumerate().map(sight).collect()
}

/// How far a sculpture is from the one wanted.
pub(super) fn distance(sights: &FirstSights, wanted: f64) -> f64 {
    let distance = |sight: FirstSight| {
        let decoy = sight.other >= DECOY && sight.p >= BESIDE_DECOY;
        let bonus = if decoy { DECOY_BONUS } else { 0.0 };
        libm::fabs(logit(sight.p) - logit(wanted)) - bonus
    };
    (1.0 - ALIKE) * distance(sights[0]) + ALIKE * distance(sights[1])
}

/// The log of the odds.
fn logit(p: f64) -> f64 {
    libm::log(p.max(1e-6) / (1.0 - p).max(1e-6))
}

/// The probability that a word should have at first sight beside others' objects, of which guessers
/// will find these shares at first sight.
pub(super) fn wanted(others: impl Iterator<Item = f64>) -> f64 {
    let (count, sum) = others.fold((0.0, 0.0), |(count, sum), p| (count + 1.0, sum + logit(p)));
    let mean = (sum + USUAL_OBJECTS * USUAL) / (count + USUAL_OBJECTS);
    let more = FOLLOWED * (mean - USUAL);
    let wanted = 1.0 / (1.0 + libm::exp(-(logit(WANTED) + more)));
    wanted.clamp(0.1, 0.7)
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
            plan(word, &rules, PlayOptions::default(), 1, WANTED, control).features.len()
        };
        let counts = words.clone().map(|word| count(&stopped, word));
        assert!(counts.into_iter().all(|count| count == rules.fewest_shown().max(1)));
        assert!(words.map(|word| count(&running, word)).any(|count| count > 4));
    }
}
