//! What the [networks](crate::games::chevrons::network) of Pacru see and add to: the facts of
//! [`super::inputs`], the linear strengths.

use std::sync::LazyLock;

use super::attack_maps::AttackMaps;
use super::evaluation::linear_strengths;
use super::inputs::{FACTS, bucket_of, visit_moment};
use super::selective::SelectivePosition;
use super::weights::weights;
use crate::game::Game;
use crate::games::chevrons::Board;
use crate::games::chevrons::inputs::Facts;
use crate::games::chevrons::network::{Judged, Judgement};
use crate::games::chevrons::strengths::Strengths;

impl Judged for SelectivePosition {
    const GAME: &'static str = "pacru";
    const FACTS: usize = FACTS;
    const BY_FIELD: &'static [usize] = &[];

    #[inline(always)]
    fn board(&self) -> &Board {
        self
    }

    #[inline(always)]
    fn see(&self, facts: &mut Facts) -> Strengths {
        let maps = AttackMaps::new(self);
        visit_moment(self, &maps, |fact| facts.push(fact));
        linear_strengths(weights(self.seats()), self, &maps)
    }

    #[inline(always)]
    fn bucket(&self, seat: usize) -> usize {
        bucket_of(self, seat)
    }

    /// Written by `parlor-lab chevrons train`.
    fn judgement() -> Judgement<Self> {
        static SHIPPED: LazyLock<Judgement<SelectivePosition>> = LazyLock::new(|| {
            let two = include_bytes!("../../../../data/pacru-2.network");
            let more = include_bytes!("../../../../data/pacru-34.network");
            Judgement::shipped(two, more)
        });
        SHIPPED.clone()
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use crate::game::{Rules, Seat};
    use crate::games::chevrons::network::laws;
    use crate::games::chevrons::{Direction, Field};
    use crate::games::pacru::rules::Position;
    use crate::search::Evaluate;

    pub(crate) fn start(seats: usize) -> SelectivePosition {
        let mut rules = Position::default_rules();
        rules.set("Players", &seats.to_string()).expect("a number of players");
        SelectivePosition::new(Position::start(&rules, None).expect("a start"))
    }

    pub(crate) fn rebuilt(
        position: &SelectivePosition,
        fill: &mut dyn FnMut(&mut Board),
        seat: &dyn Fn(usize) -> usize,
    ) -> SelectivePosition {
        let (seats, options) = (position.seats(), position.options());
        let mut board = Board::empty(seats, seat(position.mover()), options.key(seats));
        fill(&mut board);
        SelectivePosition::new(Position::new(board, options))
    }

    #[test]
    fn an_updated_accumulator_is_the_fresh_one() {
        laws::updates_are_fresh(start);
    }

    #[test]
    fn seats_in_each_others_place_have_each_others_strength() {
        laws::names_do_not_matter(start, rebuilt);
    }

    #[test]
    fn turned_boards_have_turned_facts() {
        laws::turned_boards_have_turned_facts(start, rebuilt);
    }

    #[test]
    fn the_networks_come_back_from_their_bytes_and_damaged_ones_are_refused() {
        laws::files_are_checked::<SelectivePosition>();
    }

    /// Where the board shows every seat the same, all have the same value but for the turn.
    #[test]
    fn a_position_that_is_the_same_for_both_seats_has_opposite_values_for_the_movers() {
        let at = |name| Field::parse(name).expect("a field");
        let value = |mover| {
            let options = Position::default().options();
            let mut board = Board::empty(2, mover, options.key(2));
            for (seat, field, facing) in
                [(0, "b2", 0), (0, "e5", 2), (1, "h8", 4), (1, "d6", 7), (0, "i1", 6)]
            {
                board.place_chevron(seat, at(field), Direction::new(facing));
            }
            let position = SelectivePosition::new(Position::new(board, options));
            let there = laws::renamed(&position, 1, rebuilt);
            let two = SelectivePosition::judgement().two.expect("a network");
            [position, there]
                .map(|position| two.score(&two.fresh(&position), &position, Seat::new(0)))
        };
        for mover in [0, 1] {
            let [here, there] = value(mover);
            assert_eq!(here, -there);
        }
    }
}
