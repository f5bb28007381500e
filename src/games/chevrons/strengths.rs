//! Strengths: a number for every seat, from which the chances of all follow.
//!
//! The win probability of a seat is the softmax of the strengths, and its score the logit of that
//! probability. With two players this is the difference of the strengths. No seats are taken to be
//! allied.

use std::sync::LazyLock;

use super::fields::SEATS;
use crate::game::MAX_SEATS;
use crate::search::value::{SCALE, Value};

/// The strength of a seat that can no longer win.
pub const LOST: i32 = -12_000;

/// A strength for every seat.
pub type Strengths = [i32; SEATS];

/// The logits of all seats.
pub(crate) fn logits(strengths: &Strengths, seats: usize) -> [Value; MAX_SEATS] {
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
