//! Ctrl-C, and the process groups that must not outlive us.
//!
//! The first Ctrl-C lets running games end, the second (or a request to terminate) stops at once:
//! every engine's process group is killed, which wakes whoever waits for one of them.

use std::collections::BTreeSet;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

use nix::sys::signal::{Signal, killpg};
use nix::unistd::Pid;
use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
use signal_hook::iterator::Signals;

static REQUESTS: AtomicUsize = AtomicUsize::new(0);
static GROUPS: Mutex<BTreeSet<u32>> = Mutex::new(BTreeSet::new());

fn groups() -> MutexGuard<'static, BTreeSet<u32>> {
    GROUPS.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Starts listening for signals; `told` is called with the number of requests so far.
///
/// # Errors
/// When the handlers cannot be installed.
pub(crate) fn listen(told: impl Fn(usize) + Send + 'static) -> std::io::Result<()> {
    let mut signals = Signals::new([SIGINT, SIGTERM, SIGHUP])?;
    std::thread::spawn(move || {
        for signal in signals.forever() {
            let step = if signal == SIGINT { 1 } else { 2 };
            let requests = REQUESTS.fetch_add(step, Ordering::SeqCst) + step;
            if requests >= 2 {
                kill_all();
            }
            told(requests);
        }
    });
    Ok(())
}

/// Whether no new game is to be started.
pub(crate) fn finishing() -> bool {
    REQUESTS.load(Ordering::SeqCst) >= 1
}

/// Whether games in progress are to be given up.
pub(crate) fn stopping_now() -> bool {
    REQUESTS.load(Ordering::SeqCst) >= 2
}

/// Notes the process group that a started process leads.
pub(crate) fn register(leader: u32) {
    groups().insert(leader);
    if stopping_now() {
        kill_group(leader);
    }
}

/// Forgets a group; call it before its leader is reaped.
pub(crate) fn forget(leader: u32) {
    groups().remove(&leader);
}

/// Kills a process group whose leader has not been reaped yet.
pub(crate) fn kill_group(leader: u32) {
    if let Ok(id) = i32::try_from(leader) {
        // A group that is already gone is what was wanted.
        let _ = killpg(Pid::from_raw(id), Signal::SIGKILL);
    }
}

fn kill_all() {
    for &leader in groups().iter() {
        kill_group(leader);
    }
}
