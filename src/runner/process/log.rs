//! The log of everything sent to engines and received from them.

use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::Instant;

use crate::printing::{self, note_line, shown};
use anyhow::{Context, Result};

/// A file of lines such as `12.345 barca#2 > go nodes 10`: seconds, process, direction, text.
#[derive(Debug)]
pub(crate) struct Log {
    file: Mutex<BufWriter<File>>,
    start: Instant,
    /// A line could not be written, and this was said.
    incomplete: AtomicBool,
}

impl Log {
    /// Starts a new file.
    ///
    /// # Errors
    /// When it cannot be written.
    pub(crate) fn create(path: &Path) -> Result<Self> {
        let file = File::create(path).with_context(|| format!("log {}", path.display()))?;
        Ok(Log {
            file: Mutex::new(BufWriter::new(file)),
            start: Instant::now(),
            incomplete: AtomicBool::new(false),
        })
    }

    /// Logs lines sent to a process.
    pub(crate) fn sent(&self, process: &str, text: &str) {
        self.note(process, '>', text);
    }

    /// Logs a line read from a process.
    pub(crate) fn received(&self, process: &str, text: &str) {
        self.note(process, '<', text);
    }

    fn note(&self, process: &str, direction: char, text: &str) {
        let time = self.start.elapsed().as_secs_f64();
        let mut file = self.file.lock().unwrap_or_else(PoisonError::into_inner);
        for line in shown(text).lines() {
            self.check(writeln!(file, "{time:.3} {process} {direction} {line}"));
        }
    }

    /// A full disk must not end the match, but it is reported, once.
    fn check(&self, written: std::io::Result<()>) {
        if let Err(error) = written
            && !self.incomplete.swap(true, Ordering::Relaxed)
        {
            note_line!("--log: {error}; the log is incomplete");
            printing::fail("--log", &error);
        }
    }
}

impl Drop for Log {
    fn drop(&mut self) {
        let flushed = self.file.lock().unwrap_or_else(PoisonError::into_inner).flush();
        self.check(flushed);
    }
}
