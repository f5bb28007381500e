//! Making a play, handing on the turn, and choosing throws and plays at random.

use super::keys::KEYS;
use super::moves::Play;
use super::position::{Ending, Position};
use super::remaining::RemainingValues;
use super::turn_state::TurnState;
use crate::game::{Random, multiply_shift};

impl Position {
    /// Makes a legal play: moves the pawns, sends the hit ones home and hands on the turn.
    pub(super) fn make_play(&mut self, play: &Play) {
        let mut state = TurnState::new(self);
        for step in play.steps() {
            state.make(*step);
        }
        let (own, hit) = (state.own, state.hit);
        let side = self.side();
        let before =
            if self.options.hit_bonus { self.doubles_before } else { self.outer_doubles(side) };
        self.send_home(hit);
        self.replace_pawns(side, own);
        self.clear_throws();
        if self.options.play_on && self.is_home(side) {
            self.key = self.key.wrapping_add(KEYS.finished[self.finished_count as usize][side]);
            self.finished[self.finished_count as usize] = side as u8;
            self.finished_count += 1;
        }
        self.ending = self.find_ending();
        if self.options.hit_bonus && hit != 0 && !self.is_home(side) {
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
        let geometry = self.options.geometry();
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
                pawns[..self.options.pawns as usize].sort_unstable();
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
            self.open_gates |= 1 << mover;
            self.key = self.key.wrapping_add(KEYS.gate[mover]);
        }
    }

    /// The turn passes to the next side that still plays, whose doubles are no longer fresh.
    fn hand_on(&mut self) {
        let from = self.side();
        let next = (1..4)
            .map(|further| (from + further) & 3)
            .find(|side| self.seated(*side) && !(self.options.play_on && self.is_home(*side)))
            .unwrap_or(from);
        self.side = next as u8;
        self.key = self.key.wrapping_sub(KEYS.turn[from]).wrapping_add(KEYS.turn[next]);
        if self.fresh != 0 {
            self.set_fresh(self.fresh & !self.outer_doubles(next));
        }
        if self.options.hit_bonus {
            self.set_doubles_before(if self.ending == Ending::None {
                self.outer_doubles(next)
            } else {
                0
            });
        }
    }

    /// The value for 64 random bits.
    #[must_use]
    pub fn random_throw(&self, bits: u64) -> u8 {
        let total = self.options.weighted_values().map(|(_, weight)| weight).sum();
        let mut left = multiply_shift(bits, total);
        for (value, weight) in self.options.weighted_values() {
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
        let mut state = TurnState::new(self);
        let mut values = RemainingValues::new(self.throws());
        loop {
            let mut chosen = None;
            let mut steps = 0;
            for (kind, value) in values.kinds() {
                state.for_each_step(value, |step| {
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
            play.push(step);
            state.make(step);
            values = values.without(kind);
        }
    }
}
