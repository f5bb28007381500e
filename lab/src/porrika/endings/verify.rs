//! Verification: every verdict against those of the successors, by the rules of the game.

use parlor::game::Game;
use parlor::games::porrika::board::{across, spaces};
use parlor::games::porrika::solved::{FreePieces, Layout, Tablebase, Verdict, pair_of};
use parlor::games::porrika::{EndReason, Phase, Position, PositionError, RuleOptions, Side};
use rayon::prelude::*;

use super::last_egg::pieces_of;

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

/// Compares the states of every `stride`-th part of a tablebase with their successors, and returns
/// their number, or the first mismatch. It uses the game's own generator and nothing of the
/// analysis.
///
/// # Errors
/// The first mismatch.
pub fn verify(
    tablebase: &Tablebase,
    stride: usize,
    progress: &(dyn Fn(u64) + Sync),
) -> Result<u64, Box<Mismatch>> {
    let layout = Layout::new(tablebase.ending());
    let states = layout.states();
    (0..states.div_ceil(CHUNK))
        .into_par_iter()
        .step_by(stride.max(1))
        .map(|chunk| {
            let mut count = 0;
            for number in chunk * CHUNK..states.min((chunk + 1) * CHUNK) {
                for side in [Side::Copper, Side::Silver] {
                    count += u64::from(verify_state(tablebase, &layout, number, side)?);
                }
            }
            progress(count);
            Ok(count)
        })
        .sum()
}

/// Whether there is such a state, or the mismatch if its verdict is wrong.
fn verify_state(
    tablebase: &Tablebase,
    layout: &Layout,
    number: usize,
    side: Side,
) -> Result<bool, Box<Mismatch>> {
    let Some(position) = position_of(layout, number, side) else {
        return Ok(false);
    };
    let stored = tablebase.verdict(number, side);
    let expected = match position.phase() {
        // The game is over: the state is absent, or stored as won for silver in 0 plies.
        Phase::Over(EndReason::EggsHome | EndReason::EggCaptured) => None,
        Phase::Over(_) => Some(Verdict::SilverWins(0)),
        _ => best(tablebase, &position),
    };
    if stored == expected {
        return Ok(expected.is_some_and(|verdict| verdict != Verdict::SilverWins(0)));
    }
    Err(Box::new(Mismatch { position, stored, expected }))
}

/// The position with a number; `None` if there is none. It may be over.
fn position_of(layout: &Layout, number: usize, side: Side) -> Option<Position> {
    let (places, width) = (&layout.places, layout.places.width());
    let [eggs, guards, serra] = match layout.ending.free() {
        FreePieces::TwoEggs => {
            let (triple, serra) = (number / width, places.piece_of(number % width).bit());
            [places.eggs_of(triple / width), places.piece_of(triple % width).bit(), serra]
        }
        FreePieces::LastEgg { home, guardians } => {
            let pairs = places.piece_pairs();
            let (egg, guards) = pieces_of(layout, guardians, number / pairs);
            let [one, other] = pair_of(number % pairs).map(|column| places.piece_of(column));
            [home.bit() | egg.bit(), guards, one.bit() | other.bit()]
        }
    };
    let walls = layout.ending.walls();
    if walls & (eggs | guards | serra) | eggs & guards | (eggs | guards) & serra != 0 {
        return None;
    }
    // Each pair of the walls is a Guardian and a Ser'ra; either order gives the same verdict.
    let locked = spaces(walls).map(|space| space.bit()).filter(|bit| *bit < across(*bit));
    let locked = locked.fold(0, |set, bit| set | bit);
    let pieces = [eggs, guards | locked, serra | walls & !locked];
    let position = Position::from_pieces(pieces, side, RuleOptions::default());
    match position.validate() {
        // More walls than the game has pairs are good for a test.
        Ok(()) | Err(PositionError::TooMany { .. }) => Some(position),
        Err(_) => None,
    }
}

/// The verdict that follows from the successors.
fn best(tablebase: &Tablebase, position: &Position) -> Option<Verdict> {
    let side = position.side();
    let mut best: Option<Verdict> = None;
    for m in position.moves() {
        let mut next = *position;
        next.play(&m);
        let verdict = tablebase.verdict_after(&next)?.one_ply_before();
        if best.is_none_or(|best| rank(verdict, side) > rank(best, side)) {
            best = Some(verdict);
        }
    }
    best
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
