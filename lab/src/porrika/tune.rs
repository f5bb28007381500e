//! Weights of the evaluation from games of the engine against itself.
//!
//! Each round plays games from random set-ups with the weights so far, at a fixed number of nodes a
//! move, and keeps the quiet positions with the results. Then the weights are fitted to the results
//! of all rounds by logistic regression: the evaluation of a position predicts the result of its
//! game. The seed determines everything; the number of threads changes nothing.

use std::path::PathBuf;

use anyhow::Context;
use clap::{Args, value_parser};
use parlor::files;
use parlor::game::{Game, Random, Situation, splitmix64};
use parlor::games::porrika::board::DEAD;
use parlor::games::porrika::play::features::{GROUPS, Group, SIZE, Weights, part_of};
use parlor::games::porrika::{EnginePlayer, Evaluation, Phase, Position, RuleOptions, Side};
use parlor::progress;
use parlor::search::{Limits, Player, Request, SearchHints, Settings};
use rayon::prelude::*;

use crate::printing::{note_line, print_line};
use crate::training::adam::{AdamSettings, Regularisation};
use crate::training::linear::{FeatureSample, FeatureSeat, LinearFit, text};

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

/// Find the weights of the evaluation from games of the engine against itself
///
/// Finds the weights of the evaluation from games of the engine against itself, under the default
/// rules with the default options.
#[derive(Args, Debug)]
#[command(after_help = "Example:
  parlor-lab porrika tune --out data/porrika-weights.txt")]
pub struct Tune {
    /// Rounds of games and fitting
    #[arg(long, value_name = "N", default_value = "3", value_parser = positive())]
    rounds: u64,
    /// Games per round
    #[arg(long, value_name = "N", default_value = "600", value_parser = positive())]
    games: u64,
    /// Nodes per move
    #[arg(long, value_name = "N", default_value = "1000", value_parser = positive())]
    nodes: u64,
    /// Seed of all random choices
    #[arg(long, value_name = "N", default_value = "1", value_parser = positive())]
    seed: u64,
    /// Threads; the result does not depend on them
    #[arg(long, value_name = "N", default_value = "2", value_parser = positive())]
    threads: u64,
    /// Write the weights to this file instead of standard output
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
}

fn positive() -> clap::builder::RangedU64ValueParser {
    value_parser!(u64).range(1..=10_000_000)
}

impl Tune {
    /// Finds the weights and writes them.
    pub fn run(self) -> anyhow::Result<()> {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(self.threads as usize).build()?;
        if let Some(path) = &self.out {
            files::ensure_writable(path).with_context(|| format!("--out {}", path.display()))?;
        }
        let text = written(&pool.install(|| self.weights()));
        match &self.out {
            Some(path) => {
                files::write(path, text).with_context(|| format!("--out {}", path.display()))
            }
            None => {
                print_line!("{}", text.trim_end());
                Ok(())
            }
        }
    }

    /// The weights after all rounds.
    fn weights(&self) -> Weights {
        let mut weights = initial_weights();
        let mut samples = Vec::new();
        for round in 0..self.rounds {
            let seed = splitmix64(self.seed.wrapping_add(round));
            let games = play(&weights, self.games, self.nodes, seed);
            let copper = games.iter().map(|game| game.result).sum::<f64>() / games.len() as f64;
            samples.extend(games.into_iter().flat_map(GameRecord::samples));
            let loss;
            (weights, loss) = fitted(&samples);
            note_line!(
                "round {}: copper scored {:.1} %, {} positions, loss {loss:.5}",
                round + 1,
                100.0 * copper,
                samples.len()
            );
        }
        weights
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

impl GameRecord {
    fn samples(self) -> impl Iterator<Item = FeatureSample> {
        let result = f64::from(self.result as f32);
        self.positions.into_iter().map(move |position| {
            let base = part_of(position.side());
            let mut features: Vec<(u16, i8)> = Vec::new();
            position.for_each_feature(|index, count| {
                let index = (base + index) as u16;
                match features.iter_mut().find(|feature| feature.0 == index) {
                    Some(feature) => feature.1 += count as i8,
                    None => features.push((index, count as i8)),
                }
            });
            let silver = FeatureSeat { features: Vec::new(), share: 1.0 - result };
            vec![FeatureSeat { features, share: result }, silver]
        })
    }
}

fn play(weights: &Weights, games: u64, nodes: u64, seed: u64) -> Vec<GameRecord> {
    let bar = progress::bar(games, "games");
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

/// Fits the weights to the results, and returns them with their loss.
fn fitted(samples: &[FeatureSample]) -> (Weights, f64) {
    let settings = AdamSettings {
        epsilon: EPSILON,
        bias_corrected_epsilon: true,
        regularisation: Regularisation::WeightDecay(2.0 * L2),
        ..AdamSettings::default()
    };
    // Centipawns per step, fewer in the second half.
    let rate = |step| if step + 1 < STEPS / 2 { 4.0 } else { 1.0 };
    let fit = LinearFit { settings, unit: SCALE, steps: STEPS, rate };
    let weights = fit.run(&initial_weights().map(f64::from), samples, || ());
    let loss = fit.loss(samples, &weights);
    (std::array::from_fn(|at| weights[at].round() as i16), loss)
}

/// The weights as the text of `data/porrika-weights.txt`.
fn written(weights: &Weights) -> String {
    let rows = [("copper", Side::Copper), ("silver", Side::Silver)].into_iter();
    let rows = rows.flat_map(|(name, side)| {
        let part = &weights[part_of(side)..][..SIZE];
        let row = move |group: &Group| {
            (format!("{name}: {}", group.name), part[group.start..][..group.length].to_vec())
        };
        GROUPS.iter().map(row)
    });
    text("Written by `parlor-lab porrika tune`: copper to move, then silver to move.", rows)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tune(threads: u64) -> Tune {
        Tune { rounds: 1, games: 3, nodes: 20, seed: 4, threads, out: None }
    }

    #[test]
    fn the_weights_do_not_depend_on_the_threads_and_follow_the_results() {
        let with = |threads: u64| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads as usize).build();
            pool.expect("threads").install(|| tune(threads).weights())
        };
        let weights = with(1);
        assert_eq!(with(3), weights);
        assert_ne!(weights, initial_weights());
    }

    #[test]
    fn the_text_has_a_row_for_each_group_and_side_in_the_order_of_the_source() {
        let text = written(&initial_weights());
        let names = |text: &str| -> Vec<String> {
            let rows = text.lines().skip(1);
            rows.filter_map(|row| Some(row.split_once(" # ")?.1.to_owned())).collect()
        };
        let shipped = include_str!("../../../data/porrika-weights.txt");
        assert_eq!(names(&text), names(shipped));
        assert_eq!(names(&text).len(), 2 * GROUPS.len());
    }
}
