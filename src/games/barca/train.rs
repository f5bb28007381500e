//! `barca train`: fits the network to games that the engine played against itself.
//!
//! Every position of the games that the evaluation may meet is a sample: what each side sees
//! against what became of it, part the result of the game, the rest the score that the search
//! gave. Adam follows the gradient of the squared error of the expected result, over batches in
//! random order, with a rate that sinks to nothing; the board is turned and mirrored at random
//! each time, for the rules know no direction. Sums are taken in a fixed order, whatever the
//! number of threads, and no library function differs between machines: equal games give equal
//! weights.

mod adam;
mod weights;

use std::fs::{self, File};
use std::io::Write;
use std::path::PathBuf;

use anyhow::{Context, ensure};
use clap::{Arg, Command, value_parser};

use self::adam::Training;
use super::network::{SCALE, bucket_of, row_of};
use super::position::{ANIMALS, Position};
use super::record::{Game, read};
use super::square::{SIZE, SQUARES, file_of, rank_of};
use crate::games::Subcommand;
use crate::games::recorded::{file_of_games, number};

/// How much of the target is the result; the rest is the score of the search.
const RESULT_SHARE: f32 = 0.3;

/// Every so manyth game only checks the others.
const HELD_OUT: usize = 50;

/// The word `train`.
pub(super) fn subcommand() -> Subcommand {
    let command = Command::new("train")
        .about("Fit the network to self-play games")
        .long_about(
            "Fits the network of the evaluation to games recorded by `barca record` and writes it \
             as the program keeps it. Equal games give equal weights.\n\n    \
             barca record --games 40000 --nodes 1000 > games.txt\n    \
             barca train games.txt --out data/barca.network",
        )
        .arg(file_of_games("barca"))
        .arg(number("epochs", "30", "how often every position is looked at"))
        .arg(number("batch", "16384", "positions between two steps along the gradient"))
        .arg(number("seed", "1", "seed of the first weights and of the order"))
        .arg(
            Arg::new("out")
                .long("out")
                .value_name("FILE")
                .required(true)
                .value_parser(value_parser!(PathBuf))
                .help("where the network is written"),
        );
    Subcommand { command, run }
}

fn run(matches: &clap::ArgMatches) -> anyhow::Result<()> {
    let number = |name: &str| matches.get_one::<u64>(name).copied().unwrap_or(1);
    let path = matches.get_one::<PathBuf>("out").context("--out is needed")?;
    let (held_out, samples) = samples_of(&read(matches)?);
    ensure!(number("epochs") > 0, "--epochs: at least 1");
    ensure!(!samples.is_empty(), "no position to learn from: more games are needed");
    eprintln!("{} positions to learn from, {} to check", samples.len(), held_out.len());
    let unwritten = || format!("cannot write {}", path.display());
    // Opened before the work, so that a wrong path does not cost it; beside the file, so that an
    // interrupted training costs no older network.
    let beside = path.with_extension("part");
    let mut out = File::create(&beside).with_context(unwritten)?;
    let epochs = number("epochs");
    let mut training = Training::new(number("seed"), number("batch").max(1) as usize);
    for epoch in 0..epochs {
        let learnt = training.epoch(&samples, epoch, epochs);
        let checked = training.weights.error(&held_out);
        eprintln!("epoch {:>3} error {learnt:.6} checked {checked:.6}", epoch + 1);
    }
    out.write_all(&training.weights.rounded().to_bytes()).with_context(unwritten)?;
    fs::rename(&beside, path).with_context(unwritten)
}

/// One position, and what it was worth to the side to move, from 0 to 1.
struct Sample {
    animals: [[u8; ANIMALS]; 2],
    side: u8,
    bucket: u8,
    target: f32,
}

/// The positions of every so manyth game, and those of the others.
fn samples_of(games: &[Game]) -> (Vec<Sample>, Vec<Sample>) {
    let (mut held_out, mut samples) = (Vec::new(), Vec::new());
    for (number, game) in games.iter().enumerate() {
        let list = if number % HELD_OUT == 0 { &mut held_out } else { &mut samples };
        game.for_each_score(|position, score, share| {
            // Where a side wins at once, the evaluation is not asked.
            if !position.wins_at_once() {
                list.push(sample(position, score, share));
            }
        });
    }
    (held_out, samples)
}

fn sample(position: &Position, score: f64, share: Option<f64>) -> Sample {
    let foreseen = expected((score / SCALE) as f32);
    let share = share.map_or(foreseen, |share| share as f32);
    let white = RESULT_SHARE * share + (1.0 - RESULT_SHARE) * foreseen;
    let side = position.side();
    Sample {
        animals: [*position.animals(0), *position.animals(1)],
        side: side as u8,
        bucket: bucket_of(position) as u8,
        target: if side == 0 { white } else { 1.0 - white },
    }
}

/// The expected result of an output.
fn expected(output: f32) -> f32 {
    1.0 / (1.0 + libm::expf(-output))
}

/// The eight ways to turn and mirror the board, square by square.
fn symmetries() -> [[u8; 128]; 8] {
    let mut tables = [std::array::from_fn(|square| square as u8); 8];
    for (way, table) in tables.iter_mut().enumerate() {
        for square in 0..SQUARES {
            let (mut file, mut rank) = (file_of(square), rank_of(square));
            if way & 1 != 0 {
                file = SIZE - 1 - file;
            }
            if way & 2 != 0 {
                rank = SIZE - 1 - rank;
            }
            if way & 4 != 0 {
                (file, rank) = (rank, file);
            }
            table[square as usize] = rank * SIZE + file;
        }
    }
    tables
}

/// The rows that each side sees, the side to move first.
fn rows_of(sample: &Sample, symmetry: &[u8; 128]) -> [[usize; 2 * ANIMALS]; 2] {
    [sample.side, sample.side ^ 1].map(|viewer| {
        std::array::from_fn(|at| {
            let (side, slot) = (at / ANIMALS, at % ANIMALS);
            let square = symmetry[sample.animals[side][slot] as usize];
            row_of(viewer as usize, side, slot / 2, square)
        })
    })
}

#[cfg(test)]
mod tests;
