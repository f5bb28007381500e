//! Sculpting: which word to choose and which features to show.
//!
//! Guessers weigh every word that has the features shown. A sculpture is judged by what they think
//! before the first question:
//!
//! - The word itself should be about as likely as not. Words that are nearly certain at once take
//!   the first arrows of the game, which cost the maker points; words that nobody finds cost more at
//!   the end. In between come the arrows that earn points.
//! - Another word should seem nearly certain, if the word permits: rivals spend curse tokens on it.

use super::answer_table::AnswerTable;
use super::options::PlayOptions;
use crate::game::{Game, Random, multiply_shift, splitmix64};
use crate::games::barbarossa::knowledge::{Answer, Knowledge, PredicateId, WordId};
use crate::games::barbarossa::rules::moves::Move;
use crate::games::barbarossa::rules::options::{MOST_SHOWN, RuleOptions};
use crate::games::barbarossa::rules::position::Position;
use crate::games::barbarossa::rules::words::{ObjectName, Word};

/// Random sets of features that are tried for each number of features.
const TRIES: usize = 40;

/// The probability that the word should have at first sight.
const WANTED: f64 = 0.5;

/// Another word above this probability attracts curse guesses, ...
const DECOY: f64 = 0.72;

/// ... which is good as long as the word itself is at least this likely, ...
const BESIDE_DECOY: f64 = 0.05;

/// ... and outweighs this distance from the wanted probability, in logits.
const DECOY_BONUS: f64 = 3.0;

/// How many features [`random_show`] shows.
const RANDOM_FEATURES: usize = 4;

/// A planned sculpture.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Sculpture {
    pub(super) features: Vec<PredicateId>,
    /// Distance from the sculpture wanted; small is good.
    pub(super) distance: f64,
}

/// The sculpture of a word: a function of word, rules, options and seed.
pub(super) fn plan(word: WordId, rules: &RuleOptions, style: PlayOptions, seed: u64) -> Sculpture {
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
    for count in fewest.max(1)..=most {
        for _ in 0..TRIES {
            let features = even_choice(features, count, random.next());
            // The word itself has every feature shown.
            let sights = first_sights(table, &features);
            let own = sights.iter().find(|(other, _)| *other == usize::from(word.0));
            let distance = own.map_or(f64::INFINITY, |(_, sight)| distance(*sight));
            if best.as_ref().is_none_or(|known| distance < known.distance) {
                best = Some(Sculpture { features, distance });
            }
        }
    }
    best.unwrap_or(Sculpture { features: features.to_vec(), distance: 0.0 })
}

/// The sculpture of a word that is not listed: some features that the lexicon is certain of.
pub(super) fn plan_unlisted(word: &Word, seed: u64) -> Sculpture {
    let knowledge = Knowledge::shipped();
    let is_true = |id: &PredicateId| {
        knowledge.is_clay_visible(*id) && word.known_answer(*id) == Some(Answer::Yes)
    };
    let features: Vec<PredicateId> = knowledge.vocabulary().filter(is_true).collect();
    let count = features.len().min(RANDOM_FEATURES);
    Sculpture { features: even_choice(&features, count, seed), distance: 0.0 }
}

/// What guessers think of a sculpture before the first question.
#[derive(Clone, Copy, Debug)]
pub(super) struct FirstSight {
    /// The probability of the word.
    p: f64,
    /// The probability of the most likely other word.
    other: f64,
}

/// What guessers who take each feature shown as a random one of those true of the word think, for
/// every word of which all are true.
pub(super) fn first_sights(table: &AnswerTable, shown: &[PredicateId]) -> Vec<(usize, FirstSight)> {
    let mut sights = Vec::new();
    let (mut total, mut first, mut second) = (0.0, (0, 0.0), 0.0);
    for word in 0..table.words() {
        let features = table.features(word);
        if shown.iter().all(|id| features.binary_search(id).is_ok()) {
            let weight = libm::pow(features.len() as f64, -(shown.len() as f64));
            total += weight;
            if weight > first.1 {
                (first, second) = ((word, weight), first.1);
            } else if weight > second {
                second = weight;
            }
            sights.push((word, weight));
        }
    }
    let other = |word| if word == first.0 { second } else { first.1 };
    let sight = |(word, p)| (word, FirstSight { p: p / total, other: other(word) / total });
    sights.into_iter().map(sight).collect()
}

/// How far a sculpture is from the one wanted.
pub(super) fn distance(sight: FirstSight) -> f64 {
    let logit = |p: f64| libm::log(p.max(1e-6) / (1.0 - p).max(1e-6));
    let decoy = sight.other >= DECOY && sight.p >= BESIDE_DECOY;
    let bonus = if decoy { DECOY_BONUS } else { 0.0 };
    libm::fabs(logit(sight.p) - logit(WANTED)) - bonus
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
    let word = position.object(name).known_word()?;
    let is_true = |m: &Move| match m {
        Move::Show(_, id) => word.known_answer(*id).is_none_or(|answer| answer == Answer::Yes),
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
    moves.into_iter().find(|m| matches!(m, Move::Show(..)))
}
