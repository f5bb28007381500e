//! A position: pawns, gates, fresh doubles, throws, turn; whose turn it is and how it may end.

use std::hash::{Hash, Hasher};
use std::ops::ControlFlow;

use super::field::{Field, Values};
use super::generate::for_each_play;
use super::geometry::{KEYS, MAX_PAWNS, sum_of};
use super::moves::{MAX_THROWS, Move, Play};
use super::rule_options::{Gate, Variant, specs};
use crate::game::{
    Chance, Chances, Game, Hidden, NotationError, OptionSpec, OptionValues, Outcome, Random, Rules,
    Seat, Turn,
};

/// The sides that play, by the number of seats.
pub(super) const SEATINGS: [&[usize]; 3] = [&[0, 2], &[0, 1, 2], &[0, 1, 2, 3]];

/// A position of Chowka bhara, its rule options included. Sides are 0 South, 1 East, 2 North,
/// 3 West; with two seats South and North play, with three South, East and North.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Position {
    pub(super) variant: Variant,
    pub(super) seats: u8,
    /// Side whose turn it is; it keeps naming the next side when the game is over.
    pub(super) side: u8,
    /// By side, sorted path indices; 0 beyond the pawns in play.
    pub(super) pawns: [[u8; MAX_PAWNS]; 4],
    /// Sides that have hit, as a set.
    pub(super) gates: u8,
    /// Outer cells with a fresh double.
    pub(super) fresh: u64,
    /// Outer cells on which the mover had a double when the turn began; 0 without `HitBonus`.
    pub(super) held: u64,
    pub(super) throws: [u8; MAX_THROWS],
    pub(super) thrown: u8,
    /// Sides that are home, in order, under `PlayOn`.
    pub(super) finished: [u8; 4],
    pub(super) finishers: u8,
    pub(super) ending: Ending,
    pub(super) key: u64,
}

/// Whether and how the game is over.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) enum Ending {
    None,
    Home,
    Dead,
}

impl Hash for Position {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.key.hash(state);
    }
}

impl Position {
    /// The starting position of a variant.
    pub(super) fn starting(variant: Variant, seats: usize) -> Self {
        let mut position = Position {
            variant,
            seats: seats as u8,
            side: 0,
            pawns: [[0; MAX_PAWNS]; 4],
            gates: 0,
            fresh: 0,
            held: 0,
            throws: [0; MAX_THROWS],
            thrown: 0,
            finished: [0; 4],
            finishers: 0,
            ending: Ending::None,
            key: 0,
        };
        position.key = position.fresh_key();
        position
    }

    /// The rule options in force.
    pub fn variant(&self) -> &Variant {
        &self.variant
    }

    /// The sides in play, in the order of their seats.
    pub fn sides(&self) -> &'static [usize] {
        SEATINGS[(self.seats as usize).clamp(2, 4) - 2]
    }

    /// Whether a side is in play.
    pub fn seated(&self, side: usize) -> bool {
        self.sides().contains(&side)
    }

    /// The side whose turn it is.
    pub fn side(&self) -> usize {
        self.side as usize & 3
    }

    /// The seat of a side in play.
    pub fn seat_of(&self, side: usize) -> Seat {
        Seat::new(self.sides().iter().position(|known| *known == side).unwrap_or(0))
    }

    /// A side's pawns as sorted path indices.
    pub fn pawns(&self, side: usize) -> &[u8] {
        &self.pawns[side & 3][..self.variant.pawns as usize]
    }

    pub(super) fn raw_pawns(&self, side: usize) -> &[u8; MAX_PAWNS] {
        &self.pawns[side & 3]
    }

    /// Whether a side has hit.
    pub fn gate_open(&self, side: usize) -> bool {
        self.gates >> side & 1 != 0
    }

    /// The outer cells with fresh doubles, numbered along South's path.
    pub fn fresh(&self) -> u64 {
        self.fresh
    }

    /// The values of this turn so far.
    pub fn throws(&self) -> &[u8] {
        &self.throws[..self.thrown as usize]
    }

    /// Index of the centre; a pawn there is home.
    pub fn centre(&self) -> u8 {
        self.variant.geometry().centre
    }

    /// Whether all pawns of a side have reached the centre.
    pub(super) fn is_home(&self, side: usize) -> bool {
        self.pawns(side).first() == Some(&self.centre())
    }

    pub(super) fn finishers(&self) -> &[u8] {
        &self.finished[..self.finishers as usize]
    }

    /// Whether the turn was voided by its third bonus throw.
    pub(super) fn voided(&self) -> bool {
        self.variant.triple_void
            && self.thrown >= 3
            && self.throws().iter().all(|value| self.variant.is_bonus(*value))
    }

    /// Whether the cowries are to be thrown, if the game goes on.
    fn to_throw(&self) -> bool {
        match self.throws().last() {
            None => true,
            Some(last) => {
                self.variant.is_bonus(*last)
                    && (self.thrown as usize) < MAX_THROWS
                    && !self.voided()
            }
        }
    }

    /// The enemy pawns on a set of the mover's path indices, one bit each.
    pub(super) fn enemies_on(&self, hit: u128) -> u32 {
        let mut pawns = 0;
        if hit == 0 {
            return pawns;
        }
        let geometry = self.variant.geometry();
        for further in 1..4 {
            let side = self.side() + further;
            if !self.seated(side & 3) {
                continue;
            }
            for (slot, index) in self.pawns(side).iter().enumerate() {
                if hit >> geometry.relative(further, *index) & 1 != 0 {
                    pawns |= 1 << ((further - 1) * MAX_PAWNS + slot);
                }
            }
        }
        pawns
    }

    /// Whether no seat still playing can ever move: its gate is closed and every pawn waits at it.
    fn is_dead(&self) -> bool {
        let last = self.variant.geometry().ring - 1;
        self.variant.gate == Gate::Stop
            && self.sides().iter().all(|side| {
                self.is_home(*side)
                    || !self.gate_open(*side)
                        && self.pawns(*side).iter().all(|index| *index == last)
            })
    }

    /// Whether and how the game is over, by the pawns alone.
    pub(super) fn find_ending(&self) -> Ending {
        let home = self.sides().iter().filter(|side| self.is_home(**side)).count();
        let enough = if self.variant.play_on { self.seats as usize - 1 } else { 1 };
        match () {
            () if home >= enough => Ending::Home,
            () if self.is_dead() => Ending::Dead,
            () => Ending::None,
        }
    }

    /// A place for every seat once nobody plays any more.
    fn places(&self) -> Outcome {
        if self.variant.play_on {
            let mut scores = [0i64; 4];
            for (rank, side) in self.finishers().iter().enumerate() {
                scores[self.seat_of(*side as usize).index()] = 4 - rank as i64;
            }
            return Outcome::from_scores(&scores[..self.seats()]);
        }
        match self.sides().iter().position(|side| self.is_home(*side)) {
            Some(winner) => Outcome::win(self.seats(), Seat::new(winner)),
            None => Outcome::draw(self.seats()),
        }
    }

    /// Whether the values, played as the steps say, leave none that could still be played.
    fn is_legal_play(&self, play: &Play) -> bool {
        if self.voided() {
            return play.steps().is_empty();
        }
        let mut field = Field::new(self);
        let mut values = Values::new(self.throws());
        for step in play.steps() {
            let value = field.value_of(*step);
            let Some((value, kind)) = value.and_then(|v| values.kind(v).map(|kind| (v, kind)))
            else {
                return false;
            };
            if field.check(*step, value).is_err() {
                return false;
            }
            field.make(*step);
            values = values.without(kind);
        }
        self.variant.pass || values.kinds().all(|(_, value)| !field.playable(value))
    }
}

impl Game for Position {
    type Move = Move;

    fn seats(&self) -> usize {
        self.seats as usize
    }

    fn turn(&self) -> Turn {
        if self.ending != Ending::None {
            return Turn::Over;
        }
        let seat = self.seat_of(self.side());
        if self.to_throw() { Turn::Chance { thrower: Some(seat) } } else { Turn::Seat(seat) }
    }

    fn for_each_move<B>(
        &self,
        mut visit: impl FnMut(Self::Move) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        if self.ending != Ending::None {
            return ControlFlow::Continue(());
        }
        if !self.to_throw() {
            return for_each_play(self, visit);
        }
        let cowries = self.variant.bonus();
        for value in (1..=cowries).chain([2 * cowries]) {
            visit(Move::Throw(value))?;
        }
        ControlFlow::Continue(())
    }

    fn is_legal(&self, m: &Self::Move) -> bool {
        if self.ending != Ending::None {
            return false;
        }
        match m {
            Move::Throw(value) => self.to_throw() && self.variant.is_value(*value),
            Move::Play(play) => !self.to_throw() && self.is_legal_play(play),
        }
    }

    fn play(&mut self, m: &Self::Move) {
        match m {
            Move::Throw(value) => self.add_throw(*value),
            Move::Play(play) => self.make_play(play),
        }
    }

    fn outcome(&self) -> Option<Outcome> {
        (self.ending != Ending::None).then(|| self.places())
    }

    fn reason(&self) -> Option<&'static str> {
        match self.ending {
            Ending::None => None,
            Ending::Home => Some("all-home"),
            Ending::Dead => Some("no-moves"),
        }
    }

    fn key(&self) -> u64 {
        self.key
    }

    fn fresh_key(&self) -> u64 {
        let mut key = KEYS.turn[self.side()];
        for side in self.sides() {
            for index in self.pawns(*side) {
                key = key.wrapping_add(KEYS.pawn[*side][*index as usize]);
            }
            if self.gate_open(*side) {
                key = key.wrapping_add(KEYS.gate[*side]);
            }
        }
        for value in self.throws() {
            key = key.wrapping_add(KEYS.throw[*value as usize]);
        }
        for (rank, side) in self.finishers().iter().enumerate() {
            key = key.wrapping_add(KEYS.finished[rank][*side as usize]);
        }
        key.wrapping_add(sum_of(self.fresh, &KEYS.fresh))
            .wrapping_add(sum_of(self.held, &KEYS.held))
    }

    /// A throw by its weight; of a play every step uniformly among the legal ones, as a value is
    /// chosen and moved at the table. Not every play is equally likely then.
    fn random_move(&self, random: &mut Random) -> Option<Self::Move> {
        match self.turn() {
            Turn::Over => None,
            Turn::Chance { .. } => Some(Move::Throw(self.random_throw(random.next()))),
            Turn::Seat(_) => Some(Move::Play(self.random_play(random))),
        }
    }
}

impl Chance for Position {
    fn chances(&self) -> Chances<Self::Move> {
        if !self.turn().is_chance() {
            return Chances::Listed(Vec::new());
        }
        let values = self.variant.weighted_values();
        Chances::Listed(values.map(|(value, weight)| (Move::Throw(value), weight)).collect())
    }
}

impl Hidden for Position {}

impl Rules for Position {
    fn rule_options() -> Vec<OptionSpec> {
        specs()
    }

    fn start(rules: &OptionValues, _viewer: Option<Seat>) -> Result<Self, NotationError> {
        let seats = rules.integer("Players").clamp(2, 4) as usize;
        Ok(Self::starting(Variant::new(rules)?, seats))
    }

    fn rules(&self) -> Vec<(&'static str, String)> {
        self.variant.values(self.seats())
    }
}
