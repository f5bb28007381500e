//! The evaluation of a position, explained in lines.

use std::fmt::Write;

use super::attack_maps::AttackMaps;
use super::evaluation::Evaluation;
use super::features::{FEATURES, feature_name, visit_features};
use super::selective::SelectivePosition;
use super::weights::weights;
use crate::game::{Game, Seat};
use crate::games::chevrons::SEATS;
use crate::games::chevrons::network::Judged;
use crate::games::chevrons::strengths::{LOST, Strengths, logit};
use crate::games::pacru::rules::Position;
use crate::search::value::SCALE;

/// The evaluation in lines: what each linear term adds for every seat, what the network makes of
/// them, last the score of the mover.
pub(crate) fn explain(position: &Position) -> String {
    let seats = position.seats();
    let maps = AttackMaps::new(position);
    let mut sums = [[0; SEATS]; FEATURES];
    for seat in Seat::all(seats).map(Seat::index) {
        visit_features(position, &maps, seat, |feature, count| {
            let weight = weights(seats)[feature] as i32;
            sums[feature][seat] += weight * count;
        });
    }
    let mut text = format!("{:<24}", "linear term");
    for seat in Seat::all(seats) {
        let _ = write!(text, "{:>8}", seat.to_string());
    }
    text.push('\n');
    for (feature, values) in sums.iter().enumerate() {
        if values.iter().any(|value| *value != 0) {
            row(&mut text, &feature_name(feature), values.iter().take(seats).copied());
        }
    }
    let terms = Evaluation.strengths(position);
    row(&mut text, "all linear terms", terms.iter().take(seats).copied());
    let position = SelectivePosition::new(position.clone());
    let judged = SelectivePosition::judgement().strengths(&position);
    if let Some(strengths) = &judged {
        row(&mut text, "strength by the network", strengths.iter().take(seats).copied());
    }
    let strengths = judged.unwrap_or(terms);
    let shares = shares(&strengths);
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

/// The win probability of each seat.
fn shares(strengths: &Strengths) -> [f64; SEATS] {
    let best = strengths.iter().copied().max().unwrap_or(0);
    let mut shares = [0.0; SEATS];
    for (share, strength) in shares.iter_mut().zip(strengths) {
        if *strength > LOST {
            *share = libm::exp((strength - best) as f64 / SCALE);
        }
    }
    let total: f64 = shares.iter().sum();
    shares.map(|share| share / total)
}
