//! The weights of the evaluation: the output of `porrika tune`, group by group.

use super::evaluation::{SIZE, Weights};

/// Copper to move, then silver to move.
#[rustfmt::skip]
pub const WEIGHTS: Weights = join(
    [
        10, // TEMPO
        300, 120, 70, 30, 0, -30, -60, -90, // NEAR_EGG
        600, 300, 150, 60, 0, -60, -120, -180, // FAR_EGG
        600, 250, 60, -40, -100, // FREE_SERRA
        -150, -60, 0, 40, 80, // FREE_GUARDIANS
        -60, -30, -10, 0, 0, 0, // HUNTER
        -20, -10, -5, 0, 0, 0, // HUNTERS
        20, 10, 0, 0, 0, 0, // GUARD
        8, 4, 0, 0, 0, 0, // GUARDS
        -600, -250, -80, -20, 0, // OPEN_AXES
        -40, -20, -10, 0, 10, // FREE_AXES
        0, 0, 0, 0, 0, 0, 0, // SERRA_ROW
        -10, 0, 5, 5, 5, 0, -30, // GUARDIAN_ROW
        0, -60, -200, // THREATS
        0, 30, 60, 80, 100, // LOCKS
        -60, -20, 0, 10, 15, 20, 22, 24, // SAFE_MOVES
        -30, 0, 20, 30, // SAFE_ADVANCES
        0, 40, 80, 120, 160, // STRANDED_SERRA
    ],
    [
        -10, // TEMPO
        300, 120, 70, 30, 0, -30, -60, -90, // NEAR_EGG
        600, 300, 150, 60, 0, -60, -120, -180, // FAR_EGG
        600, 250, 60, -40, -100, // FREE_SERRA
        -150, -60, 0, 40, 80, // FREE_GUARDIANS
        -60, -30, -10, 0, 0, 0, // HUNTER
        -20, -10, -5, 0, 0, 0, // HUNTERS
        20, 10, 0, 0, 0, 0, // GUARD
        8, 4, 0, 0, 0, 0, // GUARDS
        -600, -250, -80, -20, 0, // OPEN_AXES
        -40, -20, -10, 0, 10, // FREE_AXES
        0, 0, 0, 0, 0, 0, 0, // SERRA_ROW
        -10, 0, 5, 5, 5, 0, -30, // GUARDIAN_ROW
        0, -1500, -2000, // THREATS
        0, 30, 60, 80, 100, // LOCKS
        -60, -20, 0, 10, 15, 20, 22, 24, // SAFE_MOVES
        -30, 0, 20, 30, // SAFE_ADVANCES
        0, 40, 80, 120, 160, // STRANDED_SERRA
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
