//! Ctrl-C, a closed output, and the process groups that must not outlive `parlor`.
//!
//! The first Ctrl-C lets running games finish, the second (or SIGTERM, SIGHUP) stops at once: every
//! engine's process group is killed, which wakes the threads that wait for one of them.

use std::collections::BTreeSet;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

use nix::sys::signal::{Signal, killpg};
use nix::unistd::Pid;
use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
use signal_hook::iterator::Signals;

use crate::output_guard;

/// Exit code: nobody read the output.
const OUTPUT_CLOSED: i32 = 0;

static REQUESTS: AtomicUsize = AtomicUsize::new(0);
static GROUPS: Mutex<BTreeSet<u32>> = Mutex::new(BTreeSet::new());

fn groups() -> MutexGuard<'static, BTreeSet<u32>> {
    GROUPS.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Starts listening for signals; `notify` is called with the number of requests received.
///
/// # Errors
/// When the handlers cannot be installed.
pub(crate) fn listen(notify: impl Fn(usize) + Send + 'static) -> std::io::Result<()> {
    let mut signals = Signals::new([SIGINT, SIGTERM, SIGHUP])?;
    std::thread::Builder::new().name("signals".into()).spawn(move || {
        for signal in signals.forever() {
            let step = if signal == SIGINT { 1 } else { 2 };
            let requests = REQUESTS.fetch_add(step, Ordering::SeqCst) + step;
            if requests >= 2 {
                kill_all();
            }
            notify(requests);
        }
    })?;
    Ok(())
}

/// Stops at once, as SIGTERM does, as soon as nobody reads standard output any more; then calls
/// `notify`.
///
/// # Errors
/// When the system starts no thread.
pub(crate) fn stop_when_output_closes(
    notify: impl FnOnce() + Send + 'static,
) -> std::io::Result<()> {
    output_guard::watch(move || {
        REQUESTS.fetch_add(2, Ordering::SeqCst);
        kill_all();
        notify();
    })
}

/// Ends `parlor` and its engines as soon as nobody reads standard output any more: for work whose
/// result is what it prints.
///
/// # Errors
/// When the system starts no thread.
pub(crate) fn exit_when_output_closes() -> std::io::Result<()> {
    stop_when_output_closes(|| std::process::exit(OUTPUT_CLOSED))
}

/// Whether no further game is to be started.
pub(crate) fn finishing() -> bool {
    REQUESTS.load(Ordering::SeqCst) >= 1
}

/// Whether games in progress are to be abandoned.
pub(crate) fn stopping_now() -> bool {
    REQUESTS.load(Ordering::SeqCst) >= 2
}

/// Registers the process group of a started process.
pub(crate) fn register(leader: u32) {
    groups().insert(leader);
    if stopping_now() {
        kill_group(leader);
    }
}

/// Whether a process is the registered leader of a group.
pub(crate) fn is_registered(leader: u32) -> bool {
    groups().contains(&leader)
}

/// Engines that are being started: not registered yet.
static STARTING: AtomicUsize = AtomicUsize::new(0);

/// Counts an engine as being started while it lives: until its group is registered.
pub(crate) struct Starting(());

impl Starting {
    pub(crate) fn new() -> Self {
        STARTING.fetch_add(1, Ordering::SeqCst);
        Starting(())
    }
}

impl Drop for Starting {
    fn drop(&mut self) {
        STARTING.fetch_sub(1, Ordering::SeqCst);
    }
}

/// Whether no engine runs or is being started. Of children that were listed before, none is then an
/// engine.
pub(crate) fn none_registered() -> bool {
    // In this order: whoever starts no more has registered.
    STARTING.load(Ordering::SeqCst) == 0 && groups().is_empty()
}

/// Forgets a group; call it before its leader is reaped.
pub(crate) fn forget(leader: u32) {
    groups().remove(&leader);
}

/// Kills a process group whose leader has not been reaped yet.
pub(crate) fn kill_group(leader: u32) {
    if let Ok(id) = i32::try_from(leader) {
        // The group may have ended already.
        let _ = killpg(Pid::from_raw(id), Signal::SIGKILL);
    }
}

/// Kills every engine that still runs, and lets none start any more.
#[cfg(feature = "board")]
pub(crate) fn kill_remaining() {
    REQUESTS.fetch_add(2, Ordering::SeqCst);
    kill_all();
}

fn kill_all() {
    for &leader in groups().iter() {
        kill_group(leader);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_engine_that_is_being_started_is_not_none() {
        // Other tests start engines meanwhile: that there are none cannot be asserted.
        let _starting = Starting::new();
        assert!(!none_registered());
    }
}
