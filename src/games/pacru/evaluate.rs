//! How good a position is for each seat.
//!
//! Every seat has a *strength*, the weighted sum of its [features](super::features); the chance of
//! a seat to win is taken to be the softmax of the strengths, and a score is the logit of that
//! chance. With two players this is the difference of the strengths. Nothing in it says that the
//! others are allied: each stands for itself.

use std::fmt::Write;
use std::sync::LazyLock;

use super::features::{self, FEATURES};
use super::focus::Focus;
use super::position::{Position, SEATS};
use super::survey::Survey;
use super::weights::{WEIGHTS, Weights};
use crate::game::{Game, MAX_SEATS, Seat};
use crate::search::Evaluate;
use crate::search::value::Value;

/// Hundredths in one natural logarithm of odds: 400 / ln 10.
pub(super) const SCALE: f64 = 173.717_792_761_248_5;

/// What a seat is worth that can no longer win.
const LOST: i32 = -12_000;

/// A strength for every seat.
pub(super) type Strengths = [i32; SEATS];

/// The evaluation of the engine.
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
    pub(super) fn weights(&self, seats: usize) -> &Weights {
        &self.weights[(seats - 2).min(2)]
    }

    pub(super) fn strengths(&self, position: &Position) -> Strengths {
        let survey = Survey::new(position);
        let weights = self.weights(position.seats as usize);
        let mut strengths = [LOST; SEATS];
        for seat in 0..position.seats as usize & 7 {
            if position.fields_of(seat).is_empty() {
                continue;
            }
            let mut sum = 0;
            features::visit(position, &survey, seat, |feature, count| {
                sum += weights[feature] as i32 * count;
            });
            strengths[seat & 3] = sum;
        }
        strengths
    }

    /// The chance of each seat to win.
    pub(super) fn shares(&self, position: &Position) -> [f64; SEATS] {
        let strengths = self.strengths(position);
        let best = strengths.iter().copied().max().unwrap_or(0);
        let mut shares = [0.0; SEATS];
        for (share, strength) in shares.iter_mut().zip(strengths).take(position.seats as usize) {
            if strength > LOST {
                *share = libm::exp((strength - best) as f64 / SCALE);
            }
        }
        let total: f64 = shares.iter().sum();
        shares.map(|share| share / total)
    }
}

impl Evaluate<Focus> for Evaluation {
    type Acc = ();

    fn fresh(&self, _: &Focus) {}

    fn score(&self, _: &(), position: &Focus, seat: Seat) -> Value {
        logit(&self.strengths(position), seat.index())
    }

    fn scores(&self, _: &(), position: &Focus) -> [Value; MAX_SEATS] {
        logits(&self.strengths(position), position.seats())
    }
}

/// The logits of all seats.
fn logits(strengths: &Strengths, seats: usize) -> [Value; MAX_SEATS] {
    let mut logits = [0; MAX_SEATS];
    for (seat, logit) in logits.iter_mut().enumerate().take(seats) {
        *logit = self::logit(strengths, seat);
    }
    logits
}

/// The logit of one seat's chance, in hundredths.
pub(super) fn logit(strengths: &Strengths, seat: usize) -> i32 {
    let others = (0..SEATS).filter(|other| *other != seat && strengths[*other] > LOST);
    let others = others.map(|other| strengths[other]).reduce(log_sum);
    match others {
        Some(others) if strengths[seat & 3] > LOST => strengths[seat & 3] - others,
        _ => LOST,
    }
}

/// The strength that two rivals have together.
fn log_sum(a: i32, b: i32) -> i32 {
    let apart = a.abs_diff(b) as usize;
    a.max(b) + LOG_SUMS.get(apart).map_or(0, |more| *more as i32)
}

static LOG_SUMS: LazyLock<Vec<u8>> = LazyLock::new(|| {
    let more = |apart: i32| SCALE * libm::log1p(libm::exp(-apart as f64 / SCALE));
    (0..1024).map(|apart| libm::round(more(apart)) as u8).collect()
});

/// Markers and mobility and nothing else: what the reference players look at.
#[derive(Clone, Copy, Debug, Default)]
pub struct Simple;

impl Simple {
    /// What one marker is worth; a field that can be landed on is worth [`Simple::LANDING`].
    const MARKER: i32 = 10;
    const LANDING: i32 = 10;

    fn strengths(position: &Position) -> Strengths {
        let survey = Survey::new(position);
        let mut strengths = [LOST; SEATS];
        for (other, strength) in strengths.iter_mut().enumerate().take(position.seats()) {
            if !position.fields_of(other).is_empty() {
                let landings: i32 = survey.reach[other].iter().map(|r| r.landings as i32).sum();
                *strength = Self::MARKER * position.total(other) as i32 + Self::LANDING * landings;
            }
        }
        strengths
    }
}

impl Evaluate<Focus> for Simple {
    type Acc = ();

    fn fresh(&self, _: &Focus) {}

    fn score(&self, _: &(), position: &Focus, seat: Seat) -> Value {
        logit(&Self::strengths(position), seat.index())
    }

    fn scores(&self, _: &(), position: &Focus) -> [Value; MAX_SEATS] {
        logits(&Self::strengths(position), position.seats())
    }
}

/// The evaluation in lines: every seat's features and what they add, then the score of the mover.
pub(super) fn explain(position: &Position) -> String {
    let evaluation = Evaluation::default();
    let seats = position.seats as usize;
    let survey = Survey::new(position);
    let mut sums = [[0; SEATS]; FEATURES];
    for seat in Seat::all(seats).map(Seat::index) {
        features::visit(position, &survey, seat, |feature, count| {
            let weight = evaluation.weights(seats)[feature] as i32;
            sums[feature][seat] += weight * count;
        });
    }
    let mut text = format!("{:<24}", "feature");
    for seat in Seat::all(seats) {
        let _ = write!(text, "{:>8}", seat.to_string());
    }
    text.push('\n');
    for (feature, values) in sums.iter().enumerate() {
        if values.iter().any(|value| *value != 0) {
            row(&mut text, &features::name(feature), values.iter().take(seats).copied());
        }
    }
    let strengths = evaluation.strengths(position);
    row(&mut text, "strength", strengths.iter().take(seats).copied());
    let shares = evaluation.shares(position);
    row(&mut text, "chance, permille", shares.iter().take(seats).map(|s| (s * 1e3) as i32));
    let _ = write!(text, "score cp {}", logit(&strengths, position.mover()));
    text
}

fn row(text: &mut String, name: &str, values: impl Iterator<Item = i32>) {
    let _ = write!(text, "{name:<24}");
    for value in values {
        let _ = write!(text, "{value:>8}");
    }
    text.push('\n');
}
