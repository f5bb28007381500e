//! The neural networks that evaluate positions: what they add to the strengths of a game's own terms.
//!
//! [`super::inputs`] says what they see of the board, the game ([`Judged`]) what of the moment;
//! [`crate::search::seat_network`] is the arithmetic. One network is for two seats, one for three and
//! four.

use std::marker::PhantomData;
use std::path::Path;
use std::sync::Arc;

use super::Board;
use super::inputs::{Facts, STRIDE, add_board, add_changes, blocks_of};
use super::strengths::{LOST, Strengths, logit, logits};
use crate::game::{Game, MAX_SEATS, Seat};
use crate::machine::dispatched;
use crate::search::Evaluate;
use crate::search::network::{Accumulator, Shape};
use crate::search::seat_network::SeatNetwork;
use crate::search::value::Value;
use crate::search::weight_file::{self, WeightFileError};

/// The number of hidden sums of each view.
pub const HIDDEN: usize = 64;

/// Sets of output weights of a network.
pub const BUCKETS: usize = 8;

/// A game whose positions are evaluated by networks.
pub trait Judged: Game {
    /// The name of the game in weight files.
    const GAME: &'static str;

    /// Facts of a seat, at most [`STRIDE`].
    const FACTS: usize;

    /// The first numbers of the facts of the moment that go by field.
    const BY_FIELD: &'static [usize];

    /// The board.
    fn board(&self) -> &Board;

    /// Adds the facts of the moment; the strengths by the game's own terms, [`LOST`] for who can no
    /// longer win.
    fn see(&self, facts: &mut Facts) -> Strengths;

    /// The set of output weights for a seat, below [`BUCKETS`].
    fn bucket(&self, seat: usize) -> usize;

    /// What the engine plays with.
    fn judgement() -> Judgement<Self>;
}

/// The network with `VIEWS` views: two for two seats, four for three and four.
#[derive(Clone, Debug)]
pub struct Network<P, const VIEWS: usize>(SeatNetwork<HIDDEN>, PhantomData<fn() -> P>);

impl<P, const VIEWS: usize> PartialEq for Network<P, VIEWS> {
    fn eq(&self, other: &Self) -> bool {
        self.0 == other.0
    }
}

impl<P, const VIEWS: usize> Eq for Network<P, VIEWS> {}

impl<P, const VIEWS: usize> From<SeatNetwork<HIDDEN>> for Network<P, VIEWS> {
    fn from(network: SeatNetwork<HIDDEN>) -> Self {
        Network(network, PhantomData)
    }
}

/// The networks that are added to a game's own terms, if any.
#[derive(Clone, Debug)]
pub struct Judgement<P> {
    /// For two seats.
    pub two: Option<Arc<Network<P, 2>>>,
    /// For three and four.
    pub more: Option<Arc<Network<P, 4>>>,
}

impl<P> Judgement<P> {
    /// The terms alone.
    pub const TERMS: Self = Judgement { two: None, more: None };
}

impl<P: Judged> Judgement<P> {
    /// The networks in the program, from their files.
    pub(crate) fn shipped(two: &[u8], more: &[u8]) -> Self {
        let wrong = |error: WeightFileError| -> ! { unreachable!("in the program: {error}") };
        let two = Network::from_bytes(two).unwrap_or_else(|error| wrong(error));
        let more = Network::from_bytes(more).unwrap_or_else(|error| wrong(error));
        Judgement { two: Some(two.into()), more: Some(more.into()) }
    }

    /// The strength of every seat by the network for so many seats, if there is one.
    pub(crate) fn strengths(&self, position: &P) -> Option<Strengths> {
        match position.seats() {
            2 => self.two.as_deref().map(|network| network.fresh_strengths(position)),
            _ => self.more.as_deref().map(|network| network.fresh_strengths(position)),
        }
    }
}

impl<P: Judged, const VIEWS: usize> Network<P, VIEWS> {
    /// The shape: a block of inputs for each seat seen.
    pub const SHAPE: Shape = {
        assert!(P::FACTS <= STRIDE);
        Shape { blocks: VIEWS, used: P::FACTS, stride: STRIDE, buckets: BUCKETS }
    };

    /// Reads a weight file that [`Network::to_bytes`] or `parlor-lab` wrote.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, WeightFileError> {
        SeatNetwork::from_bytes(bytes, P::GAME, Self::SHAPE).map(Self::from)
    }

    /// Reads a weight file from disk.
    pub fn read(path: &Path) -> Result<Self, WeightFileError> {
        Self::from_bytes(&weight_file::read(path)?)
    }

    /// The network as a weight file.
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        self.0.to_bytes(P::GAME)
    }

    dispatched! {
        /// The strength of every seat that can still win.
        pub(crate) fn strengths / strengths_fast = find_strengths(
            &self,
            sums: &Accumulator<HIDDEN, VIEWS>,
            position: &P
        ) -> Strengths
    }

    #[inline(always)]
    fn find_strengths(&self, sums: &Accumulator<HIDDEN, VIEWS>, position: &P) -> Strengths {
        let mut facts = Facts::new();
        let strengths = position.see(&mut facts);
        self.added(sums, position, &facts, strengths)
    }

    /// The strengths of a position by all its facts, none of them in an accumulator, and by its terms.
    pub(crate) fn strengths_of_facts(
        &self,
        position: &P,
        facts: &Facts,
        terms: Strengths,
    ) -> Strengths {
        self.added(&self.0.empty(), position, facts, terms)
    }

    /// The strengths by the terms and what the network adds, from sums and the facts not in them.
    #[inline(always)]
    fn added(
        &self,
        sums: &Accumulator<HIDDEN, VIEWS>,
        position: &P,
        facts: &Facts,
        mut strengths: Strengths,
    ) -> Strengths {
        let seats = position.board().seats().min(VIEWS);
        for (view, strength) in strengths.iter_mut().enumerate().take(seats) {
            if *strength > LOST {
                let (blocks, bucket) = (blocks_of(view, seats), position.bucket(view));
                *strength += self.0.strength(sums, view, &blocks, facts, bucket);
            }
        }
        strengths
    }

    /// The strengths of a position, whose accumulator is not known.
    fn fresh_strengths(&self, position: &P) -> Strengths {
        self.strengths(&self.fresh(position), position)
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

impl<P: Judged, const VIEWS: usize> Evaluate<P> for Network<P, VIEWS> {
    type Acc = Accumulator<HIDDEN, VIEWS>;

    fn fresh(&self, position: &P) -> Self::Acc {
        let empty = self.0.empty();
        let mut sums = empty;
        let mut facts = Facts::new();
        add_board(position.board(), &mut facts);
        self.change(&empty, position.seats(), [&Facts::new_const(), &facts], &mut sums);
        sums
    }

    fn update(&self, acc: &Self::Acc, before: &P, _: &P::Move, after: &P, next: &mut Self::Acc) {
        let (mut ended, mut begun) = (Facts::new(), Facts::new());
        add_changes(before.board(), after.board(), &mut ended, &mut begun);
        self.change(acc, before.seats(), [&ended, &begun], next);
    }

    fn score(&self, acc: &Self::Acc, position: &P, seat: Seat) -> Value {
        logit(&self.strengths(acc, position), seat.index())
    }

    fn scores(&self, acc: &Self::Acc, position: &P) -> [Value; MAX_SEATS] {
        logits(&self.strengths(acc, position), position.seats())
    }
}

/// What must hold of the networks of every game.
#[cfg(test)]
pub(crate) mod laws {
    use super::*;
    use crate::game::Random;
    use crate::games::chevrons::inputs::{OwnedFact, symmetries, turned, turned_facing};
    use crate::games::chevrons::{Direction, Field};
    use crate::machine::use_portable;

    /// Positions of random games, each with a move to play in it.
    fn for_moves<P: Judged>(start: P, games: u64, mut visit: impl FnMut(&P, &P::Move)) {
        for game in 0..games {
            let mut random = Random::new(game);
            let mut position = start.clone();
            for _ in 0..200 {
                let Some(m) = position.random_move(&mut random) else { break };
                visit(&position, &m);
                position.play(&m);
            }
        }
    }

    fn networks<P: Judged>() -> (Arc<Network<P, 2>>, Arc<Network<P, 4>>) {
        let Judgement { two, more } = P::judgement();
        two.zip(more).expect("networks are shipped")
    }

    /// An updated accumulator is the fresh one, and all paths find the same values.
    pub(crate) fn updates_are_fresh<P: Judged>(start: impl Fn(usize) -> P) {
        fn check<P: Judged, const VIEWS: usize>(network: &Network<P, VIEWS>, start: P) {
            let (mut checked, mut portable) = (0, false);
            for_moves(start, 8, |before, m| {
                let mut after = before.clone();
                after.play(m);
                let acc = network.fresh(before);
                portable = !portable;
                use_portable(portable);
                let updated = network.updated(&acc, before, m, &after);
                use_portable(false);
                assert_eq!(updated, network.fresh(&after), "{after:?} after {m:?}");
                let scores = network.scores(&updated, &after);
                use_portable(true);
                assert_eq!(network.scores(&updated, &after), scores);
                use_portable(false);
                checked += 1;
            });
            assert!(checked > 300, "{checked}");
        }
        let (two, more) = networks::<P>();
        check(&two, start(2));
        check(&more, start(3));
        check(&more, start(4));
    }

    /// A board like that of a position with other cells, and the position on it. `seat` gives seats
    /// new names.
    type Rebuild<P> = fn(&P, fill: &mut dyn FnMut(&mut Board), seat: &dyn Fn(usize) -> usize) -> P;

    /// The position with other names for seats, each moved on by `ahead`.
    pub(crate) fn renamed<P: Judged>(position: &P, ahead: usize, rebuilt: Rebuild<P>) -> P {
        let board = position.board();
        let seat = |seat: usize| (seat + ahead) % board.seats();
        let mut fill = |other: &mut Board| {
            for field in Field::all() {
                let cell = board.cell(field);
                if let Some(owner) = cell.marker() {
                    other.set_marker(field, Some(seat(owner)));
                }
                if cell.is_occupied() {
                    other.place_chevron(seat(cell.chevron_seat()), field, cell.facing());
                }
            }
        };
        rebuilt(position, &mut fill, &seat)
    }

    /// The board turned or mirrored, by the geometry alone.
    pub(crate) fn image<P: Judged>(position: &P, way: usize, rebuilt: Rebuild<P>) -> P {
        let field = |field: Field| Field::new(turned(way, field.index(), 9));
        let board = position.board();
        let mut fill = |other: &mut Board| {
            for from in Field::all() {
                let cell = board.cell(from);
                if let Some(owner) = cell.marker() {
                    other.set_marker(field(from), Some(owner));
                }
                if cell.is_occupied() {
                    // Where a step that way leads, or comes from.
                    let facing = Direction::all().find(|facing| match from.next(cell.facing()) {
                        Some(to) => field(from).next(*facing) == Some(field(to)),
                        None => {
                            let back = from.next(cell.facing().back()).map(field);
                            let there = field(from).next(facing.back());
                            back.is_some() && there == back && field(from).next(*facing).is_none()
                        }
                    });
                    // A chevron in a corner may face along neither: any way off the board will do.
                    let facing = facing
                        .unwrap_or(Direction::new(turned_facing(way, cell.facing().index()) as u8));
                    other.place_chevron(cell.chevron_seat(), field(from), facing);
                }
            }
        };
        rebuilt(position, &mut fill, &|seat| seat)
    }

    /// Facts of a turned board are the turned facts.
    pub(crate) fn turned_boards_have_turned_facts<P: Judged>(
        start: impl Fn(usize) -> P,
        rebuilt: Rebuild<P>,
    ) {
        let facts = |position: &P| {
            let mut facts = Facts::new();
            add_board(position.board(), &mut facts);
            let _ = position.see(&mut facts);
            facts.sort_unstable();
            facts.to_vec()
        };
        let tables = symmetries(P::BY_FIELD);
        let mut checked = 0;
        for seats in 2..=4 {
            for_moves(start(seats), 1, |position, _| {
                let here = facts(position);
                for (way, table) in tables.iter().enumerate() {
                    let image_of = |owned: &OwnedFact| {
                        let fact = table[*owned as usize % STRIDE];
                        owned / STRIDE as u16 * STRIDE as u16 + fact
                    };
                    let mut images: Vec<OwnedFact> = here.iter().map(image_of).collect();
                    images.sort_unstable();
                    assert_eq!(
                        facts(&image(position, way, rebuilt)),
                        images,
                        "{way}: {position:?}"
                    );
                    checked += 1;
                }
            });
        }
        assert!(checked > 800, "{checked}");
    }

    /// Seats in each other's place have each other's strength.
    pub(crate) fn names_do_not_matter<P: Judged>(start: impl Fn(usize) -> P, rebuilt: Rebuild<P>) {
        fn check<P: Judged, const VIEWS: usize>(
            network: &Network<P, VIEWS>,
            start: P,
            renamed: impl Fn(&P, usize) -> P,
        ) {
            let strengths = |position: &P| network.fresh_strengths(position);
            let seats = start.seats();
            let mut different = 0;
            for_moves(start, 2, |position, _| {
                let here = strengths(position);
                for ahead in 1..seats {
                    let there = strengths(&renamed(position, ahead));
                    for seat in 0..seats {
                        assert_eq!(there[(seat + ahead) % seats], here[seat], "{position:?}");
                    }
                    different += usize::from(there != here);
                }
            });
            assert!(different > 80, "{different}");
        }
        let (two, more) = networks::<P>();
        let renamed = |position: &P, ahead: usize| renamed(position, ahead, rebuilt);
        check(&two, start(2), renamed);
        check(&more, start(3), renamed);
        check(&more, start(4), renamed);
    }

    /// With two seats the scores of both are opposite.
    pub(crate) fn scores_of_two_are_opposite<P: Judged>(evaluator: &impl Evaluate<P>, start: P) {
        let mut uneven = 0;
        for_moves(start, 4, |position, _| {
            let acc = evaluator.fresh(position);
            let [one, other] = [0, 1].map(|at| evaluator.score(&acc, position, Seat::new(at)));
            assert_eq!(one, -other, "{position:?}");
            let all = evaluator.scores(&acc, position);
            assert_eq!(all[..2], [one, other], "{position:?}");
            uneven += usize::from(one != 0);
        });
        assert!(uneven > 80, "{uneven}");
    }

    /// Networks come back from their bytes, and damaged ones are refused.
    pub(crate) fn files_are_checked<P: Judged>() {
        let (two, more) = networks::<P>();
        let bytes = two.to_bytes();
        assert!(Network::<P, 2>::from_bytes(&bytes).as_ref() == Ok(&two));
        assert!(Network::<P, 4>::from_bytes(&bytes).is_err());
        for byte in (0..bytes.len()).step_by(4_999) {
            let mut damaged = bytes.clone();
            damaged[byte] ^= 0x10;
            assert!(Network::<P, 2>::from_bytes(&damaged).is_err(), "byte {byte}");
        }
        assert!(Network::<P, 2>::from_bytes(&bytes[..bytes.len() - 1]).is_err());
        assert_eq!(more.to_bytes().len().max(bytes.len()) / 1_000_000, 0);
    }
}
