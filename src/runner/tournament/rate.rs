//! `parlor rate`: ratings, a cross table and a plot from the records of any number of matches.

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Context, Result, ensure};
use clap::Args;
use serde_json::json;

use super::copies::Copies;
use super::doubles::SeenGames;
use super::pairwise::{PairwiseResults, totals};
use super::rating_chart::{self, Rated};
use super::record::{Record, RecordFile};
use super::standings::bundle_size;
use crate::printing::{self, note_line};
use crate::random::Random;
use crate::runner::{lock, output};
use crate::statistics::{Pairing, ratings};

/// Samples of bundles drawn for the intervals.
const RESAMPLES: usize = 200;

/// The most engines that are rated, and rows of a cross table that anybody reads.
const MOST_ENGINES: usize = 2000;
const MOST_ROWS: usize = 40;

/// Rate the engines of any number of record files.
#[derive(Clone, Debug, Args)]
pub(in crate::runner) struct RateOptions {
    /// The records
    #[arg(value_name = "FILE", required = true)]
    records: Vec<PathBuf>,
    /// An engine and the rating that it is given
    #[arg(long, value_name = "NAME=ELO")]
    anchor: Option<String>,
    /// Draw the ratings with their intervals as SVG
    #[arg(long, value_name = "FILE")]
    svg: Option<PathBuf>,
    /// Print JSON instead of tables
    #[arg(long)]
    json: bool,
}

/// All engines in the records, and their pairwise results.
#[derive(Default)]
struct RecordedEngines {
    names: Vec<String>,
    by_name: BTreeMap<String, usize>,
    games: Vec<u64>,
    pairwise: PairwiseResults,
    copies: Copies,
}

impl RecordedEngines {
    fn index(&mut self, name: &str) -> usize {
        if let Some(&index) = self.by_name.get(name) {
            return index;
        }
        self.by_name.insert(name.to_owned(), self.names.len());
        self.names.push(name.to_owned());
        self.games.push(0);
        self.names.len() - 1
    }

    /// Adds a game.
    ///
    /// # Errors
    /// When there are more engines than can be rated.
    fn add(&mut self, file: usize, record: &Record, bundle: usize) -> Result<()> {
        let engines: Vec<Option<usize>> =
            record.seating.iter().map(|name| Some(self.index(name))).collect();
        ensure!(self.names.len() <= MOST_ENGINES, "more than {MOST_ENGINES} engines");
        let played: BTreeSet<usize> = engines.iter().flatten().copied().collect();
        for index in played {
            if let Some(games) = self.games.get_mut(index) {
                *games += 1;
            }
        }
        let is_copy = self.copies.add(file, record, bundle);
        self.pairwise.add(file, record, &engines, bundle, is_copy);
        Ok(())
    }

    /// Whether every two engines are connected by results, directly or through others.
    fn is_connected(&self, results: &[Pairing]) -> bool {
        let mut met: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
        for result in results {
            met.entry(result.one).or_default().push(result.other);
            met.entry(result.other).or_default().push(result.one);
        }
        let mut reached = BTreeSet::from([0]);
        let mut next = vec![0];
        while let Some(engine) = next.pop() {
            for &other in met.get(&engine).into_iter().flatten() {
                if reached.insert(other) {
                    next.push(other);
                }
            }
        }
        reached.len() >= self.names.len()
    }
}

/// Rates engines.
///
/// # Errors
/// When a file cannot be read, or the engines cannot be compared.
pub(in crate::runner) fn run(options: &RateOptions) -> Result<ExitCode> {
    let mut engines = RecordedEngines::default();
    let mut seen = SeenGames::default();
    for (file, path) in options.records.iter().enumerate() {
        let mut reader = RecordFile::open(path)?;
        seen.begin(reader.header(), path);
        let sizes = reader.header().bundles.clone();
        while let Some(record) = reader.next()? {
            seen.add(&record, reader.line())?;
            engines.add(file, &record, bundle_size(&sizes, &record))?;
        }
        seen.finish()?;
    }
    ensure!(!engines.names.is_empty(), "no games in these records");
    if let Some(note) = engines.copies.note() {
        note_line!("note: {note}");
    }
    let results = engines.pairwise.totals();
    ensure!(
        engines.is_connected(&results),
        "some engines never met, directly or through others: rate them separately"
    );
    let shift = anchor_shift(options.anchor.as_deref(), &engines, &results)?;
    let rated = rate(&engines, &results, shift);
    if let Some(path) = &options.svg {
        lock::write(path, "--svg", rating_chart::draw(&rated))?;
    }
    if options.json {
        let rows = rated.iter().map(|row| {
            json!({
                "engine": row.name, "elo": row.elo, "low": row.low, "high": row.high,
                "games": row.games, "score": row.score,
            })
        });
        printing::print_json(&rows.collect::<Vec<_>>());
    } else {
        printing::print(&rating_table(&rated));
        if rated.len() <= MOST_ROWS {
            printing::print(&format!("\n{}", cross_table(&engines, &rated, &results)));
        }
    }
    Ok(ExitCode::SUCCESS)
}

fn anchor_shift(
    anchor: Option<&str>,
    engines: &RecordedEngines,
    results: &[Pairing],
) -> Result<f64> {
    let Some(text) = anchor else { return Ok(0.0) };
    let wrong =
        || format!("--anchor {text}: write NAME=ELO with one of {}", engines.names.join(", "));
    let (name, elo) = text.rsplit_once('=').with_context(wrong)?;
    let elo: f64 = elo.parse().with_context(wrong)?;
    let index = engines.names.iter().position(|other| other == name).with_context(wrong)?;
    let found = estimates(engines, results);
    Ok(elo - found.get(index).copied().unwrap_or(0.0))
}

fn rate(engines: &RecordedEngines, results: &[Pairing], shift: f64) -> Vec<Rated> {
    let count = engines.names.len();
    let elo = estimates(engines, results);
    let scores = scores(count, results);
    let kinds: Vec<(Vec<Pairing>, u64)> = engines.pairwise.kinds().collect();
    let mut random = Random::new(0x5EED);
    let mut samples: Vec<Vec<f64>> = vec![Vec::new(); count];
    let sweeps = sweeps(results, &kinds);
    for _ in 0..RESAMPLES {
        let mut results = totals(resampled(&kinds, &mut random).into_iter());
        doubt_sweeps(&mut results, &sweeps, &mut random);
        let sample = ratings(count, &results);
        for (list, rating) in samples.iter_mut().zip(sample) {
            list.push(rating);
        }
    }
    let mut rated: Vec<Rated> = (0..count)
        .zip(&engines.names)
        .zip(&engines.games)
        .map(|((index, name), &games)| {
            let value = elo.get(index).copied().unwrap_or(0.0);
            let mut list = samples.get(index).cloned().unwrap_or_default();
            list.sort_by(f64::total_cmp);
            let quantile = |share: f64| {
                let place = (share * (RESAMPLES - 1) as f64).round() as usize;
                list.get(place).copied().unwrap_or(value) + shift
            };
            let score = scores.get(index).copied().unwrap_or(0.5);
            let (low, high) = match score {
                score if score >= 1.0 => (quantile(0.05), f64::INFINITY),
                score if score <= 0.0 => (f64::NEG_INFINITY, quantile(0.95)),
                _ => (quantile(0.025), quantile(0.975)),
            };
            Rated { name: name.clone(), elo: value + shift, low, high, games, score }
        })
        .collect();
    rated.sort_by(|one, other| other.elo.total_cmp(&one.elo));
    rated
}

/// The pairings in which one side won everything, with their number of bundles.
fn sweeps(results: &[Pairing], kinds: &[(Vec<Pairing>, u64)]) -> Vec<(Pairing, f64)> {
    let is_sweep = |result: &&Pairing| result.score <= 0.0 || result.score >= result.games;
    let mut bundles: BTreeMap<(usize, usize), f64> = BTreeMap::new();
    for (results, count) in kinds {
        for result in results {
            *bundles.entry((result.one, result.other)).or_default() += *count as f64;
        }
    }
    let of = |sweep: &Pairing| bundles.get(&(sweep.one, sweep.other)).copied().unwrap_or(0.0);
    results.iter().filter(is_sweep).map(|sweep| (*sweep, of(sweep))).collect()
}

/// The ratings, with the median share in the place of each clean sweep.
fn estimates(engines: &RecordedEngines, results: &[Pairing]) -> Vec<f64> {
    let kinds: Vec<(Vec<Pairing>, u64)> = engines.pairwise.kinds().collect();
    let mut results = results.to_vec();
    let sweeps = sweeps(&results, &kinds);
    replace_sweeps(&mut results, &sweeps, || 0.5);
    ratings(engines.names.len(), &results)
}

/// Bundles drawn again from a clean sweep are a clean sweep. In its place comes a share that could
/// have made it: all n bundles are won with probability share^n, so the share is the n-th root of a
/// random number, whose quantiles are the exact one-sided bounds.
fn doubt_sweeps(results: &mut [Pairing], sweeps: &[(Pairing, f64)], random: &mut Random) {
    replace_sweeps(results, sweeps, || random.unit());
}

/// Puts the share of that quantile in the place of each clean sweep.
fn replace_sweeps(
    results: &mut [Pairing],
    sweeps: &[(Pairing, f64)],
    mut quantile: impl FnMut() -> f64,
) {
    for (sweep, bundles) in sweeps {
        let share = quantile().powf(1.0 / bundles.max(1.0));
        // Sums are in the order of their pairs.
        let place =
            results.binary_search_by_key(&(sweep.one, sweep.other), |sum| (sum.one, sum.other));
        if let Some(result) = place.ok().and_then(|place| results.get_mut(place)) {
            let won = if sweep.score > 0.0 { share } else { 1.0 - share };
            result.score = result.games * won;
        }
    }
}

/// As many bundles as there are, drawn with replacement: the number of each kind.
fn resampled(kinds: &[(Vec<Pairing>, u64)], random: &mut Random) -> Vec<(Vec<Pairing>, u64)> {
    let mut ends = Vec::with_capacity(kinds.len());
    let mut total = 0;
    for (_, count) in kinds {
        total += count;
        ends.push(total);
    }
    let mut drawn = vec![0; kinds.len()];
    for _ in 0..total {
        let place = random.below(total);
        let kind = ends.partition_point(|&end| end <= place);
        if let Some(count) = drawn.get_mut(kind) {
            *count += 1;
        }
    }
    kinds.iter().zip(drawn).map(|((results, _), count)| (results.clone(), count)).collect()
}

/// The score of each engine against all others.
fn scores(count: usize, results: &[Pairing]) -> Vec<f64> {
    let mut sums = vec![(0.0, 0.0); count];
    for result in results {
        for (index, score) in
            [(result.one, result.score), (result.other, result.games - result.score)]
        {
            if let Some((points, games)) = sums.get_mut(index) {
                *points += score;
                *games += result.games;
            }
        }
    }
    let score = |(points, games)| if games == 0.0 { 0.5 } else { points / games };
    sums.into_iter().map(score).collect()
}

fn rating_table(rated: &[Rated]) -> String {
    let mut table = output::table();
    table.set_header(vec!["engine", "Elo", "low", "high", "games", "score %"]);
    for row in rated {
        table.add_row(vec![
            row.name.clone(),
            estimate(row),
            bound(row.low),
            bound(row.high),
            row.games.to_string(),
            format!("{:.1}", 100.0 * row.score),
        ]);
    }
    output::aligned(table)
}

/// The rating; of an engine that won or lost everything only a bound is known.
fn estimate(row: &Rated) -> String {
    match (row.low.is_finite(), row.high.is_finite()) {
        (true, false) => format!("> {:+.1}", row.low),
        (false, true) => format!("< {:+.1}", row.high),
        _ => format!("{:+.1}", row.elo),
    }
}

fn bound(elo: f64) -> String {
    if elo.is_finite() { format!("{elo:+.1}") } else { "-".into() }
}

/// The score of each engine against each other, and the number of pairwise results.
fn cross_table(engines: &RecordedEngines, rated: &[Rated], results: &[Pairing]) -> String {
    let mut table = output::table();
    let order: Vec<usize> = rated
        .iter()
        .filter_map(|row| engines.names.iter().position(|name| *name == row.name))
        .collect();
    let mut header = vec!["score % / results".to_owned()];
    header.extend(rated.iter().map(|row| row.name.clone()));
    table.set_header(header);
    for (row, &one) in rated.iter().zip(&order) {
        let mut cells = vec![row.name.clone()];
        for &other in &order {
            let cell = results.iter().find_map(|result| {
                if result.one == one && result.other == other {
                    Some((result.score, result.games))
                } else if result.one == other && result.other == one {
                    Some((result.games - result.score, result.games))
                } else {
                    None
                }
            });
            cells.push(cell.map_or("-".to_owned(), |(score, games)| {
                format!("{:.1} / {games}", 100.0 * score / games)
            }));
        }
        table.add_row(cells);
    }
    output::aligned(table)
}
