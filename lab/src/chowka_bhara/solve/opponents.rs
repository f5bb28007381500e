//! The opponents of one class, side by side: everything that a step of a mover needs to know of all
//! of them at once. Their places are called lanes, as those of a vector are.
//!
//! First come the half-states without fresh doubles, whose values lie side by side in a row of the
//! table; then the flagged states with fresh doubles.

use std::ops::Range;

use parlor::games::chowka_bhara::solved::{CELLS, Class, Ranking, across};

use super::play_search::Opponent;

/// How many lanes are taken at once; what is found for them fits the cache.
pub(super) const BLOCK: usize = 1024;

/// A lane that is hit on a cell.
#[derive(Clone, Copy, Debug)]
pub(super) struct HitLane {
    pub(super) lane: u32,
    /// The lane of the opponent after the hit.
    pub(super) after: u32,
    /// Whether only two pawns together hit it.
    pub(super) is_double: bool,
}

/// All flagged states of one class.
#[derive(Debug)]
pub(super) struct Opponents {
    /// The first half-state of the class.
    pub(super) first: usize,
    /// How many lanes are without fresh doubles.
    plain: usize,
    /// By lane: what stands in the mover's way.
    pub(super) opponents: Vec<Opponent>,
    /// By lane: its fresh doubles, and its pawns on unsafe cells, by cell of the mover.
    pub(super) blocked: Vec<u16>,
    occupied: Vec<u32>,
    /// By lane: its half-state, counted from the first of the class.
    pub(super) places: Vec<u32>,
    /// By lane: its flagged state.
    flagged_states: Vec<u32>,
    /// The rows of the table that are theirs, and by row the lane.
    pub(super) rows: Range<usize>,
    lanes: Vec<u32>,
    /// By cell of the mover: infinity where a lane has pawns there, else 0; empty where none has.
    pub(super) barriers: Vec<Vec<f32>>,
    /// By cell of the mover: the lanes hit there, and by block where they begin.
    hits: Vec<Vec<HitLane>>,
    hit_starts: Vec<Vec<u32>>,
}

impl Opponents {
    /// Those of a class.
    pub(super) fn new(ranking: &Ranking, class: Class) -> Self {
        let half_states = ranking.class(class);
        let mut seen: Vec<(usize, usize)> =
            half_states.clone().map(|there| (there, ranking.flagged_states(there).start)).collect();
        let plain = seen.len();
        for there in half_states.clone() {
            seen.extend(ranking.flagged_states(there).skip(1).map(|flagged| (there, flagged)));
        }
        let rows = ranking.flagged_states_of(&half_states);
        let mut lanes = vec![0; rows.len()];
        for (lane, (_, flagged_state)) in seen.iter().enumerate() {
            lanes[flagged_state - rows.start] = lane as u32;
        }
        let opponent = |(there, flagged): &(usize, usize)| {
            let flags = flagged - ranking.flagged_states(*there).start;
            Opponent::new(ranking, *there, ranking.fresh(*there, flags))
        };
        let opponents: Vec<Opponent> = seen.iter().map(opponent).collect();
        let mut list = Opponents {
            first: half_states.start,
            plain,
            blocked: opponents.iter().map(|opponent| opponent.blocks).collect(),
            occupied: opponents.iter().map(|one| one.singles | one.doubles).collect(),
            opponents,
            places: seen.iter().map(|(there, _)| (there - half_states.start) as u32).collect(),
            flagged_states: seen.iter().map(|(_, flagged)| *flagged as u32).collect(),
            rows,
            lanes,
            barriers: Vec::new(),
            hits: Vec::new(),
            hit_starts: Vec::new(),
        };
        for cell in 0..CELLS as u8 {
            let hits = list.hits_on(ranking, cell, &seen);
            let mut barrier = if hits.is_empty() { Vec::new() } else { vec![0.0; seen.len()] };
            hits.iter().for_each(|hit| barrier[hit.lane as usize] = f32::INFINITY);
            list.barriers.push(barrier);
            let start = |lane| hits.partition_point(|hit| (hit.lane as usize) < lane) as u32;
            let starts = list.blocks().map(|block| start(block.start));
            list.hit_starts.push(starts.chain([hits.len() as u32]).collect());
            list.hits.push(hits);
        }
        list
    }

    fn hits_on(&self, ranking: &Ranking, cell: u8, seen: &[(usize, usize)]) -> Vec<HitLane> {
        let mut hits = Vec::new();
        for (lane, (opponent, (there, flagged))) in self.opponents.iter().zip(seen).enumerate() {
            if !opponent.is_hit(cell) {
                continue;
            }
            let flags = flagged - ranking.flagged_states(*there).start;
            let fresh = ranking.fresh(*there, flags) & !(1 << across(cell));
            let after = ranking.flagged_state(ranking.sent(*there, across(cell)), fresh);
            let is_double = opponent.doubles >> cell & 1 != 0;
            hits.push(HitLane { lane: lane as u32, after: self.lane(after) as u32, is_double });
        }
        hits
    }

    /// How many lanes there are.
    pub(super) fn len(&self) -> usize {
        self.opponents.len()
    }

    /// The lanes in blocks: first those without fresh doubles.
    pub(super) fn blocks(&self) -> impl Iterator<Item = Range<usize>> {
        let of = |lanes: Range<usize>| {
            let end = lanes.end;
            lanes.step_by(BLOCK).map(move |start| start..(start + BLOCK).min(end))
        };
        of(0..self.plain).chain(of(self.plain..self.len()))
    }

    /// Whether no lane of a block has fresh doubles.
    #[inline]
    pub(super) fn is_plain(&self, block: &Range<usize>) -> bool {
        block.start < self.plain
    }

    /// The lanes of one block that are hit on a cell.
    pub(super) fn hits(&self, cell: u8, block: &Range<usize>) -> &[HitLane] {
        let starts = &self.hit_starts[usize::from(cell)];
        let number = match self.is_plain(block) {
            true => block.start / BLOCK,
            false => self.plain.div_ceil(BLOCK) + (block.start - self.plain) / BLOCK,
        };
        &self.hits[usize::from(cell)][starts[number] as usize..starts[number + 1] as usize]
    }

    /// The flagged state of a lane.
    pub(super) fn flagged_state(&self, lane: usize) -> usize {
        self.flagged_states[lane] as usize
    }

    /// The lane of a flagged state of this class.
    pub(super) fn lane(&self, flagged_state: usize) -> usize {
        self.lanes[flagged_state - self.rows.start] as usize
    }

    /// Whether a lane can stand against a mover with pawns on these unsafe cells.
    #[inline]
    pub(super) fn is_state(&self, lane: usize, occupied: u32) -> bool {
        self.occupied[lane] & occupied == 0
    }
}
