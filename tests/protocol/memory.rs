//! The memory of a process, as Linux reports it.

/// A field of `/proc/PROCESS/status` in KiB: `VmRSS` is the resident memory now, `VmHWM` its peak.
/// The process must not have ended.
pub fn memory(process: u32, field: &str) -> u64 {
    let status = std::fs::read_to_string(format!("/proc/{process}/status")).expect("a process");
    let line = status.lines().find_map(|line| line.strip_prefix(field)?.strip_prefix(':'));
    line.expect("the field").trim().trim_end_matches(" kB").parse().expect("a number")
}
