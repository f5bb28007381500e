//! Free memory: how large a table may be before it is short, and that it goes back to the system.

use std::fs::read_to_string;

/// MiB that stay free for everything but the table.
const RESERVE: u64 = 64;

/// MiB of address space of a search thread: its stack, and an arena of the allocator.
const THREAD_ADDRESSES: u64 = 100;

/// MiB that a search thread touches of it, generously.
const THREAD_MEMORY: u64 = 4;

/// The size in bytes from which memory is mapped on its own: the one that glibc begins with.
#[cfg(all(feature = "engine", target_os = "linux", target_env = "gnu"))]
const MAPPED_FROM: std::ffi::c_int = 128 << 10;

/// Makes the allocator give memory of 128 KiB or more back to the system as soon as it is freed;
/// whether it does.
///
/// Left alone, glibc raises that bound to 32 MiB once such memory was freed, and each of its arenas
/// may keep as much: after some solved endings of Por'rika 240 MiB stayed that nobody used.
#[cfg(all(feature = "engine", target_os = "linux", target_env = "gnu"))]
#[must_use]
pub fn return_when_freed() -> bool {
    use nix::libc::{M_MMAP_THRESHOLD, mallopt};
    // SAFETY: `mallopt` takes the allocator's lock, and any threshold is one that it can work
    // with; memory that is in use stays as it is.
    unsafe { mallopt(M_MMAP_THRESHOLD, MAPPED_FROM) != 0 }
}

/// Other allocators know no such bound.
#[cfg(all(feature = "engine", not(all(target_os = "linux", target_env = "gnu"))))]
pub fn return_when_freed() -> bool {
    false
}

/// The largest table in MiB that fits into memory now beside further search threads, counting what
/// this process would release; `None` where the system does not say.
#[must_use]
pub fn largest_table(threads: u64) -> Option<u64> {
    let beside = |free: u64, thread: u64| to_spend(free).saturating_sub(threads * thread);
    let addresses = address_space().map(|free| beside(free, THREAD_ADDRESSES));
    addresses.into_iter().chain(physical().map(|free| beside(free, THREAD_MEMORY))).min()
}

/// The most search threads that fit into memory now beside a table of `table` MiB, counting what this
/// process would release: `held` threads, and their table if there are any. `None` where the system
/// does not say.
#[must_use]
pub fn most_threads(table: u64, held: u64) -> Option<u64> {
    let of = |free: u64, thread: u64| free.saturating_sub(table) / thread;
    let released = if held > 0 { table + held * THREAD_ADDRESSES } else { 0 };
    let addresses = address_space().map(|free| of(to_spend(free) + released, THREAD_ADDRESSES));
    let physical = physical().map(|free| of(to_spend(free), THREAD_MEMORY));
    addresses.into_iter().chain(physical).min()
}

/// How much of `free` bytes may be used up, in MiB.
fn to_spend(free: u64) -> u64 {
    (free >> 20).saturating_sub(RESERVE)
}

/// Bytes of memory that are free or in use by this process.
fn physical() -> Option<u64> {
    let own = resident().unwrap_or(0);
    let machine = field("/proc/meminfo", "MemAvailable:").map(|kib| kib * 1024 + own);
    machine.into_iter().chain(control_group(own)).min()
}

/// The number behind a name.
fn field(path: &str, name: &str) -> Option<u64> {
    let text = read_to_string(path).ok()?;
    let line = text.lines().find_map(|line| line.strip_prefix(name))?;
    line.split_whitespace().next()?.parse().ok()
}

/// Bytes in memory that this process has written.
fn resident() -> Option<u64> {
    field("/proc/self/status", "RssAnon:").map(|kib| kib * 1024)
}

/// Bytes that `ulimit -v` leaves, if there is such a limit.
fn address_space() -> Option<u64> {
    let limit = field("/proc/self/limits", "Max address space")?;
    let used = field("/proc/self/status", "VmSize:")? * 1024;
    Some(limit.saturating_sub(used))
}

/// Bytes that the control group leaves, if it has a limit: in a container.
fn control_group(own: u64) -> Option<u64> {
    let number = |name: &str| -> Option<u64> {
        let text = read_to_string(format!("/sys/fs/cgroup/{name}")).ok()?;
        text.trim().parse().ok()
    };
    Some(number("memory.max")?.saturating_sub(number("memory.current")?) + own)
}

#[cfg(all(test, target_os = "linux", target_env = "gnu"))]
mod tests {
    /// Memory that is mapped on its own begins 16 bytes into a page.
    fn is_mapped(memory: &[u8]) -> bool {
        memory.as_ptr() as usize % 4096 == 16
    }

    /// In a process of its own: in this one other tests leave freed memory to the allocator, and
    /// large blocks may come from there.
    #[test]
    fn freed_memory_leaves_large_memory_mapped() {
        const ALONE: &str = "PARLOR_TEST_ALONE";
        if std::env::var_os(ALONE).is_none() {
            let name = "free_memory::tests::freed_memory_leaves_large_memory_mapped";
            let mut alone = std::process::Command::new(std::env::current_exe().unwrap());
            assert!(alone.args(["--exact", name]).env(ALONE, "").status().unwrap().success());
            return;
        }
        if !super::return_when_freed() {
            // A sanitizer has an allocator of its own.
            return;
        }
        drop(std::hint::black_box(vec![1_u8; 24 << 20]));
        let blocks: Vec<Vec<u8>> = (0..8).map(|_| vec![1; 1 << 20]).collect();
        assert!(blocks.iter().all(|block| is_mapped(block)));
    }
}
