//! Making throws and plays, and choosing them at random.

use super::field::{Field, Values};
use super::geometry::{KEYS, MAX_PAWNS, sum_of};
use super::moves::{MAX_THROWS, Play, Step};
use super::position::{Ending, Position};
use crate::game::{Random, multiply_shift};

impl Position {
    pub(super) fn add_throw(&mut self, value: u8) {
        if (self.thrown as usize) < MAX_THROWS {
            self.throws[self.thrown as usize] = value;
            self.thrown += 1;
            self.key = self.key.wrapping_add(KEYS.throw[value as usize]);
        }
    }

    /// Makes a legal play: moves the pawns, sends hit ones home, hands on the turn.
    pub(super) fn make_play(&mut self, play: &Play) {
        let mut field = Field::new(self);
        for step in play.steps() {
            field.make(*step);
        }
        let (own, hit) = (field.own, field.hit);
        let side = self.side();
        let before = if self.variant.hit_bonus { self.held } else { self.outer_doubles(side) };
        self.send_home(hit);
        self.replace_pawns(side, own);
        self.clear_throws();
        if self.variant.play_on && self.is_home(side) {
            self.key = self.key.wrapping_add(KEYS.finished[self.finishers as usize][side]);
            self.finished[self.finishers as usize] = side as u8;
            self.finishers += 1;
        }
        self.ending = self.find_ending();
        if self.variant.hit_bonus && hit != 0 && !self.is_home(side) {
            return;
        }
        self.set_fresh(self.fresh | (self.outer_doubles(side) & !before));
        self.hand_on();
    }

    /// Sends the enemies on a set of the mover's indices home and opens the mover's gate.
    fn send_home(&mut self, hit: u128) {
        if hit == 0 {
            return;
        }
        let mover = self.side();
        let geometry = self.variant.geometry();
        for further in 1..4 {
            let side = (mover + further) & 3;
            if !self.seated(side) {
                continue;
            }
            let mut pawns = self.pawns[side];
            let mut sent = 0;
            for (slot, index) in self.pawns(side).iter().enumerate() {
                if hit >> geometry.relative(further, *index) & 1 != 0 {
                    pawns[slot] = 0;
                    sent += 1;
                }
            }
            if sent > 0 {
                pawns[..self.variant.pawns as usize].sort_unstable();
                self.replace_pawns(side, pawns);
            }
        }
        let mut left = self.fresh;
        for cell in 0..geometry.ring {
            if hit >> geometry.index(mover, cell) & 1 != 0 {
                left &= !(1 << cell);
            }
        }
        self.set_fresh(left);
        if !self.gate_open(mover) {
            self.gates |= 1 << mover;
            self.key = self.key.wrapping_add(KEYS.gate[mover]);
        }
    }

    fn replace_pawns(&mut self, side: usize, pawns: [u8; MAX_PAWNS]) {
        for (old, new) in self.pawns[side].iter().zip(&pawns).take(self.variant.pawns as usize) {
            if old != new {
                self.key = self
                    .key
                    .wrapping_sub(KEYS.pawn[side][*old as usize])
                    .wrapping_add(KEYS.pawn[side][*new as usize]);
            }
        }
        self.pawns[side] = pawns;
    }

    fn clear_throws(&mut self) {
        let thrown = self.throws().iter().map(|value| KEYS.throw[*value as usize]);
        let thrown = thrown.fold(0u64, u64::wrapping_add);
        self.key = self.key.wrapping_sub(thrown);
        self.throws = [0; MAX_THROWS];
        self.thrown = 0;
    }

    fn set_fresh(&mut self, fresh: u64) {
        if fresh != self.fresh {
            self.key = self
                .key
                .wrapping_sub(sum_of(self.fresh, &KEYS.fresh))
                .wrapping_add(sum_of(fresh, &KEYS.fresh));
            self.fresh = fresh;
        }
    }

    pub(super) fn set_held(&mut self, held: u64) {
        self.key = self
            .key
            .wrapping_sub(sum_of(self.held, &KEYS.held))
            .wrapping_add(sum_of(held, &KEYS.held));
        self.held = held;
    }

    /// The unsafe outer cells on which a side has two pawns or more.
    pub(super) fn outer_doubles(&self, side: usize) -> u64 {
        let geometry = self.variant.geometry();
        let safe = geometry.safe(self.variant.safe_corners);
        let mut cells = 0;
        for pair in self.pawns(side).windows(2) {
            if pair[0] == pair[1] && pair[0] < geometry.ring && safe >> pair[0] & 1 == 0 {
                cells |= 1 << geometry.cell(side, pair[0]);
            }
        }
        cells
    }

    /// The turn goes to the next side that still plays, whose doubles are no longer fresh.
    fn hand_on(&mut self) {
        let from = self.side();
        let next = (1..4)
            .map(|further| (from + further) & 3)
            .find(|side| self.seated(*side) && !(self.variant.play_on && self.is_home(*side)))
            .unwrap_or(from);
        self.side = next as u8;
        self.key = self.key.wrapping_sub(KEYS.turn[from]).wrapping_add(KEYS.turn[next]);
        if self.fresh != 0 {
            self.set_fresh(self.fresh & !self.outer_doubles(next));
        }
        if self.variant.hit_bonus {
            self.set_held(if self.ending == Ending::None { self.outer_doubles(next) } else { 0 });
        }
    }

    /// The value for 64 random bits.
    pub(super) fn random_throw(&self, bits: u64) -> u8 {
        let total = self.variant.weighted_values().map(|(_, weight)| weight).sum();
        let mut left = multiply_shift(bits, total);
        for (value, weight) in self.variant.weighted_values() {
            if left < weight {
                return value;
            }
            left -= weight;
        }
        1
    }

    /// A play whose every step is chosen uniformly among the legal ones.
    pub(super) fn random_play(&self, random: &mut Random) -> Play {
        let mut play = Play::default();
        if self.voided() {
            return play;
        }
        let mut field = Field::new(self);
        let mut values = Values::new(self.throws());
        loop {
            let mut chosen = None;
            let mut steps = 0;
            for (kind, value) in values.kinds() {
                field.for_each_step(value, |step| {
                    steps += 1;
                    if random.below(steps) == 0 {
                        chosen = Some((kind, step));
                    }
                    true
                });
            }
            let Some((kind, step)) = chosen else {
                return play;
            };
            step_on(&mut field, &mut play, step);
            values = values.without(kind);
        }
    }
}

fn step_on(field: &mut Field, play: &mut Play, step: Step) {
    play.push(step);
    field.make(step);
}
