//! Proved bounds on what each of two players still gains in Shacru, and so on the result.
//!
//! A player gains at most the neutral fields that its chevrons reach over neutral and own fields, others
//! being ignored, and no chevron gains more than its longest walk. A player gains at least the walks of
//! its chevrons, one after the other, over neutral fields that nobody else reaches: there nobody stands
//! in the way. Regions that only one player reaches are so counted exactly.

use std::ops::RangeInclusive;

use super::walk::{Walk, longest_walk};
use crate::game::Game;
use crate::games::chevrons::CHEVRONS;
use crate::games::chevrons::filling::reach::{Facings, Fields, flooded, union};
use crate::games::chevrons::filling::rules::longest_idle;
use crate::games::chevrons::filling::{Kind, Position};

/// The most plies that a race can still last by the cap on turns without a gain, as a bound on the
/// distance of a win.
pub(super) const LONG: i32 = 1_000;

/// With more neutral fields that both players reach the walks never decided a game: in self-play of
/// 172,000 positions 2 % of those with 11 to 13, and none of the 93,000 with more.
const CONTESTED: u32 = 13;

/// The bounds of the final lead of the seat to move, where there are some: in Shacru with two players.
#[must_use]
pub fn final_lead<K: Kind>(position: &Position<K>) -> Option<RangeInclusive<i32>> {
    if K::POWER || position.seats() != 2 {
        return None;
    }
    let (own, other) = (position.mover(), 1 - position.mover());
    let lead = position.marker_count(own) as i32 - position.marker_count(other) as i32;
    let neutral = position.neutral_fields();
    let chevrons = [own, other].map(|seat| facings(position, seat));
    let reach = |seat: usize, chevrons: &Facings| {
        union(&flooded(chevrons, neutral | position.own_fields(seat))) & neutral
    };
    let reached = [reach(own, &chevrons[0]), reach(other, &chevrons[1])];
    let [own_most, other_most] = reached.map(|fields| fields.count_ones() as i32);
    let (least, most) = (lead - other_most, lead + own_most);
    let both = reached[0] & reached[1];
    if least > 0 || most < 0 || both.count_ones() > CONTESTED {
        return Some(least..=most);
    }
    let own = gains(position, own, [&chevrons[0], &chevrons[1]], reached[0], both);
    let other = gains(position, other, [&chevrons[1], &chevrons[0]], reached[1], both);
    Some(lead + own.start() - other.end()..=lead + own.end() - other.start())
}

/// The chevrons of a seat.
fn facings<K: Kind>(position: &Position<K>, seat: usize) -> Facings {
    let mut facings = [0; 8];
    for field in position.chevron_fields(seat) {
        facings[position.cell(*field).facing().index()] |= 1 << field.index();
    }
    facings
}

/// What a seat gains at least and at most of the neutral fields that it reaches, some of which the other
/// reaches too; by its chevrons and those of the other.
fn gains<K: Kind>(
    position: &Position<K>,
    seat: usize,
    [chevrons, others]: [&Facings; 2],
    reached: Fields,
    both: Fields,
) -> RangeInclusive<i32> {
    let own = position.own_fields(seat);
    let (ours, theirs) = (union(chevrons), union(others));
    // Turns without a gain before one must come, so that the cap does not end the game.
    let turns = longest_idle(2).saturating_sub(position.idle());
    let idle = turns.saturating_sub(2) / 2;
    // The next turn of the other may be the last.
    let is_in_time = turns > 1 || position.mover() == seat;
    let mut occupied = ours;
    let mut filled = 0;
    let mut walks = [(0, 0); CHEVRONS];
    for (field, walk) in position.chevron_fields(seat).iter().zip(&mut walks) {
        let start = chevrons.map(|fields| fields & 1 << field.index());
        let longest = longest_walk(start, own, reached, usize::MAX);
        *walk = (longest.reached, longest.most);
        let others = occupied & !union(&start);
        let free = match is_in_time {
            true => reached & !both & !theirs & !filled & !others,
            false => 0,
        };
        let Walk { gained, end, .. } =
            longest_walk(start, (own | filled) & !others, free, usize::from(idle));
        filled |= gained;
        occupied = others | union(&end);
    }
    filled.count_ones() as i32..=most(&walks) as i32
}

/// The most that chevrons gain of which each reaches some fields and gains at most some number: for
/// every choice of chevrons, the fields that these reach and the walks of the others.
fn most(walks: &[(Fields, u32); CHEVRONS]) -> u32 {
    let bound = |chosen: u32| {
        let (mut fields, mut sum) = (0, 0);
        for (at, (reached, most)) in walks.iter().enumerate() {
            if chosen >> at & 1 == 1 { fields |= reached } else { sum += most }
        }
        fields.count_ones() + sum
    };
    (0..1 << CHEVRONS).map(bound).min().unwrap_or(0)
}
