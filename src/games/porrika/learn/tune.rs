//! The subcommand `tune`: weights of the evaluation from games of the engine against itself.
//!
//! Each round plays games from random set-ups with the weights so far, at a fixed number of nodes a
//! move, and keeps the quiet positions with the results. Then the weights are fitted to the results
//! of all rounds by logistic regression: the evaluation of a position predicts the result of its
//! game. The seed determines everything; the number of threads changes nothing.

use std::fmt::Write;
use std::path::PathBuf;

use anyhow::{Context, bail};
use clap::{Arg, ArgMatches, Command, value_parser};
use indicatif::{ProgressBar, ProgressStyle};
use rayon::prelude::*;

use crate::files;
use crate::game::{Game, Random, Situation, splitmix64};
use crate::games::Subcommand;
use crate::games::porrika::play::features::{GROUPS, Group, SIZE, Weights, part_of};
use crate::games::porrika::play::{EnginePlayer, Evaluation};
use crate::games::porrika::rules::board::DEAD;
use crate::games::porrika::rules::{Phase, Position, RuleOptions, Side};
use crate::learning::adam::{Adam, AdamSettings, Regularisation};
use crate::learning::arguments::number;
use crate::printing::{note_line, print_line};
use crate::search::{Limits, Player, Request, SearchHints, Settings};

/// A game is a draw after this number of plies.
const MAX_PLIES: usize = 240;
/// Random moves after the set-up.
const RANDOM_PLIES: usize = 4;
/// MiB for the table of each player.
const HASH: usize = 1;
/// Steps of the fit.
const STEPS: u32 = 600;
/// L2 regularisation: how much of each squared weight is added to the mean loss.
const L2: f64 = 1e-8;
/// What Adam adds to the root of the mean squared gradient.
const EPSILON: f64 = 1e-9;
/// Centipawns to the natural logarithm of the odds: 400 are ten to one.
const SCALE: f64 = std::f64::consts::LN_10 / 400.0;

/// The subcommand.
pub(crate) fn subcommand() -> Subcommand {
    let command = Command::new("tune")
        .about("Find the weights of the evaluation from games of the engine against itself")
        .after_help("Example:\n  porrika tune --out src/games/porrika/play/weights.rs")
        .arg(positive("rounds", "3", "Rounds of games and fitting"))
        .arg(positive("games", "600", "Games per round"))
        .arg(positive("nodes", "1000", "Nodes per move"))
        .arg(positive("seed", "1", "Seed of all random choices"))
        .arg(positive("threads", "2", "Threads; the result does not depend on them"))
        .arg(
            Arg::new("out")
                .long("out")
                .value_name("FILE")
                .value_parser(value_parser!(PathBuf))
                .help("Write the weights to this file instead of standard output"),
        );
    Subcommand { command, run }
}

/// An option that takes a positive number.
fn positive(name: &'static str, default: &'static str, help: &'static str) -> Arg {
    number(name, default, help).value_parser(value_parser!(u64).range(1..=10_000_000))
}

fn run(matches: &ArgMatches) -> anyhow::Result<()> {
    // Only the program declares the option, not the subcommand alone.
    if let Ok(Some(_)) = matches.try_get_many::<String>("set") {
        bail!("--set: tune plays under the default rules with the default options");
    }
    let value = |name: &str| matches.get_one::<u64>(name).copied().unwrap_or(1);
    let pool = rayon::ThreadPoolBuilder::new().num_threads(value("threads") as usize).build()?;
    if let Some(path) = matches.get_one::<PathBuf>("out") {
        files::ensure_writable(path).with_context(|| format!("--out {}", path.display()))?;
    }
    let mut weights = initial_weights();
    let mut samples = Vec::new();
    for round in 0..value("rounds") {
        let seed = splitmix64(value("seed").wrapping_add(round));
        let games = pool.install(|| play(&weights, value("games"), value("nodes"), seed));
        let copper: f64 = games.iter().map(|game| game.result).sum::<f64>() / games.len() as f64;
        samples.extend(games.into_iter().flat_map(GameRecord::samples));
        let (fitted, loss) = pool.install(|| fit(&samples));
        weights = fitted;
        note_line!(
            "round {}: copper scored {:.1} %, {} positions, loss {loss:.5}",
            round + 1,
            100.0 * copper,
            samples.len()
        );
    }
    let text = source(&weights);
    match matches.get_one::<PathBuf>("out") {
        Some(path) => files::write(path, text).with_context(|| format!("--out {}", path.display())),
        None => {
            print_line!("{}", text.trim_end());
            Ok(())
        }
    }
}

/// The weights of the first round: eggs far from the Por'rika and free Ser'ra are bad for copper.
fn initial_weights() -> Weights {
    let mut weights = [0; 2 * SIZE];
    for (group, worth) in [("NEAR_EGG", -30), ("FAR_EGG", -50), ("FREE_SERRA", -120)] {
        let Some(Group { start, length, .. }) = GROUPS.iter().find(|known| known.name == group)
        else {
            continue;
        };
        for index in 0..*length {
            weights[start + index] = worth * index as i16;
            weights[SIZE + start + index] = worth * index as i16;
        }
    }
    weights
}

/// A finished game.
struct GameRecord {
    /// Copper's share.
    result: f64,
    positions: Vec<Position>,
}

/// A position for the fit: the weights with their counts, and the result of its game.
struct Sample {
    terms: Vec<(u16, i8)>,
    result: f32,
}

impl GameRecord {
    fn samples(self) -> impl Iterator<Item = Sample> {
        let result = self.result as f32;
        self.positions.into_iter().map(move |position| {
            let base = part_of(position.side());
            let mut terms: Vec<(u16, i8)> = Vec::new();
            position.for_each_feature(|index, count| {
                let index = (base + index) as u16;
                match terms.iter_mut().find(|term| term.0 == index) {
                    Some(term) => term.1 += count as i8,
                    None => terms.push((index, count as i8)),
                }
            });
            Sample { terms, result }
        })
    }
}

fn play(weights: &Weights, games: u64, nodes: u64, seed: u64) -> Vec<GameRecord> {
    let style = ProgressStyle::with_template("playing {bar:40} {pos}/{len} {eta}");
    let bar = ProgressBar::new(games);
    if let Ok(style) = style {
        bar.set_style(style);
    }
    let played = (0..games)
        .into_par_iter()
        .map(|game| {
            bar.inc(1);
            play_game(weights, nodes, splitmix64(seed.wrapping_add(game)))
        })
        .collect();
    bar.finish_and_clear();
    played
}

fn play_game(weights: &Weights, nodes: u64, seed: u64) -> GameRecord {
    let mut random = Random::new(seed);
    let mut situation = Situation::new(Position::setup(RuleOptions::default()));
    for _ in 0..=RANDOM_PLIES {
        if let Some(m) = situation.position().random_move(&mut random) {
            situation.play(&m);
        }
    }
    let settings = Settings { hash: HASH, ..Settings::default() };
    let evaluation = Evaluation::new(*weights);
    let mut player = EnginePlayer::with(evaluation.clone(), &settings);
    let mut positions = Vec::new();
    while situation.outcome().is_none() && positions.len() < MAX_PLIES {
        let position = *situation.position();
        if is_quiet(&position, &evaluation) {
            positions.push(position);
        }
        let request = Request::new(Limits::nodes(nodes));
        let Some(choice) = player.choose(&situation, &request, &mut |_| {}) else { break };
        situation.play(&choice.best);
        if situation.history().keys().len() > MAX_PLIES {
            break;
        }
    }
    let outcome = situation.outcome();
    let result = outcome.map_or(0.5, |outcome| outcome.share(Side::Copper.seat()));
    GameRecord { result, positions }
}

/// Whether the search would evaluate a position statically.
fn is_quiet(position: &Position, evaluation: &Evaluation) -> bool {
    position.phase() == Phase::Moving
        && !position.must_answer()
        && position.eggs() & DEAD != position.eggs()
        && evaluation.known_value(position).is_none()
}

/// Fits the weights to the results with Adam, and returns them with their loss.
fn fit(samples: &[Sample]) -> (Weights, f64) {
    let mut weights: Vec<f64> = initial_weights().map(f64::from).into();
    let regularisation = Regularisation::WeightDecay(2.0 * L2);
    let settings = AdamSettings {
        epsilon: EPSILON,
        bias_corrected_epsilon: true,
        regularisation,
        ..AdamSettings::default()
    };
    let mut adam = Adam::new(&weights, settings);
    let mut loss = 0.0;
    for step in 1..=STEPS {
        let gradient;
        (gradient, loss) = gradient_and_loss(samples, &weights);
        // Centipawns per step, fewer in the second half.
        let rate = if step < STEPS / 2 { 4.0 } else { 1.0 };
        adam.step(&mut weights, &gradient, rate);
    }
    let mut rounded = [0; 2 * SIZE];
    for (to, from) in rounded.iter_mut().zip(&weights) {
        *to = from.round() as i16;
    }
    (rounded, loss)
}

/// The gradient and the mean loss. Chunks are added in order, so that the number of threads does
/// not change the result.
fn gradient_and_loss(samples: &[Sample], weights: &[f64]) -> (Vec<f64>, f64) {
    const CHUNK: usize = 4096;
    let parts: Vec<(Vec<f64>, f64)> = samples
        .par_chunks(CHUNK)
        .map(|chunk| {
            let (mut gradient, mut loss) = (vec![0.0; 2 * SIZE], 0.0);
            for sample in chunk {
                let terms = sample.terms.iter();
                let value: f64 = terms
                    .map(|(index, count)| weights[usize::from(*index)] * f64::from(*count))
                    .sum();
                let predicted = 1.0 / (1.0 + libm::exp(-SCALE * value));
                let result = f64::from(sample.result);
                loss -= result * libm::log(predicted.max(1e-12))
                    + (1.0 - result) * libm::log((1.0 - predicted).max(1e-12));
                let error = SCALE * (predicted - result);
                for (index, count) in &sample.terms {
                    gradient[usize::from(*index)] += error * f64::from(*count);
                }
            }
            (gradient, loss)
        })
        .collect();
    let (mut gradient, mut loss) = (vec![0.0; 2 * SIZE], 0.0);
    for (part, lost) in &parts {
        loss += lost;
        for (sum, term) in gradient.iter_mut().zip(part) {
            *sum += term;
        }
    }
    let count = samples.len().max(1) as f64;
    gradient.iter_mut().for_each(|slope| *slope /= count);
    (gradient, loss / count)
}

/// The weights as the text of `play/weights.rs`.
fn source(weights: &Weights) -> String {
    let mut text = String::from(
        "//! The weights of the evaluation: the output of `porrika tune`, group by group.\n\n\
         use super::features::{SIZE, Weights};\n\n\
         /// Copper to move, then silver to move.\n\
         #[rustfmt::skip]\n\
         pub(super) const WEIGHTS: Weights = join(\n",
    );
    for side in [Side::Copper, Side::Silver] {
        let base = part_of(side);
        text.push_str("    [\n");
        for group in GROUPS {
            let part = &weights[base + group.start..base + group.start + group.length];
            let numbers: Vec<String> = part.iter().map(i16::to_string).collect();
            // Writing to a String cannot fail.
            let _ = writeln!(text, "        {}, // {}", numbers.join(", "), group.name);
        }
        text.push_str("    ],\n");
    }
    text.push_str(
        ");\n\n\
         const fn join(copper: [i16; SIZE], silver: [i16; SIZE]) -> Weights {\n    \
         let mut weights = [0; 2 * SIZE];\n    \
         let mut index = 0;\n    \
         while index < SIZE {\n        \
         weights[index] = copper[index];\n        \
         weights[SIZE + index] = silver[index];\n        \
         index += 1;\n    }\n    \
         weights\n}\n",
    );
    text
}
