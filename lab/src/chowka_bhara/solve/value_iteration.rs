//! Value iteration.
//!
//! The value of a state is the probability that the player about to throw wins, a draw counting
//! half. States fall into groups by the pawns home and the gates of both players. Neither ever goes
//! back, so groups are solved one after the other, those nearest to the end first. Within a group,
//! movers are taken by falling progress, so that many of the values that a backup reads are new in
//! the same sweep. What does not depend on hits settles in a few sweeps.

use std::ops::Range;

use parlor::games::chowka_bhara::solved::{Class, RING, Ranking};
use rayon::prelude::*;

use super::play_search::{Mover, Opponent, PlaySearch};
use super::sweep::{FARTHEST, Side, Target, classes_from};
use super::transitions::Transitions;
use super::value_sets::{Slots, ValueSets};
use super::value_table::ValueTable;

/// The solver of one game.
pub struct Solver {
    /// The numbers of its states.
    pub ranking: Ranking,
    pub(super) transitions: Transitions,
    pub(super) value_sets: ValueSets,
    pub(super) slots: Slots,
    groups: Vec<[Class; 2]>,
    /// Whether there are two values of every state.
    brackets: bool,
}

/// The values of all states: one table, or the upper and the lower values.
pub type Tables = Vec<ValueTable>;

/// How far the work has come.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Progress {
    /// Groups finished.
    pub group: u32,
    /// Sweeps over all groups so far.
    pub sweeps: u32,
}

impl Solver {
    /// A solver for a number of pawns; turns have at most `chain` bonus throws.
    #[must_use]
    pub fn new(pawns: u8, chain: u32) -> Self {
        Self::with(pawns, chain, false)
    }

    /// The same with a lower and an upper value of every state, from 0 and from 1. A backup turns
    /// upper values into lower ones and lower ones into upper ones, so that the lower never fall,
    /// the upper never rise, and the true value lies between them after every sweep.
    #[must_use]
    pub fn bracketing(pawns: u8, chain: u32) -> Self {
        Self::with(pawns, chain, true)
    }

    fn with(pawns: u8, chain: u32, brackets: bool) -> Self {
        let ranking = Ranking::new(pawns);
        let mut classes: Vec<Class> = (0..pawns).rev().map(|home| (home, true)).collect();
        classes.push((0, false));
        let mut groups = Vec::new();
        for (at, one) in classes.iter().enumerate() {
            for other in &classes[at..] {
                groups.push([*one, *other]);
            }
        }
        // Dependencies lead to classes earlier in the list, on either side.
        let rank = |class: &Class| classes.iter().position(|known| known == class).unwrap_or(0);
        groups.sort_by_key(|[one, other]| (rank(one) + rank(other), rank(one)));
        let transitions = Transitions::new(&ranking, chain);
        let value_sets = ValueSets::new(chain);
        let slots = Slots::new(&value_sets);
        Solver { ranking, transitions, value_sets, slots, groups, brackets }
    }

    /// How many states each group has, at most.
    pub(super) fn group_sizes(&self) -> Vec<u64> {
        let half_states = |class: &Class| self.ranking.class(*class).len() as u64;
        let size = |[one, other]: &[Class; 2]| {
            let there = half_states(one) * self.flagged_states(other);
            if one == other { there } else { there + half_states(other) * self.flagged_states(one) }
        };
        self.groups.iter().map(size).collect()
    }

    fn flagged_states(&self, class: &Class) -> u64 {
        self.ranking.flagged_states_of(&self.ranking.class(*class)).len() as u64
    }

    /// How many bytes values and work take at most.
    pub(super) fn memory(&self) -> u64 {
        let tables = if self.brackets { 2 } else { 1 };
        let values = self.ranking.numbers() as u64 * 4 * tables;
        let side = |mover: &Class, opponents: &Class| {
            let rows = self.rows_at_once(*mover) * self.value_sets.remainders as u64;
            4 * rows * self.flagged_states(opponents)
        };
        let group = |[one, other]: &[Class; 2]| match one == other {
            true => side(one, one),
            false => side(one, other) + side(other, one),
        };
        values + self.groups.iter().map(group).max().unwrap_or(0)
    }

    /// How many flagged states of a mover's classes lie within one step of each other.
    fn rows_at_once(&self, mover: Class) -> u64 {
        let most = self.ranking.most_progress();
        let classes = classes_from(mover, self.ranking.pawns);
        let of = |progress: usize| {
            let runs = classes.iter().map(|class| self.ranking.run(*class, progress));
            runs.map(|run| self.ranking.flagged_states_of(&run).len() as u64).sum()
        };
        let counts: Vec<u64> = (0..=most).map(of).collect();
        counts
            .windows(counts.len().min(FARTHEST + 1))
            .map(|window| window.iter().sum())
            .max()
            .unwrap_or(0)
    }

    /// A table in which every value is one half, or an upper and a lower one, in which every value
    /// is 1 and 0; where the opponent has won, all are 0.
    #[must_use]
    pub fn start(&self) -> Tables {
        let ranking = &self.ranking;
        let table = |value: &f32| {
            let mut values = ValueTable::new(ranking.rows(), ranking.half_states(), *value);
            for over in ranking.class((ranking.pawns, true)) {
                for mover in 0..ranking.half_states() {
                    values.set(ranking.number(mover, ranking.flagged_states(over).start), 0.0);
                }
            }
            values
        };
        let first: &[f32] = if self.brackets { &[1.0, 0.0] } else { &[0.5] };
        first.iter().map(table).collect()
    }

    fn sides(&self, [one, other]: &[Class; 2]) -> Vec<Side> {
        let mut sides = vec![Side::new(self, *one, *other)];
        if one != other {
            sides.push(Side::new(self, *other, *one));
        }
        sides
    }

    /// Solves the groups that are left; after every sweep `each` gets the greatest change and may
    /// stop the work with `false`. The values do not depend on the number of threads.
    pub fn solve(
        &self,
        tables: &mut Tables,
        progress: &mut Progress,
        change: f32,
        mut each: impl FnMut(&Tables, Progress, f32) -> bool,
    ) -> bool {
        while let Some(group) = self.groups.get(progress.group as usize) {
            let mut sides = self.sides(group);
            loop {
                let mut greatest = 0f32;
                for which in 0..tables.len() {
                    let source = (which + 1) % tables.len();
                    let mut target = Replace { solver: self, tables, source, which };
                    greatest = greatest.max(self.sweep(&mut sides, &mut target));
                }
                progress.sweeps += 1;
                let settled = greatest <= change;
                progress.group += u32::from(settled);
                if !each(tables, *progress, greatest) {
                    return false;
                }
                if settled {
                    break;
                }
            }
        }
        true
    }

    /// The largest difference between a value and what the values after it make it.
    pub(super) fn residual(&self, table: &ValueTable) -> f32 {
        let mut greatest = 0f32;
        self.for_each_new_value(table, |mover, there, flags, value| {
            let old = table.row(self.ranking.flagged_states(there).start + flags)[mover];
            greatest = greatest.max((old - value).abs());
        });
        greatest
    }

    /// Calls `visit` with the backed-up value of every state: half-states of the mover and of the
    /// opponent, flags of its fresh doubles.
    pub fn for_each_new_value(
        &self,
        table: &ValueTable,
        visit: impl FnMut(usize, usize, usize, f32),
    ) {
        let mut target = Visit { solver: self, table, visit };
        for group in &self.groups {
            self.sweep(&mut self.sides(group), &mut target);
        }
    }

    /// The value of a state by the values of those after it, found by searching every play of every
    /// roll. Slow: tests compare it with a sweep.
    #[cfg_attr(not(test), expect(dead_code, reason = "tests compare a sweep with it"))]
    pub fn value(&self, table: &ValueTable, mover: usize, there: usize, fresh: u32) -> f32 {
        if self.is_dead(mover) && self.is_dead(there) {
            return 0.5;
        }
        let search = PlaySearch { ranking: &self.ranking, transitions: &self.transitions, table };
        let opponent = Opponent::new(&self.ranking, there, fresh);
        let before = self.ranking.placement(mover).outer_doubles;
        let won = |(set, probability): &(u8, f64)| {
            let mover = Mover { half_state: mover, before };
            let least = search.least(mover, &opponent, &self.value_sets.sets[*set as usize]);
            probability * (1.0 - f64::from(least))
        };
        self.value_sets.rolls.iter().map(won).sum::<f64>() as f32
    }

    /// Whether all pawns wait at a closed gate.
    pub(super) fn is_dead(&self, half_state: usize) -> bool {
        let last = RING - 1;
        !self.ranking.is_open(half_state)
            && self.ranking.placement(half_state).cells.iter().all(|(index, _)| *index == last)
    }
}

/// Replaces values by the new ones.
struct Replace<'a> {
    solver: &'a Solver,
    tables: &'a mut Tables,
    source: usize,
    which: usize,
}

impl Target for Replace<'_> {
    fn source(&self) -> &ValueTable {
        &self.tables[self.source]
    }

    fn enter(&mut self, side: &Side, movers: Range<usize>, values: &[Vec<f32>]) -> f32 {
        let ranking = &self.solver.ranking;
        let occupied: Vec<u32> =
            movers.clone().map(|mover| ranking.placement(mover).occupied).collect();
        let opponents = &side.opponents;
        if movers.is_empty() {
            return 0.0;
        }
        let first = opponents.rows.start;
        let rows = self.tables[self.which].rows_mut(opponents.rows.clone());
        let changes = rows.enumerate().with_min_len(64).map(|(at, row)| {
            let lane = opponents.lane(first + at);
            let mut greatest = 0f32;
            let entries = row[movers.clone()].iter_mut().zip(values).zip(&occupied);
            for ((old, new), occupied) in entries {
                // Without a branch: which pairs are states is hard to predict.
                let mask = u32::from(opponents.is_state(lane, *occupied)).wrapping_neg();
                let new = f32::from_bits(new[lane].to_bits() & mask | old.to_bits() & !mask);
                greatest = greatest.max((*old - new).abs());
                *old = new;
            }
            greatest
        });
        changes.reduce(|| 0.0, f32::max)
    }
}

/// Shows the new values.
struct Visit<'a, F> {
    solver: &'a Solver,
    table: &'a ValueTable,
    visit: F,
}

impl<F: FnMut(usize, usize, usize, f32)> Target for Visit<'_, F> {
    fn source(&self) -> &ValueTable {
        self.table
    }

    fn enter(&mut self, side: &Side, movers: Range<usize>, values: &[Vec<f32>]) -> f32 {
        let ranking = &self.solver.ranking;
        for (mover, values) in movers.zip(values) {
            let occupied = ranking.placement(mover).occupied;
            for (lane, value) in values.iter().enumerate() {
                if side.opponents.is_state(lane, occupied) {
                    let there = side.opponents.opponents[lane].half_state;
                    let flags =
                        side.opponents.flagged_state(lane) - ranking.flagged_states(there).start;
                    (self.visit)(mover, there, flags, *value);
                }
            }
        }
        0.0
    }
}
