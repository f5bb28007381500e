//! Lessons from solved tables: positions of two seats with their exact values.
//!
//! Games are played by the tables, now and then with a lesser play, so that the positions are those
//! that players of some strength come to. A play is chosen by comparing the results of all plays;
//! so all results of some turns are learned, played or not.

use std::ops::ControlFlow;

use parlor::game::{Game, Random, Turn};
use parlor::games::chowka_bhara::play::{Features, Seating, features};
use parlor::games::chowka_bhara::solved::SolvedTable;
use parlor::games::chowka_bhara::{Move, Position, RuleOptions};

/// All results of one turn in so many are learned. The turns of a game are alike; more games say
/// more than all turns of a few.
const TURNS: u64 = 4;

/// How much a play may seem better or worse than it is, in wins: the scale of a Gumbel
/// distribution, which makes the choice a softmax over the values of the plays.
const NOISE: f32 = 0.02;

/// A game that has not ended by then is given up.
const MOST_TURNS: u64 = 1000;

/// Positions at the start of a turn. Their features lie in one list.
pub struct Lessons {
    features: Vec<u16>,
    /// The lessons, in the order in which they were found.
    pub list: Vec<Lesson>,
}

/// One position.
#[derive(Clone, Copy)]
pub struct Lesson {
    first: u32,
    lengths: [u8; 2],
    /// The probability that the seat about to throw wins.
    pub value: f32,
}

impl Lessons {
    /// The active features of the seat about to throw and of the other.
    pub fn features(&self, lesson: &Lesson) -> [&[u16]; 2] {
        let [own, other] = lesson.lengths.map(usize::from);
        let both = &self.features[lesson.first as usize..][..own + other];
        let (own, other) = both.split_at(own);
        [own, other]
    }

    /// Plays games by the tables.
    pub fn of_games(
        tables: &[SolvedTable],
        games: u64,
        seed: u64,
        mut progress: impl FnMut(u64),
    ) -> Self {
        let mut random = Random::new(seed ^ 0x7EAC);
        let mut lessons = Lessons { features: Vec::new(), list: Vec::new() };
        let pawns: Vec<u8> = tables.iter().map(|table| table.header().pawns).collect();
        for game in 0..games {
            let pawns = pawns_of(&pawns, game, &mut random);
            let options = RuleOptions { pawns, ..RuleOptions::default() };
            lessons.play_game(tables, Position::starting(options, 2), &mut random);
            progress(game + 1);
        }
        lessons
    }

    fn play_game(&mut self, tables: &[SolvedTable], mut position: Position, random: &mut Random) {
        for turn in random.below(TURNS)..MOST_TURNS {
            while let Turn::Chance { .. } = position.turn() {
                let value = position.random_throw(random.next());
                position.play(&Move::Throw(value));
            }
            if position.turn() == Turn::Over {
                return;
            }
            let Some(next) = self.results(tables, &position, turn % TURNS == 0, random) else {
                return;
            };
            position = next;
        }
    }

    /// Looks at every result of a turn, and keeps those that are learned; one of the better ones,
    /// or `None` if no table knows them.
    fn results(
        &mut self,
        tables: &[SolvedTable],
        position: &Position,
        learned: bool,
        random: &mut Random,
    ) -> Option<Position> {
        let mut best: Option<(f32, Position)> = None;
        let _ = position.for_each_move::<()>(|play| {
            let mut next = position.clone();
            next.play(&play);
            let value = match next.turn() {
                Turn::Over => Some(0.0),
                _ => tables.iter().find_map(|table| table.value_of(&next)),
            };
            let Some(value) = value else { return ControlFlow::Continue(()) };
            if learned && next.turn() != Turn::Over {
                self.add(&next, value);
            }
            let merit = 1.0 - value + NOISE * gumbel(random);
            if best.as_ref().is_none_or(|(known, _)| merit > *known) {
                best = Some((merit, next));
            }
            ControlFlow::Continue(())
        });
        best.map(|(_, next)| next)
    }

    fn add(&mut self, position: &Position, value: f32) {
        let first = self.features.len();
        let side = position.side();
        let other = position.sides().iter().copied().find(|other| *other != side);
        let lengths = [side, other.unwrap_or(side)].map(|side| {
            let active: Features = features(position, side, Seating::Two);
            self.features.extend_from_slice(&active);
            active.len() as u8
        });
        // Indices have 32 bits; what does not fit is not learned.
        match u32::try_from(first) {
            Ok(first) => self.list.push(Lesson { first, lengths, value }),
            Err(_) => self.features.truncate(first),
        }
    }
}

/// How many pawns a game begins with: mostly as many as the greatest table has.
fn pawns_of(tables: &[u8], game: u64, random: &mut Random) -> u8 {
    let most = tables.iter().copied().max().unwrap_or(4);
    match game % 4 {
        0 => tables.get(random.below(tables.len().max(1) as u64) as usize).copied().unwrap_or(most),
        _ => most,
    }
}

/// A number of the Gumbel distribution.
fn gumbel(random: &mut Random) -> f32 {
    let unit = (random.unit() as f32).clamp(1e-7, 1.0 - 1e-7);
    -libm::logf(-libm::logf(unit))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_game_begins_with_the_most_pawns_in_three_of_four() {
        let mut random = Random::new(1);
        let pawns: Vec<u8> = (0..8).map(|game| pawns_of(&[1, 3], game, &mut random)).collect();
        assert!(pawns.iter().filter(|pawns| **pawns == 3).count() >= 6, "{pawns:?}");
        assert!((0..200).any(|game| pawns_of(&[1, 3], 4 * game, &mut random) == 1));
    }

    #[test]
    fn the_numbers_of_a_gumbel_distribution_have_its_mean() {
        let mut random = Random::new(9);
        let mean = (0..20_000).map(|_| f64::from(gumbel(&mut random))).sum::<f64>() / 20_000.0;
        // Euler's constant; the standard deviation of the mean is 0.009.
        assert!((mean - 0.5772).abs() < 0.04, "{mean}");
    }
}
