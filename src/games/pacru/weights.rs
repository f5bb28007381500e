//! The numbers of the evaluation, by the number of players, as `pacru tune` prints them.
//!
//! They are hundredths of a logarithmic unit: 400 of them are odds of ten to one.

use super::features::FEATURES;

/// Two, three and four players.
pub(super) static WEIGHTS: [[i16; FEATURES]; 3] = [TWO, THREE, FOUR];

/// Those for a number of players.
pub(super) fn weights(seats: usize) -> &'static [i16; FEATURES] {
    &WEIGHTS[seats.clamp(2, 4) - 2]
}

const TWO: [i16; FEATURES] = [
    14,   // markers
    50,   // progress
    -40,  // mobility 0
    -9,   // mobility 1
    -5,   // mobility 2
    -20,  // mobility 3
    -17,  // mobility 4
    -28,  // mobility 5
    -38,  // mobility 6
    -19,  // mobility 7
    -39,  // mobility 8
    -77,  // mobility 9
    -422, // liberty 0
    -162, // liberty 1
    -90,  // liberty 2
    -62,  // liberty 3
    -19,  // liberty 4
    -12,  // liberty 5
    0,    // liberty 6
    3,    // liberty 7
    5,    // liberty 8
    3,    // liberty 9
    -3,   // attacked once
    -150, // pincered, enemy to move
    -39,  // pincered
    3,    // attacks
    22,   // pincers
    -2,   // power
    4,    // borderland 1
    40,   // borderland 2
    54,   // borderland 3
    50,   // borderland 4
    -21,  // borderland 5
    -57,  // borderland 6
    2,    // borderland 7
    1,    // borderland 8
    0,    // borderland 9
    7,    // crossings
    2,    // on marker
    4,    // room
    1,    // to move
    0,    // chevron 1
    219,  // chevron 2
    170,  // chevron 3
    114,  // chevron 4
    15,   // purse
    3,    // frontier
    0,    // walled
];

const THREE: [i16; FEATURES] = [
    21,   // markers
    65,   // progress
    -52,  // mobility 0
    -13,  // mobility 1
    -4,   // mobility 2
    -12,  // mobility 3
    -10,  // mobility 4
    -17,  // mobility 5
    -31,  // mobility 6
    -14,  // mobility 7
    -57,  // mobility 8
    1,    // mobility 9
    -426, // liberty 0
    -82,  // liberty 1
    9,    // liberty 2
    13,   // liberty 3
    17,   // liberty 4
    14,   // liberty 5
    9,    // liberty 6
    8,    // liberty 7
    5,    // liberty 8
    3,    // liberty 9
    -9,   // attacked once
    -181, // pincered, enemy to move
    -62,  // pincered
    -2,   // attacks
    34,   // pincers
    4,    // power
    -3,   // borderland 1
    16,   // borderland 2
    5,    // borderland 3
    -40,  // borderland 4
    -68,  // borderland 5
    51,   // borderland 6
    -4,   // borderland 7
    58,   // borderland 8
    2,    // borderland 9
    8,    // crossings
    -1,   // on marker
    5,    // room
    0,    // to move
    0,    // chevron 1
    244,  // chevron 2
    175,  // chevron 3
    0,    // chevron 4
    2,    // purse
    4,    // frontier
    2,    // walled
];

const FOUR: [i16; FEATURES] = [
    24,   // markers
    20,   // progress
    -71,  // mobility 0
    -24,  // mobility 1
    -16,  // mobility 2
    -21,  // mobility 3
    -13,  // mobility 4
    -29,  // mobility 5
    -35,  // mobility 6
    -60,  // mobility 7
    -94,  // mobility 8
    -72,  // mobility 9
    -416, // liberty 0
    14,   // liberty 1
    32,   // liberty 2
    38,   // liberty 3
    12,   // liberty 4
    6,    // liberty 5
    -2,   // liberty 6
    -5,   // liberty 7
    -5,   // liberty 8
    -3,   // liberty 9
    -3,   // attacked once
    -121, // pincered, enemy to move
    -54,  // pincered
    5,    // attacks
    36,   // pincers
    -2,   // power
    10,   // borderland 1
    41,   // borderland 2
    37,   // borderland 3
    29,   // borderland 4
    -28,  // borderland 5
    50,   // borderland 6
    -178, // borderland 7
    -277, // borderland 8
    0,    // borderland 9
    13,   // crossings
    7,    // on marker
    6,    // room
    1,    // to move
    0,    // chevron 1
    234,  // chevron 2
    138,  // chevron 3
    0,    // chevron 4
    -11,  // purse
    1,    // frontier
    0,    // walled
];
