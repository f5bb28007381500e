//! How many questions a table needs: every word is the secret once, and questions are asked until
//! it is known.
//!
//! The guesser applies Bayes' rule to the whole lexicon. It asks the question with the most
//! information, or the one with the most information per expected NO: in the game only a NO costs.

pub mod people;
mod subcommand;

use super::{Answer, Knowledge, PredicateId, WordId};
use crate::game::Random;
use serde::Serialize;

pub(crate) use subcommand::subcommand;

/// The numbers of questions after which the leading word is looked at.
const MARKS: [usize; 4] = [10, 15, 20, 30];

/// Words with a smaller probability are dropped from the belief.
const FAINT: f64 = 1e-9;

/// How questions are chosen.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Chooser {
    /// Most information.
    Split,
    /// Most information per expected NO.
    Priced,
    /// Any question not asked yet.
    Random,
}

/// One experiment: every word is the secret once.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Trial {
    /// The share of answers replaced by another answer.
    pub noise: f64,
    /// How many features of the sculpture are shown.
    pub shown: usize,
    /// How questions are chosen.
    pub chooser: Chooser,
    /// Every n-th word is a secret.
    pub every: usize,
    /// The seed of features, noise and random questions.
    pub seed: u64,
}

/// The result of an experiment.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Outcome {
    /// How questions were chosen.
    pub chooser: Chooser,
    /// Percent of answers replaced.
    pub noise: f64,
    /// Features shown.
    pub shown: usize,
    /// Secrets tried.
    pub secrets: usize,
    /// Mean entropy after the features, in bits.
    pub bits: f64,
    /// Mean number of questions until the leading word has 95 %, over the secrets that reach it.
    pub questions: f64,
    /// Answers NO among them, on average.
    pub noes: f64,
    /// Percent of secrets found: 95 %, and the right word.
    pub found: f64,
    /// Percent of secrets whose word leads after 10, 15, 20 and 30 questions.
    pub leads: [f64; 4],
}

/// The table laid out for the experiment.
pub struct Recogniser<'a> {
    knowledge: &'a Knowledge,
    /// Cells of each word, as numbers.
    cells: Vec<Vec<u8>>,
    /// Cells of each word that are not NO: predicate and answer.
    sparse: Vec<Vec<(u16, u8)>>,
    /// Features that can be shown of a word.
    features: Vec<Vec<u16>>,
    /// The answers of another table by word and predicate, where it has them: nothing else is asked.
    answers: Option<Vec<Vec<Option<u8>>>>,
}

/// The least share of answers in which another table is assumed to differ.
const STRANGER: f64 = 0.08;

/// The probability at which a word counts as known.
const KNOWN: f64 = 0.95;

/// The cost of a question in NOs besides its expected NO, so that certain answers cost something.
const FEE: f64 = 0.04;

impl<'a> Recogniser<'a> {
    /// Lays out a table. If none of its predicates is visible in clay, all count as visible.
    #[must_use]
    pub fn new(knowledge: &'a Knowledge) -> Self {
        let all_clay = !knowledge.vocabulary().any(|id| knowledge.is_clay_visible(id));
        let shows = |id: PredicateId| all_clay || knowledge.is_clay_visible(id);
        let row = |word| -> Vec<u8> {
            knowledge.vocabulary().map(|id| knowledge.answer(word, id) as u8).collect()
        };
        let cells: Vec<Vec<u8>> = knowledge.words().map(row).collect();
        let sparse = cells.iter().map(|row| {
            let cells = row.iter().enumerate().filter(|(_, cell)| **cell != Answer::No as u8);
            cells.map(|(column, cell)| (column as u16, *cell)).collect()
        });
        let features = knowledge.words().map(|word| {
            let shown = knowledge
                .vocabulary()
                .filter(|id| shows(*id) && knowledge.answer(word, *id) == Answer::Yes);
            shown.map(|id| id.0).collect()
        });
        let (sparse, features) = (sparse.collect(), features.collect());
        Recogniser { knowledge, cells, sparse, features, answers: None }
    }

    /// Takes the answers from another table. Only words and predicates that it has are tried and
    /// asked. Also returns how many cells it has, and in how many of them both agree.
    pub(super) fn answered_by(mut self, other: &Knowledge) -> (Self, usize, usize) {
        let mut answers = vec![vec![None; self.knowledge.predicates()]; self.knowledge.len()];
        let (mut both, mut agree) = (0, 0);
        for (index, word) in self.knowledge.words().enumerate() {
            let Some(there) = other.find_word(self.knowledge.word(word)) else { continue };
            for id in self.knowledge.vocabulary() {
                let name = self.knowledge.predicate(id);
                if let Some(predicate) = other.find_predicate(name) {
                    let answer = other.answer(there, predicate);
                    both += 1;
                    agree += usize::from(answer == self.knowledge.answer(word, id));
                    answers[index][id.0 as usize] = Some(answer as u8);
                }
            }
        }
        self.answers = Some(answers);
        (self, both, agree)
    }

    /// Runs an experiment.
    #[must_use]
    pub fn run(&self, trial: &Trial) -> Outcome {
        let mut sums = Sums::default();
        let every = trial.every.max(1);
        let mut first = None;
        let has =
            |word: &WordId| self.given(*word).is_none_or(|row| row.iter().any(Option::is_some));
        for secret in self.knowledge.words().filter(has).step_by(every) {
            let seed = trial.seed ^ u64::from(secret.0).wrapping_mul(0x9E37_79B9_7F4A_7C15);
            let mut random = Random::new(seed);
            sums.add(&self.session(secret, trial, &mut random, &mut first));
        }
        sums.outcome(trial)
    }

    /// The answers of another table about a word.
    fn given(&self, word: WordId) -> Option<&Vec<Option<u8>>> {
        self.answers.as_ref().and_then(|rows| rows.get(usize::from(word.0)))
    }

    /// Asks until one secret is known. `first` caches the first question where nothing is shown.
    fn session(
        &self,
        secret: WordId,
        trial: &Trial,
        random: &mut Random,
        first: &mut Option<u16>,
    ) -> Session {
        let floor = if self.answers.is_some() { STRANGER } else { 0.0 };
        let noise = trial.noise.max(floor);
        let mut belief = self.belief(secret, trial.shown, random);
        let mut session = Session { bits: entropy(&belief), ..Session::default() };
        let mut asked = match self.given(secret) {
            Some(row) => row.iter().map(Option::is_none).collect(),
            None => vec![false; self.knowledge.predicates()],
        };
        let limit = if trial.chooser == Chooser::Random { asked.len() } else { MARKS[3] };
        for count in 0..=limit {
            if let Some(mark) = MARKS.iter().position(|mark| *mark == count) {
                session.leads[mark] = leader(&belief).0 == secret.0;
            }
            let (leading, p) = leader(&belief);
            if session.known.is_none() && p >= KNOWN {
                session.known = Some((count, session.noes, leading == secret.0));
                if trial.noise == 0.0 && self.answers.is_none() {
                    session.settle(count, leading == secret.0);
                    return session;
                }
            }
            let question = match (trial.chooser, *first) {
                (Chooser::Random, _) => any_question(&asked, random),
                (_, Some(question))
                    if count == 0 && trial.shown == 0 && !asked[question as usize] =>
                {
                    Some(question)
                }
                (chooser, _) => self.best_question(&belief, &asked, noise, chooser),
            };
            let Some(question) = question else {
                session.settle(count, leading == secret.0);
                break;
            };
            if count == 0 && trial.shown == 0 && trial.chooser != Chooser::Random {
                *first = Some(question);
            }
            asked[question as usize] = true;
            let answer = self.answer(secret, question, trial.noise, random);
            session.noes += usize::from(answer == Answer::No as u8);
            self.learn(&mut belief, question, answer, noise);
        }
        session
    }

    /// The belief after the sculpture: features chosen evenly among those of the word.
    fn belief(&self, secret: WordId, shown: usize, random: &mut Random) -> Vec<(u16, f64)> {
        let mut features = self.features[secret.0 as usize].clone();
        random.shuffle(&mut features);
        features.truncate(shown);
        let mut belief = Vec::new();
        for (word, cells) in self.cells.iter().enumerate() {
            let fits = |feature: &u16| cells[*feature as usize] == Answer::Yes as u8;
            if features.iter().all(fits) {
                let ways = ways(self.features[word].len(), features.len());
                belief.push((word as u16, 1.0 / ways));
            }
        }
        normalise(&mut belief);
        belief
    }

    /// The answer given: the true one, or one of the others with the probability of noise.
    fn answer(&self, secret: WordId, question: u16, noise: f64, random: &mut Random) -> u8 {
        let given = self.given(secret).and_then(|row| row[question as usize]);
        let cell = given.unwrap_or(self.cells[secret.0 as usize][question as usize]);
        if random.unit() < noise { (cell + 1 + random.below(3) as u8) % 4 } else { cell }
    }

    fn learn(&self, belief: &mut Vec<(u16, f64)>, question: u16, answer: u8, noise: f64) {
        for (word, p) in belief.iter_mut() {
            let fits = self.cells[*word as usize][question as usize] == answer;
            *p *= if fits { 1.0 - noise } else { noise / 3.0 };
        }
        normalise(belief);
    }

    /// The best question for a chooser; the first of equals.
    fn best_question(
        &self,
        belief: &[(u16, f64)],
        asked: &[bool],
        noise: f64,
        chooser: Chooser,
    ) -> Option<u16> {
        let mut mass = vec![[0.0; 4]; asked.len()];
        for (word, p) in belief {
            for (column, cell) in &self.sparse[*word as usize] {
                mass[*column as usize][*cell as usize] += p;
            }
        }
        let noisy = -(plogp(1.0 - noise) + 3.0 * plogp(noise / 3.0));
        let mut best: Option<(f64, u16)> = None;
        for (column, mass) in mass.iter_mut().enumerate().filter(|(column, _)| !asked[*column]) {
            mass[0] = (1.0 - mass[1] - mass[2] - mass[3]).max(0.0);
            let given = mass.map(|m| m * (1.0 - noise) + (1.0 - m) * noise / 3.0);
            let bits = -given.iter().map(|p| plogp(*p)).sum::<f64>() - noisy;
            if bits <= 1e-9 {
                continue;
            }
            let worth = if chooser == Chooser::Priced { bits / (given[0] + FEE) } else { bits };
            if best.is_none_or(|(most, _)| worth > most + 1e-12) {
                best = Some((worth, column as u16));
            }
        }
        best.map(|(_, column)| column)
    }
}

/// The result for one secret.
#[derive(Clone, Default)]
struct Session {
    bits: f64,
    noes: usize,
    /// Questions and NOs until one word was known, and whether it was the right one.
    known: Option<(usize, usize, bool)>,
    leads: [bool; 4],
}

impl Session {
    /// No more questions follow: the leading word stays the leading word.
    fn settle(&mut self, count: usize, right: bool) {
        for (lead, _) in self.leads.iter_mut().zip(MARKS).filter(|(_, mark)| *mark >= count) {
            *lead = right;
        }
    }
}

#[derive(Default)]
struct Sums {
    secrets: usize,
    known: usize,
    right: usize,
    bits: f64,
    questions: usize,
    noes: usize,
    leads: [usize; 4],
}

impl Sums {
    fn add(&mut self, session: &Session) {
        self.secrets += 1;
        self.bits += session.bits;
        if let Some((questions, noes, right)) = session.known {
            self.known += 1;
            self.right += usize::from(right);
            self.questions += questions;
            self.noes += noes;
        }
        for (sum, lead) in self.leads.iter_mut().zip(session.leads) {
            *sum += usize::from(lead);
        }
    }

    fn outcome(&self, trial: &Trial) -> Outcome {
        let share = |count: usize| 100.0 * count as f64 / self.secrets.max(1) as f64;
        let mean = |sum: usize| sum as f64 / self.known.max(1) as f64;
        Outcome {
            chooser: trial.chooser,
            noise: 100.0 * trial.noise,
            shown: trial.shown,
            secrets: self.secrets,
            bits: self.bits / self.secrets.max(1) as f64,
            questions: mean(self.questions),
            noes: mean(self.noes),
            found: share(self.right),
            leads: self.leads.map(share),
        }
    }
}

fn any_question(asked: &[bool], random: &mut Random) -> Option<u16> {
    let left = asked.iter().filter(|asked| !**asked).count();
    let choice = random.below(left as u64) as usize;
    let mut open = asked.iter().enumerate().filter(|(_, asked)| !**asked);
    open.nth(choice).map(|(column, _)| column as u16)
}

/// The most likely word and its probability.
fn leader(belief: &[(u16, f64)]) -> (u16, f64) {
    let mut best = (u16::MAX, 0.0);
    for (word, p) in belief {
        if *p > best.1 {
            best = (*word, *p);
        }
    }
    best
}

fn normalise(belief: &mut Vec<(u16, f64)>) {
    let total: f64 = belief.iter().map(|(_, p)| p).sum();
    belief.retain_mut(|(_, p)| {
        *p /= total;
        *p > FAINT
    });
}

fn plogp(p: f64) -> f64 {
    if p > 0.0 { p * libm::log2(p) } else { 0.0 }
}

fn entropy(belief: &[(u16, f64)]) -> f64 {
    -belief.iter().map(|(_, p)| plogp(*p)).sum::<f64>()
}

/// The number of ways to choose `chosen` of `all`.
fn ways(all: usize, chosen: usize) -> f64 {
    (0..chosen).map(|k| (all.saturating_sub(k)) as f64 / (k + 1) as f64).product::<f64>().max(1.0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::barbarossa::knowledge::matrix;

    #[test]
    fn what_another_table_lacks_is_not_asked() {
        let other = matrix::parse("word is_alive\nteapot n\nsnail y\n").expect("a table");
        let (recogniser, both, agree) = Recogniser::new(Knowledge::shipped()).answered_by(&other);
        assert_eq!((both, agree), (2, 2));
        let trial = Trial { noise: 0.0, shown: 0, chooser: Chooser::Split, every: 1, seed: 1 };
        let outcome = recogniser.run(&trial);
        // One question does not tell a snail from a dog.
        assert_eq!((outcome.secrets, outcome.found), (2, 0.0));
    }
}
