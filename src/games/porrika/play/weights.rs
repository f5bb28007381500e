//! The weights of the evaluation: the output of `porrika tune`, group by group.

use super::features::{SIZE, Weights};

/// Copper to move, then silver to move.
#[rustfmt::skip]
pub(super) const WEIGHTS: Weights = join(
    [
        36, // TEMPO
        2, 41, 16, 12, 4, -17, -20, -107, // NEAR_EGG
        0, 8, 2, 19, -29, -146, -178, -222, // FAR_EGG
        0, -12, -74, -214, -356, // FREE_SERRA
        28, 43, 11, 6, 28, // FREE_GUARDIANS
        0, 47, 49, 34, 25, -8, // HUNTER
        0, -25, -19, -2, 12, 60, // HUNTERS
        14, 1, 12, 4, -2, 8, // GUARD
        15, 14, 5, 2, -1, -31, // GUARDS
        0, 0, -42, 4, 44, // OPEN_AXES
        0, 25, 17, 22, 37, // FREE_AXES
        18, 18, 24, 14, 1, 0, 0, // SERRA_ROW
        25, 20, 20, 52, 18, 14, 0, // GUARDIAN_ROW
        36, 0, 0, // THREATS
        33, 39, 5, -13, -1, // LOCKS
        7, -3, 39, 25, 36, 54, 31, 29, // SAFE_MOVES
        4, 45, 39, 56, // SAFE_ADVANCES
        32, -5, 85, 34, 0, // STRANDED_SERRA
        0, 0, -6, 20, 25, 25, -24, 8, // LAST_EGG
        0, 23, 16, -8, -19, -14, // LAST_HUNTER
        7, 25, 10, -21, // LAST_ADVANCES
        0, -53, -5, 53, 75, // LAST_SERRA
        -12, 1, 5, 1, -3, 0, // LAST_ESCORT
    ],
    [
        36, // TEMPO
        5, 41, 13, 4, -8, -27, -31, -117, // NEAR_EGG
        0, 7, -8, -4, -62, -149, -182, -243, // FAR_EGG
        0, -10, -81, -238, -394, // FREE_SERRA
        32, 51, 13, 2, 30, // FREE_GUARDIANS
        0, 42, 55, 37, 13, -3, // HUNTER
        0, -30, -20, 2, 18, 67, // HUNTERS
        17, 5, 11, 2, -11, -3, // GUARD
        5, 15, 6, 2, -2, -43, // GUARDS
        0, 0, -46, 5, 43, // OPEN_AXES
        0, 19, 10, 26, 40, // FREE_AXES
        7, 12, 23, 11, 2, 4, 0, // SERRA_ROW
        23, 21, 18, 52, 27, 4, 0, // GUARDIAN_ROW
        36, 0, 0, // THREATS
        34, 36, 6, -13, 0, // LOCKS
        -6, -16, 37, 30, 31, 57, 38, 36, // SAFE_MOVES
        12, 40, 38, 54, // SAFE_ADVANCES
        32, -3, 104, 35, 0, // STRANDED_SERRA
        0, 0, -14, 25, 42, 19, -29, 18, // LAST_EGG
        0, 37, 7, -18, -16, -16, // LAST_HUNTER
        11, 31, 12, -22, // LAST_ADVANCES
        0, -61, 0, 59, 85, // LAST_SERRA
        -9, 2, 2, 6, -3, 0, // LAST_ESCORT
    ],
);

const fn join(copper: [i16; SIZE], silver: [i16; SIZE]) -> Weights {
    let mut weights = [0; 2 * SIZE];
    let mut index = 0;
    while index < SIZE {
        weights[index] = copper[index];
        weights[SIZE + index] = silver[index];
        index += 1;
    }
    weights
}
