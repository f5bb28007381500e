//! Value iteration.
//!
//! The value of a state is the chance of the player about to throw to win, a draw counting half.
//! States fall into groups by the pawns home and the gates of both players; neither ever goes back,
//! so groups are solved one after the other, those nearest to the end first. Within a group the
//! states are taken by falling progress of the player who does not throw, and of the thrower, so
//! that most of what a value rests on is new in the same pass; what does not depend on hits settles
//! in a few passes. All states with one other player are taken at once.
//!
//! What a player can make of the hand left after a first value depends on its aspect alone, the
//! other player being as it is. So the least values of the hands that can be left over are kept by
//! aspect of the mover, as far as two pawns together can step: a whole turn is then one step and one
//! read for each first value. Only after a hit the plays are followed one by one.

use std::ops::Range;

use rayon::prelude::*;

use super::hands::{First, Hands, Tail};
use super::plays::{Front, Mover, Rules};
use super::ranking::{RING, Ranking, VALUES};
use super::steps::{Step, Steps};
use super::values::Values;

/// A group: pawns home and gate open, of both players.
type Class = (u8, bool);

/// The solver of one game.
pub struct Solver {
    /// The numbers of its states.
    pub ranking: Ranking,
    steps: Steps,
    hands: Hands,
    groups: Vec<[Class; 2]>,
    /// How many aspects are kept in a ring: more than can be between an aspect and one reached
    /// from it. A power of two.
    window: usize,
    /// By hand: where in [`Scratch::least`] the values are that it can begin with.
    places: Vec<Vec<u16>>,
}

/// The values of all states: one table, or two that bound the value.
pub type Tables = Vec<Values>;

/// How far a solution has come.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Progress {
    /// Groups finished.
    pub group: u32,
    /// Sweeps over all groups so far.
    pub sweeps: u32,
}

impl Solver {
    /// A solver for so many pawns and bonus throws.
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
        let steps = Steps::new(&ranking, chain);
        let window = window(&ranking);
        let hands = Hands::new(chain, tail);
        let place = |first: &First| match first.rest {
            None => u16::from(first.kind),
            Some(rest) => (left(first.kind as usize, hands.kept) + rest as usize) as u16,
        };
        let places = hands.firsts.iter().map(|firsts| firsts.iter().map(place).collect()).collect();
        Solver { ranking, steps, hands, groups, window, places }
    }

    /// How many states each group has, or a little more.
    pub fn group_sizes(&self) -> Vec<u64> {
        let standings = |class: &Class| self.standings_of(*class).count() as u64;
        let aspects = |class: &Class| {
            self.standings_of(*class).map(|s| self.ranking.aspects(s).len() as u64).sum::<u64>()
        };
        let size = |[one, other]: &[Class; 2]| {
            let there = standings(one) * aspects(other);
            if one == other { there } else { there + standings(other) * aspects(one) }
        };
        self.groups.iter().map(size).collect()
    }

    /// The most bytes that values and work take.
    pub fn memory(&self) -> u64 {
        let tables = if self.hands.lost > 0.0 { 2 } else { 1 };
        let values = (self.ranking.standings() * self.ranking.row()) as u64 * 4 * tables;
        // What is found of the other players of one progress waits to be entered.
        let found = |[one, other]: &[Class; 2]| {
            let of = |class: &Class| self.standings_of(*class).count() as u64;
            let at_once = 2 * self.window as u64 / 16;
            8 * at_once * (of(one) + of(other))
        };
        values + self.groups.iter().map(found).max().unwrap_or(0)
    }

    fn standings_of(&self, (home, open): Class) -> impl Iterator<Item = usize> {
        (0..self.ranking.standings()).filter(move |standing| {
            self.ranking.placement(*standing).home == home
                && self.ranking.is_open(*standing) == open
        })
    }

    /// Tables in which every value is one half, but none where the other player has won.
    pub fn start(&self) -> Tables {
        let ranking = &self.ranking;
        let table = || {
            let values = Values::new(ranking.standings() * ranking.row(), 0.5);
            for over in self.standings_of((ranking.pawns, true)) {
                for mover in 0..ranking.standings() {
                    values.set(mover * ranking.row() + ranking.aspects(over).start, 0.0);
                }
            }
            values
        };
        (0..if self.hands.lost > 0.0 { 2 } else { 1 }).map(|_| table()).collect()
    }

    /// Solves the groups that are left; after every sweep `each` hears the greatest change and may
    /// stop the work with `false`. Any number of threads gives the same values.
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
                    let lost = if which == 0 { self.hands.lost } else { 0.0 };
                    let enter = |index, value| {
                        let old = table.get(index);
                        table.set(index, value);
                        (old - value).abs()
                    };
                    greatest = greatest.max(self.sweep(&sides, source, lost, enter));
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
    pub fn residual(&self, table: &Values) -> f32 {
        let differences = self.groups.iter().map(|group| {
            let differ = |index, value: f32| (table.get(index) - value).abs();
            self.sweep(&self.sides(group), table, 0.0, differ)
        });
        differences.fold(0.0, f32::max)
    }

    /// Tells the value of every state by the values of those after it: standings of the mover and of
    /// the other player, flags of its fresh doubles.
    pub fn for_each_new_value(
        &self,
        table: &Values,
        mut tell: impl FnMut(usize, usize, usize, f32),
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
            let (mover, aspect) = (index / self.ranking.row(), index % self.ranking.row());
            let there = self.steps.standing(aspect);
            tell(mover, there, aspect - self.ranking.aspects(there).start, value);
        }
    }

    /// One pass over a group, values being computed from `source`; the greatest that `enter` makes
    /// of a state's number and its new value.
    fn sweep(
        &self,
        sides: &[Side],
        source: &Values,
        lost: f32,
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
                            self.evaluate(source, lost, seen, run, scratch);
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
                    let entries = found.iter().map(|(standing, value)| {
                        enter(*standing as usize * self.ranking.row() + seen.aspect, *value)
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
            ring: vec![0.0; self.window * self.hands.kept + LANES],
            least: vec![0.0; left(VALUES.len(), self.hands.kept)],
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
            Run { aspects: ranking.aspects_of(&all), valued: ranking.aspects_of(&done).end }
        });
        let mut seen: Vec<Vec<Seen>> = Vec::new();
        seen.resize_with(ranking.most_progress() + 1, Vec::new);
        for there in self.standings_of(other) {
            let progress = usize::from(ranking.placement(there).progress);
            for (flags, aspect) in ranking.aspects(there).enumerate() {
                let front = Front::new(ranking, there, ranking.fresh(there, flags));
                seen[progress].push(Seen { front, aspect, dead: self.is_dead(there) });
            }
        }
        let movers = self.standings_of((home, open)).count();
        Side { runs: runs.collect(), seen, movers }
    }

    /// Hands and values of the movers of one run.
    fn evaluate(&self, source: &Values, lost: f32, seen: &Seen, run: &Run, scratch: &mut Scratch) {
        let kept = self.hands.kept;
        let stuck = source.row(seen.front.there, self.ranking.row());
        let enemies = seen.front.singles | seen.front.doubles;
        for aspect in run.aspects.clone() {
            if self.steps.occupied(aspect) & enemies != 0 {
                continue;
            }
            self.take_steps(source, seen, aspect, scratch);
            let least = |hand: usize| {
                let values = self.places[hand].iter().map(|place| scratch.least[*place as usize]);
                let least = values.fold(f32::INFINITY, |a, b| if b < a { b } else { a });
                if least == f32::INFINITY { stuck.get(aspect) } else { least }
            };
            let place = (aspect & (self.window - 1)) * kept;
            for (hand, value) in scratch.ring[place..place + kept].iter_mut().enumerate() {
                *value = least(hand);
            }
            let standing = self.steps.standing(aspect);
            // A turn begins without doubles formed in it.
            if aspect >= run.valued && aspect == self.steps.doubles(standing).1 {
                let value = if seen.dead && self.is_dead(standing) {
                    0.5
                } else {
                    // In 64 bits, so that what is kept errs by its rounding alone and the changes
                    // of a sweep fall below 1e-7.
                    let turns = self.hands.turns.iter();
                    let won = |(hand, chance): &(u8, f64)| {
                        chance * (1.0 - f64::from(least(*hand as usize)))
                    };
                    (f64::from(lost) + turns.map(won).sum::<f64>()) as f32
                };
                scratch.found.push((standing as u32, value));
            }
        }
    }

    /// The least values that a mover can leave after a first step of each value.
    #[inline]
    fn take_steps(&self, source: &Values, seen: &Seen, aspect: usize, scratch: &mut Scratch) {
        let (kept, mask) = (self.hands.kept, self.window - 1);
        let row = source.row(seen.front.there, self.ranking.row());
        let Scratch { ring, least, .. } = scratch;
        for kind in 0..VALUES.len() {
            let mut last = f32::INFINITY;
            let lanes = &mut least[left(kind, kept)..left(kind + 1, kept)];
            lanes.fill(f32::INFINITY);
            for step in self.steps.of(aspect, kind) {
                if !seen.front.allows(step) {
                    continue;
                }
                if seen.front.is_hit(step.to) || step.reforms {
                    last = last.min(self.follow(source, seen, aspect, step, kind, lanes));
                    continue;
                }
                let target = step.target as usize;
                let leaf = row.get(target);
                last = if leaf < last { leaf } else { last };
                let rests = &ring[(target & mask) * kept..][..lanes.len()];
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

    /// The same for one step after which the turn is followed play by play; the value if it is the
    /// last step.
    fn follow(
        &self,
        source: &Values,
        seen: &Seen,
        aspect: usize,
        step: &Step,
        kind: usize,
        lanes: &mut [f32],
    ) -> f32 {
        let rules = Rules { ranking: &self.ranking, steps: &self.steps, values: source };
        let standing = self.steps.standing(aspect);
        let (doubles, first) = self.steps.doubles(standing);
        let before = match doubles {
            0 => 0,
            _ => doubles & !self.ranking.fresh(standing, aspect - first),
        };
        for rest in &self.hands.rests[kind] {
            let value = rules.after(before, &seen.front, step, &self.hands.kinds[*rest as usize]);
            lanes[*rest as usize] = lanes[*rest as usize].min(value);
        }
        rules.after(before, &seen.front, step, &[])
    }

    /// A state's value by the values of those after it, every play of every turn followed.
    pub fn value(&self, table: &Values, mover: usize, there: usize, fresh: u32) -> f32 {
        if self.is_dead(mover) && self.is_dead(there) {
            return 0.5;
        }
        let rules = Rules { ranking: &self.ranking, steps: &self.steps, values: table };
        let front = Front::new(&self.ranking, there, fresh);
        let before = self.ranking.placement(mover).outer_doubles;
        let won = |(hand, chance): &(u8, f64)| {
            let mover = Mover { standing: mover, before };
            let least = rules.least(mover, &front, &self.hands.kinds[*hand as usize]);
            chance * (1.0 - f64::from(least))
        };
        self.hands.turns.iter().map(won).sum::<f64>() as f32
    }

    fn is_dead(&self, standing: usize) -> bool {
        let last = RING - 1;
        !self.ranking.is_open(standing)
            && self.ranking.placement(standing).cells.iter().all(|(index, _)| *index == last)
    }
}

/// So many values are compared at once.
const LANES: usize = 8;

/// What one thread works with.
struct Scratch {
    /// By aspect of the mover, modulo the window: the least values of the hands that are kept.
    ring: Vec<f32>,
    /// The least values after a first step: by value, where it is the last of the hand; then by
    /// value and hand left after it. What stands beyond the hands that can be left means nothing.
    least: Vec<f32>,
    /// Standings of movers, and their values.
    found: Vec<(u32, f32)>,
}

/// Where the hands left after a value begin in [`Scratch::least`].
fn left(kind: usize, kept: usize) -> usize {
    LANES + kind * kept.next_multiple_of(LANES)
}

/// How far apart an aspect and one after a step can be: two pawns together go 16 cells.
fn window(ranking: &Ranking) -> usize {
    let farthest = 2 * usize::from(VALUES[VALUES.len() - 1]);
    let most = ranking.most_progress();
    let mut widest = 0;
    for open in [true, false] {
        for progress in 0..=most {
            let first = ranking.run(open, progress, 0).start;
            let end = ranking.run(open, (progress + farthest).min(most), 0).end;
            if first < end {
                widest = widest.max(ranking.aspects_of(&(first..end)).len());
            }
        }
    }
    widest.next_power_of_two()
}

/// The movers of one class against the other players of one.
struct Side {
    /// By progress of the mover.
    runs: Vec<Run>,
    /// By progress of the other player.
    seen: Vec<Vec<Seen>>,
    /// How many movers there are.
    movers: usize,
}

/// Movers of equal progress: those of the class, and before them those that more pawns can come
/// home from.
struct Run {
    aspects: Range<usize>,
    /// Where the class begins.
    valued: usize,
}

/// An aspect of the other player.
struct Seen {
    front: Front,
    aspect: usize,
    /// Whether none of its pawns can ever move unless it hits, and it cannot.
    dead: bool,
}
