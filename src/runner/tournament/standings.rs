//! Who leads: what the records of a match add up to.

mod report;

use std::collections::BTreeMap;

use super::pairwise::Meetings;
use super::record::Record;
use crate::statistics::{Interval, Scores, bootstrap, elo_of_score};

/// The confidence of every interval shown.
const CONFIDENCE: f64 = 0.95;

/// Observations drawn for an interval, all samples together, and the bounds of their number.
const DRAWN: usize = 2_000_000;
const RESAMPLES: (usize, usize) = (100, 1_000);

/// What one engine did.
#[derive(Clone, PartialEq, Default, Debug)]
pub(super) struct Row {
    /// Games it had a seat in.
    pub games: u64,
    /// The sum of its shares of the first place.
    pub points: f64,
    /// The sum of what throws gave its seats.
    pub luck: f64,
    /// Games with more, as much, and less than its fair share.
    pub wins: u64,
    /// See `wins`.
    pub draws: u64,
    /// See `wins`.
    pub losses: u64,
    /// Faults, by kind.
    pub faults: BTreeMap<String, u64>,
    /// Its part in each whole bundle, in the order of play: sums over the order of arrival would
    /// differ from run to run.
    bundles: BTreeMap<(u64, usize), Part>,
}

/// One engine's part in a game, or the mean of its parts in the games of a bundle.
#[derive(Clone, Copy, PartialEq, Default, Debug)]
struct Part {
    /// Its share of the first place.
    share: f64,
    /// Its share of the seats.
    seats: f64,
    /// What throws gave its seats.
    luck: f64,
}

impl Part {
    fn add(&mut self, other: Part) {
        self.share += other.share;
        self.seats += other.seats;
        self.luck += other.luck;
    }

    fn adjusted(&self) -> f64 {
        self.share - self.luck
    }
}

/// A bundle that still lacks games.
#[derive(Clone, PartialEq, Default, Debug)]
struct Partial {
    games: usize,
    /// For each engine: the sum of its parts.
    sums: Vec<Part>,
}

/// What two engines made of each other, by their places.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct Encounter {
    /// The two, by index.
    pub pair: (usize, usize),
    /// The share of the first's points.
    pub score: f64,
    /// How often a seat of the one met a seat of the other.
    pub meetings: f64,
    /// The Elo difference, its interval by bootstrap over bundles.
    pub elo: Interval,
}

/// The sum of the games so far.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Standings {
    names: Vec<String>,
    seats: usize,
    rows: Vec<Row>,
    games: u64,
    /// Games whose throws were valued.
    valued: u64,
    partial: BTreeMap<(u64, usize), Partial>,
    /// Games that a bundle of each pairing has.
    bundle_sizes: Vec<usize>,
    /// Whole bundles by the score of the first engine, where there are two.
    duel: Scores,
    /// The same, adjusted for luck.
    adjusted_duel: Scores,
    meetings: Meetings,
    reasons: BTreeMap<String, u64>,
    faults: u64,
}

impl Standings {
    /// For the engines of these names; `bundle_sizes` says how many games make a bundle whole.
    pub(super) fn new(names: &[String], seats: usize, bundle_sizes: Vec<usize>) -> Self {
        Standings {
            names: names.to_vec(),
            seats,
            rows: vec![Row::default(); names.len()],
            games: 0,
            valued: 0,
            partial: BTreeMap::new(),
            bundle_sizes,
            duel: Scores::default(),
            adjusted_duel: Scores::default(),
            meetings: Meetings::default(),
            reasons: BTreeMap::new(),
            faults: 0,
        }
    }

    /// Adds one game.
    pub(super) fn add(&mut self, record: &Record) {
        self.games += 1;
        self.valued += u64::from(record.luck.is_some());
        *self.reasons.entry(record.reason.clone()).or_default() += 1;
        let engine_of = |name: &String| self.names.iter().position(|other| other == name);
        let engines: Vec<Option<usize>> = record.seating.iter().map(engine_of).collect();
        for fault in &record.faults {
            self.faults += 1;
            if let Some(row) = engine_of(&fault.engine).and_then(|index| self.rows.get_mut(index)) {
                *row.faults.entry(fault.fault.kind.word().to_owned()).or_default() += 1;
            }
        }
        let parts = self.parts(record, &engines);
        for (row, part) in self.rows.iter_mut().zip(&parts).filter(|(_, part)| part.seats > 0.0) {
            row.games += 1;
            row.points += part.share;
            row.luck += part.luck;
            if (part.share - part.seats).abs() < 1e-9 {
                row.draws += 1;
            } else if part.share > part.seats {
                row.wins += 1;
            } else {
                row.losses += 1;
            }
        }
        self.meetings.add(0, record, &engines);
        self.add_to_bundle(record, &parts);
    }

    /// Each engine's part in a game.
    fn parts(&self, record: &Record, engines: &[Option<usize>]) -> Vec<Part> {
        let seats = record.seating.len().max(1) as f64;
        let luck = record.luck.as_deref().unwrap_or(&[]);
        let mut parts = vec![Part::default(); self.names.len()];
        for (seat, (engine, &share)) in engines.iter().zip(&record.shares).enumerate() {
            if let Some(part) = engine.and_then(|index| parts.get_mut(index)) {
                let luck = luck.get(seat).copied().unwrap_or(0.0);
                part.add(Part { share, seats: 1.0 / seats, luck });
            }
        }
        parts
    }

    fn add_to_bundle(&mut self, record: &Record, parts: &[Part]) {
        let key = (record.round, record.pairing);
        let size = record.pairing.checked_sub(1).and_then(|index| self.bundle_sizes.get(index));
        let size = size.copied().unwrap_or(1);
        let partial = self.partial.entry(key).or_default();
        partial.games += 1;
        partial.sums.resize(parts.len(), Part::default());
        for (sum, part) in partial.sums.iter_mut().zip(parts) {
            sum.add(*part);
        }
        if partial.games >= size
            && let Some(whole) = self.partial.remove(&key)
        {
            self.close_bundle(key, whole);
        }
    }

    fn close_bundle(&mut self, key: (u64, usize), whole: Partial) {
        let games = whole.games as f64;
        let mean = |sum: &Part| Part {
            share: sum.share / games,
            seats: sum.seats / games,
            luck: sum.luck / games,
        };
        let parts: Vec<Part> = whole.sums.iter().map(mean).collect();
        for (row, &part) in self.rows.iter_mut().zip(&parts).filter(|(_, part)| part.seats > 0.0) {
            row.bundles.insert(key, part);
        }
        if let [first, _] = parts.as_slice() {
            // Where seats are shared out evenly this is the mean share itself.
            let score = 0.5 + first.share - first.seats;
            self.duel.add(score.clamp(0.0, 1.0), whole.games as u64);
            self.adjusted_duel.add(score - first.luck, whole.games as u64);
        }
    }

    /// Games so far.
    pub(super) fn games(&self) -> u64 {
        self.games
    }

    /// Faults so far.
    pub(super) fn faults(&self) -> u64 {
        self.faults
    }

    /// The score of the first engine, where two play: whole bundles.
    pub(super) fn duel(&self) -> &Scores {
        &self.duel
    }

    /// The mean share of the first engine.
    pub(super) fn first_score(&self) -> f64 {
        self.rows.first().map_or(0.0, |row| per_game(row, row.points))
    }

    /// Whether every game's throws were valued.
    fn is_adjusted(&self) -> bool {
        self.games > 0 && self.valued == self.games
    }

    /// Pairwise strength from places.
    pub(super) fn encounters(&self) -> Vec<Encounter> {
        let encounter = |total: crate::statistics::Pairing| {
            let mut bundles = Vec::new();
            for meeting in self.meetings.bundles().flatten() {
                if (meeting.one, meeting.other) == (total.one, total.other) {
                    bundles.push((meeting.score, meeting.games));
                }
            }
            let score = interval(&bundles);
            let elo = Interval {
                value: elo_of_score(score.value),
                low: elo_of_score(score.low),
                high: elo_of_score(score.high),
            };
            let pair = (total.one, total.other);
            Encounter { pair, score: score.value, meetings: total.games, elo }
        };
        self.meetings.totals().into_iter().map(encounter).collect()
    }
}

/// The ratio of two sums over bundles, with its interval.
fn interval(bundles: &[(f64, f64)]) -> Interval {
    let ratio = |sample: &mut dyn Iterator<Item = &(f64, f64)>| {
        let (above, below) = sample.fold((0.0, 0.0), |sums, x| (sums.0 + x.0, sums.1 + x.1));
        if below == 0.0 { 0.0 } else { above / below }
    };
    let resamples = (DRAWN / bundles.len().max(1)).clamp(RESAMPLES.0, RESAMPLES.1);
    bootstrap(bundles, ratio, CONFIDENCE, resamples)
}

/// The interval of the mean of something over an engine's whole bundles, about its mean over all
/// games.
fn mean_over_bundles(row: &Row, value: f64, of: impl Fn(&Part) -> f64) -> Interval {
    let bundles: Vec<(f64, f64)> = row.bundles.values().map(|part| (of(part), 1.0)).collect();
    let found = interval(&bundles);
    let shift = value - found.value;
    Interval { value, low: found.low + shift, high: found.high + shift }
}

fn per_game(row: &Row, sum: f64) -> f64 {
    if row.games == 0 { 0.0 } else { sum / row.games as f64 }
}

/// The share of the first place that would be fair: that of the seats.
fn fair(row: &Row) -> f64 {
    if row.bundles.is_empty() {
        return 0.5;
    }
    let sum: f64 = row.bundles.values().map(|part| part.seats).sum();
    sum / row.bundles.len() as f64
}
