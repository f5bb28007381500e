//! `parlor balance`: what each seat wins in recorded games, over all of them or by a move.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Result, ensure};
use clap::Args;
use serde_json::{Value, json};

use super::balance_chart::{self, Group};
use super::doubles::SeenGames;
use super::record::{Move, Record, RecordFile};
use crate::printing;
use crate::runner::{lock, output};
use crate::statistics::{Interval, Scores, score_interval};

/// The confidence of the intervals.
const CONFIDENCE: f64 = 0.95;

/// What each seat wins in recorded games: its share of the first place.
#[derive(Clone, Debug, Args)]
pub(in crate::runner) struct BalanceOptions {
    /// The records
    #[arg(value_name = "FILE", required = true)]
    records: Vec<PathBuf>,
    /// Compare the games by their N-th token: 1 is the first move, throw or set-up
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    by_move: Option<u32>,
    /// Leave out tokens that were played in fewer games
    #[arg(long, value_name = "GAMES", default_value_t = 1)]
    least: u64,
    /// Draw the shares with their intervals as SVG
    #[arg(long, value_name = "FILE")]
    svg: Option<PathBuf>,
    /// Print JSON instead of a table
    #[arg(long)]
    json: bool,
}

/// The sums of one bundle: games with the same opening and dice, which are not independent.
#[derive(Clone, Debug)]
struct BundleSum {
    shares: Vec<f64>,
    games: u64,
}

/// All games read so far.
#[derive(Default)]
struct Games {
    /// By token (or all games), then by file, round and pairing.
    sums: BTreeMap<String, BTreeMap<(usize, u64, usize), BundleSum>>,
    seats: usize,
    with_luck: u64,
    without_luck: u64,
}

impl Games {
    /// Adds a game to all games, and to those with its token.
    fn add(&mut self, file: usize, record: &Record, by_move: Option<usize>) {
        *if record.luck.is_some() { &mut self.with_luck } else { &mut self.without_luck } += 1;
        let bundle = (file, record.round, record.pairing);
        self.add_shares(ALL, bundle, &shares_of(record, 0));
        if let Some((ply, token)) = by_move.and_then(|ply| Some((ply, record.moves.get(ply - 1)?)))
        {
            self.add_shares(&token.token, bundle, &shares_of(record, ply));
        }
    }

    fn add_shares(&mut self, name: &str, bundle: (usize, u64, usize), shares: &[f64]) {
        let bundles = self.sums.entry(name.to_owned()).or_default();
        let sum = bundles
            .entry(bundle)
            .or_insert_with(|| BundleSum { shares: vec![0.0; shares.len()], games: 0 });
        sum.games += 1;
        for (sum, share) in sum.shares.iter_mut().zip(shares) {
            *sum += share;
        }
    }

    /// All games first, then the tokens, best first for the first seat.
    fn groups(&self, least: u64) -> Vec<Group> {
        let mut groups: Vec<Group> = self
            .sums
            .iter()
            .map(|(name, bundles)| group_of(name, self.seats, bundles.values()))
            .filter(|group| group.games >= least || group.name == ALL)
            .collect();
        let first = |group: &Group| group.shares.first().map_or(0.0, |share| share.value);
        groups.sort_by(|one, other| {
            let by_share = first(other).total_cmp(&first(one));
            (other.name == ALL).cmp(&(one.name == ALL)).then(by_share)
        });
        groups
    }
}

/// The name of the group of all games; no token has a blank.
const ALL: &str = "all games";

/// The shares of the seats, less luck if throws were valued; but the luck of the first `known` tokens
/// stays, so that games can be compared by them.
fn shares_of(record: &Record, known: usize) -> Vec<f64> {
    let Some(luck) = &record.luck else { return record.shares.clone() };
    let luck_of = |m: &Move, seat: usize| m.luck.get(seat).copied().unwrap_or(0.0);
    let shares = record.shares.iter().zip(luck).enumerate();
    shares
        .map(|(seat, (share, luck))| {
            let kept: f64 = record.moves.iter().take(known).map(|m| luck_of(m, seat)).sum();
            share - luck + kept
        })
        .collect()
}

fn group_of<'a>(
    name: &str,
    seats: usize,
    bundles: impl Iterator<Item = &'a BundleSum> + Clone,
) -> Group {
    let shares = (0..seats).map(|seat| {
        let mut scores = Scores::default();
        for bundle in bundles.clone() {
            let share = bundle.shares.get(seat).copied().unwrap_or(0.0);
            scores.add(share / bundle.games as f64, bundle.games);
        }
        score_interval(&scores, CONFIDENCE)
    });
    Group {
        name: name.to_owned(),
        games: bundles.clone().map(|bundle| bundle.games).sum(),
        shares: shares.collect(),
    }
}

/// Prints what each seat wins.
///
/// # Errors
/// When a file cannot be read or the files are of games with different numbers of seats.
pub(in crate::runner) fn run(options: &BalanceOptions) -> Result<ExitCode> {
    let mut games = Games::default();
    let mut seen = SeenGames::default();
    for (file, path) in options.records.iter().enumerate() {
        let mut reader = RecordFile::open(path)?;
        let seats = reader.header().seats;
        ensure!(
            games.seats == 0 || games.seats == seats,
            "{} has games of {seats} seats, the files before it of {}",
            path.display(),
            games.seats
        );
        games.seats = seats;
        seen.begin(reader.header(), path);
        while let Some(record) = reader.next()? {
            seen.add(&record, reader.line())?;
            games.add(file, &record, options.by_move.map(|ply| ply as usize));
        }
        seen.finish()?;
    }
    ensure!(!games.sums.is_empty(), "no games in these records");
    ensure!(
        games.with_luck == 0 || games.without_luck == 0,
        "throws were valued in {} of {} games: take files of one kind",
        games.with_luck,
        games.with_luck + games.without_luck
    );
    let groups = games.groups(options.least);
    if let Some(path) = &options.svg {
        let heading = heading(games.with_luck > 0);
        lock::write(path, "--svg", balance_chart::draw(&heading, games.seats, &groups))?;
    }
    if options.json {
        let groups: Vec<Value> = groups.iter().map(json_of).collect();
        printing::print_json(&groups);
    } else {
        printing::print(&format!("{}\n{}", heading(games.with_luck > 0), table(&groups)));
    }
    Ok(ExitCode::SUCCESS)
}

/// What the figures are.
fn heading(with_luck: bool) -> String {
    let luck = if with_luck { ", less luck" } else { "" };
    format!("share of the first place{luck}, % with 95 % interval")
}

fn json_of(group: &Group) -> Value {
    let share =
        |share: &Interval| json!({"share": share.value, "low": share.low, "high": share.high});
    let shares: Vec<Value> = group.shares.iter().map(share).collect();
    let token = (group.name != ALL).then_some(&group.name);
    json!({"token": token, "games": group.games, "seats": shares})
}

fn table(groups: &[Group]) -> String {
    let mut table = output::table();
    let mut header = vec![String::new(), "games".to_owned()];
    let seats = groups.first().map_or(0, |group| group.shares.len());
    header.extend((1..=seats).map(|seat| format!("p{seat}")));
    table.set_header(header);
    for group in groups {
        let mut row = vec![group.name.clone(), group.games.to_string()];
        row.extend(group.shares.iter().map(|share| {
            let [value, low, high] = [share.value, share.low, share.high].map(|x| 100.0 * x);
            format!("{value:.1} [{low:.1}, {high:.1}]")
        }));
        table.add_row(row);
    }
    output::aligned(table)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn record(round: u64, token: &str, shares: [f64; 2], luck: Option<f64>) -> Record {
        let text = json!({
            "game": round, "round": round, "pairing": 1, "seating": ["a", "a"], "start": "startpos",
            "moves": [{"token": token, "seat": 1}], "result": "p1win", "places": [1, 2],
            "shares": shares, "luck": luck.map(|luck| [luck, -luck]), "reason": "end",
            "ending": "rules",
        });
        serde_json::from_value(text).expect("a record")
    }

    #[test]
    fn games_are_summed_by_their_token_and_the_best_stands_first() {
        let mut games = Games { seats: 2, ..Games::default() };
        for (round, token, share) in [(1, "x", 0.0), (2, "y", 1.0), (3, "y", 1.0), (4, "x", 1.0)] {
            games.add(0, &record(round, token, [share, 1.0 - share], None), Some(1));
        }
        let groups = games.groups(1);
        let found: Vec<(&str, u64, f64)> =
            groups.iter().map(|group| (&*group.name, group.games, group.shares[0].value)).collect();
        assert_eq!(found, [(ALL, 4, 0.75), ("y", 2, 1.0), ("x", 2, 0.5)]);
        assert!((groups[0].shares[1].value - 0.25).abs() < 1e-9);
        assert_eq!(games.groups(3).len(), 1);
    }

    #[test]
    fn games_of_a_bundle_are_one_observation() {
        let mut games = Games { seats: 2, ..Games::default() };
        for _ in 0..50 {
            games.add(0, &record(1, "x", [1.0, 0.0], None), None);
            games.add(0, &record(2, "x", [0.0, 1.0], None), None);
        }
        let share = games.groups(1)[0].shares[0];
        // Two observations say nearly nothing, a hundred would.
        assert!(share.low < 0.15 && share.high > 0.85, "{share:?}");
    }

    #[test]
    fn luck_is_taken_off_but_not_that_of_the_token() {
        let mut games = Games { seats: 2, ..Games::default() };
        let mut lucky = record(1, "t4", [1.0, 0.0], Some(0.3));
        lucky.moves[0].luck = vec![0.1, -0.1];
        games.add(0, &lucky, Some(1));
        let shares = |group: usize| games.groups(1)[group].shares.iter().map(|s| s.value).collect();
        let is_near = |found: Vec<f64>, expected: [f64; 2]| {
            found.iter().zip(expected).all(|(found, expected)| (found - expected).abs() < 1e-6)
        };
        assert!(is_near(shares(0), [0.7, 0.3]), "{:?}", games.groups(1));
        assert!(is_near(shares(1), [0.8, 0.2]), "{:?}", games.groups(1));
    }

    /// Three seats; bundles of different sizes count one each, files apart; a token of a later ply
    /// only where a game is so long.
    #[test]
    fn shares_are_means_of_bundles_for_every_seat() {
        let mut games = Games { seats: 3, ..Games::default() };
        let record = |round: u64, pairing: usize, tokens: &[&str], shares: [f64; 3]| -> Record {
            let moves = tokens.iter().map(|token| json!({"token": token, "seat": 1}));
            serde_json::from_value(json!({
                "game": 1, "round": round, "pairing": pairing, "seating": ["a", "a", "a"],
                "start": "startpos", "moves": moves.collect::<Vec<_>>(), "result": "x",
                "places": [1, 1, 1], "shares": shares, "reason": "end", "ending": "rules",
            }))
            .expect("a record")
        };
        for (file, round, pairing, tokens, shares) in [
            (0, 1, 1, &["m", "x"][..], [1.0, 0.0, 0.0]),
            (0, 1, 1, &["m", "x"], [0.0, 1.0, 0.0]),
            (0, 1, 1, &["m", "y"], [0.0, 0.5, 0.5]),
            (0, 1, 2, &["x", "x"], [0.0, 0.0, 1.0]),
            (0, 2, 1, &["x"], [1.0, 0.0, 0.0]),
            (1, 1, 1, &["y", "x"], [0.5, 0.5, 0.0]),
        ] {
            games.add(file, &record(round, pairing, tokens, shares), Some(2));
        }
        let groups = games.groups(1);
        let names: Vec<(&str, u64)> =
            groups.iter().map(|group| (&*group.name, group.games)).collect();
        assert_eq!(names, [(ALL, 6), ("x", 4), ("y", 1)]);
        let values = |group: &Group| group.shares.iter().map(|share| share.value).collect();
        let near = |found: Vec<f64>, expected: [f64; 3]| {
            found.iter().zip(expected).all(|(one, other)| (one - other).abs() < 1e-6)
        };
        // Four bundles; the first has the mean 1/3, 1/2, 1/6.
        let all = [(1.0 / 3.0 + 0.0 + 1.0 + 0.5) / 4.0, (0.5 + 0.5) / 4.0, (1.0 / 6.0 + 1.0) / 4.0];
        assert!(near(values(&groups[0]), all), "{groups:?}");
        let of_x = [(0.5 + 0.0 + 0.5) / 3.0, (0.5 + 0.0 + 0.5) / 3.0, 1.0 / 3.0];
        assert!(near(values(&groups[1]), of_x), "{groups:?}");
        assert!(near(values(&groups[2]), [0.0, 0.5, 0.5]), "{groups:?}");
    }
}
