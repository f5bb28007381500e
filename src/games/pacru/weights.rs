//! The numbers of the evaluation, by the number of players, as `pacru tune` prints them.
//!
//! They are hundredths of a logarithmic unit: 400 of them are odds of ten to one.

use super::features::FEATURES;

/// Two, three and four players.
pub(super) static WEIGHTS: [[i16; FEATURES]; 3] = [START, START, START];

/// Those for a number of players.
pub(super) fn weights(seats: usize) -> &'static [i16; FEATURES] {
    &WEIGHTS[seats.clamp(2, 4) - 2]
}

const START: [i16; FEATURES] = {
    let mut start = [0; FEATURES];
    start[super::features::MARKERS] = 12;
    let mut mobility = 0;
    while mobility < 10 {
        start[super::features::MOBILITY + mobility] =
            [-120, -60, -20, 0, 10, 20, 28, 36, 44, 55][mobility];
        mobility += 1;
    }
    start[super::features::ATTACKED + 1] = -150;
    start[super::features::ATTACKED + 2] = -60;
    start[super::features::CHEVRON] = 150;
    start[super::features::CHEVRON + 1] = 150;
    start[super::features::CHEVRON + 2] = 150;
    start[super::features::CHEVRON + 3] = 150;
    start
};
