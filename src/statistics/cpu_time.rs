//! Time as the processor spent it on one thread.

use std::time::Duration;

use nix::time::{ClockId, clock_gettime};

/// The processor time the calling thread has used so far: what other programs take of the machine
/// does not count. Zero where the system cannot tell.
pub fn cpu_time() -> Duration {
    clock_gettime(ClockId::CLOCK_THREAD_CPUTIME_ID).map_or(Duration::ZERO, Duration::from)
}
