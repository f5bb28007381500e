//! Lessons from self-play for three and four seats: what each seat wins from a position on, less luck.
//!
//! The network plays against itself. At the start of every turn its probabilities are compared with
//! those that it expects one turn ahead, the mean over all throws with the best play of each. The
//! difference is a temporal difference without the luck of the throw. The sum of the differences from
//! a position to the end of the game, each weighted by a power of lambda, is added to the
//! probabilities at that position: the lambda-return (Sutton, *Learning to predict by the methods of
//! temporal differences*, 1988) with the luck taken off by the same means as in rollouts of
//! backgammon programs. With lambda = 1 it would be the result of the game less all luck.

use rayon::prelude::*;

use super::self_play::{best_play, shares_of};
use super::train::{probabilities, start};
use parlor::game::{Chance, Chances, Game, Random, Turn, splitmix64};
use parlor::games::chowka_bhara::play::{AllFeatures, Network, Seating, all_features};
use parlor::games::chowka_bhara::{Move, Position};

/// A game that has not ended by then is given up.
const MOST_TURNS: usize = 2000;

/// So many further throws of a turn are looked at; the position is then evaluated without the rest.
const FURTHER_THROWS: u32 = 2;

/// How much of the later differences a lesson takes over at each turn.
const LAMBDA: f32 = 0.9;

/// One play in so many is a random one, so that the games differ from each other more.
const RANDOM: u64 = 16;

/// Positions at the start of a turn. Their features lie in one list.
#[derive(Default)]
pub struct Returns {
    features: Vec<u16>,
    /// The lessons, in the order of the games.
    pub list: Vec<Return>,
}

/// One position.
#[derive(Clone, Copy)]
pub struct Return {
    first: u64,
    lengths: [u8; 4],
    /// What each seat wins from here on, less luck; 0 for a seat that is not there.
    pub shares: [f32; 4],
}

impl Returns {
    /// The active features of each seat; none for a seat that is not there.
    pub fn features(&self, lesson: &Return) -> [&[u16]; 4] {
        let mut rest = &self.features[lesson.first as usize..];
        lesson.lengths.map(|length| {
            let (own, others) = rest.split_at(usize::from(length));
            rest = others;
            own
        })
    }

    /// Plays games of a network against itself; each follows from `seed` and its number.
    pub fn of_games<const N: usize>(
        network: &Network<N>,
        games: u64,
        seed: u64,
        progress: impl Fn() + Sync,
    ) -> Self {
        let seed = splitmix64(seed);
        let lessons: Vec<Returns> = (0..games)
            .into_par_iter()
            .map(|game| {
                let mut random = Random::new(splitmix64(seed ^ game));
                let start = start(Seating::More, &mut random);
                let lessons = Returns::of_game(network, start, &mut random);
                progress();
                lessons
            })
            .collect();
        let mut all = Returns::default();
        for lessons in lessons {
            let before = all.features.len() as u64;
            all.features.extend_from_slice(&lessons.features);
            let moved = |lesson: Return| Return { first: lesson.first + before, ..lesson };
            all.list.extend(lessons.list.into_iter().map(moved));
        }
        all
    }

    /// The lessons of one game, none if it was given up.
    fn of_game<const N: usize>(
        network: &Network<N>,
        mut position: Position,
        random: &mut Random,
    ) -> Self {
        let evaluate = |position: &Position| network.win_probabilities(position);
        let mut lessons = Returns::default();
        // By turn: the difference without luck, and how much of the later ones it takes over.
        let mut differences: Vec<([f32; 4], f32)> = Vec::new();
        while position.turn() != Turn::Over {
            if differences.len() == MOST_TURNS {
                return Returns::default();
            }
            let features = all_features(&position, Seating::More);
            let value = probabilities(network, &features);
            let expected = expectation(&position, &evaluate, FURTHER_THROWS);
            lessons.add(&features, value);
            let (next, is_best) = turn(position, &evaluate, random);
            let difference = std::array::from_fn(|seat| expected[seat] - value[seat]);
            differences.push((difference, if is_best { LAMBDA } else { 0.0 }));
            position = next;
        }
        let mut sum = [0.0; 4];
        for (lesson, (difference, lambda)) in lessons.list.iter_mut().zip(&differences).rev() {
            for seat in 0..4 {
                sum[seat] = difference[seat] + lambda * sum[seat];
                lesson.shares[seat] += sum[seat];
            }
        }
        lessons
    }

    fn add(&mut self, features: &AllFeatures, shares: [f32; 4]) {
        let mut lesson = Return { first: self.features.len() as u64, lengths: [0; 4], shares };
        for (length, features) in lesson.lengths.iter_mut().zip(features) {
            *length = features.len() as u8;
            self.features.extend_from_slice(features);
        }
        self.list.push(lesson);
    }
}

/// Every seat's share one turn ahead: the mean over the throws, with the best play of each.
fn expectation(
    position: &Position,
    evaluate: &impl Fn(&Position) -> [f32; 4],
    further: u32,
) -> [f32; 4] {
    let Chances::Listed(throws) = position.chances() else { return shares_of(position, evaluate) };
    let total: u64 = throws.iter().map(|(_, weight)| weight).sum();
    let mut mean = [0.0; 4];
    for (throw, weight) in &throws {
        let mut next = position.clone();
        next.play(throw);
        let shares = match next.turn() {
            Turn::Seat(seat) => best_play(&next, seat, evaluate).0,
            Turn::Chance { .. } if further > 0 => expectation(&next, evaluate, further - 1),
            _ => shares_of(&next, evaluate),
        };
        let weight = *weight as f32 / total as f32;
        mean.iter_mut().zip(shares).for_each(|(mean, share)| *mean += weight * share);
    }
    mean
}

/// Throws, then plays; whether the play was the best one.
fn turn(
    mut position: Position,
    evaluate: &impl Fn(&Position) -> [f32; 4],
    random: &mut Random,
) -> (Position, bool) {
    while position.turn().is_chance() {
        let value = position.random_throw(random.next());
        let side = position.side();
        position.play(&Move::Throw(value));
        // A throw may end a turn or a game without a play.
        if position.side() != side || position.turn() == Turn::Over {
            return (position, true);
        }
    }
    match position.turn() {
        Turn::Seat(_) if random.below(RANDOM) == 0 => {
            if let Some(play) = position.random_move(random) {
                position.play(&play);
            }
            (position, false)
        }
        Turn::Seat(seat) => (best_play(&position, seat, evaluate).1, true),
        _ => (position, true),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use parlor::game::{Outcome, Seat};
    use parlor::search::Evaluate;
    use parlor::search::dice::Depth;
    use parlor::search::value::{MAX_EVALUATION, Value};
    use parlor::search::vector_expectimax::vector_expectimax;

    fn network() -> Network<8> {
        Network::new(Seating::More, 3)
    }

    #[test]
    fn a_lesson_has_the_features_of_its_seats() {
        let lessons = Returns::of_games(&network(), 3, 7, || ());
        assert!(lessons.list.len() > 100);
        for lesson in &lessons.list {
            let features = lessons.features(lesson);
            let seats = features.iter().filter(|features| !features.is_empty()).count();
            assert!(seats >= 3, "{features:?}");
            let sum: f32 = lesson.shares.iter().sum();
            assert!((sum - 1.0).abs() < 1e-3, "{:?}", lesson.shares);
            assert!(seats == 4 || lesson.shares[3] == 0.0);
        }
        let lengths: usize =
            lessons.list.iter().flat_map(|lesson| lesson.lengths).map(usize::from).sum();
        assert_eq!(lengths, lessons.features.len());
    }

    /// Each lesson is the network's value and the sum of all later differences, each weighted by the
    /// product of what the plays until there hand on: lambda, and nothing where the play was random.
    #[test]
    fn a_random_play_cuts_the_return() {
        let network = network();
        let evaluate = |position: &Position| network.win_probabilities(position);
        let mut random = Random::new(57);
        let mut position = start(Seating::More, &mut random);
        let lessons = Returns::of_game(&network, position.clone(), &mut random.clone()).list;
        let mut turns = Vec::new();
        while position.turn() != Turn::Over {
            let (value, expected) =
                (evaluate(&position), expectation(&position, &evaluate, FURTHER_THROWS));
            let (next, is_best) = turn(position, &evaluate, &mut random);
            turns.push((value, expected, is_best));
            position = next;
        }
        assert_eq!(lessons.len(), turns.len());
        assert!(turns.iter().any(|(_, _, is_best)| !is_best));
        for (at, lesson) in lessons.iter().enumerate() {
            for seat in 0..4 {
                let mut share = f64::from(turns[at].0[seat]);
                let mut weight = 1.0;
                for (value, expected, is_best) in &turns[at..] {
                    share += weight * (f64::from(expected[seat]) - f64::from(value[seat]));
                    weight *= if *is_best { f64::from(LAMBDA) } else { 0.0 };
                }
                assert!((f64::from(lesson.shares[seat]) - share).abs() < 1e-4, "{at}, {seat}");
            }
        }
    }

    /// The network as the evaluation of the search.
    struct Evaluation(Network<8>);

    impl Evaluate<Position> for Evaluation {
        type Acc = [f32; 4];

        fn fresh(&self, position: &Position) -> [f32; 4] {
            self.0.win_probabilities(position)
        }

        fn score(&self, probabilities: &[f32; 4], _: &Position, seat: Seat) -> Value {
            (probabilities[seat.index()] * MAX_EVALUATION as f32).round() as Value
        }

        fn outcome_score(&self, outcome: &Outcome, seat: Seat) -> f64 {
            f64::from(MAX_EVALUATION) * outcome.share(seat)
        }
    }

    #[test]
    fn one_turn_ahead_is_what_the_search_finds_at_depth_one() {
        let mut random = Random::new(5);
        let mut position = start(Seating::More, &mut random);
        let mut compared = 0;
        for _ in 0..600 {
            if position.turn() == Turn::Over {
                break;
            }
            let network = network();
            if position.turn().is_chance() && position.throws().is_empty() {
                let evaluate = |position: &Position| network.win_probabilities(position);
                let found = expectation(&position, &evaluate, FURTHER_THROWS);
                let depth = Depth::new(1, FURTHER_THROWS + 1);
                let searched = vector_expectimax(&position, Evaluation(network), depth, 0);
                for (found, searched) in found.iter().zip(searched) {
                    let searched = searched / f64::from(MAX_EVALUATION);
                    assert!((f64::from(*found) - searched).abs() < 2e-3, "{position}");
                }
                compared += 1;
            }
            let next = position.random_move(&mut random).expect("not over");
            position.play(&next);
        }
        assert!(compared > 50, "{compared}");
    }
}
