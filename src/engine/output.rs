//! Lines to a client.

use std::io::{self, ErrorKind, Write};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// Where the protocol goes. Clones write to the same place, a line at a time.
#[derive(Clone)]
pub(super) struct Output {
    shared: Arc<Shared>,
}

struct Shared {
    lines: Mutex<Lines>,
    closed: AtomicBool,
    /// Why nothing more could be written, unless the other side has just left.
    failure: Mutex<Option<io::Error>>,
}

/// The lines on their way.
struct Lines {
    writer: Box<dyn Write + Send>,
    /// Not yet written.
    waiting: Vec<u8>,
    /// Whether lines wait for [`Output::flush`].
    gathering: bool,
}

/// More bytes than this never wait.
const MOST_WAITING: usize = 1 << 14;

impl Output {
    /// Writes to anything.
    pub(super) fn new(writer: impl Write + Send + 'static) -> Self {
        let lines = Lines { writer: Box::new(writer), waiting: Vec::new(), gathering: false };
        let (closed, failure) = (AtomicBool::new(false), Mutex::new(None));
        Output { shared: Arc::new(Shared { lines: Mutex::new(lines), closed, failure }) }
    }

    /// Writes text and a line end: at once, or with the next [flush](Self::flush) while lines are
    /// gathered. Once the other side has closed, nothing more is written.
    pub(super) fn line(&self, text: &str) {
        if self.closed() {
            return;
        }
        log::debug!("> {text}");
        let mut lines = self.lines();
        lines.waiting.extend_from_slice(text.as_bytes());
        lines.waiting.push(b'\n');
        if !lines.gathering || lines.waiting.len() > MOST_WAITING {
            self.write(&mut lines);
        }
    }

    /// From now on lines wait for the next flush: a system call for many of them.
    pub(super) fn gather(&self) {
        self.lines().gathering = true;
    }

    /// Writes the lines that wait; from now on lines are written at once.
    pub(super) fn flush(&self) {
        let mut lines = self.lines();
        lines.gathering = false;
        if !lines.waiting.is_empty() {
            self.write(&mut lines);
        }
    }

    fn write(&self, lines: &mut Lines) {
        let Lines { writer, waiting, .. } = lines;
        if let Err(error) = writer.write_all(waiting).and_then(|()| writer.flush()) {
            self.close();
            if error.kind() != ErrorKind::BrokenPipe {
                *self.failure() = Some(error);
            }
        }
        waiting.clear();
    }

    fn lines(&self) -> MutexGuard<'_, Lines> {
        self.shared.lines.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn failure(&self) -> MutexGuard<'_, Option<io::Error>> {
        self.shared.failure.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Why something could not be written: a full disk, not a reader that has left.
    pub(super) fn take_failure(&self) -> Option<io::Error> {
        self.failure().take()
    }

    /// Takes note that the other side has closed.
    pub(super) fn close(&self) {
        self.shared.closed.store(true, Ordering::Relaxed);
    }

    /// Whether the other side has closed.
    pub(super) fn closed(&self) -> bool {
        self.shared.closed.load(Ordering::Relaxed)
    }
}
