//! What an evaluation of a position is, and the linear one.
//!
//! Every seat has a *strength*. The win probability of a seat is the softmax of the strengths, and
//! its score the logit of that probability. With two players this is the difference of the
//! strengths. No seats are taken to be allied. The strengths of [`Evaluation`] are weighted sums of
//! [features](super::features); with two players the [network](super::network) adds to them.

use std::sync::LazyLock;

use super::attack_maps::AttackMaps;
use super::features::visit_features;
use super::selective::SelectivePosition;
use super::weights::{WEIGHTS, Weights};
use crate::game::{Game, MAX_SEATS, Seat};
use crate::games::chevrons::SEATS;
use crate::games::pacru::rules::Position;
use crate::search::Evaluate;
use crate::search::value::{SCALE, Value};

/// The strength of a seat that can no longer win.
pub(super) const LOST: i32 = -12_000;

/// A strength for every seat.
pub type Strengths = [i32; SEATS];

/// The linear evaluation.
#[derive(Clone, Debug)]
pub struct Evaluation {
    weights: [Weights; 3],
}

impl Default for Evaluation {
    fn default() -> Self {
        Evaluation { weights: WEIGHTS }
    }
}

impl Evaluation {
    pub(crate) fn weights(&self, seats: usize) -> &Weights {
        &self.weights[(seats - 2).min(2)]
    }

    pub(crate) fn strengths(&self, position: &Position) -> Strengths {
        linear_strengths(self.weights(position.seats()), position, &AttackMaps::new(position))
    }
}

/// The weighted sums of the features of every seat that has chevrons.
#[inline]
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

/// The logits of all seats.
pub(super) fn logits(strengths: &Strengths, seats: usize) -> [Value; MAX_SEATS] {
    let mut logits = [0; MAX_SEATS];
    for (seat, logit) in logits.iter_mut().enumerate().take(seats) {
        *logit = self::logit(strengths, seat);
    }
    logits
}

/// The logit of one seat's win probability, in hundredths.
pub(crate) fn logit(strengths: &Strengths, seat: usize) -> i32 {
    let others = (0..SEATS).filter(|other| *other != seat && strengths[*other] > LOST);
    let others = others.map(|other| strengths[other]).reduce(log_sum);
    match others {
        Some(others) if strengths[seat & 3] > LOST => strengths[seat & 3] - others,
        _ => LOST,
    }
}

/// The strength of two rivals together: the logarithm of the sum of their exponentials.
fn log_sum(a: i32, b: i32) -> i32 {
    let apart = a.abs_diff(b) as usize;
    a.max(b) + LOG_SUMS.get(apart).map_or(0, |more| *more as i32)
}

static LOG_SUMS: LazyLock<Vec<u8>> = LazyLock::new(|| {
    let more = |apart: i32| SCALE * libm::log1p(libm::exp(-apart as f64 / SCALE));
    (0..1024).map(|apart| libm::round(more(apart)) as u8).collect()
});

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
