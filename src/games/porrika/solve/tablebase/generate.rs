//! What the analyses of all endings share.

use super::values::Values;
use super::{Tablebase, last_egg, two_eggs};
use crate::free_memory;
use crate::games::porrika::rules::board::{BOARD, Set, spaces};
use crate::games::porrika::solve::ending::{Ending, FreePieces, Layout};
use crate::games::porrika::solve::verdict::{MAX_HALVES, MAX_PLIES};

/// Why no tablebase was generated.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum SolveError {
    /// The caller stopped it.
    #[error("stopped")]
    Stopped,
    /// A distance does not fit into a byte.
    #[error("a win takes more plies than the table can store")]
    TooLong,
    /// The system would kill the process.
    #[error("it takes {needed} MiB of memory, and {free} are free")]
    NoMemory {
        /// MiB that the analysis takes.
        needed: u64,
        /// MiB that are free.
        free: u64,
    },
    /// No threads could be started.
    #[error("no threads could be started")]
    NoThreads,
}

/// MiB of address space that an allocator may reserve for a thread, as glibc does.
const PER_THREAD: u64 = 64;

/// A generation as its caller wants it.
pub(super) struct Job<'a> {
    /// Asked many times a millisecond.
    pub(super) stopped: &'a (dyn Fn() -> bool + Sync),
    /// Gets a ply and the number of states decided at it.
    pub(super) progress: &'a mut (dyn FnMut(u32, u64) + Send),
}

impl Job<'_> {
    /// Calls `decide`, which returns the number of states it has decided, for every ply until a ply
    /// decides none.
    pub(super) fn every_ply(
        &mut self,
        mut decide: impl FnMut(u32) -> u64,
    ) -> Result<(), SolveError> {
        for ply in 1.. {
            let found = decide(ply);
            // What was stopped is not whole.
            if (self.stopped)() {
                return Err(SolveError::Stopped);
            }
            if found == 0 {
                break;
            }
            if ply > MAX_PLIES.min(2 * MAX_HALVES) {
                return Err(SolveError::TooLong);
            }
            (self.progress)(ply, found);
        }
        Ok(())
    }
}

impl Tablebase {
    /// Generates the tablebase of an ending. After each ply `progress` gets the ply and the number of
    /// states decided at it. `stopped` is asked many times a millisecond.
    ///
    /// # Errors
    /// When it was stopped, when memory is short, or when a distance is too great for a byte.
    pub fn solve(
        ending: Ending,
        threads: usize,
        stopped: &(dyn Fn() -> bool + Sync),
        progress: &mut (dyn FnMut(u32, u64) + Send),
    ) -> Result<Tablebase, SolveError> {
        let layout = Layout::new(ending);
        let bytes = match ending.free() {
            FreePieces::TwoEggs => two_eggs::memory(&layout.places),
            FreePieces::LastEgg { guardians, .. } => last_egg::memory(&layout, guardians),
        };
        let needed = (bytes >> 20) + PER_THREAD * threads.max(1) as u64;
        if let Some(free) = free_memory::largest_table().filter(|free| *free < needed) {
            return Err(SolveError::NoMemory { needed, free });
        }
        let pool = rayon::ThreadPoolBuilder::new()
            .num_threads(threads.max(1))
            .build()
            .map_err(|_| SolveError::NoThreads)?;
        let mut job = Job { stopped, progress };
        let values = pool.install(|| match ending.free() {
            FreePieces::TwoEggs => two_eggs::solve(layout.places.clone(), &mut job),
            FreePieces::LastEgg { guardians, .. } => last_egg::solve(&layout, guardians, &mut job),
        })?;
        Ok(Tablebase { layout, values: Values::Memory(values) })
    }
}

/// For each space: the spaces from which a Ser'ra moves to it.
pub(super) fn predecessors() -> [Set; 128] {
    let mut predecessors = [0; 128];
    for from in spaces(BOARD) {
        for to in spaces(from.reach()) {
            predecessors[to.index()] |= from.bit();
        }
    }
    predecessors
}

/// The spaces from which a Ser'ra moves into a set.
pub(super) fn sources(predecessors: &[Set; 128], set: Set) -> Set {
    spaces(set).fold(0, |all, to| all | predecessors[to.index() & 127])
}
