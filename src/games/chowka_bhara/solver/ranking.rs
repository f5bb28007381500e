//! Numbers for placements and states, and tables of what steps and hits make of them.
//!
//! The pawns of one player are a multiset of path indices, a *placement*. With its gate it is a
//! *standing*, with the flags of its fresh doubles an *aspect*: what the other player must know of
//! it. A state is the standing of the player about to throw and the aspect of the other one, and
//! its number is `standing * aspects + aspect`, so that all that can follow from a play without a
//! hit lies in one row. States with two colours on an unsafe cell have numbers, too, but are none.

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

/// One placement and what steps make of it.
#[derive(Clone, Debug)]
pub struct Placement {
    /// Different path indices and how many pawns stand there, ascending.
    pub cells: Vec<(u8, u8)>,
    /// By cell of `cells`, value and pawns moved less one: the placement after it.
    pub next: Vec<[[u16; 2]; 5]>,
    /// By path index: the placement with all pawns there sent home.
    pub sent: [u16; CELLS],
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
    pub closed: u16,
}

/// Everything about the placements of so many pawns.
#[derive(Debug)]
pub struct Ranking {
    /// Pawns of a player.
    pub pawns: u8,
    /// By placement. Standings with an open gate are numbered as their placements.
    pub placements: Vec<Placement>,
    /// By standing beyond the placements: the placement of a closed gate.
    pub closed: Vec<u16>,
    /// By standing: its first aspect; one more at the end.
    pub aspects: Vec<u32>,
}

/// Safe path indices.
pub fn safe() -> u32 {
    Geometry::of(5, false).safe(false) as u32
}

/// The other player's path index of the same cell.
pub fn across(index: u8) -> u8 {
    Geometry::of(5, false).relative(2, index)
}

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
    all
}

impl Ranking {
    /// The tables for 1 to 4 pawns.
    pub fn new(pawns: u8) -> Self {
        let all = multisets(pawns);
        let rank = |mut list: Vec<u8>| {
            list.sort_unstable();
            all.binary_search(&list).map_or(NONE, |rank| rank as u16)
        };
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
        let mut ranking = Ranking { pawns, placements, closed, aspects: vec![0] };
        for standing in 0..ranking.standings() {
            let doubles = ranking.placement(standing).outer_doubles.count_ones();
            let last = ranking.aspects.last().copied().unwrap_or(0);
            ranking.aspects.push(last + (1 << doubles));
        }
        ranking
    }

    /// How many standings there are.
    pub fn standings(&self) -> usize {
        self.placements.len() + self.closed.len()
    }

    /// How many aspects there are: the length of a row.
    pub fn row(&self) -> usize {
        self.aspects.last().copied().unwrap_or(0) as usize
    }

    /// The placement of a standing.
    pub fn placement_of(&self, standing: usize) -> u16 {
        match self.closed.get(standing.wrapping_sub(self.placements.len())) {
            Some(placement) => *placement,
            None => standing as u16,
        }
    }

    /// The same, described.
    pub fn placement(&self, standing: usize) -> &Placement {
        &self.placements[self.placement_of(standing) as usize]
    }

    /// Whether the gate of a standing is open.
    pub fn is_open(&self, standing: usize) -> bool {
        standing < self.placements.len()
    }

    /// The standing of a placement and a gate.
    pub fn standing(&self, placement: u16, open: bool) -> usize {
        if open { placement as usize } else { self.placements[placement as usize].closed as usize }
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
            && own.occupied() & (there.singles | there.doubles) == 0
    }

    /// How many states there are, without and with flags of fresh doubles.
    pub fn count(&self) -> (u64, u64) {
        let mut counts = (0, 0);
        for mover in 0..self.standings() {
            for other in 0..self.standings() {
                if self.is_state(mover, other) {
                    counts.0 += 1;
                    counts.1 += u64::from(self.aspects[other + 1] - self.aspects[other]);
                }
            }
        }
        counts
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
        let matches = |placement: &Placement| {
            let mut at = list.as_slice();
            placement.cells.iter().all(|(index, count)| {
                let (these, rest) = at.split_at((*count as usize).min(at.len()));
                at = rest;
                these.len() == *count as usize && these.iter().all(|i| i == index)
            })
        };
        // Placements are in the order of their lists.
        let found = self.placements.partition_point(|placement| {
            let own =
                placement.cells.iter().flat_map(|(i, n)| std::iter::repeat_n(*i, *n as usize));
            own.lt(list.iter().copied())
        });
        let placement = self.placements.get(found).filter(|placement| matches(placement))?;
        if open { Some(found) } else { Some(placement.closed as usize) }
            .filter(|standing| *standing != NONE as usize)
    }
}

impl Placement {
    /// Unsafe own path indices with a pawn.
    fn occupied(&self) -> u32 {
        let cells = self.cells.iter().filter(|(index, _)| safe() >> index & 1 == 0);
        cells.fold(0, |set, (index, _)| set | 1 << index)
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
    let step = |from: u8, value: u8, moved: usize| {
        let mut after = list.to_vec();
        let mut left = moved;
        for index in &mut after {
            if *index == from && left > 0 {
                (*index, left) = (*index + value, left - 1);
            }
        }
        if left > 0 || from + value > CENTRE { NONE } else { rank(after) }
    };
    let next = cells
        .iter()
        .map(|(from, _)| VALUES.map(|value| [step(*from, value, 1), step(*from, value, 2)]))
        .collect();
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
        next,
        sent,
        singles: set(|count| count == 1, across),
        doubles: set(|count| count > 1, across),
        outer_doubles: set(|count| count > 1, |index| index) & ((1 << RING) - 1),
        progress: list.iter().map(|index| u16::from(*index)).sum(),
        home: list.iter().filter(|index| **index == CENTRE).count() as u8,
        closed: NONE,
        cells,
    }
}
