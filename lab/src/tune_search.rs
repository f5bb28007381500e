//! Tunes the numbers of the search of Barca by matches: simultaneous perturbation stochastic
//! approximation (SPSA).
//!
//! ```text
//! parlor-lab tune-search --log-dir tuning --rounds 200
//! parlor-lab tune-search --log-dir tuning --rounds 200 --shard 2/4
//! parlor-lab tune-search --log-dir tuning --show
//! ```
//!
//! A round changes all numbers at once along several random directions, up in one player and down in
//! the other, plays a short match for each direction, and then moves the numbers towards the players
//! that won. Directions and openings depend on the seed alone, and the numbers of a round on the
//! results of the rounds before. So a run is repeated exactly by the same seed, a stopped run goes on
//! where it stopped, and several shards that share the directory of results play the directions of
//! each round between them.

use std::collections::BTreeMap;
use std::fs::{OpenOptions, read_dir};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::thread::sleep;
use std::time::Duration;

use anyhow::{Context, Result, bail, ensure};
use clap::Args;
use parlor::game::{OptionValues, Random, Rules};
use parlor::games::barca::{Network, Position};
use parlor::reading;
use parlor::search::selfplay::{Contestant, SelfplayPlan, selfplay};
use parlor::search::{Limits, Player, PvsConfig, PvsPlayer, Settings};

use crate::printing::print_line;
use crate::recording::chunks::{Shard, claim};

/// Tune the numbers of Barca's search by matches (SPSA)
#[derive(Args, Debug)]
pub struct Arguments {
    /// The directory of the results; each shard writes a file of its own there.
    #[arg(long)]
    log_dir: PathBuf,
    /// Rounds in all, those already played included.
    #[arg(long, default_value_t = 100)]
    rounds: u64,
    /// Only print the numbers that the results so far lead to.
    #[arg(long)]
    show: bool,
    /// Which part of the directions to play: K/N, from 1/N to N/N.
    #[arg(long, default_value = "1/1")]
    shard: Shard,
    /// Directions of a round.
    #[arg(long, default_value_t = 8)]
    directions: u64,
    /// Pairs of games for each direction.
    #[arg(long, default_value_t = 4)]
    openings: u64,
    /// Nodes a move.
    #[arg(long, default_value_t = 4_000)]
    nodes: u64,
    /// The seed of directions and openings.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Numbers to tune, instead of the usual ones: `name=start:least:most:step,...`.
    #[arg(long)]
    numbers: Option<String>,
}

/// A number of the search.
#[derive(Clone)]
struct Number {
    name: String,
    start: f64,
    least: f64,
    most: f64,
    /// By how much it is changed along a direction: enough to matter in a game.
    step: f64,
}

/// The numbers that are tuned if none are named.
const USUAL: &str = "reduction_base=100:0:250:25,reduction_divisor=150:80:300:20,\
    reduction_history=9000:2000:30000:2500,null_move=4:2:7:0.7,\
    late_move_pruning_base=6:2:16:1.5,late_move_pruning_slope=2:1:10:1,\
    futility=80:15:150:15,reverse_futility=15:5:100:5,aspiration=11:4:60:4,\
    singular_margin=2:1:8:0.8,internal_iterative_reduction=3:2:9:0.9";

/// The file that says what made the results.
const SETTINGS: &str = "settings";

/// How far a round that one side wins by a tenth of the games moves a number, in steps.
const RATE: f64 = 2.0;

/// Rounds after which the rate has fallen to about two thirds.
const STABILITY: f64 = 50.0;

/// The results of the directions of one round: points of the raised player, less one half.
type Round = BTreeMap<u64, f64>;

impl Arguments {
    /// Plays the rounds and prints the numbers.
    pub fn run(self) -> Result<()> {
        let arguments = self;
        let numbers = parse_numbers(arguments.numbers.as_deref().unwrap_or(USUAL))?;
        let (directory, shard) = (&arguments.log_dir, arguments.shard);
        let known = !arguments.show || directory.join(SETTINGS).exists();
        ensure!(known, "{}: no results", directory.display());
        claim(directory, SETTINGS, &label(&arguments))?;
        let mut values: Vec<f64> = numbers.iter().map(|number| number.start).collect();
        for round in 0..arguments.rounds {
            let results = loop {
                let results = read_results(directory, round)?;
                if results.len() as u64 >= arguments.directions {
                    break results;
                }
                if arguments.show {
                    print_line!("{round} rounds");
                    return show(&numbers, &values);
                }
                let own = (0..arguments.directions)
                    .find(|index| shard.has(*index) && !results.contains_key(index));
                match own {
                    Some(direction) => {
                        let points = play(&arguments, &numbers, &values, round, direction)?;
                        let line = format!("{round} {direction} {points}\n");
                        append(&directory.join(format!("shard-{}.txt", shard.part)), &line)?;
                    }
                    None => sleep(Duration::from_secs(2)),
                }
            };
            step(&arguments, &numbers, &mut values, round, &results);
        }
        print_line!("{} rounds", arguments.rounds);
        show(&numbers, &values)
    }
}

/// What decides the results of a run, for the file beside them.
fn label(arguments: &Arguments) -> String {
    let Arguments { directions, openings, nodes, seed, .. } = arguments;
    let numbers = arguments.numbers.as_deref().unwrap_or(USUAL);
    format!(
        "--directions {directions} --openings {openings} --nodes {nodes} --seed {seed} \
         --numbers {numbers}\n"
    )
}

fn parse_numbers(text: &str) -> Result<Vec<Number>> {
    text.split(',')
        .map(|entry| {
            let (name, rest) = entry.trim().split_once('=').context("a number reads name=...")?;
            let parts: Vec<f64> = rest
                .split(':')
                .map(|part| part.parse().with_context(|| format!("{entry}: {part} is no number")))
                .collect::<Result<_>>()?;
            let [start, least, most, step] = parts[..] else {
                bail!("{entry}: after the name come start:least:most:step");
            };
            ensure!(
                least <= start && start <= most && step > 0.0,
                "{entry}: the start must lie between least and most, and the step be above 0"
            );
            ensure!(Position::search_config().set(name, 0), "{name}: no such number");
            Ok(Number { name: name.into(), start, least, most, step })
        })
        .collect()
}

/// The results of a round that all shards have written so far.
fn read_results(directory: &Path, round: u64) -> Result<Round> {
    let mut results = Round::new();
    for file in read_dir(directory)? {
        let path = file?.path();
        if path.extension().is_none_or(|extension| extension != "txt") {
            continue;
        }
        for line in reading::text(&path)?.split_inclusive('\n') {
            // A line without its end is being written.
            let Some(line) = line.strip_suffix('\n') else { continue };
            let fields: Vec<&str> = line.split(' ').collect();
            let [of, direction, points] = fields[..] else {
                bail!("{}: {line}: a result reads round direction points", path.display());
            };
            if of.parse() == Ok(round) {
                results.insert(direction.parse()?, points.parse()?);
            }
        }
    }
    Ok(results)
}

fn append(path: &Path, line: &str) -> Result<()> {
    let mut file = OpenOptions::new().create(true).append(true).open(path)?;
    file.write_all(line.as_bytes()).with_context(|| format!("{}", path.display()))
}

/// Up or down, for each number.
fn direction_signs(seed: u64, round: u64, direction: u64, count: usize) -> Vec<f64> {
    let mut random = Random::new(seed ^ round << 32 ^ direction << 16);
    (0..count).map(|_| if random.below(2) == 0 { 1.0 } else { -1.0 }).collect()
}

/// The configuration at these values.
fn config_at(numbers: &[Number], values: &[f64]) -> PvsConfig {
    let mut config = Position::search_config();
    for (number, value) in numbers.iter().zip(values) {
        let _ = config.set(&number.name, value.clamp(number.least, number.most).round() as i32);
    }
    config
}

/// The points of the player with raised numbers against the one with lowered numbers, less one half.
fn play(
    arguments: &Arguments,
    numbers: &[Number],
    values: &[f64],
    round: u64,
    direction: u64,
) -> Result<f64> {
    let signs = direction_signs(arguments.seed, round, direction, numbers.len());
    let contestant = |sign: f64| {
        let moved: Vec<f64> = numbers
            .iter()
            .zip(values.iter().zip(&signs))
            .map(|(number, (value, up))| value + sign * up * number.step)
            .collect();
        let (config, network) = (config_at(numbers, &moved), Network::default());
        let make = move |_| {
            let settings = Settings { hash: 4, threads: 0, ..Settings::default() };
            let player = PvsPlayer::new(network.clone(), config.clone(), &settings);
            Box::new(player) as Box<dyn Player<_>>
        };
        let limits = Limits::nodes(arguments.nodes);
        Contestant { name: format!("{sign}"), limits, make: Box::new(make) }
    };
    let plan = SelfplayPlan {
        openings: arguments.openings,
        opening_plies: 6,
        max_plies: 400,
        drawn_after: 0,
        seed: arguments.seed.wrapping_mul(1_000_003) ^ round << 20 ^ direction << 8,
        threads: 1,
    };
    let start = Position::start(&OptionValues::default(), None)?;
    let standing = selfplay(&start, &[contestant(1.0), contestant(-1.0)], &plan, &mut |_| true);
    let [won, drawn, lost] = standing.games.map(|count| count as f64);
    Ok((won + drawn / 2.0) / (won + drawn + lost).max(1.0) - 0.5)
}

/// Moves the numbers by the results of a round.
fn step(
    arguments: &Arguments,
    numbers: &[Number],
    values: &mut [f64],
    round: u64,
    results: &Round,
) {
    let rate = RATE * (STABILITY / (STABILITY + round as f64)).powf(0.602);
    for (direction, points) in results {
        let signs = direction_signs(arguments.seed, round, *direction, numbers.len());
        let share = points / results.len() as f64;
        for ((value, number), up) in values.iter_mut().zip(numbers).zip(signs) {
            *value = (*value + rate * share * up * number.step).clamp(number.least, number.most);
        }
    }
}

/// Prints the numbers, and on one line the new ones.
fn show(numbers: &[Number], values: &[f64]) -> Result<()> {
    for (number, value) in numbers.iter().zip(values) {
        print_line!("{:<30} {:>9.2} -> {:>9.2}", number.name, number.start, value);
    }
    let changes: Vec<String> = numbers
        .iter()
        .zip(values)
        .map(|(number, value)| format!("{}={}", number.name, value.round()))
        .collect();
    print_line!("{}", changes.join(","));
    Ok(())
}
