//! Perft: the number of move sequences of a given length.

use std::ops::ControlFlow;

use super::{Game, MoveListing};

/// Perft reached a position whose moves cannot be listed.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("perft reached a position with too many moves to list")]
pub struct Unlisted;

/// The number of move sequences of exactly `depth` plies. Chance outcomes count as moves, without
/// weights; a finished position counts at depth 0 only; repetition is ignored; a pass is a ply.
/// With `bulk` the last ply is counted by [`Game::count_moves`] instead of being played.
pub fn perft<G: Game>(position: &G, depth: u32, bulk: bool) -> Result<u64, Unlisted> {
    perft_until(position, depth, bulk, &|| false).map(Option::unwrap_or_default)
}

/// [`perft`] that ends early once `stopped` says so; `None` then, for a part of a count is no count.
pub fn perft_until<G: Game>(
    position: &G,
    depth: u32,
    bulk: bool,
    stopped: &impl Fn() -> bool,
) -> Result<Option<u64>, Unlisted> {
    if depth == 0 {
        return Ok(Some(1));
    }
    if position.move_listing() != MoveListing::Listed {
        return Err(Unlisted);
    }
    if bulk && depth == 1 {
        return Ok(Some(position.count_moves()));
    }
    let mut total = 0;
    // Asked before every move: a list may hold 100,000 moves, and a subtree of a few plies billions.
    let broken = position.for_each_move(|m| {
        if stopped() {
            return ControlFlow::Break(Ok(None));
        }
        let mut next = position.clone();
        next.play(&m);
        match perft_until(&next, depth - 1, bulk, stopped) {
            Ok(Some(count)) => {
                total += count;
                ControlFlow::Continue(())
            }
            other => ControlFlow::Break(other),
        }
    });
    broken.break_value().unwrap_or(Ok(Some(total)))
}

/// Perft of every move: `depth` counts the move itself.
pub fn divide<G: Game>(position: &G, depth: u32) -> Result<Vec<(G::Move, u64)>, Unlisted> {
    if position.move_listing() != MoveListing::Listed {
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
