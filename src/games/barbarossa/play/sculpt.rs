//! Sculpting: which word to choose and which features to show, tested on simulated guessers.

use super::answer_table::AnswerTable;
use super::beliefs::ObjectBelief;
use super::options::PlayOptions;
use super::questions::gain;
use crate::game::{Game, Random, Seat, multiply_shift, splitmix64};
use crate::games::barbarossa::knowledge::{Answer, Knowledge, PredicateId, WordId};
use crate::games::barbarossa::rules::moves::Move;
use crate::games::barbarossa::rules::options::{MOST_SHOWN, RuleOptions};
use crate::games::barbarossa::rules::position::{Object, Position};
use crate::games::barbarossa::rules::words::{ObjectName, Question};

/// A simulated guesser gives up after this many NOs or questions.
const MOST_NOES: u32 = 7;
const MOST_ASKED: u32 = 26;

/// Questions are evaluated on this many of the most likely words.
const TRIED: usize = 160;

/// The cost of a question besides its NO.
const QUESTION_PRICE: f64 = 0.1;

/// How many features [`random_show`] shows.
const RANDOM_FEATURES: usize = 4;

/// A planned sculpture.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Sculpture {
    pub(super) features: Vec<PredicateId>,
    /// The NOs that simulated guessers need until the word's probability exceeds one half.
    pub(super) noes: f64,
    /// Distance of `noes` from the wanted number; small is good.
    pub(super) distance: f64,
}

/// The sculpture of a word: a function of word, rules, options and seed.
pub(super) fn plan(word: WordId, rules: &RuleOptions, style: PlayOptions, seed: u64) -> Sculpture {
    let wanted = style.noes as f64 / 10.0;
    let features = AnswerTable::shipped().features(usize::from(word.0));
    let most = features.len().min(MOST_SHOWN);
    let fewest = rules.fewest_shown().min(most);
    if style.features > 0 {
        let count = style.features.clamp(fewest, most);
        let features = even_choice(features, count, seed ^ u64::from(word.0));
        return Sculpture { features, noes: 0.0, distance: 0.0 };
    }
    let mut best: Option<Sculpture> = None;
    for order in [commonest_first(features, false), commonest_first(features, true)] {
        for count in fewest.max(1)..=most {
            let mut chosen = order[..count].to_vec();
            chosen.sort_unstable();
            let noes = noes_needed(word, &chosen, rules);
            let sculpture = Sculpture { features: chosen, noes, distance: (noes - wanted).abs() };
            if best.as_ref().is_none_or(|known| sculpture.distance < known.distance) {
                best = Some(sculpture);
            }
            // More features only make the word easier to guess.
            if noes < wanted {
                break;
            }
        }
    }
    best.unwrap_or(Sculpture { features: features.to_vec(), noes: 0.0, distance: 0.0 })
}

/// Features by the number of words that have them, the most common first or last.
fn commonest_first(features: &[PredicateId], rare: bool) -> Vec<PredicateId> {
    let table = AnswerTable::shipped();
    let yes = |id: &PredicateId| table.column(*id).iter().filter(|cell| **cell == 1).count();
    let mut ordered: Vec<(usize, PredicateId)> = features.iter().map(|id| (yes(id), *id)).collect();
    ordered.sort_unstable();
    if !rare {
        ordered.reverse();
    }
    ordered.into_iter().map(|(_, id)| id).collect()
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
        Move::Show(_, id) => word.shipped_answer(*id).is_none_or(|answer| answer == Answer::Yes),
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

/// The number of NOs until a good guesser gives the word a probability above one half.
fn noes_needed(word: WordId, features: &[PredicateId], rules: &RuleOptions) -> f64 {
    let knowledge = Knowledge::shipped();
    let mut object = Object::default();
    features.iter().for_each(|feature| {
        let _ = object.shown.try_push(*feature);
    });
    let mut belief = ObjectBelief::new(rules);
    let watcher = Seat::new(0);
    belief.update(&object, watcher, rules, &[]);
    let (mut noes, mut asked) = (0, 0);
    loop {
        let p = belief.public.of(word);
        if p > 0.5 {
            // Guessers risk a guess earlier when the probability is higher.
            return f64::from(noes) + (1.0 - p);
        }
        if noes >= MOST_NOES || asked >= MOST_ASKED {
            return f64::from(noes) + 1.0 + (1.0 - p);
        }
        let mut tried = belief.public.clone();
        tried.words.truncate(TRIED);
        let question = knowledge
            .vocabulary()
            .filter(|id| !object.was_asked(*id))
            .map(|id| (id, gain(&tried, belief.reliability(), id)))
            .map(|(id, gain)| (id, gain.bits / (gain.no + QUESTION_PRICE)))
            .max_by(|a, b| a.1.total_cmp(&b.1));
        let Some((predicate, _)) = question else {
            return f64::from(noes) + 1.0 + (1.0 - p);
        };
        let answer = knowledge.answer(word, predicate);
        let question = Question::Predicate(predicate);
        object.note_asked(&question);
        object.answers.push((question, answer));
        belief.update(&object, watcher, rules, &[]);
        asked += 1;
        noes += u32::from(answer == crate::games::barbarossa::knowledge::Answer::No);
    }
}
