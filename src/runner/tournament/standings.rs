//! Standings: the sums of the records of a match.

mod play;
mod report;

use std::cmp::Ordering;
use std::collections::BTreeMap;

use super::copies::Copies;
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
    copies: Copies,
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
            copies: Copies::default(),
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
        let size = bundle_size(&self.bundle_sizes, record);
        let is_copy = self.copies.add(0, record, size);
        self.pairwise.add(0, record, &engines, size, is_copy);
        self.add_to_bundle(record, &contributions, size, is_copy);
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

    fn add_to_bundle(
        &mut self,
        record: &Record,
        contributions: &[Contribution],
        size: usize,
        is_copy: bool,
    ) {
        let key = (record.round, record.pairing);
        let open_bundles = self.open_bundles.entry(key).or_default();
        open_bundles.games += 1;
        open_bundles.sums.resize(contributions.len(), Contribution::default());
        for (sum, contribution) in open_bundles.sums.iter_mut().zip(contributions) {
            sum.add(*contribution);
        }
        if open_bundles.games >= size
            && let Some(whole) = self.open_bundles.remove(&key)
            && !is_copy
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
                    "start": format!("fen {round}"), "moves": [], "result": "p1win", "places": [1, 2],
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

    /// Random games of three seats between three engines that sit anywhere, also twice: bundles of
    /// two sizes, faults, stray lines, moves with and without figures.
    fn random_games(
        names: &[&str],
        seats: usize,
        random: &mut crate::random::Random,
    ) -> Vec<Record> {
        let mut below = |bound: usize| random.below(bound as u64) as usize;
        let mut games = Vec::new();
        for round in 1..=12 {
            for (pairing, size) in [(1, 2), (2, 3)] {
                // The last bundle is not complete.
                for _ in 0..if (round, pairing) == (12, 2) { 1 } else { size } {
                    let seating: Vec<&str> =
                        (0..seats).map(|_| names[below(names.len())]).collect();
                    let places: Vec<usize> = (0..seats).map(|_| 1 + below(3)).collect();
                    let best = places.iter().min().copied();
                    let first = places.iter().filter(|place| Some(**place) == best).count();
                    let share = |place: &usize| {
                        if Some(*place) == best { 1.0 / first as f64 } else { 0.0 }
                    };
                    let luck: Vec<f64> = (0..seats).map(|_| below(9) as f64 / 8.0 - 0.5).collect();
                    let moves: Vec<serde_json::Value> = (0..below(6))
                        .map(|_| {
                            let mut m = json!({"token": "x", "seat": 1 + below(seats)});
                            if below(4) > 0 {
                                m["ms"] = json!(1 + below(50));
                            }
                            if below(4) > 0 {
                                m["depth"] = json!(1 + below(9));
                            }
                            if below(4) > 0 {
                                m["nodes"] = json!(below(1_000));
                            }
                            if below(5) == 0 {
                                let from = ["opening", "chance", "substitute"][below(3)];
                                m["from"] = json!(from);
                            }
                            m
                        })
                        .collect();
                    let strays: Vec<usize> = (0..seats).map(|_| below(3)).collect();
                    let faults: Vec<serde_json::Value> = (0..below(5) / 3)
                        .map(|_| {
                            let seat = below(seats);
                            json!({"seat": seat + 1, "engine": seating[seat], "kind": "crash",
                                "detail": "", "position": "", "command": ""})
                        })
                        .collect();
                    let reason = ["end", "draw"][below(2)];
                    let text = json!({
                        "game": games.len() + 1, "round": round, "pairing": pairing,
                        "seating": seating, "start": format!("fen {round}"), "moves": moves, "result": "x",
                        "places": places, "shares": places.iter().map(share).collect::<Vec<f64>>(),
                        "luck": luck, "reason": reason, "ending": "rules",
                        "faults": faults, "strays": strays, "ms": 400,
                    });
                    games.push(serde_json::from_value(text).expect("a record"));
                }
            }
        }
        games
    }

    fn near(found: &serde_json::Value, expected: f64, of: &str) {
        let found = found.as_f64().unwrap_or(f64::NAN);
        assert!((found - expected).abs() < 1e-9, "{of}: {found} is not {expected}");
    }

    /// Every figure of the standings, from the list of the games alone.
    #[test]
    fn standings_are_the_sums_of_the_games() {
        let (names, seats) = (["a", "b", "c"], 3);
        let games = random_games(&names, seats, &mut crate::random::Random::new(5));
        let mut standings = Standings::new(&names.map(String::from), seats, vec![2, 3]);
        games.iter().for_each(|game| standings.add(game));
        let told = standings.json();
        assert_eq!(told["games"], games.len());
        let reason = |word| games.iter().filter(|game| game.reason == word).count();
        assert_eq!(told["reasons"], json!({"end": reason("end"), "draw": reason("draw")}));
        let faults: usize = games.iter().map(|game| game.faults.len()).sum();
        assert_eq!(standings.faults() as usize, faults);
        for (index, name) in names.into_iter().enumerate() {
            let row = &told["engines"][index];
            assert_eq!(row["engine"], name);
            let seats_of = |game: &Record| -> Vec<usize> {
                (0..seats).filter(|seat| game.seating[*seat] == name).collect()
            };
            let own = |game: &Record, list: &[f64]| -> f64 {
                seats_of(game).into_iter().map(|seat| list[seat]).sum()
            };
            let played: Vec<&Record> =
                games.iter().filter(|game| !seats_of(game).is_empty()).collect();
            let points = |game: &Record| own(game, &game.shares);
            let above = |game: &Record| points(game) - seats_of(game).len() as f64 / 3.0;
            let count =
                |is: &dyn Fn(f64) -> bool| played.iter().filter(|game| is(above(game))).count();
            let total: f64 = played.iter().map(|game| points(game)).sum();
            let luck: f64 =
                played.iter().map(|game| own(game, game.luck.as_deref().unwrap_or(&[]))).sum();
            let number = played.len() as f64;
            assert_eq!(row["games"], played.len());
            near(&row["points"], total, "points");
            assert_eq!(row["won"], count(&|above| above > 1e-6));
            assert_eq!(row["drawn"], count(&|above| above.abs() <= 1e-6));
            assert_eq!(row["lost"], count(&|above| above < -1e-6));
            near(&row["share"]["value"], total / number, "share");
            near(&row["share_less_luck"]["value"], (total - luck) / number, "less luck");
            assert!(row["share"]["low"].as_f64() < row["share"]["value"].as_f64());
            let faults = games.iter().flat_map(|game| &game.faults);
            let faults = faults.filter(|fault| fault.engine == name).count();
            assert_eq!(row["faults"], json!({"crash": faults}));
            // The fair share is the mean of the complete bundles in which it had a seat.
            let mut parts = Vec::new();
            for (pairing, size) in [(1, 2), (2, 3)] {
                for round in 1..=12 {
                    let of_bundle = |game: &&Record| (game.round, game.pairing) == (round, pairing);
                    let bundle: Vec<&Record> = games.iter().filter(of_bundle).collect();
                    let held: usize = bundle.iter().map(|game| seats_of(game).len()).sum();
                    if bundle.len() == size && held > 0 {
                        parts.push(held as f64 / 3.0 / size as f64);
                    }
                }
            }
            near(&row["fair"], parts.iter().sum::<f64>() / parts.len() as f64, "fair");

            let chosen: Vec<_> = games
                .iter()
                .flat_map(|game| game.moves.iter().map(move |m| (game, m)))
                .filter(|(game, m)| m.from.is_none() && game.seating[m.seat - 1] == name)
                .map(|(_, m)| m)
                .collect();
            let mean = |values: Vec<f64>| values.iter().sum::<f64>() / values.len() as f64;
            let play = &row["play"];
            assert_eq!(play["moves"], chosen.len());
            let ms = mean(chosen.iter().filter_map(|m| m.ms).collect());
            let depth = mean(chosen.iter().filter_map(|m| m.depth.map(f64::from)).collect());
            let both = chosen.iter().filter_map(|m| Some((m.nodes? as f64, m.ms?)));
            let (nodes, time) = both.fold((0.0, 0.0), |sums, m| (sums.0 + m.0, sums.1 + m.1));
            near(&play["ms"], ms, "ms");
            near(&play["depth"], depth, "depth");
            near(&play["nodes_per_second"], nodes / (time / 1_000.0), "nodes a second");
            let strays = games
                .iter()
                .flat_map(|game| seats_of(game).into_iter().map(|seat| game.strays[seat]));
            assert_eq!(play["strays"], strays.sum::<u64>());
        }
        let moves = || games.iter().flat_map(|game| &game.moves);
        let thought: f64 = moves().filter_map(|m| m.ms).sum();
        let overhead = (400.0 * games.len() as f64 - thought) / moves().count() as f64;
        near(&told["overhead_ms"], overhead, "overhead");
        check_texts(&standings, &told);
        near(
            &json!(standings.first_score()),
            told["engines"][0]["share"]["value"].as_f64().unwrap(),
            "first",
        );
    }

    /// The table has the engine first that won most above its fair share; the summary has the figures
    /// of the JSON, in the order of its heading.
    fn check_texts(standings: &Standings, told: &serde_json::Value) {
        let engines = told["engines"].as_array().unwrap();
        let number = |value: &serde_json::Value| value.as_f64().unwrap();
        let above =
            |row: &&serde_json::Value| number(&row["share"]["value"]) - number(&row["fair"]);
        let mut best: Vec<&serde_json::Value> = engines.iter().collect();
        best.sort_by(|one, other| above(other).total_cmp(&above(one)));
        let table = standings.table();
        for (row, line) in best.into_iter().zip(table.lines().skip(1)) {
            let name = row["engine"].as_str().unwrap();
            assert!(line.starts_with(&format!("{name} ")), "{name}:\n{table}");
        }
        let summary = standings.summary();
        for (row, line) in engines.iter().zip(summary.lines().skip(1)) {
            let words = line.split_whitespace().skip(1);
            let figures =
                [("moves", 0.0), ("ms", 0.05), ("depth", 0.05), ("nodes_per_second", 0.5)];
            for ((name, rounded), word) in figures.into_iter().zip(words) {
                let difference = word.parse::<f64>().unwrap() - number(&row["play"][name]);
                assert!(difference.abs() <= rounded + 1e-6, "{name} of:\n{summary}");
            }
            let (name, strays) = (row["engine"].as_str().unwrap(), &row["play"]["strays"]);
            assert!(
                summary.contains(&format!("\n{name}: {strays} stray lines (moves and ")),
                "{summary}"
            );
        }
    }

    /// Of every two seats of different engines the better place wins.
    #[test]
    fn pairwise_scores_are_counted_seat_by_seat() {
        let (names, seats) = (["a", "b", "c"], 4);
        let games = random_games(&names, seats, &mut crate::random::Random::new(6));
        let mut standings = Standings::new(&names.map(String::from), seats, vec![2, 3]);
        games.iter().for_each(|game| standings.add(game));
        let told = &standings.json()["pairs"];
        let pairs = [("a", "b"), ("a", "c"), ("b", "c")];
        assert_eq!(told.as_array().map(Vec::len), Some(3));
        for (pair, (one, other)) in told.as_array().unwrap().iter().zip(pairs) {
            let (mut score, mut results) = (0.0, 0.0);
            for game in &games {
                for mine in (0..seats).filter(|seat| game.seating[*seat] == one) {
                    for its in (0..seats).filter(|seat| game.seating[*seat] == other) {
                        results += 1.0;
                        score += match (game.places[mine], game.places[its]) {
                            (mine, its) if mine < its => 1.0,
                            (mine, its) if mine == its => 0.5,
                            _ => 0.0,
                        };
                    }
                }
            }
            assert_eq!((&pair["engine"], &pair["against"]), (&json!(one), &json!(other)));
            near(&pair["meetings"], results, "meetings");
            near(&pair["score"], score / results, "score");
            let odds: f64 = score / (results - score);
            near(&pair["elo"]["value"], 400.0 * odds.log10(), "Elo");
        }
    }

    /// The sums hold every game; what is estimated from a sample holds a copy once.
    #[test]
    fn a_copy_of_a_bundle_counts_once() {
        let mut standings = Standings::new(&["a".into(), "b".into()], 2, vec![2]);
        let mut add = |round: u64, seating: [&str; 2], token: &str, ending: &str| {
            let text = json!({
                "game": 1, "round": round, "pairing": 1, "seating": seating, "start": "startpos",
                "moves": [{"token": token, "seat": 1}], "result": "p1win", "places": [1, 2],
                "shares": [1.0, 0.0], "reason": "end", "ending": ending,
            });
            standings.add(&serde_json::from_value(text).expect("a record"));
            standings.clone()
        };
        // Rounds 1 and 3 are equal, though the games of 3 come in the other order.
        for (round, seating, token) in [
            (1, ["a", "b"], "x"),
            (1, ["b", "a"], "y"),
            (2, ["a", "b"], "y"),
            (2, ["b", "a"], "y"),
            (3, ["b", "a"], "y"),
            (3, ["a", "b"], "x"),
        ] {
            add(round, seating, token, "rules");
        }
        for _ in 0..2 {
            add(4, ["a", "b"], "x", "fault");
        }
        let all = add(5, ["a", "b"], "x", "fault");
        assert_eq!((all.games, all.copies.games(), all.duel().bundles()), (9, 2, 3));
        let told = all.json();
        assert_eq!((&told["copies"], &told["pairs"][0]["meetings"]), (&json!(2), &json!(7.0)));
        assert!(all.table().contains("2 games are copies of earlier ones"), "{}", all.table());
    }

    /// Two engines of two seats: pairs by the points of the first, whichever seat it had, and the
    /// same less its luck.
    #[test]
    fn a_duel_is_counted_in_pairs_of_the_first_engine() {
        let mut standings = Standings::new(&["a".into(), "b".into()], 2, vec![2]);
        let mut pairs = [0; 5];
        let (mut number, mut less_luck) = (0, 0.0);
        let points = [(2, 2), (2, 1), (2, 0), (1, 1), (1, 0), (0, 2), (0, 0), (2, 1), (0, 1)];
        for (round, (first, second)) in (1..).zip(points) {
            pairs[first + second] += 1;
            for (half_points, seating) in [(first, ["a", "b"]), (second, ["b", "a"])] {
                number += 1;
                let own = half_points as f64 / 2.0;
                let luck = (number % 5) as f64 / 16.0;
                less_luck += own - luck;
                let places = [[2, 1], [1, 1], [1, 2]][half_points];
                let mut by_seat = ([own, 1.0 - own], places, [luck, -luck]);
                if seating[0] == "b" {
                    by_seat.0.reverse();
                    by_seat.1.reverse();
                    by_seat.2.reverse();
                }
                let text = json!({
                    "game": number, "round": round, "pairing": 1, "seating": seating,
                    "start": format!("fen {round}"), "moves": [], "result": "x", "places": by_seat.1,
                    "shares": by_seat.0, "luck": by_seat.2, "reason": "end", "ending": "rules",
                });
                standings.add(&serde_json::from_value(text).expect("a record"));
            }
        }
        assert_eq!(standings.duel().as_pentanomial(), Some(pairs));
        let told = standings.json();
        assert_eq!(told["duel"]["pentanomial"], json!(pairs));
        assert_eq!(told["duel"]["bundles"], 9);
        near(&told["duel_less_luck"]["score"], less_luck / 18.0, "less luck");
    }
}
