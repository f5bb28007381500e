//! What the guesses of others tell about an object.
//!
//! Everybody hears whether a guess was right, and a sensible player guesses the word that looks
//! most likely. So a right guess makes the words that have led the public belief more likely, and a
//! wrong one makes them less likely. When the guess was made is not part of a position. It is taken
//! to follow one of the answers so far, with a probability that rises with the leader's. A player
//! who was given letters knows more than the public: his guess says less about the leaders.

use super::distribution::WordDistribution;
use crate::game::Seat;
use crate::games::barbarossa::rules::position::Object;

/// The share of guesses at another word than the leader: of a seat without letters of the object,
/// and of one with letters.
const ASTRAY: f64 = 0.15;
const ASTRAY_WITH_LETTERS: f64 = 0.6;

/// The share of further guesses of the same seat that follow the order of the words.
const LATER_GUESSES: f64 = 0.5;

/// The greatest probability with which a word is excluded by a wrong guess.
const EXCLUDED: f64 = 0.9;

/// The least probability of a right guess at any word.
const LEAST: f64 = 1e-3;

/// The most likely word of a belief, and its probability.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct Leader {
    word: u16,
    p: f64,
}

impl Leader {
    /// The leader by log-weights.
    pub(super) fn of(weights: impl Iterator<Item = f64> + Clone) -> Self {
        let (mut word, mut most) = (0, f64::NEG_INFINITY);
        for (index, weight) in weights.clone().enumerate() {
            if weight > most {
                (word, most) = (index as u16, weight);
            }
        }
        // Weights below e^-9 of the leader's change nothing here.
        let near = weights.map(|weight| weight - most).filter(|weight| *weight > -9.0);
        Leader { word, p: 1.0 / near.map(libm::exp).sum::<f64>() }
    }
}

/// Adds to the log-weights of words what the right and wrong guesses of other seats tell.
pub(super) fn weigh_guesses(
    object: &Object,
    seat: Seat,
    leaders: &[Leader],
    public: &WordDistribution,
    weights: &mut [f64],
) {
    let right = object.arrows.iter().map(|arrow| arrow.guesser).filter(|guesser| *guesser != seat);
    let wrong = object.wrong.iter().map(|(guesser, _)| *guesser);
    if right.clone().count() == 0 && wrong.clone().all(|guesser| guesser == seat) {
        return;
    }
    let guessed = Guessed::new(weights.len(), leaders, public);
    let astray = |guesser: Seat| {
        let letters = object.letters.iter().any(|letter| letter.asker == guesser);
        if letters { ASTRAY_WITH_LETTERS } else { ASTRAY }
    };
    for guesser in right {
        let astray = astray(guesser);
        for (word, weight) in weights.iter_mut().enumerate() {
            *weight += libm::log(guessed.p(word, astray).max(LEAST));
        }
    }
    for (index, guesser) in wrong.clone().enumerate().filter(|(_, guesser)| *guesser != seat) {
        let again = wrong.clone().take(index).any(|earlier| earlier == guesser);
        let astray = astray(guesser);
        for (word, weight) in weights.iter_mut().enumerate() {
            let p =
                if again { LATER_GUESSES * guessed.rank[word] } else { guessed.p(word, astray) };
            *weight += libm::log(1.0 - EXCLUDED * p);
        }
    }
}

/// The probability that another seat guessed each word, if it was the right one.
struct Guessed {
    /// By the words that have led the public belief.
    leading: Vec<f64>,
    /// By the present public belief: 1 for its leader, less for others.
    rank: Vec<f64>,
}

impl Guessed {
    fn new(words: usize, leaders: &[Leader], public: &WordDistribution) -> Self {
        let total: f64 = leaders.iter().map(|leader| leader.p * leader.p).sum();
        let mut leading = vec![0.0; words];
        for Leader { word, p } in leaders {
            leading[usize::from(*word)] += p * p / total;
        }
        let highest = public.highest().max(1e-9);
        let mut rank = vec![0.0; words];
        for (word, p) in &public.words {
            rank[usize::from(*word)] = libm::sqrt(p / highest);
        }
        Guessed { leading, rank }
    }

    fn p(&self, word: usize, astray: f64) -> f64 {
        (1.0 - astray) * self.leading[word] + astray * self.rank[word]
    }
}
