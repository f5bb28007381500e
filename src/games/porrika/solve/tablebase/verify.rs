//! Verification: every verdict against those of the successors, by the rules of the game.

use rayon::prelude::*;

use super::{Tablebase, Verdict, one_ply_before};
use crate::game::Game;
use crate::games::porrika::rules::board::{Set, Space, across, spaces};
use crate::games::porrika::rules::{EndReason, Phase, Position, RuleOptions, Side};

/// A state whose verdict does not follow from its successors.
#[derive(Clone, PartialEq, Debug)]
pub struct Mismatch {
    /// The state.
    pub position: Position,
    /// The verdict in the tablebase.
    pub stored: Option<Verdict>,
    /// What follows from the successors.
    pub expected: Option<Verdict>,
}

impl Tablebase {
    /// Compares the states of every `stride`-th pair of egg places with their successors, and
    /// returns their number, or the first mismatch. It uses the game's own generator and nothing of
    /// the analysis.
    pub fn verify(
        &self,
        stride: usize,
        progress: &(dyn Fn(u64) + Sync),
    ) -> Result<u64, Box<Mismatch>> {
        let pairs = (0..self.places.pairs()).into_par_iter().step_by(stride.max(1));
        pairs
            .map(|pair| {
                let count = self.verify_pair(pair)?;
                progress(count);
                Ok(count)
            })
            .sum()
    }

    fn verify_pair(&self, pair: usize) -> Result<u64, Box<Mismatch>> {
        let width = self.places.width();
        let eggs = self.places.eggs_of(pair);
        let mut count = 0;
        for guardian in (0..width).map(|column| self.places.piece_of(column)) {
            for serra in (0..width).map(|column| self.places.piece_of(column)) {
                for side in [Side::Copper, Side::Silver] {
                    count += u64::from(self.verify_state(eggs, guardian, serra, side)?);
                }
            }
        }
        Ok(count)
    }

    /// Whether there is such a state, or the mismatch if its verdict is wrong.
    fn verify_state(
        &self,
        eggs: [Space; 2],
        guardian: Space,
        serra: Space,
        side: Side,
    ) -> Result<bool, Box<Mismatch>> {
        let Some(position) = self.position(eggs, guardian, serra, side) else {
            return Ok(false);
        };
        let stored = self.verdict(eggs, guardian, serra, side);
        let expected = match position.phase() {
            // The game is over: the state is absent, or stored as won for silver in 0 plies.
            Phase::Over(EndReason::EggsHome | EndReason::EggCaptured) => None,
            Phase::Over(_) => Some(Verdict::SilverWins(0)),
            _ => self.best(&position),
        };
        if stored == expected {
            return Ok(expected.is_some_and(|verdict| verdict != Verdict::SilverWins(0)));
        }
        Err(Box::new(Mismatch { position, stored, expected }))
    }

    /// The verdict that follows from the successors.
    fn best(&self, position: &Position) -> Option<Verdict> {
        let side = position.side();
        let mut best: Option<Verdict> = None;
        for m in position.moves() {
            let mut next = *position;
            next.play(&m);
            let verdict = one_ply_before(self.verdict_after(&next)?);
            if best.is_none_or(|best| rank(verdict, side) > rank(best, side)) {
                best = Some(verdict);
            }
        }
        best
    }

    /// The position of a state, if it is one.
    fn position(
        &self,
        eggs: [Space; 2],
        guardian: Space,
        serra: Space,
        side: Side,
    ) -> Option<Position> {
        let walls = self.places.walls;
        let eggs = eggs[0].bit() | eggs[1].bit();
        let (guard, hunter) = (guardian.bit(), serra.bit());
        let clash = eggs & (guard | hunter) | guard & hunter;
        if clash != 0 {
            return None;
        }
        // Each pair in the walls is a Guardian and a Ser'ra; either order gives the same verdict.
        let guards = halves(walls);
        let pieces = [eggs, guards | guard, walls & !guards | hunter];
        Position::new(pieces, side, RuleOptions::default()).ok()
    }
}

/// One space of each locked pair.
fn halves(walls: Set) -> Set {
    spaces(walls).fold(0, |half, space| match across(space.bit()) & half {
        0 => half | space.bit(),
        _ => half,
    })
}

/// Orders verdicts for a side: quick wins, slow wins, draws, slow losses, quick losses.
fn rank(verdict: Verdict, side: Side) -> i32 {
    let rank = match verdict {
        Verdict::Drawn => 0,
        Verdict::CopperWins(plies) => 10_000 - plies as i32,
        Verdict::SilverWins(plies) => plies as i32 - 10_000,
    };
    if side == Side::Copper { rank } else { -rank }
}
