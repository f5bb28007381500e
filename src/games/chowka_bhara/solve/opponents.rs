//! The opponents of one class, side by side: everything that a step of a mover needs to know of all
//! of them at once. Their places are called lanes, as those of a vector are.
//!
//! First come the half-states without fresh doubles, whose values lie side by side in a row of the
//! table; then the flagged states with fresh doubles.

use std::ops::Range;

use super::play_search::Opponent;
use super::ranking::{CELLS, Class, Ranking, across};

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
    pub(super) plain: usize,
    /// By lane: what stands in the mover's way.
    pub(super) opponents: Vec<Opponent>,
    /// By lane: its half-state, counted from the first of the class.
    pub(super) places: Vec<u32>,
    /// By lane: its flagged state.
    flagged_states: Vec<u32>,
    /// By flagged state: its lane; [`Opponents::NONE`] outside the class.
    lanes: Vec<u32>,
    /// By cell of the mover: infinity where a lane has pawns there, else 0; empty where none has.
    pub(super) barriers: Vec<Vec<f32>>,
    /// By cell of the mover: the lanes hit there.
    hits: Vec<Vec<HitLane>>,
}

impl Opponents {
    const NONE: u32 = u32::MAX;

    /// Those of a class.
    pub(super) fn new(ranking: &Ranking, class: Class) -> Self {
        let half_states = ranking.class(class);
        let mut seen: Vec<(usize, usize)> =
            half_states.clone().map(|there| (there, ranking.flagged_states(there).start)).collect();
        let plain = seen.len();
        for there in half_states.clone() {
            seen.extend(ranking.flagged_states(there).skip(1).map(|flagged| (there, flagged)));
        }
        let mut lanes = vec![Self::NONE; ranking.rows()];
        for (lane, (_, flagged_state)) in seen.iter().enumerate() {
            lanes[*flagged_state] = lane as u32;
        }
        let opponent = |(there, flagged): &(usize, usize)| {
            let flags = flagged - ranking.flagged_states(*there).start;
            Opponent::new(ranking, *there, ranking.fresh(*there, flags))
        };
        let mut list = Opponents {
            first: half_states.start,
            plain,
            opponents: seen.iter().map(opponent).collect(),
            places: seen.iter().map(|(there, _)| (there - half_states.start) as u32).collect(),
            flagged_states: seen.iter().map(|(_, flagged)| *flagged as u32).collect(),
            lanes,
            barriers: Vec::new(),
            hits: Vec::new(),
        };
        for cell in 0..CELLS as u8 {
            let hits = list.hits_on(ranking, cell, &seen);
            let mut barrier = if hits.is_empty() { Vec::new() } else { vec![0.0; seen.len()] };
            hits.iter().for_each(|hit| barrier[hit.lane as usize] = f32::INFINITY);
            list.barriers.push(barrier);
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
            hits.push(HitLane { lane: lane as u32, after: self.lanes[after], is_double });
        }
        hits
    }

    /// How many lanes there are.
    pub(super) fn len(&self) -> usize {
        self.opponents.len()
    }

    /// The lanes of one block that are hit on a cell.
    pub(super) fn hits(&self, cell: u8, block: &Range<usize>) -> &[HitLane] {
        let hits = &self.hits[usize::from(cell)];
        let start = hits.partition_point(|hit| (hit.lane as usize) < block.start);
        let count = hits[start..].partition_point(|hit| (hit.lane as usize) < block.end);
        &hits[start..start + count]
    }

    /// The flagged state of a lane.
    pub(super) fn flagged_state(&self, lane: usize) -> usize {
        self.flagged_states[lane] as usize
    }

    /// The lane of a flagged state, if it is of this class.
    pub(super) fn lane(&self, flagged_state: usize) -> Option<usize> {
        let lane = self.lanes[flagged_state];
        (lane != Self::NONE).then_some(lane as usize)
    }

    /// Whether a lane can stand against a mover with pawns on these unsafe cells.
    #[inline]
    pub(super) fn is_state(&self, lane: usize, occupied: u32) -> bool {
        let opponent = &self.opponents[lane];
        (opponent.singles | opponent.doubles) & occupied == 0
    }
}
