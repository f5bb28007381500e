//! How well words are recognised when people answer: the answers are drawn from how people answered
//! ([`People`]), the pool is every entry of both lexicons.

use serde::Serialize;

use super::{MARKS, plogp};
use crate::game::Random;
use crate::games::barbarossa::knowledge::lexicon::{Chances, Lexicon};
use crate::games::barbarossa::knowledge::people::{People, Rates};
use crate::games::barbarossa::knowledge::{Answer, Knowledge, PredicateId};

/// How much likelier a word that was judged by hand is than another entry.
const JUDGED: f32 = 3.0;

/// The result: percent of secrets that lead, and that are among the ten most likely words, after the
/// numbers of questions in `MARKS`.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct PeopleOutcome {
    /// Entries in the pool.
    pub pool: usize,
    /// Predicates that may be asked.
    pub predicates: usize,
    /// Secrets tried, all judged by hand.
    pub secrets: usize,
    /// Percent that lead.
    pub first: [f64; 4],
    /// Percent among the ten most likely words.
    pub among_ten: [f64; 4],
}

/// One predicate: for each answer the likelihood of every entry.
struct Column {
    predicate: PredicateId,
    rates: Rates,
    likelihoods: [Vec<f32>; 3],
}

/// The answers that people gave.
const ANSWERS: [Answer; 3] = [Answer::No, Answer::Yes, Answer::Possibly];

/// Both lexicons, laid out by predicate.
pub struct PeopleTrial<'a> {
    knowledge: &'a Knowledge,
    pool: usize,
    columns: Vec<Column>,
}

impl<'a> PeopleTrial<'a> {
    /// Lays out every predicate that people were asked about.
    #[must_use]
    pub fn new(knowledge: &'a Knowledge, lexicon: &Lexicon, people: &People) -> Self {
        let column = |predicate: PredicateId| -> Option<Column> {
            let rates = people.own_rates(predicate)?;
            let judged =
                knowledge.words().map(|word| Chances::certain(knowledge.answer(word, predicate)));
            let derived = lexicon.entries().map(|entry| lexicon.chances(entry, predicate));
            let chances: Vec<Option<Chances>> = judged.chain(derived).collect();
            let likelihoods = ANSWERS.map(|answer| {
                let likelihood = |chances: &Option<Chances>| likelihood(rates, *chances, answer);
                chances.iter().map(likelihood).collect()
            });
            Some(Column { predicate, rates: *rates, likelihoods })
        };
        let columns = knowledge.vocabulary().filter_map(column).collect();
        PeopleTrial { knowledge, pool: knowledge.len() + lexicon.len(), columns }
    }

    /// Every n-th word that was judged by hand is the secret once.
    #[must_use]
    pub fn run(&self, every: usize, seed: u64) -> PeopleOutcome {
        let (mut first, mut among_ten, mut secrets) = ([0; 4], [0; 4], 0);
        for secret in (0..self.knowledge.len()).step_by(every.max(1)) {
            let seed = seed ^ (secret as u64).wrapping_mul(0x9E37_79B9_7F4A_7C15);
            let ranks = self.session(secret, &mut Random::new(seed));
            secrets += 1;
            for (mark, rank) in ranks.iter().enumerate() {
                first[mark] += usize::from(*rank == 0);
                among_ten[mark] += usize::from(*rank < 10);
            }
        }
        let share = |count: usize| 100.0 * count as f64 / secrets.max(1) as f64;
        PeopleOutcome {
            pool: self.pool,
            predicates: self.columns.len(),
            secrets,
            first: first.map(share),
            among_ten: among_ten.map(share),
        }
    }

    /// How many entries are likelier than the secret after each number of questions in `MARKS`.
    fn session(&self, secret: usize, random: &mut Random) -> [usize; 4] {
        let mut belief: Vec<f32> = (0..self.pool)
            .map(|entry| if entry < self.knowledge.len() { JUDGED } else { 1.0 })
            .collect();
        normalise(&mut belief);
        let mut asked = vec![false; self.columns.len()];
        let mut ranks = [self.pool; 4];
        for count in 0..=MARKS[3].min(self.columns.len()) {
            if let Some(mark) = MARKS.iter().position(|mark| *mark == count) {
                let own = belief[secret];
                ranks[mark] = belief.iter().filter(|p| **p > own).count();
            }
            let Some(best) = self.best_question(&belief, &asked) else { break };
            asked[best] = true;
            let answer = self.answer(secret, &self.columns[best], random);
            for (p, likelihood) in belief.iter_mut().zip(&self.columns[best].likelihoods[answer]) {
                *p *= likelihood;
            }
            normalise(&mut belief);
        }
        ranks
    }

    /// The answer of a person, as an index of [`ANSWERS`].
    fn answer(&self, secret: usize, column: &Column, random: &mut Random) -> usize {
        let word = self.knowledge.words().nth(secret);
        let cell = word.map_or(Answer::No, |word| self.knowledge.answer(word, column.predicate));
        let row = &column.rates[cell as usize];
        let total: f64 = ANSWERS.iter().map(|answer| row[*answer as usize]).sum();
        let mut left = random.unit() * total;
        for (index, answer) in ANSWERS.iter().enumerate() {
            left -= row[*answer as usize];
            if left < 0.0 {
                return index;
            }
        }
        0
    }

    /// The question whose answer tells most: entropy of the answer less what people add to it.
    fn best_question(&self, belief: &[f32], asked: &[bool]) -> Option<usize> {
        let mut best: Option<(f64, usize)> = None;
        for (index, column) in self.columns.iter().enumerate().filter(|(index, _)| !asked[*index]) {
            let mut given = [0.0f64; 3];
            let mut noise = 0.0f64;
            let [no, yes, possibly] = &column.likelihoods;
            for (p, ((no, yes), possibly)) in belief.iter().zip(no.iter().zip(yes).zip(possibly)) {
                if *p < 1e-6 {
                    continue;
                }
                for (sum, likelihood) in given.iter_mut().zip([no, yes, possibly]) {
                    *sum += f64::from(p * likelihood);
                    noise -= f64::from(*p) * plogp(f64::from(*likelihood));
                }
            }
            let bits = -given.iter().map(|p| plogp(*p)).sum::<f64>() - noise;
            if best.is_none_or(|(most, _)| bits > most) {
                best = Some((bits, index));
            }
        }
        best.map(|(_, index)| index)
    }
}

/// P(answer | entry), dontknow left out.
fn likelihood(rates: &Rates, chances: Option<Chances>, answer: Answer) -> f32 {
    let cells = chances.map_or([0.0, 0.0, 0.0, 1.0], |chances| {
        [chances.no, chances.yes, chances.possibly, 0.0].map(f64::from)
    });
    let of = |answer: Answer| -> f64 {
        cells.iter().zip(rates).map(|(chance, row)| chance * row[answer as usize]).sum()
    };
    (of(answer) / ANSWERS.iter().map(|answer| of(*answer)).sum::<f64>()) as f32
}

fn normalise(belief: &mut [f32]) {
    let total: f32 = belief.iter().sum();
    belief.iter_mut().for_each(|p| *p /= total);
}
