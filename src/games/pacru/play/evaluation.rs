//! What an evaluation of a position is, and the linear one.
//!
//! The strengths of [`Evaluation`] are weighted sums of [features](super::features); the
//! [network](super::network) adds to them.

use super::attack_maps::AttackMaps;
use super::features::visit_features;
use super::selective::SelectivePosition;
use super::weights::{Weights, weights};
use crate::game::{Game, MAX_SEATS, Seat};
use crate::games::chevrons::SEATS;
use crate::games::chevrons::strengths::{LOST, Strengths, logit, logits};
use crate::games::pacru::rules::Position;
use crate::machine::dispatched;
use crate::search::Evaluate;
use crate::search::value::Value;

/// The linear evaluation.
#[derive(Clone, Debug, Default)]
pub struct Evaluation;

impl Evaluation {
    dispatched! {
        pub(crate) fn strengths / strengths_fast = find_strengths(&self, position: &Position) -> Strengths
    }

    #[inline(always)]
    fn find_strengths(&self, position: &Position) -> Strengths {
        linear_strengths(weights(position.seats()), position, &AttackMaps::new(position))
    }
}

/// The weighted sums of the features of every seat that has chevrons.
#[inline(always)]
#[must_use]
pub fn linear_strengths(weights: &Weights, position: &Position, maps: &AttackMaps) -> Strengths {
    let mut strengths = [LOST; SEATS];
    for seat in 0..position.seats() & 7 {
        if position.chevron_fields(seat).is_empty() {
            continue;
        }
        let mut sum = 0;
        visit_features(position, maps, seat, |feature, count| {
            sum += weights[feature] as i32 * count;
        });
        strengths[seat & 3] = sum;
    }
    strengths
}

impl Evaluate<SelectivePosition> for Evaluation {
    type Acc = ();

    fn fresh(&self, _: &SelectivePosition) {}

    fn score(&self, _: &(), position: &SelectivePosition, seat: Seat) -> Value {
        logit(&self.strengths(position), seat.index())
    }

    fn scores(&self, _: &(), position: &SelectivePosition) -> [Value; MAX_SEATS] {
        logits(&self.strengths(position), position.seats())
    }
}

/// Markers and mobility only: the evaluation of the reference players.
#[derive(Clone, Copy, Debug, Default)]
pub struct SimpleEvaluation;

impl SimpleEvaluation {
    /// The value of one marker.
    const MARKER: i32 = 10;
    /// The value of a field that can be landed on.
    const LANDING: i32 = 10;

    fn strengths(position: &Position) -> Strengths {
        let maps = AttackMaps::new(position);
        let mut strengths = [LOST; SEATS];
        for (other, strength) in strengths.iter_mut().enumerate().take(position.seats()) {
            if !position.chevron_fields(other).is_empty() {
                let landings: i32 = maps.reach[other].iter().map(|r| r.landings as i32).sum();
                *strength =
                    Self::MARKER * position.marker_count(other) as i32 + Self::LANDING * landings;
            }
        }
        strengths
    }
}

impl Evaluate<SelectivePosition> for SimpleEvaluation {
    type Acc = ();

    fn fresh(&self, _: &SelectivePosition) {}

    fn score(&self, _: &(), position: &SelectivePosition, seat: Seat) -> Value {
        logit(&Self::strengths(position), seat.index())
    }

    fn scores(&self, _: &(), position: &SelectivePosition) -> [Value; MAX_SEATS] {
        logits(&Self::strengths(position), position.seats())
    }
}
