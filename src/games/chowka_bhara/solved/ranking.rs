//! The numbering of placements and states, and what hits make of them.
//!
//! The pawns of one player are a multiset of path indices, a *placement*. With its gate it is a
//! *half-state*; with the flags of its fresh doubles a *flagged state*, which is all that the
//! opponent must know of it. A state is the half-state of the player about to throw and the flagged
//! state of the opponent. Its number is `flagged_state * row + half_state`, where `row` is the
//! number of half-states, so that what a play leaves to all opponents lies in one row. Pairs with
//! pawns of both players on an unsafe cell have numbers, too, but are no states; files leave them
//! out.
//!
//! Half-states with an open gate come first, by pawns home, then those with a closed gate; within
//! these by progress. So the half-states of a class (gate and pawns home) have consecutive numbers,
//! and so have those of a class with equal progress, a *run*.

use std::collections::HashMap;
use std::ops::Range;

use crate::game::Game;
use crate::games::chowka_bhara::rules::Geometry;
use crate::games::chowka_bhara::rules::{Position, RuleOptions};

/// Path indices of the board.
pub const CELLS: usize = 25;
/// Cells of the outer ring.
pub const RING: u8 = 16;
/// The centre.
pub const CENTRE: u8 = 24;
/// No such placement.
const NONE: u16 = u16::MAX;

/// Half-states of one kind: pawns home, and whether the gate is open.
pub type Class = (u8, bool);

/// One placement and what hits make of it.
#[derive(Clone, Debug)]
pub struct Placement {
    /// Different path indices and how many pawns stand there, ascending.
    pub cells: Vec<(u8, u8)>,
    /// By path index: the placement with all pawns there sent home.
    sent: [u16; CELLS],
    /// Unsafe path indices with a pawn, in the own count.
    pub occupied: u32,
    /// Unsafe path indices with one pawn, as the opponent counts them.
    pub singles: u32,
    /// The same with more.
    pub doubles: u32,
    /// Unsafe outer path indices with more than one pawn, in the own count: what can be fresh.
    pub outer_doubles: u32,
    /// Sum of the path indices.
    pub progress: u16,
    /// Pawns at home in the centre.
    pub home: u8,
    /// The half-state with a closed gate; [`NONE`] if a pawn is inside.
    closed: u16,
}

/// The placements and states of the game with a number of pawns.
#[derive(Debug)]
pub struct Ranking {
    /// Pawns of a player.
    pub pawns: u8,
    /// By placement. Half-states with an open gate have the numbers of their placements.
    placements: Vec<Placement>,
    /// By half-state beyond the placements: the placement of a closed gate.
    closed: Vec<u16>,
    /// By half-state: its first flagged state; one more at the end.
    flagged_states: Vec<u32>,
    /// Placements by their path indices, ascending, the rest zero.
    placement_numbers: HashMap<[u8; 4], u16>,
    /// By class and progress: where the half-states begin; one more at the end of each class. The
    /// class of a closed gate comes last.
    runs: Vec<Vec<usize>>,
}

/// Safe path indices.
#[must_use]
pub fn safe() -> u32 {
    Geometry::of(5, false).safe(false) as u32
}

/// The opponent's path index of the same cell.
#[must_use]
pub fn across(index: u8) -> u8 {
    Geometry::of(5, false).relative(2, index)
}

/// All placements as ascending lists, in the order of their numbers.
fn multisets(pawns: u8) -> Vec<Vec<u8>> {
    let mut all = vec![Vec::new()];
    for _ in 0..pawns {
        all = all
            .iter()
            .flat_map(|list: &Vec<u8>| {
                let lowest = list.last().copied().unwrap_or(0);
                (lowest..=CENTRE).map(move |index| [list.as_slice(), &[index]].concat())
            })
            .collect();
    }
    all.sort_by_key(|list| (home(list), progress(list)));
    all
}

fn progress(list: &[u8]) -> u16 {
    list.iter().map(|index| u16::from(*index)).sum()
}

fn home(list: &[u8]) -> u8 {
    list.iter().filter(|index| **index == CENTRE).count() as u8
}

/// A list of path indices in any order as a key.
fn key(list: &[u8]) -> [u8; 4] {
    let mut key = [0; 4];
    for (place, index) in key.iter_mut().zip(list) {
        *place = *index;
    }
    key[..list.len().min(4)].sort_unstable();
    key
}

impl Ranking {
    /// The tables for 1 to 4 pawns.
    #[must_use]
    pub fn new(pawns: u8) -> Self {
        let all = multisets(pawns);
        let placement_numbers: HashMap<_, _> =
            all.iter().enumerate().map(|(number, list)| (key(list), number as u16)).collect();
        let rank = |list: Vec<u8>| placement_numbers.get(&key(&list)).copied().unwrap_or(NONE);
        let mut closed = Vec::new();
        let mut placements: Vec<Placement> = Vec::new();
        for (number, list) in all.iter().enumerate() {
            let mut placement = describe(list, &rank);
            if list.iter().all(|index| *index < RING) {
                placement.closed = (all.len() + closed.len()) as u16;
                closed.push(number as u16);
            }
            placements.push(placement);
        }
        let mut ranking = Ranking {
            pawns,
            placements,
            closed,
            flagged_states: vec![0],
            placement_numbers,
            runs: Vec::new(),
        };
        for half_state in 0..ranking.half_states() {
            let doubles = ranking.placement(half_state).outer_doubles.count_ones();
            let last = ranking.flagged_states.last().copied().unwrap_or(0);
            ranking.flagged_states.push(last + (1 << doubles));
        }
        let open = (0..=pawns).map(|home| ranking.run_starts(home, true));
        ranking.runs = open.chain([ranking.run_starts(0, false)]).collect();
        ranking
    }

    fn run_starts(&self, home: u8, open: bool) -> Vec<usize> {
        let half_states =
            if open { 0..self.placements.len() } else { self.placements.len()..self.half_states() };
        let of = |half_state: usize| {
            let placement = self.placement(half_state);
            (placement.home, usize::from(placement.progress))
        };
        let list: Vec<_> = half_states.clone().map(of).collect();
        (0..=self.most_progress() + 1)
            .map(|least| half_states.start + list.partition_point(|found| *found < (home, least)))
            .collect()
    }

    /// The progress of a player whose pawns are all home.
    #[must_use]
    pub fn most_progress(&self) -> usize {
        usize::from(self.pawns) * usize::from(CENTRE)
    }

    /// The half-states of a class with one progress, at most [`Ranking::most_progress`].
    #[must_use]
    pub fn run(&self, class: Class, progress: usize) -> Range<usize> {
        let starts = self.starts(class);
        starts[progress]..starts[progress + 1]
    }

    /// The half-states of a class.
    #[must_use]
    pub fn class(&self, class: Class) -> Range<usize> {
        let starts = self.starts(class);
        starts[0]..starts[starts.len() - 1]
    }

    fn starts(&self, (home, open): Class) -> &[usize] {
        let last = self.runs.len() - 1;
        &self.runs[if open { usize::from(home).min(last) } else { last }]
    }

    /// How many half-states there are.
    #[must_use]
    pub fn half_states(&self) -> usize {
        self.placements.len() + self.closed.len()
    }

    /// How many flagged states there are: the number of rows.
    #[must_use]
    pub fn rows(&self) -> usize {
        self.flagged_states.last().copied().unwrap_or(0) as usize
    }

    /// One more than the greatest number of a state.
    #[must_use]
    pub fn numbers(&self) -> usize {
        self.rows() * self.half_states()
    }

    /// The number of a state.
    #[must_use]
    pub fn number(&self, mover: usize, flagged_state: usize) -> usize {
        flagged_state * self.half_states() + mover
    }

    fn placement_of(&self, half_state: usize) -> u16 {
        match self.closed.get(half_state.wrapping_sub(self.placements.len())) {
            Some(placement) => *placement,
            None => half_state as u16,
        }
    }

    /// The placement of a half-state, described.
    #[must_use]
    pub fn placement(&self, half_state: usize) -> &Placement {
        &self.placements[self.placement_of(half_state) as usize]
    }

    /// Whether the gate of a half-state is open.
    #[must_use]
    pub fn is_open(&self, half_state: usize) -> bool {
        half_state < self.placements.len()
    }

    /// The half-state of a list of path indices and a gate, if there is one.
    #[must_use]
    pub fn half_state(&self, list: &[u8], open: bool) -> Option<usize> {
        let placement = *self.placement_numbers.get(&key(list))?;
        let number = if open { placement } else { self.placements[placement as usize].closed };
        (list.len() == self.pawns as usize && number != NONE).then_some(number as usize)
    }

    /// The half-state after all pawns on a path index are sent home.
    #[must_use]
    pub fn sent(&self, half_state: usize, index: u8) -> usize {
        let sent = self.placement(half_state).sent[index as usize];
        let closed = || self.placements[sent as usize].closed;
        (if self.is_open(half_state) { sent } else { closed() }) as usize
    }

    /// The flagged states of a half-state; the first is without fresh doubles.
    #[must_use]
    pub fn flagged_states(&self, half_state: usize) -> Range<usize> {
        self.flagged_states[half_state] as usize..self.flagged_states[half_state + 1] as usize
    }

    /// The half-state of a flagged state.
    #[must_use]
    pub fn half_state_of_row(&self, flagged_state: usize) -> usize {
        self.flagged_states.partition_point(|first| *first as usize <= flagged_state) - 1
    }

    /// The flagged states of consecutive half-states.
    #[must_use]
    pub fn flagged_states_of(&self, half_states: &Range<usize>) -> Range<usize> {
        self.flagged_states[half_states.start] as usize
            ..self.flagged_states[half_states.end] as usize
    }

    /// The flagged state of a half-state with these fresh doubles (own path indices).
    #[must_use]
    pub fn flagged_state(&self, half_state: usize, fresh: u32) -> usize {
        let mut doubles = self.placement(half_state).outer_doubles;
        let mut flags = 0;
        let mut bit = 1;
        while doubles != 0 {
            if fresh & doubles & doubles.wrapping_neg() != 0 {
                flags |= bit;
            }
            bit <<= 1;
            doubles &= doubles - 1;
        }
        self.flagged_states[half_state] as usize + flags
    }

    /// The fresh doubles of a flagged state; `flags` is its place among those of its half-state.
    #[must_use]
    pub fn fresh(&self, half_state: usize, flags: usize) -> u32 {
        let mut doubles = self.placement(half_state).outer_doubles;
        let mut fresh = 0;
        let mut left = flags;
        while doubles != 0 {
            if left & 1 != 0 {
                fresh |= doubles & doubles.wrapping_neg();
            }
            left >>= 1;
            doubles &= doubles - 1;
        }
        fresh
    }

    /// Whether this pair of half-states can occur, and neither player has won.
    #[must_use]
    pub fn is_state(&self, mover: usize, other: usize) -> bool {
        let (own, there) = (self.placement(mover), self.placement(other));
        own.home < self.pawns
            && there.home < self.pawns
            && own.occupied & (there.singles | there.doubles) == 0
    }

    /// How many states there are, without and with flags of fresh doubles.
    #[must_use]
    pub fn count(&self) -> (u64, u64) {
        let mut counts = (0, 0);
        for other in 0..self.half_states() {
            let states: usize = self.states_of(other).map(|run| run.len()).sum();
            counts.0 += states as u64;
            counts.1 += (states * self.flagged_states(other).len()) as u64;
        }
        counts
    }

    /// The movers that can stand against a half-state of the opponent, as ranges.
    fn states_of(&self, other: usize) -> impl Iterator<Item = Range<usize>> {
        let mut next = 0;
        std::iter::from_fn(move || {
            let start = (next..self.half_states()).find(|mover| self.is_state(*mover, other))?;
            let end = (start..self.half_states()).find(|mover| !self.is_state(*mover, other));
            next = end.unwrap_or(self.half_states());
            Some(start..next)
        })
    }

    /// Visits the numbers of all states in ascending order, in ranges.
    pub fn for_each_run(&self, mut visit: impl FnMut(Range<usize>)) {
        (0..self.half_states()).for_each(|other| self.for_each_run_of(other, &mut visit));
    }

    /// The same for one half-state of the opponent.
    pub fn for_each_run_of(&self, other: usize, mut visit: impl FnMut(Range<usize>)) {
        let movers: Vec<_> = self.states_of(other).collect();
        for flagged_state in self.flagged_states(other) {
            let first = self.number(0, flagged_state);
            movers.iter().for_each(|run| visit(first + run.start..first + run.end));
        }
    }

    /// Whether a position is of the game that is solved, with any number of pawns.
    #[must_use]
    pub fn is_of_these_rules(position: &Position) -> bool {
        let pawns = position.options().pawns;
        position.seats() == 2
            && *position.options() == RuleOptions { pawns, ..RuleOptions::default() }
    }

    /// The number of a position at the start of a turn, if it is a state or equivalent to one:
    /// missing pawns count as home, surplus pawns must be home.
    #[must_use]
    pub fn index(&self, position: &Position) -> Option<usize> {
        if !Self::is_of_these_rules(position) {
            return None;
        }
        let mover = position.side();
        let other = 2 - mover;
        let own = self.half_state_of(position, mover)?;
        let there = self.half_state_of(position, other)?;
        let geometry = position.options().geometry();
        let mut fresh = 0u32;
        for cell in (0..RING).filter(|cell| position.fresh() >> cell & 1 != 0) {
            fresh |= 1 << geometry.index(other, cell);
        }
        Some(self.number(own, self.flagged_state(there, fresh)))
    }

    fn half_state_of(&self, position: &Position, side: usize) -> Option<usize> {
        let (given, open) = (position.pawns(side), position.gate_open(side));
        let pawns = self.pawns as usize;
        let home = given.iter().filter(|index| **index == CENTRE).count();
        let surplus = given.len().saturating_sub(pawns);
        if home < surplus || given.len() != pawns && !open {
            return None;
        }
        let mut list: Vec<u8> = given[..given.len() - surplus].to_vec();
        list.resize(pawns, CENTRE);
        self.half_state(&list, open)
    }
}

fn describe(list: &[u8], rank: &dyn Fn(Vec<u8>) -> u16) -> Placement {
    let mut cells: Vec<(u8, u8)> = Vec::new();
    for index in list {
        match cells.last_mut() {
            Some((last, count)) if last == index => *count += 1,
            _ => cells.push((*index, 1)),
        }
    }
    let mut sent = [NONE; CELLS];
    for (index, _) in &cells {
        sent[*index as usize] =
            rank(list.iter().map(|other| if other == index { 0 } else { *other }).collect());
    }
    let unsafe_cells = || cells.iter().filter(|(index, _)| safe() >> index & 1 == 0);
    let set = |keep: fn(u8) -> bool, map: fn(u8) -> u8| {
        unsafe_cells().filter(|(_, n)| keep(*n)).fold(0, |set, (i, _)| set | 1u32 << map(*i))
    };
    Placement {
        sent,
        occupied: set(|count| count > 0, |index| index),
        singles: set(|count| count == 1, across),
        doubles: set(|count| count > 1, across),
        outer_doubles: set(|count| count > 1, |index| index) & ((1 << RING) - 1),
        progress: progress(list),
        home: home(list),
        closed: NONE,
        cells,
    }
}
