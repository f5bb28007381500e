//! What a careful player looks at: how far the pawns are, and how likely the exposed ones are hit.

use super::geometry::MAX_CELLS;
use super::position::Position;
use super::rule_options::{Gate, Variant};

/// How likely one pawn can be moved exactly so far with the values of one turn, two bonus throws at
/// most.
fn reach(variant: &Variant) -> [f64; MAX_CELLS] {
    let mut chance = [0.0; MAX_CELLS];
    let total: f64 = variant.weighted_values().map(|(_, weight)| weight as f64).sum();
    let weights: [f64; 3] = {
        let of = |value| {
            let mut found = variant.weighted_values().filter(|(known, _)| *known == value);
            found.next().map_or(0.0, |(_, weight)| weight as f64 / total)
        };
        [1.0, of(variant.bonus()), of(2 * variant.bonus())]
    };
    let bonus = [0, variant.bonus() as usize, 2 * variant.bonus() as usize];
    for first in 0..3 {
        for second in 0..if first == 0 { 1 } else { 3 } {
            let before = weights[first] * weights[second];
            for (value, weight) in variant.weighted_values() {
                if variant.is_bonus(value) {
                    continue;
                }
                let values = [value as usize, bonus[first], bonus[second]];
                add_sums(&mut chance, values, before * weight as f64 / total);
            }
        }
    }
    chance
}

/// Adds a chance to every distance that some of three values make.
fn add_sums(chance: &mut [f64; MAX_CELLS], values: [usize; 3], share: f64) {
    let mut seen = [false; MAX_CELLS];
    for subset in 1..8 {
        let sum = (0..3).filter(|bit| subset >> bit & 1 != 0).map(|bit| values[bit]).sum::<usize>();
        if sum > 0 && sum < MAX_CELLS && !seen[sum] {
            seen[sum] = true;
            chance[sum] += share;
        }
    }
}

/// How likely a single pawn of a side is hit before its next turn, by path index; only cells with
/// such a pawn are told.
fn exposed(position: &Position, side: usize, mut tell: impl FnMut(u8, f64)) {
    let variant = position.variant();
    let geometry = variant.geometry();
    let safe = geometry.safe(variant.safe_corners);
    let reach = reach(variant);
    let pawns = position.pawns(side);
    for (at, index) in pawns.iter().enumerate() {
        let single = (at == 0 || pawns[at - 1] != *index) && pawns.get(at + 1) != Some(index);
        if !single || safe >> index & 1 != 0 {
            continue;
        }
        let mut spared = 1.0;
        for other in position.sides().iter().filter(|other| **other != side) {
            let target = geometry.index(*other, geometry.cell(side, *index));
            let closed = variant.gate != Gate::Off && !position.gate_open(*other);
            if closed && target >= geometry.ring {
                continue;
            }
            for from in position.pawns(*other).iter().filter(|from| **from < target) {
                spared *= 1.0 - reach[(target - from) as usize];
            }
        }
        tell(*index, 1.0 - spared);
    }
}

/// How well a side stands, greater is better: cells gone, in units of a whole path, less what is
/// likely to be hit, and a premium on the open gate.
pub(super) fn worth(position: &Position, side: usize) -> f64 {
    let variant = position.variant();
    let geometry = variant.geometry();
    let mut worth: f64 = position.pawns(side).iter().map(|index| f64::from(*index)).sum();
    exposed(position, side, |index, chance| worth -= chance * f64::from(index));
    if variant.gate != Gate::Off && position.gate_open(side) {
        worth += f64::from(geometry.ring);
    }
    worth
}

/// The same in units that make chances: as the logarithm of the odds against another seat.
pub(super) fn standing(position: &Position, side: usize) -> f64 {
    let cells = f64::from(position.centre());
    4.0 * worth(position, side) / cells
}
