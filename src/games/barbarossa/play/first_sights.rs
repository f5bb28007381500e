//! What guessers think of a sculpture before the first question.

use std::sync::LazyLock;

use super::answer_table::AnswerTable;
use crate::games::barbarossa::knowledge::{Answer, Knowledge, PredicateId};
use crate::games::barbarossa::rules::options::MOST_SHOWN;

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
