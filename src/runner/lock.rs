//! Files that one process at a time may write.

use std::fs::{File, TryLockError};
use std::io;
use std::os::unix::fs::MetadataExt;

/// Why a file is not locked.
#[derive(Debug, thiserror::Error)]
pub(in crate::runner) enum LockError {
    /// Somebody else has locked it.
    #[error("{} is writing this file", holder(*.0))]
    Held(Option<u32>),
    /// As on some network disks.
    #[error("files cannot be locked here ({0}); keep it on a local disk")]
    NoLocks(io::Error),
}

fn holder(process: Option<u32>) -> String {
    process.map_or("another process".into(), |process| format!("process {process}"))
}

/// Locks a file until it is closed.
///
/// # Errors
/// When it is locked already, by this process too, or the file system knows no locks.
pub(in crate::runner) fn lock(file: &File) -> Result<(), LockError> {
    file.try_lock().map_err(|error| match error {
        TryLockError::WouldBlock => LockError::Held(holder_of(file)),
        TryLockError::Error(error) => LockError::NoLocks(error),
    })
}

/// The process that has locked a file, where the system tells.
fn holder_of(file: &File) -> Option<u32> {
    let inode = file.metadata().ok()?.ino().to_string();
    let locks = std::fs::read_to_string("/proc/locks").ok()?;
    locks.lines().find_map(|line| {
        // 1: FLOCK ADVISORY WRITE 1234 08:01:5678 0 EOF
        let words: Vec<&str> = line.split_whitespace().collect();
        let [_, "FLOCK", _, _, process, place, ..] = words.as_slice() else { return None };
        let found = place.rsplit(':').next() == Some(inode.as_str());
        process.parse().ok().filter(|&process| found && process > 0)
    })
}
