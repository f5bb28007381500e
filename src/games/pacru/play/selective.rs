//! The moves that the search considers: rotations with few payments, meetings with few targets.
//!
//! [`SelectivePosition`] is the same game with fewer moves. Every driver searches it as it is; every
//! move it finds is legal in the full game.

use std::hash::{Hash, Hasher};
use std::ops::{ControlFlow, Deref};
use std::sync::Arc;

use arrayvec::ArrayVec;

use super::features::{FRONTIER, HELD, POWER};
use super::marker_values::{MarkerValues, REACH};
use super::weights::weights;
use crate::game::{Chance, Game, Outcome, Random, Turn};
use crate::games::chevrons::{BORDERLANDS, Cell, Field, count, fields_in};
use crate::games::pacru::rules::{Landing, Move, Payment, Position, Rotation};

/// Payments tried for one rotation.
const PAYMENTS: usize = 2;

/// Fields tried for one meeting.
const TARGETS: usize = 3;

/// A position that lists only the promising moves.
#[derive(Clone, Debug)]
pub struct SelectivePosition {
    position: Position,
    /// At the root of a search: the moves it is restricted to.
    only: Option<Arc<[Move]>>,
}

impl SelectivePosition {
    /// A position with all promising moves.
    #[must_use]
    pub fn new(position: Position) -> Self {
        SelectivePosition { position, only: None }
    }

    /// A position with exactly these legal moves; positions after them have all promising ones.
    #[must_use]
    pub fn restricted(position: Position, only: &[Move]) -> Self {
        SelectivePosition { position, only: Some(only.into()) }
    }
}

impl Deref for SelectivePosition {
    type Target = Position;

    fn deref(&self) -> &Position {
        &self.position
    }
}

impl PartialEq for SelectivePosition {
    fn eq(&self, other: &Self) -> bool {
        self.position == other.position
    }
}

impl Eq for SelectivePosition {}

impl Hash for SelectivePosition {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.position.hash(state);
    }
}

impl Game for SelectivePosition {
    type Move = Move;

    fn seats(&self) -> usize {
        self.position.seats()
    }

    fn turn(&self) -> Turn {
        self.position.turn()
    }

    fn for_each_move<B>(&self, mut visit: impl FnMut(Move) -> ControlFlow<B>) -> ControlFlow<B> {
        match &self.only {
            Some(only) => only.iter().copied().try_for_each(visit),
            None if self.position.is_over() => ControlFlow::Continue(()),
            None => {
                self.position.for_each_promising_advance(&mut visit)?;
                self.position.for_each_promising_rotation(visit)
            }
        }
    }

    fn is_legal(&self, m: &Move) -> bool {
        self.position.is_legal(m)
    }

    fn play(&mut self, m: &Move) {
        self.only = None;
        self.position.play(m);
    }

    fn outcome(&self) -> Option<Outcome> {
        self.position.outcome()
    }

    fn reason(&self) -> Option<&'static str> {
        self.position.reason()
    }

    fn key(&self) -> u64 {
        self.position.key()
    }

    fn fresh_key(&self) -> u64 {
        self.position.fresh_key()
    }

    fn repetition(&self) -> Option<Outcome> {
        self.position.repetition()
    }

    fn random_move(&self, random: &mut Random) -> Option<Move> {
        self.position.random_move(random)
    }
}

impl Chance for SelectivePosition {}

impl Position {
    fn for_each_promising_advance<B>(
        &self,
        visit: &mut impl FnMut(Move) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        self.for_each_landing(self.mover(), |landing| {
            self.for_each_promising_gain(landing, &mut *visit)
        })
    }

    /// Calls `visit` with the promising moves of a landing.
    #[inline]
    pub(super) fn for_each_promising_gain<B>(
        &self,
        landing: Landing,
        mut visit: impl FnMut(Move) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        let seat = self.mover();
        if self.faces_partner(seat, landing) {
            return self.for_each_promising_meeting(landing, &mut visit);
        }
        self.for_each_gain(seat, landing, |gain| visit(landing.with(gain, None)))
    }

    #[cold]
    fn for_each_promising_meeting<B>(
        &self,
        landing: Landing,
        visit: &mut impl FnMut(Move) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        let seat = self.mover();
        let values = MarkerValues::new(self, seat);
        self.for_each_gain(seat, landing, |gain| {
            let mut targets: Vec<(i32, Field)> = self
                .meeting_fields(landing, gain)
                .map(|field| (-values.of(field), field))
                .collect();
            if targets.is_empty() {
                return visit(landing.with(gain, None));
            }
            targets.sort_unstable();
            let best = targets.iter().take(TARGETS);
            best.map(|(_, field)| landing.with(gain, Some(*field))).try_for_each(&mut *visit)
        })
    }

    pub(super) fn for_each_promising_rotation<B>(
        &self,
        mut visit: impl FnMut(Move) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        let seat = self.mover();
        let payable = self.payable_count(seat);
        if !self.options().rotations || payable < 2 {
            return ControlFlow::Continue(());
        }
        let (orders, count) = self.paying_orders(seat);
        for rotation in Rotation::ALL {
            let cost = rotation.cost();
            if cost > payable {
                continue;
            }
            let mut payments = ArrayVec::<Payment, PAYMENTS>::new();
            for order in &orders[..count] {
                let payment = Payment::new(&order[..cost]);
                if !payments.contains(&payment) {
                    payments.push(payment);
                }
            }
            for &from in self.chevron_fields(seat) {
                for &payment in &payments {
                    visit(Move::Rotate { from, rotation, payment })?;
                }
            }
        }
        ControlFlow::Continue(())
    }

    /// The fields to pay with, cheapest first by the loss in the evaluation: one order over all
    /// borderlands, one that avoids the borderland of the cheapest field. Each has up to four fields.
    fn paying_orders(&self, seat: usize) -> ([ArrayVec<Field, 4>; PAYMENTS], usize) {
        let mut payable: ArrayVec<(i32, Field), 81> = ArrayVec::new();
        let losses = self.marker_losses(seat);
        let exposed = self.exposed_markers(seat);
        for (borderland, row) in losses.iter().enumerate() {
            let free = self.markers_in(seat, borderland) & !self.occupied_in(borderland);
            let open = exposed[borderland];
            let safe = fields_in(borderland, free & !open);
            let fields = safe.chain(fields_in(borderland, free & open));
            for (taken, field) in fields.take(4).enumerate() {
                let penalty = if open & field.bit() == 0 { 0 } else { OPENING };
                payable.push((row[taken] + penalty, field));
            }
        }
        payable.sort_unstable();
        let take = |skip: Option<usize>| -> ArrayVec<Field, 4> {
            let skipped = |field: &Field| Some(field.borderland()) == skip;
            let fields = || payable.iter().map(|(_, field)| *field);
            let first = fields().filter(|field| !skipped(field));
            first.chain(fields().filter(skipped)).take(4).collect()
        };
        let cheapest = take(None);
        let elsewhere = take(cheapest.first().map(|field| field.borderland()));
        ([cheapest, elsewhere], PAYMENTS)
    }

    /// The markers of a seat whose fields enemy chevrons could land on without them.
    fn exposed_markers(&self, seat: usize) -> [u16; BORDERLANDS] {
        let mut exposed = [0; BORDERLANDS];
        let own = Cell::marker_of(seat);
        for enemy in (0..self.seats()).filter(|enemy| *enemy != seat) {
            for &from in self.chevron_fields(enemy) {
                let power = self.power_of(enemy, from.borderland());
                for direction in self.cell(from).facing().forward() {
                    for steps in 1..=from.room(direction).min(power) {
                        let to = from.ahead(direction, steps);
                        let there = self.cell(to);
                        if there.is_occupied() {
                            break;
                        }
                        if there == own {
                            exposed[to.borderland()] |= to.bit();
                        }
                    }
                }
            }
        }
        exposed
    }

    /// The loss in the evaluation by the first, second, third and fourth own marker taken from each
    /// borderland, by the features that count markers.
    fn marker_losses(&self, seat: usize) -> [[i32; 4]; BORDERLANDS] {
        let weights = weights(self.seats());
        let mut standing = [0; BORDERLANDS];
        for field in self.chevron_fields(seat) {
            standing[field.borderland()] += 1;
        }
        let mut losses = [[0; 4]; BORDERLANDS];
        for (borderland, row) in losses.iter_mut().enumerate() {
            let have = count(self.markers_in(seat, borderland));
            for (taken, loss) in row.iter_mut().enumerate() {
                let Some(left) = have.checked_sub(taken + 1) else {
                    break;
                };
                let held = |markers: usize| match markers {
                    0 => 0,
                    _ => weights[HELD + markers - 1] as i32,
                };
                let chevrons = (weights[POWER] - weights[FRONTIER]) as i32 + REACH;
                *loss = held(left + 1) - held(left) + standing[borderland] * chevrons;
            }
        }
        losses
    }
}

/// The cost of opening a field to an enemy chevron.
const OPENING: i32 = 12;
