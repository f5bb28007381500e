//! Hints to the search: move ordering, and which moves are noisy.

use std::ops::ControlFlow;
use std::sync::Arc;

use super::evaluation::Evaluation;
use super::marker_values::MarkerValues;
use super::network::Network;
use super::selective::SelectivePosition;
use crate::games::pacru::rules::{Gain, Move, Payment, Position};
use crate::search::{Evaluate, MoveHint, Quiescence, SearchHints};

/// How many plies below the last full one captures are searched.
const CAPTURE_PLIES: u32 = 3;

/// An evaluation of the engine. The hints to the search are the same for all.
pub(super) trait Hinted: Evaluate<SelectivePosition> {}

impl Hinted for Evaluation {}

impl<const VIEWS: usize> Hinted for Arc<Network<VIEWS>> {}

impl<E: Hinted> SearchHints<SelectivePosition> for E {
    fn tag(&self, m: &Move) -> u16 {
        let code = match *m {
            Move::Advance { from, to, pincer, gain, meeting } => {
                let gain = gain_code(gain) << 14 | meeting.map_or(127, |f| f.index() as u64) << 22;
                from.index() as u64 | (to.index() as u64) << 7 | gain | (pincer as u64) << 29
            }
            Move::Rotate { from, rotation, payment } => {
                from.index() as u64 | (rotation as u64) << 7 | 1 << 30 | payment_code(payment) << 31
            }
        };
        // Never 0, which means no move.
        ((code + 1).wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 48) as u16 | 1
    }

    /// By target and gain; rotations by field and angle.
    fn history_slot(&self, _: &SelectivePosition, m: &Move) -> u16 {
        match *m {
            Move::Advance { to, gain, .. } => (to.index() as u16) << 8 | gain_code(gain) as u16,
            Move::Rotate { from, rotation, .. } => {
                0x8000 | (from.index() as u16) << 2 | rotation as u16
            }
        }
    }

    fn hint_moves(&self, position: &SelectivePosition, moves: &[Move], hints: &mut [MoveHint]) {
        let values = MarkerValues::new(position, position.mover());
        for (m, hint) in moves.iter().zip(hints) {
            *hint = hint_of(position, &values, m);
        }
    }

    fn quiescence(&self, _: &SelectivePosition, depth: u32) -> Quiescence {
        if depth < CAPTURE_PLIES { Quiescence::Noisy } else { Quiescence::Static }
    }

    /// Pincers, each with its most valuable claim.
    fn for_each_noisy<B>(
        &self,
        position: &SelectivePosition,
        _: u32,
        mut visit: impl FnMut(Move) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        let seat = position.mover();
        let values = MarkerValues::new(position, seat);
        position.for_each_pincer(seat, |landing| {
            let mut best: Option<(i32, Gain)> = None;
            let _ = position.for_each_gain::<()>(seat, landing, |gain| {
                let gained = gain_value(&values, gain);
                if best.is_none_or(|(known, _)| gained > known) {
                    best = Some((gained, gain));
                }
                ControlFlow::Continue(())
            });
            let gain = best.map_or(Gain::Nothing, |(_, gain)| gain);
            let meeting = if position.faces_partner(seat, landing) {
                let fields = position.meeting_fields(landing, gain);
                fields.max_by_key(|field| values.of(*field))
            } else {
                None
            };
            visit(landing.with(gain, meeting))
        })
    }
}

fn gain_code(gain: Gain) -> u64 {
    match gain {
        Gain::Nothing => 255,
        Gain::Connection => 254,
        Gain::Claim(field) => field.index() as u64,
    }
}

fn payment_code(payment: Payment) -> u64 {
    payment.fields().iter().fold(0, |code, field| code << 7 | field.index() as u64)
}

fn gain_value(values: &MarkerValues, gain: Gain) -> i32 {
    match gain {
        Gain::Claim(field) => values.of(field),
        _ => 0,
    }
}

fn hint_of(position: &Position, values: &MarkerValues, m: &Move) -> MoveHint {
    match *m {
        Move::Advance { pincer: true, gain, .. } => {
            MoveHint { priority: 2, bonus: gain_value(values, gain) as i16 }
        }
        Move::Advance { from, to, gain, meeting, .. } => {
            let mut bonus = 16 * gain_value(values, gain);
            if let (Gain::Connection, Some((direction, steps))) = (gain, from.line_to(to)) {
                let own = Some(position.mover());
                let between = (1..steps).map(|step| from.ahead(direction, step));
                bonus = between
                    .filter(|field| position.cell(*field).marker() != own)
                    .map(|field| 16 * values.of(field))
                    .sum();
            }
            if let Some(field) = meeting {
                bonus += 16 * values.of(field);
            }
            MoveHint { priority: 0, bonus: bonus.clamp(-12_000, 12_000) as i16 }
        }
        Move::Rotate { .. } => MoveHint { priority: -1, bonus: 0 },
    }
}
