//! Numbers for placements and states, and what hits make of them.
//!
//! The pawns of one player are a multiset of path indices, a *placement*. With its gate it is a
//! *standing*, with the flags of its fresh doubles an *aspect*: what the other player must know of
//! it. A state is the standing of the player about to throw and the aspect of the other one, and
//! its number is `standing * aspects + aspect`, so that all that can follow from a play without a
//! hit lies in one row. Pairs with two colours on an unsafe cell have numbers, too, but are no
//! states; files leave them out.
//!
//! Standings with an open gate come first, then those with a closed one; either by progress, those
//! of equal progress with more pawns home first. A sweep takes them in just these runs.

use std::cmp::Reverse;
use std::collections::HashMap;
use std::ops::Range;

use super::super::geometry::Geometry;
use super::super::position::Position;
use super::super::rule_options::Variant;
use crate::game::Game;

/// Path indices of the board.
pub const CELLS: usize = 25;
/// Cells of the outer ring.
pub const RING: u8 = 16;
/// The centre.
pub const CENTRE: u8 = 24;
/// No such placement.
pub const NONE: u16 = u16::MAX;
/// The values that can be thrown, as steps are numbered by them.
pub const VALUES: [u8; 5] = [1, 2, 3, 4, 8];

/// One placement and what hits make of it.
#[derive(Clone, Debug)]
pub struct Placement {
    /// Different path indices and how many pawns stand there, ascending.
    pub cells: Vec<(u8, u8)>,
    /// By path index: the placement with all pawns there sent home.
    sent: [u16; CELLS],
    /// Unsafe path indices with a pawn, by the own count.
    pub occupied: u32,
    /// Unsafe path indices with one pawn, as the other player counts them.
    pub singles: u32,
    /// The same with more.
    pub doubles: u32,
    /// Unsafe outer path indices with more than one pawn, by the own count: what can be fresh.
    pub outer_doubles: u32,
    /// Sum of the path indices.
    pub progress: u16,
    /// Pawns at home in the centre.
    pub home: u8,
    /// The standing with a closed gate; [`NONE`] if a pawn is inside.
    closed: u16,
}

/// Everything about the placements of so many pawns.
#[derive(Debug)]
pub struct Ranking {
    /// Pawns of a player.
    pub pawns: u8,
    /// By placement. Standings with an open gate are numbered as their placements.
    placements: Vec<Placement>,
    /// By standing beyond the placements: the placement of a closed gate.
    closed: Vec<u16>,
    /// By standing: its first aspect; one more at the end.
    aspects: Vec<u32>,
    /// Placements by their path indices, ascending, the rest zero.
    numbers: HashMap<[u8; 4], u16>,
    /// By gate (open first) and progress: where the standings begin; one more at the end.
    runs: [Vec<usize>; 2],
}

/// Safe path indices.
pub fn safe() -> u32 {
    Geometry::of(5, false).safe(false) as u32
}

/// The other player's path index of the same cell.
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
    all.sort_by_key(|list| (progress(list), Reverse(home(list))));
    all
}

fn progress(list: &[u8]) -> u16 {
    list.iter().map(|index| u16::from(*index)).sum()
}

fn home(list: &[u8]) -> u8 {
    list.iter().filter(|index| **index == CENTRE).count() as u8
}

/// A list of path indices as a key, in whatever order they are.
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
    pub fn new(pawns: u8) -> Self {
        let all = multisets(pawns);
        let numbers: HashMap<_, _> =
            all.iter().enumerate().map(|(number, list)| (key(list), number as u16)).collect();
        let rank = |list: Vec<u8>| numbers.get(&key(&list)).copied().unwrap_or(NONE);
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
        let runs = [Vec::new(), Vec::new()];
        let mut ranking = Ranking { pawns, placements, closed, aspects: vec![0], numbers, runs };
        for standing in 0..ranking.standings() {
            let doubles = ranking.placement(standing).outer_doubles.count_ones();
            let last = ranking.aspects.last().copied().unwrap_or(0);
            ranking.aspects.push(last + (1 << doubles));
        }
        ranking.runs = [true, false].map(|open| ranking.run_starts(open));
        ranking
    }

    fn run_starts(&self, open: bool) -> Vec<usize> {
        let (first, list) = match open {
            true => (0, (0..self.placements.len() as u16).collect()),
            false => (self.placements.len(), self.closed.clone()),
        };
        let progress = |number: &u16| usize::from(self.placements[*number as usize].progress);
        (0..=self.most_progress() + 1)
            .map(|least| first + list.partition_point(|number| progress(number) < least))
            .collect()
    }

    /// The progress of a player whose pawns are all home.
    pub fn most_progress(&self) -> usize {
        usize::from(self.pawns) * usize::from(CENTRE)
    }

    /// The standings with a gate and a progress that have so many pawns home or more.
    pub fn run(&self, open: bool, progress: usize, home: u8) -> Range<usize> {
        let starts = &self.runs[usize::from(!open)];
        let (Some(first), Some(end)) = (starts.get(progress), starts.get(progress + 1)) else {
            return 0..0;
        };
        let these = (*first..*end).take_while(|standing| self.placement(*standing).home >= home);
        *first..first + these.count()
    }

    /// How many standings there are.
    pub fn standings(&self) -> usize {
        self.placements.len() + self.closed.len()
    }

    /// How many aspects there are: the length of a row.
    pub fn row(&self) -> usize {
        self.aspects.last().copied().unwrap_or(0) as usize
    }

    fn placement_of(&self, standing: usize) -> u16 {
        match self.closed.get(standing.wrapping_sub(self.placements.len())) {
            Some(placement) => *placement,
            None => standing as u16,
        }
    }

    /// The placement of a standing, described.
    pub fn placement(&self, standing: usize) -> &Placement {
        &self.placements[self.placement_of(standing) as usize]
    }

    /// Whether the gate of a standing is open.
    pub fn is_open(&self, standing: usize) -> bool {
        standing < self.placements.len()
    }

    /// The standing of a list of path indices and a gate, if there is one.
    pub fn standing(&self, list: &[u8], open: bool) -> Option<usize> {
        let placement = *self.numbers.get(&key(list))?;
        let number = if open { placement } else { self.placements[placement as usize].closed };
        (list.len() == self.pawns as usize && number != NONE).then_some(number as usize)
    }

    /// The standing after all pawns on a path index are sent home.
    pub fn sent(&self, standing: usize, index: u8) -> usize {
        let sent = self.placement(standing).sent[index as usize];
        let closed = || self.placements[sent as usize].closed;
        (if self.is_open(standing) { sent } else { closed() }) as usize
    }

    /// The aspects of a standing; the first is without fresh doubles.
    pub fn aspects(&self, standing: usize) -> Range<usize> {
        self.aspects[standing] as usize..self.aspects[standing + 1] as usize
    }

    /// The aspects of standings in a row.
    pub fn aspects_of(&self, standings: &Range<usize>) -> Range<usize> {
        self.aspects[standings.start] as usize..self.aspects[standings.end] as usize
    }

    /// The aspect of a standing with these fresh doubles (own path indices).
    pub fn aspect(&self, standing: usize, fresh: u32) -> usize {
        let mut doubles = self.placement(standing).outer_doubles;
        let mut flags = 0;
        let mut bit = 1;
        while doubles != 0 {
            if fresh & doubles & doubles.wrapping_neg() != 0 {
                flags |= bit;
            }
            bit <<= 1;
            doubles &= doubles - 1;
        }
        self.aspects[standing] as usize + flags
    }

    /// The fresh doubles of the aspect with so many aspects of the standing before it.
    pub fn fresh(&self, standing: usize, flags: usize) -> u32 {
        let mut doubles = self.placement(standing).outer_doubles;
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

    /// Whether two players can stand like this, and nobody is home.
    pub fn is_state(&self, mover: usize, other: usize) -> bool {
        let (own, there) = (self.placement(mover), self.placement(other));
        own.home < self.pawns
            && there.home < self.pawns
            && own.occupied & (there.singles | there.doubles) == 0
    }

    /// How many states there are, without and with flags of fresh doubles.
    pub fn count(&self) -> (u64, u64) {
        let mut counts = (0, 0);
        self.for_each_run(|run| {
            counts.0 += 1;
            counts.1 += run.len() as u64;
        });
        counts
    }

    /// Visits the numbers of all states in ascending order: those of equal standings, which differ
    /// in fresh doubles, at once.
    pub fn for_each_run(&self, mut visit: impl FnMut(Range<usize>)) {
        (0..self.standings()).for_each(|mover| self.for_each_run_of(mover, &mut visit));
    }

    /// The same for one standing of the player about to throw.
    pub fn for_each_run_of(&self, mover: usize, mut visit: impl FnMut(Range<usize>)) {
        let first = mover * self.row();
        for other in (0..self.standings()).filter(|other| self.is_state(mover, *other)) {
            let aspects = self.aspects(other);
            visit(first + aspects.start..first + aspects.end);
        }
    }

    /// The number of a position about to be thrown on, if it is a state or can be seen as one:
    /// missing pawns are taken as home, pawns too many must be.
    pub fn index(&self, position: &Position) -> Option<usize> {
        let variant = Variant { pawns: position.variant().pawns, ..Variant::default() };
        if *position.variant() != variant || position.seats() != 2 {
            return None;
        }
        let mover = position.side();
        let other = 2 - mover;
        let own = self.standing_of(position, mover)?;
        let there = self.standing_of(position, other)?;
        let geometry = variant.geometry();
        let mut fresh = 0u32;
        for cell in (0..RING).filter(|cell| position.fresh() >> cell & 1 != 0) {
            fresh |= 1 << geometry.index(other, cell);
        }
        Some(own * self.row() + self.aspect(there, fresh))
    }

    fn standing_of(&self, position: &Position, side: usize) -> Option<usize> {
        let (given, open) = (position.pawns(side), position.gate_open(side));
        let pawns = self.pawns as usize;
        let home = given.iter().filter(|index| **index == CENTRE).count();
        let surplus = given.len().saturating_sub(pawns);
        if home < surplus || given.len() != pawns && !open {
            return None;
        }
        let mut list: Vec<u8> = given[..given.len() - surplus].to_vec();
        list.resize(pawns, CENTRE);
        self.standing(&list, open)
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
