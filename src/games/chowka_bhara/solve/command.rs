//! The subcommands `solve` and `verify`.

use std::fs;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use anyhow::{Context, bail, ensure};
use clap::{Arg, ArgAction, ArgMatches, Command, value_parser};
use indicatif::{HumanDuration, ProgressBar, ProgressStyle};
use serde_json::json;

use super::equity_command;
use super::phases;
use super::run::{Task, bounds, solve};
use super::table_file::{Header, SolvedTable};
use super::value_iteration::{Progress, Solver};
use super::verify::{Checked, allowed, check_block, check_random};
use crate::games::Subcommand;
use crate::printing::print_line;

/// All of them.
pub(in crate::games::chowka_bhara) fn subcommands() -> Vec<Subcommand> {
    vec![
        Subcommand { command: solve_command(), run: run_solve },
        Subcommand { command: verify_command(), run: run_verify },
        equity_command::subcommand(),
        phases::subcommand(),
    ]
}

fn number(name: &'static str, default: &'static str, most: u64, help: &'static str) -> Arg {
    let parser = value_parser!(u64).range(0..=most);
    Arg::new(name).long(name).value_name("N").value_parser(parser).default_value(default).help(help)
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
        .about("Check a table by the rules of the game, apart from the solver")
        .arg(
            Arg::new("table")
                .value_name("FILE")
                .value_parser(value_parser!(PathBuf))
                .required(true)
                .help("A table written by solve"),
        )
        .arg(number("states", "100000", u64::MAX >> 1, "States drawn at random"))
        .arg(number("seed", "1", u64::MAX >> 1, "Seed of what is drawn"))
        .arg(number("threads", "2", 1024, "Threads; the result does not depend on them"))
        .arg(Arg::new("json").long("json").action(ArgAction::SetTrue).help("Print JSON"))
        .after_help(
            "Every throw and every play of a state is made by the rules, and the value that follows \
             is compared with the one in the file: for states drawn at random, and for all states \
             in which the opponent stands in one way, drawn at random. If a difference is greater \
             than the last change of the solution and the rounding allow, the position is printed \
             and the exit code is 1.\n\n\
             Examples:\n  chowka-bhara verify three.table\n  \
             chowka-bhara verify --states 1000000 --seed 7 three.table",
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
        print_line!("start {low:.6} to {high:.6}, widest {widest:.6}");
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
        "{bar:30} {percent} %, {msg}, {elapsed} elapsed",
    )?);
    bar.enable_steady_tick(Duration::from_secs(1));
    let mut meter = None;
    let solution = pool.install(|| {
        solve(&task, |solver, progress, change| {
            let meter = meter.get_or_insert_with(|| Meter::new(solver, task.header.change));
            let done = meter.done(progress, change);
            bar.set_length(meter.length());
            bar.set_position(done);
            let groups = meter.sizes.len();
            let (group, sweeps) = (groups.min(progress.group as usize + 1), progress.sweeps);
            let left = meter.left(done).map_or(String::new(), |left| format!(", {left} left"));
            bar.set_message(format!(
                "group {group}/{groups}, sweep {sweeps}, change {change:.1e}{left}"
            ));
            true
        })
    })?;
    bar.finish_and_clear();
    let Some(solution) = solution else { bail!("the work was stopped") };
    print_line!("pawns {pawns} chain {} change {change:e}", task.header.chain);
    print_line!("start {:.7}", solution.start);
    if let Some(([low, high], widest)) = solution.bracket {
        print_line!("start from 0 {low:.7}, from 1 {high:.7}, distance {:.1e}", high - low);
        print_line!("greatest distance {widest:.1e}");
    }
    print_line!("residual {:.2e}", solution.residual);
    print_line!("sweeps {} seconds {:.1}", solution.sweeps, began.elapsed().as_secs_f64());
    if let Some(peak) = peak_memory() {
        print_line!("memory {peak}");
    }
    Ok(())
}

/// Progress of the work in states: within a group by how far the change has fallen.
struct Meter {
    sizes: Vec<u64>,
    target: f32,
    /// When the first progress was seen, and how far the work was then.
    first: Option<(Instant, u64)>,
}

impl Meter {
    fn new(solver: &Solver, target: f32) -> Self {
        Meter { sizes: solver.group_sizes(), target, first: None }
    }

    /// The time left by the pace since the first progress. The estimate of the bar itself trusts the
    /// last steps, and a sweep may take a minute.
    fn left(&mut self, done: u64) -> Option<HumanDuration> {
        let (began, first) = *self.first.get_or_insert((Instant::now(), done));
        time_left(began.elapsed(), done.saturating_sub(first), self.length().saturating_sub(done))
            .map(HumanDuration)
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

/// How long the rest takes, if as much as was gained took this long; `None` if nothing was gained.
fn time_left(elapsed: Duration, gained: u64, rest: u64) -> Option<Duration> {
    (gained > 0).then(|| elapsed.mul_f64(rest as f64 / gained as f64))
}

/// The peak memory of this process, where the system reports it.
fn peak_memory() -> Option<String> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    Some(line.trim().to_string())
}

fn run_verify(arguments: &ArgMatches) -> anyhow::Result<()> {
    let path = arguments.get_one::<PathBuf>("table").context("FILE is needed")?;
    let table = SolvedTable::read(path)?;
    let (states, seed) = (integer(arguments, "states"), integer(arguments, "seed"));
    let threads = integer(arguments, "threads").max(1) as usize;
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build()?;
    let bar = ProgressBar::new(states).with_style(ProgressStyle::with_template(
        "{bar:30} {pos}/{len} states, {elapsed} elapsed, {eta} left",
    )?);
    let (random, block) = pool.install(|| -> anyhow::Result<_> {
        let random = check_random(&table, states, seed, || bar.inc(1))?;
        Ok((random, check_block(&table, seed, || ())?))
    })?;
    bar.finish_and_clear();
    let file = fs::File::open(path).with_context(|| format!("cannot read {}", path.display()))?;
    let blake3 = blake3::Hasher::new().update_reader(file)?.finalize().to_hex().to_string();
    let allowed = allowed(&table);
    let (plain, flagged) = table.ranking.count();
    let Header { pawns, chain, change, bracket } = table.header;
    if arguments.get_flag("json") {
        let checked =
            |checked: &Checked| json!({ "states": checked.states, "largest": checked.largest });
        print_line!(
            "{}",
            json!({
                "pawns": pawns, "chain": chain, "change": change, "bracket": bracket,
                "states": plain, "with_fresh_doubles": flagged, "blake3": blake3,
                "random": checked(&random), "block": checked(&block), "allowed": allowed,
            })
        );
    } else {
        print_line!("pawns {pawns} chain {chain} change {change:e}");
        print_line!("states {plain}, with fresh doubles {flagged}");
        print_line!("blake3 {blake3}");
        print_line!("random states   {:>9}  largest error {:.2e}", random.states, random.largest);
        print_line!("a whole block   {:>9}  largest error {:.2e}", block.states, block.largest);
        print_line!("allowed                    {allowed:.2e}: change and rounding to 16 bits");
    }
    let worst = if block.largest > random.largest { block } else { random };
    if let (true, Some((position, [found, expected]))) = (worst.largest > allowed, worst.worst) {
        bail!("{} is wrong: {position} has {found:.6}, by the rules {expected:.6}", path.display());
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_time_left_follows_the_pace_since_the_first_progress() {
        let minutes = |count: u64| Duration::from_secs(60 * count);
        assert_eq!(time_left(minutes(10), 20, 60), Some(minutes(30)));
        assert_eq!(time_left(minutes(10), 20, 0), Some(minutes(0)));
        assert_eq!(time_left(minutes(10), 0, 60), None);
    }
}
