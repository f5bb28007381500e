//! Backups: the value of a state from the values of the states that follow it.
//!
//! What a player can still do after a first step depends on its flagged state alone, as long as the
//! opponent is not hit. So the best results of the value sets that can remain are kept by flagged
//! state of the mover, in a ring that is as wide as two pawns together can step. A whole roll is
//! then one step and one read for each first value. After a hit the play is searched step by step.

use std::ops::Range;

use super::play_search::{Mover, Opponent, PlaySearch};
use super::ranking::{RING, Ranking, VALUES};
use super::transitions::Transition;
use super::value_iteration::Solver;
use super::value_table::ValueTable;

/// Movers of equal progress: first those with more pawns home than the class, then the class.
pub(super) struct Run {
    /// All of them.
    pub(super) flagged_states: Range<usize>,
    /// Where the class begins.
    pub(super) valued: usize,
}

/// A flagged state of the opponent.
pub(super) struct SeenOpponent {
    /// What stands in the mover's way.
    pub(super) opponent: Opponent,
    /// Its number.
    pub(super) flagged_state: usize,
    /// Whether all its pawns wait at a closed gate.
    pub(super) dead: bool,
}

/// How many values are compared at once.
pub(super) const LANES: usize = 8;

/// The buffers of one thread.
pub(super) struct Scratch {
    /// By flagged state of the mover, modulo the window: the least values of the remainders.
    pub(super) ring: Vec<f32>,
    /// The least values after a first step: first by value played, if it was the last one; then by
    /// value played and remainder. Numbers beyond the remainders mean nothing.
    pub(super) least: Vec<f32>,
    /// Half-states of movers, and their values.
    pub(super) found: Vec<(u32, f32)>,
}

/// Where the remainders after a value begin in [`Scratch::least`].
pub(super) fn slot(kind: usize, remainders: usize) -> usize {
    LANES + kind * remainders.next_multiple_of(LANES)
}

/// How far apart a flagged state and one after a step can be: two pawns together go 16 cells.
pub(super) fn window(ranking: &Ranking) -> usize {
    let farthest = 2 * usize::from(VALUES[VALUES.len() - 1]);
    let most = ranking.most_progress();
    let mut widest = 0;
    for open in [true, false] {
        for progress in 0..=most {
            let first = ranking.run(open, progress, 0).start;
            let end = ranking.run(open, (progress + farthest).min(most), 0).end;
            if first < end {
                widest = widest.max(ranking.flagged_states_of(&(first..end)).len());
            }
        }
    }
    widest.next_power_of_two()
}

impl Solver {
    /// Backs up all movers of one run against one opponent.
    pub(super) fn evaluate(
        &self,
        source: &ValueTable,
        left_out: f32,
        seen: &SeenOpponent,
        run: &Run,
        scratch: &mut Scratch,
    ) {
        let remainders = self.value_sets.remainders;
        let stuck = source.row(seen.opponent.half_state, self.ranking.row());
        let enemies = seen.opponent.singles | seen.opponent.doubles;
        for flagged_state in run.flagged_states.clone() {
            if self.transitions.occupied(flagged_state) & enemies != 0 {
                continue;
            }
            self.take_steps(source, seen, flagged_state, scratch);
            let least = |set: usize| {
                let values = self.slots[set].iter().map(|slot| scratch.least[*slot as usize]);
                let least = values.fold(f32::INFINITY, |a, b| if b < a { b } else { a });
                if least == f32::INFINITY { stuck.get(flagged_state) } else { least }
            };
            let slot = (flagged_state & (self.window - 1)) * remainders;
            for (set, value) in scratch.ring[slot..slot + remainders].iter_mut().enumerate() {
                *value = least(set);
            }
            let half_state = self.transitions.half_state(flagged_state);
            // A turn begins without doubles formed in it.
            if flagged_state >= run.valued
                && flagged_state == self.transitions.doubles(half_state).1
            {
                let value = if seen.dead && self.is_dead(half_state) {
                    0.5
                } else {
                    // In 64 bits, so that the only error is the rounding of the result, and the
                    // changes of a sweep fall below 1e-7.
                    let rolls = self.value_sets.rolls.iter();
                    let won = |(set, probability): &(u8, f64)| {
                        probability * (1.0 - f64::from(least(*set as usize)))
                    };
                    (f64::from(left_out) + rolls.map(won).sum::<f64>()) as f32
                };
                scratch.found.push((half_state as u32, value));
            }
        }
    }

    /// The least values that a mover can leave after a first step of each value.
    #[inline]
    fn take_steps(
        &self,
        source: &ValueTable,
        seen: &SeenOpponent,
        flagged_state: usize,
        scratch: &mut Scratch,
    ) {
        let (remainders, mask) = (self.value_sets.remainders, self.window - 1);
        let row = source.row(seen.opponent.half_state, self.ranking.row());
        let Scratch { ring, least, .. } = scratch;
        for kind in 0..VALUES.len() {
            let mut last = f32::INFINITY;
            let lanes = &mut least[slot(kind, remainders)..slot(kind + 1, remainders)];
            lanes.fill(f32::INFINITY);
            for step in self.transitions.of(flagged_state, kind) {
                if !seen.opponent.allows(step) {
                    continue;
                }
                if seen.opponent.is_hit(step.to) || step.reforms {
                    last = last.min(self.follow(source, seen, flagged_state, step, kind, lanes));
                    continue;
                }
                let target = step.target as usize;
                let leaf = row.get(target);
                last = if leaf < last { leaf } else { last };
                let rests = &ring[(target & mask) * remainders..][..lanes.len()];
                let (lanes, _) = lanes.as_chunks_mut::<LANES>();
                let (rests, _) = rests.as_chunks::<LANES>();
                for (lanes, rests) in lanes.iter_mut().zip(rests) {
                    for (least, rest) in lanes.iter_mut().zip(rests) {
                        *least = if *rest < *least { *rest } else { *least };
                    }
                }
            }
            least[kind] = last;
        }
    }

    /// The same for one step after which the play is searched; the value if it is the last step.
    fn follow(
        &self,
        source: &ValueTable,
        seen: &SeenOpponent,
        flagged_state: usize,
        step: &Transition,
        kind: usize,
        lanes: &mut [f32],
    ) -> f32 {
        let search =
            PlaySearch { ranking: &self.ranking, transitions: &self.transitions, table: source };
        let half_state = self.transitions.half_state(flagged_state);
        let (doubles, first) = self.transitions.doubles(half_state);
        let before = match doubles {
            0 => 0,
            _ => doubles & !self.ranking.fresh(half_state, flagged_state - first),
        };
        for rest in &self.value_sets.rests[kind] {
            let value =
                search.after(before, &seen.opponent, step, &self.value_sets.sets[*rest as usize]);
            lanes[*rest as usize] = lanes[*rest as usize].min(value);
        }
        search.after(before, &seen.opponent, step, &[])
    }

    /// The value of a state by the values of those after it, found by searching every play of every
    /// roll. Slow: tests compare it with `Solver::evaluate`.
    #[must_use]
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
