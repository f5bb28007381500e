//! The habits of a player below full strength, after those of people.
//!
//! It overlooks features, forgets answers and does not think of every word, common ones first. It
//! guesses only what it is sure of, keeps its tokens for the end, looks on until every seat has had a
//! turn, saves its jewels, chooses less exactly where to go and what to ask, and shows true features, the
//! more the weaker it is.

use super::options::PlayOptions;
use crate::game::{Game, Random, Seat, splitmix64};
use crate::games::barbarossa::knowledge::{Knowledge, WordId};
use crate::games::barbarossa::rules::moves::{Move, Secret};
use crate::games::barbarossa::rules::position::Position;
use crate::games::barbarossa::rules::words::Word;
use crate::search::{FULL_LEVEL, gumbel, probability};

/// Below this level a seat makes no guess before every seat has had a turn.
const QUICK_FROM: usize = 9;

/// How weak levels 1 to 9 are, from 0, the whole engine, on.
const WEAKNESS: [f64; FULL_LEVEL - 1] = [1.0, 0.85, 0.72, 0.6, 0.5, 0.42, 0.34, 0.27, 0.2];

/// What is overlooked, forgotten and unknown at weakness 1, how sure a guess must be, and the noise of
/// choices.
const OVERLOOKED: f64 = 0.5;
const FORGOTTEN: f64 = 0.5;
const UNKNOWN: f64 = 0.5;
const SURE: f64 = 0.6;
const NOISE: f64 = 1.5;

/// How likely a guess must be for a token.
const TOKEN_SURE: f64 = 0.8;

/// How much seldomer a word of the table judged by hand is unknown than another one.
const EVERYDAY: f64 = 0.5;

/// How many features a sculpture shows at levels 1 to 9; 0: as play advises.
const FEATURES: [usize; FULL_LEVEL - 1] = [6, 5, 5, 4, 4, 4, 4, 4, 4];

/// The habits of a level.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct Habits {
    level: usize,
    weakness: f64,
    seed: u64,
}

impl Habits {
    /// Of a level from 1 to 9; `None` of the whole engine. What is forgotten and unknown follows from
    /// the seed.
    pub(super) fn of(level: usize, seed: u64) -> Option<Self> {
        let weakness = *WEAKNESS.get(level.checked_sub(1)?)?;
        Some(Habits { level, weakness, seed })
    }

    /// The options of play of a level: those that were set stay.
    pub(super) fn options(self, options: PlayOptions) -> PlayOptions {
        let features = match options.features {
            0 => FEATURES[self.level - 1],
            set => set,
        };
        PlayOptions { features, ..options }
    }

    /// What a seat has seen of the objects of others, and not forgotten.
    pub(super) fn remembered(self, position: &Position, seat: Seat) -> Position {
        let mut remembered = position.clone();
        let owner = |index: usize| position.name(index).owner;
        let objects = remembered.objects.iter_mut().enumerate();
        for (index, object) in objects.filter(|(index, _)| owner(*index) != seat) {
            let mut number = (index as u64) << 32;
            let mut keeps = |rate: f64| {
                number += 1;
                self.draw(1, number) >= rate * self.weakness
            };
            object.shown.retain(|_| keeps(OVERLOOKED));
            object.answers.retain(|_| keeps(FORGOTTEN));
        }
        remembered
    }

    /// Leaves out what the player would not do and changes the values of what it chooses among.
    /// `sure` is the probability that a guess is right.
    pub(super) fn err(
        self,
        position: &Position,
        valued: &mut Vec<(Move, f64)>,
        sure: impl Fn(&Move) -> Option<f64>,
    ) {
        let early = self.level < QUICK_FROM && !all_have_moved(position);
        // The weakest never spend a token.
        let progress = position.arrows() as f64 / position.options().last_arrow() as f64;
        let keeps_tokens = progress < self.weakness;
        valued.retain(|(m, _)| {
            let (word, least) = match m {
                Move::Guess(_, word) => (word, SURE * self.weakness),
                Move::CurseGuess(_, word) if !keeps_tokens => (word, TOKEN_SURE),
                Move::CurseGuess(..) => return false,
                _ => return true,
            };
            !early && self.knows(word) && sure(m).is_some_and(|sure| sure >= least)
        });
        let mut random = Random::new(self.seed ^ position.key());
        if probability(&mut random) < self.weakness {
            valued.retain(|(m, _)| !matches!(m, Move::Jewels(_)));
        }
        let is_free =
            |m: &Move| matches!(m, Move::Ask(..) | Move::Roll | Move::Jewels(_) | Move::Letter(..));
        let values = || valued.iter().filter(|(m, _)| is_free(m)).map(|(_, value)| *value);
        let count = values().count();
        if count < 2 {
            return;
        }
        // Of many values the greatest noise grows with the log of their number.
        let spread =
            values().fold(f64::NEG_INFINITY, f64::max) - values().sum::<f64>() / count as f64;
        let noise = NOISE * self.weakness * self.weakness * spread / libm::log(count as f64 + 1.0);
        for (_, value) in valued.iter_mut().filter(|(m, _)| is_free(m)) {
            *value += noise * gumbel(&mut random);
        }
    }

    /// Whether the player thinks of a word.
    fn knows(self, word: &Secret<Word>) -> bool {
        let Some(WordId(id)) = word.known().and_then(|word| word.id()) else { return true };
        let rare = if usize::from(id) < Knowledge::shipped().len() { EVERYDAY } else { 1.0 };
        self.draw(2, u64::from(id)) >= UNKNOWN * self.weakness * rare
    }

    /// A number from 0 to 1 that is drawn once for a game.
    fn draw(self, kind: u64, number: u64) -> f64 {
        probability(&mut Random::new(splitmix64(self.seed ^ kind) ^ splitmix64(number)))
    }
}

/// Whether every seat has left its first space.
fn all_have_moved(position: &Position) -> bool {
    let start = position.options().ring_start;
    Seat::all(position.seats()).all(|seat| position.seat(seat).pawn != start)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::Rules;
    use crate::games::barbarossa::knowledge::Answer;
    use crate::games::barbarossa::rules::words::Question;

    /// A game of three seats with forty questions answered about one object.
    fn questioned() -> Position {
        let mut rules = Position::default_rules();
        rules.set("Players", "3").expect("three players");
        let mut position = Position::start(&rules, None).expect("a start");
        let answers = Knowledge::shipped().vocabulary().take(40);
        position.objects[0].answers =
            answers.map(|id| (Question::Predicate(id), Answer::Yes)).collect();
        position
    }

    #[test]
    fn a_low_level_forgets_more_than_a_high_one_and_always_the_same() {
        let position = questioned();
        let left = |level, seed| {
            let habits = Habits::of(level, seed).expect("below full strength");
            habits.remembered(&position, Seat::new(1)).objects[0].answers.clone()
        };
        let counts = [1, 5, 9].map(|level| left(level, 1).len());
        assert!(counts[0] < counts[1] && counts[1] < counts[2], "{counts:?}");
        assert!((8..=24).contains(&counts[0]), "{counts:?}");
        assert_eq!(left(1, 1), left(1, 1));
        assert_ne!(left(1, 1), left(1, 2));
        assert_eq!(Habits::of(FULL_LEVEL, 1), None);
        // An answer more changes nothing of those before.
        let mut shorter = position.clone();
        shorter.objects[0].answers.truncate(39);
        let habits = Habits::of(1, 1).expect("below full strength");
        let before = habits.remembered(&shorter, Seat::new(1)).objects[0].answers.clone();
        assert!(left(1, 1).starts_with(&before));
    }
}
