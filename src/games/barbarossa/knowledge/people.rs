//! How people answer: P(answer | cell) by predicate, from answers of people to questions that mean
//! nearly what the predicate says (`data/barbarossa/lexicon/people.txt`).
//!
//! A person's yes to "is it curved" says little, to "is it alive" much. Rates of few words lean on
//! the pooled ones, which also stand for predicates that nobody was asked about.

use std::sync::OnceLock;

use super::{Answer, Knowledge, PredicateId};

/// How many words the pooled rates count for.
const POOLED: f64 = 8.0;

/// The share of answers that are dontknow; the source has none.
const DONT_KNOW: f64 = 0.04;

/// How much likelier people choose an everyday word, one judged by hand, than another of both lexicons.
pub const EVERYDAY: f64 = 20.0;

/// P(answer | cell), both in the order of [`Answer`].
pub type Rates = [[f64; 4]; 4];

/// The order of cells and of answers in the file.
const ORDER: [Answer; 3] = [Answer::Yes, Answer::Possibly, Answer::No];

/// How people answer.
#[derive(Clone, PartialEq, Debug)]
pub struct People {
    pooled: Rates,
    by_predicate: Vec<Option<Rates>>,
}

impl People {
    /// The rates shipped with the program, for the shipped table.
    #[must_use]
    pub fn shipped() -> &'static People {
        static SHIPPED: OnceLock<People> = OnceLock::new();
        SHIPPED.get_or_init(|| {
            let text = include_str!("../../../../data/barbarossa/lexicon/people.txt");
            People::parse(text, Knowledge::shipped())
        })
    }

    /// Reads counts: lines of a predicate and twelve numbers. Lines that are none, and predicates
    /// that the table lacks, are skipped.
    fn parse(text: &str, knowledge: &Knowledge) -> People {
        let mut sums = [[0.0; 3]; 3];
        let mut counted: Vec<(PredicateId, [[f64; 3]; 3])> = Vec::new();
        for line in text.lines().filter(|line| !line.starts_with('#')) {
            let mut fields = line.split(' ');
            let predicate = fields.next().and_then(|name| knowledge.find_predicate(name));
            let numbers: Vec<f64> = fields.filter_map(|field| field.parse().ok()).collect();
            let (Some(predicate), 12) = (predicate, numbers.len()) else { continue };
            let mut counts = [[0.0; 3]; 3];
            for (cell, row) in counts.iter_mut().enumerate() {
                let words = numbers[4 * cell];
                for (answer, count) in row.iter_mut().enumerate() {
                    *count = words * numbers[4 * cell + 1 + answer] / 100.0;
                    sums[cell][answer] += *count;
                }
            }
            counted.push((predicate, counts));
        }
        let none = [[0.0; 3]; 3];
        let shares = sums.map(|row| row.map(|sum| (sum + 1.0) / (row.iter().sum::<f64>() + 3.0)));
        let mut by_predicate = vec![None; knowledge.predicates()];
        for (predicate, counts) in counted {
            if let Some(rates) = by_predicate.get_mut(usize::from(predicate.0)) {
                *rates = Some(rates_of(&counts, &shares));
            }
        }
        People { pooled: rates_of(&none, &shares), by_predicate }
    }

    /// P(answer | cell) of predicates that nobody was asked about.
    #[must_use]
    pub fn pooled(&self) -> &Rates {
        &self.pooled
    }

    /// P(answer | cell) of a predicate: its own rates, or the pooled ones.
    #[must_use]
    pub fn rates(&self, predicate: PredicateId) -> &Rates {
        self.own_rates(predicate).unwrap_or(&self.pooled)
    }

    /// The rates of a predicate that people were asked about.
    #[must_use]
    pub fn own_rates(&self, predicate: PredicateId) -> Option<&Rates> {
        self.by_predicate.get(usize::from(predicate.0))?.as_ref()
    }
}

/// Rates from counts and pooled shares, both by cell and answer in [`ORDER`].
fn rates_of(counts: &[[f64; 3]; 3], shares: &[[f64; 3]; 3]) -> Rates {
    // What the table does not know tells nothing.
    let mut rates = [[(1.0 - DONT_KNOW) / 3.0; 4]; 4];
    for row in &mut rates {
        row[Answer::DontKnow as usize] = DONT_KNOW;
    }
    for (cell, (counts, shares)) in ORDER.iter().zip(counts.iter().zip(shares)) {
        let words: f64 = counts.iter().sum::<f64>() + POOLED;
        for (answer, (count, share)) in ORDER.iter().zip(counts.iter().zip(shares)) {
            rates[*cell as usize][*answer as usize] =
                (1.0 - DONT_KNOW) * (count + POOLED * share) / words;
        }
    }
    rates
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rates_are_probabilities_and_lean_on_the_pooled_ones() {
        let people = People::shipped();
        let knowledge = Knowledge::shipped();
        for predicate in knowledge.vocabulary() {
            for row in people.rates(predicate) {
                assert!((row.iter().sum::<f64>() - 1.0).abs() < 1e-9, "{row:?}");
                assert!(row.iter().all(|p| *p > 0.0), "{row:?}");
            }
        }
        let of = |name: &str| people.rates(knowledge.find_predicate(name).unwrap());
        let (yes, no) = (Answer::Yes as usize, Answer::No as usize);
        // 87 % of 70 words, and 49 % of 210.
        assert!((of("is_alive")[yes][yes] - 0.83).abs() < 0.02, "{:?}", of("is_alive"));
        assert!(of("is_curved")[no][yes] > 0.4 && of("is_alive")[no][yes] < 0.05);
        // Two words were people: nearly the pooled rate.
        assert!(of("is_person")[yes][yes] < 0.92);
    }

    #[test]
    fn predicates_that_nobody_was_asked_about_have_the_pooled_rates() {
        let (people, knowledge) = (People::shipped(), Knowledge::shipped());
        let known = knowledge.vocabulary().filter(|id| people.own_rates(*id).is_some()).count();
        assert_eq!(known, 72);
        let pair = |name: &str| knowledge.find_predicate(name).unwrap();
        assert!(people.own_rates(pair("is_tree")).is_none());
        assert_eq!(people.rates(pair("is_tree")), people.rates(pair("has_spout")));
    }
}
