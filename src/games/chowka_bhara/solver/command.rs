//! The words `solve`, `verify` and `equity`.

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use anyhow::{Context, bail, ensure};
use clap::{Arg, ArgAction, ArgMatches, Command, value_parser};
use indicatif::{ProgressBar, ProgressStyle};

use super::super::position::Position;
use super::super::rule_options::Variant;
use super::Tail;
use super::file::{
    Header, Table, beside, checkpoint_path, read_checkpoint, write_checkpoint, write_table,
};
use super::player::equity;
use super::sweep::{Progress, Solver, Tables};
use super::values::Values;
use crate::games::{Playable, Subcommand};
use crate::search::{Limits, Settings};

const GIB: f64 = (1u64 << 30) as f64;

/// All of them.
pub fn subcommands() -> Vec<Subcommand> {
    vec![
        Subcommand { command: solve_command(), run: run_solve },
        Subcommand { command: verify_command(), run: run_verify },
        Subcommand { command: equity_command(), run: run_equity },
    ]
}

fn number(name: &'static str, default: &'static str, most: u64, help: &'static str) -> Arg {
    let parser = value_parser!(u64).range(0..=most);
    Arg::new(name).long(name).value_parser(parser).default_value(default).help(help)
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
        .arg(number("chain", "1", 8, "Longest chain of bonus throws that is followed"))
        .arg(
            Arg::new("change")
                .long("change")
                .value_parser(value_parser!(f32))
                .default_value("1e-6")
                .help("A group is solved when no value changes by more in a sweep"),
        )
        .arg(number("checkpoint", "60", 86_400, "Seconds between checkpoints, at least"))
        .arg(number("memory", "12", 1 << 20, "Refuse to take more than so many GiB"))
        .arg(
            Arg::new("bounds")
                .long("bounds")
                .action(ArgAction::SetTrue)
                .help("Count longer chains as won and as lost, and print the bounds; no table"),
        )
        .arg(
            Arg::new("out")
                .long("out")
                .value_name("FILE")
                .value_parser(value_parser!(PathBuf))
                .required_unless_present("bounds")
                .help("Where the table goes; the checkpoint stands beside it"),
        )
        .after_help(
            "Examples: chowka-bhara solve --pawns 3 --threads 2 --out three.table\n          \
             chowka-bhara solve --pawns 2 --chain 2 --bounds",
        )
}

fn verify_command() -> Command {
    Command::new("verify")
        .about("Check a table: checksum, states, largest Bellman residual over every state")
        .arg(table_argument())
}

fn equity_command() -> Command {
    Command::new("equity")
        .about("What a player loses a turn against perfect play, and results without luck")
        .arg(table_argument())
        .arg(Arg::new("player").long("player").default_value("engine").help("The player judged"))
        .arg(Arg::new("against").long("against").help("Its opponent; itself by default"))
        .arg(number("games", "1000", 100_000_000, "Games, in pairs with the same throws"))
        .arg(number("depth", "1", 20, "Depth of every search"))
        .arg(number("seed", "1", u64::MAX >> 1, "Seed of throws and players"))
}

fn integer(arguments: &ArgMatches, name: &str) -> u64 {
    arguments.get_one::<u64>(name).copied().unwrap_or_default()
}

/// What [`solve`] is asked.
#[derive(Clone, Debug)]
pub struct Task {
    /// Pawns, chain, greatest change.
    pub header: Header,
    /// Where the table goes.
    pub out: PathBuf,
    /// Time between checkpoints, at least.
    pub every: Duration,
    /// The most memory to take, in GiB.
    pub memory: u64,
}

/// What [`solve`] found.
#[derive(Debug)]
pub struct Solution {
    /// The values before rounding.
    pub values: Values,
    /// The start's value for the first player.
    pub start: f32,
    /// Largest Bellman residual of the values before rounding.
    pub residual: f32,
    /// Sweeps over a group, all groups together.
    pub sweeps: u32,
}

/// Solves a game, going on from a checkpoint if there is one, and writes its table. `each` hears of
/// every sweep and may stop the work, as a kill would, with `false`; then there is no solution.
pub fn solve(
    task: &Task,
    mut each: impl FnMut(&Solver, Progress, f32) -> bool,
) -> anyhow::Result<Option<Solution>> {
    let header = &task.header;
    let solver = Solver::new(header.pawns, header.chain, Tail::Shared);
    let (need, most) = (solver.memory() as f64 / GIB, task.memory as f64);
    ensure!(need <= most, "it takes {need:.1} GiB, and --memory allows {most}");
    let tables = solver.start();
    let checkpoint = checkpoint_path(&task.out);
    let mut progress = Progress::default();
    if checkpoint.exists() {
        progress = read_checkpoint(&checkpoint, header, &solver.ranking, &tables)?;
    }
    let mut keeper = Keeper { every: task.every, kept: Instant::now(), took: Duration::ZERO };
    let mut fault = None;
    let done = solver.solve(&tables, &mut progress, header.change, |tables, progress, change| {
        if keeper.is_due() {
            let ranking = &solver.ranking;
            fault = write_checkpoint(&checkpoint, header, progress, ranking, tables).err();
            keeper.written();
        }
        fault.is_none() && each(&solver, progress, change)
    });
    if let Some(fault) = fault {
        return Err(fault);
    }
    if !done {
        return Ok(None);
    }
    let solution = finish(task, &solver, tables, progress)?;
    // A kill may also have left one half written.
    for left in [beside(&checkpoint), checkpoint] {
        if left.exists() {
            std::fs::remove_file(left).context("cannot remove the checkpoint")?;
        }
    }
    Ok(Some(solution))
}

/// Bounds of the start's value when longer chains count as lost and as won, and the widest of all
/// states.
pub fn bounds(header: &Header) -> anyhow::Result<([f32; 2], f32)> {
    let solver = Solver::new(header.pawns, header.chain, Tail::Bounds);
    let tables = solver.start();
    solver.solve(&tables, &mut Progress::default(), header.change, |_, _, _| true);
    let [high, low] = &tables[..] else { bail!("two tables") };
    let mut widest = 0f32;
    solver.ranking.for_each_run(|run| {
        widest = run.fold(widest, |most, index| most.max(high.get(index) - low.get(index)));
    });
    let start = solver.ranking.index(&starting(header.pawns)).context("the start is a state")?;
    Ok(([low.get(start), high.get(start)], widest))
}

/// When to write the next checkpoint.
struct Keeper {
    every: Duration,
    kept: Instant,
    took: Duration,
}

impl Keeper {
    /// Not before the time, and not so often that writing takes more than a tenth of the work.
    fn is_due(&mut self) -> bool {
        let due = self.kept.elapsed() >= self.every.max(self.took * 10);
        if due {
            self.kept = Instant::now();
        }
        due
    }

    fn written(&mut self) {
        self.took = if self.every.is_zero() { Duration::ZERO } else { self.kept.elapsed() };
        self.kept = Instant::now();
    }
}

fn finish(
    task: &Task,
    solver: &Solver,
    mut tables: Tables,
    progress: Progress,
) -> anyhow::Result<Solution> {
    let values = tables.pop().context("a table of values")?;
    write_table(&task.out, &task.header, &solver.ranking, &values)?;
    let start = starting(task.header.pawns);
    let start = solver.ranking.index(&start).map(|index| values.get(index));
    let residual = solver.residual(&values);
    let start = start.context("the start is a state")?;
    Ok(Solution { values, start, residual, sweeps: progress.sweeps })
}

fn starting(pawns: u8) -> Position {
    Position::starting(Variant { pawns, ..Variant::default() }, 2)
}

fn run_solve(arguments: &ArgMatches) -> anyhow::Result<()> {
    let pawns = integer(arguments, "pawns") as u8;
    ensure!((1..=4).contains(&pawns), "--pawns is 1 to 4, not {pawns}");
    let change = arguments.get_one::<f32>("change").copied().unwrap_or(1e-6);
    let possible = (1e-7..1.0).contains(&change);
    ensure!(possible, "--change is 1e-7 (values are kept in 32 bits) to 1, not {change}");
    let header = Header { pawns, chain: integer(arguments, "chain") as u32, change };
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
        "{bar:30} {percent} %, {msg}, {elapsed} gone, {eta} left",
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
    println!("residual {:.2e}", solution.residual);
    println!("sweeps {} seconds {:.1}", solution.sweeps, began.elapsed().as_secs_f64());
    if let Some(peak) = peak_memory() {
        println!("memory {peak}");
    }
    Ok(())
}

/// How far the work is, in states settled: within a group by how far the change has fallen.
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
        // A group just settled has not begun to fall.
        if change <= self.target { before } else { before + (size * fallen) as u64 }
    }
}

/// The most memory this process has had, where the system tells.
fn peak_memory() -> Option<String> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    Some(line.trim().to_string())
}

fn read(arguments: &ArgMatches) -> anyhow::Result<Table> {
    let path = arguments.get_one::<PathBuf>("table").context("--table FILE is needed")?;
    Table::read(Path::new(path))
}

fn run_verify(arguments: &ArgMatches) -> anyhow::Result<()> {
    let table = read(arguments)?;
    let solver = Solver::new(table.header.pawns, table.header.chain, Tail::Shared);
    let (plain, flagged) = table.ranking.count();
    println!("pawns {} chain {}", table.header.pawns, table.header.chain);
    println!("states {plain}, with fresh doubles {flagged}");
    let values = solver.start().pop().context("a table of values")?;
    table.fill(&values);
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
            "{name}: {:.4} % of a win a turn with a choice, {} turns",
            100.0 * loss.mean(at),
            loss.turns[at]
        );
    }
    let score = 100.0 * loss.points / games.max(1) as f64;
    let adjusted = 100.0 * loss.adjusted();
    println!("{name} against {other}: {score:.2} % of {games} games, {adjusted:.2} % without luck");
    Ok(())
}
