//! What guessers think of a sculpture before the first question.

use std::sync::LazyLock;

use super::answer_table::AnswerTable;
use crate::games::barbarossa::knowledge::{Answer, Knowledge, PredicateId};
use crate::games::barbarossa::rules::options::MOST_SHOWN;

/// Another word above this probability attracts the curse guesses of simple players, ...
const DECOY: f64 = 0.72;

/// ... which outweighs this distance from the likelihood wanted, in logits.
const DECOY_BONUS: f64 = 1.0;

/// What a feature that is only possibly true weighs, against one that is true, for guessers who think
/// that such are seldom shown.
const SELDOM: f64 = 0.2;

/// The weight of guessers who take possible features for as usual as true ones.
const ALIKE: f64 = 0.5;

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

/// What guessers think of every word that may have all features shown: those who take each
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
        let features = table.true_count(*word);
        let drawn = |of: usize| powers.drawn[of.min(powers.drawn.len() - 1)];
        [
            drawn(features.max(1)) * powers.seldom[*possible],
            drawn(features + table.possibles(*word)),
        ]
    };
    let weights: Vec<[f64; 2]> = fitting.iter().map(weights).collect();
    let by_reader = [0, 1].map(|reader| sights(weights.iter().map(|weights| weights[reader])));
    let sights =
        |(index, (word, _)): (usize, &(usize, usize))| (*word, [0, 1].map(|r| by_reader[r][index]));
    fitting.iter().enumerate().map(sights).collect()
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

/// What two kinds of guessers think of a word, as one number: the log of its odds, among what is left
/// where another word is too likely to be true, and whether there is such a word.
pub(super) fn likelihood(sights: &FirstSights) -> (f64, bool) {
    let decoy = sights.iter().any(|sight| sight.other >= DECOY);
    let of = |sight: &FirstSight| {
        let left = if sight.other >= DECOY { 1.0 - sight.other } else { 1.0 };
        logit(sight.p / left)
    };
    ((1.0 - ALIKE) * of(&sights[0]) + ALIKE * of(&sights[1]), decoy)
}

/// How far a sculpture is from the one wanted, a log of odds.
pub(super) fn distance(sights: &FirstSights, wanted: f64) -> f64 {
    let (found, decoy) = likelihood(sights);
    libm::fabs(found - wanted) - if decoy { DECOY_BONUS } else { 0.0 }
}

/// The log of the odds.
pub(super) fn logit(p: f64) -> f64 {
    libm::log(p.max(1e-6) / (1.0 - p).max(1e-6))
}

/// The odds of a word at first sight, as a log, of an object that shows it, ...
const OPEN: f64 = 0.0;

/// ... and of one that hides it among hundreds: hidden better it is never found, which costs more.
const HIDDEN: f64 = -6.8;

/// How much less likely the own word should be than the others' words, ...
const HARDER: f64 = 0.15;

/// ... and how far it varies to both sides.
const SPREAD: f64 = 0.3;

/// The odds that a word should have at first sight, as a log, beside others' objects of which
/// guessers will find these shares at first sight; `draw` from 0 to 1 tells where it lies between
/// the least and the most. It follows what most of the others do, not a single one who shows all.
///
/// Who models first sees nothing, and shows half of the objects, those that are `open`: who hides all
/// loses to makers who show theirs, and who shows all makes the others show theirs as well.
pub(super) fn wanted(others: impl Iterator<Item = f64>, draw: f64, open: bool) -> f64 {
    let mut seen: Vec<f64> = others.map(logit).chain([HIDDEN]).collect();
    seen.sort_by(f64::total_cmp);
    let median = match seen.as_slice() {
        [_] if open => OPEN,
        seen => f64::midpoint(seen[(seen.len() - 1) / 2], seen[seen.len() / 2]),
    };
    (median - HARDER + SPREAD * (2.0 * draw - 1.0)).clamp(HIDDEN - 1.0, OPEN)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn makers_do_as_most_others_and_the_first_shows_half() {
        let (shown, hidden) = (0.6, 0.0005);
        let hides = |others: &[f64], open| {
            let odds = [0.0, 1.0].map(|draw| wanted(others.iter().copied(), draw, open));
            assert!(odds[0] < odds[1] && odds[1] <= OPEN, "{odds:?}");
            assert!(odds[1] < -6.0 || odds[0] > -1.0, "{odds:?}");
            odds[1] < -6.0
        };
        assert!(hides(&[], false) && !hides(&[], true));
        assert!(!hides(&[shown, shown], false));
        assert!(hides(&[shown, hidden], true));
        assert!(hides(&[shown, hidden, hidden, hidden], true));
        assert!(!hides(&[shown, hidden, shown, shown], true));
    }
}
