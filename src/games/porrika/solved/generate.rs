//! Generating a tablebase by retrograde analysis: what the analyses of all endings share.
//!
//! Each pass finds the states that are decided in exactly one ply more than the pass before. When a
//! pass finds nothing, the remaining states are drawn.

use super::verdict::{MAX_HALVES, MAX_PLIES};
use crate::free_memory;
use crate::games::porrika::rules::board::{BOARD, Set, spaces};

/// Why no tablebase was generated.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum SolveError {
    /// Two eggs are not on their way.
    #[error(
        "with one E home an ending is up to 2 billion states, solved beforehand: give its table"
    )]
    LastEgg,
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
pub struct Job<'a> {
    /// How many threads it takes.
    pub threads: usize,
    /// Asked many times a millisecond.
    pub stopped: &'a (dyn Fn() -> bool + Sync),
    /// Gets a ply and the number of states decided at it.
    pub progress: &'a mut (dyn FnMut(u32, u64) + Send),
}

impl Job<'_> {
    /// Runs an analysis on threads of its own, unless the bytes that it takes are not free.
    ///
    /// # Errors
    /// When memory is short, when no threads could be started, and those of the analysis.
    pub fn run<T: Send>(
        mut self,
        bytes: u64,
        analysis: impl FnOnce(&mut Self) -> Result<T, SolveError> + Send,
    ) -> Result<T, SolveError> {
        let threads = self.threads.max(1);
        let needed = (bytes >> 20) + PER_THREAD * threads as u64;
        if let Some(free) = free_memory::largest_table(0).filter(|free| *free < needed) {
            return Err(SolveError::NoMemory { needed, free });
        }
        let pool = rayon::ThreadPoolBuilder::new()
            .num_threads(threads)
            .build()
            .map_err(|_| SolveError::NoThreads)?;
        pool.install(|| analysis(&mut self))
    }

    /// Calls `decide`, which returns the number of states it has decided, for every ply until a ply
    /// decides none.
    ///
    /// # Errors
    /// When it was stopped, or when a distance is too great for a byte.
    pub fn every_ply(&mut self, mut decide: impl FnMut(u32) -> u64) -> Result<(), SolveError> {
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

/// For each space: the spaces from which a Ser'ra moves to it.
#[must_use]
pub fn predecessors() -> [Set; 128] {
    let mut predecessors = [0; 128];
    for from in spaces(BOARD) {
        for to in spaces(from.reach()) {
            predecessors[to.index()] |= from.bit();
        }
    }
    predecessors
}

/// The spaces from which a Ser'ra moves into a set.
#[must_use]
pub fn sources(predecessors: &[Set; 128], set: Set) -> Set {
    spaces(set).fold(0, |all, to| all | predecessors[to.index() & 127])
}
