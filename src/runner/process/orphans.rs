//! Processes that an engine started and that left its process group.
//!
//! `parlor` is a child subreaper where the system has that (Linux): what an engine leaves behind
//! becomes a child of `parlor`. A variable in the environment tells whose it is, so that it ends with
//! its engine and not before. One that has lost the variable, and its parent too, is nobody's: it ends
//! when no engine runs any more.

use std::collections::BTreeSet;
use std::process::Command;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, OnceLock, PoisonError};
use std::time::{Duration, SystemTime};

use nix::sys::signal::{Signal, kill};
use nix::sys::wait::{WaitPidFlag, waitpid};
use nix::unistd::Pid;

use super::interrupt;
use super::proc_files::{self, Identity};
use super::sweeper::{self, VARIABLE};

/// Attempts to end what is left: whatever a killed process had started comes with the next one.
const ATTEMPTS: usize = 100;

/// The children that this process had before it started an engine: who starts a program may have left
/// it some.
static EARLIER: OnceLock<Vec<Identity>> = OnceLock::new();

/// A value of [`VARIABLE`] for one engine process.
pub(super) fn mark() -> String {
    static OURS: OnceLock<String> = OnceLock::new();
    static NUMBER: AtomicU64 = AtomicU64::new(0);
    let ours = OURS.get_or_init(|| {
        // The id alone may be given to a later process.
        let time = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default();
        let ours = format!("{}-{:x}-", std::process::id(), time.as_nanos());
        EARLIER.get_or_init(|| proc_files::descendants(std::process::id()));
        adopt();
        sweeper::start(&ours);
        ours
    });
    format!("{ours}{}", NUMBER.fetch_add(1, Ordering::Relaxed))
}

/// Marks a command as no engine: what it starts, such as a browser, may outlive the engines.
pub(in crate::runner) fn set_apart(command: &mut Command) -> &mut Command {
    command.env(VARIABLE, "none")
}

/// Makes this process the parent of orphans.
fn adopt() {
    // Where the system refuses, orphans live on, as without it.
    #[cfg(target_os = "linux")]
    let _ = nix::sys::prctl::set_child_subreaper(true);
}

/// Ends everything that a process with this mark, itself ended, has left behind: what still carries the
/// mark, and its `family`, those who descended from it while it ran.
pub(super) fn end(mark: &str, family: &[Identity]) {
    for &(process, started) in family {
        if proc_files::started(process) == Some(started) {
            // It may have ended by itself.
            let _ = kill(id(process), Signal::SIGKILL);
        }
    }
    for _ in 0..ATTEMPTS {
        let children = proc_files::children("self");
        let alone = interrupt::none_registered();
        let left: Vec<u32> = children
            .iter()
            .copied()
            .filter(|&child| !interrupt::is_registered(child))
            .filter(|&child| is_marked(child, mark) || alone && is_nobodys(child))
            .collect();
        reap(&children);
        if left.is_empty() {
            return;
        }
        for &child in &left {
            let _ = kill(id(child), Signal::SIGKILL);
        }
        std::thread::sleep(Duration::from_millis(1));
        for &child in &left {
            let _ = waitpid(id(child), Some(WaitPidFlag::WNOHANG));
        }
    }
}

/// Takes the exit status of adopted processes that ended by themselves: of those that had ended
/// when it was last called. An engine that is just being started is never among them.
fn reap(children: &[u32]) {
    static ENDED: Mutex<BTreeSet<u32>> = Mutex::new(BTreeSet::new());
    let mut ended = ENDED.lock().unwrap_or_else(PoisonError::into_inner);
    let now = children.iter().copied();
    let now: BTreeSet<u32> = now
        .filter(|&child| !interrupt::is_registered(child) && proc_files::is_zombie(child))
        .collect();
    for &child in now.intersection(&ended) {
        let _ = waitpid(id(child), Some(WaitPidFlag::WNOHANG));
    }
    *ended = now;
}

fn id(process: u32) -> Pid {
    Pid::from_raw(i32::try_from(process).unwrap_or(i32::MAX))
}

/// Whether a process was started with a mark in its environment.
fn is_marked(process: u32, mark: &str) -> bool {
    let environment = proc_files::environment(process).unwrap_or_default();
    proc_files::values(&environment, VARIABLE).any(|value| value == mark.as_bytes())
}

/// Whether a child was adopted and says nothing of where it came from. All that `parlor` itself starts
/// carries the variable.
fn is_nobodys(child: u32) -> bool {
    let Some(environment) = proc_files::environment(child) else { return false };
    let started = proc_files::started(child);
    let is_earlier = |(process, at): &Identity| *process == child && Some(*at) == started;
    sweeper::is_enabled()
        && !proc_files::has_variable(&environment, VARIABLE, "")
        && !proc_files::is_zombie(child)
        && !EARLIER.get().is_some_and(|earlier| earlier.iter().any(is_earlier))
        && !is_being_started(child, &environment)
}

/// Whether a child is a copy of this process that has not become another program yet.
fn is_being_started(child: u32, environment: &[u8]) -> bool {
    let program = |process: &str| std::fs::read_link(format!("/proc/{process}/exe")).ok();
    let ours = proc_files::environment(std::process::id());
    ours.as_deref() == Some(environment) && program("self") == program(&child.to_string())
}
