//! The hand-written heuristic: how far the pawns are, how likely the exposed ones are hit, the
//! gate.

use crate::games::chowka_bhara::rules::{Gate, MAX_CELLS, Position, RuleOptions};

/// By distance, the probability that one pawn can be moved exactly so far in one turn with at most
/// two bonus throws.
fn reach(options: &RuleOptions) -> [f64; MAX_CELLS] {
    let mut probability = [0.0; MAX_CELLS];
    let total: f64 = options.weighted_values().map(|(_, weight)| weight as f64).sum();
    let weights: [f64; 3] = {
        let of = |value| {
            let mut found = options.weighted_values().filter(|(known, _)| *known == value);
            found.next().map_or(0.0, |(_, weight)| weight as f64 / total)
        };
        [1.0, of(options.bonus()), of(2 * options.bonus())]
    };
    let bonus = [0, options.bonus() as usize, 2 * options.bonus() as usize];
    for first in 0..3 {
        for second in 0..if first == 0 { 1 } else { 3 } {
            let before = weights[first] * weights[second];
            for (value, weight) in options.weighted_values() {
                if options.is_bonus(value) {
                    continue;
                }
                let values = [value as usize, bonus[first], bonus[second]];
                add_sums(&mut probability, values, before * weight as f64 / total);
            }
        }
    }
    probability
}

/// Adds a probability to every distance that is the sum of some of three values.
fn add_sums(probability: &mut [f64; MAX_CELLS], values: [usize; 3], share: f64) {
    let mut seen = [false; MAX_CELLS];
    for subset in 1..8 {
        let sum = (0..3).filter(|bit| subset >> bit & 1 != 0).map(|bit| values[bit]).sum::<usize>();
        if sum > 0 && sum < MAX_CELLS && !seen[sum] {
            seen[sum] = true;
            probability[sum] += share;
        }
    }
}

/// Calls `visit` with the path index of every single pawn of a side on an unsafe cell, and with the
/// probability that it is hit before its next turn.
fn exposed(position: &Position, side: usize, mut visit: impl FnMut(u8, f64)) {
    let options = position.options();
    let geometry = options.geometry();
    let safe = geometry.safe(options.safe_corners);
    let reach = reach(options);
    let pawns = position.pawns(side);
    for (at, index) in pawns.iter().enumerate() {
        let single = (at == 0 || pawns[at - 1] != *index) && pawns.get(at + 1) != Some(index);
        if !single || safe >> index & 1 != 0 {
            continue;
        }
        let mut spared = 1.0;
        for other in position.sides().iter().filter(|other| **other != side) {
            let target = geometry.index(*other, geometry.cell(side, *index));
            let closed = options.gate != Gate::Off && !position.gate_open(*other);
            if closed && target >= geometry.ring {
                continue;
            }
            for from in position.pawns(*other).iter().filter(|from| **from < target) {
                spared *= 1.0 - reach[(target - from) as usize];
            }
        }
        visit(*index, 1.0 - spared);
    }
}

/// How good a side's placement is, in cells: its progress, less the expected loss by hits, plus a
/// bonus for the open gate.
pub(super) fn worth(position: &Position, side: usize) -> f64 {
    let options = position.options();
    let geometry = options.geometry();
    let mut worth: f64 = position.pawns(side).iter().map(|index| f64::from(*index)).sum();
    exposed(position, side, |index, probability| worth -= probability * f64::from(index));
    if options.gate != Gate::Off && position.gate_open(side) {
        worth += f64::from(geometry.ring);
    }
    worth
}

/// The same as the logarithm of odds, of which a softmax makes probabilities.
pub(super) fn log_odds(position: &Position, side: usize) -> f64 {
    let cells = f64::from(position.centre());
    4.0 * worth(position, side) / cells
}
