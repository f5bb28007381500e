//! What waits to be sent to a page.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use serde_json::Value;
use tokio::sync::mpsc::{Receiver, Sender, channel, error::TrySendError};

/// The most messages that wait for a page; one that reads more slowly is disconnected.
const CAPACITY: usize = 512;

/// The sending end, which any thread may have.
#[derive(Clone, Debug)]
pub(super) struct Outbox {
    queue: Sender<String>,
    /// Something could not be sent.
    overflowed: Arc<AtomicBool>,
}

impl Outbox {
    /// A new one, with its receiving end.
    pub(super) fn new() -> (Self, Receiver<String>) {
        let (queue, waiting) = channel(CAPACITY);
        (Outbox { queue, overflowed: Arc::default() }, waiting)
    }

    /// Sends one message. Of a page that is gone nobody hears here; one that does not read is
    /// disconnected, since it misses something.
    pub(super) fn send(&self, message: &Value) {
        if let Err(TrySendError::Full(_)) = self.queue.try_send(message.to_string()) {
            self.overflowed.store(true, Ordering::SeqCst);
        }
    }

    /// Whether the page has fallen too far behind.
    pub(super) fn has_overflowed(&self) -> bool {
        self.overflowed.load(Ordering::SeqCst)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_page_that_reads_nothing_overflows_and_one_that_is_gone_does_not() {
        let message = Value::Null;
        let (slow, waiting) = Outbox::new();
        for _ in 0..CAPACITY {
            slow.send(&message);
        }
        assert!(!slow.has_overflowed());
        slow.clone().send(&message);
        assert!(slow.has_overflowed());
        drop(waiting);
        let (gone, waiting) = Outbox::new();
        drop(waiting);
        for _ in 0..2 * CAPACITY {
            gone.send(&message);
        }
        assert!(!gone.has_overflowed());
    }
}
