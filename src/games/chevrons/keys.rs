//! The numbers that make up the key of a board.

use super::fields::{Direction, FIELDS, Field, SEATS};
use crate::game::splitmix64;

const fn field_keys(salt: u64) -> [[u64; FIELDS]; SEATS] {
    let mut keys = [[0; FIELDS]; SEATS];
    let mut index = 0;
    while index < SEATS * FIELDS {
        keys[index / FIELDS][index % FIELDS] = splitmix64(salt + index as u64);
        index += 1;
    }
    keys
}

static MARKER_KEYS: [[u64; FIELDS]; SEATS] = field_keys(0x7061_6372_7500_0000);
static CHEVRON_KEYS: [[u64; FIELDS]; SEATS] = field_keys(0x7061_6372_7501_0000);

pub(super) fn marker_key(seat: usize, field: Field) -> u64 {
    MARKER_KEYS[seat & 3][field.index()]
}

/// The eight facings are the eight rotations of one number by whole bytes.
pub(super) fn chevron_key(seat: usize, field: Field, facing: Direction) -> u64 {
    CHEVRON_KEYS[seat & 3][field.index()].rotate_left(8 * facing.index() as u32)
}

pub(super) const fn turn_key(seat: usize) -> u64 {
    splitmix64(0x7061_6372_7502_0000 + seat as u64)
}
