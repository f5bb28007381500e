//! Threads that work side by side: all of them, or none.

use std::thread::{Builder, Scope};

use anyhow::{Result, anyhow};
use crossbeam_channel::bounded;

/// Starts a thread for each of some jobs, as many as an option asks for. No job begins before there
/// is a thread for every one.
///
/// # Errors
/// When the system gives fewer threads: how many it gives.
pub(in crate::runner) fn start_all<'scope, J: Send + 'scope>(
    scope: &'scope Scope<'scope, '_>,
    option: &str,
    jobs: Vec<J>,
    work: impl Fn(J) + Copy + Send + 'scope,
) -> Result<()> {
    let wanted = jobs.len();
    let (gate, opened) = bounded(wanted);
    for (started, job) in jobs.into_iter().enumerate() {
        let opened = opened.clone();
        let run = move || {
            // The gate is closed unopened where not all could be started.
            if opened.recv().is_ok() {
                work(job);
            }
        };
        Builder::new().name("slot".into()).spawn_scoped(scope, run).map_err(|error| {
            anyhow!("{option} {wanted} needs more threads than the system gives ({error}); {started} would fit")
        })?;
    }
    (0..wanted).try_for_each(|_| gate.send(()))?;
    Ok(())
}

/// Whether there are as many threads: asked before files are begun.
///
/// # Errors
/// When the system gives fewer.
pub(in crate::runner) fn ensure_threads(option: &str, wanted: usize) -> Result<()> {
    std::thread::scope(|scope| start_all(scope, option, vec![(); wanted], |()| ()))
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};

    use super::*;

    #[test]
    fn every_job_is_done_once() {
        let sum = AtomicUsize::new(0);
        let add = |job: usize| {
            sum.fetch_add(job, Ordering::Relaxed);
        };
        std::thread::scope(|scope| start_all(scope, "-j", vec![1, 20, 300], add)).unwrap();
        assert_eq!(sum.into_inner(), 321);
    }
}
