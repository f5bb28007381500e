//! Who leads: what the records of a match add up to.

use std::collections::BTreeMap;

use comfy_table::{CellAlignment, ContentArrangement, Table, presets};

use super::record::Record;
use crate::statistics::{
    Interval, Scores, bootstrap, elo_interval, likelihood_of_superiority, normalized_elo_interval,
};

/// The confidence of every interval shown.
const CONFIDENCE: f64 = 0.95;

/// Observations drawn for an interval, all samples together, and the bounds of their number.
const DRAWN: usize = 2_000_000;
const RESAMPLES: (usize, usize) = (100, 1_000);

/// What one engine did.
#[derive(Clone, PartialEq, Default, Debug)]
pub struct Row {
    /// Games it had a seat in.
    pub games: u64,
    /// The sum of its shares of the first place.
    pub points: f64,
    /// Games with more, as much, and less than its fair share.
    pub wins: u64,
    /// See `wins`.
    pub draws: u64,
    /// See `wins`.
    pub losses: u64,
    /// Faults, by kind.
    pub faults: BTreeMap<String, u64>,
    /// The mean of its share in each whole bundle, with the share it had of the seats.
    bundles: Vec<(f32, f32)>,
}

/// A bundle that still lacks games.
#[derive(Clone, PartialEq, Default, Debug)]
struct Partial {
    games: usize,
    /// For each engine: its summed shares, and its summed part of the seats.
    sums: Vec<(f64, f64)>,
}

/// The sum of the games so far.
#[derive(Clone, PartialEq, Debug)]
pub struct Standings {
    names: Vec<String>,
    seats: usize,
    rows: Vec<Row>,
    games: u64,
    partial: BTreeMap<(u64, usize), Partial>,
    /// Games that a bundle of each pairing has.
    bundle_sizes: Vec<usize>,
    /// Whole bundles by the score of the first engine, where there are two.
    duel: Scores,
    /// For each pair of engines: games by places, as the first of the two sees them.
    encounters: BTreeMap<(usize, usize), Scores>,
    reasons: BTreeMap<String, u64>,
    faults: u64,
}

impl Standings {
    /// For the engines of these names; `bundle_sizes` says how many games make a bundle whole.
    pub fn new(names: &[String], seats: usize, bundle_sizes: Vec<usize>) -> Self {
        Standings {
            names: names.to_vec(),
            seats,
            rows: vec![Row::default(); names.len()],
            games: 0,
            partial: BTreeMap::new(),
            bundle_sizes,
            duel: Scores::default(),
            encounters: BTreeMap::new(),
            reasons: BTreeMap::new(),
            faults: 0,
        }
    }

    /// Adds one game.
    pub fn add(&mut self, record: &Record) {
        self.games += 1;
        *self.reasons.entry(record.reason.clone()).or_default() += 1;
        let engine_of = |name: &String| self.names.iter().position(|other| other == name);
        let engines: Vec<Option<usize>> = record.seating.iter().map(engine_of).collect();
        for fault in &record.faults {
            self.faults += 1;
            if let Some(row) = engine_of(&fault.engine).and_then(|index| self.rows.get_mut(index)) {
                *row.faults.entry(fault.fault.kind.word().to_owned()).or_default() += 1;
            }
        }
        let seats = record.seating.len().max(1) as f64;
        let mut sums = vec![(0.0, 0.0); self.names.len()];
        for (engine, share) in engines.iter().zip(&record.shares) {
            if let Some(sum) = engine.and_then(|index| sums.get_mut(index)) {
                sum.0 += share;
                sum.1 += 1.0 / seats;
            }
        }
        for (row, &(share, part)) in self.rows.iter_mut().zip(&sums) {
            if part == 0.0 {
                continue;
            }
            row.games += 1;
            row.points += share;
            if (share - part).abs() < 1e-9 {
                row.draws += 1;
            } else if share > part {
                row.wins += 1;
            } else {
                row.losses += 1;
            }
        }
        self.add_encounters(&engines, &record.places);
        self.add_to_bundle(record, &sums);
    }

    /// Everybody's place against everybody else's: a game between two of several.
    fn add_encounters(&mut self, engines: &[Option<usize>], places: &[u32]) {
        let seated: Vec<(usize, u32)> = engines
            .iter()
            .zip(places)
            .filter_map(|(engine, &place)| engine.map(|engine| (engine, place)))
            .collect();
        for (index, &(one, place)) in seated.iter().enumerate() {
            for &(other, its_place) in seated.iter().skip(index + 1) {
                if one == other {
                    continue;
                }
                let score = match place.cmp(&its_place) {
                    std::cmp::Ordering::Less => 1.0,
                    std::cmp::Ordering::Equal => 0.5,
                    std::cmp::Ordering::Greater => 0.0,
                };
                let (key, score) =
                    if one < other { ((one, other), score) } else { ((other, one), 1.0 - score) };
                self.encounters.entry(key).or_default().add(score, 1);
            }
        }
    }

    fn add_to_bundle(&mut self, record: &Record, sums: &[(f64, f64)]) {
        let key = (record.round, record.pairing);
        let size = record.pairing.checked_sub(1).and_then(|index| self.bundle_sizes.get(index));
        let size = size.copied().unwrap_or(1);
        let partial = self.partial.entry(key).or_default();
        partial.games += 1;
        partial.sums.resize(sums.len(), (0.0, 0.0));
        for (sum, new) in partial.sums.iter_mut().zip(sums) {
            sum.0 += new.0;
            sum.1 += new.1;
        }
        if partial.games < size {
            return;
        }
        if let Some(whole) = self.partial.remove(&key) {
            let games = whole.games as f64;
            for (row, &(share, part)) in self.rows.iter_mut().zip(&whole.sums) {
                if part > 0.0 {
                    row.bundles.push(((share / games) as f32, (part / games) as f32));
                }
            }
            if let [(share, part), _] = whole.sums.as_slice() {
                // Where seats are shared out evenly this is the mean share itself.
                let score = 0.5 + (share - part) / games;
                self.duel.add(score.clamp(0.0, 1.0), whole.games as u64);
            }
        }
    }

    /// Games so far.
    pub fn games(&self) -> u64 {
        self.games
    }

    /// Faults so far.
    pub fn faults(&self) -> u64 {
        self.faults
    }

    /// What each engine did, in the order given.
    pub fn rows(&self) -> &[Row] {
        &self.rows
    }

    /// The score of the first engine, where two play: whole bundles.
    pub fn duel(&self) -> &Scores {
        &self.duel
    }

    /// The mean share of the first engine.
    pub fn first_score(&self) -> f64 {
        match self.rows.first() {
            Some(row) if row.games > 0 => row.points / row.games as f64,
            _ => 0.0,
        }
    }

    /// The table of all engines, best first, and what can be said about two.
    pub fn table(&self) -> String {
        let mut order: Vec<(&String, &Row)> = self.names.iter().zip(&self.rows).collect();
        order.sort_by(|(_, one), (_, other)| excess(other).total_cmp(&excess(one)));
        let mut table = Table::new();
        table.load_preset(presets::NOTHING).set_content_arrangement(ContentArrangement::Disabled);
        table.set_header(vec![
            "engine", "games", "points", "won", "drawn", "lost", "share %", "fair %", "faults",
        ]);
        for (name, row) in order {
            let share = self.share_of(row);
            table.add_row(vec![
                name.clone(),
                row.games.to_string(),
                format!("{:.1}", row.points),
                row.wins.to_string(),
                row.draws.to_string(),
                row.losses.to_string(),
                share,
                format!("{:.1}", 100.0 * fair(row)),
                row.faults.values().sum::<u64>().to_string(),
            ]);
        }
        for column in table.column_iter_mut().skip(1) {
            column.set_cell_alignment(CellAlignment::Right);
        }
        let mut lines: Vec<String> =
            table.to_string().lines().map(|line| line.trim_end().to_owned()).collect();
        lines.extend(self.duel_line());
        lines.extend(self.encounter_lines());
        lines.extend(self.fault_lines());
        lines.join("\n")
    }

    fn share_of(&self, row: &Row) -> String {
        let value = if row.games == 0 { 0.0 } else { row.points / row.games as f64 };
        let ratio = |sample: &mut dyn Iterator<Item = &(f32, f32)>| {
            let (sum, count) =
                sample.fold((0.0, 0u32), |(sum, count), x| (sum + f64::from(x.0), count + 1));
            if count == 0 { 0.0 } else { sum / f64::from(count) }
        };
        if row.bundles.len() < 2 {
            return format!("{:.1}", 100.0 * value);
        }
        let resamples = (DRAWN / row.bundles.len()).clamp(RESAMPLES.0, RESAMPLES.1);
        let interval = bootstrap(&row.bundles, ratio, CONFIDENCE, resamples);
        let margin = (interval.high - interval.low) / 2.0;
        format!("{:.1} +- {:.1}", 100.0 * value, 100.0 * margin)
    }

    fn duel_line(&self) -> Option<String> {
        let [one, other] = self.names.as_slice() else { return None };
        if self.duel.bundles() == 0 || self.seats != 2 {
            return None;
        }
        let scores = &self.duel;
        let elo = elo_interval(scores, CONFIDENCE);
        let normalized = normalized_elo_interval(scores, CONFIDENCE);
        let mut line = format!(
            "{one} against {other}: Elo {}, normalized {}, LOS {:.1} %",
            spread(elo),
            spread(normalized),
            100.0 * likelihood_of_superiority(scores)
        );
        if let Some(five) = scores.as_pentanomial().filter(|_| scores.games_per_bundle() == 2.0) {
            line += &format!(", pairs {five:?}");
        }
        Some(line)
    }

    /// Pairwise strength from places, where a game has more than two engines or seats.
    fn encounter_lines(&self) -> Vec<String> {
        let several = self.names.len() > 2 || self.seats > 2;
        let named = |index: usize| self.names.get(index).map_or("?", String::as_str);
        self.encounters
            .iter()
            .filter(|_| several)
            .map(|(&(one, other), scores)| {
                let elo = elo_interval(scores, CONFIDENCE);
                format!(
                    "{} against {}: {:.1} % of {} meetings, Elo {:+.1}",
                    named(one),
                    named(other),
                    100.0 * scores.mean(),
                    scores.games(),
                    elo.value + 0.0
                )
            })
            .collect()
    }

    fn fault_lines(&self) -> Vec<String> {
        let line = |(name, row): (&String, &Row)| {
            let kinds: Vec<String> =
                row.faults.iter().map(|(kind, count)| format!("{kind} {count}")).collect();
            (!kinds.is_empty()).then(|| format!("faults of {name}: {}", kinds.join(", ")))
        };
        self.names.iter().zip(&self.rows).filter_map(line).collect()
    }

    /// How often games ended for each reason.
    pub fn reasons(&self) -> &BTreeMap<String, u64> {
        &self.reasons
    }
}

/// An estimate with its margin, where it has one.
pub fn spread(interval: Interval) -> String {
    let margin = (interval.high - interval.low) / 2.0;
    // Nought without a sign of its own.
    let value = interval.value + 0.0;
    if margin.is_finite() { format!("{value:+.1} +- {margin:.1}") } else { format!("{value:+.1}") }
}

fn fair(row: &Row) -> f64 {
    if row.bundles.is_empty() {
        return 0.5;
    }
    let sum: f64 = row.bundles.iter().map(|bundle| f64::from(bundle.1)).sum();
    sum / row.bundles.len() as f64
}

fn excess(row: &Row) -> f64 {
    if row.games == 0 { 0.0 } else { row.points / row.games as f64 - fair(row) }
}
