//! Value iteration.
//!
//! The value of a state is the chance of the player about to throw to win, a draw counting half.
//! States fall into groups by the pawns home and the gates of both players; neither ever goes back,
//! so groups are solved one after the other, those nearest to the end first. Within a group the
//! states are taken by falling progress of both players together: without a hit every play leads to
//! greater progress, so that one pass settles all that does not depend on hits.
//!
//! Of the chains of bonus throws those with more than `chain` bonuses are left out. Their chance is
//! shared among the others, or counted wholly as won or as lost: then two tables are solved, one in
//! which every such chain is good for the player about to throw and bad for the other, and one the
//! other way round, and the true value lies between.

use rayon::prelude::*;

use super::ranking::{CENTRE, NONE, RING, Ranking, VALUES, across, safe};

/// What becomes of the chance of chains that are left out.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Tail {
    /// It is shared among the others.
    Shared,
    /// It bounds the value: two tables.
    Bounds,
}

/// The values of one turn, as numbers of [`VALUES`], and how likely they come.
struct Throws {
    kinds: Vec<u8>,
    chance: f64,
}

/// All turns with at most so many bonus throws, orders of bonuses taken together.
fn turns(chain: u32, tail: Tail) -> (Vec<Throws>, f32) {
    let mut list = Vec::new();
    let mut total = 0.0;
    for bonuses in 0..=chain {
        for eights in 0..=bonuses {
            // Bonus throws come one in eight, four and eight equally likely.
            let ways =
                (0..eights).fold(1.0, |ways, i| ways * f64::from(bonuses - i) / f64::from(i + 1));
            for (kind, weight) in [(0, 4.0), (1, 6.0), (2, 4.0)] {
                let chance = ways * weight / 16.0 / 16f64.powi(bonuses as i32);
                let mut kinds = vec![kind];
                kinds.extend((0..bonuses).map(|i| if i < bonuses - eights { 3 } else { 4 }));
                total += chance;
                list.push((kinds, chance));
            }
        }
    }
    let share = if tail == Tail::Shared { total } else { 1.0 };
    let throws = |(kinds, chance): (Vec<u8>, f64)| Throws { kinds, chance: chance / share };
    (list.into_iter().map(throws).collect(), (1.0 - total / share) as f32)
}

/// A group: pawns home and gate open, of both players.
type Class = (u8, bool);

/// The solver of one game.
pub struct Solver {
    /// The numbers of its states.
    pub ranking: Ranking,
    throws: Vec<Throws>,
    /// The chance of the chains left out, where it is not shared.
    lost: f32,
    passes: [[u32; 5]; CENTRE as usize],
    groups: Vec<[Class; 2]>,
    /// Standings by class and progress.
    buckets: Vec<(Class, Vec<Vec<u32>>)>,
}

/// The values of all states: one table, or two that bound the value.
pub type Tables = Vec<Vec<f32>>;

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
        let (throws, lost) = turns(chain, tail);
        let mut passes = [[0; 5]; CENTRE as usize];
        for (from, row) in passes.iter_mut().enumerate() {
            for (passed, value) in row.iter_mut().zip(VALUES) {
                let first = from as u8 + 1;
                let between = first..(from as u8 + value).min(RING).max(first);
                *passed = between.fold(0, |set, index| set | 1 << index);
            }
        }
        let mut classes: Vec<Class> = (0..pawns).rev().map(|home| (home, true)).collect();
        classes.push((0, false));
        let buckets: Vec<_> = classes.iter().map(|c| (*c, by_progress(&ranking, *c))).collect();
        let mut groups = Vec::new();
        for (at, one) in classes.iter().enumerate() {
            for other in &classes[at..] {
                groups.push([*one, *other]);
            }
        }
        // Dependencies lead to classes earlier in the list, on either side.
        let rank = |class: &Class| classes.iter().position(|known| known == class).unwrap_or(0);
        groups.sort_by_key(|[one, other]| (rank(one) + rank(other), rank(one)));
        Solver { ranking, throws, lost, passes, groups, buckets }
    }

    /// How many groups there are.
    pub fn groups(&self) -> usize {
        self.groups.len()
    }

    /// Tables in which every value is one half.
    pub fn start(&self) -> Tables {
        let size = self.ranking.standings() * self.ranking.row();
        vec![vec![0.5; size]; if self.lost > 0.0 { 2 } else { 1 }]
    }

    /// Solves the groups that are left; after every sweep `each` hears the greatest change and may
    /// stop the work with `false`. Any number of threads gives the same values.
    pub fn solve(
        &self,
        tables: &mut Tables,
        progress: &mut Progress,
        change: f32,
        mut each: impl FnMut(&Tables, Progress, f32) -> bool,
    ) -> bool {
        while let Some(group) = self.groups.get(progress.group as usize) {
            let mut greatest = 0f32;
            for which in 0..tables.len() {
                greatest = greatest.max(self.sweep(tables, which, group));
            }
            progress.sweeps += 1;
            if greatest <= change {
                progress.group += 1;
            }
            if !each(tables, *progress, greatest) {
                return false;
            }
        }
        true
    }

    fn bucket(&self, class: Class) -> &[Vec<u32>] {
        self.buckets.iter().find(|(known, _)| *known == class).map_or(&[], |(_, list)| list)
    }

    /// One pass over a group; the greatest change of a value.
    fn sweep(&self, tables: &mut Tables, which: usize, group: &[Class; 2]) -> f32 {
        let [one, other] = *group;
        let sides =
            if one == other { vec![(one, other)] } else { vec![(one, other), (other, one)] };
        let most = 2 * usize::from(self.ranking.pawns) * usize::from(CENTRE);
        let mut greatest = 0f32;
        for total in (0..=most).rev() {
            // All of one sum at once: they are computed from the table as it is, then entered.
            let mut rows = Vec::new();
            for (mover, other) in &sides {
                let movers = self.bucket(*mover);
                for (there, standings) in self.bucket(*other).iter().enumerate() {
                    if let Some(own) = total.checked_sub(there).and_then(|own| movers.get(own))
                        && !own.is_empty()
                    {
                        rows.extend(standings.iter().map(|standing| (*standing, own)));
                    }
                }
            }
            let read: &Tables = tables;
            let source = &read[(which + 1) % read.len()];
            let lost = if which == 0 { self.lost } else { 0.0 };
            let found: Vec<Vec<(usize, f32)>> = rows
                .par_iter()
                .map(|(there, own)| self.row_values(source, *there as usize, own, lost))
                .collect();
            let table = &mut tables[which];
            for (index, value) in found.into_iter().flatten() {
                greatest = greatest.max((table[index] - value).abs());
                table[index] = value;
            }
        }
        greatest
    }

    /// The values of all states with one other player's standing and these of the mover.
    fn row_values(
        &self,
        table: &[f32],
        there: usize,
        movers: &[u32],
        lost: f32,
    ) -> Vec<(usize, f32)> {
        let ranking = &self.ranking;
        let mut found = Vec::new();
        let first = ranking.aspects[there] as usize;
        let aspects = ranking.aspects[there + 1] as usize - first;
        for mover in movers.iter().map(|mover| *mover as usize) {
            if !ranking.is_state(mover, there) {
                continue;
            }
            for flags in 0..aspects {
                let fresh = ranking.fresh(there, flags);
                let value = self.value(table, mover, there, fresh, lost);
                found.push((mover * ranking.row() + first + flags, value));
            }
        }
        found
    }

    /// The value of a state by the values of those after it.
    fn value(&self, table: &[f32], mover: usize, there: usize, fresh: u32, lost: f32) -> f32 {
        let ranking = &self.ranking;
        if self.is_dead(mover) && self.is_dead(there) {
            return 0.5;
        }
        let other = ranking.placement(there);
        let mut walls = 0;
        let mut left = fresh;
        while left != 0 {
            walls |= 1 << across(left.trailing_zeros() as u8);
            left &= left - 1;
        }
        let start = ranking.placement_of(mover);
        let board = Board {
            own: start,
            open: ranking.is_open(mover),
            other: ranking.placement_of(there),
            other_open: ranking.is_open(there),
            singles: other.singles,
            doubles: other.doubles,
            walls,
        };
        let before = ranking.placements[start as usize].outer_doubles;
        let mut turn = Turn { solver: self, table, before, least: 1.0 };
        // In 64 bits, so that what is kept errs by its rounding alone and the changes of a sweep
        // fall below 1e-7.
        let mut sum = f64::from(lost);
        for throws in &self.throws {
            turn.least = 1.0;
            turn.play(&board, &throws.kinds);
            sum += throws.chance * (1.0 - f64::from(turn.least));
        }
        sum as f32
    }

    fn is_dead(&self, standing: usize) -> bool {
        let last = RING - 1;
        !self.ranking.is_open(standing)
            && self.ranking.placement(standing).cells.iter().all(|(index, _)| *index == last)
    }

    /// The largest difference between a value and what the values after it make it.
    pub fn residual(&self, table: &[f32]) -> f32 {
        let ranking = &self.ranking;
        let movers: Vec<u32> = (0..ranking.standings() as u32).collect();
        (0..ranking.standings())
            .into_par_iter()
            .map(|there| {
                let values = self.row_values(table, there, &movers, 0.0);
                values.into_iter().fold(0f32, |most, (i, value)| most.max((table[i] - value).abs()))
            })
            .reduce(|| 0.0, f32::max)
    }
}

fn by_progress(ranking: &Ranking, class: Class) -> Vec<Vec<u32>> {
    let mut buckets = vec![Vec::new(); usize::from(ranking.pawns) * usize::from(CENTRE) + 1];
    for standing in 0..ranking.standings() {
        let placement = ranking.placement(standing);
        if (placement.home, ranking.is_open(standing)) == class {
            buckets[placement.progress as usize].push(standing as u32);
        }
    }
    buckets
}

/// A turn in the making, by numbers of placements; cells are the mover's path indices.
#[derive(Clone, Copy)]
struct Board {
    own: u16,
    open: bool,
    other: u16,
    other_open: bool,
    singles: u32,
    doubles: u32,
    walls: u32,
}

struct Turn<'a> {
    solver: &'a Solver,
    table: &'a [f32],
    /// Outer doubles at the start of the turn.
    before: u32,
    /// The least value for the other player so far.
    least: f32,
}

impl Turn<'_> {
    /// Plays the values that are left in every way.
    fn play(&mut self, board: &Board, kinds: &[u8]) {
        let solver = self.solver;
        let placement = &solver.ranking.placements[board.own as usize];
        let mut stuck = true;
        for (at, kind) in kinds.iter().enumerate() {
            if kinds[..at].contains(kind) {
                continue;
            }
            let value = VALUES[*kind as usize];
            for (slot, (from, count)) in placement.cells.iter().enumerate() {
                let to = from + value;
                if *from == CENTRE || to > CENTRE || !board.open && to >= RING {
                    continue;
                }
                if solver.passes[*from as usize][*kind as usize] & board.walls != 0 {
                    continue;
                }
                let next = &placement.next[slot][*kind as usize];
                let blocked = board.doubles >> to & 1 != 0;
                let together = *count > 1 && safe() >> from & 1 == 0;
                for (moved, own) in next.iter().enumerate().take(1 + usize::from(together)) {
                    if moved == 0 && blocked || *own == NONE {
                        continue;
                    }
                    stuck = false;
                    let after = self.after(board, *own, to);
                    if kinds.len() == 1 {
                        self.leaf(&after);
                    } else {
                        let mut left = [0; 16];
                        left[..at].copy_from_slice(&kinds[..at]);
                        left[at..kinds.len() - 1].copy_from_slice(&kinds[at + 1..]);
                        self.play(&after, &left[..kinds.len() - 1]);
                    }
                }
            }
        }
        if stuck {
            self.leaf(board);
        }
    }

    fn after(&self, board: &Board, own: u16, to: u8) -> Board {
        let bit = 1 << to;
        let mut after = Board { own, ..*board };
        if (board.singles | board.doubles) & bit != 0 {
            let there = &self.solver.ranking.placements[board.other as usize];
            after.other = there.sent[across(to) as usize];
            after.open = true;
            after.singles &= !bit;
            after.doubles &= !bit;
            after.walls &= !bit;
        }
        after
    }

    fn leaf(&mut self, board: &Board) {
        let ranking = &self.solver.ranking;
        let placement = &ranking.placements[board.own as usize];
        if placement.home == ranking.pawns {
            self.least = 0.0;
            return;
        }
        let own = ranking.standing(board.own, board.open);
        let other = ranking.standing(board.other, board.other_open);
        let aspect = ranking.aspect(own, placement.outer_doubles & !self.before);
        let value = self.table[other * ranking.row() + aspect];
        if value < self.least {
            self.least = value;
        }
    }
}
