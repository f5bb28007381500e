//! What waits to be sent to a page.

use serde_json::Value;
use tokio::sync::mpsc::{Receiver, Sender, channel, error::TrySendError};

/// The most messages that wait for a page; one that reads more slowly is disconnected.
const CAPACITY: usize = 1024;

/// The sending end, which any thread may have.
#[derive(Clone, Debug)]
pub(super) struct Outbox {
    queue: Sender<String>,
}

impl Outbox {
    /// A new one, with its receiving end.
    pub(super) fn new() -> (Self, Receiver<String>) {
        let (queue, waiting) = channel(CAPACITY);
        (Outbox { queue }, waiting)
    }

    /// Sends one message. Of a page that is gone or does not read nobody hears here: its
    /// connection notices by itself.
    pub(super) fn send(&self, message: &Value) {
        if let Err(TrySendError::Full(_)) = self.queue.try_send(message.to_string()) {
            log::warn!("a page does not read; its connection will be closed");
        }
    }

    /// Whether the page has fallen too far behind.
    pub(super) fn is_full(&self) -> bool {
        self.queue.capacity() == 0
    }
}
