//! One sweep over a group of states.
//!
//! A mover is backed up against all opponents of a class at once. What a step leaves them lies in
//! one row of the table, so a step is taken for all of them by reading a row and keeping the lesser
//! values. What a mover can still do after a first value depends on its flagged state alone, so the
//! least values of the value sets that can remain are kept by flagged state, as rows too. A whole
//! roll is then one step and two reads. Only after a step that breaks up an old double which may be
//! formed again does the way to a flagged state matter; then the plays are searched.

use std::ops::Range;

use arrayvec::ArrayVec;
use parlor::games::chowka_bhara::solved::Class;
use parlor::machine::dispatched;
use rayon::prelude::*;

use super::opponents::{BLOCK, HitLane, Opponents};
use super::play_search::PlaySearch;
use super::transitions::Transition;
use super::value_iteration::Solver;
use super::value_sets::VALUES;
use super::value_table::ValueTable;

/// Two pawns together go so many cells at most: how far a step leads.
pub(super) const FARTHEST: usize = 2 * VALUES[VALUES.len() - 1] as usize;

/// The movers of one class against the opponents of another.
pub(super) struct Side {
    mover: Class,
    pub(super) opponents: Opponents,
    /// The mover's class, and those that a turn may lead to.
    classes: Vec<Class>,
    /// By flagged state of the mover: the least values of all remainders, by remainder and lane.
    /// Empty where they are not known yet or not needed any more.
    later: Vec<Vec<f32>>,
}

impl Side {
    pub(super) fn new(solver: &Solver, mover: Class, opponents: Class) -> Self {
        let ranking = &solver.ranking;
        Side {
            mover,
            opponents: Opponents::new(ranking, opponents),
            classes: classes_from(mover, ranking.pawns),
            later: vec![Vec::new(); ranking.rows()],
        }
    }

    /// Forgets what is kept of some flagged states.
    fn forget(&mut self, flagged_states: Range<usize>) {
        self.later[flagged_states].iter_mut().for_each(|rows| *rows = Vec::new());
    }
}

/// The classes to which a turn of a class may lead, itself included.
pub(super) fn classes_from((home, open): Class, pawns: u8) -> Vec<Class> {
    let opened = (home..=pawns).map(|home| (home, true));
    if open { opened.collect() } else { opened.chain([(0, false)]).collect() }
}

/// Where a sweep reads values, and what becomes of the new ones.
pub(super) trait Target {
    /// The values to read.
    fn source(&self) -> &ValueTable;

    /// Takes the new values of some movers, by lane; returns the greatest change.
    fn enter(&mut self, side: &Side, movers: Range<usize>, values: &[Vec<f32>]) -> f32;
}

/// The buffers of one thread.
struct Scratch {
    /// By slot and lane of the block: the least values after a first step.
    least: Vec<f32>,
    /// By lane of the block: values of the mover's own flagged state, other values, what stands in
    /// the way, sums.
    stuck: Vec<f32>,
    leaves: Vec<f32>,
    barrier: Vec<f32>,
    total: Vec<f64>,
}

/// A mover and what it is backed up against.
#[derive(Clone, Copy)]
pub(super) struct Task<'a> {
    pub(super) table: &'a ValueTable,
    pub(super) side: &'a Side,
    flagged_state: usize,
    /// Whether a turn can begin here and its value is wanted.
    valued: bool,
}

/// The first step of a roll: its value as an index, what it is played against, what can remain.
#[derive(Clone, Copy)]
struct FirstStep<'a> {
    task: Task<'a>,
    step: &'a Transition,
    kind: usize,
    block: &'a Range<usize>,
    rests: &'a [u8],
}

/// What a backup fills in: the least values of all remainders, and the values if they are wanted.
type Found = (Vec<f32>, Option<Vec<f32>>);

impl Solver {
    /// One pass over a group; the greatest change. Movers of equal progress are computed from the
    /// table as it is, then entered.
    pub(super) fn sweep(&self, sides: &mut [Side], target: &mut impl Target) -> f32 {
        let mut greatest = 0f32;
        for progress in (0..=self.ranking.most_progress()).rev() {
            let found: Vec<_> = sides
                .iter_mut()
                .map(|side| self.back_up_run(side, progress, target.source()))
                .collect();
            for (side, values) in sides.iter_mut().zip(found) {
                let movers = self.ranking.run(side.mover, progress);
                greatest = greatest.max(target.enter(side, movers, &values));
            }
        }
        for side in sides {
            side.forget(0..side.later.len());
        }
        greatest
    }

    /// Backs up everything of one progress on one side; the values of its movers.
    fn back_up_run(&self, side: &mut Side, progress: usize, table: &ValueTable) -> Vec<Vec<f32>> {
        let ranking = &self.ranking;
        if progress + FARTHEST < ranking.most_progress() {
            for at in 0..side.classes.len() {
                let run = ranking.run(side.classes[at], progress + FARTHEST + 1);
                side.forget(ranking.flagged_states_of(&run));
            }
        }
        let lanes = side.opponents.len();
        let mut all: Vec<(usize, Found)> = Vec::new();
        for class in &side.classes {
            for half_state in ranking.run(*class, progress) {
                let states = ranking.flagged_states(half_state);
                for state in states.clone() {
                    let later = vec![0.0; self.value_sets.remainders * lanes];
                    // A turn begins without doubles formed in it.
                    let is_valued = *class == side.mover && state == states.start;
                    let values = is_valued.then(|| vec![0.0; lanes]);
                    all.push((state, (later, values)));
                }
            }
        }
        let seen: &Side = side;
        all.par_iter_mut().for_each_init(
            || self.scratch(),
            |scratch, (flagged_state, found)| {
                let (flagged_state, valued) = (*flagged_state, found.1.is_some());
                let task = Task { table, side: seen, flagged_state, valued };
                self.back_up(task, scratch, found);
            },
        );
        let mut values = Vec::new();
        for (flagged_state, (later, value)) in all {
            side.later[flagged_state] = later;
            values.extend(value);
        }
        values
    }

    fn scratch(&self) -> Scratch {
        Scratch {
            least: vec![0.0; self.slots.count * BLOCK],
            stuck: vec![0.0; BLOCK],
            leaves: vec![0.0; BLOCK],
            barrier: vec![0.0; BLOCK],
            total: vec![0.0; BLOCK],
        }
    }

    dispatched! {
        wide /// Backs up one flagged state of the mover against all lanes.
        fn back_up / back_up_fast
            = back_up_by_blocks(&self, task: Task<'_>, scratch: &mut Scratch, found: &mut Found)
    }

    #[inline(always)]
    fn back_up_by_blocks(&self, task: Task<'_>, scratch: &mut Scratch, found: &mut Found) {
        let opponents = &task.side.opponents;
        let lanes = opponents.len();
        let (later, values) = found;
        for block in opponents.blocks() {
            self.take_steps(task, &block, scratch);
            let Scratch { least, stuck, .. } = scratch;
            gather(task, task.flagged_state, &block, stuck);
            for remainder in 0..self.value_sets.remainders {
                let into = &mut later[remainder * lanes..][block.clone()];
                self.least_of(remainder, least, stuck, into);
            }
            if let Some(values) = values {
                self.total(task, &block, scratch, &mut values[block.clone()]);
            }
        }
    }

    /// The least values after a first step, by slot.
    #[inline(always)]
    fn take_steps(&self, task: Task, block: &Range<usize>, scratch: &mut Scratch) {
        for kind in 0..VALUES.len() {
            let rests = self.slots.rests(kind, task.valued);
            let slots = rests.iter().map(|rest| self.slots.of(kind, *rest)).chain([kind]);
            for slot in slots {
                scratch.least[slot * BLOCK..][..block.len()].fill(f32::INFINITY);
            }
            for step in self.transitions.of(task.flagged_state, kind) {
                let first = FirstStep { task, step, kind, block, rests };
                self.pass(first, scratch);
                self.hit(first, scratch);
                if step.reforms {
                    for rest in rests {
                        self.reform(first, *rest, scratch);
                    }
                }
            }
        }
    }

    /// A step of one value against all opponents that it does not hit.
    #[inline(always)]
    fn pass(&self, first: FirstStep, scratch: &mut Scratch) {
        let FirstStep { task, step, kind, block, rests } = first;
        let side = task.side;
        let Scratch { least, leaves: buffer, barrier, .. } = scratch;
        let barrier = barrier_of(&side.opponents, step, block, barrier);
        let leaves = leaves(task, step.target as usize, block, buffer);
        lower(&mut least[kind * BLOCK..], leaves, barrier);
        if step.reforms {
            return;
        }
        let later = &side.later[step.target as usize];
        for rest in rests {
            let values = &later[usize::from(*rest) * side.opponents.len()..][block.clone()];
            lower(&mut least[self.slots.of(kind, *rest) * BLOCK..], values, barrier);
        }
    }

    /// The same step against those that it hits.
    #[inline(always)]
    fn hit(&self, first: FirstStep, scratch: &mut Scratch) {
        let FirstStep { task, step, kind, block, rests } = first;
        let opponents = &task.side.opponents;
        let row = &task.table.row(step.opened as usize)[opponents.first..];
        let later = &task.side.later[step.opened as usize];
        for hit in opponents.hits(step.to, block).iter().filter(|hit| allows(opponents, step, hit))
        {
            let (lane, after) = (hit.lane as usize - block.start, hit.after as usize);
            let leaf = row[opponents.places[after] as usize];
            let known = &mut scratch.least[kind * BLOCK + lane];
            *known = lesser(*known, leaf);
            if step.reforms {
                continue;
            }
            for rest in rests {
                let value = later[usize::from(*rest) * opponents.len() + after];
                let known = &mut scratch.least[self.slots.of(kind, *rest) * BLOCK + lane];
                *known = lesser(*known, value);
            }
        }
    }

    /// A step after which an old double may be formed again, with what remains of the roll.
    fn reform(&self, first: FirstStep, rest: u8, scratch: &mut Scratch) {
        let FirstStep { task, step, kind, block, .. } = first;
        let opponents = &task.side.opponents;
        let half_state = self.transitions.half_state(task.flagged_state);
        let (doubles, first) = self.transitions.doubles(half_state);
        let before = doubles & !self.ranking.fresh(half_state, task.flagged_state - first);
        let values = &self.value_sets.sets[usize::from(rest)];
        let slot = self.slots.of(kind, rest) * BLOCK;
        let search = PlaySearch {
            ranking: &self.ranking,
            transitions: &self.transitions,
            table: task.table,
        };
        let occupied = self.transitions.occupied(task.flagged_state);
        for lane in block.clone() {
            let opponent = &opponents.opponents[lane];
            if opponent.allows(step) && opponents.is_state(lane, occupied) {
                let value = search.after(before, opponent, step, values);
                let known = &mut scratch.least[slot + lane - block.start];
                *known = known.min(value);
            }
        }
    }

    /// The least values that a value set can leave.
    #[inline(always)]
    fn least_of(&self, set: usize, least: &[f32], stuck: &[f32], into: &mut [f32]) {
        self.for_each_least(set, least, stuck, into, |value, least| *value = least);
    }

    /// Calls `enter` with each of some numbers and the least value of a value set in its lane.
    #[inline(always)]
    fn for_each_least<T>(
        &self,
        set: usize,
        least: &[f32],
        stuck: &[f32],
        into: &mut [T],
        enter: impl Fn(&mut T, f32),
    ) {
        let lanes = into.len();
        let slot = |slot: &u16| &least[usize::from(*slot) * BLOCK..][..lanes];
        let or = |value: f32, stuck: f32| if value == f32::INFINITY { stuck } else { value };
        match &self.slots.by_set[set][..] {
            [one] => {
                for (into, (one, stuck)) in into.iter_mut().zip(slot(one).iter().zip(stuck)) {
                    enter(into, or(*one, *stuck));
                }
            }
            [one, two] => {
                let both = slot(one).iter().zip(slot(two));
                for (into, ((one, two), stuck)) in into.iter_mut().zip(both.zip(stuck)) {
                    enter(into, or(lesser(*one, *two), *stuck));
                }
            }
            slots => {
                let slots: ArrayVec<&[f32], { VALUES.len() }> = slots.iter().map(slot).collect();
                for (lane, into) in into.iter_mut().enumerate() {
                    let least = |least: f32, slot: &&[f32]| least.min(slot[lane]);
                    enter(into, or(slots.iter().fold(f32::INFINITY, least), stuck[lane]));
                }
            }
        }
    }

    /// The values of a mover. In 64 bits, so that the only error is the rounding of the result, and
    /// the changes of a sweep fall below 1e-7.
    #[inline(always)]
    fn total(&self, task: Task, block: &Range<usize>, scratch: &mut Scratch, into: &mut [f32]) {
        let Scratch { least, stuck, total, .. } = scratch;
        let total = &mut total[..block.len()];
        total.fill(0.0);
        for (set, probability) in &self.value_sets.rolls {
            self.for_each_least(usize::from(*set), least, stuck, total, |total, least| {
                *total += probability * (1.0 - f64::from(least));
            });
        }
        let half_state = self.transitions.half_state(task.flagged_state);
        let opponents = &task.side.opponents;
        let is_dead = self.is_dead(half_state);
        for (lane, (value, total)) in block.clone().zip(into.iter_mut().zip(total)) {
            let dead = is_dead && self.is_dead(opponents.opponents[lane].half_state);
            *value = if dead { 0.5 } else { *total as f32 };
        }
    }
}

/// Whether a step hits a lane and passes no fresh double of it.
#[inline]
fn allows(opponents: &Opponents, step: &Transition, hit: &HitLane) -> bool {
    let blocks = opponents.blocked[hit.lane as usize];
    (step.together || !hit.is_double) && step.path & blocks == 0
}

/// What a flagged state of the mover leaves the lanes of a block, without another step.
#[inline(always)]
fn leaves<'a>(
    task: Task<'a>,
    flagged_state: usize,
    block: &Range<usize>,
    buffer: &'a mut [f32],
) -> &'a [f32] {
    let opponents = &task.side.opponents;
    if opponents.is_plain(block) {
        return &task.table.row(flagged_state)[opponents.first..][block.clone()];
    }
    gather(task, flagged_state, block, buffer);
    &buffer[..block.len()]
}

/// The same, copied.
#[inline(always)]
fn gather(task: Task, flagged_state: usize, block: &Range<usize>, into: &mut [f32]) {
    let opponents = &task.side.opponents;
    let row = &task.table.row(flagged_state)[opponents.first..];
    if opponents.is_plain(block) {
        into[..block.len()].copy_from_slice(&row[block.clone()]);
    } else {
        for (value, place) in into.iter_mut().zip(&opponents.places[block.clone()]) {
            *value = row[*place as usize];
        }
    }
}

/// Infinity where a step is not possible or hits; empty where it is possible for all.
#[inline(always)]
fn barrier_of<'a>(
    opponents: &'a Opponents,
    step: &Transition,
    block: &Range<usize>,
    buffer: &'a mut [f32],
) -> &'a [f32] {
    let known = &opponents.barriers[usize::from(step.to)];
    let known = known.get(block.clone()).unwrap_or_default();
    if opponents.is_plain(block) || step.path == 0 {
        return known;
    }
    let buffer = &mut buffer[..block.len()];
    match known {
        [] => buffer.fill(0.0),
        known => buffer.copy_from_slice(known),
    }
    for (barrier, blocks) in buffer.iter_mut().zip(&opponents.blocked[block.clone()]) {
        *barrier = if blocks & step.path == 0 { *barrier } else { f32::INFINITY };
    }
    buffer
}

/// Keeps the lesser values; `barrier` is empty or infinity where a value does not count.
#[inline(always)]
fn lower(least: &mut [f32], values: &[f32], barrier: &[f32]) {
    if barrier.is_empty() {
        for (least, value) in least.iter_mut().zip(values) {
            *least = lesser(*least, *value);
        }
    } else {
        for (least, (value, barrier)) in least.iter_mut().zip(values.iter().zip(barrier)) {
            let value = value.to_bits().max(barrier.to_bits());
            *least = f32::from_bits(least.to_bits().min(value));
        }
    }
}

/// The lesser of two numbers that are not negative, which are ordered as their bits are. A minimum
/// of floating-point numbers becomes a masked store here, which is slower.
#[inline(always)]
fn lesser(one: f32, two: f32) -> f32 {
    f32::from_bits(one.to_bits().min(two.to_bits()))
}
