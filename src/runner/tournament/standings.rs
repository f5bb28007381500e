//! Standings: the sums of the records of a match.

mod play;
mod report;

use std::cmp::Ordering;
use std::collections::BTreeMap;

use super::pairwise::PairwiseResults;
use super::record::Record;
use crate::statistics::{Interval, Scores, bootstrap, elo_of_score, share_interval};
use play::PlayTotals;

/// The confidence level of every interval shown.
const CONFIDENCE: f64 = 0.95;

/// Bundles drawn for one interval, over all resamples.
const DRAWN: usize = 2_000_000;
/// The least and the greatest number of resamples.
const RESAMPLES: (usize, usize) = (100, 1_000);

/// With fewer upsets than this, in bundles, the bootstrap is left for Wilson's interval.
const LOPSIDED: f64 = 5.0;

/// The results of one engine.
#[derive(Clone, PartialEq, Default, Debug)]
pub(super) struct EngineResults {
    /// Games it had a seat in.
    pub(super) games: u64,
    /// The sum of its shares of the first place.
    pub(super) points: f64,
    /// The sum of the luck of its seats.
    pub(super) luck: f64,
    /// Games with more than its fair share.
    pub(super) wins: u64,
    /// Games with its fair share.
    pub(super) draws: u64,
    /// Games with less than its fair share.
    pub(super) losses: u64,
    /// Faults, by kind.
    pub(super) faults: BTreeMap<String, u64>,
    /// Its contributions to complete bundles, each with its number: in the order of arrival sums would
    /// differ between runs, and memory does not grow with the number of games.
    bundles: BTreeMap<Contribution, u64>,
}

/// One engine's result in a game, or the mean over the games of a bundle.
#[derive(Clone, Copy, Default, Debug)]
struct Contribution {
    /// Its share of the first place.
    share: f64,
    /// Its share of the seats.
    seats: f64,
    /// The luck of its seats.
    luck: f64,
}

impl Ord for Contribution {
    fn cmp(&self, other: &Self) -> Ordering {
        let order = self.share.total_cmp(&other.share);
        order.then(self.seats.total_cmp(&other.seats)).then(self.luck.total_cmp(&other.luck))
    }
}

impl PartialOrd for Contribution {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Contribution {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for Contribution {}

impl Contribution {
    fn add(&mut self, other: Contribution) {
        self.share += other.share;
        self.seats += other.seats;
        self.luck += other.luck;
    }

    fn adjusted(&self) -> f64 {
        self.share - self.luck
    }
}

/// A bundle with games still to come.
#[derive(Clone, PartialEq, Default, Debug)]
struct OpenBundle {
    games: usize,
    /// The sums, for each engine.
    sums: Vec<Contribution>,
}

/// The score of two engines against each other, by their places.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct PairwiseScore {
    /// The two, by index.
    pub(super) pair: (usize, usize),
    /// The score of the first.
    pub(super) score: f64,
    /// The number of pairwise results.
    pub(super) results: f64,
    /// The Elo difference and its interval.
    pub(super) elo: Interval,
}

/// The sum of the games so far.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Standings {
    names: Vec<String>,
    seats: usize,
    rows: Vec<EngineResults>,
    games: u64,
    /// Games whose throws were valued.
    valued: u64,
    open_bundles: BTreeMap<(u64, usize), OpenBundle>,
    /// Games that a bundle of each pairing has.
    bundle_sizes: Vec<usize>,
    /// Complete bundles by the score of the first engine, where there are two.
    duel: Scores,
    /// The same, adjusted for luck.
    adjusted_duel: Scores,
    pairwise: PairwiseResults,
    reasons: BTreeMap<String, u64>,
    faults: u64,
    play: PlayTotals,
}

impl Standings {
    /// For the engines of these names; `bundle_sizes` are the numbers of games in a bundle of
    /// each pairing.
    pub(super) fn new(names: &[String], seats: usize, bundle_sizes: Vec<usize>) -> Self {
        Standings {
            names: names.to_vec(),
            seats,
            rows: vec![EngineResults::default(); names.len()],
            games: 0,
            valued: 0,
            open_bundles: BTreeMap::new(),
            bundle_sizes,
            duel: Scores::default(),
            adjusted_duel: Scores::default(),
            pairwise: PairwiseResults::default(),
            reasons: BTreeMap::new(),
            faults: 0,
            play: PlayTotals::new(names.len()),
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
                *row.faults.entry(fault.fault.kind.name().to_owned()).or_default() += 1;
            }
        }
        self.play.add(record, &engines);
        let contributions = self.contributions(record, &engines);
        for (row, contribution) in self
            .rows
            .iter_mut()
            .zip(&contributions)
            .filter(|(_, contribution)| contribution.seats > 0.0)
        {
            row.games += 1;
            row.points += contribution.share;
            row.luck += contribution.luck;
            if (contribution.share - contribution.seats).abs() < 1e-9 {
                row.draws += 1;
            } else if contribution.share > contribution.seats {
                row.wins += 1;
            } else {
                row.losses += 1;
            }
        }
        self.pairwise.add(0, record, &engines, self.bundle_size(record));
        self.add_to_bundle(record, &contributions);
    }

    /// Each engine's contribution to a game.
    fn contributions(&self, record: &Record, engines: &[Option<usize>]) -> Vec<Contribution> {
        let seats = record.seating.len().max(1) as f64;
        let luck = record.luck.as_deref().unwrap_or(&[]);
        let mut contributions = vec![Contribution::default(); self.names.len()];
        for (seat, (engine, &share)) in engines.iter().zip(&record.shares).enumerate() {
            if let Some(contribution) = engine.and_then(|index| contributions.get_mut(index)) {
                let luck = luck.get(seat).copied().unwrap_or(0.0);
                contribution.add(Contribution { share, seats: 1.0 / seats, luck });
            }
        }
        contributions
    }

    /// The number of games in the bundle of a game.
    fn bundle_size(&self, record: &Record) -> usize {
        bundle_size(&self.bundle_sizes, record)
    }

    fn add_to_bundle(&mut self, record: &Record, contributions: &[Contribution]) {
        let key = (record.round, record.pairing);
        let size = self.bundle_size(record);
        let open_bundles = self.open_bundles.entry(key).or_default();
        open_bundles.games += 1;
        open_bundles.sums.resize(contributions.len(), Contribution::default());
        for (sum, contribution) in open_bundles.sums.iter_mut().zip(contributions) {
            sum.add(*contribution);
        }
        if open_bundles.games >= size
            && let Some(whole) = self.open_bundles.remove(&key)
        {
            self.close_bundle(whole);
        }
    }

    fn close_bundle(&mut self, whole: OpenBundle) {
        let games = whole.games as f64;
        let mean = |sum: &Contribution| Contribution {
            share: sum.share / games,
            seats: sum.seats / games,
            luck: sum.luck / games,
        };
        let contributions: Vec<Contribution> = whole.sums.iter().map(mean).collect();
        for (row, &contribution) in self
            .rows
            .iter_mut()
            .zip(&contributions)
            .filter(|(_, contribution)| contribution.seats > 0.0)
        {
            *row.bundles.entry(contribution).or_default() += 1;
        }
        if let [first, _] = contributions.as_slice() {
            // Where both have as many seats this is the mean share itself.
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

    /// The score of the first of two engines, over complete bundles.
    pub(super) fn duel(&self) -> &Scores {
        &self.duel
    }

    /// The mean share of the first engine.
    pub(super) fn first_score(&self) -> f64 {
        self.rows.first().map_or(0.0, |row| per_game(row, row.points))
    }

    /// How each engine played, as a table.
    pub(super) fn summary(&self) -> String {
        self.play.summary(&self.names)
    }

    /// Whether every game's throws were valued.
    fn is_adjusted(&self) -> bool {
        self.games > 0 && self.valued == self.games
    }

    /// Pairwise scores from places, with intervals.
    pub(super) fn pairwise_scores(&self) -> Vec<PairwiseScore> {
        let pair_score = |total: crate::statistics::Pairing| {
            let mut bundles = Vec::new();
            for (results, count) in self.pairwise.kinds() {
                for result in results {
                    if (result.one, result.other) == (total.one, total.other) {
                        let bundle = (result.score, result.games);
                        bundles.extend(std::iter::repeat_n(bundle, count as usize));
                    }
                }
            }
            let score = interval(&bundles);
            let elo = Interval {
                value: elo_of_score(score.value),
                low: elo_of_score(score.low),
                high: elo_of_score(score.high),
            };
            let pair = (total.one, total.other);
            PairwiseScore { pair, score: score.value, results: total.games, elo }
        };
        self.pairwise.totals().into_iter().map(pair_score).collect()
    }
}

/// The ratio of two sums over bundles, with its interval.
fn interval(bundles: &[(f64, f64)]) -> Interval {
    let ratio = |sample: &mut dyn Iterator<Item = &(f64, f64)>| {
        let (above, below) = sample.fold((0.0, 0.0), |sums, x| (sums.0 + x.0, sums.1 + x.1));
        if below == 0.0 { 0.0 } else { above / below }
    };
    if let Some(interval) = lopsided_interval(bundles) {
        return interval;
    }
    let resamples = (DRAWN / bundles.len().max(1)).clamp(RESAMPLES.0, RESAMPLES.1);
    bootstrap(bundles, ratio, CONFIDENCE, resamples)
}

/// The same where so few bundles differ from a clean sweep that drawing them again says little.
fn lopsided_interval(bundles: &[(f64, f64)]) -> Option<Interval> {
    let (above, below) = bundles.iter().fold((0.0, 0.0), |sums, x| (sums.0 + x.0, sums.1 + x.1));
    let (mean, count) = (above / below, bundles.len() as f64);
    let upsets = count * mean.min(1.0 - mean);
    // Results less luck may lie beyond 0 and 1.
    if below == 0.0 || bundles.len() < 2 || !(0.0..LOPSIDED).contains(&upsets) {
        return None;
    }
    let residuals = bundles.iter().map(|(above, below)| (above - mean * below).powi(2));
    let variance = count * residuals.sum::<f64>() / (below * below);
    Some(share_interval(mean, variance, bundles.len() as u64, CONFIDENCE))
}

/// The interval of a mean over an engine's complete bundles, shifted to `value`, the mean over all
/// games.
fn mean_over_bundles(
    row: &EngineResults,
    value: f64,
    of: impl Fn(&Contribution) -> f64,
) -> Interval {
    let several = |(contribution, &count): (&Contribution, &u64)| {
        std::iter::repeat_n((of(contribution), 1.0), count as usize)
    };
    let bundles: Vec<(f64, f64)> = row.bundles.iter().flat_map(several).collect();
    let found = interval(&bundles);
    let shift = value - found.value;
    Interval { value, low: found.low + shift, high: found.high + shift }
}

fn per_game(row: &EngineResults, sum: f64) -> f64 {
    if row.games == 0 { 0.0 } else { sum / row.games as f64 }
}

/// The fair share of the first place: the engine's share of the seats.
fn fair(row: &EngineResults) -> f64 {
    if row.bundles.is_empty() {
        return 0.5;
    }
    let seats = row.bundles.iter().map(|(part, &count)| part.seats * count as f64);
    seats.sum::<f64>() / row.bundles.values().sum::<u64>() as f64
}

/// The number of games in the bundle of a game; `sizes` are those of each pairing.
pub(super) fn bundle_size(sizes: &[usize], record: &Record) -> usize {
    let size = record.pairing.checked_sub(1).and_then(|index| sizes.get(index));
    size.copied().unwrap_or(1)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn results_less_luck_are_told_only_if_every_game_has_its_luck() {
        let games = |luck: &[Option<[f64; 2]>]| {
            let mut standings = Standings::new(&["a".into(), "b".into()], 2, vec![1]);
            for (round, luck) in (1..).zip(luck) {
                let text = json!({
                    "game": round, "round": round, "pairing": 1, "seating": ["a", "b"],
                    "start": "startpos", "moves": [], "result": "p1win", "places": [1, 2],
                    "shares": [1.0, 0.0], "luck": luck, "reason": "end", "ending": "rules",
                });
                let record: Record = serde_json::from_value(text).expect("a record");
                standings.add(&record);
            }
            standings
        };
        let told = |standings: &Standings| standings.table().contains("less luck");
        assert!(told(&games(&[Some([0.25, -0.25]), Some([0.0, 0.0])])));
        assert!(!told(&games(&[Some([0.25, -0.25]), None])));
        assert!(!told(&games(&[None, None])));
        assert!(!told(&games(&[])));
    }
}
