//! Perft that can be stopped from outside.

use std::ops::ControlFlow;

use super::Control;
use crate::game::{self, Extent, Game, Unlisted};

/// [`game::perft`] that ends with the count so far when it is stopped.
pub fn perft<G: Game>(
    position: &G,
    depth: u32,
    bulk: bool,
    control: &Control,
) -> Result<u64, Unlisted> {
    // At this depth a subtree takes too little time to check between its moves.
    if depth <= 3 {
        return if control.stopped() { Ok(0) } else { game::perft(position, depth, bulk) };
    }
    if position.extent() != Extent::Listed {
        return Err(Unlisted);
    }
    let mut total = 0;
    let broken = position.for_each_move(|m| {
        let mut next = position.clone();
        next.play(&m);
        match perft(&next, depth - 1, bulk, control) {
            Ok(count) => {
                total += count;
                ControlFlow::Continue(())
            }
            Err(fault) => ControlFlow::Break(fault),
        }
    });
    broken.break_value().map_or(Ok(total), Err)
}
