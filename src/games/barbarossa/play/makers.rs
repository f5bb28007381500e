//! How makers choose the features that they show.
//!
//! What a sculpture tells of its word depends on who made it: a maker who always shows four features
//! shows three only of a word that has no more. So a belief is a mixture over the habits of makers.
//! All that is seen of a maker's objects, their answers too, tells which habit is his: the
//! probability of a habit is that of the evidence of all his objects, summed over their words.

use super::answer_table::AnswerTable;
use super::distribution::log_sum;
use super::sculpt::{FirstSight, distance, first_sights};
use crate::games::barbarossa::knowledge::PredicateId;
use crate::games::barbarossa::rules::options::MOST_SHOWN;

/// The log-weight of evidence that a word contradicts; finite, because people err.
pub(super) const CONTRADICTED: f64 = -12.0;

/// The log-weight of a shown feature that is only possibly true of a word.
const POSSIBLE_SHOWN: f64 = -2.5;

/// A way to choose the features of one word.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Style {
    /// So many true features, at random.
    Random,
    /// All that are true.
    All,
    /// At random, and seldom one that is only possibly true.
    Loose,
    /// Of many sculptures the best for its maker, as the engine does.
    Schemed,
}

/// All styles, in the order of their numbers.
const STYLES: [Style; 4] = [Style::Random, Style::All, Style::Loose, Style::Schemed];

/// A value for every style.
pub(super) type ByStyle<T> = [T; STYLES.len()];

/// The log-weights of styles where nothing is known of the maker.
pub(super) const ONLY_LOOSE: ByStyle<f64> = {
    let mut styles = [f64::NEG_INFINITY; STYLES.len()];
    styles[Style::Loose as usize] = 0.0;
    styles
};

/// What a maker does every time.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Habit {
    /// Shows this many true features at random; all where there are fewer.
    Fixed(usize),
    /// Shows any number of true features, at random.
    Random,
    /// The same, seldom one that is only possibly true.
    Loose,
    /// Takes the best sculpture of many.
    Schemer,
}

/// The share of each habit before anything is seen; those with a fixed number share one.
const FIXED: f64 = 0.6;
const RANDOM: f64 = 0.1;
const LOOSE: f64 = 0.1;
const SCHEMER: f64 = 0.2;

/// How many sculptures of one size a schemer tries.
const TRIES: f64 = 40.0;

/// All habits with their shares.
fn habits() -> impl Iterator<Item = (Habit, f64)> {
    let each = FIXED / MOST_SHOWN as f64;
    let fixed = (1..=MOST_SHOWN).map(move |number| (Habit::Fixed(number), each));
    fixed.chain([(Habit::Random, RANDOM), (Habit::Loose, LOOSE), (Habit::Schemer, SCHEMER)])
}

impl Habit {
    /// The style in which a maker with this habit showed so many features, and the share of such
    /// numbers among his sculptures. `None`: he never does.
    fn style(self, shown: usize) -> Option<(Style, f64)> {
        let any_number = 1.0 / MOST_SHOWN as f64;
        match self {
            Habit::Fixed(number) if shown == number => Some((Style::Random, 1.0)),
            Habit::Fixed(number) if shown < number => Some((Style::All, 1.0)),
            Habit::Fixed(_) => None,
            Habit::Random => Some((Style::Random, any_number)),
            Habit::Loose => Some((Style::Loose, any_number)),
            Habit::Schemer => Some((Style::Schemed, 1.0)),
        }
    }
}

/// What is known of one of a maker's objects.
#[derive(Clone, Copy, Debug)]
pub(super) struct MadeObject {
    /// The number of features shown.
    pub(super) shown: usize,
    /// By style, the log of the probability of all evidence of the object.
    pub(super) evidence: ByStyle<f64>,
}

/// The log-weights of the styles of one object, from the habits of its maker and the evidence of
/// his other objects.
pub(super) fn weigh_styles(object: &MadeObject, others: &[MadeObject]) -> ByStyle<f64> {
    let weights: Vec<(Style, f64)> = habits()
        .filter_map(|(habit, share)| {
            let (style, number) = habit.style(object.shown)?;
            let mut weight = libm::log(share * number);
            for other in others {
                let (style, number) = habit.style(other.shown)?;
                weight += libm::log(number) + other.evidence[style as usize];
            }
            Some((style, weight))
        })
        .collect();
    let most = weights.iter().map(|(_, weight)| *weight).fold(f64::NEG_INFINITY, f64::max);
    STYLES.map(|style| {
        log_sum(weights.iter().filter(|(s, _)| *s == style).map(|(_, weight)| weight - most))
    })
}

/// log P(shown | word, style) for every word.
pub(super) fn weigh_shown(table: &AnswerTable, shown: &[PredicateId]) -> ByStyle<Vec<f64>> {
    if shown.is_empty() {
        return STYLES.map(|_| vec![0.0; table.words()]);
    }
    let mut weights = STYLES.map(|_| Vec::with_capacity(table.words()));
    for word in 0..table.words() {
        let features = table.features(word);
        let choices = ln_choose(features.len().max(shown.len()), shown.len());
        let untrue = shown.iter().filter(|id| features.binary_search(id).is_err());
        let possible = |id: &&PredicateId| table.may_show(word, **id);
        let (count, possible) = (untrue.clone().count(), untrue.filter(possible).count());
        let untrue = CONTRADICTED * count as f64;
        let hidden = if features.len() > shown.len() { CONTRADICTED } else { 0.0 };
        let excused = (POSSIBLE_SHOWN - CONTRADICTED) * possible as f64;
        weights[Style::Random as usize].push(untrue - choices);
        weights[Style::All as usize].push(untrue + hidden);
        weights[Style::Loose as usize].push(untrue + excused - choices);
        weights[Style::Schemed as usize].push(untrue - choices);
    }
    for (word, sight) in first_sights(table, shown) {
        let choices = ln_choose(table.features(word).len(), shown.len());
        weights[Style::Schemed as usize][word] = schemed(sight, choices);
    }
    weights
}

/// The log-weight of a sculpture that was the best of many: of a word that has e^choices of that
/// size.
fn schemed(sight: FirstSight, choices: f64) -> f64 {
    // From 400 sculptures of the engine and random ones of the same words: how many of those that are
    // tried at each distance are taken.
    let taken = match distance(sight) {
        near if near <= -1.6 => -1.5,
        near if near <= 0.15 => -2.2,
        far if far <= 0.3 => -4.0,
        far if far <= 0.7 => -5.2,
        far if far <= 3.0 => -6.8,
        _ => -12.0,
    };
    let one = libm::exp(-choices);
    let tried = if one < 1.0 { -libm::expm1(TRIES * libm::log1p(-one)) } else { 1.0 };
    taken + libm::log(tried)
}

/// ln of n over k.
fn ln_choose(n: usize, k: usize) -> f64 {
    (0..k).map(|i| libm::log((n - i) as f64 / (i + 1) as f64)).sum()
}
