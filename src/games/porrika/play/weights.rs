//! The weights of the evaluation: the output of `porrika tune`, group by group.

use super::features::{SIZE, Weights};

/// Copper to move, then silver to move.
#[rustfmt::skip]
pub(super) const WEIGHTS: Weights = join(
    [
        32, // TEMPO
        106, 19, -9, -20, -32, -27, -20, -77, // NEAR_EGG
        0, 18, -2, -22, -42, -84, -128, -262, // FAR_EGG
        1, -11, -90, -228, -339, // FREE_SERRA
        7, 107, 9, 8, 6, // FREE_GUARDIANS
        0, 39, 62, 39, 21, -26, // HUNTER
        0, -20, -27, -15, 15, 53, // HUNTERS
        56, 29, 20, -20, -29, -40, // GUARD
        43, 7, 6, 3, 6, 0, // GUARDS
        0, 0, -28, 35, 30, // OPEN_AXES
        0, 42, 38, 18, 19, // FREE_AXES
        4, 9, 12, 18, 19, 1, 0, // SERRA_ROW
        33, 9, 1, -35, -42, 48, 0, // GUARDIAN_ROW
        32, 0, 0, // THREATS
        26, 37, 11, -1, 0, // LOCKS
        26, -2, 19, 14, 15, 22, 41, 50, // SAFE_MOVES
        -8, 45, 54, 33, // SAFE_ADVANCES
        43, 28, 2, -41, 0, // STRANDED_SERRA
    ],
    [
        32, // TEMPO
        106, 8, -21, -31, -35, -27, -20, -85, // NEAR_EGG
        0, 17, -25, -35, -58, -98, -150, -278, // FAR_EGG
        0, -1, -105, -253, -377, // FREE_SERRA
        8, 107, 19, 11, 8, // FREE_GUARDIANS
        0, 43, 61, 39, 13, -36, // HUNTER
        0, -32, -33, -15, 17, 57, // HUNTERS
        48, 31, 18, -22, -34, -39, // GUARD
        40, 10, 7, 5, 7, 0, // GUARDS
        0, 0, -34, 43, 30, // OPEN_AXES
        0, 39, 41, 20, 23, // FREE_AXES
        -2, 10, 15, 15, 20, 3, 0, // SERRA_ROW
        34, 15, 3, -36, -58, 62, 0, // GUARDIAN_ROW
        32, 0, 0, // THREATS
        30, 12, 18, 4, 0, // LOCKS
        22, 1, 22, 13, 16, 29, 38, 53, // SAFE_MOVES
        3, 43, 49, 33, // SAFE_ADVANCES
        41, 29, 2, -42, 0, // STRANDED_SERRA
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
