//! The weights of the evaluation, by the number of players.
//!
//! The unit is a hundredth of a logarithmic unit: 400 are odds of ten to one. `pacru tune` fits and
//! prints them.

use super::features::FEATURES;

/// The weights of one number of players.
pub(crate) type Weights = [i16; FEATURES];

/// The weights for two, three and four players.
pub(crate) const WEIGHTS: [Weights; 3] = include!("tuned.in");

/// The weights for a number of players.
pub(crate) fn weights(seats: usize) -> &'static Weights {
    static ALL: [Weights; 3] = WEIGHTS;
    &ALL[seats.clamp(2, 4) - 2]
}
