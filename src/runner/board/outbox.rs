//! What waits to be sent to a page.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use serde::Serialize;
use tokio::sync::mpsc::{Receiver, Sender, channel, error::TrySendError};

use super::outgoing::Outgoing;

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

    /// Sends one message. A page that is gone is no error; one that does not read is disconnected,
    /// since it misses something.
    pub(super) fn send(&self, message: &Outgoing) {
        self.answer(None, message);
    }

    /// Sends the answer to the message with that number.
    pub(super) fn answer(&self, id: Option<u64>, message: &Outgoing) {
        #[derive(Serialize)]
        struct Numbered<'a> {
            #[serde(skip_serializing_if = "Option::is_none")]
            id: Option<u64>,
            #[serde(flatten)]
            message: &'a Outgoing,
        }
        // By way of a value, so that the members are sorted.
        let text = match serde_json::to_value(Numbered { id, message }) {
            Ok(value) => value.to_string(),
            Err(error) => return log::error!("a message cannot be written: {error}"),
        };
        if let Err(TrySendError::Full(_)) = self.queue.try_send(text) {
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
        let message = Outgoing::Pong;
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
