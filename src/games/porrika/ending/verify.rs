//! Every verdict of a table against the verdicts of its successors, by the rules of the game.

use rayon::prelude::*;

use super::{Ending, Verdict, later};
use crate::game::Game;
use crate::games::porrika::board::{Set, Space, across, spaces};
use crate::games::porrika::position::{Ending as Reason, Phase, Position, RuleSet, Side};

/// A state whose verdict is not the best of its successors.
#[derive(Clone, PartialEq, Debug)]
pub struct Mistake {
    /// The state.
    pub position: Position,
    /// What the table says.
    pub told: Option<Verdict>,
    /// What follows from the successors.
    pub right: Option<Verdict>,
}

impl Ending {
    /// Compares every state, or those of every `stride`-th pair of eggs, with its successors. The
    /// moves are those of the game's generator; nothing of the analysis is used. The number of
    /// states, or the first mistake found.
    pub fn verify(
        &self,
        stride: usize,
        progress: &(dyn Fn(u64) + Sync),
    ) -> Result<u64, Box<Mistake>> {
        let pairs = (0..self.places.pairs()).into_par_iter().step_by(stride.max(1));
        pairs
            .map(|pair| {
                let count = self.verify_pair(pair)?;
                progress(count);
                Ok(count)
            })
            .sum()
    }

    fn verify_pair(&self, pair: usize) -> Result<u64, Box<Mistake>> {
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

    /// Whether there is such a state; the mistake if its verdict is wrong.
    fn verify_state(
        &self,
        eggs: [Space; 2],
        guardian: Space,
        serra: Space,
        side: Side,
    ) -> Result<bool, Box<Mistake>> {
        let Some(position) = self.position(eggs, guardian, serra, side) else {
            return Ok(false);
        };
        let told = self.verdict(eggs, guardian, serra, side);
        let right = match position.phase() {
            // Over already: not in the table, or marked as such.
            Phase::Over(Reason::EggsHome | Reason::EggCaptured) => None,
            Phase::Over(_) => Some(Verdict::SilverWins(0)),
            _ => self.best(&position),
        };
        if told == right {
            return Ok(right.is_some_and(|verdict| verdict != Verdict::SilverWins(0)));
        }
        Err(Box::new(Mistake { position, told, right }))
    }

    /// The verdict that follows from the successors.
    fn best(&self, position: &Position) -> Option<Verdict> {
        let side = position.side();
        let mut best: Option<Verdict> = None;
        for m in position.moves() {
            let mut next = *position;
            next.play(&m);
            let verdict = later(self.verdict_after(&next)?);
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
        let (guard, bird) = (guardian.bit(), serra.bit());
        let clash = eggs & (guard | bird) | guard & bird;
        if clash != 0 {
            return None;
        }
        // Of each pair in the walls, one is a Guardian and one a Ser'ra: which, does not matter.
        let guards = halves(walls);
        let pieces = [eggs, guards | guard, walls & !guards | bird];
        Position::new(pieces, side, RuleSet::default()).ok()
    }
}

/// One space of each pair that faces each other.
fn halves(walls: Set) -> Set {
    spaces(walls).fold(0, |half, space| match across(space.bit()) & half {
        0 => half | space.bit(),
        _ => half,
    })
}

/// How good a verdict is for a side: quick wins, draws, slow losses.
fn rank(verdict: Verdict, side: Side) -> i32 {
    let rank = match verdict {
        Verdict::Drawn => 0,
        Verdict::CopperWins(plies) => 10_000 - plies as i32,
        Verdict::SilverWins(plies) => plies as i32 - 10_000,
    };
    if side == Side::Copper { rank } else { -rank }
}
