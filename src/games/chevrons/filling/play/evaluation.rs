//! The evaluation: markers, and the neutral fields that a seat will fill by the [`Race`].

use std::fmt::Write;

use super::race::Race;
use crate::game::{Game, MAX_SEATS, Seat};
use crate::games::chevrons::filling::{Kind, Position};
use crate::games::chevrons::strengths::{LOST, Strengths, logit, logits};
use crate::games::chevrons::{SEATS, WHOLE};
use crate::search::Evaluate;
use crate::search::value::Value;

/// What is counted of a seat, and its weight in hundredths of a marker: markers, neutral fields that it
/// reaches alone, first, together with another, landings, the right to move.
const TERMS: [(&str, i32); 6] = [
    ("markers", 100),
    ("reached alone", 85),
    ("reached first", 65),
    ("tied", 35),
    ("landings", 4),
    ("to move", 30),
];

/// What is counted of a seat.
pub(super) type Counts = [i32; TERMS.len()];

/// The evaluation of the engine.
#[derive(Clone, Copy, Debug, Default)]
pub struct Evaluation;

/// What is counted of every seat.
pub(super) fn counts_of<K: Kind>(position: &Position<K>, race: &Race) -> [Counts; SEATS] {
    let mut all = [Counts::default(); SEATS];
    for (seat, counts) in all.iter_mut().enumerate().take(position.seats()) {
        let alone = race.alone(seat);
        let size = |fields: u128| fields.count_ones() as i32;
        let mut landings = 0;
        let _ = position.for_each_landing::<()>(seat, |_, _, _, _| {
            landings += 1;
            std::ops::ControlFlow::Continue(())
        });
        *counts = [
            position.marker_count(seat) as i32,
            size(alone),
            size(race.first[seat] & !alone),
            size(race.tied[seat]),
            landings,
            i32::from(position.mover() == seat),
        ];
    }
    all
}

/// Hundredths of a logarithmic unit for a hundred markers: the fewer neutral fields are left, the more
/// certain the result.
fn certainty<K: Kind>(position: &Position<K>) -> i32 {
    let left: u32 = (0..9).map(|at| (position.neutral_in(at) & WHOLE).count_ones()).sum();
    (240.0 / libm::sqrt(f64::from(left) + 2.0)) as i32
}

/// The strength of every seat by what is counted of it.
pub(super) fn strengths<K: Kind>(position: &Position<K>, counts: &[Counts; SEATS]) -> Strengths {
    let certainty = certainty(position);
    let mut strengths = [LOST; SEATS];
    for (strength, counts) in strengths.iter_mut().zip(counts).take(position.seats()) {
        let sum: i32 = counts.iter().zip(TERMS).map(|(count, (_, weight))| count * weight).sum();
        *strength = sum * certainty / 100;
    }
    strengths
}

impl Evaluation {
    fn strengths<K: Kind>(position: &Position<K>) -> Strengths {
        strengths(position, &counts_of(position, &Race::new(position)))
    }
}

/// The evaluation in lines: what is counted of every seat, what the network makes of it, last the score
/// of the mover.
pub(super) fn explain<K: Kind>(position: &Position<K>) -> String {
    let counts = counts_of(position, &Race::new(position));
    let seats = position.seats();
    let mut text = String::new();
    for (term, (name, weight)) in TERMS.iter().enumerate() {
        let _ = write!(text, "{name:<24}{weight:>4}");
        for counts in &counts[..seats] {
            let _ = write!(text, "{:>8}", counts[term]);
        }
        text.push('\n');
    }
    let mut row = |name: &str, strengths: &Strengths| {
        let _ = write!(text, "{name:<28}");
        for strength in &strengths[..seats] {
            let _ = write!(text, "{strength:>8}");
        }
        text.push('\n');
    };
    let mut strengths = strengths(position, &counts);
    row("strength", &strengths);
    if let Some(judged) = K::judgement().strengths(position) {
        strengths = judged;
        row("strength by the network", &strengths);
    }
    text + &format!("score cp {}", logit(&strengths, position.mover()))
}

impl<K: Kind> Evaluate<Position<K>> for Evaluation {
    type Acc = ();

    fn fresh(&self, _: &Position<K>) {}

    fn score(&self, _: &(), position: &Position<K>, seat: Seat) -> Value {
        logit(&Self::strengths(position), seat.index())
    }

    fn scores(&self, _: &(), position: &Position<K>) -> [Value; MAX_SEATS] {
        logits(&Self::strengths(position), position.seats())
    }
}

/// The difference of markers to the best other seat: the evaluation of the reference players.
#[derive(Clone, Copy, Debug, Default)]
pub struct Markers;

impl<K: Kind> Evaluate<Position<K>> for Markers {
    type Acc = ();

    fn fresh(&self, _: &Position<K>) {}

    fn score(&self, _: &(), position: &Position<K>, seat: Seat) -> Value {
        let markers = |seat: usize| position.marker_count(seat) as i32;
        let others = (0..position.seats()).filter(|other| *other != seat.index());
        100 * (markers(seat.index()) - others.map(markers).max().unwrap_or(0))
    }
}

/// Markers, then the neutral fields that the others reach first or tied: fewer are better.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Blocking;

impl<K: Kind> Evaluate<Position<K>> for Blocking {
    type Acc = ();

    fn fresh(&self, _: &Position<K>) {}

    fn score(&self, _: &(), position: &Position<K>, seat: Seat) -> Value {
        let race = Race::new(position);
        let value = |seat: usize| {
            let fields = race.first[seat].count_ones() + race.tied[seat].count_ones();
            100 * position.marker_count(seat) as i32 + fields as i32
        };
        let others = (0..position.seats()).filter(|other| *other != seat.index());
        let rivals = position.seats() as i32 - 1;
        rivals * value(seat.index()) - others.map(value).sum::<i32>()
    }
}
