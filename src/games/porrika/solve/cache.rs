//! The tablebase of a game in progress: generated in the background, probed by the search.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError, RwLock};
use std::thread::{Builder, JoinHandle};
use std::time::Duration;

use super::tablebase::{SolveError, Tablebase, Verdict};
use crate::games::porrika::rules::board::Set;
use crate::games::porrika::rules::{Position, Side};
use crate::search::{Bound, KnownValue, Score};

/// How often a search that waits for a tablebase checks whether it was stopped.
const POLL_INTERVAL: Duration = Duration::from_millis(5);

/// Spaces of the locked pairs in an ending that is worth a tablebase.
const LOCKED: u32 = 6;

/// Held while a tablebase is generated, which takes 150 MB: one at a time.
static GENERATING: Mutex<()> = Mutex::new(());

/// Holds the tablebase of the walls in play once it is generated.
#[derive(Default)]
pub(crate) struct TablebaseCache {
    tablebase: RwLock<Option<Arc<Tablebase>>>,
    job: Mutex<Option<Job>>,
}

impl std::fmt::Debug for TablebaseCache {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("TablebaseCache").field("walls", &self.walls()).finish()
    }
}

/// A generation in the background.
struct Job {
    walls: Set,
    cancelled: Arc<AtomicBool>,
    thread: JoinHandle<()>,
}

impl TablebaseCache {
    /// The walls of the tablebase it holds.
    fn walls(&self) -> Option<Set> {
        let tablebase = self.tablebase.read().unwrap_or_else(PoisonError::into_inner);
        tablebase.as_ref().map(|tablebase| tablebase.walls())
    }

    /// Starts generating the tablebase of a position with three locked pairs, unless it is held or
    /// being generated already.
    pub(crate) fn prepare(self: &Arc<Self>, position: &Position, threads: usize) {
        let Ok(walls) = Tablebase::walls_of(position) else { return };
        if walls.count_ones() != LOCKED || self.walls() == Some(walls) {
            return;
        }
        let mut job = self.job.lock().unwrap_or_else(PoisonError::into_inner);
        if job.as_ref().is_some_and(|job| job.walls == walls) {
            return;
        }
        cancel(job.take());
        let cancelled = Arc::new(AtomicBool::new(false));
        let (cache, flag) = (Arc::downgrade(self), cancelled.clone());
        let spawned = Builder::new().name("tablebase".into()).spawn(move || {
            // What another one took is given back first.
            let _only = GENERATING.lock().unwrap_or_else(PoisonError::into_inner);
            let stopped = || flag.load(Ordering::Relaxed);
            if stopped() {
                return;
            }
            let solved = Tablebase::solve(walls, threads, &stopped, &mut |_, _| ());
            let tablebase = match solved {
                Ok(tablebase) => tablebase,
                Err(SolveError::Stopped) => return,
                Err(error) => return log::warn!("no tablebase: {error}"),
            };
            if let Some(cache) = cache.upgrade() {
                let mut held = cache.tablebase.write().unwrap_or_else(PoisonError::into_inner);
                *held = Some(Arc::new(tablebase));
            }
        });
        match spawned {
            Ok(thread) => *job = Some(Job { walls, cancelled, thread }),
            Err(error) => log::warn!("no thread to generate the tablebase: {error}"),
        }
    }

    /// Waits until the generation has ended or `stopped` returns true.
    pub(crate) fn wait(&self, stopped: impl Fn() -> bool) {
        let finished = || {
            let job = self.job.lock().unwrap_or_else(PoisonError::into_inner);
            job.as_ref().is_none_or(|job| job.thread.is_finished())
        };
        while !finished() && !stopped() {
            std::thread::sleep(POLL_INTERVAL);
        }
    }

    /// The exact value of a position, or a bound, for its side to move.
    pub(crate) fn probe(&self, position: &Position) -> Option<KnownValue> {
        if position.locked().count_ones() != LOCKED {
            return None;
        }
        let tablebase = self.tablebase.read().unwrap_or_else(PoisonError::into_inner);
        let verdict = tablebase.as_ref()?.probe(position)?;
        Some(search_value(verdict, position))
    }
}

impl Drop for TablebaseCache {
    fn drop(&mut self) {
        let job = self.job.get_mut().unwrap_or_else(PoisonError::into_inner);
        cancel(job.take());
    }
}

/// Cancels a generation. Nobody waits for its end: a client may be waiting for an answer.
fn cancel(job: Option<Job>) {
    if let Some(job) = job {
        job.cancelled.store(true, Ordering::Relaxed);
    }
}

/// A verdict as a value for the search.
fn search_value(verdict: Verdict, position: &Position) -> KnownValue {
    let sign = if position.side() == Side::Copper { 1 } else { -1 };
    let exact = |score| KnownValue { score, bound: Bound::Exact };
    match verdict {
        Verdict::CopperWins(plies) => exact(Score::Mate(sign * plies as i32)),
        Verdict::SilverWins(plies) => exact(Score::Mate(-sign * plies as i32)),
        Verdict::Drawn if !position.options().repetition_wins => exact(Score::Cp(0)),
        // Under these rules copper loses when positions repeat.
        Verdict::Drawn if sign > 0 => KnownValue { score: Score::Cp(0), bound: Bound::Upper },
        Verdict::Drawn => KnownValue { score: Score::Cp(0), bound: Bound::Lower },
    }
}
