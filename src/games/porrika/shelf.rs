//! The solved ending of a game in progress: worked out in the background, asked by the search.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError, RwLock};
use std::thread::{Builder, JoinHandle};
use std::time::Duration;

use super::board::Set;
use super::ending::{Ending, Verdict};
use super::position::{Position, Side};
use crate::search::{Bound, KnownValue, Score};

/// How often a search that waits for the table looks whether it was stopped.
const PATIENCE: Duration = Duration::from_millis(5);

/// Locked pairs of an ending, as a number of spaces.
const LOCKED: u32 = 6;

/// What the search may ask. It holds one ending, or none.
#[derive(Default)]
pub struct Shelf {
    ending: RwLock<Option<Arc<Ending>>>,
    work: Mutex<Option<Work>>,
}

impl std::fmt::Debug for Shelf {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Shelf").field("walls", &self.walls()).finish()
    }
}

/// An analysis in the background.
struct Work {
    walls: Set,
    cancelled: Arc<AtomicBool>,
    thread: JoinHandle<()>,
}

impl Shelf {
    /// The walls of the ending it holds.
    fn walls(&self) -> Option<Set> {
        let ending = self.ending.read().unwrap_or_else(PoisonError::into_inner);
        ending.as_ref().map(|ending| ending.walls())
    }

    /// Sees to it that the ending of a position is solved, or being solved, if it is one with three
    /// locked pairs.
    pub(super) fn prepare(self: &Arc<Self>, position: &Position, threads: usize) {
        let Ok(walls) = Ending::walls_of(position) else { return };
        if walls.count_ones() != LOCKED || self.walls() == Some(walls) {
            return;
        }
        let mut work = self.work.lock().unwrap_or_else(PoisonError::into_inner);
        if work.as_ref().is_some_and(|work| work.walls == walls) {
            return;
        }
        end(work.take());
        let cancelled = Arc::new(AtomicBool::new(false));
        let (shelf, flag) = (Arc::downgrade(self), cancelled.clone());
        let spawned = Builder::new().name("ending".into()).spawn(move || {
            let mut go_on = |_, _| !flag.load(Ordering::Relaxed);
            let Ok(ending) = Ending::solve(walls, threads, &mut go_on) else { return };
            if let Some(shelf) = shelf.upgrade() {
                let mut place = shelf.ending.write().unwrap_or_else(PoisonError::into_inner);
                *place = Some(Arc::new(ending));
            }
        });
        match spawned {
            Ok(thread) => *work = Some(Work { walls, cancelled, thread }),
            Err(error) => log::warn!("no thread to solve the ending: {error}"),
        }
    }

    /// Waits until what was begun is done, or `stopped` answers that it should not.
    pub(super) fn wait(&self, stopped: impl Fn() -> bool) {
        let finished = || {
            let work = self.work.lock().unwrap_or_else(PoisonError::into_inner);
            work.as_ref().is_none_or(|work| work.thread.is_finished())
        };
        while !finished() && !stopped() {
            std::thread::sleep(PATIENCE);
        }
    }

    /// What the ending says of a position, for its side to move.
    pub(super) fn known(&self, position: &Position) -> Option<KnownValue> {
        if position.locked().count_ones() != LOCKED {
            return None;
        }
        let ending = self.ending.read().unwrap_or_else(PoisonError::into_inner);
        let verdict = ending.as_ref()?.probe(position)?;
        Some(known(verdict, position))
    }
}

impl Drop for Shelf {
    fn drop(&mut self) {
        let work = self.work.get_mut().unwrap_or_else(PoisonError::into_inner);
        end(work.take());
    }
}

/// Ends an analysis without waiting for more than its present ply.
fn end(work: Option<Work>) {
    let Some(Work { cancelled, thread, .. }) = work else { return };
    cancelled.store(true, Ordering::Relaxed);
    // The thread itself may drop the last shelf; it cannot wait for itself.
    if thread.thread().id() != std::thread::current().id() {
        // A panic in there was printed already, and the game goes on without the table.
        let _ = thread.join();
    }
}

/// A verdict as the search understands it.
fn known(verdict: Verdict, position: &Position) -> KnownValue {
    let sign = if position.side() == Side::Copper { 1 } else { -1 };
    let exact = |score| KnownValue { score, bound: Bound::Exact };
    match verdict {
        Verdict::CopperWins(plies) => exact(Score::Mate(sign * plies as i32)),
        Verdict::SilverWins(plies) => exact(Score::Mate(-sign * plies as i32)),
        Verdict::Drawn if !position.rule_set().repetition_wins => exact(Score::Cp(0)),
        // Going round in circles loses for copper, some day.
        Verdict::Drawn if sign > 0 => KnownValue { score: Score::Cp(0), bound: Bound::Upper },
        Verdict::Drawn => KnownValue { score: Score::Cp(0), bound: Bound::Lower },
    }
}
