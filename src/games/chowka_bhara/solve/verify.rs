//! A check of a table by the rules of the game: nothing of the solver is used but the numbering of
//! states. A state is set up as a position, every throw and every play is made by the rules, and the
//! value that those after it give is compared with the one in the file (the Bellman equation).

use std::ops::ControlFlow;

use anyhow::{Context, ensure};
use rayon::prelude::*;

use super::ranking::{RING, Ranking};
use super::table_file::SolvedTable;
use crate::game::{Chance, Chances, Game, Random};
use crate::games::chowka_bhara::rules::{Position, RuleOptions, Setup};

/// What the states of a check have in common.
#[derive(Clone, Debug, Default)]
pub struct Checked {
    /// How many there were.
    pub states: u64,
    /// The largest difference between a value and what the values after it make it.
    pub largest: f64,
    /// Where it is, the value of the table and the one by the rules.
    pub worst: Option<(Position, [f64; 2])>,
}

impl Checked {
    fn of(position: Position, values: [f64; 2]) -> Self {
        let largest = (values[0] - values[1]).abs();
        Checked { states: 1, largest, worst: Some((position, values)) }
    }

    fn with(self, other: Self) -> Self {
        let states = self.states + other.states;
        let worse = if other.largest > self.largest || self.worst.is_none() { other } else { self };
        Checked { states, ..worse }
    }
}

/// The largest error that a sound table can have: the last change of its solution, and the rounding
/// of a value and of those after it to 16 bits.
#[must_use]
pub fn allowed(table: &SolvedTable) -> f64 {
    f64::from(table.header.change) + 1.0 / 65535.0 + 1e-7
}

/// Checks states drawn at random, all equally likely; `done` is called for each.
///
/// # Errors
/// When the table does not know a state that follows.
pub fn check_random(
    table: &SolvedTable,
    states: u64,
    seed: u64,
    done: impl Fn() + Sync,
) -> anyhow::Result<Checked> {
    let one = |number: u64| {
        let mut random = Random::new(seed ^ number.wrapping_mul(0x9E37_79B9_7F4A_7C15));
        let (mover, other, flags) = random_state(&table.ranking, &mut random);
        done();
        check(table, mover, other, flags)
    };
    (0..states).into_par_iter().map(one).try_reduce(Checked::default, |a, b| Ok(a.with(b)))
}

/// Checks all states with one half-state of the opponent, drawn at random.
///
/// # Errors
/// When the table does not know a state that follows.
pub fn check_block(
    table: &SolvedTable,
    seed: u64,
    done: impl Fn() + Sync,
) -> anyhow::Result<Checked> {
    let ranking = &table.ranking;
    let (_, other, _) = random_state(ranking, &mut Random::new(!seed));
    let movers = (0..ranking.half_states()).into_par_iter();
    let of = |mover| {
        let flags = 0..ranking.flagged_states(other).len();
        let mut all = Checked::default();
        for flags in flags.filter(|_| ranking.is_state(mover, other)) {
            done();
            all = all.with(check(table, mover, other, flags)?);
        }
        Ok(all)
    };
    movers.map(of).try_reduce(Checked::default, |a, b| Ok(a.with(b)))
}

fn random_state(ranking: &Ranking, random: &mut Random) -> (usize, usize, usize) {
    loop {
        let mover = random.below(ranking.half_states() as u64) as usize;
        let flagged_state = random.below(ranking.rows() as u64) as usize;
        let other = ranking.half_state_of_row(flagged_state);
        if ranking.is_state(mover, other) {
            return (mover, other, flagged_state - ranking.flagged_states(other).start);
        }
    }
}

fn check(table: &SolvedTable, mover: usize, other: usize, flags: usize) -> anyhow::Result<Checked> {
    let ranking = &table.ranking;
    let position = position(ranking, mover, other, flags)?;
    let number = ranking.number(mover, ranking.flagged_states(other).start + flags);
    ensure!(ranking.index(&position) == Some(number), "{position} has another number");
    let mut mean = Mean { table, chance: 0.0, sum: 0.0 };
    match position.outcome() {
        Some(outcome) => mean.add(1.0, outcome.share(position.seat_of(position.side()))),
        None => mean.follow(&position, table.header.chain, 1.0)?,
    }
    let values = [f64::from(table.value(number)), mean.sum / mean.chance];
    Ok(Checked::of(position, values))
}

/// The position of a state; South is about to throw.
fn position(
    ranking: &Ranking,
    mover: usize,
    other: usize,
    flags: usize,
) -> anyhow::Result<Position> {
    let options = RuleOptions { pawns: ranking.pawns, ..RuleOptions::default() };
    let mut setup = Setup { seats: 2, side: 0, ..Setup::default() };
    for (side, half_state) in [(0, mover), (2, other)] {
        let stand = ranking.placement(half_state).cells.iter();
        let list = stand.flat_map(|(index, count)| std::iter::repeat_n(*index, *count as usize));
        setup.pawns[side].iter_mut().zip(list).for_each(|(pawn, index)| *pawn = index);
        setup.open_gates |= u8::from(ranking.is_open(half_state)) << side;
    }
    let fresh = ranking.fresh(other, flags);
    let cells = (0..RING).filter(|index| fresh >> index & 1 != 0);
    setup.fresh = cells.map(|index| options.geometry().cell(2, index)).collect();
    let described = format!("{setup:?}");
    let why = |error| anyhow::anyhow!("no position of the game, {error:?}: {described}");
    setup.position(options).map_err(why)
}

/// The mean of the best values over the rolls.
struct Mean<'a> {
    table: &'a SolvedTable,
    /// The probability of the rolls so far, and the sum of their values times their probabilities.
    chance: f64,
    sum: f64,
}

impl Mean<'_> {
    fn add(&mut self, chance: f64, value: f64) {
        self.chance += chance;
        self.sum += chance * value;
    }

    /// Adds the rolls that begin with the throws of a position and have at most `bonuses` more bonus
    /// throws.
    fn follow(&mut self, position: &Position, bonuses: u32, chance: f64) -> anyhow::Result<()> {
        if !position.turn().is_chance() {
            self.add(chance, self.best(position)?);
            return Ok(());
        }
        let Chances::Listed(throws) = position.chances() else { return Ok(()) };
        let total: u64 = throws.iter().map(|(_, weight)| weight).sum();
        for (throw, weight) in throws {
            let mut next = position.clone();
            next.play(&throw);
            let is_bonus = next.turn().is_chance();
            if !is_bonus || bonuses > 0 {
                let chance = chance * weight as f64 / total as f64;
                self.follow(&next, bonuses - u32::from(is_bonus), chance)?;
            }
        }
        Ok(())
    }

    /// The value of the best play.
    fn best(&self, position: &Position) -> anyhow::Result<f64> {
        let seat = position.turn().seat().context("a seat has the turn")?;
        let mut best = f64::NEG_INFINITY;
        let unknown = position.for_each_move(|m| {
            let mut next = position.clone();
            next.play(&m);
            let value = match next.outcome() {
                Some(outcome) => Some(outcome.share(seat)),
                None => self.table.value_of(&next).map(|value| 1.0 - f64::from(value)),
            };
            let Some(value) = value else { return ControlFlow::Break(next) };
            best = best.max(value);
            ControlFlow::Continue(())
        });
        match unknown {
            ControlFlow::Break(next) => anyhow::bail!("the table does not know {next}"),
            ControlFlow::Continue(()) => Ok(best),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::chowka_bhara::solve::solved;

    #[test]
    fn one_wrong_value_is_found_among_all_states() {
        let mut table = solved(1, 2, 1e-6);
        let most = allowed(&table);
        let sound = check_random(&table, 20_000, 1, || ()).expect("known");
        assert!(sound.states == 20_000 && sound.largest < most, "{sound:?}");
        let block = check_block(&table, 1, || ()).expect("known");
        assert!(block.states > 10 && block.largest < most, "{block:?}");
        // 20,000 draws of 1,544 states leave none out (a chance of 1,544 * e^-13).
        let (mover, other, flags) = random_state(&table.ranking, &mut Random::new(77));
        let number = table.ranking.number(mover, table.ranking.flagged_states(other).start + flags);
        let value = table.value(number);
        table.replace(number, if value < 0.5 { value + 0.01 } else { value - 0.01 });
        let wrong = check_random(&table, 20_000, 1, || ()).expect("known");
        assert!(wrong.largest > 0.009, "{wrong:?}");
    }
}
