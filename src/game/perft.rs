//! Perft: the number of move sequences of a given length.

use std::ops::ControlFlow;

use super::{Extent, Game};

/// Perft reached a position whose moves cannot be listed.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("perft reached a position with too many moves to list")]
pub struct Unlisted;

/// The number of move sequences of exactly `depth` plies. Chance outcomes count as moves, without
/// weights; a finished position counts at depth 0 only; repetition is ignored; a pass is a ply.
/// With `bulk` the last ply is counted by [`Game::count_moves`] instead of being played.
pub fn perft<G: Game>(position: &G, depth: u32, bulk: bool) -> Result<u64, Unlisted> {
    if depth == 0 {
        return Ok(1);
    }
    if position.extent() != Extent::Listed {
        return Err(Unlisted);
    }
    if bulk && depth == 1 {
        return Ok(position.count_moves());
    }
    let mut total = 0;
    let broken = position.for_each_move(|m| {
        let mut next = position.clone();
        next.play(&m);
        match perft(&next, depth - 1, bulk) {
            Ok(count) => {
                total += count;
                ControlFlow::Continue(())
            }
            Err(fault) => ControlFlow::Break(fault),
        }
    });
    broken.break_value().map_or(Ok(total), Err)
}

/// Perft of every move: `depth` counts the move itself.
pub fn divide<G: Game>(position: &G, depth: u32) -> Result<Vec<(G::Move, u64)>, Unlisted> {
    if position.extent() != Extent::Listed {
        return Err(Unlisted);
    }
    position
        .moves()
        .into_iter()
        .map(|m| {
            let mut next = position.clone();
            next.play(&m);
            Ok((m, perft(&next, depth.saturating_sub(1), true)?))
        })
        .collect()
}
