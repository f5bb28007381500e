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
    writer: Mutex<Box<dyn Write + Send>>,
    closed: AtomicBool,
    /// Why nothing more could be written, unless the other side has just left.
    failure: Mutex<Option<io::Error>>,
}

impl Output {
    /// Writes to anything.
    pub(super) fn new(writer: impl Write + Send + 'static) -> Self {
        let writer = Mutex::new(Box::new(writer) as Box<dyn Write + Send>);
        let (closed, failure) = (AtomicBool::new(false), Mutex::new(None));
        Output { shared: Arc::new(Shared { writer, closed, failure }) }
    }

    /// Writes text and a line end, and flushes. Once the other side has closed, nothing more is
    /// written.
    pub(super) fn line(&self, text: &str) {
        if self.closed() {
            return;
        }
        log::debug!("> {text}");
        let mut writer = self.shared.writer.lock().unwrap_or_else(PoisonError::into_inner);
        let bytes = [text.as_bytes(), b"\n"].concat();
        if let Err(error) = writer.write_all(&bytes).and_then(|()| writer.flush()) {
            self.close();
            if error.kind() != ErrorKind::BrokenPipe {
                *self.failure() = Some(error);
            }
        }
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
