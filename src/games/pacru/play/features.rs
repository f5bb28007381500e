//! The features of a seat: their numbers, names and counts.

use super::attack_maps::{AttackMaps, FieldSet, field_bit};
use crate::game::Game as _;
use crate::games::chevrons::{BORDERLANDS, count};
use crate::games::pacru::rules::{Position, winning_markers};

/// How many features there are.
pub const FEATURES: usize = 48;

/// Own markers. The constants below are feature numbers, of a group the first.
pub const MARKERS: usize = 0;
/// Progress to the goal, squared, in sixteenths: the last markers weigh more.
pub(crate) const PROGRESS: usize = 1;
/// Chevrons by the number of fields they can land on: 0 to 7, 8 or 9, more.
pub const MOBILITY: usize = 2;
/// The number of landings of a seat: 0 to 9; above that no feature is set.
pub(crate) const LIBERTY: usize = 12;
/// Chevrons by the number of chevrons of one enemy that attack them: one; two or more, with that
/// enemy to move; two or more otherwise.
pub const ATTACKED: usize = 22;
/// Enemy chevrons attacked: by one own chevron, by more.
pub(crate) const ATTACKS: usize = 25;
/// Own markers in the borderlands where own chevrons stand, counted once for each chevron.
pub(crate) const POWER: usize = 27;
/// Borderlands by own markers in them: 1 to 9.
pub(crate) const HELD: usize = 28;
/// Landings that cross a border.
pub(crate) const CROSSINGS: usize = 37;
/// Chevrons on own markers.
pub(crate) const ON_MARKER: usize = 38;
/// Fields ahead of the chevrons up to the edge.
pub(crate) const ROOM: usize = 39;
/// Whether the seat is to move.
pub(crate) const TO_MOVE: usize = 40;
/// The first, second, third and fourth chevron.
pub const CHEVRON: usize = 41;
/// Own markers that can pay for rotations, up to four, counted only where the seat has at most
/// three landings.
pub(crate) const PAYABLE: usize = 45;
/// Neutral or enemy fields in the borderlands of own chevrons.
pub(crate) const FRONTIER: usize = 46;
/// Borderlands with nine own markers.
pub(crate) const WALLED: usize = 47;

/// The name of a feature in explanations and in the table of weights.
#[must_use]
pub fn feature_name(feature: usize) -> String {
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
        CHEVRON..PAYABLE => format!("chevron {}", feature - CHEVRON + 1),
        PAYABLE => "payable markers".into(),
        FRONTIER => "frontier".into(),
        _ => "walled".into(),
    }
}

/// Calls `add` with every feature of a seat and its count.
#[inline(always)]
pub fn visit_features(
    position: &Position,
    maps: &AttackMaps,
    seat: usize,
    mut add: impl FnMut(usize, i32),
) {
    let markers = position.marker_count(seat) as i32;
    let goal = winning_markers(position.seats()) as i32;
    add(MARKERS, markers);
    add(PROGRESS, markers * markers * 16 / (goal * goal));
    let fields = position.chevron_fields(seat);
    let (mut landings, mut crossings, mut room, mut power, mut on_marker) = (0, 0, 0, 0, 0);
    let mut frontier = 0;
    let mut standing: FieldSet = 0;
    for (&field, reach) in fields.iter().zip(&maps.reach[seat & 3]) {
        add(MOBILITY + mobility_bucket(reach.landings), 1);
        landings += reach.landings as usize;
        crossings += reach.crossings as i32;
        room += reach.room as i32;
        let home = field.borderland();
        let own = position.markers_in(seat, home);
        power += count(own) as i32;
        frontier += count(!own & !position.occupied_in(home)) as i32;
        on_marker += position.cell(field).is_chevron_on_marker() as i32;
        standing |= field_bit(field);
    }
    if landings < 10 && !fields.is_empty() {
        add(LIBERTY + landings, 1);
    }
    threats(position, maps, seat, standing, &mut add);
    add(POWER, power);
    for borderland in 0..BORDERLANDS {
        let own = count(position.markers_in(seat, borderland));
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
        add(PAYABLE, (markers - on_marker).min(4));
    }
}

#[inline(always)]
fn threats(
    position: &Position,
    maps: &AttackMaps,
    seat: usize,
    standing: FieldSet,
    add: &mut impl FnMut(usize, i32),
) {
    let (attacked, pincered) = (maps.attacked[seat & 3], maps.pincered[seat & 3]);
    if attacked != 0 {
        add(ATTACKS, (attacked & !pincered).count_ones() as i32);
        add(ATTACKS + 1, pincered.count_ones() as i32);
    }
    let (mut once, mut next, mut later) = (0, 0, 0);
    for enemy in 0..position.seats() {
        if enemy == seat {
            continue;
        }
        once |= maps.attacked[enemy & 3] & standing;
        let taken = maps.pincered[enemy & 3] & standing;
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

/// The group of a chevron by its number of landings, from 0 to 9.
pub(crate) fn mobility_bucket(landings: u8) -> usize {
    MOBILITY_BUCKET[landings as usize & 31] as usize
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
