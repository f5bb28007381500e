//! The weights of the evaluation, by the number of players.
//!
//! The unit is a hundredth of a logarithmic unit: 400 are odds of ten to one. `parlor-lab pacru tune`
//! fits and writes them.

use super::features::FEATURES;
use crate::search::weight_text;

/// The weights of one number of players.
pub type Weights = [i16; FEATURES];

/// The weights for two, three and four players.
pub const WEIGHTS: [Weights; 3] = {
    let all: [i16; 3 * FEATURES] =
        weight_text::read(include_str!("../../../../data/pacru-weights.txt"));
    let mut weights = [[0; FEATURES]; 3];
    let mut at = 0;
    while at < all.len() {
        weights[at / FEATURES][at % FEATURES] = all[at];
        at += 1;
    }
    weights
};

/// The weights for a number of players.
#[must_use]
pub fn weights(seats: usize) -> &'static Weights {
    static ALL: [Weights; 3] = WEIGHTS;
    &ALL[seats.clamp(2, 4) - 2]
}
