//! What the [networks](crate::games::chevrons::network) of both games see and add to: who reaches
//! which neutral field, and the strengths of [`super::evaluation`].

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

fn add_fields(seat: usize, group: usize, mut fields: Fields, facts: &mut Facts) {
    while fields != 0 {
        facts.push(owned(seat, group + fields.trailing_zeros() as usize));
        fields &= fields - 1;
    }
}

impl<K: Kind> Judged for Position<K> {
    const GAME: &'static str = K::NAME;
    const FACTS: usize = LAST + 1;
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
    use super::super::evaluation::Evaluation;
    use super::*;
    use crate::game::Rules;
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
}
