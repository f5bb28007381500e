//! How makers choose the features that they show.
//!
//! What a sculpture tells of its word depends on who made it: a maker who always shows four features
//! shows three only of a word that has no more. So a belief is a mixture over the habits of makers.
//! All that is seen of a maker's objects, their answers too, tells which habit is his: the
//! probability of a habit is that of the evidence of all his objects, summed over their words.

use super::answer_table::AnswerTable;
use super::distribution::log_sum;
use super::first_sights::{FirstSights, first_sights, likelihood};
use crate::games::barbarossa::knowledge::PredicateId;
use crate::games::barbarossa::rules::options::MOST_SHOWN;

/// The log-weight of evidence that a word contradicts; finite, because people err.
pub(super) const CONTRADICTED: f64 = -12.0;

/// The log-weight of a feature that is only possibly true, of makers who seldom show such.
const POSSIBLE_SHOWN: f64 = -1.6;

/// The log-weight of one place in the order of preference of a maker who has one.
const PLACE: f64 = -1.6;

/// A way to choose the features of one word.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Style {
    /// True features, all alike.
    True,
    /// True and possible features, all alike.
    Possible,
    /// All that are true.
    AllTrue,
    /// All that are true or possible.
    AllPossible,
    /// True features: those first of which few words have them.
    Rare,
    /// True features: those first of which many words have them.
    Common,
    /// True features, the first of the table.
    First,
    /// True features, the last of the table.
    Last,
    /// Of many sculptures the best for its maker, as the engine does.
    Schemed,
    /// One feature after the other, each as likely as any other that the word could show, whether
    /// shown before or not; seldom or as often one that is only possibly true. What simple players
    /// assume of all makers.
    Loose,
}

/// All styles, in the order of their numbers.
const STYLES: [Style; 10] = [
    Style::True,
    Style::Possible,
    Style::AllTrue,
    Style::AllPossible,
    Style::Rare,
    Style::Common,
    Style::First,
    Style::Last,
    Style::Schemed,
    Style::Loose,
];

/// A value for every style.
pub(super) type ByStyle<T> = [T; STYLES.len()];

/// The log-weights of styles where nothing is known of the maker.
pub(super) const ONLY_LOOSE: ByStyle<f64> = {
    let mut styles = [f64::NEG_INFINITY; STYLES.len()];
    styles[Style::Loose as usize] = 0.0;
    styles
};

/// How many features a maker shows.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Number {
    /// So many; all where there are fewer.
    Fixed(usize),
    /// A number drawn for each object from all that may be shown; all where there are fewer.
    Drawn,
    /// As many as suit the word.
    Free,
}

/// What a maker does most of the time.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Habit {
    style: Style,
    number: Number,
}

/// Ways to choose with their shares before anything is seen. All but the last two show a fixed
/// number of features or draw one.
const SHARES: [(Style, f64); 8] = [
    (Style::True, 0.5),
    (Style::Possible, 0.1),
    (Style::Rare, 0.03),
    (Style::Common, 0.04),
    (Style::First, 0.01),
    (Style::Last, 0.02),
    (Style::Schemed, 0.2),
    (Style::Loose, 0.1),
];

/// The share of makers with a fixed number of features.
const FIXED: f64 = 0.8;

/// The share of objects that follow another habit than their maker's. No habit is ruled out by a few
/// of a maker's objects.
const ASTRAY: f64 = 0.05;

/// The share of makers who have another habit than a given maker at the same table.
const APART: f64 = 0.3;

/// How many sculptures of one size a schemer tries.
const TRIES: f64 = 40.0;

/// All habits with their shares.
fn habits() -> impl Iterator<Item = (Habit, f64)> {
    SHARES.into_iter().flat_map(|(style, share)| {
        let counts = !matches!(style, Style::Schemed | Style::Loose);
        let (fixed, drawn) = if counts { (FIXED, 1.0 - FIXED) } else { (0.0, 0.0) };
        let fixed =
            (1..=MOST_SHOWN).map(move |number| (Number::Fixed(number), fixed / MOST_SHOWN as f64));
        let free = if counts { 0.0 } else { 1.0 };
        let numbers = fixed.chain([(Number::Drawn, drawn), (Number::Free, free)]);
        let some = numbers.filter(|(_, part)| *part > 0.0);
        some.map(move |(number, part)| (Habit { style, number }, share * part))
    })
}

impl Habit {
    /// The styles in which a maker with this habit showed so many features, with the probabilities
    /// of such numbers, for `Loose` times those of the orders in which they may have been drawn.
    fn styles(self, shown: usize) -> [(Style, f64); 2] {
        let all = match self.style {
            Style::Possible => Style::AllPossible,
            _ => Style::AllTrue,
        };
        let most = MOST_SHOWN as f64;
        let (some, rest) = match self.number {
            Number::Fixed(number) if shown == number => (1.0, 0.0),
            Number::Fixed(number) if shown < number => (0.0, 1.0),
            Number::Fixed(_) => (0.0, 0.0),
            Number::Drawn => (1.0 / most, (MOST_SHOWN - shown.min(MOST_SHOWN)) as f64 / most),
            Number::Free if self.style == Style::Loose => {
                ((1..=shown).product::<usize>() as f64 / most, 0.0)
            }
            Number::Free => (1.0, 0.0),
        };
        [(self.style, some), (all, rest)]
    }

    /// The log of the probability of an object's evidence.
    fn evidence(self, object: &MadeObject) -> f64 {
        let styles = self.styles(object.shown).into_iter().filter(|(_, part)| *part > 0.0);
        log_sum(styles.map(|(style, part)| libm::log(part) + object.evidence[style as usize]))
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

/// The log-weights of the styles of every object of every maker: from the habits of its maker and the
/// evidence of all other objects.
pub(super) fn makers_styles(makers: &[Vec<MadeObject>]) -> Vec<Vec<ByStyle<f64>>> {
    let habits = Habits::all();
    // By maker and object, the evidence for each habit.
    let evidence: Vec<Vec<Vec<f64>>> = makers
        .iter()
        .map(|objects| objects.iter().map(|object| habits.evidence(object)).collect())
        .collect();
    let told: Vec<Vec<f64>> = evidence.iter().map(|objects| habits.told(objects)).collect();
    let styles = |(maker, objects): (usize, &Vec<MadeObject>)| {
        let table = habits.at_table(&all_but(&told, maker));
        let of_others = |object| all_but(&evidence[maker], object);
        let weights = |object| added(table.clone(), &of_others(object));
        let objects = objects.iter().enumerate();
        objects.map(|(index, object)| habits.styles(&weights(index), object.shown)).collect()
    };
    makers.iter().enumerate().map(styles).collect()
}

fn all_but(lists: &[Vec<f64>], left_out: usize) -> Vec<&Vec<f64>> {
    let kept = lists.iter().enumerate().filter(|(index, _)| *index != left_out);
    kept.map(|(_, list)| list).collect()
}

fn added(mut sum: Vec<f64>, lists: &[&Vec<f64>]) -> Vec<f64> {
    for list in lists {
        sum.iter_mut().zip(*list).for_each(|(sum, weight)| *sum += weight);
    }
    sum
}

/// All habits with the logs of their shares.
struct Habits(Vec<(Habit, f64)>);

impl Habits {
    fn all() -> Self {
        Habits(habits().map(|(habit, share)| (habit, libm::log(share))).collect())
    }

    fn shares(&self) -> Vec<f64> {
        self.0.iter().map(|(_, share)| *share).collect()
    }

    /// The log-probabilities of evidence that goes astray with this share.
    fn mixed(&self, evidence: Vec<f64>, share: f64) -> Vec<f64> {
        let any = log_sum(self.0.iter().zip(&evidence).map(|((_, share), own)| share + own));
        evidence.into_iter().map(|own| mix(own, any, share)).collect()
    }

    /// What an object tells of the habit of its maker.
    fn evidence(&self, object: &MadeObject) -> Vec<f64> {
        self.mixed(self.0.iter().map(|(habit, _)| habit.evidence(object)).collect(), ASTRAY)
    }

    /// What the objects of a maker tell of the habits of others at the table.
    fn told(&self, objects: &[Vec<f64>]) -> Vec<f64> {
        let objects: Vec<&Vec<f64>> = objects.iter().collect();
        self.mixed(added(vec![0.0; self.0.len()], &objects), APART)
    }

    /// The log-weights of a maker's habits from what the others told.
    fn at_table(&self, told: &[&Vec<f64>]) -> Vec<f64> {
        self.blended(added(self.shares(), told), APART)
    }

    /// Log-weights made to add up to 1 and mixed with the shares.
    fn blended(&self, weights: Vec<f64>, share: f64) -> Vec<f64> {
        let total = log_sum(weights.iter().copied());
        if !total.is_finite() {
            return self.shares();
        }
        let weights = self.0.iter().zip(weights);
        weights.map(|((_, any), weight)| mix(weight - total, *any, share)).collect()
    }

    /// The log-weights of the styles of an object with so many features shown, from those of the
    /// habits of its maker by all other evidence.
    fn styles(&self, weights: &[f64], shown: usize) -> ByStyle<f64> {
        let weights = self.blended(weights.to_vec(), ASTRAY);
        let parts: Vec<(Style, f64)> = self
            .0
            .iter()
            .zip(weights)
            .flat_map(|((habit, _), weight)| {
                let styles = habit.styles(shown).into_iter();
                styles.map(move |(style, part)| (style, weight + libm::log(part)))
            })
            .collect();
        let most = parts.iter().map(|(_, weight)| *weight).fold(f64::NEG_INFINITY, f64::max);
        STYLES.map(|style| {
            log_sum(parts.iter().filter(|(s, _)| *s == style).map(|(_, weight)| weight - most))
        })
    }
}

/// The log of a probability that goes astray with this share.
fn mix(own: f64, astray: f64, share: f64) -> f64 {
    log_sum([libm::log(1.0 - share) + own, libm::log(share) + astray].into_iter())
}

/// log P(shown | word, style) for every word; given the number of features, but for `Schemed`.
pub(super) fn weigh_shown(table: &AnswerTable, shown: &[PredicateId]) -> ByStyle<Vec<f64>> {
    if shown.is_empty() {
        return STYLES.map(|_| vec![0.0; table.words()]);
    }
    let logs = Logs::new(table, shown.len());
    let mut weights = STYLES.map(|_| Vec::with_capacity(table.words()));
    for word in 0..table.words() {
        let seen = SeenFeatures::of(table, word, shown);
        for (style, weights) in STYLES.iter().zip(&mut weights) {
            weights.push(seen.weight(*style, &logs));
        }
    }
    for (word, sights) in first_sights(table, shown) {
        let features = table.features(word);
        let all_true = shown.iter().all(|id| features.binary_search(id).is_ok());
        let count = table.true_count(word);
        let of_true = if all_true { logs.choices[count] } else { f64::INFINITY };
        let of_all = logs.choices[count + table.possibles(word)];
        weights[Style::Schemed as usize][word] = schemed(&sights, [of_true, of_all]);
    }
    weights
}

/// Logs that weights of words are made of, by a number of features.
struct Logs {
    /// Of the number itself, at least 1.
    number: Vec<f64>,
    /// Of the choices of as many as were shown among so many.
    choices: Vec<f64>,
    /// By [`ln_orders`], for numbers of true features.
    orders: Vec<f64>,
}

impl Logs {
    fn new(table: &AnswerTable, shown: usize) -> Self {
        let all = |word| table.true_count(word) + table.possibles(word);
        let most = (0..table.words()).map(all).max().unwrap_or(0);
        Logs {
            number: (0..=most).map(|n| libm::log(n.max(1) as f64)).collect(),
            choices: (0..=most).map(|n| ln_choose(n.max(shown), shown)).collect(),
            orders: (0..=table.most_features()).map(|n| ln_orders(n.max(shown), shown)).collect(),
        }
    }
}

/// What was shown, as features of one word.
struct SeenFeatures {
    shown: usize,
    /// How many features of the word are true for certain, how many in all, and how many possible
    /// besides.
    features: usize,
    count: usize,
    possibles: usize,
    /// How many of those shown are not true, and how many of these are possible.
    untrue: usize,
    possible: usize,
    /// The places of the true ones that are shown, added up: in the table, and by rarity.
    places: usize,
    rarities: usize,
}

impl SeenFeatures {
    fn of(table: &AnswerTable, word: usize, shown: &[PredicateId]) -> Self {
        let (features, rarity) = (table.features(word), table.rarity(word));
        let mut seen = SeenFeatures {
            shown: shown.len(),
            features: features.len(),
            count: table.true_count(word),
            possibles: table.possibles(word),
            untrue: 0,
            possible: 0,
            places: 0,
            rarities: 0,
        };
        for id in shown {
            if let Ok(place) = features.binary_search(id) {
                seen.places += place;
                seen.rarities += usize::from(rarity[place]);
            } else {
                seen.untrue += 1;
                seen.possible += usize::from(table.may_show(word, *id));
            }
        }
        seen
    }

    fn weight(&self, style: Style, logs: &Logs) -> f64 {
        let untrue = CONTRADICTED * self.untrue as f64;
        let impossible = CONTRADICTED * (self.untrue - self.possible) as f64;
        let hidden = |of: usize| if of > self.shown { CONTRADICTED } else { 0.0 };
        // Of all sets of true features that are as large, by the places in an order.
        let reversed = || (self.shown - self.untrue) * self.features.saturating_sub(1);
        let by_places = |places: usize| untrue + PLACE * places as f64 - logs.orders[self.features];
        match style {
            Style::True | Style::Schemed => untrue - logs.choices[self.count],
            Style::Possible => impossible - logs.choices[self.count + self.possibles],
            Style::AllTrue => untrue + hidden(self.count),
            Style::AllPossible => impossible + hidden(self.count + self.possibles),
            Style::Rare => by_places(self.rarities),
            Style::Common => by_places(reversed() - self.rarities),
            Style::First => by_places(self.places),
            Style::Last => by_places(reversed() - self.places),
            Style::Loose => {
                let drawn = |of: usize| self.shown as f64 * logs.number[of];
                let seldom = POSSIBLE_SHOWN * self.possible as f64 - drawn(self.count);
                let alike = -drawn(self.count + self.possibles);
                impossible + log_sum([seldom, alike].into_iter()) - std::f64::consts::LN_2
            }
        }
    }
}

/// ln of the sum over all sets of k of n places of e^([`PLACE`] times the places added up).
fn ln_orders(n: usize, k: usize) -> f64 {
    // Of sets of j among the places so far.
    let mut sums = vec![0.0; k + 1];
    sums[0] = 1.0;
    for place in 0..n.max(k) {
        let weight = libm::exp(PLACE * place as f64);
        for j in (1..=k).rev() {
            sums[j] += weight * sums[j - 1];
        }
    }
    libm::log(sums[k])
}

/// The log-weight of a sculpture that was taken among many: of a word that has e^choices of that size,
/// of true features and of all.
fn schemed(sights: &FirstSights, choices: [f64; 2]) -> f64 {
    let (found, decoy) = likelihood(sights);
    let taken = TAKEN[((-found).clamp(0.0, 6.9)) as usize] + if decoy { DECOY_TAKEN } else { 0.0 };
    let untried = choices.map(|choices| {
        let one = libm::exp(-choices);
        if one < 1.0 { TRIES / 2.0 * libm::log1p(-one) } else { f64::NEG_INFINITY }
    });
    taken + libm::log(-libm::expm1(untried[0] + untried[1]))
}

/// The logs of the shares of the sculptures tried that are taken, by the log of the odds of the word
/// at first sight: from 1 to e^-1, from there to e^-2, ... Chosen by hand, from a few games; not
/// fitted.
const TAKEN: [f64; 7] = [-7.0, -6.0, -5.0, -4.0, -3.0, -2.5, -2.0];
const DECOY_TAKEN: f64 = 1.0;

/// ln of n over k.
fn ln_choose(n: usize, k: usize) -> f64 {
    (0..k).map(|i| libm::log((n - i) as f64 / (i + 1) as f64)).sum()
}
