//! The numbers of the evaluation, by the number of players.
//!
//! They are hundredths of a logarithmic unit: 400 of them are odds of ten to one. [`PLAIN`] is a
//! first guess. [`WEIGHTS`] is what `pacru tune` makes of it.

use super::features::{ATTACKED, CHEVRON, FEATURES, MARKERS, MOBILITY};

/// The weights of one number of players.
pub(super) type Weights = [i16; FEATURES];

/// Two, three and four players.
pub(super) const WEIGHTS: [Weights; 3] = include!("tuned.in");

/// Those for a number of players.
pub(super) fn weights(seats: usize) -> &'static Weights {
    static ALL: [Weights; 3] = WEIGHTS;
    &ALL[seats.clamp(2, 4) - 2]
}

/// The weights that tuning starts from: markers, mobility, threats and chevrons.
pub(super) const PLAIN: Weights = {
    let mut plain = [0; FEATURES];
    plain[MARKERS] = 12;
    let mut bucket = 0;
    while bucket < BY_MOBILITY.len() {
        plain[MOBILITY + bucket] = BY_MOBILITY[bucket];
        bucket += 1;
    }
    plain[ATTACKED + 1] = -150;
    plain[ATTACKED + 2] = -60;
    let mut chevron = 0;
    while chevron < 4 {
        plain[CHEVRON + chevron] = 150;
        chevron += 1;
    }
    plain
};

const BY_MOBILITY: [i16; 10] = [-120, -60, -20, 0, 10, 20, 28, 36, 44, 55];
