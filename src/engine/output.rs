//! Lines to a client.

use std::io::Write;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

/// Where the protocol goes. Clones write to the same place, a line at a time.
#[derive(Clone)]
pub(super) struct Output {
    shared: Arc<Shared>,
}

struct Shared {
    writer: Mutex<Box<dyn Write + Send>>,
    closed: AtomicBool,
}

impl Output {
    /// Writes to anything.
    pub(super) fn new(writer: impl Write + Send + 'static) -> Self {
        let writer = Mutex::new(Box::new(writer) as Box<dyn Write + Send>);
        Output { shared: Arc::new(Shared { writer, closed: AtomicBool::new(false) }) }
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
        if writer.write_all(&bytes).and_then(|()| writer.flush()).is_err() {
            self.close();
        }
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
