//! A position: pawns, gates, fresh doubles, throws and turn, with the primitive changes that keep
//! its key.

use std::hash::{Hash, Hasher};

use super::board::MAX_PAWNS;
use super::keys::{KEYS, sum_of};
use super::moves::MAX_THROWS;
use super::options::{Gate, RuleOptions};
use crate::game::{Game, Seat};

/// The sides that play, by the number of seats.
const SEATINGS: [&[usize]; 3] = [&[0, 2], &[0, 1, 2], &[0, 1, 2, 3]];

/// A position of Chowka bhara, its rule options included. Sides are 0 South, 1 East, 2 North,
/// 3 West; with two seats South and North play, with three South, East and North.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Position {
    pub(super) options: RuleOptions,
    pub(super) seats: u8,
    /// Side whose turn it is; it keeps naming the next side when the game is over.
    pub(super) side: u8,
    /// By side, sorted path indices; 0 beyond the pawns in play.
    pub(super) pawns: [[u8; MAX_PAWNS]; 4],
    /// Sides that have hit, as a set.
    pub(super) open_gates: u8,
    /// Outer cells with a fresh double.
    pub(super) fresh: u64,
    /// Outer cells on which the mover had a double when the turn began; 0 without `HitBonus`.
    pub(super) doubles_before: u64,
    pub(super) throws: [u8; MAX_THROWS],
    pub(super) throw_count: u8,
    /// Sides that are home, in order, under `PlayOn`.
    pub(super) finished: [u8; 4],
    pub(super) finished_count: u8,
    pub(super) ending: Ending,
    pub(super) key: u64,
}

/// Whether and how the game is over.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) enum Ending {
    /// The game is not over.
    None,
    /// Enough seats have all pawns in the centre.
    Home,
    /// Nobody can ever move again.
    Dead,
}

impl Hash for Position {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.key.hash(state);
    }
}

impl Position {
    /// The starting position under these options.
    #[must_use]
    pub fn starting(options: RuleOptions, seats: usize) -> Self {
        let mut position = Position {
            options,
            seats: seats as u8,
            side: 0,
            pawns: [[0; MAX_PAWNS]; 4],
            open_gates: 0,
            fresh: 0,
            doubles_before: 0,
            throws: [0; MAX_THROWS],
            throw_count: 0,
            finished: [0; 4],
            finished_count: 0,
            ending: Ending::None,
            key: 0,
        };
        position.key = position.fresh_key();
        position
    }

    /// The rule options.
    #[must_use]
    pub fn options(&self) -> &RuleOptions {
        &self.options
    }

    /// The sides in play, in the order of their seats.
    #[must_use]
    pub fn sides(&self) -> &'static [usize] {
        Self::seating(self.seats as usize)
    }

    /// The sides in play with this number of seats.
    pub(crate) fn seating(seats: usize) -> &'static [usize] {
        SEATINGS[seats.clamp(2, 4) - 2]
    }

    /// Whether a side is in play.
    #[must_use]
    pub fn seated(&self, side: usize) -> bool {
        self.sides().contains(&side)
    }

    /// The side whose turn it is.
    #[must_use]
    pub fn side(&self) -> usize {
        self.side as usize & 3
    }

    /// The seat of a side in play.
    #[must_use]
    pub(crate) fn seat_of(&self, side: usize) -> Seat {
        Seat::new(self.sides().iter().position(|known| *known == side).unwrap_or(0))
    }

    /// A side's pawns as sorted path indices.
    #[must_use]
    pub fn pawns(&self, side: usize) -> &[u8] {
        &self.pawns[side & 3][..self.options.pawns as usize]
    }

    /// The same, with zeros beyond the pawns in play.
    pub(super) fn padded_pawns(&self, side: usize) -> &[u8; MAX_PAWNS] {
        &self.pawns[side & 3]
    }

    /// Whether a side has hit.
    #[must_use]
    pub fn gate_open(&self, side: usize) -> bool {
        self.open_gates >> side & 1 != 0
    }

    /// The outer cells with fresh doubles, numbered along South's path.
    #[must_use]
    pub fn fresh(&self) -> u64 {
        self.fresh
    }

    /// Under `HitBonus`, the outer cells on which the mover had a double when the turn began.
    pub(crate) fn doubles_before(&self) -> u64 {
        self.doubles_before
    }

    /// The values of this turn so far.
    #[must_use]
    pub fn throws(&self) -> &[u8] {
        &self.throws[..self.throw_count as usize]
    }

    /// Index of the centre; a pawn there is home.
    #[must_use]
    pub fn centre(&self) -> u8 {
        self.options.geometry().centre
    }

    /// Whether all pawns of a side have reached the centre.
    pub(crate) fn is_home(&self, side: usize) -> bool {
        self.pawns(side).first() == Some(&self.centre())
    }

    /// Under `PlayOn`, the sides that are home, in order.
    pub(crate) fn finishers(&self) -> &[u8] {
        &self.finished[..self.finished_count as usize]
    }

    /// Whether the turn was voided by its third bonus throw.
    pub(in crate::games::chowka_bhara) fn voided(&self) -> bool {
        self.options.triple_void
            && self.throw_count >= 3
            && self.throws().iter().all(|value| self.options.is_bonus(*value))
    }

    /// Whether the cowries are to be thrown next; only meaningful while the game is not over.
    pub(super) fn to_throw(&self) -> bool {
        match self.throws().last() {
            None => true,
            Some(last) => {
                self.options.is_bonus(*last)
                    && (self.throw_count as usize) < MAX_THROWS
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
        let geometry = self.options.geometry();
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
        let last = self.options.geometry().ring - 1;
        self.options.gate == Gate::Stop
            && self.sides().iter().all(|side| {
                self.is_home(*side)
                    || !self.gate_open(*side)
                        && self.pawns(*side).iter().all(|index| *index == last)
            })
    }

    /// Whether and how the game is over, by the pawns alone.
    pub(super) fn find_ending(&self) -> Ending {
        let home = self.sides().iter().filter(|side| self.is_home(**side)).count();
        let enough = if self.options.play_on { self.seats as usize - 1 } else { 1 };
        match () {
            () if home >= enough => Ending::Home,
            () if self.is_dead() => Ending::Dead,
            () => Ending::None,
        }
    }

    /// Adds a throw to the turn.
    pub(super) fn add_throw(&mut self, value: u8) {
        if (self.throw_count as usize) < MAX_THROWS {
            self.throws[self.throw_count as usize] = value;
            self.throw_count += 1;
            self.key = self.key.wrapping_add(KEYS.throw[value as usize]);
        }
    }

    /// Replaces the pawns of a side.
    pub(super) fn replace_pawns(&mut self, side: usize, pawns: [u8; MAX_PAWNS]) {
        for (old, new) in self.pawns[side].iter().zip(&pawns).take(self.options.pawns as usize) {
            if old != new {
                self.key = self
                    .key
                    .wrapping_sub(KEYS.pawn[side][*old as usize])
                    .wrapping_add(KEYS.pawn[side][*new as usize]);
            }
        }
        self.pawns[side] = pawns;
    }

    /// Takes all throws off the turn.
    pub(super) fn clear_throws(&mut self) {
        let thrown = self.throws().iter().map(|value| KEYS.throw[*value as usize]);
        let thrown = thrown.fold(0u64, u64::wrapping_add);
        self.key = self.key.wrapping_sub(thrown);
        self.throws = [0; MAX_THROWS];
        self.throw_count = 0;
    }

    /// Replaces the fresh doubles.
    pub(super) fn set_fresh(&mut self, fresh: u64) {
        if fresh != self.fresh {
            self.key = self
                .key
                .wrapping_sub(sum_of(self.fresh, &KEYS.fresh))
                .wrapping_add(sum_of(fresh, &KEYS.fresh));
            self.fresh = fresh;
        }
    }

    /// Replaces the doubles that the mover had when the turn began.
    pub(super) fn set_doubles_before(&mut self, cells: u64) {
        self.key = self
            .key
            .wrapping_sub(sum_of(self.doubles_before, &KEYS.doubles_before))
            .wrapping_add(sum_of(cells, &KEYS.doubles_before));
        self.doubles_before = cells;
    }

    /// The unsafe outer cells on which a side has two pawns or more.
    pub(super) fn outer_doubles(&self, side: usize) -> u64 {
        let geometry = self.options.geometry();
        let safe = geometry.safe(self.options.safe_corners);
        let mut cells = 0;
        for pair in self.pawns(side).windows(2) {
            if pair[0] == pair[1] && pair[0] < geometry.ring && safe >> pair[0] & 1 == 0 {
                cells |= 1 << geometry.cell(side, pair[0]);
            }
        }
        cells
    }
}
