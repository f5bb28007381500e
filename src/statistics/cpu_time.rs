//! The processor time of a thread.

use std::time::Duration;

use nix::time::{ClockId, clock_gettime};

/// The processor time that the calling thread has used so far; the load of other programs does not
/// count. Zero where the system does not say.
#[must_use]
pub fn cpu_time() -> Duration {
    clock_gettime(ClockId::CLOCK_THREAD_CPUTIME_ID).map_or(Duration::ZERO, Duration::from)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_work_takes_processor_time() {
        let begun = cpu_time();
        std::thread::sleep(Duration::from_millis(200));
        assert!(cpu_time() - begun < Duration::from_millis(100));
        let mut sum = 0_u64;
        while cpu_time() == begun || sum == 0 {
            sum = std::hint::black_box(sum.wrapping_add(1).max(1));
        }
    }
}
