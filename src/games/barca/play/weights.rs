//! The weights of the terms, in hundredths, in the order of [`super::terms::term`].

use super::terms::term;

#[rustfmt::skip]
/// The hand-written weights that `barca tune` starts from; player `plain` uses them.
pub(crate) const INITIAL: [i16; term::COUNT] = [
    // SQUARE: mice
    0, 0, 0, 0, 0,
    0, 4, 4, 4, 4,
    0, 4, 8, 8, 8,
    0, 4, 8, 12, 8,
    0, 4, 8, 8, 8,
    0, 4, 8, 8, 8,
    0, 4, 8, 12, 8,
    0, 4, 8, 8, 8,
    0, 4, 4, 4, 4,
    0, 0, 0, 0, 0,
    // SQUARE: lions
    0, 0, 0, 0, 0,
    0, 4, 4, 4, 4,
    0, 4, 8, 8, 8,
    0, 4, 8, 12, 8,
    0, 4, 8, 8, 8,
    0, 4, 8, 8, 8,
    0, 4, 8, 12, 8,
    0, 4, 8, 8, 8,
    0, 4, 4, 4, 4,
    0, 0, 0, 0, 0,
    // SQUARE: elephants
    0, 0, 0, 0, 0,
    0, 4, 4, 4, 4,
    0, 4, 8, 8, 8,
    0, 4, 8, 12, 8,
    0, 4, 8, 8, 8,
    0, 4, 8, 8, 8,
    0, 4, 8, 12, 8,
    0, 4, 8, 8, 8,
    0, 4, 4, 4, 4,
    0, 0, 0, 0, 0,
    // HELD
    60, 170,
    // HELD_IN_FEAR
    -30, -30, -30,
    // AFRAID
    -20, -20, -20,
    // TRAPPED
    -40, -40, -40,
    // MOBILITY: mice
    -20, -14, -9, -5, -2, 0, 2, 4, 5, 6,
    // MOBILITY: lions
    -20, -14, -9, -5, -2, 0, 2, 4, 5, 6,
    // MOBILITY: elephants
    -20, -14, -9, -5, -2, 0, 2, 4, 5, 6,
    // ACCESS: nothing held
    15, 25, 30,
    // ACCESS: one held
    35, 55, 65,
    // ACCESS: two held
    150, 200, 250,
    // MORE_ACCESS
    5,
    // GUARD
    8, 8, 8,
    // SCARE
    4, 4, 4,
    // SCARE_HOLDER
    12, 12, 12,
    // PROTECTION
    6, 6, 6,
    // TURN
    15,
    // TURN_IN_FEAR
    -15,
];

/// The tuned weights; player `terms` uses them.
pub(crate) const WEIGHTS: [i16; term::COUNT] = include!("tuned.in");
