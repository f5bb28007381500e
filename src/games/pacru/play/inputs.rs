//! The facts of the moment: mobility, attacks, totals.

use super::attack_maps::{AttackMaps, field_bit};
use super::features::mobility_bucket;
use crate::game::Game as _;
use crate::games::chevrons::SEATS;
use crate::games::chevrons::inputs::{MOMENT, OwnedFact, owned};
use crate::games::pacru::rules::Position;

/// A chevron by mobility, by who attacks it, and by whether it stands on a marker. The constants below
/// are numbers of facts, of a group the first.
const STANDING: usize = MOMENT;
/// Landings of the seat, if fewer than ten.
const LIBERTY: usize = 890;
/// All markers.
const TOTAL: usize = 900;
/// The number of chevrons.
const CHEVRONS: usize = 943;
/// Enemy chevrons that two or more own ones attack, up to three.
const PINCERS: usize = 948;
/// Landings beyond a border, up to 15.
const CROSSINGS: usize = 952;
/// Whether the seat is to move.
const MOVER: usize = 968;
/// Whether there are three seats; a fact of every seat.
const THREE: usize = 969;

/// Facts of a seat.
pub(super) const FACTS: usize = 970;

/// The set of output weights for a seat: by own chevrons and by whether it is to move.
#[inline(always)]
#[must_use]
pub(super) fn bucket_of(position: &Position, seat: usize) -> usize {
    let chevrons = position.chevron_fields(seat).len().clamp(1, 4) - 1;
    2 * chevrons + usize::from(position.mover() == seat)
}

/// Calls `add` with every fact of the moment.
#[inline(always)]
pub(super) fn visit_moment(position: &Position, maps: &AttackMaps, mut add: impl FnMut(OwnedFact)) {
    let seats = position.seats() & 7;
    // Of all seats: chevrons that one enemy chevron attacks, that the seat to move could capture,
    // that another could.
    let mut attacked = [[0; 3]; SEATS];
    for enemy in 0..seats {
        for (seat, sets) in attacked.iter_mut().enumerate().take(seats) {
            if seat != enemy {
                let taken = 1 + usize::from(enemy != position.mover());
                sets[0] |= maps.attacked[enemy & 3];
                sets[taken] |= maps.pincered[enemy & 3];
            }
        }
    }
    for (seat, sets) in attacked.iter().enumerate().take(seats) {
        let mut add = |fact| add(owned(seat, fact));
        let fields = position.chevron_fields(seat);
        add(CHEVRONS + fields.len().min(4));
        if fields.is_empty() {
            continue;
        }
        let (mut landings, mut crossings) = (0, 0);
        for (&field, reach) in fields.iter().zip(&maps.reach[seat & 3]) {
            let bit = field_bit(field);
            let attack = match sets.map(|set| set & bit != 0) {
                [_, true, _] => 2,
                [_, _, true] => 3,
                [true, ..] => 1,
                _ => 0,
            };
            let on_marker = usize::from(position.cell(field).is_chevron_on_marker());
            add(STANDING + 8 * mobility_bucket(reach.landings) + 2 * attack + on_marker);
            landings += reach.landings as usize;
            crossings += reach.crossings as usize;
        }
        if landings < 10 {
            add(LIBERTY + landings);
        }
        add(TOTAL + position.marker_count(seat).min(CHEVRONS - TOTAL - 1));
        add(PINCERS + (maps.pincered[seat & 3].count_ones() as usize).min(3));
        add(CROSSINGS + crossings.min(15));
        if seat == position.mover() {
            add(MOVER);
        }
        if seats == 3 {
            add(THREE);
        }
    }
}
