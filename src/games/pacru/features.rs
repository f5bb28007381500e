//! What the evaluation sees of a seat: numbered features, each with how often it is there.

use super::board::{BORDERLANDS, count};
use super::position::{Position, winning_markers};
use super::survey::{FieldSet, Survey, field_bit};

/// How many features there are.
pub(super) const FEATURES: usize = 48;

/// Features in order; tables take as many numbers as they have entries.
pub(super) const MARKERS: usize = 0;
/// Sixteenths of the square of the way to the goal, so that the last markers weigh more.
pub(super) const PROGRESS: usize = 1;
/// Chevrons by how many fields they can land on: 0 to 7, 8 or 9, more.
pub(super) const MOBILITY: usize = 2;
/// All landings of a seat together: 0 to 9; more is the zero of the scale.
pub(super) const LIBERTY: usize = 12;
/// Chevrons by how many chevrons of one enemy attack them: one; two, with that enemy to move; two
/// otherwise.
pub(super) const ATTACKED: usize = 22;
/// Enemy chevrons attacked: by one own chevron, by more.
pub(super) const ATTACKS: usize = 25;
/// Own markers in the borderlands where own chevrons stand, a borderland counted for each.
pub(super) const POWER: usize = 27;
/// Borderlands by own markers in them: 1 to 9.
pub(super) const HELD: usize = 28;
/// Landings that cross a border.
pub(super) const CROSSINGS: usize = 37;
/// Chevrons on own markers.
pub(super) const ON_MARKER: usize = 38;
/// Fields ahead of the chevrons up to the edge.
pub(super) const ROOM: usize = 39;
/// Being to move.
pub(super) const TO_MOVE: usize = 40;
/// Chevrons beyond the first, second, third: each has its own worth.
pub(super) const CHEVRON: usize = 41;
/// Own markers that can pay for rotations, up to four, and whether the seat has two liberties or
/// fewer then.
pub(super) const PURSE: usize = 45;
/// Neutral or enemy fields in the borderlands of own chevrons.
pub(super) const FRONTIER: usize = 46;
/// Borderlands without a neutral field that are all own.
pub(super) const WALLED: usize = 47;

/// What each feature is called in explanations and by the tuner.
pub(super) fn name(feature: usize) -> String {
    match feature {
        MARKERS => "markers".into(),
        PROGRESS => "progress".into(),
        MOBILITY..LIBERTY => format!("mobility {}", feature - MOBILITY),
        LIBERTY..ATTACKED => format!("liberty {}", feature - LIBERTY),
        22 => "attacked once".into(),
        23 => "pincered, enemy to move".into(),
        24 => "pincered".into(),
        25 => "attacks".into(),
        26 => "pincers".into(),
        POWER => "power".into(),
        HELD..CROSSINGS => format!("borderland {}", feature - HELD + 1),
        CROSSINGS => "crossings".into(),
        ON_MARKER => "on marker".into(),
        ROOM => "room".into(),
        TO_MOVE => "to move".into(),
        CHEVRON..PURSE => format!("chevron {}", feature - CHEVRON + 1),
        PURSE => "purse".into(),
        FRONTIER => "frontier".into(),
        _ => "walled".into(),
    }
}

/// Calls `add` with every feature of a seat and its count.
#[inline]
pub(super) fn visit(
    position: &Position,
    survey: &Survey,
    seat: usize,
    mut add: impl FnMut(usize, i32),
) {
    let markers = position.total(seat) as i32;
    let goal = winning_markers(position.seats as usize) as i32;
    add(MARKERS, markers);
    add(PROGRESS, markers * markers * 16 / (goal * goal));
    let fields = position.fields_of(seat);
    let (mut landings, mut crossings, mut room, mut power, mut on_marker) = (0, 0, 0, 0, 0);
    let mut frontier = 0;
    let mut standing: FieldSet = 0;
    for (&field, reach) in fields.iter().zip(&survey.reach[seat & 3]) {
        add(MOBILITY + MOBILITY_BUCKET[reach.landings as usize & 31] as usize, 1);
        landings += reach.landings as usize;
        crossings += reach.crossings as i32;
        room += reach.room as i32;
        let home = field.borderland();
        let own = position.marked(seat, home);
        power += count(own) as i32;
        frontier += count(!own & !position.occupied(home)) as i32;
        on_marker += position.cells[field.index()].is_chevron_on_marker() as i32;
        standing |= field_bit(field);
    }
    if landings < 10 && !fields.is_empty() {
        add(LIBERTY + landings, 1);
    }
    threats(position, survey, seat, standing, &mut add);
    add(POWER, power);
    for borderland in 0..BORDERLANDS {
        let own = count(position.marked(seat, borderland));
        if own > 0 {
            add(HELD + own - 1, 1);
        }
        if own == 9 {
            add(WALLED, 1);
        }
    }
    add(CROSSINGS, crossings);
    add(ON_MARKER, on_marker);
    add(ROOM, room);
    add(FRONTIER, frontier);
    if position.mover() == seat {
        add(TO_MOVE, 1);
    }
    for chevron in 0..fields.len() {
        add(CHEVRON + chevron, 1);
    }
    if landings <= 3 {
        add(PURSE, (markers - on_marker).min(4));
    }
}

#[inline]
fn threats(
    position: &Position,
    survey: &Survey,
    seat: usize,
    standing: FieldSet,
    add: &mut impl FnMut(usize, i32),
) {
    let (attacked, pincered) = (survey.attacked[seat & 3], survey.pincered[seat & 3]);
    if attacked != 0 {
        add(ATTACKS, (attacked & !pincered).count_ones() as i32);
        add(ATTACKS + 1, pincered.count_ones() as i32);
    }
    let (mut once, mut next, mut later) = (0, 0, 0);
    for enemy in 0..position.seats as usize {
        if enemy == seat {
            continue;
        }
        once |= survey.attacked[enemy & 3] & standing;
        let taken = survey.pincered[enemy & 3] & standing;
        if enemy == position.mover() {
            next |= taken;
        } else {
            later |= taken;
        }
    }
    if once != 0 {
        add(ATTACKED, (once & !next & !later).count_ones() as i32);
        add(ATTACKED + 1, next.count_ones() as i32);
        add(ATTACKED + 2, (later & !next).count_ones() as i32);
    }
}

const MOBILITY_BUCKET: [u8; 32] = {
    let mut table = [9; 32];
    let mut landings = 0;
    while landings < 10 {
        table[landings] = if landings < 8 { landings as u8 } else { 8 };
        landings += 1;
    }
    table
};
