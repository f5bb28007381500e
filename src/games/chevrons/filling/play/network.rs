//! What the [networks](crate::games::chevrons::network) of both games see and add to: who reaches
//! which neutral field, what power gives in Azacru, and the strengths of
//! [`super::evaluation`].

use std::ops::ControlFlow;

use super::evaluation::{counts_of, strengths};
use super::race::Race;
use crate::games::chevrons::Board;
use crate::games::chevrons::filling::reach::Fields;
use crate::games::chevrons::filling::{Kind, Position};
use crate::games::chevrons::inputs::{Facts, MOMENT, owned};
use crate::games::chevrons::network::{Judged, Judgement};
use crate::games::chevrons::strengths::Strengths;

/// A neutral field that the seat reaches and no other. The constants are numbers of facts, of a group
/// the first.
const ALONE: usize = MOMENT;
/// A neutral field that the seat reaches before the others that reach it.
const FIRST: usize = ALONE + 81;
/// Neutral fields that the seat reaches together with another, up to 15.
const TIED: usize = FIRST + 81;
/// Landings of the seat, up to 15.
const LANDINGS: usize = TIED + 16;
/// Chevrons of the seat.
const CHEVRONS: usize = LANDINGS + 16;
/// Whether the seat is to move.
const MOVER: usize = CHEVRONS + 5;
/// Whether there are three seats; a fact of every seat.
const THREE: usize = MOVER + 1;
/// Whether the last round of Azacru has begun; a fact of every seat.
const LAST: usize = THREE + 1;
/// The most fields that one connection of the seat would make its own: four facts, for one field to four
/// or more.
const GAIN: usize = LAST + 1;
/// Connections that would make two fields or more its own: three facts, for one to three or more.
const LEAPS: usize = GAIN + 4;
/// Chevrons that can move, where it is not all four: four facts, for none to three.
const MOVABLE: usize = LEAPS + 3;

fn add_fields(seat: usize, group: usize, mut fields: Fields, facts: &mut Facts) {
    while fields != 0 {
        facts.push(owned(seat, group + fields.trailing_zeros() as usize));
        fields &= fields - 1;
    }
}

/// What power gives: connections, and the chevrons that are not blocked.
fn add_power<K: Kind>(position: &Position<K>, seat: usize, facts: &mut Facts) {
    let (mut gain, mut leaps) = (0, 0);
    let mut movable: Fields = 0;
    let _ = position.for_each_landing::<()>(seat, |from, to, direction, connection| {
        movable |= 1 << from.index();
        if connection {
            let own = position.connected(from, to, direction).0.len();
            gain = gain.max(own);
            leaps += usize::from(own > 1);
        }
        ControlFlow::Continue(())
    });
    if gain > 0 {
        facts.push(owned(seat, GAIN + gain.min(4) - 1));
    }
    if leaps > 0 {
        facts.push(owned(seat, LEAPS + leaps.min(3) - 1));
    }
    if movable.count_ones() < 4 {
        facts.push(owned(seat, MOVABLE + movable.count_ones() as usize));
    }
}

impl<K: Kind> Judged for Position<K> {
    const GAME: &'static str = K::NAME;
    const FACTS: usize = if K::POWER { MOVABLE + 4 } else { GAIN };
    const BY_FIELD: &'static [usize] = &[ALONE, FIRST];

    #[inline(always)]
    fn board(&self) -> &Board {
        self
    }

    fn see(&self, facts: &mut Facts) -> Strengths {
        let race = Race::new(self);
        let counts = counts_of(self, &race);
        for (seat, counts) in counts.iter().enumerate().take(self.board().seats()) {
            let alone = race.alone(seat);
            add_fields(seat, ALONE, alone, facts);
            add_fields(seat, FIRST, race.first[seat] & !alone, facts);
            let [.., tied, landings, _] = *counts;
            let mut add = |fact: usize| facts.push(owned(seat, fact));
            add(TIED + tied.min(15) as usize);
            add(LANDINGS + landings.min(15) as usize);
            add(CHEVRONS + self.chevron_fields(seat).len().min(4));
            if self.mover() == seat {
                add(MOVER);
            }
            if self.board().seats() == 3 {
                add(THREE);
            }
            if self.last().is_some() {
                add(LAST);
            }
            if K::POWER {
                add_power(self, seat, facts);
            }
        }
        strengths(self, &counts)
    }

    /// By neutral fields left, and whether the seat is to move.
    #[inline(always)]
    fn bucket(&self, seat: usize) -> usize {
        let left = self.neutral_fields().count_ones();
        let phase = [5, 15, 35].iter().filter(|most| left > **most).count();
        2 * phase + usize::from(self.mover() == seat)
    }

    fn judgement() -> Judgement<Self> {
        K::judgement()
    }
}

#[cfg(test)]
#[cfg(all(feature = "shacru", feature = "azacru"))]
mod tests {
    use std::collections::{BTreeMap, BTreeSet};

    use super::super::evaluation::Evaluation;
    use super::*;
    use crate::game::{Game as _, Random, Rules};
    use crate::games::azacru::Azacru;
    use crate::games::chevrons::network::laws;
    use crate::games::shacru::Shacru;

    fn start<K: Kind>(seats: usize) -> Position<K> {
        let mut rules = Position::<K>::default_rules();
        rules.set("Players", &seats.to_string()).expect("a number of players");
        Position::start(&rules, None).expect("a start")
    }

    fn rebuilt<K: Kind>(
        position: &Position<K>,
        fill: &mut dyn FnMut(&mut Board),
        seat: &dyn Fn(usize) -> usize,
    ) -> Position<K> {
        let seats = position.board().seats();
        let mover = seat(position.mover());
        let mut board = Board::empty(seats, mover, Position::<K>::salt(seats));
        fill(&mut board);
        let mut other = Position::new(board, position.last().map(seat), position.idle());
        other.begin_turn(mover);
        other
    }

    fn laws_hold<K: Kind>() {
        laws::updates_are_fresh(start::<K>);
        laws::names_do_not_matter(start::<K>, rebuilt);
        laws::turned_boards_have_turned_facts(start::<K>, rebuilt);
        laws::files_are_checked::<Position<K>>();
        laws::scores_of_two_are_opposite(&Evaluation, start::<K>(2));
        let two = K::judgement().two.expect("a network");
        laws::scores_of_two_are_opposite(&*two, start::<K>(2));
    }

    #[test]
    fn the_networks_of_shacru_keep_the_laws() {
        laws_hold::<Shacru>();
    }

    #[test]
    fn the_networks_of_azacru_keep_the_laws() {
        laws_hold::<Azacru>();
    }

    /// What power gives the seat to move is what its legal moves do.
    #[test]
    fn gains_leaps_and_blocked_chevrons_are_those_of_the_moves() {
        let (mut gains, mut leaping, mut blocked) = (0, 0, 0);
        for seed in 0..60 {
            let mut random = Random::new(seed);
            let mut position = start::<Azacru>(2 + seed as usize % 3);
            while !position.is_over() {
                let seat = position.mover();
                let mut connections = BTreeMap::new();
                let mut movable = BTreeSet::new();
                for m in position.moves() {
                    movable.insert(m.from.index());
                    let mut next = position.clone();
                    next.play(&m);
                    let more = next.marker_count(seat) - position.marker_count(seat);
                    if position.cell(m.to).marker() == Some(seat) {
                        connections.insert((m.from.index(), m.to.index()), more);
                    }
                }
                let gain = connections.values().copied().max().unwrap_or(0);
                let leaps = connections.values().filter(|more| **more > 1).count();
                let mut expected = Vec::new();
                let mut expect = |there: bool, fact| {
                    if there {
                        expected.push(owned(seat, fact));
                    }
                };
                // One field is the first of four facts, and so on.
                expect(gain > 0, GAIN + gain.clamp(1, 4) - 1);
                expect(leaps > 0, LEAPS + leaps.clamp(1, 3) - 1);
                expect(movable.len() < 4, MOVABLE + movable.len().min(3));
                let mut facts = Facts::new();
                position.see(&mut facts);
                let of_power = owned(seat, GAIN)..owned(seat, MOVABLE + 4);
                facts.retain(|fact| of_power.contains(fact));
                assert_eq!(*facts, *expected, "{position}");
                gains += u32::from(gain > 0);
                leaping += u32::from(leaps > 0);
                blocked += u32::from(movable.len() < 4);
                position.play(&position.random_move(&mut random).expect("a move"));
            }
        }
        assert!(gains > 50 && leaping > 50 && blocked > 50, "{gains} {leaping} {blocked}");
    }
}
