//! Races of two players that are decided: proved bounds on what each can still gain.

use crate::game::Game;
use crate::games::chevrons::filling::{Kind, Position};

/// The most plies that a game of Shacru can still last by the cap on turns without a gain, as a bound on
/// the distance of a win.
const LONG: i32 = 1_000;

/// Whether the seat to move has won or lost whatever is played, and within how many plies the game is
/// over, if the bounds prove it. Markers of Shacru stay, and a player gains at most the neutral fields
/// that its chevrons reach.
pub(super) fn decided<K: Kind>(position: &Position<K>) -> Option<(bool, i32)> {
    if K::POWER || position.seats() != 2 {
        return None;
    }
    let neutral = position.neutral_fields();
    let mover = position.mover();
    let most = |seat: usize| {
        let mut run = position.start_run(seat, neutral);
        while run.step() {}
        position.marker_count(seat) + (run.arrived & neutral).count_ones() as usize
    };
    let markers = |seat: usize| position.marker_count(seat);
    let lead = markers(mover).abs_diff(markers(1 - mover));
    // A lead that is smaller than what is neutral around the other proves nothing.
    if lead == 0 {
        return None;
    }
    if markers(mover) > markers(1 - mover) {
        (markers(mover) > most(1 - mover)).then_some((true, LONG))
    } else {
        (markers(1 - mover) > most(mover)).then_some((false, LONG))
    }
}
