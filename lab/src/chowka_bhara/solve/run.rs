//! Solving a game from start to end: checkpoints, the table.

use std::path::PathBuf;
use std::time::{Duration, Instant};

use anyhow::{Context, ensure};
use parlor::files;
use parlor::free_memory;
use parlor::games::chowka_bhara::solved::Header;

use super::files::{checkpoint_path, read_checkpoint, write_checkpoint, write_table};
use super::value_iteration::{Progress, Solver, Tables};
use super::value_table::ValueTable;

const GIB: f64 = (1u64 << 30) as f64;

/// A game to solve.
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
    /// The values before rounding, which the tests compare.
    #[cfg(test)]
    pub values: ValueTable,
    /// The start's value for the first player.
    pub start: f32,
    /// Its lower and its upper value, and the greatest distance of any state's, if there are two.
    pub bracket: Option<([f32; 2], f32)>,
    /// Largest Bellman residual of the values before rounding.
    pub residual: f32,
    /// Sweeps over a group, all groups together.
    pub sweeps: u32,
}

/// Solves a game, from its checkpoint if there is one, and writes its table. `each` is called after
/// every sweep and may stop the work, as a kill would, with `false`; then there is no solution.
pub fn solve(
    task: &Task,
    mut each: impl FnMut(&Solver, Progress, f32) -> bool,
) -> anyhow::Result<Option<Solution>> {
    let header = &task.header;
    let solver = match header.bracket {
        true => Solver::bracketing(header.pawns, header.chain),
        false => Solver::new(header.pawns, header.chain),
    };
    let (need, most) = (solver.memory() as f64 / GIB, task.memory as f64);
    ensure!(need <= most, "it takes {need:.1} GiB, and --memory allows {most}");
    // The system would kill the process once there is no more, perhaps after hours.
    if let Some(free) = free_memory::largest_table(0) {
        let free = free as f64 / 1024.0;
        ensure!(need <= free, "it takes {need:.1} GiB of memory, and {free:.1} are free");
    }
    files::ensure_writable(&task.out)
        .with_context(|| format!("cannot write {}", task.out.display()))?;
    let mut tables = solver.start();
    let checkpoint = checkpoint_path(&task.out);
    let mut progress = Progress::default();
    if checkpoint.exists() {
        progress = read_checkpoint(&checkpoint, header, &solver.ranking, &mut tables)?;
    }
    let mut timer =
        CheckpointTimer { every: task.every, last: Instant::now(), took: Duration::ZERO };
    let mut error = None;
    let done =
        solver.solve(&mut tables, &mut progress, header.change, |tables, progress, change| {
            if timer.is_due() {
                let ranking = &solver.ranking;
                error = write_checkpoint(&checkpoint, header, progress, ranking, tables).err();
                timer.written();
            }
            error.is_none() && each(&solver, progress, change)
        });
    if let Some(error) = error {
        return Err(error);
    }
    if !done {
        return Ok(None);
    }
    let solution = finish(task, &solver, tables, progress)?;
    files::remove(&checkpoint).context("cannot remove the checkpoint")?;
    Ok(Some(solution))
}

/// A lower and an upper value of the start, and the greatest distance of any state's.
fn between(
    header: &Header,
    solver: &Solver,
    low: &ValueTable,
    high: &ValueTable,
) -> anyhow::Result<([f32; 2], f32)> {
    let mut widest = 0f32;
    solver.ranking.for_each_run(|run| {
        widest = run.fold(widest, |most, index| most.max(high.get(index) - low.get(index)));
    });
    let start = solver.ranking.index(&header.start()).context("the start is a state")?;
    Ok(([low.get(start), high.get(start)], widest))
}

/// When to write the next checkpoint.
struct CheckpointTimer {
    every: Duration,
    last: Instant,
    took: Duration,
}

impl CheckpointTimer {
    /// Not before the interval is over, nor so often that writing takes more than a tenth of the
    /// time.
    fn is_due(&mut self) -> bool {
        let due = self.last.elapsed() >= self.every.max(self.took * 10);
        if due {
            self.last = Instant::now();
        }
        due
    }

    fn written(&mut self) {
        self.took = if self.every.is_zero() { Duration::ZERO } else { self.last.elapsed() };
        self.last = Instant::now();
    }
}

fn finish(
    task: &Task,
    solver: &Solver,
    mut tables: Tables,
    progress: Progress,
) -> anyhow::Result<Solution> {
    let mut values = tables.pop().context("a table of values")?;
    let mut bracket = None;
    if let Some(high) = tables.pop() {
        bracket = Some(between(&task.header, solver, &values, &high)?);
        // The middle is nearest to the true value.
        solver.ranking.for_each_run(|run| {
            run.for_each(|index| values.set(index, (values.get(index) + high.get(index)) / 2.0));
        });
    }
    write_table(&task.out, &task.header, &solver.ranking, &values)?;
    let start = solver.ranking.index(&task.header.start()).map(|index| values.get(index));
    let residual = solver.residual(&values);
    let start = start.context("the start is a state")?;
    Ok(Solution {
        #[cfg(test)]
        values,
        start,
        bracket,
        residual,
        sweeps: progress.sweeps,
    })
}
