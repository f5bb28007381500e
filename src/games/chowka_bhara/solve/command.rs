//! The subcommands `solve`, `verify` and `equity`.

use std::path::PathBuf;
use std::time::{Duration, Instant};

use anyhow::{Context, bail, ensure};
use clap::{Arg, ArgAction, ArgMatches, Command, value_parser};
use indicatif::{ProgressBar, ProgressStyle};

use super::equity::equity;
use super::run::{Task, bounds, solve, starting};
use super::table_file::{Header, SolvedTable};
use super::value_iteration::{Progress, Solver};
use super::value_sets::Tail;
use crate::games::chowka_bhara::rules::Position;
use crate::games::{Playable, Subcommand};
use crate::search::{Limits, Settings};

/// All of them.
pub(in crate::games::chowka_bhara) fn subcommands() -> Vec<Subcommand> {
    vec![
        Subcommand { command: solve_command(), run: run_solve },
        Subcommand { command: verify_command(), run: run_verify },
        Subcommand { command: equity_command(), run: run_equity },
    ]
}

fn number(name: &'static str, default: &'static str, most: u64, help: &'static str) -> Arg {
    let parser = value_parser!(u64).range(0..=most);
    Arg::new(name).long(name).value_name("N").value_parser(parser).default_value(default).help(help)
}

fn table_argument() -> Arg {
    Arg::new("table")
        .long("table")
        .value_name("FILE")
        .value_parser(value_parser!(PathBuf))
        .required(true)
        .help("A table written by solve")
}

fn solve_command() -> Command {
    Command::new("solve")
        .about("Solve the two-player game on the 5 x 5 board by value iteration")
        .arg(number("pawns", "2", 4, "Pawns of a player, 1 to 4"))
        .arg(number("threads", "2", 1024, "Threads; the values do not depend on them"))
        .arg(number("chain", "1", 8, "The most bonus throws of a turn that are taken into account"))
        .arg(
            Arg::new("change")
                .long("change")
                .value_name("VALUE")
                .value_parser(value_parser!(f32))
                .default_value("1e-6")
                .help("A group is solved when no value changes by more than this in a sweep"),
        )
        .arg(number("checkpoint", "60", 86_400, "The fewest seconds between two checkpoints"))
        .arg(number(
            "memory",
            "12",
            1 << 20,
            "The most memory to use, in GiB; a game that needs more is refused",
        ))
        .arg(
            Arg::new("bounds").long("bounds").action(ArgAction::SetTrue).help(
                "Count longer chains as won and as lost, print the bounds and write no table",
            ),
        )
        .arg(Arg::new("bracket").long("bracket").action(ArgAction::SetTrue).help(
            "Work with a lower and an upper value of every state, from 0 and from 1, and print \
             their distance; takes twice the time and the memory",
        ))
        .arg(
            Arg::new("out")
                .long("out")
                .value_name("FILE")
                .value_parser(value_parser!(PathBuf))
                .required_unless_present("bounds")
                .help("File that the table is written to; the checkpoint is written beside it"),
        )
        .after_help(
            "Examples: chowka-bhara solve --pawns 3 --threads 2 --out three.table\n          \
             chowka-bhara solve --pawns 2 --chain 2 --bounds",
        )
}

fn verify_command() -> Command {
    Command::new("verify")
        .about("Check a table: checksum, number of states, largest Bellman residual of all states")
        .arg(table_argument())
        .after_help("Examples:\n  chowka-bhara verify --table three.table")
}

fn equity_command() -> Command {
    Command::new("equity")
        .about(
            "Mean loss per turn of a player against perfect play, and its score adjusted for luck",
        )
        .arg(table_argument())
        .arg(
            Arg::new("player")
                .long("player")
                .value_name("PLAYER")
                .default_value("engine")
                .help("The player to measure"),
        )
        .arg(
            Arg::new("against")
                .long("against")
                .value_name("PLAYER")
                .help("Its opponent [default: the same player]"),
        )
        .arg(number("games", "1000", 100_000_000, "Number of games, in pairs with equal throws"))
        .arg(number("depth", "1", 20, "Depth of every search"))
        .arg(number("seed", "1", u64::MAX >> 1, "Seed of throws and players"))
        .after_help(
            "Examples:\n  chowka-bhara equity --table three.table --depth 2\n  \
             chowka-bhara equity --table three.table --player engine --against greedy",
        )
}

fn integer(arguments: &ArgMatches, name: &str) -> u64 {
    arguments.get_one::<u64>(name).copied().unwrap_or_default()
}

fn run_solve(arguments: &ArgMatches) -> anyhow::Result<()> {
    let pawns = integer(arguments, "pawns") as u8;
    ensure!((1..=4).contains(&pawns), "--pawns is 1 to 4, not {pawns}");
    let change = arguments.get_one::<f32>("change").copied().unwrap_or(1e-6);
    let possible = (1e-7..1.0).contains(&change);
    ensure!(possible, "--change is 1e-7 (values are kept in 32 bits) to 1, not {change}");
    let bracket = arguments.get_flag("bracket");
    let header = Header { pawns, chain: integer(arguments, "chain") as u32, change, bracket };
    let threads = integer(arguments, "threads").max(1) as usize;
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build()?;
    if arguments.get_flag("bounds") {
        let ([low, high], widest) = pool.install(|| bounds(&header))?;
        println!("start {low:.6} to {high:.6}, widest {widest:.6}");
        return Ok(());
    }
    let task = Task {
        header,
        out: arguments.get_one::<PathBuf>("out").context("--out FILE is needed")?.clone(),
        every: Duration::from_secs(integer(arguments, "checkpoint")),
        memory: integer(arguments, "memory"),
    };
    let began = Instant::now();
    let bar = ProgressBar::new(0).with_style(ProgressStyle::with_template(
        "{bar:30} {percent} %, {msg}, {elapsed} elapsed, {eta} left",
    )?);
    bar.enable_steady_tick(Duration::from_secs(1));
    let mut meter = None;
    let solution = pool.install(|| {
        solve(&task, |solver, progress, change| {
            let meter = meter.get_or_insert_with(|| Meter::new(solver, task.header.change));
            bar.set_length(meter.length());
            bar.set_position(meter.done(progress, change));
            let (group, groups) = (progress.group, meter.sizes.len());
            let sweeps = progress.sweeps;
            bar.set_message(format!("group {group}/{groups}, sweep {sweeps}, change {change:.1e}"));
            true
        })
    })?;
    bar.finish_and_clear();
    let Some(solution) = solution else { bail!("the work was stopped") };
    println!("pawns {pawns} chain {} change {change:e}", task.header.chain);
    println!("start {:.7}", solution.start);
    if let Some(([low, high], widest)) = solution.bracket {
        println!("start from 0 {low:.7}, from 1 {high:.7}, distance {:.1e}", high - low);
        println!("greatest distance {widest:.1e}");
    }
    println!("residual {:.2e}", solution.residual);
    println!("sweeps {} seconds {:.1}", solution.sweeps, began.elapsed().as_secs_f64());
    if let Some(peak) = peak_memory() {
        println!("memory {peak}");
    }
    Ok(())
}

/// Progress of the work in states: within a group by how far the change has fallen.
struct Meter {
    sizes: Vec<u64>,
    target: f32,
}

impl Meter {
    fn new(solver: &Solver, target: f32) -> Self {
        Meter { sizes: solver.group_sizes(), target }
    }

    fn length(&self) -> u64 {
        self.sizes.iter().sum()
    }

    fn done(&self, progress: Progress, change: f32) -> u64 {
        let group = progress.group as usize;
        let before: u64 = self.sizes.iter().take(group).sum();
        let size = self.sizes.get(group).copied().unwrap_or(0) as f32;
        let fallen = (change.min(1.0).ln() / self.target.ln()).clamp(0.0, 1.0);
        // The next group has not begun.
        if change <= self.target { before } else { before + (size * fallen) as u64 }
    }
}

/// The peak memory of this process, where the system reports it.
fn peak_memory() -> Option<String> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    Some(line.trim().to_string())
}

fn read(arguments: &ArgMatches) -> anyhow::Result<SolvedTable> {
    let path = arguments.get_one::<PathBuf>("table").context("--table FILE is needed")?;
    SolvedTable::read(path)
}

fn run_verify(arguments: &ArgMatches) -> anyhow::Result<()> {
    let table = read(arguments)?;
    let solver = Solver::new(table.header.pawns, table.header.chain, Tail::Shared);
    let (plain, flagged) = table.ranking.count();
    println!("pawns {} chain {}", table.header.pawns, table.header.chain);
    println!("states {plain}, with fresh doubles {flagged}");
    let mut values = solver.start().pop().context("a table of values")?;
    table.fill(&mut values);
    println!("residual {:.2e}, of values rounded to 1/65535", solver.residual(&values));
    Ok(())
}

fn run_equity(arguments: &ArgMatches) -> anyhow::Result<()> {
    let table = read(arguments)?;
    let name = arguments.get_one::<String>("player").context("a player")?;
    let other = arguments.get_one::<String>("against").unwrap_or(name);
    let seed = integer(arguments, "seed");
    let settings = |seed: u64| Settings { hash: 1, seed: seed.max(1), ..Settings::default() };
    let mut players =
        [Position::player(name, &settings(seed))?, Position::player(other, &settings(seed + 1))?];
    let limits = Limits::depth(integer(arguments, "depth") as u32);
    let games = integer(arguments, "games");
    let start = starting(table.header.pawns);
    let loss = equity(&table, &start, &mut players, &limits, games, seed);
    for (at, name) in [name, other].into_iter().enumerate() {
        println!(
            "{name} loses {:.4} % of a win per turn, {} turns with a choice",
            100.0 * loss.mean(at),
            loss.turns[at]
        );
    }
    let score = 100.0 * loss.points / games.max(1) as f64;
    let adjusted = 100.0 * loss.adjusted();
    println!(
        "{name} against {other}: {score:.2} % of {games} games, {adjusted:.2} % adjusted for luck"
    );
    Ok(())
}
