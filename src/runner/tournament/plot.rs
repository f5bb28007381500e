//! `parlor plot`: the score over the games of a match, or the evaluations of one game, as SVG.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Result, ensure};
use clap::Args;

use super::chart::{Chart, Line};
use super::record::{self, Record, RecordFile};
use super::standings::bundle_size;
use crate::printing;
use crate::runner::lock;
use crate::statistics::{Scores, score_interval, score_of_elo};

/// The confidence of the band around a score.
const CONFIDENCE: f64 = 0.95;

/// Draw the score over the games of a match, or the evaluations of one game, as SVG.
#[derive(Clone, Debug, Args)]
pub(in crate::runner) struct PlotOptions {
    /// The records
    #[arg(value_name = "FILE")]
    records: PathBuf,
    /// Draw what the engines expected during this game
    #[arg(long, value_name = "N")]
    game: Option<u64>,
    /// Write it to this file [default: standard output]
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
}

/// Draws the chart.
///
/// # Errors
/// When the records cannot be read, or have nothing to draw.
pub(in crate::runner) fn run(options: &PlotOptions) -> Result<ExitCode> {
    let chart = match options.game {
        Some(number) => evaluations(&record::find(&options.records, number)?.1)?,
        None => scores(&options.records)?,
    };
    let svg = chart.svg();
    match &options.output {
        Some(path) => lock::write(path, "--output", svg)?,
        None => {
            printing::print_text(&svg);
        }
    }
    Ok(ExitCode::SUCCESS)
}

/// The winning chances that each seat's engine reported with its moves.
fn evaluations(record: &Record) -> Result<Chart> {
    let mut lines: Vec<Line> = record
        .seating
        .iter()
        .enumerate()
        .map(|(seat, engine)| Line { name: format!("p{} {engine}", seat + 1), ..Line::default() })
        .collect();
    for (ply, played) in record.moves.iter().enumerate() {
        let line = played.seat.checked_sub(1).and_then(|seat| lines.get_mut(seat));
        let told = played.win.map(|win| f64::from(win) / 1000.0);
        let chance = told.or(played.cp.map(|cp| score_of_elo(f64::from(cp))));
        if let (Some(line), Some(chance), None) = (line, chance, played.from) {
            line.points.push([ply as f64 + 1.0, chance]);
        }
    }
    lines.retain(|line| !line.points.is_empty());
    ensure!(!lines.is_empty(), "no engine reported a score in game {}", record.game);
    Ok(Chart {
        title: format!("Game {}: {} ({})", record.game, record.result, record.reason),
        x_label: "tokens played".into(),
        y_label: "winning chances, as each engine saw its own".into(),
        even: 1.0 / record.seating.len().max(1) as f64,
        lines,
    })
}

/// A game's share of the first place for every engine in it, and its bundle.
struct Played {
    game: u64,
    bundle: (u64, usize),
    size: usize,
    shares: Vec<Option<f64>>,
}

/// The mean share of the first place of every engine after each game.
fn scores(path: &std::path::Path) -> Result<Chart> {
    let mut file = RecordFile::open(path)?;
    let header = file.header().clone();
    let mut played = Vec::new();
    while let Some(record) = file.next()? {
        played.push(Played {
            game: record.game,
            bundle: (record.round, record.pairing),
            size: bundle_size(&header.bundles, &record),
            shares: header.engines.iter().map(|engine| share_of(engine, &record)).collect(),
        });
    }
    ensure!(!played.is_empty(), "no games in {}", path.display());
    // Games that were played at the same time ended in any order.
    played.sort_by_key(|game| game.game);
    // In a duel the second line would mirror the first.
    let engines = if header.engines.len() == 2 { 1 } else { header.engines.len() };
    let lines: Vec<Line> =
        (0..engines).map(|engine| running(&header.engines, engine, &played)).collect();
    Ok(Chart {
        title: format!("{} over {} games", header.engines.join(" against "), played.len()),
        x_label: "games".into(),
        y_label: "share of the first place, with its 95 % interval".into(),
        even: 1.0 / played.first().map_or(1, |game| game.shares.iter().flatten().count()) as f64,
        lines,
    })
}

/// The engine's share of the first place in a game, over all its seats; `None` if it did not play.
fn share_of(engine: &str, record: &Record) -> Option<f64> {
    let seats = record.seating.iter().zip(&record.shares);
    seats.filter(|(name, _)| *name == engine).map(|(_, share)| *share).reduce(|sum, one| sum + one)
}

/// The mean after each game, and the interval of the complete bundles so far.
fn running(names: &[String], engine: usize, played: &[Played]) -> Line {
    let mut line = Line { name: names.get(engine).cloned().unwrap_or_default(), ..Line::default() };
    let (mut sum, mut count, mut scores) = (0.0, 0.0, Scores::default());
    let mut open: BTreeMap<(u64, usize), (f64, usize)> = BTreeMap::new();
    for (index, game) in played.iter().enumerate() {
        let Some(share) = game.shares.get(engine).copied().flatten() else { continue };
        let at = index as f64 + 1.0;
        sum += share;
        count += 1.0;
        line.points.push([at, sum / count]);
        let bundle = open.entry(game.bundle).or_default();
        bundle.0 += share;
        bundle.1 += 1;
        if bundle.1 >= game.size {
            scores.add(bundle.0 / bundle.1 as f64, bundle.1 as u64);
            open.remove(&game.bundle);
            let interval = score_interval(&scores, CONFIDENCE);
            line.band.push([at, interval.low, interval.high]);
        }
    }
    line
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::runner::tournament::record::{Move, Origin};

    #[test]
    fn an_engine_is_counted_in_the_games_that_it_played() {
        let names: Vec<String> = ["a", "b", "c"].map(String::from).into();
        let shares = [
            [Some(1.0), Some(0.0), None],
            [None, Some(1.0), Some(0.0)],
            [Some(0.0), None, Some(1.0)],
        ];
        let game = |(index, shares): (usize, [Option<f64>; 3])| Played {
            game: index as u64,
            bundle: (0, index),
            size: 1,
            shares: shares.into(),
        };
        let played: Vec<Played> = shares.into_iter().enumerate().map(game).collect();
        assert_eq!(running(&names, 0, &played).points, [[1.0, 1.0], [3.0, 0.5]]);
        assert_eq!(running(&names, 1, &played).points, [[1.0, 0.0], [2.0, 0.5]]);
    }

    /// Five games, of which four are two pairs: where the second of a pair ends there is the interval of
    /// the pairs so far.
    #[test]
    fn the_band_is_that_of_complete_bundles() {
        let names: Vec<String> = ["a", "b"].map(String::from).into();
        let game = |(index, share): (u64, f64)| Played {
            game: index,
            bundle: (index / 2, 1),
            size: 2,
            shares: vec![Some(share), Some(1.0 - share)],
        };
        let played: Vec<Played> = (0..).zip([1.0, 0.0, 1.0, 1.0, 0.5]).map(game).collect();
        let end = |at, pairs: [u64; 5]| {
            let interval = score_interval(&Scores::pentanomial(pairs), CONFIDENCE);
            [at, interval.low, interval.high]
        };
        let expected = [end(2.0, [0, 0, 1, 0, 0]), end(4.0, [0, 0, 1, 0, 1])];
        assert_eq!(running(&names, 0, &played).band, expected);
    }

    /// What a seat says of its chances counts before its score, and neither in an opening.
    #[test]
    fn the_chances_in_a_game_are_those_that_each_seat_told() {
        let played = |seat, win, cp, from| Move { seat, win, cp, from, ..Move::default() };
        let record = Record {
            seating: ["a", "b"].map(String::from).into(),
            moves: vec![
                played(1, None, Some(900), Some(Origin::Opening)),
                played(2, Some(250), Some(900), None),
                played(1, None, Some(400), None),
                played(2, Some(500), None, None),
            ],
            ..Record::default()
        };
        let lines = evaluations(&record).unwrap().lines;
        // 400 centipawns are odds of ten to one.
        let [x, chance] = lines[0].points[0];
        assert!(x == 3.0 && (chance - 10.0 / 11.0).abs() < 1e-9, "{lines:?}");
        assert_eq!(lines[1].points, [[2.0, 0.25], [4.0, 0.5]]);
    }
}
