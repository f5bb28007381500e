//! How large a table may be before memory is short.

use std::fs::read_to_string;

/// MiB that stay free for everything but the table.
const RESERVE: u64 = 64;

/// The largest table in MiB that fits into memory now, counting what this process would release;
/// `None` where the system does not say.
pub(super) fn largest_table() -> Option<u64> {
    let own = resident().unwrap_or(0);
    let free = [
        field("/proc/meminfo", "MemAvailable:").map(|kib| kib * 1024 + own),
        address_space(),
        control_group(own),
    ];
    let least = free.into_iter().flatten().min()?;
    Some((least >> 20).saturating_sub(RESERVE))
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
