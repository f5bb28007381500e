//! Verification: every verdict against those of the successors, by the rules of the game.

use rayon::prelude::*;

use super::{Tablebase, Verdict};
use crate::game::Game;
use crate::games::porrika::rules::{EndReason, Phase, Position, Side};

/// States that are compared at once.
const CHUNK: usize = 1 << 14;

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
    /// Compares the states of every `stride`-th part of the tablebase with their successors, and
    /// returns their number, or the first mismatch. It uses the game's own generator and nothing of
    /// the analysis.
    ///
    /// # Errors
    /// The first mismatch.
    pub fn verify(
        &self,
        stride: usize,
        progress: &(dyn Fn(u64) + Sync),
    ) -> Result<u64, Box<Mismatch>> {
        let states = self.layout.states();
        (0..states.div_ceil(CHUNK))
            .into_par_iter()
            .step_by(stride.max(1))
            .map(|chunk| {
                let numbers = chunk * CHUNK..states.min((chunk + 1) * CHUNK);
                let mut count = 0;
                for number in numbers {
                    for side in [Side::Copper, Side::Silver] {
                        count += u64::from(self.verify_state(number, side)?);
                    }
                }
                progress(count);
                Ok(count)
            })
            .sum()
    }

    /// Whether there is such a state, or the mismatch if its verdict is wrong.
    fn verify_state(&self, number: usize, side: Side) -> Result<bool, Box<Mismatch>> {
        let Some(position) = self.layout.position(number, side) else {
            return Ok(false);
        };
        let stored = self.verdict(number, side);
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
            let verdict = self.verdict_after(&next)?.one_ply_before();
            if best.is_none_or(|best| rank(verdict, side) > rank(best, side)) {
                best = Some(verdict);
            }
        }
        best
    }
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

#[cfg(test)]
mod tests {
    use super::Tablebase;
    use crate::games::porrika::rules::Side;
    use crate::games::porrika::rules::board::{BOARD, DEAD, GOALS, Space, across, spaces};
    use crate::games::porrika::solve::ending::{Ending, FreePieces};

    /// Rows 5 to 7, with walls everywhere else: small enough for two Guardians. The second time
    /// with walls on b6 too, so that the last ways into the Por'rika can be sealed.
    #[test]
    fn two_guardians_and_two_serra_are_solved() {
        let rows_1_to_4 = BOARD & !DEAD & ((1 << 64) - 1);
        let b6 = ["b6n", "b6e", "b6s", "b6w"].map(|name| Space::parse(name.as_bytes()));
        let b6 = b6.into_iter().flatten().fold(0, |set, space| set | space.bit());
        for walls in [rows_1_to_4, rows_1_to_4 | b6] {
            assert_eq!(across(walls), walls, "pairs");
            let home = spaces(GOALS).next().expect("a goal");
            let ending = Ending::new(walls, FreePieces::LastEgg { home, guardians: 2 });
            let table = Tablebase::solve(ending, 2, &|| false, &mut |_, _| ()).expect("solved");
            match table.verify(5, &|_| {}) {
                Ok(states) => assert!(states > 200_000, "{states} states"),
                Err(mismatch) => panic!("{}: {mismatch:?}", mismatch.position),
            }
            let census = table.census(Side::Silver).expect("in memory");
            assert!(census.copper > 0 && census.silver > 0 && census.drawn > 0, "{census:?}");
        }
    }
}
