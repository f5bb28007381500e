//! Files that one process at a time may write.

use std::fs::{File, TryLockError};
use std::io::{self, Write};
use std::os::unix::fs::MetadataExt;
use std::path::Path;

use anyhow::{Context, Result, ensure};

use crate::files::NewFile;
use crate::printing::note_line;
use crate::reading;

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
    try_lock(file).map_err(|error| match error {
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

#[cfg(not(test))]
fn try_lock(file: &File) -> Result<(), TryLockError> {
    file.try_lock()
}

#[cfg(test)]
use testing::try_lock;

/// Locks a file of that name until it is closed. Where the file system knows no locks, a warning
/// says so.
///
/// # Errors
/// When it is locked already, or no longer has that name.
pub(in crate::runner) fn lock_at(path: &Path, file: &File) -> Result<()> {
    match lock(file) {
        Err(error @ LockError::NoLocks(_)) => {
            let path = path.display();
            note_line!("warning: {path}: {error}, or see to it that nobody else writes it");
        }
        locked => locked?,
    }
    ensure!(is_at(path, file), "replaced just now; try again");
    Ok(())
}

/// Whether a path names this open file.
pub(in crate::runner) fn is_at(path: &Path, file: &File) -> bool {
    let (Ok(named), Ok(open)) = (std::fs::metadata(path), file.metadata()) else { return false };
    (named.dev(), named.ino()) == (open.dev(), open.ino())
}

/// A file that is written from its start. An old one stays as it was until that is done, and nobody
/// writes it meanwhile.
pub(in crate::runner) struct Replacement {
    new: NewFile,
    /// Holds the lock.
    _old: Option<File>,
}

impl Replacement {
    /// Begins a file.
    ///
    /// # Errors
    /// When it cannot be written, or another process writes the old one.
    pub(in crate::runner) fn create(path: &Path) -> Result<Self> {
        // What may not be read is replaced without a lock; what is no file cannot be replaced.
        let old = reading::regular(path).ok();
        old.as_ref().map_or(Ok(()), |old| lock_at(path, old))?;
        Ok(Replacement { new: NewFile::create(path)?, _old: old })
    }

    /// Puts the file in its place.
    ///
    /// # Errors
    /// When the disk is full or fails; the old file is then as it was.
    pub(in crate::runner) fn commit(self) -> io::Result<()> {
        self.new.commit()
    }
}

impl Write for Replacement {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.new.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.new.flush()
    }
}

/// Writes the whole file of an option.
///
/// # Errors
/// When it cannot be written, or another process writes the old one, which is then as it was.
pub(in crate::runner) fn write(path: &Path, option: &str, bytes: impl AsRef<[u8]>) -> Result<()> {
    let write = || -> Result<()> {
        let mut file = Replacement::create(path)?;
        file.write_all(bytes.as_ref())?;
        Ok(file.commit()?)
    };
    write().with_context(|| format!("{option} {}", path.display()))
}

/// A file system without locks, for the tests of those who lock.
#[cfg(test)]
pub(in crate::runner) mod testing {
    use std::cell::Cell;

    use super::{File, TryLockError, io};

    thread_local! {
        static WITHOUT: Cell<bool> = const { Cell::new(false) };
    }

    pub(super) fn try_lock(file: &File) -> Result<(), TryLockError> {
        match WITHOUT.get() {
            true => Err(TryLockError::Error(io::Error::from_raw_os_error(nix::libc::ENOLCK))),
            false => file.try_lock(),
        }
    }

    /// Does something where this thread can lock no file.
    pub(in crate::runner) fn without_locks<T>(work: impl FnOnce() -> T) -> T {
        WITHOUT.set(true);
        let done = work();
        WITHOUT.set(false);
        done
    }
}
