//! The commands `solve` and `verify`.

use std::path::PathBuf;
use std::time::{Duration, Instant};

use anyhow::{Context, bail, ensure};
use clap::{Args, value_parser};
use indicatif::ProgressBar;
use parlor::games::chowka_bhara::solved::{Header, SolvedTable};
use parlor::progress;
use parlor::reading;

use super::run::{Task, solve};
use super::value_iteration::{Progress, Solver};
use super::verify::{Checked, allowed, check_block, check_random};
use crate::printing::print_line;

/// The arguments.
#[derive(Args, Debug)]
#[command(after_help = "Examples:
  parlor-lab chowka-bhara solve --pawns 3 --threads 2 --out three.table")]
pub struct Solve {
    /// Pawns of a player, 1 to 4
    #[arg(long, value_name = "N", default_value_t = 2, value_parser = value_parser!(u8).range(1..=4))]
    pawns: u8,
    /// Threads; the values do not depend on them
    #[arg(long, value_name = "N", default_value_t = 2, value_parser = value_parser!(u16).range(1..=1024))]
    threads: u16,
    /// The most bonus throws of a turn that are taken into account
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = value_parser!(u32).range(..=8))]
    chain: u32,
    /// A group is solved when no value changes by more than this in a sweep
    #[arg(long, value_name = "VALUE", default_value = "1e-6")]
    change: f32,
    /// The fewest seconds between two checkpoints
    #[arg(long, value_name = "N", default_value_t = 60, value_parser = value_parser!(u64).range(..=86_400))]
    checkpoint: u64,
    /// The most memory to use, in GiB; a game that needs more is refused
    #[arg(long, value_name = "N", default_value_t = 12, value_parser = value_parser!(u64).range(..=1 << 20))]
    memory: u64,
    /// Work with a lower and an upper value of every state, from 0 and from 1, and print their
    /// distance; takes twice the time and the memory
    #[arg(long)]
    bracket: bool,
    /// File that the table is written to; the checkpoint is written beside it
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
}

/// The arguments.
#[derive(Args, Debug)]
#[command(
    after_help = "Every throw and every play of a state is made by the rules, and the value \
that follows is compared with the one in the file: for states drawn at random, and for all states \
in which the opponent stands in one way, drawn at random. If a difference is greater than the last \
change of the solution and the rounding allow, the position is printed and the exit code is 1.

Examples:
  parlor-lab chowka-bhara verify three.table
  parlor-lab chowka-bhara verify --states 1000000 --seed 7 three.table"
)]
pub struct Verify {
    /// A table written by solve
    #[arg(value_name = "FILE")]
    table: PathBuf,
    /// States drawn at random
    #[arg(long, value_name = "N", default_value_t = 100_000)]
    states: u64,
    /// Seed of what is drawn
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// Threads; the result does not depend on them
    #[arg(long, value_name = "N", default_value_t = 2, value_parser = value_parser!(u16).range(1..=1024))]
    threads: u16,
}

/// Runs work on a number of threads.
fn on_threads<T: Send>(threads: u16, work: impl FnOnce() -> T + Send) -> anyhow::Result<T> {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads.into()).build()?;
    Ok(pool.install(work))
}

impl Solve {
    /// Solves the game and writes its table.
    pub fn run(self) -> anyhow::Result<()> {
        let Solve { pawns, chain, change, bracket, .. } = self;
        let possible = (1e-7..1.0).contains(&change);
        ensure!(possible, "--change is 1e-7 (values are kept in 32 bits) to 1, not {change}");
        let header = Header { pawns, chain, change, bracket };
        let task = Task {
            header,
            out: self.out,
            every: Duration::from_secs(self.checkpoint),
            memory: self.memory,
        };
        let began = Instant::now();
        let bar = progress::bar(0, "states");
        let solution = on_threads(self.threads, || {
            solve(&task, |solver, progress, change| {
                show(&bar, solver, progress, change, header.change);
                true
            })
        })??;
        bar.finish_and_clear();
        let Some(solution) = solution else { bail!("the work was stopped") };
        print_line!("pawns {pawns} chain {chain} change {change:e}");
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
}

/// Shows the states of the groups that are done, and of the present one a part by how far its change
/// has fallen towards the one that is wanted.
fn show(bar: &ProgressBar, solver: &Solver, progress: Progress, change: f32, wanted: f32) {
    let sizes = solver.group_sizes();
    let (done, left) = sizes.split_at((progress.group as usize).min(sizes.len()));
    // After the last sweep of a group the next one has not begun.
    let fallen = if change <= wanted { 0.0 } else { change.min(1.0).ln() / wanted.ln() };
    let part = left.first().map_or(0.0, |size| *size as f32 * fallen);
    bar.set_length(sizes.iter().sum());
    bar.set_position(done.iter().sum::<u64>() + part as u64);
    bar.set_message(format!("group {}/{}, sweep {}", done.len(), sizes.len(), progress.sweeps));
}

/// The peak memory of this process, where the system reports it.
fn peak_memory() -> Option<String> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    Some(line.trim().to_string())
}

impl Verify {
    /// Checks the table and prints what was found.
    pub fn run(self) -> anyhow::Result<()> {
        let path = &self.table;
        let table = SolvedTable::read(path)?;
        let bar = progress::bar(self.states, "states");
        let (random, block) = on_threads(self.threads, || -> anyhow::Result<_> {
            let random = check_random(&table, self.states, self.seed, || bar.inc(1))?;
            Ok((random, check_block(&table, self.seed, || ())?))
        })??;
        bar.finish_and_clear();
        self.print(&table, &random, &block)?;
        let worst = if block.largest > random.largest { block } else { random };
        match worst.worst {
            Some((position, [found, expected])) if worst.largest > allowed(&table) => {
                let path = path.display();
                bail!("{path} is wrong: {position} has {found:.6}, by the rules {expected:.6}")
            }
            _ => Ok(()),
        }
    }

    fn print(&self, table: &SolvedTable, random: &Checked, block: &Checked) -> anyhow::Result<()> {
        let path = &self.table;
        let file =
            reading::regular(path).with_context(|| format!("cannot read {}", path.display()))?;
        let blake3 = blake3::Hasher::new().update_reader(file)?.finalize().to_hex().to_string();
        let allowed = allowed(table);
        let (plain, flagged) = table.ranking().count();
        let Header { pawns, chain, change, .. } = table.header();
        print_line!("pawns {pawns} chain {chain} change {change:e}");
        print_line!("states {plain}, with fresh doubles {flagged}");
        print_line!("blake3 {blake3}");
        for (what, checked) in [("random states", random), ("a whole block", block)] {
            let Checked { states, largest, .. } = checked;
            print_line!("{what}   {states:>9}  largest error {largest:.2e}");
        }
        print_line!("allowed                    {allowed:.2e}: change and rounding to 16 bits");
        Ok(())
    }
}
