//! Value iteration.
//!
//! The value of a state is the probability that the player about to throw wins, a draw counting
//! half. States fall into groups by the pawns home and the gates of both players. Neither ever goes
//! back, so groups are solved one after the other, those nearest to the end first. Within a group,
//! states are taken by falling progress, first of the opponent, then of the mover, so that most of
//! the values that a backup reads are new in the same sweep. What does not depend on hits settles
//! in a few sweeps. All states with the same opponent are taken at once.

use rayon::prelude::*;

use super::backup::{LANES, Run, Scratch, SeenOpponent, slot, window};
use super::play_search::Opponent;
use super::ranking::{Ranking, VALUES};
use super::transitions::Transitions;
use super::value_sets::{First, Tail, ValueSets};
use super::value_table::ValueTable;

/// One player in a group: pawns home, and whether the gate is open.
type Class = (u8, bool);

/// The solver of one game.
pub struct Solver {
    /// The numbers of its states.
    pub ranking: Ranking,
    pub(super) transitions: Transitions,
    pub(super) value_sets: ValueSets,
    groups: Vec<[Class; 2]>,
    /// How many flagged states the ring holds: more than can lie between a flagged state and one
    /// reached from it. A power of two.
    pub(super) window: usize,
    /// By value set: where in [`Scratch::least`] the results of its first values are.
    pub(super) slots: Vec<Vec<u16>>,
}

/// The values of all states: one table, or two that bound the value.
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
    pub fn new(pawns: u8, chain: u32, tail: Tail) -> Self {
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
        let window = window(&ranking);
        let value_sets = ValueSets::new(chain, tail);
        let slot_of = |first: &First| match first.rest {
            None => u16::from(first.kind),
            Some(rest) => (slot(first.kind as usize, value_sets.remainders) + rest as usize) as u16,
        };
        let slots =
            value_sets.firsts.iter().map(|firsts| firsts.iter().map(slot_of).collect()).collect();
        Solver { ranking, transitions, value_sets, groups, window, slots }
    }

    /// How many states each group has, at most.
    pub(super) fn group_sizes(&self) -> Vec<u64> {
        let half_states = |class: &Class| self.half_states_of(*class).count() as u64;
        let flagged_states = |class: &Class| {
            self.half_states_of(*class)
                .map(|s| self.ranking.flagged_states(s).len() as u64)
                .sum::<u64>()
        };
        let size = |[one, other]: &[Class; 2]| {
            let there = half_states(one) * flagged_states(other);
            if one == other { there } else { there + half_states(other) * flagged_states(one) }
        };
        self.groups.iter().map(size).collect()
    }

    /// How many bytes values and work take at most.
    pub(super) fn memory(&self) -> u64 {
        let tables = if self.value_sets.left_out > 0.0 { 2 } else { 1 };
        let values = (self.ranking.half_states() * self.ranking.row()) as u64 * 4 * tables;
        // The new values for the opponents of one progress are kept until they are entered.
        let found = |[one, other]: &[Class; 2]| {
            let of = |class: &Class| self.half_states_of(*class).count() as u64;
            let at_once = 2 * self.window as u64 / 16;
            8 * at_once * (of(one) + of(other))
        };
        values + self.groups.iter().map(found).max().unwrap_or(0)
    }

    fn half_states_of(&self, (home, open): Class) -> impl Iterator<Item = usize> {
        (0..self.ranking.half_states()).filter(move |half_state| {
            self.ranking.placement(*half_state).home == home
                && self.ranking.is_open(*half_state) == open
        })
    }

    /// Tables in which every value is one half, or 0 where the opponent has won.
    #[must_use]
    pub fn start(&self) -> Tables {
        let ranking = &self.ranking;
        let table = || {
            let values = ValueTable::new(ranking.half_states() * ranking.row(), 0.5);
            for over in self.half_states_of((ranking.pawns, true)) {
                for mover in 0..ranking.half_states() {
                    values.set(mover * ranking.row() + ranking.flagged_states(over).start, 0.0);
                }
            }
            values
        };
        (0..if self.value_sets.left_out > 0.0 { 2 } else { 1 }).map(|_| table()).collect()
    }

    /// Solves the groups that are left; after every sweep `each` gets the greatest change and may
    /// stop the work with `false`. The values do not depend on the number of threads.
    pub fn solve(
        &self,
        tables: &Tables,
        progress: &mut Progress,
        change: f32,
        mut each: impl FnMut(&Tables, Progress, f32) -> bool,
    ) -> bool {
        while let Some(group) = self.groups.get(progress.group as usize) {
            let sides = self.sides(group);
            loop {
                let mut greatest = 0f32;
                for (which, table) in tables.iter().enumerate() {
                    let source = &tables[(which + 1) % tables.len()];
                    let left_out = if which == 0 { self.value_sets.left_out } else { 0.0 };
                    let enter = |index, value| {
                        let old = table.get(index);
                        table.set(index, value);
                        (old - value).abs()
                    };
                    greatest = greatest.max(self.sweep(&sides, source, left_out, enter));
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
        let differences = self.groups.iter().map(|group| {
            let differ = |index, value: f32| (table.get(index) - value).abs();
            self.sweep(&self.sides(group), table, 0.0, differ)
        });
        differences.fold(0.0, f32::max)
    }

    /// Calls `visit` with the backed-up value of every state: half-states of the mover and of the
    /// opponent, flags of its fresh doubles.
    pub fn for_each_new_value(
        &self,
        table: &ValueTable,
        mut visit: impl FnMut(usize, usize, usize, f32),
    ) {
        let found = std::sync::Mutex::new(Vec::new());
        for group in &self.groups {
            self.sweep(&self.sides(group), table, 0.0, |index, value| {
                if let Ok(mut found) = found.lock() {
                    found.push((index, value));
                }
                0.0
            });
        }
        for (index, value) in found.into_inner().unwrap_or_default() {
            let (mover, flagged_state) = (index / self.ranking.row(), index % self.ranking.row());
            let there = self.transitions.half_state(flagged_state);
            visit(mover, there, flagged_state - self.ranking.flagged_states(there).start, value);
        }
    }

    /// One pass over a group, with values from `source`. `enter` gets the number of every state and
    /// its new value; the greatest of its results is returned.
    fn sweep(
        &self,
        sides: &[Side],
        source: &ValueTable,
        left_out: f32,
        enter: impl Fn(usize, f32) -> f32 + Sync,
    ) -> f32 {
        let mut greatest = 0f32;
        for progress in (0..=self.ranking.most_progress()).rev() {
            // All of one progress at once: they are computed from the table as it is, then entered.
            let found = sides.iter().map(|side| {
                let seen = side.seen[progress].par_iter().with_min_len(4);
                let found = seen.map_init(
                    || self.scratch(),
                    |scratch, seen| {
                        scratch.found.reserve(side.movers);
                        for run in side.runs.iter().rev() {
                            self.evaluate(source, left_out, seen, run, scratch);
                        }
                        std::mem::take(&mut scratch.found)
                    },
                );
                found.collect::<Vec<_>>()
            });
            let found: Vec<_> = found.collect();
            for (side, found) in sides.iter().zip(&found) {
                let entered = side.seen[progress].par_iter().zip(found).with_min_len(16);
                let entered = entered.map(|(seen, found)| {
                    let entries = found.iter().map(|(half_state, value)| {
                        enter(
                            *half_state as usize * self.ranking.row() + seen.flagged_state,
                            *value,
                        )
                    });
                    entries.fold(0.0, f32::max)
                });
                greatest = greatest.max(entered.reduce(|| 0.0, f32::max));
            }
        }
        greatest
    }

    fn scratch(&self) -> Scratch {
        Scratch {
            ring: vec![0.0; self.window * self.value_sets.remainders + LANES],
            least: vec![0.0; slot(VALUES.len(), self.value_sets.remainders)],
            found: Vec::new(),
        }
    }

    fn sides(&self, [one, other]: &[Class; 2]) -> Vec<Side> {
        let mut sides = vec![self.side(*one, *other)];
        if one != other {
            sides.push(self.side(*other, *one));
        }
        sides
    }

    fn side(&self, (home, open): Class, other: Class) -> Side {
        let ranking = &self.ranking;
        let runs = (0..=ranking.most_progress()).map(|progress| {
            let (all, done) =
                (ranking.run(open, progress, home), ranking.run(open, progress, home + 1));
            Run {
                flagged_states: ranking.flagged_states_of(&all),
                valued: ranking.flagged_states_of(&done).end,
            }
        });
        let mut seen: Vec<Vec<SeenOpponent>> = Vec::new();
        seen.resize_with(ranking.most_progress() + 1, Vec::new);
        for there in self.half_states_of(other) {
            let progress = usize::from(ranking.placement(there).progress);
            for (flags, flagged_state) in ranking.flagged_states(there).enumerate() {
                let opponent = Opponent::new(ranking, there, ranking.fresh(there, flags));
                seen[progress].push(SeenOpponent {
                    opponent,
                    flagged_state,
                    dead: self.is_dead(there),
                });
            }
        }
        let movers = self.half_states_of((home, open)).count();
        Side { runs: runs.collect(), seen, movers }
    }
}

/// The movers of one class against the opponents of another.
struct Side {
    /// By progress of the mover.
    runs: Vec<Run>,
    /// By progress of the opponent.
    seen: Vec<Vec<SeenOpponent>>,
    /// How many movers there are.
    movers: usize,
}
