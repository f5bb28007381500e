//! The limit on open files: a match that would reach it would blame engines that cannot be started.

use anyhow::{Result, ensure};

use super::setup::Setup;

/// Files that `parlor` has open besides the pipes of its engines.
const OWN: usize = 13;

/// Files open for a moment in a slot while it starts a process.
const STARTING: usize = 4;

/// Refuses a match whose engines need more open files than this process may have.
///
/// # Errors
/// That, with the number of games at a time that would fit.
pub(super) fn ensure_enough(setup: &Setup) -> Result<()> {
    let Some(limit) = limit() else { return Ok(()) };
    // Every process has a pipe for its input and one for its output.
    let others = [setup.plan.analyst.is_some(), setup.plan.adjudicator.is_some()];
    let processes = setup.seats() + 1 + others.into_iter().filter(|there| *there).count();
    let slot = 2 * processes + STARTING;
    let wanted = setup.plan.run.concurrency;
    let fitting = limit.saturating_sub(OWN) / slot;
    ensure!(
        wanted <= fitting,
        "--concurrency {wanted} needs {} open files; the limit of this process is {limit}, enough for \
         {fitting}: raise it (ulimit -n) or play fewer games at a time",
        OWN + slot * wanted
    );
    Ok(())
}

/// How many files this process may have open, where the system says so.
fn limit() -> Option<usize> {
    let limits = std::fs::read_to_string("/proc/self/limits").ok()?;
    let line = limits.lines().find_map(|line| line.strip_prefix("Max open files"))?;
    line.split_whitespace().next()?.parse().ok()
}
