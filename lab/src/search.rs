//! Measures the search: one configuration against another, or how fast it reaches a depth.
//!
//! ```text
//! parlor-lab search match --first reduction_base=80 --nodes 20000
//! parlor-lab search match --second alphabeta --time 100
//! parlor-lab search depth --depth 9 --threads 2
//! parlor-lab search threads
//! ```
//!
//! Games and searches start from openings of random moves, which depend on the seed alone. Both
//! sides evaluate with the network of the program, unless one of them names another.

use std::path::Path;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};
use clap::{Args, Subcommand};
use nix::time::{ClockId, clock_gettime};
use parlor::game::{Game, OptionValues, Random, Rules, Situation};
use parlor::games::Playable;
use parlor::games::barca::{Network, Position};
use parlor::search::selfplay::{Contestant, SelfplayPlan, selfplay};
use parlor::search::{Limits, Player, PvsConfig, PvsPlayer, Report, Request, Settings};
use parlor::statistics::{elo_interval, score_interval};

use crate::printing::{note_line, print_line};

/// What is measured.
#[derive(Subcommand, Debug)]
pub enum Command {
    /// One configuration against another.
    Match(Match),
    /// Nodes and time to a depth.
    Depth(Depth),
    /// Several threads against one: nodes a second, and time to a depth.
    Threads(Threads),
}

#[derive(Args, Debug)]
pub struct Match {
    /// Fields that differ from the game's configuration, as `name=value,name=value`;
    /// `network=FILE` for another network; or `alphabeta`, the reference with the same network.
    #[arg(long, default_value = "")]
    first: String,
    /// The same.
    #[arg(long, default_value = "")]
    second: String,
    /// Nodes a move.
    #[arg(long)]
    nodes: Option<u64>,
    /// Milliseconds a move.
    #[arg(long)]
    time: Option<u64>,
    /// Milliseconds a move of the first player, if different.
    #[arg(long)]
    first_time: Option<u64>,
    /// Pairs of games.
    #[arg(long, default_value_t = 100)]
    openings: u64,
    /// Random plies of an opening.
    #[arg(long, default_value_t = 6)]
    plies: u32,
    /// The seed of the random openings.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Games played at the same time.
    #[arg(long, default_value_t = 1)]
    threads: usize,
}

#[derive(Args, Debug)]
pub struct Depth {
    /// Fields that differ from the game's configuration.
    #[arg(long, default_value = "")]
    config: String,
    /// Full-width search, as in plain alpha-beta.
    #[arg(long)]
    full_width: bool,
    /// Plies.
    #[arg(long, default_value_t = 8)]
    depth: u32,
    /// Positions, after 0 to 19 random plies.
    #[arg(long, default_value_t = 20)]
    positions: u64,
    /// Only the starting position.
    #[arg(long)]
    start: bool,
    /// Search threads.
    #[arg(long, default_value_t = 1)]
    threads: usize,
    /// MiB of the table.
    #[arg(long, default_value_t = 64)]
    hash: usize,
    /// The seed of the positions.
    #[arg(long, default_value_t = 1)]
    seed: u64,
}

#[derive(Args, Debug)]
pub struct Threads {
    /// Fields that differ from the game's configuration.
    #[arg(long, default_value = "")]
    config: String,
    /// Search threads.
    #[arg(long, default_value_t = 2)]
    threads: usize,
    /// Plies.
    #[arg(long, default_value_t = 13)]
    depth: u32,
    /// Positions, after 0 to 19 random plies.
    #[arg(long, default_value_t = 20)]
    positions: u64,
    /// How often each position is searched with one thread and with several, in turns.
    #[arg(long, default_value_t = 3)]
    runs: u32,
    /// MiB of the table.
    #[arg(long, default_value_t = 64)]
    hash: usize,
    /// The seed of the positions.
    #[arg(long, default_value_t = 1)]
    seed: u64,
}

impl Command {
    /// Measures it and prints the figures.
    pub fn run(self) -> Result<()> {
        match self {
            Command::Match(arguments) => play(&arguments),
            Command::Depth(arguments) => deepen(&arguments),
            Command::Threads(arguments) => compare_threads(&arguments),
        }
    }
}

fn start() -> Result<Position> {
    Ok(Position::start(&OptionValues::default(), None)?)
}

fn configured(mut config: PvsConfig, changes: &str) -> Result<PvsConfig> {
    for change in changes.split(',').filter(|change| !change.is_empty()) {
        let (name, value) = change.split_once('=').context("a change reads name=value")?;
        let value = value.parse().with_context(|| format!("{change}: not a number"))?;
        if !config.set(name, value) {
            bail!("{name}: no such field");
        }
    }
    Ok(config)
}

fn contestant(changes: &str, limits: Limits) -> Result<Contestant<Position>> {
    let name = if changes.is_empty() { "engine" } else { changes };
    if changes == "alphabeta" {
        let player = Position::find_player(name)?;
        let make = move |_| player.make(&Settings::default());
        return Ok(Contestant { name: name.into(), limits, make: Box::new(make) });
    }
    let (files, changes): (Vec<_>, Vec<_>) =
        changes.split(',').partition(|change| change.starts_with("network="));
    let config = configured(Position::search_config(), &changes.join(","))?;
    let file = files.first().and_then(|file| file.strip_prefix("network="));
    let network = file.map_or(Ok(Network::default()), |file| Network::read(Path::new(file)))?;
    let make = move |_| {
        let settings = Settings { threads: 0, ..Settings::default() };
        let player = PvsPlayer::new(network.clone(), config.clone(), &settings);
        Box::new(player) as Box<dyn Player<_>>
    };
    Ok(Contestant { name: name.into(), limits, make: Box::new(make) })
}

fn play(arguments: &Match) -> Result<()> {
    let limits = |time: Option<u64>| Limits {
        nodes: arguments.nodes,
        ..time.map_or_else(Limits::default, |ms| Limits::time(Duration::from_millis(ms)))
    };
    let time = arguments.time.or(if arguments.nodes.is_none() { Some(100) } else { None });
    let both = [
        contestant(&arguments.first, limits(arguments.first_time.or(time)))?,
        contestant(&arguments.second, limits(time))?,
    ];
    let plan = SelfplayPlan {
        openings: arguments.openings,
        opening_plies: arguments.plies,
        max_plies: 400,
        seed: arguments.seed,
        threads: arguments.threads,
    };
    print_line!("{} v {}", both[0].name, both[1].name);
    let standing = selfplay(&start()?, &both, &plan, &mut |standing| {
        if standing.first.bundles() % 20 == 0 {
            let score = score_interval(&standing.first, 0.95);
            note_line!("{:>6} games {:.3}", standing.first.games(), score.value);
        }
        true
    });
    let score = score_interval(&standing.first, 0.95);
    let elo = elo_interval(&standing.first, 0.95);
    let [won, drawn, lost] = standing.games;
    print_line!("games {} won {won} drawn {drawn} lost {lost}", standing.first.games());
    print_line!(
        "score {:.1} % [{:.1}, {:.1}]",
        100.0 * score.value,
        100.0 * score.low,
        100.0 * score.high
    );
    print_line!("elo {:+.0} [{:+.0}, {:+.0}]", elo.value, elo.low, elo.high);
    print_line!("plies a game {:.1}", standing.plies as f64 / standing.first.games().max(1) as f64);
    print_line!("unfinished {} faults {:?}", standing.unfinished, standing.faults);
    Ok(())
}

/// A position after some random plies; the game is not over.
fn position(number: u64, seed: u64) -> Result<Situation<Position>> {
    let mut random = Random::new(seed.wrapping_mul(1_000).wrapping_add(number));
    let mut situation = Situation::new(start()?);
    for _ in 0..number {
        let Some(m) = situation.position().random_move(&mut random) else { break };
        let mut next = situation.clone();
        next.play(&m);
        if next.turn().is_over() || next.position().count_moves() < 2 {
            break;
        }
        situation = next;
    }
    Ok(situation)
}

/// The total cost of some searches.
#[derive(Clone, Copy, Default)]
struct Cost {
    nodes: f64,
    /// Wall time.
    seconds: f64,
    /// Processor time of all threads.
    processor: f64,
}

impl Cost {
    fn add(&mut self, other: Cost) {
        self.nodes += other.nodes;
        self.seconds += other.seconds;
        self.processor += other.processor;
    }

    /// One line of the table.
    fn print(&self, threads: usize) {
        print_line!(
            "{threads:>7} {:>14.0} {:>10.2} {:>10.2} {:>12.0}",
            self.nodes,
            self.seconds,
            self.processor,
            self.nodes / self.seconds
        );
    }
}

/// One thread and several in turns, so that the load of the machine affects both alike. The ratios
/// by processor time do not depend on other programs.
fn compare_threads(arguments: &Threads) -> Result<()> {
    let config = configured(Position::search_config(), &arguments.config)?;
    let (mut single, mut several) = (Cost::default(), Cost::default());
    let (mut clock, mut processor) = (0.0, 0.0);
    let threads = arguments.threads as f64;
    for number in 0..arguments.positions {
        let situation = position(number, arguments.seed)?;
        let (mut one, mut many) = (Cost::default(), Cost::default());
        for _ in 0..arguments.runs {
            for (count, cost) in [(1, &mut one), (arguments.threads, &mut many)] {
                let settings =
                    Settings { hash: arguments.hash, threads: count, ..Settings::default() };
                let mut player = PvsPlayer::new(Network::default(), config.clone(), &settings);
                cost.add(cost_of(&mut player, &situation, arguments.depth)?);
            }
        }
        clock += (one.seconds / many.seconds).ln();
        processor += (one.processor * threads / many.processor).ln();
        single.add(one);
        several.add(many);
    }
    print_line!("threads          nodes    seconds  processor      nodes/s");
    single.print(1);
    several.print(arguments.threads);
    let rate = |cost: &Cost, time: f64| cost.nodes / time;
    let positions = arguments.positions as f64;
    print_line!(
        "nodes a second: {:.2} times by wall time, {:.2} by processor time",
        rate(&several, several.seconds) / rate(&single, single.seconds),
        rate(&several, several.processor / threads) / rate(&single, single.processor)
    );
    print_line!(
        "time to depth {}: {:.2} times as fast by wall time, {:.2} by processor time; \
         geometric mean of {} positions {:.2} and {:.2}",
        arguments.depth,
        single.seconds / several.seconds,
        single.processor * threads / several.processor,
        arguments.positions,
        (clock / positions).exp(),
        (processor / positions).exp()
    );
    Ok(())
}

fn cost_of(
    player: &mut PvsPlayer<Position, Network>,
    situation: &Situation<Position>,
    depth: u32,
) -> Result<Cost> {
    let (begun, before) = (Instant::now(), processor_time()?);
    let mut nodes = 0;
    player.choose(situation, &Request::new(Limits::depth(depth)), &mut |report| {
        if let Report::Info(info) = report {
            nodes = info.nodes;
        }
    });
    let seconds = begun.elapsed().as_secs_f64();
    Ok(Cost { nodes: nodes as f64, seconds, processor: processor_time()? - before })
}

/// Seconds that the threads of this process have run.
fn processor_time() -> Result<f64> {
    let time = clock_gettime(ClockId::CLOCK_PROCESS_CPUTIME_ID)?;
    Ok(Duration::from(time).as_secs_f64())
}

fn deepen(arguments: &Depth) -> Result<()> {
    let base =
        if arguments.full_width { PvsConfig::full_width() } else { Position::search_config() };
    let config = configured(base, &arguments.config)?;
    let settings =
        Settings { hash: arguments.hash, threads: arguments.threads, ..Settings::default() };
    let positions = if arguments.start { 1 } else { arguments.positions };
    let (mut nodes, mut time, mut product) = (0, Duration::ZERO, 0.0);
    for number in 0..positions {
        let situation = position(number, arguments.seed)?;
        let mut player = PvsPlayer::new(Network::default(), config.clone(), &settings);
        let begun = Instant::now();
        let mut searched = 0;
        player.choose(&situation, &Request::new(Limits::depth(arguments.depth)), &mut |report| {
            if let Report::Info(info) = report {
                searched = info.nodes;
                if arguments.start {
                    print_line!(
                        "{:>3} {:>12} {:?} {:?}",
                        info.depth,
                        info.nodes,
                        info.time,
                        info.score
                    );
                }
            }
        });
        time += begun.elapsed();
        nodes += searched;
        product += (begun.elapsed().as_secs_f64().max(1e-6)).ln();
    }
    let seconds = time.as_secs_f64();
    let mean = (product / positions as f64).exp();
    print_line!("positions {positions} nodes {nodes} time {seconds:.3} geometric mean {mean:.4}");
    print_line!("nodes/s {:.0}", nodes as f64 / seconds);
    Ok(())
}
