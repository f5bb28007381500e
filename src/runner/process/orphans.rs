//! Processes that an engine started and that left its process group.
//!
//! `parlor` is a child subreaper where the system has that (Linux): what an engine leaves behind
//! becomes a child of `parlor`. A variable in the environment tells whose it is, so that it ends with
//! its engine and not before.

use std::collections::BTreeSet;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, OnceLock, PoisonError};
use std::time::{Duration, SystemTime};

use nix::sys::signal::{Signal, kill};
use nix::sys::wait::{WaitPidFlag, waitpid};
use nix::unistd::Pid;

use super::interrupt;
use super::sweeper::{self, VARIABLE};

/// Attempts to end what is left: whatever a killed process had started comes with the next one.
const ATTEMPTS: usize = 100;

/// A value of [`VARIABLE`] for one engine process.
pub(super) fn mark() -> String {
    static OURS: OnceLock<String> = OnceLock::new();
    static NUMBER: AtomicU64 = AtomicU64::new(0);
    let ours = OURS.get_or_init(|| {
        // The id alone may be given to a later process.
        let time = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default();
        let ours = format!("{}-{:x}-", std::process::id(), time.as_nanos());
        adopt();
        sweeper::start(&ours);
        ours
    });
    format!("{ours}{}", NUMBER.fetch_add(1, Ordering::Relaxed))
}

/// Makes this process the parent of orphans.
fn adopt() {
    // Where the system refuses, orphans live on, as without it.
    #[cfg(target_os = "linux")]
    let _ = nix::sys::prctl::set_child_subreaper(true);
}

/// Ends everything that a process with this mark, itself ended, has left behind.
pub(super) fn end(mark: &str) {
    let entry = format!("{VARIABLE}={mark}");
    for _ in 0..ATTEMPTS {
        let children = children();
        let left: Vec<u32> = children
            .iter()
            .copied()
            .filter(|&child| !interrupt::is_registered(child) && has_variable(child, &entry))
            .collect();
        reap(&children);
        if left.is_empty() {
            return;
        }
        for &child in &left {
            // It may have ended by itself.
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
    let now: BTreeSet<u32> =
        now.filter(|&child| !interrupt::is_registered(child) && is_zombie(child)).collect();
    for &child in now.intersection(&ended) {
        let _ = waitpid(id(child), Some(WaitPidFlag::WNOHANG));
    }
    *ended = now;
}

fn id(process: u32) -> Pid {
    Pid::from_raw(i32::try_from(process).unwrap_or(i32::MAX))
}

/// The children of this process; none where the system does not list them.
fn children() -> Vec<u32> {
    let Ok(threads) = std::fs::read_dir("/proc/self/task") else { return Vec::new() };
    let lists = threads
        .flatten()
        .filter_map(|thread| std::fs::read_to_string(thread.path().join("children")).ok());
    lists
        .flat_map(|list| {
            list.split_whitespace().filter_map(|word| word.parse().ok()).collect::<Vec<u32>>()
        })
        .collect()
}

/// Whether a process was started with an entry in its environment.
fn has_variable(process: u32, entry: &str) -> bool {
    let environment = std::fs::read(format!("/proc/{process}/environ")).unwrap_or_default();
    environment.split(|&byte| byte == 0).any(|found| found == entry.as_bytes())
}

fn is_zombie(process: u32) -> bool {
    let stat = std::fs::read_to_string(format!("/proc/{process}/stat")).unwrap_or_default();
    // The name in parentheses may hold anything.
    stat.rsplit(')').next().is_some_and(|rest| rest.trim_start().starts_with('Z'))
}
