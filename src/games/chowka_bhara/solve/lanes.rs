//! Rows of lanes: values against all opponents of a block at once.

use std::ops::Range;

use super::opponents::{HitLane, Opponents};
use super::sweep::Task;
use super::transitions::Transition;

/// Whether a step hits a lane and passes no fresh double of it.
#[inline]
pub(super) fn allows(opponents: &Opponents, step: &Transition, hit: &HitLane) -> bool {
    let blocks = opponents.blocked[hit.lane as usize];
    (step.together || !hit.is_double) && step.path & blocks == 0
}

/// What a flagged state of the mover leaves the lanes of a block, without another step.
#[inline(always)]
pub(super) fn leaves<'a>(
    task: Task<'a>,
    flagged_state: usize,
    block: &Range<usize>,
    buffer: &'a mut [f32],
) -> &'a [f32] {
    let opponents = &task.side.opponents;
    if opponents.is_plain(block) {
        return &task.table.row(flagged_state)[opponents.first..][block.clone()];
    }
    gather(task, flagged_state, block, buffer);
    &buffer[..block.len()]
}

/// The same, copied.
#[inline(always)]
pub(super) fn gather(task: Task, flagged_state: usize, block: &Range<usize>, into: &mut [f32]) {
    let opponents = &task.side.opponents;
    let row = &task.table.row(flagged_state)[opponents.first..];
    if opponents.is_plain(block) {
        into[..block.len()].copy_from_slice(&row[block.clone()]);
    } else {
        for (value, place) in into.iter_mut().zip(&opponents.places[block.clone()]) {
            *value = row[*place as usize];
        }
    }
}

/// Infinity where a step is not possible or hits; empty where it is possible for all.
#[inline(always)]
pub(super) fn barrier_of<'a>(
    opponents: &'a Opponents,
    step: &Transition,
    block: &Range<usize>,
    buffer: &'a mut [f32],
) -> &'a [f32] {
    let known = &opponents.barriers[usize::from(step.to)];
    let known = known.get(block.clone()).unwrap_or_default();
    if opponents.is_plain(block) || step.path == 0 {
        return known;
    }
    let buffer = &mut buffer[..block.len()];
    match known {
        [] => buffer.fill(0.0),
        known => buffer.copy_from_slice(known),
    }
    for (barrier, blocks) in buffer.iter_mut().zip(&opponents.blocked[block.clone()]) {
        *barrier = if blocks & step.path == 0 { *barrier } else { f32::INFINITY };
    }
    buffer
}

/// Keeps the lesser values; `barrier` is empty or infinity where a value does not count.
#[inline(always)]
pub(super) fn lower(least: &mut [f32], values: &[f32], barrier: &[f32]) {
    if barrier.is_empty() {
        for (least, value) in least.iter_mut().zip(values) {
            *least = lesser(*least, *value);
        }
    } else {
        for (least, (value, barrier)) in least.iter_mut().zip(values.iter().zip(barrier)) {
            let value = value.to_bits().max(barrier.to_bits());
            *least = f32::from_bits(least.to_bits().min(value));
        }
    }
}

/// The lesser of two numbers that are not negative, which are ordered as their bits are. A minimum
/// of floating-point numbers becomes a masked store here, which is slower.
#[inline(always)]
pub(super) fn lesser(one: f32, two: f32) -> f32 {
    f32::from_bits(one.to_bits().min(two.to_bits()))
}
