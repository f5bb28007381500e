//! The words `solve`, `verify` and `equity`.

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use anyhow::{Context, bail, ensure};
use clap::{Arg, ArgMatches, Command, value_parser};
use indicatif::{ProgressBar, ProgressStyle};

use super::super::position::Position;
use super::super::rule_options::Variant;
use super::file::{Header, Table, checkpoint_path, read_checkpoint, write_checkpoint, write_table};
use super::player::equity;
use super::sweep::{Progress, Solver, Tables, Tail};
use crate::games::{Playable, Word};
use crate::search::{Limits, Settings};

/// All of them.
pub fn words() -> Vec<Word> {
    vec![
        Word { command: solve_command(), run: run_solve },
        Word { command: verify_command(), run: run_verify },
        Word { command: equity_command(), run: run_equity },
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
        .arg(number("checkpoint", "60", 86_400, "Seconds between checkpoints"))
        .arg(
            Arg::new("out")
                .long("out")
                .value_name("FILE")
                .value_parser(value_parser!(PathBuf))
                .required(true)
                .help("Where the table goes; the checkpoint stands beside it"),
        )
        .after_help("Example: chowka-bhara solve --pawns 3 --threads 2 --out three.table")
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
    /// Time between checkpoints.
    pub every: Duration,
}

/// What [`solve`] found.
#[derive(Clone, Debug)]
pub struct Solution {
    /// The values before rounding.
    pub values: Vec<f32>,
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
    let mut tables = solver.start();
    let checkpoint = checkpoint_path(&task.out);
    let mut progress = Progress::default();
    if checkpoint.exists() {
        progress = read_checkpoint(&checkpoint, header, &mut tables)?;
    }
    let mut kept = Instant::now();
    let mut fault = None;
    let done =
        solver.solve(&mut tables, &mut progress, header.change, |tables, progress, change| {
            if kept.elapsed() >= task.every {
                fault = write_checkpoint(&checkpoint, header, progress, tables).err();
                kept = Instant::now();
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
    if checkpoint.exists() {
        std::fs::remove_file(&checkpoint).context("cannot remove the checkpoint")?;
    }
    Ok(Some(solution))
}

fn finish(
    task: &Task,
    solver: &Solver,
    mut tables: Tables,
    progress: Progress,
) -> anyhow::Result<Solution> {
    let values = tables.pop().context("a table of values")?;
    write_table(&task.out, &task.header, &values)?;
    let start = starting(task.header.pawns);
    let start = solver.ranking.index(&start).and_then(|index| values.get(index).copied());
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
    let task = Task {
        header: Header { pawns, chain: integer(arguments, "chain") as u32, change },
        out: arguments.get_one::<PathBuf>("out").context("--out FILE is needed")?.clone(),
        every: Duration::from_secs(integer(arguments, "checkpoint")),
    };
    let threads = integer(arguments, "threads").max(1) as usize;
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build()?;
    let began = Instant::now();
    let bar = ProgressBar::new(0).with_style(ProgressStyle::with_template(
        "{bar:30} group {pos}/{len}, {msg}, {elapsed} gone, {eta} left",
    )?);
    let solution = pool.install(|| {
        solve(&task, |solver, progress, change| {
            bar.set_length(solver.groups() as u64);
            bar.set_position(u64::from(progress.group));
            bar.set_message(format!("sweep {}, change {change:.1e}", progress.sweeps));
            true
        })
    })?;
    bar.finish_and_clear();
    let Some(solution) = solution else { bail!("the work was stopped") };
    println!("pawns {pawns} chain {} change {change:e}", task.header.chain);
    println!("start {:.6}", solution.start);
    println!("residual {:.2e}", solution.residual);
    println!("sweeps {} seconds {:.1}", solution.sweeps, began.elapsed().as_secs_f64());
    Ok(())
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
    println!("residual {:.2e}, of values rounded to 1/65535", solver.residual(&table.values()));
    Ok(())
}

fn run_equity(arguments: &ArgMatches) -> anyhow::Result<()> {
    let table = read(arguments)?;
    let name = arguments.get_one::<String>("player").context("a player")?;
    let other = arguments.get_one::<String>("against").unwrap_or(name);
    for name in [name, other] {
        let known = Position::PLAYERS.contains(&name.as_str());
        ensure!(known, "no player '{name}': one of {}", Position::PLAYERS.join(" "));
    }
    let seed = integer(arguments, "seed");
    let settings = |seed: u64| Settings { hash: 1, seed: seed.max(1), ..Settings::default() };
    let mut players =
        [Position::player(name, &settings(seed)), Position::player(other, &settings(seed + 1))];
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
