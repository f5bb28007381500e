//! How well words are recognised when people answer: the answers are drawn from how people answered
//! ([`People`]), the pool is the words judged by hand or every entry of both lexicons.
//!
//! The answers of one person about one word go together: who thinks of another thing than the table,
//! or takes it less strictly, differs in many answers. So every secret has a person, whose distance
//! from the table is drawn once and shifts all answers; the shares by predicate stay what they are.

use serde::Serialize;

use super::{MARKS, plogp};
use crate::game::Random;
use crate::games::barbarossa::knowledge::lexicon::{Chances, Lexicon};
use crate::games::barbarossa::knowledge::people::{EVERYDAY, People, Rates};
use crate::games::barbarossa::knowledge::{Answer, Knowledge, PredicateId};

/// The share of what decides an answer that is the person's, not the question's.
const SHARED: f64 = 0.2;

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
    /// Lays out every predicate that people were asked about, for the words judged by hand and for
    /// those of a wider lexicon.
    #[must_use]
    pub fn new(knowledge: &'a Knowledge, lexicon: Option<&Lexicon>, people: &People) -> Self {
        let column = |predicate: PredicateId| -> Option<Column> {
            let rates = people.own_rates(predicate)?;
            let judged =
                knowledge.words().map(|word| Chances::certain(knowledge.answer(word, predicate)));
            let derived = lexicon.into_iter().flat_map(|lexicon| {
                lexicon.entries().map(move |entry| lexicon.chances(entry, predicate))
            });
            let chances: Vec<Option<Chances>> = judged.chain(derived).collect();
            let likelihoods = ANSWERS.map(|answer| {
                let likelihood = |chances: &Option<Chances>| likelihood(rates, *chances, answer);
                chances.iter().map(likelihood).collect()
            });
            Some(Column { predicate, rates: *rates, likelihoods })
        };
        let columns = knowledge.vocabulary().filter_map(column).collect();
        let pool = knowledge.len() + lexicon.map_or(0, Lexicon::len);
        PeopleTrial { knowledge, pool, columns }
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
            .map(|entry| if entry < self.knowledge.len() { EVERYDAY as f32 } else { 1.0 })
            .collect();
        normalise(&mut belief);
        let person = normal(random) * SHARED.sqrt();
        let mut asked = vec![false; self.columns.len()];
        let mut ranks = [self.pool; 4];
        for count in 0..=MARKS[3].min(self.columns.len()) {
            if let Some(mark) = MARKS.iter().position(|mark| *mark == count) {
                let own = belief[secret];
                ranks[mark] = belief.iter().filter(|p| **p > own).count();
            }
            let Some(best) = self.best_question(&belief, &asked) else { break };
            asked[best] = true;
            let answer = self.given(secret, &self.columns[best], person, random);
            for (p, likelihood) in belief.iter_mut().zip(&self.columns[best].likelihoods[answer]) {
                *p *= likelihood;
            }
            normalise(&mut belief);
        }
        ranks
    }

    /// The answer of a person who is so far from the table in all questions.
    fn given(&self, secret: usize, column: &Column, person: f64, random: &mut Random) -> usize {
        self.answer(secret, column, person + normal(random) * (1.0 - SHARED).sqrt())
    }

    /// The answer of a person, as an index of [`ANSWERS`]: the farther from the table the person is in
    /// this question, by a normal distribution, the farther the answer.
    fn answer(&self, secret: usize, column: &Column, distance: f64) -> usize {
        let word = self.knowledge.words().nth(secret);
        let cell = word.map_or(Answer::No, |word| self.knowledge.answer(word, column.predicate));
        let row = &column.rates[cell as usize];
        let total: f64 = ANSWERS.iter().map(|answer| row[*answer as usize]).sum();
        let mut left = total * (1.0 + libm::erf(distance / std::f64::consts::SQRT_2)) / 2.0;
        let from_the_table = match cell {
            Answer::No | Answer::DontKnow => [Answer::No, Answer::Possibly, Answer::Yes],
            Answer::Yes => [Answer::Yes, Answer::Possibly, Answer::No],
            Answer::Possibly => [Answer::Possibly, Answer::Yes, Answer::No],
        };
        let found = from_the_table.iter().find(|answer| {
            left -= row[**answer as usize];
            left < 0.0
        });
        let given = found.unwrap_or(&from_the_table[2]);
        ANSWERS.iter().position(|answer| answer == given).unwrap_or(0)
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

/// A number of the standard normal distribution.
fn normal(random: &mut Random) -> f64 {
    let radius = (-2.0 * libm::log(1.0 - random.unit())).sqrt();
    radius * libm::cos(std::f64::consts::TAU * random.unit())
}

fn normalise(belief: &mut [f32]) {
    let total: f32 = belief.iter().sum();
    belief.iter_mut().for_each(|p| *p /= total);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_person_differs_in_many_answers_and_the_shares_stay() {
        let (knowledge, people) = (Knowledge::shipped(), People::shipped());
        let trial = PeopleTrial::new(knowledge, None, people);
        let secret = knowledge.find_word("spoon").expect("a word").0 as usize;
        let column = |name: &str| {
            let predicate = knowledge.find_predicate(name).expect("a predicate");
            trial.columns.iter().find(|column| column.predicate == predicate).expect("asked")
        };
        // Of both the table says no, and people often do not.
        let columns = ["has_hole", "has_front"].map(column);
        let mut random = Random::new(1);
        let (count, mut no, mut both) = (20_000, [0.0; 2], 0.0);
        for _ in 0..count {
            let person = normal(&mut random) * SHARED.sqrt();
            let given = columns.map(|column| trial.given(secret, column, person, &mut random) == 0);
            no.iter_mut().zip(given).for_each(|(sum, given)| *sum += f64::from(u8::from(given)));
            both += f64::from(u8::from(given == [true; 2]));
        }
        let [first, second] = no.map(|sum| sum / f64::from(count));
        for (column, share) in columns.into_iter().zip([first, second]) {
            let row = column.rates[Answer::No as usize];
            let expected =
                row[Answer::No as usize] / ANSWERS.map(|it| row[it as usize]).iter().sum::<f64>();
            assert!((share - expected).abs() < 0.02, "{share} {expected}");
        }
        assert!(both / f64::from(count) - first * second > 0.02, "{both} {first} {second}");
    }
}
