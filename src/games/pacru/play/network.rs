//! The neural network that evaluates positions: what it adds to the linear strength of every seat.
//!
//! [`super::inputs`] says what it sees, [`crate::search::seat_network`] is the arithmetic. One
//! network is for two seats, one for three and four.

use std::path::Path;
use std::sync::{Arc, LazyLock};

use super::attack_maps::AttackMaps;
use super::evaluation::linear_strengths;
use super::inputs::{Facts, add_board, add_changes, blocks_of, bucket_of, shape, visit_moment};
use super::selective::SelectivePosition;
use super::weights::weights;
use crate::game::{Game, MAX_SEATS, Seat};
use crate::games::chevrons::strengths::{Strengths, logit, logits};
use crate::games::pacru::rules::{Move, Position};
use crate::machine::dispatched;
use crate::search::Evaluate;
use crate::search::network::Accumulator;
use crate::search::seat_network::SeatNetwork;
use crate::search::value::Value;
use crate::search::weight_file::{self, WeightFileError};

/// The number of hidden sums of each view.
pub const HIDDEN: usize = 64;

/// The name of the game in weight files.
const GAME: &str = "pacru";

/// The network with `VIEWS` views: two for two seats, four for three and four.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Network<const VIEWS: usize>(SeatNetwork<HIDDEN>);

/// The networks that the engine plays with, written by `parlor-lab pacru train`.
pub(super) static TWO: LazyLock<Arc<Network<2>>> =
    LazyLock::new(|| shipped(include_bytes!("../../../../data/pacru-2.network")));
/// The same for three and four seats.
pub(super) static MORE: LazyLock<Arc<Network<4>>> =
    LazyLock::new(|| shipped(include_bytes!("../../../../data/pacru-34.network")));

fn shipped<const VIEWS: usize>(bytes: &[u8]) -> Arc<Network<VIEWS>> {
    Network::from_bytes(bytes)
        .map_or_else(|error| unreachable!("the network in the program {error}"), Arc::new)
}

impl<const VIEWS: usize> From<SeatNetwork<HIDDEN>> for Network<VIEWS> {
    fn from(network: SeatNetwork<HIDDEN>) -> Self {
        Network(network)
    }
}

impl<const VIEWS: usize> Network<VIEWS> {
    /// Reads a weight file that [`Network::to_bytes`] or `parlor-lab pacru train` wrote.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, WeightFileError> {
        SeatNetwork::from_bytes(bytes, GAME, shape(VIEWS)).map(Network)
    }

    /// Reads a weight file from disk.
    pub fn read(path: &Path) -> Result<Self, WeightFileError> {
        Self::from_bytes(&weight_file::read(path)?)
    }

    /// The network as a weight file.
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        self.0.to_bytes(GAME)
    }

    dispatched! {
        /// The strength of every seat that has chevrons.
        pub(crate) fn strengths / strengths_fast = find_strengths(
            &self,
            sums: &Accumulator<HIDDEN, VIEWS>,
            position: &Position
        ) -> Strengths
    }

    #[inline(always)]
    fn find_strengths(&self, sums: &Accumulator<HIDDEN, VIEWS>, position: &Position) -> Strengths {
        let seats = position.seats().min(VIEWS);
        let maps = AttackMaps::new(position);
        let mut facts = Facts::new();
        visit_moment(position, &maps, |fact| facts.push(fact));
        let mut strengths = linear_strengths(weights(seats), position, &maps);
        for (view, strength) in strengths.iter_mut().enumerate().take(seats) {
            if !position.chevron_fields(view).is_empty() {
                let (blocks, bucket) = (blocks_of(view, seats), bucket_of(position, view));
                *strength += self.0.strength(sums, view, &blocks, &facts, bucket);
            }
        }
        strengths
    }

    /// Writes the accumulator after facts of the board ended and others began.
    fn change(
        &self,
        before: &Accumulator<HIDDEN, VIEWS>,
        seats: usize,
        changes: [&Facts; 2],
        after: &mut Accumulator<HIDDEN, VIEWS>,
    ) {
        let changes = changes.map(|facts| &facts[..]);
        for view in 0..seats.min(VIEWS) {
            self.0.change(before, view, &blocks_of(view, seats), changes, after);
        }
    }
}

impl<const VIEWS: usize> Evaluate<SelectivePosition> for Network<VIEWS> {
    type Acc = Accumulator<HIDDEN, VIEWS>;

    fn fresh(&self, position: &SelectivePosition) -> Self::Acc {
        let empty = self.0.empty();
        let mut sums = empty;
        let mut facts = Facts::new();
        add_board(position, &mut facts);
        self.change(&empty, position.seats(), [&Facts::new_const(), &facts], &mut sums);
        sums
    }

    fn update(
        &self,
        acc: &Self::Acc,
        before: &SelectivePosition,
        _: &Move,
        after: &SelectivePosition,
        next: &mut Self::Acc,
    ) {
        let (mut ended, mut begun) = (Facts::new(), Facts::new());
        add_changes(before, after, &mut ended, &mut begun);
        self.change(acc, before.seats(), [&ended, &begun], next);
    }

    fn score(&self, acc: &Self::Acc, position: &SelectivePosition, seat: Seat) -> Value {
        logit(&self.strengths(acc, position), seat.index())
    }

    fn scores(&self, acc: &Self::Acc, position: &SelectivePosition) -> [Value; MAX_SEATS] {
        logits(&self.strengths(acc, position), position.seats())
    }

    fn rough_scores(&self, position: &SelectivePosition) -> Option<[Value; MAX_SEATS]> {
        let seats = position.seats();
        let maps = AttackMaps::new(position);
        Some(logits(&linear_strengths(weights(seats), position, &maps), seats))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::{Random, Rules};
    use crate::games::chevrons::{Board, Direction, Field};
    use crate::machine::use_portable;

    /// Positions of random games, each with a move to play in it.
    fn for_moves(seats: usize, games: u64, mut visit: impl FnMut(&SelectivePosition, &Move)) {
        let mut rules = Position::default_rules();
        rules.set("Players", &seats.to_string()).expect("a number of players");
        for game in 0..games {
            let mut random = Random::new(game);
            let mut position =
                SelectivePosition::new(Position::start(&rules, None).expect("a start"));
            for _ in 0..200 {
                let Some(m) = position.random_move(&mut random) else { break };
                visit(&position, &m);
                position.play(&m);
            }
        }
    }

    fn updates_are_fresh<const VIEWS: usize>(network: &Network<VIEWS>, seats: usize) {
        let (mut checked, mut portable) = (0, false);
        for_moves(seats, 8, |before, m| {
            let mut after = before.clone();
            after.play(m);
            let acc = network.fresh(before);
            portable = !portable;
            use_portable(portable);
            let updated = network.updated(&acc, before, m, &after);
            use_portable(false);
            assert_eq!(updated, network.fresh(&after), "{} after {m:?}", *after);
            let scores = network.scores(&updated, &after);
            use_portable(true);
            assert_eq!(network.scores(&updated, &after), scores);
            use_portable(false);
            checked += 1;
        });
        assert!(checked > 400, "{checked}");
    }

    #[test]
    fn an_updated_accumulator_is_the_fresh_one() {
        updates_are_fresh(&TWO, 2);
        updates_are_fresh(&MORE, 3);
        updates_are_fresh(&MORE, 4);
    }

    /// The position with other names for seats, each moved on by `ahead`.
    fn renamed(position: &Position, ahead: usize) -> Position {
        let seats = position.seats();
        let seat = |seat: usize| (seat + ahead) % seats;
        let options = position.options();
        let mut other = Board::empty(seats, seat(position.mover()), options.key(seats));
        for field in Field::all() {
            let cell = position.cell(field);
            if let Some(owner) = cell.marker() {
                other.set_marker(field, Some(seat(owner)));
            }
            if cell.is_occupied() {
                other.place_chevron(seat(cell.chevron_seat()), field, cell.facing());
            }
        }
        Position::new(other, options)
    }

    fn names_do_not_matter<const VIEWS: usize>(network: &Network<VIEWS>, seats: usize) {
        let strengths = |position: Position| {
            let position = SelectivePosition::new(position);
            network.strengths(&network.fresh(&position), &position)
        };
        let mut different = 0;
        for_moves(seats, 2, |position, _| {
            let here = strengths((**position).clone());
            for ahead in 1..seats {
                let there = strengths(renamed(position, ahead));
                for seat in 0..seats {
                    assert_eq!(there[(seat + ahead) % seats], here[seat], "{}", **position);
                }
                different += usize::from(there != here);
            }
        });
        assert!(different > 100, "{different}");
    }

    #[test]
    fn seats_in_each_others_place_have_each_others_strength() {
        names_do_not_matter(&TWO, 2);
        names_do_not_matter(&MORE, 3);
        names_do_not_matter(&MORE, 4);
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
            let position = Position::new(board, options);
            let there = renamed(&position, 1);
            [position, there].map(|position| {
                let position = SelectivePosition::new(position);
                TWO.score(&TWO.fresh(&position), &position, Seat::new(0))
            })
        };
        for mover in [0, 1] {
            let [here, there] = value(mover);
            assert_eq!(here, -there);
        }
    }

    #[test]
    fn the_networks_come_back_from_their_bytes_and_damaged_ones_are_refused() {
        let bytes = TWO.to_bytes();
        assert_eq!(Network::<2>::from_bytes(&bytes).as_ref(), Ok(&**TWO));
        assert!(Network::<4>::from_bytes(&bytes).is_err());
        for byte in (0..bytes.len()).step_by(4_999) {
            let mut damaged = bytes.clone();
            damaged[byte] ^= 0x10;
            assert!(Network::<2>::from_bytes(&damaged).is_err(), "byte {byte}");
        }
        assert!(Network::<2>::from_bytes(&bytes[..bytes.len() - 1]).is_err());
        assert_eq!(MORE.to_bytes().len().max(bytes.len()) / 1_000_000, 0);
    }
}
