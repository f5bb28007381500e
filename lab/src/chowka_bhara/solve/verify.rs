//! A check of a table by the rules of the game: nothing of the solver is used but the numbering of
//! states. A state is set up as a position, every throw and every play is made by the rules, and the
//! value that those after it give is compared with the one in the file (the Bellman equation).

use std::iter::repeat_n;
use std::ops::ControlFlow;

use anyhow::{Context, ensure};
use parlor::game::{Chance, Chances, Game, Notation, OptionValues, Random, Rules, Seat};
use parlor::games::chowka_bhara::Position;
use parlor::games::chowka_bhara::solved::{Header, RING, Ranking, SolvedTable, across};
use rayon::prelude::*;

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
    f64::from(table.header().change) + 1.0 / 65535.0 + 1e-7
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
    let rules = rules(table.header())?;
    let one = |number: u64| {
        let mut random = Random::new(seed ^ number.wrapping_mul(0x9E37_79B9_7F4A_7C15));
        let state = State::random(table.ranking(), &mut random);
        done();
        state.check(table, &rules)
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
    let ranking = table.ranking();
    let rules = rules(table.header())?;
    let State { other, .. } = State::random(ranking, &mut Random::new(!seed));
    let movers = (0..ranking.half_states()).into_par_iter();
    let of = |mover| {
        let flags = 0..ranking.flagged_states(other).len();
        let mut all = Checked::default();
        for flags in flags.filter(|_| ranking.is_state(mover, other)) {
            done();
            all = all.with(State { mover, other, flags }.check(table, &rules)?);
        }
        Ok(all)
    };
    movers.map(of).try_reduce(Checked::default, |a, b| Ok(a.with(b)))
}

/// The rules of the game that was solved.
fn rules(header: Header) -> anyhow::Result<OptionValues> {
    let mut rules = Position::default_rules();
    rules.set("Pawns", &header.pawns.to_string())?;
    Ok(rules)
}

/// The outer cells in the order in which South's pawns pass them.
const RING_CELLS: [&str; RING as usize] = [
    "c1", "d1", "e1", "e2", "e3", "e4", "e5", "d5", "c5", "b5", "a5", "a4", "a3", "a2", "a1", "b1",
];

/// A state by its numbers: half-states of the player about to throw and of the opponent, flags of
/// the opponent's fresh doubles.
#[derive(Clone, Copy)]
struct State {
    mover: usize,
    other: usize,
    flags: usize,
}

impl State {
    fn random(ranking: &Ranking, random: &mut Random) -> Self {
        loop {
            let mover = random.below(ranking.half_states() as u64) as usize;
            let flagged_state = random.below(ranking.rows() as u64) as usize;
            let other = ranking.half_state_of_row(flagged_state);
            if ranking.is_state(mover, other) {
                let flags = flagged_state - ranking.flagged_states(other).start;
                return State { mover, other, flags };
            }
        }
    }

    fn number(self, ranking: &Ranking) -> usize {
        ranking.number(self.mover, ranking.flagged_states(self.other).start + self.flags)
    }

    fn check(self, table: &SolvedTable, rules: &OptionValues) -> anyhow::Result<Checked> {
        let ranking = table.ranking();
        let text = self.text(ranking);
        let position = Position::parse(&text, rules, None)
            .with_context(|| format!("no position of the game: {text}"))?;
        let number = self.number(ranking);
        ensure!(ranking.index(&position) == Some(number), "{position} has another number");
        let mut mean = Mean { table, chance: 0.0, sum: 0.0 };
        match position.outcome() {
            Some(outcome) => mean.add(1.0, outcome.share(Seat::new(0))),
            None => mean.follow(&position, table.header().chain, 1.0)?,
        }
        let values = [f64::from(table.value(number)), mean.sum / mean.chance];
        Ok(Checked::of(position, values))
    }

    /// The state as position text; South is about to throw.
    fn text(self, ranking: &Ranking) -> String {
        let pawns = |half_state: usize| {
            let cells = ranking.placement(half_state).cells.iter();
            let list: Vec<String> = cells
                .flat_map(|(index, count)| repeat_n(index.to_string(), usize::from(*count)))
                .collect();
            list.join(".")
        };
        let open = |half_state: usize, side| if ranking.is_open(half_state) { side } else { "" };
        let gates = [open(self.mover, "S"), open(self.other, "N")].concat();
        let fresh = ranking.fresh(self.other, self.flags);
        // North's count begins across the board.
        let cells = (0..RING).filter(|index| fresh >> index & 1 != 0);
        let fresh: Vec<&str> = cells.map(|index| RING_CELLS[usize::from(across(index))]).collect();
        let or_none = |text: String| if text.is_empty() { "-".into() } else { text };
        let (own, other) = (pawns(self.mover), pawns(self.other));
        format!("{own}/-/{other}/- S {} {} -", or_none(gates), or_none(fresh.join(",")))
    }
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
    use crate::chowka_bhara::solve::files::write_table;
    use crate::chowka_bhara::solve::tests::solved;

    #[test]
    fn one_wrong_value_is_found_among_all_states() {
        let directory = tempfile::tempdir().expect("a directory");
        let mut solution = solved(directory.path(), 1, 2);
        let path = directory.path().join("1.table");
        let table = SolvedTable::read(&path).expect("a table");
        let most = allowed(&table);
        let sound = check_random(&table, 20_000, 1, || ()).expect("known");
        assert!(sound.states == 20_000 && sound.largest < most, "{sound:?}");
        let block = check_block(&table, 1, || ()).expect("known");
        assert!(block.states > 10 && block.largest < most, "{block:?}");
        // 20,000 draws of 1,544 states leave none out (a chance of 1,544 * e^-13).
        let ranking = table.ranking();
        let number = State::random(ranking, &mut Random::new(77)).number(ranking);
        let value = solution.values.get(number);
        let wrong = if value < 0.5 { value + 0.01 } else { value - 0.01 };
        solution.values.set(number, wrong);
        write_table(&path, &table.header(), ranking, &solution.values).expect("written");
        let table = SolvedTable::read(&path).expect("a table");
        let wrong = check_random(&table, 20_000, 1, || ()).expect("known");
        assert!(wrong.largest > 0.009, "{wrong:?}");
    }
}
